//! The server, tested like a client uses it: requests to the router, and over real connections.

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
