//! `halfmove serve`.

use crate::program::{archive_of, halfmove, ok, run, testdata};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// The time between two looks at a server.
const POLL: std::time::Duration = std::time::Duration::from_millis(20);

/// A running server.
struct Server {
    child: Child,
    /// The first line that it printed.
    line: String,
    /// Its address and port.
    address: String,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut command = halfmove(&["serve", "--listen", "127.0.0.1:0", "--no-open"]);
        let mut child = command
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("standard output");
        BufReader::new(out).read_line(&mut line).expect("text");
        let address = line.rsplit("http://").next().unwrap_or_default();
        let address = address.split('/').next().unwrap_or_default().to_owned();
        Self { child, line, address }
    }

    /// The head and the body of an answer.
    fn ask(&self, target: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a server");
        let address = &self.address;
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }

    /// The number of queries in SQL that run now.
    fn queries(&self) -> u64 {
        let (_, text) = self.ask("/metrics");
        let line =
            text.lines().find_map(|line| line.strip_prefix("halfmove_running{kind=\"query\"} "));
        line.and_then(|count| count.parse().ok()).expect("a count of queries")
    }

    fn json(&self, target: &str) -> Value {
        let (head, body) = self.ask(target);
        assert!(head.starts_with("HTTP/1.1 200"), "{target}: {head}\n{body}");
        serde_json::from_str(&body).expect("JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answers of the server are those of the command line.
#[test]
fn the_server_answers_what_the_command_line_prints() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let named = format!("masters={archive}");
    let server = Server::start(&[&named]);
    assert!(server.line.starts_with("masters (") && server.line.contains(" games) at http://"));
    let printed =
        |args: &[&str]| -> Value { serde_json::from_str(&ok(args)).expect("JSON of the program") };
    let explored = printed(&["explore", &archive, "--moves", "e4 c5", "--format", "json"]);
    let answered = server.json("/api/explorer?moves=e4+c5&games=4");
    for name in ["white", "draws", "black", "other", "averageRating", "performance", "lastPlayed"] {
        assert_eq!(answered[name], explored[name], "{name}");
    }
    assert_eq!(answered["topGames"][0]["id"], explored["topGames"][0]["id"]);
    let moves = |answer: &Value| -> Vec<(Value, Value, Value)> {
        let moves = answer["moves"].as_array().expect("moves").iter();
        moves
            .map(|mv| (mv["uci"].clone(), mv["white"].clone(), mv["performance"].clone()))
            .collect()
    };
    assert_eq!(moves(&answered), moves(&explored));
    let args = ["search", &archive, "--structure", "iqp", "--limit", "50", "--format", "json"];
    let (searched, found) = (printed(&args), server.json("/api/search?structure=iqp&limit=50"));
    assert_eq!((&found["count"], &found["games"]), (&searched["count"], &searched["games"]));
    let (head, page) = server.ask("/");
    assert!(head.to_lowercase().contains("content-type: text/html") && page.contains("<title>"));
}

/// Queries in SQL are answered only if a flag allows it, as the command line answers them.
#[test]
fn sql_over_http() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let (head, body) = Server::start(&[&archive]).ask("/api/sql?query=select+1");
    assert!(head.starts_with("HTTP/1.1 403") && body.contains("--sql"), "{head} {body}");
    let server = Server::start(&[&archive, "--sql", "--metrics"]);
    let query = "select eco, count(*) as n, max(white_elo) as best from games group by eco order by n desc, eco";
    let target = query.replace(' ', "+");
    let printed: Value =
        serde_json::from_str(&ok(&["sql", &archive, query, "--format", "json"])).unwrap();
    let all = printed.as_array().unwrap();
    assert!(all.len() > 100);
    let some = server.json(&format!("/api/sql?query={target}&limit=10"));
    assert_eq!(some["columns"], serde_json::json!(["eco", "n", "best"]));
    assert_eq!(
        (some["rows"].as_array().unwrap().as_slice(), &some["more"]),
        (&all[..10], &Value::Bool(true))
    );
    let whole = server.json(&format!("/api/sql?query={target}"));
    assert_eq!((&whole["rows"], &whole["more"]), (&printed, &Value::Bool(false)));
    let (_, lines) = server.ask(&format!("/api/sql.ndjson?query={target}"));
    let lines: Vec<Value> = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(Value::is_object)
        .collect();
    assert_eq!(&lines, all);
    let (head, _) = server.ask(&format!("/api/sql.arrow?query={target}"));
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("arrow.stream"), "{head}");
    for (query, status, place, detail) in [
        ("select whit from games", 400, Some((1, 8)), "there is no column whit"),
        ("select white%0Afrom games wher id", 400, Some((2, 17)), ""),
        ("drop table games", 400, None, "archives are read-only"),
        (
            "select * from (select id from games) a join (select id from games) b on a.id = b.id",
            400,
            None,
            "two columns are called id",
        ),
        ("select 1/(id-id) from games", 400, None, "ivi"),
        ("select * from '/etc/passwd'", 400, None, ""),
        ("copy (select 1) to '/tmp/x.csv'", 400, None, ""),
        ("select 1; select 2", 400, None, "several statements"),
    ] {
        for route in ["sql", "sql.ndjson", "sql.arrow"] {
            let (head, body) =
                server.ask(&format!("/api/{route}?query={}", query.replace(' ', "+")));
            assert!(head.contains("application/problem+json"), "{query}: {head} {body}");
            let problem: Value = serde_json::from_str(&body).expect("JSON");
            assert_eq!(problem["status"], status, "{query}: {body}");
            let at = problem["line"].as_u64().zip(problem["column"].as_u64());
            assert_eq!(at, place, "{query}: {body}");
            assert!(problem["detail"].as_str().unwrap().contains(detail), "{query}: {body}");
        }
    }
    // Searches are answered while a costly query runs.
    let mut costly = TcpStream::connect(&server.address).unwrap();
    let target = "/api/sql?query=select+count(*)+from+halfmoves+a,+halfmoves+b,+halfmoves+c";
    write!(costly, "GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    while server.queries() == 0 {
        std::thread::sleep(POLL);
    }
    assert!(server.json("/api/count")["count"].as_u64() > Some(0));
    // It ends when its client is gone.
    drop(costly);
    let mut polls = 0;
    while server.queries() > 0 {
        polls += 1;
        assert!(polls < 600, "the query goes on");
        std::thread::sleep(POLL);
    }
}

