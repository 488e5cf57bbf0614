//! The interface below `/api`.

use crate::support::{Club, block_on, get, json, problem, send, text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use halfmove_archive::{Archive, ExploreOptions, Filter, SearchOptions};
use halfmove_rules::Chess;
use halfmove_server::{Archives, Options, app};
use serde_json::{Value, json};

#[test]
fn search_lists_sorts_and_pages() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let all = json(&app, "/api/search").await;
        assert_eq!((all["count"].as_u64(), all["archive"].as_str()), (Some(4), Some("club")));
        let first = &all["games"][0];
        assert_eq!(first["white"], "Tal, Mikhail");
        assert_eq!((first["plies"].as_u64(), first["white_elo"].as_i64()), (Some(8), Some(2700)));
        assert_eq!(all.get("player_wins"), None);

        let page =
            json(&app, "/api/search?sort=-date&limit=2&offset=1&columns=opening,tag:TimeControl")
                .await;
        let ids: Vec<_> =
            page["games"].as_array().unwrap().iter().map(|game| game["id"].clone()).collect();
        assert_eq!(ids, [json!(1), json!(2)]);
        assert_eq!(page["games"][0]["tag:TimeControl"], "180+2");
        assert_eq!(page["games"][1]["opening"], "Queen's Gambit Declined");

        let tal = json(&app, "/api/search?player=tal&as=black&result=win").await;
        assert_eq!((tal["count"].as_u64(), tal["player_wins"].as_u64()), (Some(1), Some(1)));
        let reached = json(&app, "/api/search?moves=1.+e4+c5").await;
        assert_eq!(
            (reached["count"].as_u64(), reached["games"][0]["ply"].as_u64()),
            (Some(1), Some(2))
        );
        let pattern = json(&app, "/api/search?pattern=8/8/8/8/2B5/8/8/8").await;
        assert_eq!(
            (pattern["count"].as_u64(), pattern["games"][0]["ply"].as_u64()),
            (Some(1), Some(5))
        );
        let anywhere = json(&app, "/api/search?moves=e4+c5+Nf3&in_variations=1").await;
        assert_eq!(anywhere["count"], 1);
        for (query, in_game, in_variations) in [
            ("played=e4+c5+c3+d5", 0, 1),
            ("pattern=8/8/8/2p5/4P3/2P5/8/8", 0, 1),
            ("played=e4", 2, 2),
        ] {
            let count = async |more: &str| {
                json(&app, &format!("/api/count?variant=chess&{query}{more}")).await["count"]
                    .as_u64()
            };
            assert_eq!(count("").await, Some(in_game), "{query}");
            assert_eq!(count("&in_variations=1").await, Some(in_variations), "{query}");
        }
        assert_eq!(json(&app, "/api/count?variant=makruk").await["count"], 1);
        assert_eq!(json(&app, "/api/count?annotated=1").await["count"], 2);
    });
}

/// Answers are those of the library.
#[test]
fn search_is_the_library() {
    block_on(async {
        let club = Club::new();
        let (app, archive) = (club.app(), club.archive());
        let mut options = SearchOptions::first(50);
        for sort in ["id", "-id", "date", "-date", "rating", "-rating", "plies", "-plies"] {
            options.sort = sort.parse().unwrap();
            let expected = archive.search_with(&Filter::default(), &options).unwrap();
            let ids: Vec<i64> = expected.games.iter().map(|game| game.id).collect();
            let found = json(&app, &format!("/api/search?sort={sort}")).await;
            let games = found["games"].as_array().unwrap();
            let found: Vec<i64> = games.iter().filter_map(|game| game["id"].as_i64()).collect();
            assert_eq!(found, ids, "{sort}");
        }
    });
}

