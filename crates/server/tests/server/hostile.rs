//! Clients that mean harm, and those that are only slow: none gets in, none brings the server down.

use crate::support::{Club, block_on, get, json, problem, send, text};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use halfmove_server::{Answered, Limits, Options, app, run};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A server on a port of its own, which ends when it is dropped.
struct Server {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Server {
    fn start(router: Router, limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            run(listener, router, &limits, || ending.load(Ordering::Relaxed))
        });
        Self { address, is_over, thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The answer to a request.
    fn ask(&self, target: &str) -> String {
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

#[test]
fn other_hosts_are_refused() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let ask = |host: &str| {
            Request::get("/api/archives").header("host", host).body(Body::empty()).unwrap()
        };
        for host in [
            "localhost",
            "LOCALHOST:9002",
            "localhost.:9002",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.0.0.2:9002",
            "[::1]:9002",
            "[::1]",
            "[::ffff:127.0.0.1]",
        ] {
            assert_eq!(text(&app, ask(host)).await.0, StatusCode::OK, "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:9002",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "",
            "10.0.0.1",
            "127.0.0.256",
            "[::2]",
        ] {
            let (status, body) = text(&app, ask(host)).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{host}");
            assert!(body.contains("is not a name of this server"), "{body}");
        }
        let none = Request::get("/masters").body(Body::empty()).unwrap();
        assert_eq!(text(&app, none).await.0, StatusCode::FORBIDDEN);
    });
}

#[test]
fn a_named_host_is_allowed() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.hosts = vec!["chess.lan".to_owned()];
        let app = app(club.archives(), options);
        let ask =
            |host: &str| Request::get("/masters").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(text(&app, ask("chess.lan:9002")).await.0, StatusCode::OK);
        assert_eq!(text(&app, ask("other.lan")).await.0, StatusCode::FORBIDDEN);
    });
}

#[test]
fn a_token_is_needed() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.token = Some("correct-horse-battery".to_owned());
        let app = app(club.archives(), options);
        let ask = |target: &str, name: &str, value: &str| {
            Request::get(target)
                .header("host", "chess.lan")
                .header(name, value)
                .body(Body::empty())
                .unwrap()
        };
        for (name, value, status) in [
            ("x-none", "", 403),
            ("authorization", "Bearer correct-horse-batterx", 403),
            ("authorization", "Bearer correct-horse-battery-", 403),
            ("authorization", "Bearer ", 403),
            ("cookie", "halfmove_token=wrong", 403),
            ("authorization", "Bearer correct-horse-battery", 200),
            ("authorization", "bearer correct-horse-battery", 200),
            ("authorization", "Basic correct-horse-battery", 403),
            ("cookie", "a=b; halfmove_token=correct-horse-battery", 200),
        ] {
            let (found, _) = text(&app, ask("/api/archives", name, value)).await;
            assert_eq!(found.as_u16(), status, "{name}: {value}");
        }
        let response = send(&app, ask("/?token=correct-horse-battery", "x-none", "")).await;
        assert_eq!(
            (response.status(), response.headers()["location"].to_str().unwrap()),
            (StatusCode::SEE_OTHER, "/")
        );
        let cookie = response.headers()["set-cookie"].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        assert_eq!(
            text(&app, ask("/?token=wrong-horse", "x-none", "")).await.0,
            StatusCode::FORBIDDEN
        );
    });
}

/// A page of another site may send the token: its browser first asks, without it.
#[test]
fn other_sites_may_send_the_token() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.token = Some("correct-horse-battery".to_owned());
        options.cors = true;
        let app = app(club.archives(), options);
        let from = |request: axum::http::request::Builder| {
            request.header("host", "chess.lan").header("origin", "http://other.example")
        };
        let ask = from(Request::options("/api/count"))
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "authorization");
        let response = send(&app, ask.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["access-control-allow-headers"], "authorization");
        for (token, status) in [("correct-horse-battery", 200), ("wrong", 403)] {
            let ask =
                from(Request::get("/api/count")).header("authorization", format!("Bearer {token}"));
            let response = send(&app, ask.body(Body::empty()).unwrap()).await;
            assert_eq!(response.status().as_u16(), status);
            assert_eq!(response.headers()["access-control-allow-origin"], "*");
        }
    });
}

