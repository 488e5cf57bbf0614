//! Lichess's explorer: its responses agree with the library and with an independent program.

use crate::support::{Club, block_on, get, json, send, testdata, text};
use axum::http::StatusCode;
use halfmove_archive::{Archive, Importer};
use halfmove_game::Input;
use halfmove_server::{Archives, Options, app};
use serde_json::{Value, json};
use tempfile::TempDir;

/// An archive of a file of the test data.
fn archive_of(name: &str) -> (TempDir, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let mut importer = Importer::open(folder.path().join("games")).unwrap();
    importer.read_pgn([Ok(Input::open(testdata(name)).unwrap())], &mut ()).unwrap();
    importer.commit().unwrap();
    let archive = Archive::open(folder.path().join("games")).unwrap();
    (folder, archive)
}

/// The counts that another program found for many positions, as `/masters`, `/lichess` and `/api/explorer` answer them.
#[test]
fn counts_are_those_of_another_program() {
    block_on(async {
        let (_folder, archive) = archive_of("games/masters.pgn.zst");
        let app = app(Archives::new([("masters".to_owned(), archive)]), Options::default());
        let table = std::fs::read_to_string(testdata("expected/explorer_masters.tsv")).unwrap();
        let mut positions = 0;
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [fen, white, draws, black, other, moves] = fields[..] else { panic!("{line}") };
            let target = |path: &str, more: &str| {
                let fen: String = form_urlencoded::byte_serialize(fen.as_bytes()).collect();
                format!("{path}?fen={fen}{more}")
            };
            let counts = [white, draws, black].map(|count| count.parse::<u64>().unwrap());
            let mut expected: Vec<(String, [u64; 3])> = moves
                .split(' ')
                .filter(|mv| !mv.is_empty())
                .map(|mv| {
                    let (uci, counts) = mv.split_once(':').unwrap();
                    let counts: Vec<u64> =
                        counts.split('/').map(|count| count.parse().unwrap()).collect();
                    (uci.to_owned(), [counts[0], counts[1], counts[2]])
                })
                .collect();
            expected.sort();
            for (path, more) in
                [("/masters", "&moves=1000"), ("/lichess", "&moves=1000"), ("/api/explorer", "")]
            {
                let answer = json(&app, &target(path, more)).await;
                let of = |object: &Value| {
                    ["white", "draws", "black"].map(|name| object[name].as_u64().unwrap())
                };
                assert_eq!(of(&answer), counts, "{path} {fen}");
                let found = answer["moves"].as_array().unwrap();
                let mut found: Vec<(String, [u64; 3])> = found
                    .iter()
                    .map(|mv| (mv["uci"].as_str().unwrap().to_owned(), of(mv)))
                    .collect();
                found.sort();
                // The table writes castling as the target of the king.
                let castles = ["e1g1", "e1c1", "e8g8", "e8c8"];
                let has_castle = expected.iter().any(|(uci, _)| castles.contains(&uci.as_str()));
                if has_castle {
                    assert_eq!(found.len(), expected.len(), "{path} {fen}");
                } else {
                    assert_eq!(found, expected, "{path} {fen}");
                }
                if path == "/api/explorer" {
                    assert_eq!(answer["other"].to_string(), other);
                }
            }
            positions += 1;
        }
        assert!(positions > 200, "{positions}");
    });
}

#[test]
fn the_shape_is_that_of_lichess() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let masters = json(&app, "/masters?play=e2e4").await;
        let keys: Vec<&String> = masters.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["white", "draws", "black", "moves", "topGames", "opening"]);
        let mv = &masters["moves"][1];
        let keys: Vec<&String> = mv.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            ["uci", "san", "averageRating", "white", "draws", "black", "game", "opening"]
        );
        let game = &masters["topGames"][0];
        assert_eq!(
            *game,
            json!({
                "uci": "e7e5", "id": "1", "winner": "white",
                "white": { "name": "Tal, Mikhail", "rating": 2700 },
                "black": { "name": "Botvinnik, Mikhail", "rating": 2720 },
                "year": 2021, "month": "2021-03",
            })
        );
        let lichess = json(&app, "/lichess?history=True").await;
        let keys: Vec<&String> = lichess.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            ["white", "draws", "black", "moves", "topGames", "recentGames", "opening", "history"]
        );
        assert_eq!(
            (&lichess["topGames"][0]["speed"], &lichess["topGames"][0]["mode"]),
            (&json!("blitz"), &json!("rated"))
        );
        let ids = |list: &str| -> Vec<String> {
            lichess[list]
                .as_array()
                .unwrap()
                .iter()
                .map(|game| game["id"].as_str().unwrap().to_owned())
                .collect()
        };
        let (top, recent) = (ids("topGames"), ids("recentGames"));
        assert!(!top.iter().any(|id| recent.contains(id)), "{top:?} {recent:?}");
        // A game of which only the year is known has no month.
        assert_eq!(
            lichess["history"],
            json!([{ "month": "2021-03", "white": 1, "draws": 0, "black": 0 }])
        );
        assert_eq!(json(&app, "/lichess/history").await["history"], lichess["history"]);

        let player = text(&app, get("/player?player=tal&color=white")).await;
        assert!(player.1.ends_with('\n') && player.1.lines().count() == 1, "one line");
        let player: Value = serde_json::from_str(&player.1).unwrap();
        assert_eq!(
            (player["white"].as_u64(), player["queuePosition"].as_u64()),
            (Some(1), Some(0))
        );
        assert_eq!(player["moves"][0]["averageOpponentRating"], 2720);
        assert_eq!(player.get("topGames"), None);
    });
}

