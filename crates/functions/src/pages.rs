//! Help and pages of the documentation, made from [`FUNCTIONS`].

use std::fmt::Write;

use crate::function::{Function, Kind};
use crate::halfmoves::HALFMOVES;
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
    text += "\nOther functions:\n";
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

/// The page of the reference about the table `halfmoves`, in Markdown.
pub fn halfmoves() -> String {
    let mut text = String::from(HALFMOVES_INTRODUCTION);
    for column in &HALFMOVES {
        let (name, kind, meaning) = (column.name, column.kind.sql(), column.meaning);
        let null = if column.nullable { "yes" } else { "no" };
        // Writing into a string cannot fail.
        let _ =
            writeln!(text, "| `{name}` | `{kind}` | {null} | {meaning} | `{}` |", column.example);
    }
    text + HALFMOVES_NOTES
}

const HALFMOVES_INTRODUCTION: &str = "\
# The table halfmoves

SQL has a second table, `halfmoves`: a row for each half-move of each game. It is made from the columns of `games` while a query runs: each
game is decoded once, and only the columns that the query needs are computed. `fen`, `material`, `material_balance`, `phase`, `mobility` and `key`
describe the position before the half-move, in which it was chosen; `clock`, `cp`, `mate` and `win_percent` are the values after it, as in a PGN file. So the last
position of a game is in `fen_after` of its last row. A game without a move has no row. The moves of a game with a fault end before it.

| column | type | null | meaning | example |
| --- | --- | --- | --- | --- |
";

const HALFMOVES_NOTES: &str = "
Without `order by`, rows come in any order, as in any table. `order by id, ply` costs nothing, because they are made in that order,
unless the archive has been compacted, which orders its games by their openings; windows over the half-moves of a game are not sorted either. Memory holds a few batches of rows.

Conditions on `id` and `ply` are evaluated before games are decoded: with `ply in (1, 101)` or `ply <= 4 or ply between 40 and 50`, each game is decoded
once, up to the last of these half-moves, and columns are computed for these alone. The same holds for those that the engine derives from a join or a subquery on
`id`: it reads the selected games first, and then the half-moves of no others, if the ids are few or close together; otherwise of those
between the smallest and the largest id. All other conditions are tested on rows. If they, or an
order with a limit, need only columns that do not depend on positions, such as `clock`, the other columns are computed only where some row
of a batch may be in the result.

```sql
select g.white, h.ply, h.san, h.clock
from halfmoves h join games g using (id)
where g.result = '0-1' and h.clock < 180
order by h.id, h.ply
```

```text
Ann  2  e5  178.0
Ann  3  g4  179.0
Ann  4  Qh4#  177.5
```

This page is made from the list of columns in `crates/functions`; `halfmove_functions::halfmoves` and `Archive::halfmoves` make the same rows
without a query engine. Tests compare all columns but `bits` with python-chess, and `bits` with the size of encoded games.
";

const INTRODUCTION: &str = "\
# SQL functions

The functions that Halfmove adds to those of the query engine. All take columns of the table `games` (or values like theirs), and
return null if any argument is null. Exceptions: `reaches_anywhere` treats null annotations as no annotations, and `has_comment` is false
for them. Bytes that are not a game are an error: of the function's argument, or, if they come from a column of the archive, damage of
that column.

| argument | type and meaning |
| --- | --- |
| `moves` | the column `moves`, `BYTEA`: the main line, with its start if that is not the standard one |
| `n` | the number of a half-move, from 1. Negative numbers count from the end: -1 is the last one. 0 and numbers beyond either end give null |
| `fen` | `VARCHAR`: a position, of chess if no `variant` follows |
| `variant` | `VARCHAR`: `chess`, `chess960`, `makruk`, `makpong` or `asean` |
| `result` | the column `result`, `VARCHAR`: `1-0`, `0-1`, `1/2-1/2` or `*` |
| `side` | `VARCHAR`: `white` or `black`, or `w` or `b`, in either case; both sides by default |
| `piece` | `VARCHAR`: `P`, `N`, `B`, `R`, `Q` or `K`, in either case. In Makruk and its variants, `S` or `B` is the khon, and `M` or `Q` the met |

This page is made from the table of functions in `crates/functions`. The examples use ten small games,
`crates/functions/tests/games.pgn`; tests compare the results.
";
