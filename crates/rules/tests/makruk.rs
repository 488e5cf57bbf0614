//! Makruk, compared with the results of other programs: all of `testdata/makruk`. More games are in
//! `makruk/games.jsonl` of the folder `HALFMOVE_FIXTURES`, or of `fixtures` next to
//! `HALFMOVE_DATA`.

mod counting;
mod games;
mod keys;
mod leaves;
mod mate;
mod notation;
mod page;

use halfmove_rules::Makruk;
use halfmove_rules::makruk::Rules;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/makruk").join(name)
}

/// The whole set of games, which is not shipped.
pub(crate) fn all_games() -> PathBuf {
    let beside = || Some(Path::new(&std::env::var_os("HALFMOVE_DATA")?).join("../fixtures"));
    let root = std::env::var_os("HALFMOVE_FIXTURES").map(PathBuf::from).or_else(beside);
    root.expect("HALFMOVE_FIXTURES or HALFMOVE_DATA names a folder").join("makruk/games.jsonl")
}

/// The rows of a file of JSON lines.
fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<_> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    rows
}

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_else(|| panic!("no text {column} in {row}"))
}

fn position(fen: &str) -> Makruk {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn variant(name: &str) -> Option<Rules> {
    Rules::from_name(name)
}
