//! Answers against tables that independent programs computed: the shipped games always, the large
//! collections of the folder that `HALFMOVE_DATA` names in `make verify`.

use crate::program::{archive_of, ok, testdata};
use crate::round_trip::same_games;
use halfmove_archive::{Archive, Filter, Results};
use halfmove_game::pgn::GameReader;
use halfmove_game::{Game, Input};
use halfmove_rules::Chess;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn collection(name: &str) -> PathBuf {
    let root = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder");
    Path::new(&root).join(name)
}

type Counts = [u64; 4];

fn counts(results: Results) -> Counts {
    [results.white, results.draws, results.black, results.other]
}

/// Every line of a table: position, results, and each move with its results.
fn check_explorer(archive: &str, table: &Path) -> usize {
    let archive = Archive::open(archive).unwrap();
    let text = fs::read_to_string(table).unwrap_or_else(|e| panic!("{}: {e}", table.display()));
    let lines: Vec<&str> = text.lines().skip(1).collect();
    for line in &lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let position: Chess =
            Chess::from_fen(cells[0], None).unwrap_or_else(|e| panic!("{}: {e}", cells[0]));
        let expected: Vec<u64> = cells[1..5].iter().map(|count| count.parse().unwrap()).collect();
        let moves: BTreeMap<String, Counts> = cells
            .get(5)
            .unwrap_or(&"")
            .split_whitespace()
            .map(|cell| {
                let (uci, counts) = cell.split_once(':').unwrap();
                let counts: Vec<u64> =
                    counts.split('/').map(|count| count.parse().unwrap()).collect();
                (uci.to_owned(), counts.try_into().unwrap())
            })
            .collect();
        let found = archive.explore(&Filter::default(), position.clone()).unwrap();
        assert_eq!(counts(found.results).as_slice(), expected, "{}", cells[0]);
        let found: BTreeMap<String, Counts> =
            found.moves.into_iter().map(|mv| (mv.uci, counts(mv.results))).collect();
        assert_eq!(found, moves, "{}", cells[0]);
        // The search agrees with the tree on the number of games.
        let filter = Filter::position(position);
        let searched = archive.search(&filter, 0).unwrap();
        assert_eq!(searched.count, expected.iter().sum::<u64>(), "{}", cells[0]);
    }
    lines.len()
}

#[test]
fn the_explorer_agrees_on_the_shipped_games() {
    let (_folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    assert_eq!(check_explorer(&archive, &testdata("expected/explorer_masters.tsv")), 281);
}

#[test]
#[ignore = "large collections: make verify"]
fn the_explorer_agrees_on_the_large_collections() {
    for (pgn, table) in [
        ("medium/medium_20k_utf8.pgn.zst", "explorer_medium_20k_utf8"),
        ("large/masters_gnuchess_book_1.02.pgn.zst", "explorer_masters_gnuchess_book_1.02"),
        ("large/lichess_online_clocks_evals.pgn.zst", "explorer_lichess_online_clocks_evals"),
        ("large/masters_pgnmentor_players_A-K.pgn.zst", "explorer_masters_pgnmentor_players_A-K"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        ok(&["import", archive.to_str().unwrap(), collection(pgn).to_str().unwrap()]);
        let table = collection(&format!("expected/{table}.tsv"));
        assert_eq!(check_explorer(archive.to_str().unwrap(), &table), 281, "{pgn}");
    }
}

/// Final positions and main lines as another program read them.
#[test]
#[ignore = "large collections: make verify"]
fn main_lines_of_the_smoke_set() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    ok(&["import", archive, collection("smoke/smoke_200.pgn").to_str().unwrap()]);
    let archive = Archive::open(archive).unwrap();
    let text = fs::read_to_string(collection("expected/smoke_200.tsv")).unwrap();
    let mut games = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let stored = archive.game(cells[0].parse().unwrap()).unwrap();
        assert_eq!(stored.game.tags.value("White"), Some(cells[1]), "game {}", cells[0]);
        assert_eq!(stored.game.final_position().to_string(), cells[10], "game {}", cells[0]);
        let mut position = stored.game.chess_start().unwrap().clone();
        let theirs: Vec<&str> = cells[11].split_whitespace().collect();
        assert_eq!(stored.game.moves.len(), theirs.len(), "game {}", cells[0]);
        for (&mv, uci) in stored.game.moves.iter().zip(theirs) {
            let uci: halfmove_rules::UciMove = uci.parse().unwrap();
            assert_eq!(uci.resolve(&position), Ok(mv), "game {}", cells[0]);
            position.play_unchecked(mv);
        }
        games += 1;
    }
    assert_eq!(games, 200);
}

/// The number of words in main lines that were not played: all words of variants, and those after a bad move.
fn words_of_no_move(pgn: &Path) -> u64 {
    let mut reader = GameReader::new(Input::open(pgn).unwrap());
    let mut game = Game::default();
    while reader.read(&mut game).unwrap().is_some() {}
    let counts = reader.counts();
    counts.lost_half_moves + counts.skipped_half_moves - counts.faulty
}

/// Numbers of games and half-moves as another program counted them; variants are not imported.
#[test]
#[ignore = "large collections: make verify"]
fn counts_of_the_large_collections() {
    let text = fs::read_to_string(collection("expected/stats.tsv")).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let heading = lines.next().unwrap();
    let column = |name| heading.iter().position(|title| *title == name).unwrap();
    let [games, plies, variant] = ["games", "halfmoves", "variant"].map(column);
    let mut files = 0;
    for cells in lines.filter(|cells| cells[0].starts_with("large/")) {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        ok(&["import", archive.to_str().unwrap(), collection(cells[0]).to_str().unwrap()]);
        let archive = Archive::open(&archive).unwrap();
        let info = archive.info().unwrap();
        let number = |column: usize| cells[column].parse::<u64>().unwrap();
        assert_eq!(info.games, number(games) - number(variant), "{}", cells[0]);
        // The other program also counts the moves of variants, and those after a bad move.
        let unread = words_of_no_move(&collection(cells[0]));
        assert_eq!(info.plies + unread, number(plies), "{}", cells[0]);
        files += 1;
    }
    assert_eq!(files, 5);
}

#[test]
#[ignore = "large collections: make verify"]
fn every_master_game_comes_back() {
    let mut games = 0;
    for name in ["masters_gnuchess_book_1.02", "masters_pgnmentor_players_A-K"] {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        let source = collection(&format!("large/{name}.pgn.zst"));
        ok(&["import", archive.to_str().unwrap(), source.to_str().unwrap()]);
        let export = folder.path().join("export.pgn");
        ok(&["export", archive.to_str().unwrap(), "--output", export.to_str().unwrap()]);
        games += same_games(&source, &export);
    }
    assert_eq!(games, 350_433);
}