#[test]
fn headers_are_strict() {
    block_on(async {
        let club = Club::new();
        let plain = club.app();
        for target in ["/", "/api/archives", "/masters", "/nowhere"] {
            let response = send(&plain, get(target)).await;
            let headers = response.headers();
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(headers["x-content-type-options"], "nosniff");
            assert_eq!(headers.get("access-control-allow-origin"), None, "{target}");
        }
        let mut options = Options::default();
        options.cors = true;
        let open = app(club.archives(), options);
        let mut request = get("/masters");
        request.headers_mut().insert("origin", "https://example.org".parse().unwrap());
        assert_eq!(send(&open, request).await.headers()["access-control-allow-origin"], "*");
    });
}

#[test]
fn paths_lead_nowhere_else() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        for path in [
            "/../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/..%2f..%2fetc/passwd",
            "/assets/../../../Cargo.toml",
            "//etc/passwd",
            "/index.html/../../secret",
            "/api/games/..%2f..%2fetc",
            "/archives/..%2f/masters",
            "/%00",
        ] {
            let (status, body) = text(&app, get(path)).await;
            assert!(status.is_client_error(), "{path}: {status}");
            assert!(!body.contains("root:") && !body.contains("[workspace]"), "{path}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
            let request =
                Request::builder().method(method).uri("/api/search").header("host", "localhost");
            let (status, _) = text(&app, request.body(Body::empty()).unwrap()).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        }
    });
}

/// A range of ids is as long as the archive, however long it is written.
#[test]
fn ranges_of_ids_have_an_end() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let all = json(&app, "/api/count").await["count"].clone();
        let most = json(&app, "/api/count?ids=1-9223372036854775807").await["count"].clone();
        assert_eq!(most, all);
    });
}

/// Names and comments may hold anything. They leave as JSON, never as a page.
#[test]
fn scripts_in_games_stay_text() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        for target in [
            "/api/search",
            "/api/games/3",
            "/api/players",
            "/api/explorer?games=9",
            "/masters",
            "/api/search?player=%3Cscript%3E",
        ] {
            let response = send(&app, get(target)).await;
            let kind = response.headers()["content-type"].to_str().unwrap();
            assert_eq!(kind, "application/json", "{target}");
        }
        assert_eq!(json(&app, "/api/games/3").await["nodes"][1]["comments"][0], "<b>bold</b>");
        let problem = problem(&app, "/api/search?archive=%3Cscript%3Ealert(1)%3C/script%3E").await;
        assert_eq!(problem["status"], 404);
    });
}

#[test]
fn values_that_cannot_be_are_problems() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let long = "A".repeat(20_000);
        for query in [
            "limit=99999999999999999999",
            "limit=-1",
            "offset=x",
            "sort=name",
            "columns=secret",
            "pattern=[[[[[[[[",
            "played=((((((((",
            "moves=e4+e4",
            "fen=8/8/8/8/8/8/8/8+w+-+-+0+1",
            "material=K9999999999vK",
            "player=%FF%FE",
            "min_elo=1e9",
            "ids=1-99999999999999999999",
            "sample=1000%25",
            "since=9999999999",
            "variant=%00",
            &format!("player={long}"),
        ] {
            assert_eq!(
                problem(&app, &format!("/api/search?{query}")).await["status"],
                400,
                "{query}"
            );
        }
        let deep = "Nf3+Nf6+Ng1+Ng8+".repeat(600);
        assert_eq!(problem(&app, &format!("/api/position?moves={deep}")).await["status"], 400);
    });
}

