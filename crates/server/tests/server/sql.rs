//! Queries in SQL, as far as the server is concerned: it passes them on to an engine, whose answers and errors it passes back.

use crate::support::{Club, block_on, get, json, problem, send, text};
use axum::http::StatusCode;
use halfmove_archive::Archive;
use halfmove_server::{Options, Query, QueryAnswer, QueryEngine, QueryError, app};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// An engine that knows some queries, so that limits and errors of any engine can be seen.
struct Numbers;

impl QueryEngine for Numbers {
    fn query(&self, archive: &Archive, query: &Query) -> Result<QueryAnswer, QueryError> {
        let columns = vec!["n".to_owned()];
        let line = |number: usize| Ok(format!("{{\"n\":{number}}}\n").into_bytes());
        match query.text.as_str() {
            "numbers" => Ok(QueryAnswer::new(columns, (0..usize::MAX).map(line).take(query.rows))),
            "games" => Ok(QueryAnswer::new(columns, [line(archive.len() as usize)])),
            "breaks" => {
                let end = Err(QueryError::failed("the disk is gone"));
                Ok(QueryAnswer::new(columns, [line(1), end]))
            }
            "waits" => {
                // Until its time is over.
                while !archive.cancel_token().is_cancelled() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(QueryError::failed("nobody hears this"))
            }
            "fails" => Ok(QueryAnswer::new(columns, [Err(QueryError::too_slow("too slow"))])),
            _ => Err(QueryError::invalid("expected numbers").at(2, 7).with_hint("write numbers")),
        }
    }
}

#[test]
fn queries_are_passed_on_and_limited() {
    block_on(async {
        let club = Club::new();
        let closed = club.app();
        for route in ["sql", "sql.ndjson", "sql.arrow"] {
            let refused = problem(&closed, &format!("/api/{route}?query=numbers")).await;
            assert_eq!(refused["status"], 403);
            assert!(refused["hint"].as_str().unwrap().contains("--sql"), "{refused}");
        }
        assert_eq!(json(&closed, "/api/archives").await["sql"], false);
        let mut options = Options::default();
        options.sql = Some(Arc::new(Numbers));
        options.limits.queries = 1;
        let app = app(club.archives(), options);
        assert_eq!(json(&app, "/api/archives").await["sql"], true);
        let games = json(&app, "/api/sql?query=games").await;
        assert_eq!((&games["columns"], &games["rows"]), (&json!(["n"]), &json!([{ "n": 4 }])));
        assert_eq!(games["more"], false);
        for (limit, rows) in
            [("", 1000), ("&limit=3", 3), ("&limit=0", 0), ("&limit=10000", 10_000)]
        {
            let some = json(&app, &format!("/api/sql?query=numbers{limit}")).await;
            assert_eq!(some["rows"].as_array().unwrap().len(), rows);
            assert_eq!(some["more"], true);
        }
        let (_, lines) = text(&app, get("/api/sql.ndjson?query=games")).await;
        assert_eq!(lines, "{\"n\":4}\n");
        for (query, status) in [
            ("sql?limit=10001&query=games", 400),
            ("sql", 400),
            ("sql?query=games&nonsense=1", 400),
            ("sql?query=fails", 504),
            ("sql.ndjson?query=fails", 504),
            ("sql?query=breaks", 500),
        ] {
            assert_eq!(problem(&app, &format!("/api/{query}")).await["status"], status, "{query}");
        }
        let wrong = problem(&app, "/api/sql.arrow?query=select").await;
        assert_eq!((&wrong["line"], &wrong["column"]), (&json!(2), &json!(7)));
        assert_eq!(
            (&wrong["parameter"], &wrong["hint"]),
            (&json!("query"), &json!("write numbers"))
        );
        // What breaks off later cannot be taken for a whole answer.
        let broken = send(&app, get("/api/sql.ndjson?query=breaks")).await;
        assert_eq!(broken.status(), StatusCode::OK);
        assert!(axum::body::to_bytes(broken.into_body(), usize::MAX).await.is_err());
        // One at a time: the next has to wait until this one has been read, or its reader is gone.
        let endless = send(&app, get("/api/sql.ndjson?query=numbers")).await;
        assert_eq!(problem(&app, "/api/sql?query=games").await["status"], 503);
        drop(endless);
        let mut tries = 0;
        while send(&app, get("/api/sql?query=games")).await.status() != StatusCode::OK {
            tries += 1;
            assert!(tries < 200, "the query goes on");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
}

/// The limit of time is that of the server, whatever the engine does, and its text speaks of a query.
#[test]
fn queries_that_take_too_long() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.sql = Some(Arc::new(Numbers));
        options.limits.time = Duration::from_millis(100);
        let app = app(club.archives(), options);
        for route in ["sql", "sql.ndjson", "sql.arrow"] {
            let late = problem(&app, &format!("/api/{route}?query=waits")).await;
            assert_eq!(late["status"], 504, "{route}");
            assert_eq!(late["detail"], "the query took longer than 0.1 s and was stopped");
            assert!(late["hint"].as_str().unwrap().contains("rows"), "{late}");
        }
    });
}