#[test]
fn a_game_has_everything() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let game = json(&app, "/api/games/1").await;
        assert_eq!(game["tags"]["White"], "Tal, Mikhail");
        let nodes = game["nodes"].as_array().unwrap();
        assert_eq!(nodes[0]["comments"], json!(["hello"]));
        assert_eq!(nodes[1]["clock"], 178.0);
        assert_eq!(nodes[1]["evaluation"], json!({ "cp": 30 }));
        assert_eq!(nodes[1]["arrows"], json!([{ "color": "G", "from": "g1", "to": "f3" }]));
        assert_eq!(nodes[3]["san"], "c5");
        assert_eq!(
            (nodes[3]["parent"].as_u64(), nodes[3]["main"].as_bool()),
            (Some(1), Some(false))
        );
        let main: Vec<&str> = nodes
            .iter()
            .filter(|node| node["main"] == true)
            .filter_map(|node| node["san"].as_str())
            .collect();
        assert_eq!(main, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O", "Nf6"]);
        assert!(nodes.iter().any(|node| node["uci"] == "e1g1"));
        let (_, pgn) = text(&app, get("/api/games/1/pgn")).await;
        assert!(pgn.contains("(1... c5 {sharp} 2. Nf3 (2. c3 d5))"), "{pgn}");

        let makruk = json(&app, "/api/games/4").await;
        assert_eq!(makruk["variant"], "makruk");
        for (path, status) in
            [("/api/games/99", 404), ("/api/games/x", 400), ("/api/games/-1", 404)]
        {
            assert_eq!(problem(&app, path).await["status"], status, "{path}");
        }
    });
}

#[test]
fn positions_of_all_variants() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let start = json(&app, "/api/position").await;
        assert_eq!(start["moves"].as_array().unwrap().len(), 20);
        assert_eq!(
            (start["turn"].as_str(), start["check"].as_bool()),
            (Some("white"), Some(false))
        );

        let line = json(&app, "/api/position?moves=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5").await;
        assert_eq!(line["opening"]["name"], "Italian Game: Giuoco Piano");
        assert_eq!(line["line"][2]["san"], "Nf3");
        let castle =
            line["moves"].as_array().unwrap().iter().find(|mv| mv["castling"] == true).unwrap();
        assert_eq!((castle["uci"].as_str(), castle["to"].as_str()), (Some("e1g1"), Some("g1")));

        let fen = "8/P6k/8/3pP3/8/8/8/K7+w+-+d6+0+1";
        let promotion = json(&app, &format!("/api/position?fen={fen}")).await;
        let moves = promotion["moves"].as_array().unwrap();
        assert!(moves.iter().any(|mv| mv["uci"] == "a7a8q" && mv["promotion"] == "queen"));
        assert!(moves.iter().any(|mv| mv["uci"] == "e5d6" && mv["en_passant"] == true));

        for null in ["e4,--,d4", "e2e4,0000,d2d4"] {
            let passed = json(&app, &format!("/api/position?moves={null}")).await;
            assert_eq!(passed["line"][1]["uci"], "0000", "{null}");
            let fen = "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2";
            assert_eq!(passed["fen"], fen, "{null}");
        }
        let mate = json(&app, "/api/position?moves=f3+e5+g4+Qh4").await;
        assert_eq!(
            mate["outcome"],
            json!({ "result": "0-1", "reason": "checkmate", "winner": "black" })
        );
        assert_eq!((mate["check"].as_bool(), &mate["checkers"]), (Some(true), &json!(["h4"])));

        // A count that has run out does not end a game in progress; a mate does.
        let fen = "k7/8/1K6/8/8/8/7m/6R1+w+-+128+128+90";
        let over = json(&app, &format!("/api/position?variant=makruk&fen={fen}&moves=g1g2")).await;
        assert_eq!(
            (&over["outcome"], &over["claim"]["reason"]),
            (&Value::Null, &json!("counting"))
        );
        let mate = json(&app, &format!("/api/position?variant=makruk&fen={fen}&moves=g1g8")).await;
        assert_eq!(
            (&mate["outcome"]["reason"], &mate["claim"]),
            (&json!("checkmate"), &Value::Null)
        );
        let count = json(
            &app,
            "/api/position?variant=makruk&fen=8/3k4/8/8/8/8/3r4/R1RK4+w+-+-+0+1&moves=d1d2",
        )
        .await;
        assert_eq!(
            (count["variant"].as_str(), count["counting"].is_object()),
            (Some("makruk"), true)
        );
        let threefold = "Nf3+Nf6+Ng1+Ng8+".repeat(2);
        let claim = json(&app, &format!("/api/position?moves={threefold}")).await;
        assert_eq!(claim["claim"]["reason"], "threefold_repetition");
    });
}

