//! Values in tags that a search cannot use: `pgn check` names them, `pgn normalize` rewrites those that are certain.

use crate::program::{archive_of, finished, halfmove, ok, run, testdata};
use std::fs;

fn dates_file() -> String {
    testdata("field/18-dates.pgn").to_str().expect("text").to_owned()
}

#[test]
fn dates_that_cannot_be_are_warnings() {
    let output = run(&["pgn", "check", &dates_file(), "--format", "ndjson"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.out.lines().count(), 1, "{output:?}");
    for text in
        ["\"kind\":\"unknown_date\"", "\"game\":11", "\"severity\":\"warning\"", "no month 13"]
    {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
}

#[test]
fn values_of_tags_are_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.pgn");
    let tags = [
        ("Date", "02/03/2025", "unknown_date"),
        ("UTCTime", "25:00:00", "unknown_time"),
        ("WhiteElo", "strong", "unknown_rating"),
        ("TimeControl", "blitz", "unknown_time_control"),
        ("ECO", "F00", "unknown_eco"),
    ];
    let tags = tags.map(|(name, value, kind)| (format!("[{name} \"{value}\"]\n"), kind));
    let text = tags.iter().map(|(tag, _)| tag.as_str()).collect::<String>();
    // These are unknown, which is no fault.
    let known = "[EventDate \"????.??.??\"]\n[Time \"?\"]\n[BlackElo \"-\"]\n[Result \"*\"]\n";
    fs::write(&path, format!("{text}{known}\n1. e4 *\n")).expect("a file");
    let path = path.to_str().expect("text");
    let output = run(&["pgn", "check", path, "--format", "csv"]);
    let rows: Vec<&str> = output.out.lines().skip(1).collect();
    assert_eq!((output.code, rows.len()), (1, tags.len()), "{output:?}");
    for (row, ((_, kind), line)) in rows.iter().zip(tags.iter().zip(1..)) {
        assert!(row.contains(&format!("values.pgn,1,{line},")), "{row}");
        assert!(row.contains(&format!(",warning,{kind},")) && row.contains("expected"), "{row}");
    }
}

#[test]
fn certain_dates_are_normalized() {
    let dates: Vec<String> = ok(&["pgn", "normalize", &dates_file()])
        .lines()
        .filter(|line| line.starts_with("[Date ") || line.starts_with("[UTCTime \"20"))
        .map(str::to_owned)
        .collect();
    assert_eq!(
        dates,
        [
            "[Date \"2025.02.23\"]",
            "[Date \"????.??.??\"]",
            "[Date \"????.??.??\"]",
            "[Date \"1924.??.??\"]",
            "[Date \"1924.05.??\"]",
            "[Date \"1899.??.??\"]",
            "[Date \"?\"]",
            "[Date \"\"]",
            "[Date \"????.??.??\"]",
            "[Date \"2021.03.04\"]",
            "[UTCTime \"20:00:00\"]",
            "[Date \"2021.13.45\"]",
        ]
    );
}

/// Results in other spellings than the standard's: no faults, written in that of the standard, and found.
#[test]
fn results_are_normalized() {
    let path = testdata("field/10-half.pgn");
    let path = path.to_str().expect("text");
    let text = ok(&["pgn", "normalize", path]);
    let tags: Vec<&str> = text.lines().filter(|line| line.starts_with("[Result ")).collect();
    let draw = "[Result \"1/2-1/2\"]";
    let win = "[Result \"1-0\"]";
    assert_eq!(tags, [draw, draw, win, draw, win]);
    assert_eq!(run(&["pgn", "check", path]).code, 0);

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tag.pgn");
    fs::write(&file, "[White \"A\"]\n[Result \"0.5:0.5\"]\n\n1. e4 e5\n").expect("a file");
    let archive = folder.path().join("archive");
    let (archive, file) = (archive.to_str().expect("text"), file.to_str().expect("text"));
    ok(&["import", archive, path, file]);
    let found = ok(&["search", archive, "--result", "1/2-1/2", "--format", "ndjson"]);
    assert_eq!(found.lines().count(), 4, "{found}");
}

#[test]
fn errors_come_before_grouped_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mixed.pgn");
    let game = |result: &str, moves: &str| format!("[Result \"{result}\"]\n\n{moves} *\n\n");
    let text = game("?", "1. e4 e5").repeat(20) + &game("*", "1. e4 Ke3").repeat(8);
    fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("text");
    let output = run(&["pgn", "check", path]);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.out.matches("error: illegal move \"Ke3\"").count(), 8, "{}", output.out);
    assert_eq!(output.out.matches("warning: ").count(), 1, "{}", output.out);
    let (error, warning) = (output.out.rfind("error: "), output.out.find("warning: "));
    assert!(error < warning, "{}", output.out);
    let more =
        format!("= 19 more of this kind: {path}:5, {path}:9, {path}:13, … (all with --limit 0)");
    assert!(output.out.contains(&more), "{}", output.out);
    assert!(output.out.contains("28 faults in 28 of 28 games: unknown result 20, illegal move 8"));
    // All of them are listed in JSON, and without a limit.
    let all = run(&["pgn", "check", path, "--format", "ndjson"]);
    assert_eq!(all.out.lines().count(), 28);
    let all = run(&["pgn", "check", path, "--limit", "0"]);
    assert_eq!(all.out.matches("┌─").count(), 28, "{}", all.out);
}

