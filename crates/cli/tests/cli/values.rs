//! Values in tags that a search cannot use: `pgn check` names them, `pgn normalize` rewrites those that are certain.

use crate::program::{ok, run, testdata};
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