#[test]
fn the_explorer_counts() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let start = json(&app, "/api/explorer?games=4&reached=1&history=1").await;
        assert_eq!(
            (start["white"].as_u64(), start["draws"].as_u64(), start["black"].as_u64()),
            (Some(1), Some(1), Some(1))
        );
        assert_eq!(
            (start["moves"][0]["san"].as_str(), start["moves"][0]["reached"].as_u64()),
            (Some("e4"), Some(2))
        );
        assert_eq!(start["moves"][0]["opening"]["name"], "King's Pawn Game");
        assert_eq!(start["topGames"][0]["id"], 1);
        assert_eq!(
            start["history"][0],
            json!({ "year": 2020, "white": 0, "draws": 0, "black": 1, "other": 0 })
        );
        let castling = json(&app, "/api/explorer?moves=e4+e5+Nf3+Nc6+Bc4+Bc5").await;
        assert_eq!(castling["moves"][0]["uci"], "e1h1");
        let tal = json(&app, "/api/explorer?player=tal").await;
        assert_eq!(tal["player_wins"], 2);
    });
}

#[test]
fn statistics_and_scores() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let stats = json(&app, "/api/stats?player=tal").await;
        assert_eq!(
            (stats["games"].as_u64(), stats["player_percent"].as_f64()),
            (Some(3), Some(83.3))
        );
        let years = json(&app, "/api/scores?by=year&sort=name").await;
        let values: Vec<_> = years["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| group["value"].clone())
            .collect();
        assert_eq!(values, ["2020", "2021", "2022"]);
        let months = json(&app, "/api/scores?by=month&sort=name").await;
        assert_eq!(months["groups"][0]["value"], "2021-03");
        // No game has the tag ECO.
        let by_position = json(&app, "/api/scores?by=position_eco&sort=name").await;
        let values = by_position["groups"].as_array().unwrap().iter();
        assert_eq!(values.filter(|group| group["value"] == "B20").count(), 1);
        let codes = json(&app, "/api/scores?by=eco&sort=name").await;
        assert_eq!(codes["groups"], by_position["groups"]);
        let opponents = json(&app, "/api/scores?by=opponent&player=tal").await;
        assert_eq!(opponents["groups"][0]["value"], "Botvinnik, Mikhail");
        assert_eq!(problem(&app, "/api/scores?by=opponent").await["parameter"], "by");
        assert_eq!(problem(&app, "/api/scores?by=moon").await["parameter"], "by");
    });
}

#[test]
fn names_are_completed() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let players = json(&app, "/api/players?q=botv").await;
        assert_eq!(players["players"][0]["name"], "Botvinnik, Mikhail");
        let near = json(&app, "/api/players?q=botwinnik").await;
        assert_eq!(
            (near["count"].as_u64(), near["near"][0]["name"].as_str()),
            (Some(0), Some("Botvinnik, Mikhail"))
        );
        let events = json(&app, "/api/events?q=blitz").await;
        assert_eq!(events["events"][0]["event"], "Rated blitz game");
        let openings = json(&app, "/api/openings?q=sicil").await;
        assert_eq!(openings["openings"][0]["moves"], "1. e4 c5");
        assert!(json(&app, "/api/players").await["count"].as_u64() > Some(3));
    });
}

