//! EPD: the lines of the suites, and the errors of those that are rejected.

use crate::suites::{collection, shipped, table};
use halfmove_rules::{
    CastlingStyle, Chess, Epd, EpdError, FenField, Flaws, Operand, Operation, OperationError,
};
use std::collections::BTreeSet;
use std::path::Path;

/// The lines of a file, without empty ones and `#` comments.
fn lines(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8(bytes)
        .unwrap()
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn parse(line: &str) -> Epd {
    line.parse().unwrap_or_else(|e| panic!("{line}: {e}"))
}

/// A line survives writing and reading, and is then written identically.
fn check_round_trip(epd: &Epd) {
    let written = epd.to_string();
    let again = parse(&written);
    assert_eq!(again, *epd, "{written}");
    assert_eq!(again.to_string(), written);
}

#[test]
fn operations_are_read_in_order_and_kept() {
    let epd = parse(
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id \"a; b\"; c0 \"\"; noop; ce -3; acs 0.50; x +1;",
    );
    let text = |text: &str| Operand::Text(text.to_owned());
    let word = |word: &str| Operand::Word(word.to_owned());
    let expected = [
        ("bm", vec![word("O-O"), word("Rh8+")]),
        ("id", vec![text("a; b")]),
        ("c0", vec![text("")]),
        ("noop", vec![]),
        ("ce", vec![word("-3")]),
        ("acs", vec![word("0.50")]),
        ("x", vec![word("+1")]),
    ];
    let found: Vec<_> =
        epd.operations.iter().map(|op| (op.opcode(), op.operands().to_vec())).collect();
    assert_eq!(found, expected);
    assert_eq!(epd.operation("ce").unwrap().operands()[0].to_integer(), Some(-3));
    assert_eq!(epd.operation("acs").unwrap().operands()[0].to_number(), Some(0.5));
    assert_eq!(epd.operation("id").unwrap().operands()[0].to_number(), None);
    check_round_trip(&epd);
}

#[test]
fn extensions_of_test_suites() {
    for (line, written) in [
        ("8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/8 w - -"),
        ("8/8/8/8/8/8/8/8 w - - ; ;; bm e4 ;", "8/8/8/8/8/8/8/8 w - - bm e4;"),
        ("8/8/8/8/8/8/8/8 w - -; bm e4", "8/8/8/8/8/8/8/8 w - - bm e4;"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 bm e4", "8/8/8/8/8/8/8/8 w - - bm e4;"),
        ("8/8/8/8/8/8/8/8 w - -0 1; bm e4", "8/8/8/8/8/8/8/8 w - - bm e4;"),
        ("8/8/8/8/8/8/8/8 w - - 3 40; bm e4;\r", "8/8/8/8/8/8/8/8 w - - 3 40 bm e4;"),
    ] {
        let epd = parse(line);
        assert_eq!(epd.to_string(), written, "{line}");
        check_round_trip(&epd);
    }
}

#[test]
fn an_epd_error_names_the_byte() {
    for (line, at) in [
        ("8/8/8/8/8/8/8/8 w - - 18 knights;", 22),
        ("8/8/8/8/8/8/8/8 w - - 5;", 22),
        ("8/8/8/8/8/8/8/8 w - - bm e4; +- draw", 29),
        ("8/8/8/8/8/8/8/8 w - - bm e4; abcdefghijklmnop 1;", 29),
        ("8/8/8/8/8/8/8/8 w - - id \"open;", 25),
        ("8/8/8/8/8/8/8/8 w - - id \"a\"b;", 28),
        ("8/8/8/8/8/8/8/8 w - - é;", 22),
    ] {
        match line.parse::<Epd>() {
            Err(EpdError::Operation { offset, .. }) => assert_eq!(offset, at, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    for (line, field) in [
        ("hello have a nice day w - -0 1; garbage", FenField::Placement),
        ("8/8/8/8/8/8/8/8 w - -x 1; a1", FenField::EnPassant),
        ("8/8/8/8/8/8/8/8; w - -", FenField::SideToMove),
    ] {
        match line.parse::<Epd>() {
            Err(EpdError::Position(error)) => assert_eq!(error.field, field, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

/// Lines made to break readers. The text of each gives the expectation: a valid position, an invalid one,
/// or one that the program may decide.
#[test]
fn hostile_lines_are_read_or_refused_with_a_reason() {
    let mut checked = [0; 3];
    for name in ["destruction-test", "grief-causers"] {
        for line in lines(&shipped(&format!("epd/{name}.epd"))) {
            let epd = line.parse::<Epd>();
            if let Ok(epd) = &epd {
                check_round_trip(epd);
            }
            // Only the position matters: the comment after it need not be an operation.
            let position = line.split(';').next().unwrap().parse::<Epd>().ok();
            let playable = position.is_some_and(|epd| {
                Chess::from_setup_in(epd.setup, None, Flaws::UNREACHABLE).is_ok()
            });
            let either = ["or override", "overridable", "if engine", "WIP"];
            let bad = ["cull", "bad EPD", "garbage"];
            let kind = if either.iter().any(|word| line.contains(word)) {
                0
            } else if bad.iter().any(|word| line.contains(word)) {
                assert!(!playable, "{line}");
                1
            } else {
                assert!(playable, "{line}");
                2
            };
            checked[kind] += 1;
        }
    }
    assert_eq!(checked, [11, 74, 33]);
}

/// The best moves, or those to avoid, of all the suites, as python-chess resolved them.
#[test]
#[ignore = "reads suites/tactics: make verify"]
fn moves_of_the_tactics_suites() {
    let mut expected = BTreeSet::new();
    for row in table(&collection("suites/tactics/tactics_normalised.tsv")) {
        let position = Chess::from_setup_in(parse(&row[0]).setup, None, all()).unwrap();
        let moves: BTreeSet<_> = row[2].split(' ').map(str::to_owned).collect();
        expected.insert((row[3].clone(), position.to_string(), row[1].clone(), moves));
    }
    let suites: BTreeSet<_> = expected.iter().map(|(suite, ..)| suite.clone()).collect();
    let mut found = BTreeSet::new();
    for suite in suites {
        for line in lines(&collection(&format!("suites/tactics/{suite}.epd"))) {
            let Ok(epd) = line.parse::<Epd>() else { continue };
            let Ok(position) = Chess::from_setup_in(epd.setup.clone(), None, all()) else {
                continue;
            };
            // The table holds the first such operation of a line, and leaves out `-1 12`.
            let Some(operation) =
                epd.operations.iter().find(|op| matches!(op.opcode(), "bm" | "am"))
            else {
                continue;
            };
            if line.contains(" -1 1") {
                continue;
            }
            let moves: Result<BTreeSet<_>, _> = operation
                .moves(&position)
                .map(|mv| mv.map(|mv| mv.uci(CastlingStyle::KingToTarget).to_string()))
                .collect();
            if let Ok(moves) = moves {
                let opcode = operation.opcode().to_owned();
                found.insert((suite.clone(), position.to_string(), opcode, moves));
            }
        }
    }
    // We reject a line with a comment that is not an operation.
    let missing: Vec<_> = expected.difference(&found).map(|(suite, ..)| suite.as_str()).collect();
    assert_eq!(missing, ["zugzwang"]);
    // A king on e8 with a castling right for a rook on c8 is not possible in chess, but it is in Chess960.
    let more: Vec<_> = found.difference(&expected).map(|(_, fen, ..)| fen.as_str()).collect();
    assert_eq!(more, ["2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w q - 0 1"]);
}

fn all() -> Flaws {
    Flaws::LEFTOVERS | Flaws::UNREACHABLE
}

/// Every line of the suites of tactics, mates and endings is read.
#[test]
#[ignore = "reads suites: make verify"]
fn every_line_of_the_suites() {
    let (mut read, mut refused) = (0, Vec::new());
    for folder in ["tactics", "mates", "endgames"] {
        for entry in std::fs::read_dir(collection(&format!("suites/{folder}"))).unwrap() {
            let path = entry.unwrap().path();
            let hostile = path
                .file_stem()
                .is_some_and(|name| name == "destruction-test" || name == "grief-causers");
            if path.extension().is_none_or(|extension| extension != "epd") || hostile {
                continue;
            }
            for line in lines(&path) {
                match line.parse::<Epd>() {
                    Ok(epd) => {
                        check_round_trip(&epd);
                        read += 1;
                    }
                    Err(error) => refused.push((error.to_string(), line)),
                }
            }
        }
    }
    // One line ends in a comment that is not an operation.
    let [(error, line)] = &refused[..] else { panic!("{refused:#?}") };
    assert!(line.contains("; 1 Kb2!") && error.contains("byte 63: expected a letter"), "{error}");
    assert_eq!(read, 6_925);
}

/// `hmvc` and `fmvn` give the counters; FEN's counters take precedence.
#[test]
fn counters_as_operations() {
    for (text, clock, number) in [
        ("hmvc 12; fmvn 70;", 12, 70),
        ("fmvn 70; bm Ra1; hmvc 3;", 3, 70),
        ("hmvc 5;", 5, 1),
        ("fmvn 0;", 0, 1),
        ("4 9 hmvc 12; fmvn 70;", 4, 9),
        ("0 1 hmvc 12;", 0, 1),
        ("hmvc many; fmvn;", 0, 1),
        ("hmvc -1; fmvn 70000;", 0, 1),
        ("", 0, 1),
    ] {
        let epd: Epd = format!("8/8/8/8/8/k7/8/K6R w - - {text}").parse().unwrap();
        let counters = (epd.setup.halfmove_clock, epd.setup.fullmove_number);
        assert_eq!(counters, (clock, number), "{text}");
        assert_eq!(epd.to_string().parse().as_ref(), Ok(&epd), "{text}");
    }
    let text = "8/8/8/8/8/k7/8/K6R w - - hmvc 12; fmvn 70;";
    assert_eq!(text.parse::<Epd>().unwrap().to_string(), text);
}

#[test]
fn operands_that_cannot_be_written() {
    let text = |text: &str| Operand::Text(text.to_owned());
    let word = |word: &str| Operand::Word(word.to_owned());
    for operand in [
        text("two\nlines"),
        text("two\rlines"),
        text("a \" quote"),
        word(""),
        word("\"quoted"),
        word("two words"),
        word("a;b"),
    ] {
        let error = Operation::new("c0", [word("fine"), operand.clone()]).unwrap_err();
        assert_eq!(error, OperationError::Operand(1), "{operand:?}");
    }
    assert!(Operation::new("c0", [word("in\"side"), text("")]).is_ok());
}

#[test]
fn isolated_marks_are_not_moves() {
    let position: Chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let words =
        ["Rh8", "+", "!", "Kd1", "?", "O-O", "!?", "#"].map(|word| Operand::Word(word.into()));
    let operation = Operation::new("bm", words).unwrap();
    let moves: Vec<_> = operation.moves(&position).map(|mv| position.san(mv.unwrap())).collect();
    assert_eq!(moves.iter().map(|san| san.as_str()).collect::<Vec<_>>(), ["Rh8+", "Kd1", "O-O"]);
}

#[test]
fn operands_that_are_not_numbers() {
    let text = Operand::Text("12".into());
    assert_eq!((text.to_integer(), text.to_number()), (None, None));
    let word = |word: &str| Operand::Word(word.into());
    assert_eq!((word("12").to_integer(), word("12").to_number()), (Some(12), Some(12.0)));
    for name in ["inf", "-inf", "infinity", "nan", "NaN"] {
        assert_eq!((word(name).to_integer(), word(name).to_number()), (None, None), "{name}");
    }
}
