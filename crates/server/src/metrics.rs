//! Counts of requests and of what runs, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Requests by route and status. Routes are patterns, so there are only a few.
#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<BTreeMap<(String, u16), Count>>);

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    requests: u64,
    seconds: f64,
}

impl Metrics {
    pub(crate) fn count(&self, route: &str, status: u16, time: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry((route.to_owned(), status)).or_default();
        count.requests += 1;
        count.seconds += time.as_secs_f64();
    }

    /// The text, with the numbers of what runs now.
    pub(crate) fn text(&self, running: &[(&str, usize)]) -> String {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut text = String::new();
        let mut list = |name: &str, help: &str, value: &dyn Fn(&Count) -> String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter");
            for ((route, status), count) in &all {
                let value = value(count);
                let _ = writeln!(text, "{name}{{route=\"{route}\",status=\"{status}\"}} {value}");
            }
        };
        list("halfmove_requests_total", "Answered requests.", &|count| count.requests.to_string());
        list("halfmove_request_seconds_total", "Time until the answer began.", &|count| {
            count.seconds.to_string()
        });
        let (name, help) = ("halfmove_running", "Searches, queries and downloads that run now.");
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
        for (kind, count) in running {
            let _ = writeln!(text, "{name}{{kind=\"{kind}\"}} {count}");
        }
        text
    }
}