#[test]
fn downloads_are_whole() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let (_, pgn) = text(&app, get("/api/games.pgn?player=tal")).await;
        assert_eq!(pgn.matches("[Event ").count(), 3);
        // Sorted and limited as the table of the same search.
        for listed in ["sort=-date", "sort=white&limit=2", "limit=3", "sort=-plies&player=tal"] {
            let found = json(&app, &format!("/api/search?{listed}")).await;
            let tags = |name: &str, tag: &str| {
                let games = found["games"].as_array().unwrap();
                let value = |game: &Value| {
                    let text = game[name].as_str().unwrap().replace('"', "\\\"");
                    format!("[{tag} \"{text}\"]")
                };
                games.iter().map(value).collect::<Vec<_>>()
            };
            let (_, pgn) = text(&app, get(&format!("/api/games.pgn?{listed}"))).await;
            for (name, tag) in [("white", "White"), ("date", "Date")] {
                let start = format!("[{tag} ");
                let written: Vec<&str> =
                    pgn.lines().filter(|line| line.starts_with(&start)).collect();
                assert!(written.len() > 1, "{listed}: {pgn}");
                assert_eq!(written, tags(name, tag), "{listed}");
            }
            let (_, lines) = text(&app, get(&format!("/api/games.ndjson?{listed}"))).await;
            let id = |game: Value| game["id"].as_i64().unwrap();
            let ids: Vec<i64> =
                lines.lines().map(|line| id(serde_json::from_str(line).unwrap())).collect();
            let games = found["games"].as_array().unwrap();
            assert_eq!(ids, games.iter().cloned().map(id).collect::<Vec<_>>(), "{listed}");
        }
        // From the match on: the tag FEN has the position of the half-move that the search names.
        let found = json(&app, "/api/search?moves=e4").await;
        let (_, pgn) = text(&app, get("/api/games.pgn?moves=e4&from_match=1")).await;
        let mut expected = Vec::new();
        for game in found["games"].as_array().unwrap() {
            assert_eq!(game["ply"], 1, "{game}");
            let whole = json(&app, &format!("/api/games/{}", game["id"])).await;
            expected.push(format!("[FEN {}]", whole["nodes"][1]["fen"]));
        }
        let begins: Vec<&str> = pgn.lines().filter(|line| line.starts_with("[FEN ")).collect();
        assert!(begins.len() > 1 && begins == expected, "{pgn}");
        assert!(!pgn.contains("1. e4") && pgn.contains("1... "), "{pgn}");
        for path in ["/api/games.pgn?player=tal&from_match=1", "/api/games.pgn?from_match=1"] {
            assert_eq!(problem(&app, path).await["parameter"], "from_match", "{path}");
        }
        assert_eq!(problem(&app, "/api/games.ndjson?moves=e4&from_match=1").await["status"], 400);
        let refused = problem(&app, "/api/games.pgn?sort=mood").await;
        assert_eq!((&refused["status"], &refused["parameter"]), (&400.into(), &"sort".into()));
        let (_, lines) = text(&app, get("/api/games.ndjson")).await;
        let games: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((games.len(), games[1]["moves"].as_str()), (4, Some("d4 d5 c4 e6")));
        // What is wrong with the question is found before the download begins.
        for path in [
            "/api/games.pgn?opening=zzz",
            "/api/games.arrow?columns=id,mood",
            "/api/games.arrow?columns=id,mood&sort=date",
            "/api/games.ndjson?limit=0",
        ] {
            assert_eq!(problem(&app, path).await["status"], 400, "{path}");
        }
    });
}

/// Downloads in Arrow are the streams of the library.
#[test]
fn arrow_is_that_of_the_library() {
    block_on(async {
        let club = Club::new();
        let (app, archive) = (club.app(), club.archive());
        let tal = Filter { player: Some("tal".to_owned()), ..Filter::default() };
        let pieces = archive.arrow(&tal, &["id", "white"]).unwrap();
        let mut options = ExploreOptions::default();
        options.details = true;
        let explorer = archive.explore_with(&tal, Chess::default(), &options).unwrap();
        for (target, expected) in [
            (
                "/api/games.arrow?player=tal&columns=id,white",
                pieces.collect::<Result<Vec<_>, _>>().unwrap().concat(),
            ),
            ("/api/explorer.arrow?player=tal", explorer.to_arrow().unwrap()),
        ] {
            let response = send(&app, get(target)).await;
            let kind = &response.headers()["content-type"];
            assert_eq!(kind, "application/vnd.apache.arrow.stream", "{target}");
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            assert!(body == expected, "{target}");
        }
    });
}

