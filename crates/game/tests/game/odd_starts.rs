//! FEN tags as programs write them: impossible rights, missing fields, spaces, semicolons.

use halfmove_game::Game;
use halfmove_game::pgn::{Checker, GameReader, Reader, Reading, read_game, write_game};

use crate::data::testdata;

fn field(name: &str) -> String {
    std::fs::read_to_string(testdata().join("field").join(name)).expect("test data")
}

/// Each game of a file: the number of its moves, or -1 if it is skipped, its FEN and its repairs.
fn starts(name: &str, is_strict: bool) -> Vec<(i64, String, Vec<String>)> {
    let text = field(name);
    let mut reader = GameReader::new(text.as_bytes()).strict_positions(is_strict);
    let mut game = Game::default();
    let mut all = Vec::new();
    while let Some(reading) = reader.read(&mut game).expect("memory does not fail") {
        let moves = match reading {
            Reading::Whole => game.moves.len() as i64,
            _ => -1,
        };
        let repairs = reader.repairs().iter().map(ToString::to_string).collect();
        all.push((moves, game.tags.value("FEN").unwrap_or_default().to_owned(), repairs));
    }
    all
}

/// Impossible rights are dropped with a warning, and every program can read the FEN that is then written.
#[test]
fn rights_that_cannot_be_are_dropped() {
    const NOT_AT_HOME: &str = "dropped: their king or rook is not at home";
    let no_right = |rights: &str| vec![format!("castling rights \"{rights}\" {NOT_AT_HOME}")];
    let lenient = starts("15-fens.pgn", false);
    let [semicolon, rights, unknown, none, check, board, spaces] = &lenient[..] else {
        panic!("{lenient:?}")
    };
    let start = "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w KQkq - 0 1";
    assert_eq!((semicolon.0, semicolon.1.as_str()), (2, start));
    let start = "rkrnnbbq/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w - - 0 1";
    assert_eq!(rights, &(4, start.to_owned(), no_right("HEhe")));
    assert_eq!((unknown.0, unknown.1.as_str()), (-1, "?"));
    assert_eq!(none, &(1, "8/8/3K4/1p6/p7/P7/1B6/2k5 b - - 0 1".to_owned(), no_right("KQkq")));
    // The side that is not to move is in check.
    assert_eq!(check.0, -1);
    assert_eq!((board.0, board.1.as_str()), (1, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_eq!(board.2, ["no side to move: White, without castling rights"]);
    assert_eq!((spaces.0, spaces.2.len()), (2, 0));
    assert_eq!(
        starts("37-rights.pgn", false),
        [(1, "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b - - 0 1".to_owned(), no_right("KQkq"))]
    );
    // On demand such games are skipped.
    let read = |name| starts(name, true).iter().filter(|start| start.0 >= 0).count();
    assert_eq!((read("15-fens.pgn"), read("37-rights.pgn")), (1, 0));
}

/// XBoard leaves out the fields that Makruk does not need, and names the piece of a promotion in several ways.
#[test]
fn makruk_of_xboard_is_read() {
    assert_eq!(starts("39-xboard_fen.pgn", false)[0].0, 2);
    let moves: Vec<i64> = starts("39-nofields.pgn", false).iter().map(|start| start.0).collect();
    // In the first one, a bia would capture straight ahead.
    assert_eq!(moves, [-1, 6, 3, 2, 2, 2]);
}

/// The checker warns of each change and points at the tag; reading what is written needs none.
#[test]
fn changes_are_warnings_once() {
    for (name, warnings) in [("15-fens.pgn", 3), ("37-rights.pgn", 1)] {
        let text = field(name);
        let (mut reader, mut checker) = (Reader::new(text.as_bytes()), Checker::new());
        let mut found = Vec::new();
        while checker.read_game(&mut reader).expect("memory does not fail") {
            let faults = checker.faults().iter();
            found.extend(faults.filter(|f| f.kind.name() == "repaired_position").cloned());
        }
        assert_eq!(found.len(), warnings, "{name}: {found:?}");
        assert!(found.iter().all(|fault| !fault.kind.is_error()));
    }
    let game = read_game(field("37-rights.pgn")).expect("a game");
    let written = write_game(&game).expect("a start that can be written");
    let mut again = GameReader::new(written.as_bytes()).strict_positions(true);
    assert_eq!(again.read(&mut Game::default()).expect("text"), Some(Reading::Whole));
    assert!(again.repairs().is_empty());
}
