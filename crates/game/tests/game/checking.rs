//! The checker and the survey, compared with the reader of games and with a slow count.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use halfmove_game::pgn::{Checker, FaultKind, GameReader, LineEnds, Reader, Reading, Survey};
use halfmove_game::{Game, Input};
use proptest::prelude::*;

use crate::data::all_files;

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

/// Compares all results for a file.
fn compare(path: &Path) -> Found {
    let open = || Input::open(path).unwrap_or_else(|e| panic!("{e}"));
    let name = path.display();
    let (mut reader, mut survey) = (Reader::new(open()), Survey::new());
    survey.begin_input();
    while survey.read_game(&mut reader).unwrap() {}
    let (mut games, mut game) = (GameReader::new(open()), Game::default());
    while games.read(&mut game).unwrap().is_some() {}
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
    compare_text(&name.to_string(), open)
}

/// The result of both: games, those with a fault in the main line, and faults in variations.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    games: u64,
    faulty: u64,
    in_variations: u64,
}

impl std::ops::AddAssign for Found {
    fn add_assign(&mut self, other: Found) {
        self.games += other.games;
        self.faulty += other.faulty;
        self.in_variations += other.in_variations;
    }
}

/// Reads a text twice, game by game: by the checker, and by the reader of games.
fn compare_text<R: Read>(name: &str, open: impl Fn() -> R) -> Found {
    let (mut reader, mut checker) = (Reader::new(open()), Checker::new());
    let (mut games, mut game) = (GameReader::new(open()), Game::default());
    let (mut both, mut outside) = (Found::default(), 0);
    loop {
        let more = checker.read_game(&mut reader).unwrap();
        outside += checker
            .faults()
            .iter()
            .filter(|fault| matches!(fault.kind, FaultKind::Outside { .. }))
            .count() as u64;
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
                both.faulty += 1;
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
        both.in_variations += games.variation_faults().len() as u64;
        // The reader keeps up to 64 of them.
        let expected = games.variation_faults().iter().map(|e| (e.at, e.ply, &e.kind));
        assert!(in_variations.take(64).eq(expected), "{}", context());
        if checker.variant().is_some() {
            assert_eq!(checker.half_moves(), game.moves.len() as u64, "{}", context());
            assert_eq!(checker.variant(), Some(game.start.variant()), "{}", context());
        }
    }
    both.games = checker.game();
    assert!(outside <= games.counts().outside.lines, "{name}");
    both
}

#[test]
fn the_checker_agrees_with_the_reader_of_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut all = Found::default();
    for folder in ["games", "malformed"] {
        for path in files(&root.join(folder)) {
            if path.ends_with("masters.pgn.zst") {
                continue; // Too many for a debug build; the next test has them.
            }
            all += compare(&path);
        }
    }
    assert!(all.games > 500 && all.faulty >= 2, "{all:?}");
}

#[test]
#[ignore = "large collections: make verify"]
fn the_checker_agrees_with_the_reader_of_games_everywhere() {
    let root = std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder");
    let mut all = Found::default();
    for path in files(Path::new(&root)) {
        all += compare(&path);
    }
    assert!(all.games > 400_000 && all.faulty > 20, "{all:?}");
}

/// Games of Makruk and its variants. Each move gets a variation with a null move, or one with a fault, or one in
/// another; in every third game, the main line has a fault too.
#[test]
fn the_checker_agrees_with_the_reader_of_games_in_makruk() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/makruk");
    let mut all = Found::default();
    for name in ["games.jsonl", "real_games.jsonl", "kin_games.jsonl"] {
        let rows = fs::read_to_string(root.join(name)).unwrap();
        let mut text = String::new();
        for (number, row) in rows.lines().enumerate() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let of = |column: &str| row[column].as_str();
            let moves = of("moves").or(of("uci")).unwrap();
            text += &format!("[Variant \"{}\"]\n", of("variant").unwrap_or("makruk"));
            if let Some(start) = of("start") {
                text += &format!("[FEN \"{start}\"]\n");
            }
            text += "\n";
            for (ply, word) in moves.split(' ').enumerate() {
                let wrong = if number % 3 == 0 && ply == 40 { "Ka9" } else { word };
                text += &match ply % 3 {
                    0 => format!("{wrong} (-- {word} -- {word})\n"),
                    1 => format!("{wrong} ({word}+- {word})\n"),
                    _ => format!("{wrong} ({word} (-- --) -- (Ka9) {word})\n"),
                };
            }
            text += "*\n\n";
        }
        all += compare_text(name, || text.as_bytes());
    }
    assert!(all.games == 185 && all.faulty > 20 && all.in_variations > 1000, "{all:?}");
}

/// Inputs of the fuzzer, which are stranger than any file.
#[test]
fn the_checker_agrees_with_the_reader_of_games_on_odd_inputs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut all = Found::default();
    for target in ["games", "written"] {
        for path in all_files(&root.join(target)) {
            let bytes = fs::read(&path).unwrap();
            all += compare_text(&path.display().to_string(), || bytes.as_slice());
        }
    }
    assert!(all.faulty > 100 && all.in_variations > 10, "{all:?}");
}

