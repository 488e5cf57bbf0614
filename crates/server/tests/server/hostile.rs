//! Malicious clients and slow ones: none gains access, and none brings the server down.

use crate::connections::Server;
use crate::support::{Club, block_on, get, json, problem, send, testdata, text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use halfmove_archive::{Archive, Importer};
use halfmove_game::Input;
use halfmove_server::{Answered, Archives, Options, app};
use std::sync::{Arc, Mutex};
use std::time::Duration;

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

/// A page of another site may send the token, after a preflight request without it.
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

/// So may the names of files.
#[test]
fn scripts_in_names_of_files_stay_text() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.changeable = true;
        let app = app(club.archives(), options);
        let name = "\"><script>alert(1)</script>\r\nSet-Cookie: a=b/../../x.pgn";
        let encoded: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
        let request = Request::post(format!("/api/import?name={encoded}"))
            .header("host", "localhost")
            .header("x-halfmove", "1");
        let body = Body::from("[White \"New\"]\n\n1. e4 e5 2. Ke3 *\n\n");
        let response = send(&app, request.body(body).unwrap()).await;
        assert_eq!(
            (response.status(), response.headers().get("set-cookie")),
            (StatusCode::OK, None)
        );
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let events = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let events = String::from_utf8(events.to_vec()).unwrap();
        assert!(
            events.contains("event: done\ndata: ") && !events.contains("\nSet-Cookie"),
            "{events}"
        );
        let history = send(&app, get("/api/history")).await;
        assert_eq!(history.headers()["content-type"], "application/json");
        let sources = json(&app, "/api/history").await["changes"][2]["sources"].clone();
        assert!(sources[0].as_str().unwrap().contains("<script>"), "{sources}");
        let found = json(&app, "/api/search?player=new&columns=source").await;
        assert_eq!(found["games"][0]["source"], sources[0]);
        // It is a name, and not a path.
        assert!(!club.folder.path().join("x.pgn").exists());
    });
}

/// Patterns as deep and as costly as a request may hold: each is answered, or is a problem, while others are answered.
#[test]
fn deep_and_costly_patterns_keep_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut importer = Importer::open(folder.path().join("games")).unwrap();
    let masters = Input::open(testdata("games/masters.pgn.zst")).unwrap();
    importer.read_pgn([Ok(masters)], &mut ()).unwrap();
    importer.commit().unwrap();
    let archive = Archive::open(folder.path().join("games")).unwrap();
    let games = archive.len();
    let mut options = Options::default();
    options.limits.time = Duration::from_secs(20);
    let server = Server::start(Archives::new([("games".to_owned(), archive)]), options);
    let nested = format!("{}e4{}", "(".repeat(5000), ")".repeat(5000));
    let long = "e4,".repeat(5000);
    let any = "[PNBRQKpnbrqk_]".repeat(8);
    let squares = [any.as_str(); 8].join("/");
    let questions = [
        format!("played={nested}"),
        format!("played={long}"),
        format!("played={}", "...".repeat(5000)),
        format!("pattern={}", "[".repeat(15_000)),
        format!("pattern={squares}&either_color=1&mirrored=1"),
        "pattern=A7/8/8/8/8/8/8/a7&either_color=1&mirrored=1&for=200".to_owned(),
        format!("comment={}", "a*+".repeat(4000)),
        format!("player={}", "a*+".repeat(4000)),
        "material=KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP&for=1&either_color=1".to_owned(),
        "isolated=a,b,c,d,e,f,g,h,black:a,black:b&passed=a,b,c,d&doubled=a,b,c&either_color=1"
            .to_owned(),
    ];
    std::thread::scope(|scope| {
        let server = &server;
        let costly: Vec<_> = questions
            .iter()
            .flat_map(|question| [question; 4])
            .map(|question| {
                scope.spawn(move || {
                    server.ask(&format!("/api/search?{question}&sort=-rating&in_variations=1"))
                })
            })
            .collect();
        for _ in 0..20 {
            assert!(server.ask("/api/count").contains(&format!("\"count\":{games}")));
            assert!(server.ask("/masters").starts_with("HTTP/1.1 200"));
        }
        for (number, costly) in costly.into_iter().enumerate() {
            let answer = costly.join().unwrap();
            let status = answer.get(9..12).unwrap_or_default();
            assert!(
                matches!(status, "200" | "400" | "504"),
                "{number}: {}",
                &answer[..answer.len().min(400)]
            );
        }
    });
    assert!(server.ask("/api/count").contains(&format!("\"count\":{games}")));
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

/// A search has a timeout, and the number of waiting requests has a limit.
#[test]
fn time_and_number_have_limits() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        // No search starts within this time.
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
        // The first may be finished already; no request after it may be rejected.
        drop(axum::body::to_bytes(first.into_body(), usize::MAX).await);
        let mut tries = 0;
        while send(&one, get("/api/games.pgn")).await.status() != StatusCode::OK {
            tries += 1;
            assert!(tries < 200, "a download is not given back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
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
            "# TYPE halfmove_running gauge",
            "halfmove_running{kind=\"search\"} 0",
        ] {
            assert!(metrics.contains(line), "{line}\n{metrics}");
        }
    });
}
