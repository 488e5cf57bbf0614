//! Real connections: half open, slow, many, closed in the middle.

use crate::support::Club;
use halfmove_server::{Archives, Limits, Options, run};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A server on a port of its own, which ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Server {
    pub(crate) fn start(archives: Archives, options: Options) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            run(listener, archives, options, || ending.load(Ordering::Relaxed))
        });
        Self { address, is_over, thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The answer to a request.
    pub(crate) fn ask(&self, target: &str) -> String {
        let mut stream = self.connect();
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn stop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The number of connections that are half open at once.
const HALF_OPEN: usize = 10_000;

/// Connections that send half a request do not keep others out, and are closed in time.
#[test]
fn half_open_connections_are_dropped() {
    drop_half_open(400);
}

/// Ten thousand at once, in a process that may open so many files.
#[test]
#[ignore = "half a minute: make verify"]
fn ten_thousand_half_open_connections_are_dropped() {
    const NAME: &str = "HALFMOVE_HALF_OPEN";
    let open = match std::env::var(NAME) {
        Ok(open) => open.parse().unwrap(),
        Err(_) => {
            // With the sockets of the server and what a process has open anyway.
            let files = HALF_OPEN + Limits::default().connections + 200;
            let script = format!("ulimit -n {files} 2>/dev/null || exit 77; exec \"$@\"");
            let mut again = Command::new("sh");
            again.args(["-c", &script, "sh"]).arg(std::env::current_exe().unwrap());
            again.args([
                "--exact",
                "connections::ten_thousand_half_open_connections_are_dropped",
                "--include-ignored",
                "--nocapture",
            ]);
            match again.env(NAME, HALF_OPEN.to_string()).output() {
                Ok(output) if output.status.code() != Some(77) => {
                    let errors = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{errors}");
                    let text = String::from_utf8_lossy(&output.stdout);
                    return assert!(text.contains("1 passed"), "{text}");
                }
                _ => {
                    eprintln!(
                        "with 400 half-open connections: {files} open files are not allowed here (ulimit -n)"
                    );
                    400
                }
            }
        }
    };
    drop_half_open(open);
}

fn drop_half_open(open: usize) {
    let club = Club::new();
    let mut options = Options::default();
    options.limits.head = Duration::from_secs(5);
    if open < HALF_OPEN {
        options.limits.connections = 64;
    }
    let server = Server::start(club.archives(), options);
    let mut streams = Vec::new();
    for number in 0..open {
        let mut stream = server.connect();
        // The server may have closed it already.
        let _ = stream.write_all(b"GET /masters HTTP/1.1\r\nHost: loc");
        streams.push(stream);
        if number % 500 == 499 {
            assert!(server.ask("/api/count").contains("\"count\":4"));
        }
    }
    assert!(server.ask("/masters").starts_with("HTTP/1.1 200"));
    // Without a byte more, each is closed: with status 408, or without an answer.
    for mut stream in streams {
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => assert!(!answer.starts_with(b"HTTP/1.1 200"), "half a request is answered"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
    }
    assert!(server.ask("/masters").starts_with("HTTP/1.1 200"));
}

/// Clients that take nothing of large answers keep nobody out, are dropped, and what wrote their answers ends.
#[test]
fn slow_readers_are_dropped() {
    let mut games = String::new();
    for number in 0..30_000 {
        games += &format!(
            "[White \"Player {number}\"]\n[Black \"Somebody with a long name\"]\n\n1. e4 e5 2. Nf3 *\n\n"
        );
    }
    let club = Club::of(&games);
    let mut options = Options::default();
    options.limits.write = Duration::from_secs(1);
    let downloads = options.limits.downloads;
    let server = Server::start(club.archives(), options);
    let targets = ["games.ndjson", "games.pgn", "games.arrow", "search?limit=10000"];
    let slow: Vec<TcpStream> = (0..64)
        .map(|number| {
            let mut slow = server.connect();
            let target = targets[number % 4];
            let request = format!("GET /api/{target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            slow.write_all(request.as_bytes()).unwrap();
            slow
        })
        .collect();
    assert!(server.ask("/api/count").contains("\"count\":30000"));
    let mut tries = 0;
    // All downloads are given back, so that as many others can run at once.
    loop {
        let mut others: Vec<TcpStream> = (0..downloads).map(|_| server.connect()).collect();
        for other in &mut others {
            let request = b"GET /api/games.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n";
            other.write_all(request).unwrap();
        }
        let mut begins_well = |other: &mut TcpStream| {
            let mut status = [0; 12];
            other.read_exact(&mut status).unwrap();
            status == *b"HTTP/1.1 200"
        };
        if others.iter_mut().all(&mut begins_well) {
            break;
        }
        tries += 1;
        assert!(tries < 600, "the slow clients keep their downloads");
        std::thread::sleep(Duration::from_millis(50));
    }
    // Whoever reads at last finds the end of the connection.
    for mut slow in slow {
        if let Err(error) = slow.read_to_end(&mut Vec::new()) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        }
    }
}

#[test]
fn heads_have_a_size() {
    let club = Club::new();
    let server = Server::start(club.archives(), Options::default());
    let long = "x".repeat(200_000);
    let mut stream = server.connect();
    let _ = stream.write_all(
        format!("GET /masters?fen={long} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes(),
    );
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    for rubbish in [
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(rubbish.as_bytes()).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{rubbish:?}");
    }
    assert!(server.ask("/api/count").contains("\"count\":4"));
}

/// A client that closes its connection stops what it has asked for.
#[test]
fn closed_connections_stop_their_work() {
    let club = Club::new();
    let mut options = Options::default();
    options.limits.engines = 1;
    let server = Server::start(club.archives(), options);
    let mut engine = server.connect();
    engine.write_all(b"GET /api/engine?seconds=600 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut first = [0; 64];
    engine.read_exact(&mut first).unwrap();
    assert!(server.ask("/api/engine?depth=2").starts_with("HTTP/1.1 503"));
    drop(engine);
    let mut tries = 0;
    while !server.ask("/api/engine?depth=2").starts_with("HTTP/1.1 200") {
        tries += 1;
        assert!(tries < 200, "the search goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The server ends when it is asked to, also while connections are open.
#[test]
fn it_ends_in_order() {
    let club = Club::new();
    let mut server = Server::start(club.archives(), Options::default());
    let idle = server.connect();
    let mut engine = server.connect();
    engine.write_all(b"GET /api/engine?seconds=600 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut first = [0; 64];
    engine.read_exact(&mut first).unwrap();
    server.stop();
    drop(idle);
    assert!(TcpStream::connect(server.address).is_err());
}

/// Two hundred requests at once are all answered.
#[test]
fn many_at_once_are_answered() {
    let club = Club::new();
    let server = Arc::new(Server::start(club.archives(), Options::default()));
    let threads: Vec<_> = (0..200)
        .map(|number| {
            let server = Arc::clone(&server);
            std::thread::spawn(move || {
                server.ask(if number % 2 == 0 { "/masters" } else { "/api/search" })
            })
        })
        .collect();
    for thread in threads {
        let answer = thread.join().unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}
