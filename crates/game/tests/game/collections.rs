//! Real files against the answers of other programs. They need the large collections, in the
//! folder that the environment variable `HALFMOVE_DATA` names.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use halfmove_game::pgn::{Counts, GameReader, Reading, Writer};
use halfmove_game::{Game, Input};
use halfmove_rules::CastlingStyle;

fn data() -> PathBuf {
    PathBuf::from(std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder"))
}

/// The rows of a table with tabs, each by the names of its columns.
fn table(path: &str) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(data().join(path)).expect("the table of answers");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a heading").split('\t').collect();
    lines
        .map(|line| {
            names.iter().zip(line.split('\t')).map(|(k, v)| (k.to_string(), v.to_owned())).collect()
        })
        .collect()
}

/// Reads a whole file, and checks on the way that what is written reads back the same.
fn read(path: &str) -> Counts {
    let input = Input::open(data().join(path)).expect(path);
    let mut reader = GameReader::new(input);
    let (mut game, mut again) = (Game::default(), Game::default());
    while let Some(reading) = reader.read(&mut game).expect(path) {
        let Reading::Skipped(_) = reading else {
            if game.tags.is_empty() && game.moves.is_empty() {
                continue;
            }
            let mut writer = Writer::new(Vec::new());
            writer.write(&game).expect("names that were read can be written");
            let text = writer.into_inner();
            let mut reader = GameReader::new(text.as_slice());
            let reading = reader.read(&mut again).expect("memory does not fail");
            let text = String::from_utf8_lossy(&text);
            assert_eq!(reading, Some(Reading::Whole), "{path}: {text}");
            if game.result.is_none() {
                game.result = again.result;
            }
            assert_eq!(game, again, "{path}: {text}");
            assert!(text.lines().filter(|l| !l.starts_with('[')).all(|line| line.len() <= 80));
            assert_eq!(reader.read(&mut again).expect("memory does not fail"), None, "{path}");
            continue;
        };
    }
    reader.counts().clone()
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn stats() {
    let mut differing = Vec::new();
    for row in table("expected/stats.tsv") {
        let path = row["file"].as_str();
        let counts = read(path);
        let half_moves = counts.half_moves + counts.lost_half_moves;
        let ours = [
            ("games", counts.games),
            ("halfmoves", half_moves),
            ("vars", counts.variations),
            ("nags", counts.nags),
            ("comments", counts.comments),
            ("variant", counts.skipped_variants.values().sum()),
            ("badfen", counts.skipped_positions),
            ("illegal", counts.faulty),
        ];
        let different: Vec<String> = ours
            .iter()
            .filter(|(column, count)| row[*column] != count.to_string())
            .map(|(column, count)| format!("{column} {count} for {}", row[*column]))
            .collect();
        if !different.is_empty() {
            differing.push(format!("{path}: {}", different.join(", ")));
        }
    }
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

#[test]
#[ignore = "needs HALFMOVE_DATA"]
fn smoke() {
    let mut reader =
        GameReader::new(Input::open(data().join("smoke/smoke_200.pgn")).expect("the smoke games"));
    let mut game = Game::default();
    let mut before = Counts::default();
    for row in table("expected/smoke_200.tsv") {
        let number = &row["game"];
        let reading = reader.read(&mut game).expect("a sound file");
        assert_eq!(reading, Some(Reading::Whole), "game {number}");
        let now = reader.counts().clone();
        assert_eq!(game.moves.len().to_string(), row["halfmoves"], "game {number}");
        assert_eq!((now.variations - before.variations).to_string(), row["variations"]);
        assert_eq!((now.comments - before.comments).to_string(), row["comments"], "game {number}");
        assert_eq!((now.nags - before.nags).to_string(), row["nags"], "game {number}");
        assert_eq!(game.tags.value("White"), Some(row["white"].as_str()), "game {number}");
        assert_eq!(game.tags.value("Black"), Some(row["black"].as_str()), "game {number}");
        let style = if row["variant"] == "Chess960" {
            CastlingStyle::KingTakesRook
        } else {
            CastlingStyle::KingToTarget
        };
        let moves: Vec<String> = game.moves.iter().map(|mv| mv.uci(style).to_string()).collect();
        assert_eq!(moves.join(" "), row["mainline_uci"], "game {number}");
        assert_eq!(game.end().to_string(), row["final_fen"], "game {number}");
        before = now;
    }
    assert_eq!(reader.read(&mut game).expect("a sound file"), None);
}