/// Games of a file are shown without an archive, and those that are imported later are seen.
#[test]
fn files_and_changes() {
    let file = testdata("games/makruk.pgn");
    let server = Server::start(&[file.to_str().unwrap()]);
    assert_eq!(server.json("/api/archives")["archives"][0]["name"], "makruk");
    assert!(server.json("/api/count?variant=makruk")["count"].as_u64() > Some(0));

    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let server = Server::start(&[&archive]);
    let before = server.json("/api/count")["count"].as_u64();
    ok(&["import", &archive, testdata("games/chess960.pgn").to_str().unwrap()]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(server.json("/api/count")["count"].as_u64() > before);
}

/// A signal ends it without an error.
#[cfg(unix)]
#[test]
fn a_signal_ends_it() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let mut server = Server::start(&[&archive]);
    let number = server.child.id().to_string();
    let kill = Command::new("sh").args(["-c", &format!("kill -TERM {number}")]).status();
    assert!(kill.expect("a shell").success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn mistakes_are_explained() {
    let (_folder, archive) = archive_of(&["games/setup.pgn"]);
    let twice = format!("archive={archive}");
    for (args, part) in [
        (vec!["serve", &archive, "--listen", "0.0.0.0:9002"], "needs --token"),
        (vec!["serve", &archive, &twice, "--no-open"], "two archives are named archive"),
        (vec!["serve", "/nowhere/at/all"], "no archive at /nowhere/at/all"),
        (vec!["serve", &archive, "--token", "short"], "expected 16 or more"),
        (vec!["serve", &archive, "--listen", "9002"], "invalid value '9002' for '--listen"),
        (vec!["serve"], "required arguments were not provided"),
    ] {
        let output = run(&args);
        assert_eq!(output.code, 2, "{args:?}");
        assert!(output.err.contains(part), "{args:?}: {}", output.err);
    }
    let server = Server::start(&[&archive]);
    let output = run(&["serve", &archive, "--listen", &server.address]);
    assert!(output.code == 2 && output.err.contains("hint: another port"), "{}", output.err);
}
