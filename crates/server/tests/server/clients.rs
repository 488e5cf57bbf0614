//! Clients, run as they are: berserk, a Python library for Lichess's explorer, with pyarrow for downloads, and licheszter, one in Rust.
//! `make readers` and `make clients` install them in the target folder. `PYTHON` names another Python with the packages berserk and pyarrow; if it is
//! empty, Python's test is left out. So is that of licheszter if the program that `LICHESZTER` names, or that of the target folder,
//! is not there.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::Club;
use halfmove_server::{Options, run};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

/// A file of the target folder.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(3).expect("a target folder").join(name)
}

/// The program that a variable names, or one of the target folder.
fn program(variable: &str, name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    Some(named.unwrap_or_else(|| built(name))).filter(|path| !path.as_os_str().is_empty())
}

/// Serves a club to a program, which gets the address as its last argument.
fn serve(client: &mut Command) -> std::io::Result<Output> {
    let club = Club::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let is_over = AtomicBool::new(false);
    let is_stopped = || is_over.load(Ordering::Relaxed);
    std::thread::scope(|scope| {
        let serve = || run(listener, club.archives(), Options::default(), is_stopped);
        let server = scope.spawn(serve);
        let output = client.arg(url).output();
        is_over.store(true, Ordering::Relaxed);
        server.join().unwrap().unwrap();
        output
    })
}

/// The JSON that a client has printed.
fn printed(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn berserk_asks_us_as_it_asks_lichess() {
    let Some(python) = program("PYTHON", "venv/bin/python3") else {
        eprintln!("SKIPPED: PYTHON is empty, so its clients are not asked");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/clients.py");
    let output = serve(Command::new(&python).arg(script)).unwrap_or_else(|error| {
        panic!(
            "{}: {error}\n`make readers` installs berserk; PYTHON names another Python",
            python.display()
        )
    });
    let found = printed(&output);
    assert_eq!((&found["masters"]["white"], &found["lichess"]["draws"]), (&1.into(), &1.into()));
    assert_eq!(found["masters"]["topGames"][0]["id"], "1");
    assert_eq!(found["lichess"]["history"][0]["month"], "2021-03");
    assert_eq!(found["player"]["moves"][0]["uci"], "e2e4");
    assert_eq!(found["stream"][0]["white"], 1);
    assert!(found["pgn"].as_str().unwrap().contains("1. e4"));
    assert_eq!(found["games"][1], json!({ "id": 2, "white": "Botvinnik, Mikhail", "year": 2021 }));
    // The third game has two half-moves; the other short ones have four.
    assert_eq!(found["longest"], json!([1, 2, 4, 3]));
    assert_eq!(found["longest"], found["longest_listed"]);
    assert_eq!((&found["first"], &found["first"][0]), (&found["first_listed"], &json!(3)));
    assert_eq!((&found["moves"][0]["san"], &found["moves"][0]["draws"]), (&"e4".into(), &0.into()));
    assert_eq!(found["error"], 400);
}

/// Its types read every answer, and know every field. The program is in `tests/licheszter`.
#[test]
#[ignore = "needs the client that `make clients` builds"]
fn licheszter_asks_us_as_it_asks_lichess() {
    let client = program("LICHESZTER", "clients/release/licheszter-client");
    let Some(client) = client.filter(|client| client.exists()) else {
        eprintln!("SKIPPED: `make clients` builds a client with licheszter, which is not there");
        return;
    };
    let found = printed(&serve(&mut Command::new(client)).unwrap());
    let (all, masters, lichess) = (&found["all"], &found["masters"], &found["lichess"]);
    let counts =
        |answer: &Value| [&answer["white"], &answer["draws"], &answer["black"]].map(Value::as_u64);
    assert_eq!(counts(all), [Some(1); 3]);
    assert_eq!(
        (all["moves"][0]["san"].as_str(), all["topGames"][0]["id"].as_str()),
        (Some("e4"), Some("1"))
    );
    assert_eq!(
        (counts(masters), &masters["moves"][0]["uci"]),
        ([Some(1), Some(0), Some(0)], &json!("g1f3"))
    );
    assert_eq!(counts(lichess), [Some(1), Some(0), Some(0)]);
    assert_eq!(
        lichess["history"],
        json!([{ "month": "2021-03", "white": 1, "black": 0, "draws": 0 }])
    );
    let player = &found["player"][0];
    assert_eq!(counts(player), [Some(1), Some(0), Some(0)]);
    assert_eq!(
        (&player["moves"][0]["averageOpponentRating"], &player["queuePosition"]),
        (&json!(2720), &json!(0))
    );
    assert!(found["pgn"].as_str().unwrap().contains("1. e4"));
    assert_eq!(found["error"], true);
}
