//! The server, tested like a client uses it: requests to the router, and over real connections.

#![allow(clippy::print_stderr, reason = "tests say what they leave out")]

mod api;
mod clients;
mod connections;
mod description;
mod explorer;
mod hostile;
mod licheszter;
mod page;
mod sql;
mod support;