#[test]
fn several_archives_and_their_changes() {
    block_on(async {
        let (club, other) = (Club::new(), Club::of("[White \"A\"]\n\n1. d4 *\n\n"));
        let named = [("club".to_owned(), club.archive()), ("other".to_owned(), other.archive())];
        let app = app(Archives::new(named), Options::default());
        let list = json(&app, "/api/archives").await;
        assert_eq!(
            (list["archives"][0]["games"].as_u64(), list["archives"][1]["name"].as_str()),
            (Some(4), Some("other"))
        );
        assert_eq!(list["archives"][0]["variants"]["makruk"], 1);
        assert_eq!(json(&app, "/api/count?archive=other").await["count"], 1);
        let unknown = problem(&app, "/api/count?archive=third").await;
        assert_eq!(
            (unknown["status"].as_u64(), unknown["hint"].as_str()),
            (Some(404), Some("archives here: club, other"))
        );
        // Another program imports.
        other.import("[White \"B\"]\n\n1. e4 *\n\n");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let count = json(&app, "/api/count?archive=other").await;
        assert_eq!((count["count"].as_u64(), count["version"].as_u64()), (Some(2), Some(2)));
        let history = json(&app, "/api/history?archive=other").await;
        assert_eq!(history["changes"].as_array().unwrap().len(), 3);
        let duplicates = json(&app, "/api/duplicates").await;
        assert_eq!(duplicates["counts"], json!({ "exact": 0, "twins": 0, "near": 0 }));
    });
}

/// Of the games of a player, only his copies count, and those that other conditions leave are compared.
#[test]
fn copies_among_the_games_of_a_player() {
    block_on(async {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 \
            10. Bc2 c5 11. d4 Qc7 1-0";
        let game = |white: &str, black: &str, year: u32| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.01.02\"]\n[Result \"1-0\"]\n\n{moves}\n\n"
            )
        };
        let pairs = [
            ("Adams, Michael", "Short, Nigel", 1990),
            ("Adams, Michael", "Short, Nigel", 1990),
            ("Adams,M", "Short,N", 1990),
            ("Adams, Michael", "Short, Nigel", 1991),
            ("Keres, Paul", "Tal, Mikhail", 1960),
            ("Keres, Paul", "Tal, Mikhail", 1960),
        ];
        let games = pairs.map(|(white, black, year)| game(white, black, year)).concat();
        let club = Club::of(&games);
        let app = club.app();
        for (conditions, compared, copies, exact) in [
            // The third game is too short to be a twin: its day and round would have to agree.
            ("", 6, 2, json!([[1, 2], [5, 6]])),
            ("?player=adams", 4, 1, json!([[1, 2]])),
            ("?player=adams&since=1991", 1, 0, json!([])),
            ("?player=keres", 2, 1, json!([[5, 6]])),
            ("?player=kasparov", 0, 0, json!([])),
        ] {
            let found = json(&app, &format!("/api/duplicates{conditions}")).await;
            let groups = found["exact"].as_array().unwrap().iter();
            let ids: Vec<Value> = groups.map(|group| group["ids"].clone()).collect();
            assert_eq!(
                (&found["games"], &found["copies"], Value::from(ids)),
                (&compared.into(), &copies.into(), exact),
                "{conditions}"
            );
        }
    });
}

