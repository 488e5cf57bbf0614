//! Help and pages of the book, made from [`FUNCTIONS`].

use std::fmt::Write;

use crate::function::{Function, Kind};
use crate::table::FUNCTIONS;

/// The width of the column of calls in [`help`].
const CALL_WIDTH: usize = 34;

/// The list of functions for a terminal: a line for each, in two groups.
pub fn help() -> String {
    let is_over_moves = |function: &&Function| {
        function.arguments.first().is_some_and(|argument| argument.kind == Kind::Moves)
    };
    let (over_moves, others): (Vec<&Function>, Vec<&Function>) =
        FUNCTIONS.iter().partition(is_over_moves);
    let mut text = String::from("Functions on the column `moves`:\n");
    over_moves.into_iter().for_each(|function| text += &(help_line(function) + "\n"));
    text += "\nAnd on other columns:\n";
    others.into_iter().for_each(|function| text += &(help_line(function) + "\n"));
    text
}

/// The line of a function in [`help`].
///
/// ```
/// use halfmove_functions::{function, pages};
///
/// let line = pages::help_line(function("plies").unwrap());
/// assert_eq!(line, "  plies(moves)                        the number of half-moves");
/// ```
pub fn help_line(function: &Function) -> String {
    let (call, help) = (function.signature(), function.help.replace('`', ""));
    format!("  {call:<CALL_WIDTH$}  {help}")
}

/// The functions as a table in Markdown, for the guide.
pub fn guide() -> String {
    let mut text = String::from("| function | result |\n| --- | --- |\n");
    for function in &FUNCTIONS {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "| `{}` | {} |", function.signature(), function.help);
    }
    text
}

/// The page of the reference, in Markdown.
pub fn reference() -> String {
    let mut text = String::from(INTRODUCTION);
    for function in &FUNCTIONS {
        let (signature, result) = (function.signature(), function.result.sql());
        let (about, notes) = (function.about, function.notes);
        let (query, answer) = (function.example.query(), function.example.answer());
        let _ = write!(
            text,
            "\n## `{signature} -> {result}`\n\n{about}\n\n```sql\n{query}\n```\n\n```text\n{answer}\n```\n"
        );
        if !notes.is_empty() {
            let _ = write!(text, "\n{notes}\n");
        }
    }
    text
}

const INTRODUCTION: &str = "\
# SQL functions

The functions that Halfmove adds to those of the query engine. All take columns of the table `games` (or values like theirs), and
return null if any argument is null. Exceptions: `reaches_anywhere` treats null annotations as no annotations, and `has_comment` is false
for them. Bytes that are not a game are an error: of the function's argument, or, if they come from a column of the archive, damage of
that column.

| argument | type and meaning |
| --- | --- |
| `moves` | the column `moves`, `BYTEA`: the main line, with its start if that is not the usual one |
| `n` | the number of a half-move, from 1. Negative numbers count from the end: -1 is the last one. 0 and numbers beyond either end give null |
| `fen` | `VARCHAR`: a position, of chess if no `variant` follows |
| `variant` | `VARCHAR`: `chess`, `chess960`, `makruk`, `makpong` or `asean` |
| `side` | `VARCHAR`: `white` or `black`, or `w` or `b`, in either case; both sides by default |
| `piece` | `VARCHAR`: `P`, `N`, `B`, `R`, `Q` or `K`, in either case. In Makruk and its variants, `S` or `B` is the khon, and `M` or `Q` the met |

This page is made from the table of functions in `crates/functions`. The examples use ten small games,
`crates/functions/tests/games.pgn`; tests compare the results.
";
