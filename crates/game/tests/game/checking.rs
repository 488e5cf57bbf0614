//! The checker and the survey, held to the reader of games and to a slow count.

use std::fs;
use std::path::{Path, PathBuf};

use halfmove_game::pgn::{Checker, FaultKind, GameReader, LineEnds, Reader, Reading, Survey};
use halfmove_game::{Game, Input};
use proptest::prelude::*;

/// All PGN files in a folder and the folders in it.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.to_string_lossy().contains(".pgn") {
            files.push(path);
        }
    }
    files
}

/// Reads a file twice, game by game: by the checker and survey, and by the reader of games.
fn compare(path: &Path) -> (u64, u64) {
    let name = path.display();
    let open = || Input::open(path).unwrap_or_else(|e| panic!("{e}"));
    let (mut reader, mut checker) = (Reader::new(open()), Checker::new());
    let (mut again, mut survey) = (Reader::new(open()), Survey::new());
    survey.begin_input();
    let (mut games, mut game) = (GameReader::new(open()), Game::default());
    let (mut faulty, mut outside) = (0, 0);
    loop {
        let more = checker.read_game(&mut reader).unwrap();
        outside += checker
            .faults()
            .iter()
            .filter(|fault| matches!(fault.kind, FaultKind::Outside { .. }))
            .count() as u64;
        assert_eq!(survey.read_game(&mut again).unwrap(), more, "{name}");
        let reading = games.read(&mut game).unwrap();
        assert_eq!(reading.is_some(), more, "{name}");
        let Some(reading) = reading else { break };
        let number = checker.game();
        assert_eq!(checker.tags(), &game.tags, "{name} game {number}");
        assert_eq!(checker.result_token(), game.result, "{name} game {number}");
        let in_moves = checker.faults().iter().find_map(|fault| match &fault.kind {
            FaultKind::Move(kind) if fault.depth == 0 => Some((fault, kind)),
            _ => None,
        });
        let has = |name| checker.faults().iter().any(|fault| fault.kind.name() == name);
        let context = || format!("{name} game {number}: {:?}", checker.faults());
        match reading {
            Reading::Faulty(error) if error.kind.found().is_some() => {
                let (fault, kind) = in_moves.unwrap_or_else(|| panic!("{}", context()));
                assert_eq!((fault.at, fault.ply, kind), (error.at, error.ply, &error.kind));
                assert_eq!(kind.found().map(str::len), Some(fault.bytes));
                faulty += 1;
            }
            Reading::Faulty(error) => assert!(has(error.kind.name()), "{}", context()),
            Reading::Whole => assert!(in_moves.is_none(), "{}", context()),
            Reading::Skipped(skip) => assert!(
                checker.faults().iter().any(|fault| fault.at == skip.at
                    && fault.kind == FaultKind::Unchecked(skip.reason.clone())),
                "{}",
                context()
            ),
        }
        let in_variations = checker.faults().iter().filter_map(|fault| match &fault.kind {
            FaultKind::Move(kind) if fault.depth > 0 => Some((fault.at, fault.ply, kind)),
            _ => None,
        });
        // The reader keeps 64 of them.
        let expected = games.variation_faults().iter().map(|e| (e.at, e.ply, &e.kind));
        assert!(in_variations.take(64).eq(expected), "{}", context());
        if checker.variant().is_some() {
            assert_eq!(checker.half_moves(), game.moves.len() as u64, "{}", context());
            assert_eq!(checker.variant(), Some(game.start.variant()), "{}", context());
        }
    }
    let (found, counts) = (survey.statistics(), games.counts());
    assert_eq!(
        [found.games, found.comments, found.clocks, found.evaluations, found.nags],
        [counts.games, counts.comments, counts.clocks, counts.evaluations, counts.nags],
        "{name}"
    );
    assert_eq!(
        [found.half_moves, found.variations, found.variation_moves, found.windows_1252_texts],
        [counts.half_moves, counts.variations, counts.variation_moves, counts.latin1_texts],
        "{name}"
    );
    let faults = |name| found.faults.get(name).copied().unwrap_or_default();
    assert_eq!(faults("differing_results"), counts.differing_results, "{name}");
    assert_eq!(faults("malformed_tag"), counts.malformed_tags, "{name}");
    assert_eq!(
        faults("stray_character") + faults("stray_parenthesis"),
        counts.stray_characters,
        "{name}"
    );
    assert!(outside <= counts.outside.lines, "{name}");
    (found.games, faulty)
}