/// An archive that is recreated while it is served, with as many changes as before or with more, and one that is gone.
#[test]
fn replaced_archives_are_opened_again() {
    block_on(async {
        let (club, other) = (Club::new(), Club::of("[White \"A\"]\n\n1. d4 *\n\n"));
        let named = [("club".to_owned(), club.archive()), ("other".to_owned(), other.archive())];
        let app = app(Archives::new(named), Options::default());
        let path = other.path().to_owned();
        let wait = || tokio::time::sleep(std::time::Duration::from_millis(300));
        for (texts, games) in
            [(&["1. e4 *\n\n1. c4 *\n\n"][..], 2), (&["1. e4 *", "1. d4 *", "1. c4 *"], 3)]
        {
            wait().await;
            std::fs::remove_dir_all(&path).unwrap();
            for text in texts {
                let mut importer = halfmove_archive::Importer::open(&path).unwrap();
                importer.read_pgn([Ok(text.as_bytes())], &mut ()).unwrap();
                importer.commit().unwrap();
            }
            wait().await;
            let count = json(&app, "/api/count?archive=other").await;
            assert_eq!(count["count"].as_u64(), Some(games), "{count}");
            assert_eq!(json(&app, "/api/games/1?archive=other").await["id"], 1);
        }
        std::fs::remove_dir_all(&path).unwrap();
        wait().await;
        let list = json(&app, "/api/archives").await;
        assert_eq!(
            (&list["archives"][0]["name"], &list["archives"][1]),
            (&json!("club"), &Value::Null)
        );
        assert_eq!(list["unreadable"][0]["name"], "other", "{list}");
    });
}

#[test]
fn the_engine_streams_lines() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let (status, events) = text(
            &app,
            get("/api/engine?depth=5&lines=2&fen=6k1/5ppp/8/8/8/8/5PPP/3R2K1+w+-+-+0+1"),
        )
        .await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            events.contains("event: line\n") && events.contains("\"evaluation\":{\"mate\":1}"),
            "{events}"
        );
        assert!(
            events.trim_end().rsplit("event: ").next().unwrap().contains("\"best\":\"d1d8\""),
            "{events}"
        );
        let (_, black) =
            text(&app, get("/api/engine?depth=4&fen=3r2k1/5ppp/8/8/8/8/5PPP/6K1+b+-+-+0+1")).await;
        assert!(black.contains("\"evaluation\":{\"mate\":-1}"), "from White's side: {black}");
        let (_, makruk) = text(&app, get("/api/engine?depth=3&variant=makruk")).await;
        assert!(makruk.contains("event: end"));
    });
}