#[test]
fn a_hint_names_the_variants_of_an_archive_without_chess() {
    let (_folder, archive) = archive_of(&["games/makruk.pgn"]);
    let output = run(&["explore", &archive]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("no game of chess (makruk 18): --variant makruk"), "{output:?}");
    let output = run(&["explore", &archive, "--variant", "makruk"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{output:?}");
}

#[test]
fn messages_name_the_file_that_they_are_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("text").to_owned()
    };
    let good = file("good.pgn", b"1. e4 e5 *\n");
    let outside = file("outside.pgn", b"1. e4 e5 *\n\nprose here\n\n1. d4 *\n");
    let archive = folder.path().join("archive");
    let archive = archive.to_str().expect("text");
    let output = run(&["import", archive, &good, &outside]);
    assert!(output.err.contains("1 line outside any game, the first in "), "{output:?}");
    assert!(output.err.contains("outside.pgn, line 3, column 1"), "{output:?}");
    // A file with a comment is not empty.
    let json = file("games.json", b"{\"a\": 1}\n");
    let output = run(&["import", archive, &json]);
    assert!(output.err.contains("no games, only comments"), "{output:?}");
    // A summary does not propose a file that could not be read.
    let zip = file("old.zip", b"PK\x03\x04aaaaaaaa");
    let output = run(&[&good, &zip]);
    let next = output.out.split("Next:").nth(1).unwrap_or_default();
    assert!(next.contains("good.pgn") && !next.contains("old.zip"), "{output:?}");
}

#[test]
fn wide_texts_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[White \"a\"]\n\n1. e4 *\n";
    let wide = |unit: fn(char) -> Vec<u8>| text.chars().flat_map(unit).collect::<Vec<u8>>();
    let marked = |mark: &[u8], unit: fn(char) -> Vec<u8>| [mark, &wide(unit)].concat();
    for (bytes, words) in [
        (wide(|c| vec![c as u8, 0]), "UTF-16"),
        (wide(|c| vec![0, c as u8]), "UTF-16"),
        (wide(|c| vec![c as u8, 0, 0, 0]), "UTF-32"),
        (wide(|c| vec![0, 0, 0, c as u8]), "UTF-32"),
        (marked(&[0xff, 0xfe], |c| vec![c as u8, 0]), "UTF-16"),
        (marked(&[0xff, 0xfe, 0, 0], |c| vec![c as u8, 0, 0, 0]), "UTF-32"),
        (marked(&[0, 0, 0xfe, 0xff], |c| vec![0, 0, 0, c as u8]), "UTF-32"),
    ] {
        let path = folder.path().join("wide.pgn");
        fs::write(&path, bytes).expect("a file");
        let output = run(&["pgn", "check", path.to_str().expect("text")]);
        let words = format!("is {words} text, expected PGN");
        assert!(output.code == 2 && output.err.contains(&words), "{words}: {output:?}");
    }
}

/// An argument may be the name of a file, with any bytes in it.
#[test]
fn messages_about_arguments_have_no_control_characters() {
    let hostile = "Z\u{1b}]0;title\u{7}";
    for args in [
        &["search", "nowhere", "--imbalance", hostile][..],
        &["search", "nowhere", "--since", hostile],
        &["perft", hostile],
        &["pgn", hostile],
        &[hostile],
        &["pgn", "check", hostile],
    ] {
        let output =
            halfmove(args).env("CLICOLOR_FORCE", "1").output().expect("the program starts");
        let output = finished(output);
        assert_eq!(output.code, 2, "{args:?}: {output:?}");
        assert!(!output.err.contains("\u{1b}]") && !output.err.contains('\u{7}'), "{output:?}");
        assert!(output.err.contains("error"), "{output:?}");
    }
}
