//! Positions as GUIs send them: read if unambiguous, with a line for each change; otherwise there is no position.

use crate::conversation::Gui;
use crate::shipped;
use halfmove_rules::{AnyPosition, Variant};

/// The position that is read, and the repairs that are reported; `None` if it is refused.
type Expected = Option<(&'static str, &'static [&'static str])>;

/// Those of `field/37-badfens.txt`, in its order.
const BAD_FENS: [Expected; 18] = [
    // `fen startpos`, and a king that can be captured.
    None,
    None,
    Some((
        "q3kb2/rbpppppr/p1n4p/1p1n4/P4PB1/NP2P3/1RPP2PP/2B1QKNR b - - 1 1",
        &["castling rights \"kq\" dropped"],
    )),
    Some(("2k5/8/3K4/1p6/p7/P7/1B6/8 b - - 0 1", &["castling rights \"KQkq\" dropped"])),
    // Ranks, letters and sides.
    None,
    None,
    None,
    None,
    None,
    Some((
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kkq - 0 1",
        &["castling rights \"K\" dropped"],
    )),
    Some((
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1",
        &["castling rights \"X\" dropped"],
    )),
    Some((
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        &["en passant square \"e5\" dropped"],
    )),
    // No white king; no piece.
    None,
    None,
    Some((
        "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b - - 0 1",
        &["castling rights \"KQkq\" dropped"],
    )),
    Some((
        "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Q - 0 15",
        &["castling rights \"k\" dropped"],
    )),
    Some((
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 b kq - 0 1",
        &["castling rights \"HQ\" dropped"],
    )),
    Some(("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[])),
];

/// The lines up to `readyok`.
fn said(gui: &mut Gui, command: &str) -> Vec<String> {
    gui.send(command);
    gui.send("isready");
    let mut lines = gui.until("readyok");
    lines.pop();
    lines
}

/// `go` returns a move of the position, or none if there is no position.
fn check_answer(best: &str, expected: Expected, variant: Variant) {
    match expected {
        None => assert_eq!(best, "0000"),
        Some((fen, _)) => {
            let position = AnyPosition::from_fen(fen, variant).expect(fen);
            assert!(position.parse_uci(best).is_ok(), "{fen}: {best}");
        }
    }
}

#[test]
fn what_cannot_be_is_dropped_or_the_position_is_refused() {
    let mut gui = Gui::start();
    let mut positions = BAD_FENS.into_iter();
    let mut expected = None;
    let text = shipped("field/37-badfens.txt");
    for command in text.lines().filter_map(|line| line.strip_prefix("> ")) {
        if command == "uci" {
            gui.send(command);
            gui.until("uciok");
        } else if command.starts_with("position") {
            expected = positions.next().expect("a position more");
            let lines = said(&mut gui, command);
            let Some((fen, repairs)) = expected else {
                let is_refused = |line: &str| line.starts_with("info string error: position: ");
                assert!(lines.len() == 1 && is_refused(&lines[0]), "{command}: {lines:#?}");
                continue;
            };
            assert_eq!(lines.len(), repairs.len(), "{command}: {lines:#?}");
            for (line, repair) in lines.iter().zip(repairs) {
                let start = format!("info string warning: position: {repair}");
                assert!(line.starts_with(&start), "{command}: {line}");
            }
            let drawing = said(&mut gui, "d");
            assert!(drawing.contains(&format!("fen {fen}")), "{command}: {drawing:#?}");
        } else if command.starts_with("go") {
            gui.send(command);
            if command.contains("infinite") {
                gui.send("stop");
            }
            let best = gui.best(&[]);
            check_answer(&best, expected, Variant::Chess);
        } else if command != "isready" {
            said(&mut gui, command);
        }
    }
    assert_eq!(positions.next(), None);
}

/// Impossible rights do not invalidate the position, and a FEN of Makruk may lack the fields that Makruk does not have.
#[test]
fn whole_conversations_end_with_a_move_of_the_last_position() {
    for (name, fen, variant, warnings) in [
        (
            "field/37-rights.uci",
            "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b - - 0 1",
            Variant::Chess,
            &[
                "info string warning: position: castling rights \"KQkq\" dropped: their king or rook is not at home",
            ][..],
        ),
        ("field/39-engine.uci", "8/8/5k2/7p/6SS/8/3K4/8 b - - 0 1", Variant::Makruk, &[]),
    ] {
        let mut gui = Gui::start();
        let text = shipped(name);
        text.lines().for_each(|line| gui.send(line));
        gui.until("uciok");
        let lines = gui.until("bestmove");
        let strings: Vec<_> = lines.iter().filter(|line| line.starts_with("info string")).collect();
        assert_eq!(strings, warnings, "{name}");
        let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        check_answer(best, Some((fen, &[])), variant);
    }
}

/// Chess960 keeps the rights that it has; without the option they are refused, where castling could not be written.
#[test]
fn rights_of_chess960_belong_to_it() {
    let mut gui = Gui::start();
    let fen = "1rk4r/8/8/8/8/8/8/1RK4R w HBkq - 0 1";
    let lines = said(&mut gui, &format!("position fen {fen}"));
    assert!(lines[0].starts_with("info string error: position: "), "{lines:#?}");
    assert_eq!(gui.best(&["go depth 1"]), "0000");
    gui.send("setoption name UCI_Chess960 value true");
    assert_eq!(said(&mut gui, &format!("position fen {fen}")), [""; 0]);
    let lines = said(&mut gui, "position fen 1rk4r/8/8/8/8/8/8/1RK4R w HAkq - 0 1");
    assert!(lines.len() == 1 && lines[0].contains("castling rights \"A\" dropped"), "{lines:#?}");
}