fn check(text: &[u8]) -> Vec<String> {
    compare_text(&text.escape_ascii().to_string(), || text);
    let (mut reader, mut checker) = (Reader::new(text), Checker::new());
    let mut faults = Vec::new();
    while checker.read_game(&mut reader).unwrap() {
        faults.extend(checker.faults().iter().map(ToString::to_string));
    }
    faults
}

/// Moves in Windows-1252, where the sign for a capture is not UTF-8.
#[test]
fn words_that_are_not_utf8() {
    assert_eq!(check(b"1. e4 d5 2. e\xd7d5 (2. e\xd7d5 Q\xd7d5) *"), [""; 0]);
    assert_eq!(
        check(b"1. e4 e5 (1... N\xd7e4) 2. N\xd7e4 *"),
        [
            "game 1, line 1, column 16, move 1..., in a variation: illegal move \"N×e4\": \
             no knight can go there, expected Na6 or Nc6 or Nf6 or Nh6",
            "game 1, line 1, column 25, move 2: illegal move \"N×e4\": \
             no knight can go there, expected Na3 or Nc3 or Ne2 or Nf3 or Nh3",
        ]
    );
}

#[test]
fn null_moves_of_makruk() {
    assert_eq!(check(b"[Variant \"Makruk\"]\n\n1. Sc2 (1. -- Mc7) Mc7 *"), [""; 0]);
    assert_eq!(check(b"[Variant \"Makruk\"]\n\n1. Sc2 -- *"), [""; 0]);
    let faults =
        check(b"[Variant \"Makruk\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra8+ -- *");
    assert_eq!(
        faults,
        ["game 1, line 4, column 9, move 1...: null move \"--\": expected a legal move"]
    );
}

/// A fault below many variations, and one after them.
#[test]
fn deep_variations() {
    let deep = 300;
    let text = format!("1. e4 {}Ke9{} Ke9 *", "(1. d4 ".repeat(deep), ")".repeat(deep));
    let faults = check(text.as_bytes());
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(
        faults[0].starts_with("game 1, line 1, column 2107, move 1..., in a variation: unreadable")
    );
    assert!(
        faults[1].starts_with("game 1, line 1, column 2411, move 1...: unreadable move \"Ke9\"")
    );
}

/// A quotation is cut between characters, in any encoding of the line.
#[test]
fn quotations() {
    let outside = |text: &[u8]| {
        let text = [text, b"\n\n1. e4 *"].concat();
        let (mut reader, mut checker) = (Reader::new(text.as_slice()), Checker::new());
        assert!(checker.read_game(&mut reader).unwrap());
        match &checker.faults()[0].kind {
            FaultKind::Outside { found } => found.clone(),
            kind => panic!("{kind}"),
        }
    };
    assert_eq!(outside("ก".repeat(50).as_bytes()), "ก".repeat(40));
    assert_eq!(outside(format!("x{}", "𝄞".repeat(50)).as_bytes()), format!("x{}", "𝄞".repeat(31)));
    assert_eq!(outside(b"a caf\xe9"), "a café");
    assert_eq!(outside(&b"\xe9".repeat(130)), "é".repeat(40));
}

/// Faults inside variations: at the right place, and one for each line.
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
    // The variation 3. Ke9 depends on a move that could not be reached, and so does 2... d5.
    assert_eq!(found, [("Nf5", 2, 2), ("Qd4", 1, 4), ("Ke2", 1, 1), ("Ke3", 0, 3), ("Ke4", 1, 5)]);
    assert_eq!((checker.half_moves(), checker.deepest(), checker.words()), (2, 2, 22));
}

/// Variations in variations, each at a different position.
const DEEP: &str = "(Nf3 a6 (Nc6 a3 (Ng1 a6 (Nb8 a3 ";

/// Endless variations in variations, and moves: work and memory stay within bounds.
#[test]
fn variations_without_end() {
    let long = |word: &str| {
        let text = format!("1. e4 {}", word.repeat(1_200_000 / word.len()));
        let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
        assert!(checker.read_game(&mut reader).unwrap());
        assert!(checker.faults().len() <= 2000);
        checker.faults().iter().any(|fault| fault.kind.name() == "long_game")
    };
    // Without moves, all of them begin at the same position, but a reader keeps a level for each.
    assert!(long("("));
    assert!(!long("(1. Ke3)"));
    assert!(!long("(1. d4)"));
    assert!(!long("e5 "));
    assert!(!long("(1. d4 "));
    assert!(long(DEEP));
}

/// The text after a game that is too long is checked as usual.
#[test]
fn a_game_after_a_game_that_is_too_long() {
    let text = format!("1. e4 {}\n\n[A \"b\"]\n\n1. e4 Ke3 *", DEEP.repeat(80_000));
    let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
    assert!(checker.read_game(&mut reader).unwrap() && checker.read_game(&mut reader).unwrap());
    let names: Vec<&str> = checker.faults().iter().map(|fault| fault.kind.name()).collect();
    assert_eq!((names, checker.half_moves()), (vec!["illegal_move"], 1));
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