#[test]
fn conditions_of_lichess() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let games = |answer: Value| {
            ["white", "draws", "black"]
                .iter()
                .map(|name| answer[name].as_u64().unwrap())
                .sum::<u64>()
        };
        for (target, expected) in [
            ("/lichess", 3),
            ("/lichess?speeds=blitz", 1),
            ("/lichess?speeds=blitz,rapid", 2),
            ("/lichess?speeds=bullet", 0),
            ("/lichess?ratings=2500", 1),
            ("/lichess?ratings=2200,2500", 2),
            ("/lichess?ratings=0,1000", 0),
            ("/lichess?since=2021-4", 1),
            ("/lichess?until=2021-03", 2),
            ("/masters?since=2021&until=2021", 2),
            ("/masters?since=2020&until=2020", 1),
            ("/lichess?variant=makruk", 1),
            ("/lichess?variant=fromPosition", 3),
            ("/player?player=tal&color=black", 2),
            ("/player?player=tal&color=black&modes=casual", 1),
            ("/personal?player=Botvinnik,+Mikhail&color=white&speeds=rapid", 1),
            ("/master?play=e2e4", 2),
            ("/archives/club/masters", 3),
            ("/archives/club/player?player=tal&color=white", 1),
        ] {
            assert_eq!(games(json(&app, target).await), expected, "{target}");
        }
        let castling = json(&app, "/masters?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5").await;
        assert_eq!(
            (castling["moves"][0]["uci"].as_str(), castling["moves"][0]["san"].as_str()),
            (Some("e1h1"), Some("O-O"))
        );
        assert_eq!(castling["moves"][0]["game"]["id"], "1");
        assert_eq!(json(&app, "/masters?moves=0&topGames=0").await["moves"], json!([]));
        for path in ["/masters/pgn/1", "/master/pgn/1", "/archives/club/masters/pgn/1"] {
            let (status, pgn) = text(&app, get(path)).await;
            assert!(
                status == StatusCode::OK && pgn.contains("[White \"Tal, Mikhail\"]"),
                "{path}: {pgn}"
            );
        }
    });
}

/// Errors are plain text.
#[test]
fn errors_are_text() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        for (target, status, part) in [
            ("/masters?fen=rubbish", 400, "fen:"),
            ("/masters?play=e2e5", 400, "play: word 1, \"e2e5\""),
            ("/lichess?variant=crazyhouse", 400, "variant:"),
            ("/player?player=tal", 400, "color:"),
            ("/masters/pgn/99", 404, "no game has the id 99"),
            ("/masters/pgn/aaaaaaaa", 404, "no game has the id"),
            ("/archives/none/masters", 404, "archive: there is no archive"),
        ] {
            let response = send(&app, get(target)).await;
            assert_eq!(response.status().as_u16(), status, "{target}");
            assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8", "{target}");
            let (_, body) = text(&app, get(target)).await;
            assert!(body.starts_with(part), "{target}: {body}");
        }
    });
}

/// Chess960 and games from a position have an explorer, too.
#[test]
fn other_starts() {
    block_on(async {
        let (_folder, archive) = archive_of("games/chess960.pgn");
        let game = archive.game(1).unwrap().game;
        let app = app(Archives::new([("fischer".to_owned(), archive)]), Options::default());
        let fen: String =
            form_urlencoded::byte_serialize(game.start.to_string().as_bytes()).collect();
        let answer = json(&app, &format!("/lichess?variant=chess960&fen={fen}")).await;
        let first = game.start.uci(game.moves[0]).to_string();
        let moves = answer["moves"].as_array().unwrap();
        assert!(moves.iter().any(|mv| mv["uci"] == first.as_str()), "{first}: {answer}");
    });
}

/// An answer is kept until its archive changes, and only for the same question.
#[test]
fn answers_are_kept_until_the_archive_changes() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let ask = async |target: &str| text(&app, get(target)).await.1;
        for target in ["/masters", "/lichess?history=1", "/api/explorer?moves=e4&games=3"] {
            assert_eq!(ask(target).await, ask(target).await, "{target}");
        }
        // The time of the search is that of the first request, so this answer is the first one again.
        let first = ask("/api/explorer").await;
        for _ in 0..5 {
            assert_eq!(ask("/api/explorer").await, first);
        }
        // The same position with another opening on the way is another question.
        let ways = ["e4+e5+Nf3+Nc6+a3+h6", "a3+e5+e4+Nc6+Nf3+h6"];
        let [one, other] = ways.map(|moves| format!("/api/explorer?moves={moves}"));
        let (one, other) = (json(&app, &one).await, json(&app, &other).await);
        assert_eq!(one["fen"], other["fen"]);
        assert_ne!(one["opening"], other["opening"]);
        let white = async |target: &str| json(&app, target).await["white"].as_u64();
        assert_eq!(white("/masters").await, Some(1));
        assert_eq!(white("/api/explorer?player=tal&as=white").await, Some(1));
        assert_eq!(white("/api/explorer?player=tal&as=black").await, Some(0));
        // Sets of ids, too large to be written out.
        assert_eq!(white("/api/explorer?ids=1").await, Some(1));
        assert_eq!(white("/api/explorer?ids=2-4").await, Some(0));
        club.import("[White \"New\"]\n[Black \"Newer\"]\n\n1. e4 1-0\n\n");
        let mut tries = 0;
        // A version counts as the newest for a moment.
        while white("/masters").await != Some(2) {
            tries += 1;
            assert!(tries < 200, "the new game is not seen");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert_eq!(white("/api/explorer").await, Some(2));
    });
}
