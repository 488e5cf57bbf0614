//! SQL as users write it, with the results: one file in `tests/slt` for each function, and in `tests/slt/tables` for a
//! table, in a small part of the format of sqllogictest.
//!
//! ```text
//! # A comment for readers.
//! query
//! SELECT plies(moves), white FROM games WHERE id < 3 ORDER BY id
//! ----
//! 33  Morphy, Paul
//! 4   Ann
//!
//! error
//! SELECT plies(white) FROM games
//! ----
//! argument 1 of plies is Utf8View, expected bytes (the column moves): plies(moves)
//! ```
//!
//! The games are those of `crates/functions/tests/games.pgn`. Cells are separated by two spaces or more; an empty text
//! is `(empty)`. `HALFMOVE_BLESS=1` rewrites the results: review the diff.

use std::fs;
use std::path::{Path, PathBuf};

use halfmove_archive::Archive;

use crate::support::{Outcome, ask, imported};

/// A part of a file: a query with its result, or comments and other lines, which are kept unchanged.
enum Part {
    Lines(String),
    Query { is_error: bool, query: String, answer: String },
}

fn parse(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for block in text.split("\n\n") {
        let block = block.trim_matches('\n');
        let start = block.lines().take_while(|line| line.starts_with('#')).count();
        let lines: Vec<&str> = block.lines().collect();
        let (comments, question) = lines.split_at(start);
        if !comments.is_empty() {
            parts.push(Part::Lines(comments.join("\n")));
        }
        let [kind, rest @ ..] = question else { continue };
        assert!(["query", "error"].contains(kind), "expected query or error, found {kind}");
        let bar = rest.iter().position(|line| *line == "----");
        let bar = bar.unwrap_or_else(|| panic!("no ---- behind {rest:?}"));
        parts.push(Part::Query {
            is_error: *kind == "error",
            query: rest[..bar].join("\n"),
            answer: rest[bar + 1..].join("\n"),
        });
    }
    parts
}

/// The result of a query, in the format of the files.
fn answer(archive: &Archive, query: &str, is_error: bool) -> String {
    match (ask(archive, query), is_error) {
        (Ok(rows), false) => {
            let cell = |cell: &String| match cell.as_str() {
                "" => "(empty)".to_owned(),
                cell => cell.to_owned(),
            };
            let rows = rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("  "));
            rows.collect::<Vec<_>>().join("\n")
        }
        (Err(error), true) => error.to_string(),
        (Ok(rows), true) => panic!("{query}: expected an error, found {rows:?}"),
        (Err(error), false) => panic!("{query}: {error}"),
    }
}

/// The files of the functions; those of the tables are in the folder `tables`.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt").join(folder);
    let files =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|end| end == "slt")).collect();
    files.sort();
    files
}

/// The archive of `crates/functions/tests/games.pgn`.
fn games() -> (tempfile::TempDir, Archive) {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../functions/tests/games.pgn");
    let text = fs::read_to_string(games).expect("games");
    let (folder, archive) = imported(text);
    assert_eq!(archive.len(), 10);
    (folder, archive)
}

/// Returns true if results are rewritten.
fn is_bless() -> bool {
    std::env::var_os("HALFMOVE_BLESS").is_some()
}

#[test]
fn answers_are_those_of_the_files() -> Outcome {
    let (_folder, archive) = games();
    let is_bless = is_bless();
    let mut questions = 0;
    for file in files(".").into_iter().chain(files("tables")) {
        let text = fs::read_to_string(&file)?;
        let mut written = Vec::new();
        for part in parse(&text) {
            match part {
                Part::Lines(lines) => written.push(format!("{lines}\n")),
                Part::Query { is_error, query, answer: expected } => {
                    questions += 1;
                    let found = answer(&archive, &query, is_error);
                    if !is_bless {
                        assert_eq!(found, expected, "{}: {query}", file.display());
                    }
                    let kind = if is_error { "error" } else { "query" };
                    written.push(format!("{kind}\n{query}\n----\n{found}\n\n"));
                }
            }
        }
        if is_bless {
            fs::write(&file, written.concat().trim_end().to_owned() + "\n")?;
        }
    }
    assert!(questions > 0, "no question in tests/slt");
    Ok(())
}

/// A page of the reference.
fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name)
}

/// The page of the functions: a heading and at least one example for each.
fn reference() -> PathBuf {
    page("sql-functions.md")
}

#[test]
fn every_function_has_a_file_and_a_heading() -> Outcome {
    let text = fs::read_to_string(reference())?;
    let mut listed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## `"))
        .map(|heading| heading.split('(').next().unwrap_or_default())
        .collect();
    listed.sort_unstable();
    let files: Vec<_> =
        files(".").iter().map(|file| file.file_stem().unwrap_or_default().to_owned()).collect();
    assert_eq!(listed, files, "files of tests/slt, headings of docs/reference/sql-functions.md");
    Ok(())
}

/// The examples of the reference: a query, followed by its result.
#[test]
fn examples_of_the_reference_are_true() -> Outcome {
    examples_are_true(&reference())?;
    examples_are_true(&page("halfmoves.md"))
}

fn examples_are_true(page: &Path) -> Outcome {
    let (_folder, archive) = games();
    let text = fs::read_to_string(page)?;
    let mut written = String::new();
    let mut examples = 0;
    for (number, section) in text.split("## `").enumerate() {
        written += if number == 0 { "" } else { "## `" };
        let mut rest = section;
        let before = examples;
        while let Some((head, tail)) = rest.split_once("```sql\n") {
            let (query, tail) = tail.split_once("\n```\n\n```text\n").expect("an answer");
            let (expected, tail) = match tail.strip_prefix("```") {
                Some(tail) => ("", tail),
                None => tail.split_once("\n```").expect("the end of an answer"),
            };
            let found = answer(&archive, query, false);
            if !is_bless() {
                assert_eq!(found, expected, "{query}");
            }
            written += &format!("{head}```sql\n{query}\n```\n\n```text\n{found}\n```");
            rest = tail;
            examples += 1;
        }
        assert!(number == 0 || examples > before, "no example: {section}");
        written += rest;
    }
    if is_bless() {
        fs::write(page, written)?;
    }
    Ok(())
}
