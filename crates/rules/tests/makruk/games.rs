//! Whole games.

use super::{all_games, position, rows, shipped, text};
use halfmove_rules::makruk::{Dialect, Rules, SanStyle, Setup};
use halfmove_rules::{History, Makruk, Outcome};
use serde_json::Value;

/// Plays a game to its end and checks every FEN on the way, and the ply and reason of the end.
fn check_game(row: &Value) {
    let id = &row["id"];
    let mut history = History::new(Makruk::default());
    let mut fens = row["fens"].as_array().unwrap().iter().peekable();
    let moves: Vec<_> = text(row, "moves").split_whitespace().collect();
    let sans: Vec<_> = text(row, "san").split_whitespace().collect();
    assert_eq!(moves.len() as u64, row["plies"].as_u64().unwrap());
    assert_eq!(moves.len(), sans.len());
    for (ply, (uci, san)) in (1..).zip(moves.iter().zip(&sans)) {
        assert_eq!(history.outcome(), None, "game {id} ends before ply {ply}");
        let position = history.position();
        let mv = position.parse_uci(uci).unwrap_or_else(|e| panic!("game {id} {uci}: {e}"));
        assert_eq!(position.san(mv).as_str(), *san, "game {id} ply {ply}");
        assert_eq!(position.parse_san_in(san, SanStyle::Fairy), Ok(mv), "game {id} {san}");
        history.play(mv).unwrap();
        if let Some(entry) = fens.next_if(|entry| entry[0] == ply) {
            assert_eq!(history.position().to_string(), entry[1].as_str().unwrap(), "game {id}");
        }
    }
    assert_eq!(fens.next(), None, "game {id}: all FENs met");
    let reason = match history.outcome() {
        Some(Outcome::Checkmate { winner }) => {
            assert_eq!(row["result"], if winner as usize == 0 { "1-0" } else { "0-1" });
            "checkmate"
        }
        Some(Outcome::Stalemate) => "stalemate",
        Some(Outcome::InsufficientMaterial) => "insufficient",
        Some(Outcome::CountingDraw) => "counting",
        Some(Outcome::ThreefoldRepetition) => "threefold",
        _ => "ongoing",
    };
    assert_eq!(reason, text(row, "reason"), "game {id}: {}", history.position());
}

#[test]
fn games_to_their_end() {
    let rows = rows(&shipped("games.jsonl"));
    rows.iter().for_each(check_game);
    assert_eq!(rows.len(), 40);
}

#[test]
#[ignore = "the whole set: make verify"]
fn all_games_to_their_end() {
    let rows = rows(&all_games());
    rows.iter().for_each(check_game);
    assert!(rows.len() >= 100);
}

/// Games played by people, in the letters of the site where they were played.
#[test]
fn games_of_playok() {
    for row in rows(&shipped("real_games.jsonl")) {
        let mut position = Makruk::default();
        let columns = ["uci", "playok", "san"].map(|column| text(&row, column).split_whitespace());
        let [uci, playok, san] = columns;
        for ((uci, playok), san) in uci.zip(playok).zip(san) {
            let mv = position.parse_uci(uci).unwrap();
            assert_eq!(position.parse_san_in(playok, SanStyle::PlayOk), Ok(mv), "{playok}");
            assert_eq!(position.san_in(mv, SanStyle::PlayOk).as_str(), playok);
            assert_eq!(position.san(mv).as_str(), san);
            position = position.play(mv).unwrap();
        }
        assert_eq!(position.to_string(), text(&row, "final_fen"), "game {}", row["id"]);
    }
}

/// The mates that the remaining material allows, according to Fairy-Stockfish.
#[test]
fn too_few_pieces() {
    for (pieces, insufficient) in [
        ("k7/8/8/8/8/8/8/K7", true),
        ("k7/8/8/8/8/8/8/KN6", true),
        ("k7/8/8/8/8/8/P7/K7", true),
        ("k7/8/8/8/8/8/8/KM6", true),
        ("k7/8/8/8/8/8/8/KM1M~4", true),
        ("k7/8/8/8/8/8/8/KM1m4", true),
        ("k7/8/8/8/8/8/8/KM1M~M3", false),
        ("k7/8/8/8/8/8/8/KM2m3", false),
        ("k7/8/8/8/8/8/8/KR6", false),
        ("k7/8/8/8/8/8/8/KS6", false),
        ("k7/8/8/8/8/8/8/KNN5", false),
        ("k7/8/8/8/8/8/8/KNM5", false),
        ("k7/8/8/8/8/8/8/KN2m3", false),
        ("k7/8/8/8/8/8/8/KN2n3", false),
    ] {
        let position = position(&format!("{pieces} w - - 0 1"));
        let expected = insufficient.then_some(Outcome::InsufficientMaterial);
        assert_eq!(position.outcome(), expected, "{pieces}");
    }
}

#[test]
fn asean_chess_ends_after_fifty_moves_by_each_side() {
    for (rules, expected) in [(Rules::Asean, Some(Outcome::FiftyMoves)), (Rules::Makpong, None)] {
        let setup = Setup::parse("4k3/r7/8/8/8/8/7R/4K3 w - - 98 60", rules, Dialect::Fairy);
        let mut game = History::new(Makruk::from_setup(setup.unwrap()).unwrap());
        game.play_uci("h2g2").unwrap();
        assert_eq!((game.position().halfmove_clock(), game.outcome()), (99, None));
        game.play_uci("a7b7").unwrap();
        assert_eq!((game.position().halfmove_clock(), game.outcome()), (100, expected));
    }
}

/// White's two mets change places, one of them a promoted bia, and change back.
#[test]
fn a_promoted_bia_repeats_as_a_met() {
    let mut game = History::new(position("7k/8/8/8/8/2M1M~3/8/K5N1 w - - 0 1"));
    let round = "c3d2 h8g8 e3d4 g8h8 d2e3 h8g8 d4c3 g8h8 e3d2 h8g8 c3d4 g8h8 d2c3 h8g8 d4e3 g8h8";
    for mv in round.split(' ') {
        assert_eq!(game.outcome(), None);
        game.play_uci(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::ThreefoldRepetition));
}
