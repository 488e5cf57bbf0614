//! The server, asked as clients ask it: requests to the router, and over real connections.

mod api;
mod clients;
mod explorer;
mod hostile;
mod licheszter;
mod page;
mod support;
