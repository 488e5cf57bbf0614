//! Files as real programs write them, through the verbs that their users type.

use crate::program::{archive_of, ok, run, testdata};
use std::fs;

fn field(name: &str) -> String {
    testdata(&format!("field/{name}")).to_str().expect("text").to_owned()
}

/// The values of a column of a table in CSV.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines();
    let at = lines.next().and_then(|line| line.split(',').position(|title| title == name));
    let at = at.unwrap_or_else(|| panic!("a column {name} in {csv}"));
    lines.map(|line| line.split(',').nth(at).expect("a cell").to_owned()).collect()
}

/// A tag that cannot be read changes no other, and what is written cannot be read as another tag.
#[test]
fn an_annotator_writes_a_tag_without_quotes() {
    for name in ["06-annotator.pgn", "06-first.pgn"] {
        let (_folder, archive) = archive_of(&[format!("field/{name}").as_str()]);
        let found = ok(&["search", &archive, "--white", "alpha", "--format", "csv"]);
        assert_eq!(column(&found, "white"), ["Alpha"], "{name}");
        let folder = tempfile::tempdir().expect("a folder");
        let coded = folder.path().join("coded.hmg").to_str().expect("text").to_owned();
        ok(&["encode", &field(name), "-o", &coded]);
        for text in [
            ok(&["export", &archive]),
            ok(&["pgn", "normalize", &field(name)]),
            ok(&["decode", &coded]),
        ] {
            assert!(text.contains("[White \"Alpha\"]") && !text.contains("ACPL"), "{text}");
            let again = folder.path().join("again.pgn");
            fs::write(&again, &text).expect("a file");
            let again = again.to_str().expect("text");
            let checked = run(&["pgn", "check", again]);
            assert_eq!(
                (checked.code, checked.out.contains("malformed")),
                (0, false),
                "{checked:?}"
            );
            assert_eq!(ok(&["pgn", "normalize", again]).matches("\"Alpha\"").count(), 1);
        }
        let checked = run(&["pgn", "check", &field(name)]);
        assert!(checked.out.contains("malformed tag"), "{checked:?}");
    }
}

/// XBoard's FENs of Makruk have four fields or two, PlayOK has other letters.
#[test]
fn makruk_of_other_programs() {
    let (_folder, archive) = archive_of(&["field/39-xboard_fen.pgn", "field/39-nofields.pgn"]);
    let makruk = ["--variant", "makruk", "--format", "csv"];
    for fen in [
        "8/8/5k2/7p/6SS/8/3K4/8 w 0 1",
        "8/8/5k2/7p/6SS/8/3K4/8 w",
        "8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1",
        "8/8/5k2/7p/6BB/8/3K4/8 w 0 1",
    ] {
        let found = ok(&[&["search", &archive, "--fen", fen][..], &makruk].concat());
        assert_eq!(column(&found, "event"), ["WB"], "{fen}");
        let position = ok(&["position", "--variant", "makruk", "--fen", fen, "--format", "json"]);
        assert!(position.contains("\"8/8/5k2/7p/6SS/8/3K4/8 w - - 0 1\""), "{fen}: {position}");
    }
    // The standard starting position, without a FEN and with one of four fields.
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w";
    let found = ok(&[&["search", &archive, "--fen", start][..], &makruk].concat());
    assert_eq!(column(&found, "event"), ["WB", "WB2"]);
    // All spellings of a promotion.
    let promoted = "4k3/8/M~7/8/7p/8/8/4K3 b";
    let found = ok(&[&["search", &archive, "--fen", promoted][..], &makruk].concat());
    assert_eq!(column(&found, "event").len(), 4);
}

/// `--imbalance QQvQRR` names the question with what both sides have left out.
#[test]
fn an_imbalance_with_pieces_on_both_sides() {
    let (_folder, archive) = archive_of(&["field/43-queens.pgn"]);
    let error = run(&["search", &archive, "--imbalance", "QQvQRR"]);
    assert_eq!((error.code, error.err.contains("QvRR for QQvQRR")), (2, true), "{error:?}");
    let found = |more: &[&str]| {
        let args = [&["search", &archive, "--imbalance", "QvRR", "--format", "csv"], more].concat();
        column(&ok(&args), "white")
    };
    assert_eq!(found(&[]), ["QQvQRR", "QvRR"]);
    assert_eq!(found(&["--either-color"]), ["QQvQRR", "QvRR", "reverse"]);
}
