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

/// The number of games that a program sees which knows comments only by their braces.
fn plain_games(text: &str) -> usize {
    let mut games = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[']) {
        if rest[at..].starts_with('{') {
            let Some(end) = rest[at..].find('}') else { break };
            rest = &rest[at + end..];
        } else {
            games += usize::from(rest[at..].starts_with("[White "));
            rest = &rest[at + 1..];
        }
    }
    games
}

/// Comments and variations that a game leaves open are closed where it is copied, so they take no other game with them.
#[test]
fn games_that_leave_something_open_stay_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let good = |name: &str| {
        format!("[Event \"e\"]\n[White \"{name}\"]\n\n1. d4 d5 {{closed}} 2. c4 1/2-1/2\n\n")
    };
    for open in [
        "1. e4 e5 {never closed",
        "1. e4 e5 {never closed 2. Nf3 1-0",
        "1. e4 (1. d4 (1. c4 e5",
        "1. e4 (1. d4 {both",
        "1. e4 e5 1-0 {after the result",
        "1. e4 e5 ; a line (",
    ] {
        let bad = format!("[Event \"e\"]\n[White \"bad\"]\n\n{open}\n\n");
        let source = file("open.pgn");
        fs::write(&source, good("first") + &bad + &good("second") + &bad + &good("third"))
            .expect("a file");
        let (written, rejects) = (file("written.pgn"), file("rejects.pgn"));
        run(&["pgn", "normalize", &source, "--force", "-o", &written]);
        run(&["pgn", "check", &source, "--force", "--rejects", &rejects]);
        let text = fs::read_to_string(&written).expect("a file");
        assert_eq!(plain_games(&text), 5, "{open}: {text}");
        assert_eq!(text.matches("1. d4 d5 {closed} 2. c4 1/2-1/2").count(), 3, "{open}: {text}");
        if let Ok(text) = fs::read_to_string(&rejects)
            && !text.is_empty()
        {
            assert_eq!(plain_games(&text), 2, "{open}: {text}");
        }
        let summary = |file: &str| {
            let archive = file_archive(file);
            ok(&[
                "sql",
                &archive,
                "select white, san(moves), result from games order by id",
                "--format",
                "csv",
            ])
        };
        assert_eq!(summary(&written), summary(&source), "{open}");
    }
}

/// A new archive of a file, beside it.
fn file_archive(file: &str) -> String {
    let archive = format!("{file}.archive");
    let _ = fs::remove_dir_all(&archive);
    let imported = run(&["import", &archive, file, "--duplicates", "keep"]);
    assert!(imported.code < 2, "{imported:?}");
    archive
}

/// Knights that go to and fro reach few positions by many lines: each position has its replies once.
#[test]
fn positions_that_repeat_do_not_repeat_the_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("knights.pgn").to_str().expect("text").to_owned();
    let cycles = ["Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8", "Nf3 Nc6 Ng1 Nb8", "Nc3 Nf6 Nb1 Ng8"];
    let games = (0..64).map(|number| {
        let moves = (0..8).map(|at| cycles[(number >> (2 * (at % 3))) % 4]).collect::<Vec<_>>();
        format!("[White \"{number}\"]\n\n{} *\n\n", moves.join(" "))
    });
    fs::write(&file, games.collect::<String>()).expect("a file");
    let archive = file_archive(&file);
    let json = ok(&["explore", &archive, "--depth", "30", "--min-games", "1", "--format", "json"]);
    let tree: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let (mut moves, mut replied, mut stack) = (0, 0, vec![&tree]);
    while let Some(node) = stack.pop() {
        let next = node["moves"].as_array().expect("moves");
        replied += usize::from(!next.is_empty());
        moves += next.len();
        for mv in next {
            assert!(
                mv["elsewhere"] == false || mv["moves"].as_array().is_some_and(Vec::is_empty),
                "{mv}"
            );
            assert!(mv["reached"].as_u64() >= mv["white"].as_u64());
        }
        stack.extend(next);
    }
    // The start, a knight of White out, knights of both sides out, one of Black's: 1 + 2 + 4 + 2 positions.
    assert_eq!((replied, moves), (9, 12), "{json}");
    let pgn = ok(&["explore", &archive, "--depth", "30", "--min-games", "1", "--format", "pgn"]);
    assert_eq!(pgn.matches("transposes").count(), 4, "{pgn}");
}

/// Games without a result have no score, and nothing is divided by zero.
#[test]
fn undecided_games_have_no_score() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("open.pgn").to_str().expect("text").to_owned();
    fs::write(
        &file,
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n\n[White \"B\"]\n[Black \"A\"]\n\n1. d4 *\n",
    )
    .expect("a file");
    let archive = file_archive(&file);
    for args in [
        &["stats"][..],
        &["stats", "--by", "year"],
        &["stats", "--by", "color", "--player", "a"],
        &["stats", "--player", "a"],
        &["explore"],
        &["explore", "--player", "a"],
        &["players"],
    ] {
        for format in ["table", "json", "csv"] {
            let args =
                [&args[..1], &[archive.as_str()], &args[1..], &["--format", format]].concat();
            let output = run(&args);
            let text = output.out.to_lowercase();
            assert!(output.code < 2, "{output:?}");
            for word in ["nan", "inf", "score \n", "score;", "won 0.0 %", "-9223"] {
                assert!(!text.contains(word), "{args:?}: {word}: {text}");
            }
        }
    }
}

/// An exported part of a game begins with the position that was found, and ends as the game does.
#[test]
fn parts_of_games_begin_where_they_were_found() {
    let (folder, archive) = archive_of(&["games/masters.pgn.zst"]);
    let file = folder.path().join("endings.pgn").to_str().expect("text").to_owned();
    ok(&[
        "export",
        &archive,
        "--material",
        "KRPvKR",
        "--either-color",
        "--for",
        "20",
        "--from-match",
        "-o",
        &file,
    ]);
    let parts = file_archive(&file);
    let of_parts = ok(&[
        "sql",
        &parts,
        "select start_fen, final_fen(moves), plies from games order by id",
        "--format",
        "csv",
    ]);
    let found = "'material:KRPvKR either-color for:20'";
    let query = format!(
        "select fen_at(moves, ply_when(moves, {found})) as start_fen, final_fen(moves), plies - ply_when(moves, {found}) as plies \
         from games where shows(moves, {found}) order by id"
    );
    let of_games = ok(&["sql", &archive, &query, "--format", "csv"]);
    assert_eq!(
        of_parts.lines().skip(1).collect::<Vec<_>>(),
        of_games.lines().skip(1).collect::<Vec<_>>()
    );
    assert_eq!(of_games.lines().count(), 33);
    let refused = run(&["export", &archive, "--player", "tal", "--from-match"]);
    assert!(
        refused.code == 2 && refused.err.contains("--from-match needs a position"),
        "{refused:?}"
    );
}
