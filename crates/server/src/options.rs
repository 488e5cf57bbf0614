//! Permissions of a server beyond reading from this machine.

use std::sync::Arc;
use std::time::Duration;

use crate::sql::QueryEngine;
pub use crate::state::Limits;

/// The options of a server. The default is the most restrictive: only this machine, and only reading.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The names of hosts, besides `localhost` and the addresses of this machine's loopback, that a request may be
    /// addressed to. This protects against pages of other sites that resolve their name to this machine (DNS
    /// rebinding).
    pub hosts: Vec<String>,
    /// True if pages of other sites may read responses (CORS).
    pub cors: bool,
    /// The token that each request must have, as `Authorization: Bearer TOKEN` or as a cookie, which the address
    /// `/?token=TOKEN` sets. With a token, a request may be addressed to any host.
    pub token: Option<String>,
    /// True if games may be imported, and changes undone.
    pub changeable: bool,
    /// True if `/metrics` is served.
    pub metrics: bool,
    /// Called for each request when its response begins.
    pub log: Option<Log>,
    /// The engine that answers queries in SQL; the default is none.
    pub sql: Option<Arc<dyn QueryEngine>>,
    /// Limits on resources.
    pub limits: Limits,
}

/// A callback for requests.
pub type Log = Arc<dyn Fn(&Answered) + Send + Sync>;

/// A request whose response has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answered {
    /// The method: `GET`.
    pub method: String,
    /// The path and the query, without the token.
    pub target: String,
    /// The status of the response.
    pub status: u16,
    /// The time until the response began.
    pub time: Duration,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The token is secret.
        f.debug_struct("Options")
            .field("hosts", &self.hosts)
            .field("cors", &self.cors)
            .field("has_token", &self.token.is_some())
            .field("changeable", &self.changeable)
            .field("metrics", &self.metrics)
            .field("has_sql", &self.sql.is_some())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