#[test]
fn the_checker_agrees_with_the_reader_of_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut all = (0, 0);
    for folder in ["games", "malformed"] {
        for path in files(&root.join(folder)) {
            if path.ends_with("masters.pgn.zst") {
                continue; // Too many for a debug build; the next test has them.
            }
            let (games, faulty) = compare(&path);
            all = (all.0 + games, all.1 + faulty);
        }
    }
    assert!(all.0 > 500 && all.1 >= 3, "{all:?}");
}

#[test]
#[ignore = "large collections: make verify"]
fn the_checker_agrees_with_the_reader_of_games_everywhere() {
    let root = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder");
    let mut all = (0, 0);
    for path in files(Path::new(&root)) {
        let (games, faulty) = compare(&path);
        all = (all.0 + games, all.1 + faulty);
    }
    assert!(all.0 > 400_000 && all.1 > 20, "{all:?}");
}

/// Faults inside variations: at the right place, and each line once.
#[test]
fn faults_in_variations() {
    let text = "1. e4 (1. d4 d5 (1... Nf5 2. c4) 2. c4 Qd4 3. e3 (3. Ke9)) (1. Ke2) e5 \
                (1... -- 2. d4 -- 3. d5 (3. Z0)) 2. Ke3 (2. Ke2 Ke7 3. Ke4) Nf6 (2... d5) *";
    let mut reader = Reader::new(text.as_bytes());
    let mut checker = Checker::new();
    assert!(checker.read_game(&mut reader).unwrap());
    let found: Vec<(&str, u32, u32)> = checker
        .faults()
        .iter()
        .map(|fault| {
            let at = fault.offset as usize;
            (&text[at..at + fault.bytes], fault.depth, fault.ply)
        })
        .collect();
    // The variation 3. Ke9 hangs on a move that could not be reached, and so does 2... d5.
    assert_eq!(found, [("Nf5", 2, 2), ("Qd4", 1, 4), ("Ke2", 1, 1), ("Ke3", 0, 3), ("Ke4", 1, 5)]);
    assert_eq!((checker.half_moves(), checker.deepest(), checker.words()), (2, 2, 22));
}

/// Variations in variations, each with a move: work and memory stay within bounds.
#[test]
fn variations_without_end() {
    let mut text = b"1. e4 ".to_vec();
    for _ in 0..100_000 {
        text.extend(b"(1. d4 ");
    }
    let mut reader = Reader::new(text.as_slice());
    let mut checker = Checker::new();
    while checker.read_game(&mut reader).unwrap() {
        assert!(checker.faults().len() <= 1000);
    }
}

proptest! {
    #[test]
    fn line_ends_do_not_depend_on_the_pieces(
        text in "(\u{feff})?[a\r\n]{0,40}",
        cuts in prop::collection::vec(0_usize..50, 0..6),
    ) {
        let bytes = text.as_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut ends = LineEnds::default();
        for pair in cuts.windows(2) {
            ends.feed(&bytes[pair[0]..pair[1]]);
        }
        ends.finish();
        let crlf = text.matches("\r\n").count() as u64;
        prop_assert_eq!(ends.crlf, crlf);
        prop_assert_eq!(ends.lf, text.matches('\n').count() as u64 - crlf);
        prop_assert_eq!(ends.cr, text.matches('\r').count() as u64 - crlf);
        prop_assert_eq!(ends.byte_order_mark, text.starts_with('\u{feff}'));
        prop_assert_eq!(ends.bytes, bytes.len() as u64);
    }
}
