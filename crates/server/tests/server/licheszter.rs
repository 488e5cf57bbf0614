//! Requests as licheszter 0.5 sends them, a client in Rust, and answers as its types require them: each field of theirs, with numbers
//! of these sizes. The crate itself is run by `clients.rs` where it has been built: it brings an HTTP client with TLS, two hundred crates.

use crate::support::{Club, block_on, get, text};
use axum::http::StatusCode;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opening {
    white: u32,
    draws: u32,
    black: u32,
    moves: Vec<Played>,
    top_games: Vec<Game>,
    #[serde(default)]
    recent_games: Vec<Game>,
    opening: Option<Named>,
    #[serde(default)]
    history: Vec<Month>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlayerOpening {
    white: u32,
    draws: u32,
    black: u32,
    moves: Vec<PlayerMove>,
    recent_games: Vec<Game>,
    opening: Option<Named>,
    queue_position: u16,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Played {
    uci: String,
    san: String,
    average_rating: u16,
    white: u32,
    draws: u32,
    black: u32,
    game: Option<Game>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlayerMove {
    uci: String,
    average_opponent_rating: u16,
    performance: u16,
    white: u32,
    draws: u32,
    black: u32,
    game: Option<Game>,
}

#[derive(Debug, Deserialize)]
struct Game {
    id: String,
    uci: Option<String>,
    winner: Option<String>,
    white: Player,
    black: Player,
    year: u16,
    month: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Player {
    name: String,
    rating: u16,
}

#[derive(Debug, Deserialize)]
struct Named {
    eco: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Month {
    month: String,
    white: u32,
    draws: u32,
    black: u32,
}

/// The fields that the type of a game needs, in every list.
fn check(games: &[Game]) {
    for game in games {
        assert!(game.id.parse::<i64>().is_ok_and(|id| id > 0), "{game:?}");
        assert!(matches!(game.winner.as_deref(), None | Some("white" | "black")), "{game:?}");
        assert!(!game.white.name.is_empty() && !game.black.name.is_empty(), "{game:?}");
        assert!(game.white.rating < 4000 && game.black.rating < 4000, "{game:?}");
        let of_year = |month: &String| month.starts_with(&format!("{:04}-", game.year));
        assert!(game.month.as_ref().is_none_or(of_year), "{game:?}");
    }
}

#[test]
fn masters_and_lichess() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        // Lists are joined by commas, which are escaped; options of two words are written with an underscore, which Lichess
        // does not know and ignores.
        for (target, all, recent, months) in [
            ("/masters", 3, 0, 0),
            ("/lichess", 3, 1, 0),
            ("/masters?play=e2e4%2Ce7e5&since=1990&until=2030&moves=3&topGames=2", 1, 0, 0),
            (
                "/lichess?variant=standard&fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR+w+KQkq+-+0+1&play=e2e4%2Ce7e5\
                 &speeds=blitz%2CultraBullet&ratings=2200%2C2500&since=2020-01&until=2022-12&moves=3&top_games=1&recent_games=1&history=true",
                1,
                0,
                1,
            ),
        ] {
            let (status, answer) = text(&app, get(target)).await;
            assert_eq!(status, StatusCode::OK, "{target}: {answer}");
            let opening: Opening = serde_json::from_str(&answer).expect(target);
            assert_eq!(opening.white + opening.draws + opening.black, all, "{target}");
            assert!(
                opening.recent_games.len() >= recent && opening.history.len() >= months,
                "{answer}"
            );
            check(&opening.top_games);
            check(&opening.recent_games);
            for mv in &opening.moves {
                assert!(!mv.uci.is_empty() && !mv.san.is_empty() && mv.average_rating < 4000);
                assert!(mv.white + mv.draws + mv.black > 0);
                check(mv.game.as_slice());
            }
            for month in &opening.history {
                assert!(month.month.len() == 7, "{month:?}");
                assert!(month.white + month.draws + month.black <= all, "{month:?}");
            }
            let named = opening.opening.iter();
            assert!(named.into_iter().all(|named| !named.eco.is_empty() && !named.name.is_empty()));
        }
    });
}

#[test]
fn a_player_line_by_line() {
    block_on(async {
        let club = Club::new();
        let app = club.app();
        let target = "/player?player=Tal%2C+Mikhail&color=white&variant=standard&speeds=blitz%2Crapid&modes=rated&since=2020-01&moves=5";
        let (status, answer) = text(&app, get(target)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let mut lines = answer.lines().filter(|line| !line.is_empty());
        let opening: PlayerOpening = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!((opening.white, opening.draws, opening.black), (1, 0, 0));
        assert_eq!((opening.moves[0].uci.as_str(), opening.queue_position), ("e2e4", 0));
        let mv = &opening.moves[0];
        assert_eq!((mv.average_opponent_rating, mv.white + mv.draws + mv.black), (2720, 1));
        assert!(mv.performance < 4000 && opening.opening.is_none());
        assert_eq!(opening.recent_games[0].uci.as_deref(), Some("e2e4"));
        check(&opening.recent_games);
        check(mv.game.as_slice());
    });
}