/// A search has a time, and the number of those that wait has a limit.
#[test]
fn time_and_number_have_limits() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        // No search gets its turn in this time.
        (options.limits.searches, options.limits.time) = (0, Duration::from_millis(20));
        let slow = app(club.archives(), options);
        assert_eq!(problem(&slow, "/api/search").await["status"], 504);
        let mut options = Options::default();
        options.limits.waiting = 0;
        let full = app(club.archives(), options);
        let response = send(&full, get("/masters")).await;
        assert_eq!(
            (response.status(), response.headers()["retry-after"].to_str().unwrap()),
            (StatusCode::SERVICE_UNAVAILABLE, "1")
        );
        let mut options = Options::default();
        options.limits.downloads = 1;
        let one = app(club.archives(), options);
        let first = send(&one, get("/api/games.pgn")).await;
        assert_eq!(first.status(), StatusCode::OK);
        // The first may be over already; what counts is that none is refused after it.
        drop(axum::body::to_bytes(first.into_body(), usize::MAX).await);
        let mut tries = 0;
        while send(&one, get("/api/games.pgn")).await.status() != StatusCode::OK {
            tries += 1;
            assert!(tries < 200, "a download is not given back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}

/// Many connections that send half a request do not keep others out, and are closed in time.
#[test]
fn half_open_connections_are_dropped() {
    let club = Club::new();
    let mut limits = Limits::default();
    (limits.connections, limits.head) = (64, Duration::from_secs(2));
    let mut options = Options::default();
    options.limits = limits;
    let server = Server::start(app(club.archives(), options), limits);
    let mut open = Vec::new();
    for number in 0..10_000 {
        let mut stream = server.connect();
        let _ = stream.write_all(b"GET /masters HTTP/1.1\r\nHost: loc");
        // The oldest of ours may go; a process has only so many files.
        open.push(stream);
        if open.len() > 400 {
            open.remove(0);
        }
        if number % 1000 == 999 {
            assert!(server.ask("/api/count").contains("\"count\":4"));
        }
    }
    // Without a byte more, each is closed.
    for stream in open.iter_mut().rev().take(20) {
        let mut rest = Vec::new();
        let begun = Instant::now();
        let _ = stream.read_to_end(&mut rest);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
    assert!(server.ask("/masters").starts_with("HTTP/1.1 200"));
}

/// A client that takes nothing of a large answer is dropped, and what wrote it ends.
#[test]
fn slow_readers_are_dropped() {
    let mut games = String::new();
    for number in 0..30_000 {
        games += &format!(
            "[White \"Player {number}\"]\n[Black \"Somebody with a long name\"]\n\n1. e4 e5 2. Nf3 *\n\n"
        );
    }
    let club = Club::of(&games);
    let mut limits = Limits::default();
    (limits.write, limits.downloads) = (Duration::from_secs(1), 1);
    let mut options = Options::default();
    options.limits = limits;
    let server = Server::start(app(club.archives(), options), limits);
    let mut slow = server.connect();
    slow.write_all(b"GET /api/games.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut tries = 0;
    loop {
        let answer = server.ask("/api/games.ndjson?limit_is_none=");
        if answer.starts_with("HTTP/1.1 400") {
            let answer = server.ask("/api/games.ndjson?player=none");
            if answer.starts_with("HTTP/1.1 200") {
                break;
            }
        }
        tries += 1;
        assert!(tries < 600, "the slow client keeps its download");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn heads_have_a_size() {
    let club = Club::new();
    let server = Server::start(club.app(), Limits::default());
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
    let limits = options.limits;
    let server = Server::start(app(club.archives(), options), limits);
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
    let mut server = Server::start(club.app(), Limits::default());
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
    let server = Arc::new(Server::start(club.app(), Limits::default()));
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

#[test]
fn requests_are_logged_and_counted() {
    block_on(async {
        let club = Club::new();
        assert_eq!(problem(&club.app(), "/metrics").await["status"], 404);
        let lines: Arc<Mutex<Vec<Answered>>> = Arc::default();
        let seen = Arc::clone(&lines);
        let mut options = Options::default();
        options.metrics = true;
        options.log =
            Some(Arc::new(move |answered: &Answered| seen.lock().unwrap().push(answered.clone())));
        let app = app(club.archives(), options);
        json(&app, "/api/count?player=tal").await;
        problem(&app, "/api/count?nonsense=1").await;
        json(&app, "/api/games/1").await;
        json(&app, "/api/games/2").await;
        let logged: Vec<(String, u16)> =
            lines.lock().unwrap().iter().map(|line| (line.target.clone(), line.status)).collect();
        assert_eq!(
            logged[..2],
            [("/api/count?player=tal".to_owned(), 200), ("/api/count?nonsense=1".to_owned(), 400)]
        );
        let (_, metrics) = text(&app, get("/metrics")).await;
        for line in [
            "halfmove_requests_total{route=\"/api/count\",status=\"200\"} 1",
            "halfmove_requests_total{route=\"/api/count\",status=\"400\"} 1",
            "halfmove_requests_total{route=\"/api/games/{id}\",status=\"200\"} 2",
            "# TYPE halfmove_request_seconds_total counter",
        ] {
            assert!(metrics.contains(line), "{line}\n{metrics}");
        }
    });
}
