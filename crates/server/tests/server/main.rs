//! The server, tested like a client uses it: requests to the router, and over real connections.

mod api;
mod clients;
mod explorer;
mod hostile;
mod licheszter;
mod page;
mod support;
