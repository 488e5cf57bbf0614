//! Clients, run as they are: berserk, a Python library for Lichess's explorer, and pyarrow for downloads. They need a Python with
//! the packages berserk and pyarrow: the one that `PYTHON` names, or the one that `make readers` makes in `target/venv`. An empty `PYTHON` leaves the test out.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::Club;
use halfmove_server::{Limits, Options, app, run};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn interpreter() -> Option<PathBuf> {
    match std::env::var_os("PYTHON") {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => {
            let test = std::env::current_exe().unwrap();
            Some(test.ancestors().nth(3).expect("a target folder").join("venv/bin/python3"))
        }
    }
}

#[test]
fn berserk_asks_us_as_it_asks_lichess() {
    let Some(python) = interpreter() else {
        eprintln!("SKIPPED: PYTHON is empty, so clients are not asked");
        return;
    };
    let club = Club::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let is_over = Arc::new(AtomicBool::new(false));
    let router = app(club.archives(), Options::default());
    let server = {
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            run(listener, router, &Limits::default(), || is_over.load(Ordering::Relaxed))
        })
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/clients.py");
    let output = Command::new(&python).arg(script).arg(url).output().unwrap_or_else(|error| {
        panic!(
            "{}: {error}\n`make readers` installs berserk; PYTHON names another Python",
            python.display()
        )
    });
    is_over.store(true, Ordering::Relaxed);
    server.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["masters"]["white"], &found["lichess"]["draws"]), (&1.into(), &1.into()));
    assert_eq!(found["masters"]["topGames"][0]["id"], "1");
    assert_eq!(found["lichess"]["history"][0]["month"], "2021-03");
    assert_eq!(found["player"]["moves"][0]["uci"], "e2e4");
    assert_eq!(found["stream"][0]["white"], 1);
    assert!(found["pgn"].as_str().unwrap().contains("1. e4"));
    assert_eq!(found["games"][1], json!({ "id": 2, "white": "Botvinnik, Mikhail", "year": 2021 }));
    assert_eq!((&found["moves"][0]["san"], &found["moves"][0]["draws"]), (&"e4".into(), &0.into()));
    assert_eq!(found["error"], 400);
}
