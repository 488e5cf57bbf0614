//! The pages of the book that are made from the table. `HALFMOVE_BLESS=1` rewrites them: review the diff.

use std::fs;
use std::path::{Path, PathBuf};

use halfmove_functions::{FUNCTIONS, pages};

use crate::Outcome;

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// Compares a page, or writes it.
fn check(name: &str, expected: &str) -> Outcome {
    let found = fs::read_to_string(page(name))?;
    if std::env::var_os("HALFMOVE_BLESS").is_some() {
        fs::write(page(name), expected)?;
    } else if found != expected {
        let differs =
            found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        panic!("{name} is not what the table says (HALFMOVE_BLESS=1 rewrites it): {differs:#?}");
    }
    Ok(())
}

#[test]
fn the_reference_is_that_of_the_table() -> Outcome {
    check("reference/sql-functions.md", &pages::reference())
}

#[test]
fn the_reference_of_half_moves_is_that_of_their_columns() -> Outcome {
    check("reference/halfmoves.md", &pages::halfmoves())
}

#[test]
fn the_guide_has_the_table() -> Outcome {
    let text = fs::read_to_string(page("guide/sql.md"))?;
    let (before, rest) = text.split_once("| function | result |\n").expect("the table");
    let end = rest.find("\n\n").expect("the end of the table") + 1;
    check("guide/sql.md", &format!("{before}{}{}", pages::guide(), &rest[end..]))
}

#[test]
fn help_has_a_line_for_each_function() {
    let help = pages::help();
    for function in &FUNCTIONS {
        let line = pages::help_line(function);
        assert!(help.lines().any(|other| other == line), "{line}");
        assert!(line.chars().count() <= 100, "{line}");
        let is_sentence = function.help.ends_with('.') || function.help.is_empty();
        assert!(!is_sentence && !function.help.contains('\n'), "{}", function.help);
    }
}

#[test]
fn names_are_different() {
    let mut names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FUNCTIONS.len());
}