/// When the client disconnects, the search ends, and another may begin.
#[test]
fn an_engine_without_a_listener_stops() {
    block_on(async {
        let club = Club::new();
        let mut options = Options::default();
        options.limits.engines = 1;
        let app = app(club.archives(), options);
        let first = send(&app, get("/api/engine?seconds=600")).await;
        assert_eq!(first.status(), StatusCode::OK);
        assert_eq!(problem(&app, "/api/engine?depth=2").await["status"], 503);
        drop(first);
        let mut tries = 0;
        while send(&app, get("/api/engine?depth=2")).await.status() != StatusCode::OK {
            tries += 1;
            assert!(tries < 200, "the search goes on");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    });
}

fn post(target: &str, body: &str, header: bool) -> Request<Body> {
    let request = Request::post(target).header("host", "localhost:9002");
    let request = if header { request.header("x-halfmove", "1") } else { request };
    request.body(Body::from(body.to_owned())).unwrap()
}

#[test]
fn import_and_undo() {
    block_on(async {
        let club = Club::new();
        let (read_only, pgn) =
            (club.app(), "[White \"New\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"Two\"]\n\n1. c4 *\n\n");
        let (status, text_of) = text(&read_only, post("/api/import", pgn, true)).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        assert!(text_of.contains("--changeable"), "{text_of}");
        let mut options = Options::default();
        (options.changeable, options.limits.body) = (true, 10_000);
        let app = app(club.archives(), options);
        assert_eq!(text(&app, post("/api/import", pgn, false)).await.0, StatusCode::FORBIDDEN);
        let (status, events) = text(&app, post("/api/import?name=new.pgn", pgn, true)).await;
        assert_eq!(status, StatusCode::OK);
        assert!(events.contains("event: problem\ndata: {\"game\":1,\"line\":3,"), "{events}");
        let done = events.split("event: done\ndata: ").nth(1).unwrap();
        let done: Value = serde_json::from_str(done.trim()).unwrap();
        assert_eq!(
            (done["added"].as_u64(), done["problems"].as_u64(), done["version"].as_u64()),
            (Some(2), Some(1), Some(2))
        );
        assert_eq!(Archive::open(club.path()).unwrap().len(), 6);
        let history = json(&app, "/api/history").await;
        assert_eq!(history["changes"][2]["sources"], json!(["new.pgn"]));

        // Input that is not PGN changes nothing, which the response reports.
        for (body, why) in [
            ("\u{0}\u{1}not a game at all", "upload.pgn: no games, this does not look like PGN"),
            ("", "upload.pgn: no games, the file is empty"),
            ("PAR1\u{15}\u{4}\u{15}", "upload.pgn: "),
        ] {
            let (_, events) = text(&app, post("/api/import", body, true)).await;
            let error =
                events.split("event: error\ndata: ").nth(1).unwrap_or_else(|| panic!("{events}"));
            let error: Value = serde_json::from_str(error.trim()).unwrap();
            assert_eq!(error["status"], 400, "{error}");
            let detail = error["detail"].as_str().unwrap();
            assert!(
                detail.starts_with(why) && detail.matches("upload.pgn").count() == 1,
                "{detail}"
            );
        }
        assert_eq!(Archive::open(club.path()).unwrap().len(), 6);
        assert_eq!(
            text(&app, post("/api/import", &"x".repeat(20_000), true)).await.0,
            StatusCode::PAYLOAD_TOO_LARGE
        );

        let (status, undone) = text(&app, post("/api/undo?version=1", "", true)).await;
        assert_eq!(status, StatusCode::CONFLICT, "{undone}");
        assert_eq!(Archive::open(club.path()).unwrap().len(), 6);
        let (status, undone) = text(&app, post("/api/undo?version=2", "", true)).await;
        assert_eq!(status, StatusCode::OK, "{undone}");
        assert_eq!(Archive::open(club.path()).unwrap().len(), 4);
        // Two imports are undone together.
        for game in ["1. a4 *\n", "1. h4 *\n"] {
            assert_eq!(text(&app, post("/api/import", game, true)).await.0, StatusCode::OK);
        }
        assert_eq!(Archive::open(club.path()).unwrap().len(), 6);
        let (status, undone) = text(&app, post("/api/undo?version=5&to=3", "", true)).await;
        assert_eq!(status, StatusCode::OK, "{undone}");
        assert_eq!(Archive::open(club.path()).unwrap().len(), 4);
    });
}

/// The API reports for each archive whether it can be changed; changes of others are rejected.
#[test]
fn archives_may_be_read_only() {
    block_on(async {
        let (club, other) = (Club::new(), Club::new());
        let named = || [("club".to_owned(), club.archive()), ("file".to_owned(), other.archive())];
        let changeable = |list: &Value| -> Vec<Value> {
            let archives = list["archives"].as_array().unwrap().iter();
            let each = archives.map(|archive| archive["changeable"].clone());
            each.chain([list["changeable"].clone()]).collect()
        };
        let list = json(&app(Archives::new(named()), Options::default()), "/api/archives").await;
        assert_eq!(changeable(&list), [false, false, false]);
        let mut options = Options::default();
        options.changeable = true;
        let app = app(Archives::new(named()).with_read_only("file"), options);
        let list = json(&app, "/api/archives").await;
        assert_eq!(changeable(&list), [true, false, true]);
        for target in ["/api/import?archive=file", "/api/undo?archive=file"] {
            let (status, answer) = text(&app, post(target, "1. e4 *", true)).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{target}");
            assert!(answer.contains("is read-only here"), "{answer}");
        }
        assert_eq!(Archive::open(other.path()).unwrap().len(), 4);
        let (status, undone) = text(&app, post("/api/undo", "", true)).await;
        assert_eq!(status, StatusCode::OK, "{undone}");
    });
}
