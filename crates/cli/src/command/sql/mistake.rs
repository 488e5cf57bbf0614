//! What is wrong with a query: where it is, and what may have been meant.
//!
//! ```text
//! error: there is no column whit
//!   │ select whit from games
//!   │        ^^^^
//! hint: did you mean white?
//! ```

use super::complete::KEYWORDS;
use crate::color::{self, ERROR, FRAME, paint};
use crate::output::Advised;
use crate::visible::visible;
use anyhow::{Error, anyhow};
use halfmove_archive::ArchiveError;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// An error of a query, with the place in the query and with advice, as far as they are known.
pub(super) fn explain(error: Error, query: &str) -> Error {
    match error.downcast_ref() {
        Some(ArchiveError::Query(text)) => of_query(text, Some(query)),
        _ => explained(error),
    }
}

/// An error of a condition or of a query whose text is not at hand, with advice.
pub(crate) fn explained(error: Error) -> Error {
    match error.downcast_ref() {
        // Where more is said than this, all of it is kept.
        Some(ArchiveError::Query(text)) if error.chain().count() == 1 => of_query(text, None),
        Some(ArchiveError::Limit(text)) if MEMORY.iter().any(|words| text.contains(words)) => {
            let hint =
                "--memory 4G lets it take more, 4 GiB; LIMIT, or conditions, make it take less";
            Advised::new(error, hint).into()
        }
        _ => error,
    }
}

/// What stands in the errors that more memory helps against.
const MEMORY: [&str; 2] = ["more memory", "at once"];

fn of_query(text: &str, query: Option<&str>) -> Error {
    let (text, place) = place(text);
    let advice = [": did you mean ", ": the table is "];
    let cut = advice.iter().find_map(|advice| text.find(advice)).map(|at| text.split_at(at));
    let (text, near) = match cut {
        Some((text, near)) => (text.to_owned(), Some(near[2..].to_owned())),
        None => (text, None),
    };
    let query = query.unwrap_or_default();
    let place = place.or_else(|| of_name(&text, query));
    let excerpt = place.and_then(|(line, column)| excerpt(query, line, column));
    let hint = meant(&text)
        .or_else(|| date(&text))
        .or_else(|| other_table(&text))
        .or(near)
        .or_else(|| dotted(query))
        .or_else(|| keyword(&text))
        .or_else(|| file(query))
        .or_else(|| unquoted(&text, query));
    let place = match (&excerpt, place) {
        // Without the query, the numbers are all there is.
        (None, Some((line, column))) => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    Advised::at(anyhow!("{text}{place}"), excerpt, hint).into()
}

/// Names that other tables of games have, and what there is here.
const MEANT: [(&str, &str); 27] = [
    ("column player", "the names of the players are in the columns white and black"),
    ("column name", "the names of the players are in the columns white and black"),
    ("column opening", "opening(moves) is a function; tag('Opening') is what the file says"),
    ("column elo", "the ratings are in the columns white_elo and black_elo"),
    ("column rating", "the ratings are in the columns white_elo and black_elo"),
    ("column winner", "the column result is 1-0, 0-1, 1/2-1/2 or *"),
    ("column length", "the column plies has the number of half-moves"),
    (
        "column fen",
        "fen_at(moves, 10) is the position after 10 half-moves, final_fen(moves) the last one",
    ),
    ("column pgn", "san(moves) is the main line as text; halfmove export writes PGN"),
    ("column opening_name", "opening(moves) is a function; tag('Opening') is what the file says"),
    ("column eco_code", "the column eco is the tag; eco(moves) is the code by the positions"),
    ("column ply_count", "the column plies has the number of half-moves"),
    ("column clock", CLOCK),
    ("function clock", CLOCK),
    ("function clocks", CLOCK),
    ("column eval", EVALUATION),
    ("function eval", EVALUATION),
    ("function evals", EVALUATION),
    ("function evaluation", EVALUATION),
    ("function evaluations", EVALUATION),
    (
        "function mate",
        "mate_at(evaluations, 10) is the number of moves to mate after 10 half-moves",
    ),
    ("function opening_name", "opening(moves) is the name of the opening"),
    ("function material", "shows(moves, 'material:KRPvKR') asks what is on the board"),
    ("function fen", "fen_at(moves, 10) is the position after 10 half-moves"),
    ("function move", "move_at(moves, 10) is the tenth half-move"),
    ("function year", "year is a column, null if the year is not known"),
    ("function month", "date_part('month', date), null if the day is not known"),
];

const CLOCK: &str = "clock_at(clocks, 10) is the clock after 10 half-moves, in seconds";
const EVALUATION: &str =
    "eval_at(evaluations, 10) is the evaluation after 10 half-moves, in centipawns";

/// A date that is none, and the parts of one.
fn date(text: &str) -> Option<String> {
    let is_cast = text.starts_with("Cannot cast string '") && text.contains(" Date32");
    let hint = match (is_cast, text.starts_with("Function 'date_part'")) {
        (true, _) => {
            "a date is '1990-12-31', and null where the day is not known; by year: year >= 1990"
        }
        (_, true) => "the part comes first: date_part('month', date)",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// A file in place of the table.
fn other_table(text: &str) -> Option<String> {
    let name = text.strip_prefix("there is no table ")?.trim_matches('"').to_lowercase();
    let endings = [".csv", ".tsv", ".json", ".ndjson", ".parquet", ".txt", ".db"];
    endings.iter().any(|ending| name.ends_with(ending)).then(|| {
        "a query reads no other files: write the games to one (--output games.parquet), and join \
         them in a program such as DuckDB"
            .to_owned()
    })
}

/// What there is in place of a name that there is not.
fn meant(text: &str) -> Option<String> {
    let missing = text.strip_prefix("there is no ")?.split(',').next()?;
    let (kind, name) = missing.split_once(' ')?;
    // The table before the name of a column.
    let missing = format!("{kind} {}", name.rsplit('.').next().unwrap_or(name));
    let (_, meant) = MEANT.iter().find(|(name, _)| *name == missing)?;
    Some((*meant).to_owned())
}

/// A command of the prompt that was given as the query.
fn dotted(query: &str) -> Option<String> {
    let name = query.trim().trim_end_matches(';').split(' ').next()?;
    let instead = match name.strip_prefix('.')? {
        "schema" => "describe games",
        "tables" => "show tables",
        "functions" => "halfmove sql --help",
        "format" | "mode" => "--format",
        "rows" => "--limit",
        name if name.starts_with(char::is_alphabetic) => return Some(PROMPT.to_owned()),
        _ => return None,
    };
    Some(format!("{PROMPT}; here: {instead}"))
}

const PROMPT: &str = "commands with a dot are for the prompt, halfmove sql without a query";

/// The text of an error without the place that the engine's parser has written behind it: line and column, from 1.
fn place(text: &str) -> (String, Option<(usize, usize)>) {
    let found = text.split_once(" at Line: ").and_then(|(before, rest)| {
        let (line, rest) = rest.split_once(", Column: ")?;
        let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
        let (column, after) = rest.split_at(end);
        Some((format!("{before}{after}"), (line.parse().ok()?, column.parse().ok()?)))
    });
    match found {
        Some((text, place)) => (text, Some(place)),
        None => (text.to_owned(), None),
    }
}

/// The place of the name that an error is about, if it stands in the query once.
fn of_name(text: &str, query: &str) -> Option<(usize, usize)> {
    let kinds = ["there is no column ", "there is no function ", "there is no table "];
    let name = kinds.iter().find_map(|kind| text.strip_prefix(kind))?;
    let name = name.split([':', ',']).next()?;
    let name = name.rsplit('.').next()?.trim_matches('"');
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let lower = query.to_ascii_lowercase();
    let mut places = lower.match_indices(name).filter(|(at, _)| {
        !query[..*at].ends_with(is_part) && !query[at + name.len()..].starts_with(is_part)
    });
    let (at, _) = places.next().filter(|_| !name.is_empty())?;
    if places.next().is_some() {
        return None;
    }
    let line = query[..at].matches('\n').count() + 1;
    let begin = query[..at].rfind('\n').map_or(0, |at| at + 1);
    Some((line, query[begin..at].chars().count() + 1))
}

/// How much of a long line is shown before and behind the place.
const AROUND: usize = 60;

/// The line of the query with a mark below the word at the place.
fn excerpt(query: &str, line: usize, column: usize) -> Option<String> {
    let text = query.split('\n').nth(line.checked_sub(1)?)?.trim_end();
    let chars: Vec<char> = text.chars().collect();
    let at = column.checked_sub(1).filter(|at| *at <= chars.len())?;
    let is_part = |char: &&char| char.is_alphanumeric() || **char == '_';
    let length = chars[at..].iter().take_while(is_part).count().max(1);
    let from = at.saturating_sub(AROUND);
    let to = (at + length).saturating_add(AROUND).min(chars.len());
    let part = |range: std::ops::Range<usize>| {
        chars.get(range).unwrap_or_default().iter().collect::<String>()
    };
    let (start, end) = (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
    let before = part(from..at);
    let (before, shown) = (visible(&before), part(from..to));
    let indent = " ".repeat(start.width() + before.width());
    let word = part(at..(at + length).min(chars.len()));
    let carets = "^".repeat(visible(&word).width().max(1));
    let is_on = color::on_stderr();
    let number = if query.trim_end().contains('\n') { line.to_string() } else { String::new() };
    let (bar, number) = (paint("│", FRAME, is_on), format!("{number:>2}"));
    Some(format!(
        "{} {bar} {start}{}{end}\n   {bar} {indent}{}\n",
        paint(&number, FRAME, is_on),
        visible(&shown),
        paint(&carets, ERROR, is_on)
    ))
}

/// The word of SQL that comes near the one at which the parser gave up.
fn keyword(text: &str) -> Option<String> {
    let (_, found) = text.split_once(", found: ")?;
    let found = found.to_ascii_lowercase();
    let most = if found.len() < 4 { 1 } else { 2 };
    let distance = |word: &&&str| strsim::osa_distance(word, &found);
    let near = KEYWORDS.iter().min_by_key(distance)?;
    let is_near = (1..=most).contains(&distance(&near)) && found != "eof";
    is_near.then(|| format!("did you mean {near}?"))
}

/// A name that is no column, where a text was meant.
fn unquoted(text: &str, query: &str) -> Option<String> {
    let (name, _) = text.strip_prefix("there is no column ")?.split_once(", expected ")?;
    let at = query.to_ascii_lowercase().find(name);
    let typed = at.and_then(|at| query.get(at..at + name.len())).unwrap_or(name);
    let is_word = typed.chars().all(|char| char.is_alphanumeric() || char == '_');
    is_word.then(|| format!("a text stands in single quotes: '{typed}'"))
}

/// A file that was given as the query.
fn file(query: &str) -> Option<String> {
    let name = query.trim();
    let is_file = !name.contains(char::is_whitespace) && Path::new(name).is_file();
    is_file.then(|| format!("to read the query from the file: --file {name}"))
}

#[cfg(test)]
mod tests {
    use super::{
        MEANT, date, dotted, excerpt, keyword, meant, of_name, other_table, place, unquoted,
    };
    use halfmove_archive::schema::COLUMNS;

    #[test]
    fn the_parser_says_where() {
        let text = "Expected: an SQL statement, found: selct at Line: 1, Column: 12";
        let (text, found) = place(text);
        assert_eq!(text, "Expected: an SQL statement, found: selct");
        assert_eq!(found, Some((1, 12)));
        assert_eq!(place("division by zero"), ("division by zero".to_owned(), None));
    }

    #[test]
    fn a_name_that_stands_there_once_is_found() {
        let query = "select white,\n  whit, 'é' from games where whitx";
        assert_eq!(of_name("there is no column whit: did you mean white?", query), Some((2, 3)));
        assert_eq!(of_name("there is no column games.whit", query), Some((2, 3)));
        assert_eq!(of_name("there is no column black, expected white", query), None);
        assert_eq!(of_name("there is no column a", "select a, a from games"), None);
        assert_eq!(of_name("division by zero", query), None);
    }

    #[test]
    fn near_words_are_advised() {
        let advice = |found: &str| keyword(&format!("Expected: something, found: {found}"));
        for (found, near) in
            [("selct", "select"), ("form", "from"), ("GRUOP", "group"), ("whre", "where")]
        {
            assert_eq!(advice(found), Some(format!("did you mean {near}?")));
        }
        for found in ["EOF", "karpov", "from", ")", "x"] {
            assert_eq!(advice(found), None, "{found}");
        }
        let text = "there is no column karpov, expected id, white";
        let advice = "a text stands in single quotes: 'Karpov'";
        assert_eq!(unquoted(text, "white = Karpov").as_deref(), Some(advice));
        assert_eq!(unquoted("there is no column g.x, expected id", "g.x = 1"), None);
        assert_eq!(unquoted("division by zero", ""), None);
    }

    #[test]
    fn names_of_other_tables_are_told() {
        for (name, hint) in MEANT {
            let (kind, name) = name.split_once(' ').unwrap();
            assert!(kind != "column" || COLUMNS.iter().all(|column| column.name != name), "{name}");
            let text = format!("there is no {kind} {name}");
            assert_eq!(meant(&text).as_deref(), Some(hint));
        }
        let of_game = "there is no column games.player, expected id, white";
        assert_eq!(meant(of_game), meant("there is no column player"));
        assert_eq!(meant("there is no column players"), None);
        assert!(other_table("there is no table \"fide.CSV\"").is_some());
        assert_eq!(other_table("there is no table \"csv\""), None);
        assert!(date("Cannot cast string '1990' to value of Date32 type").is_some());
        assert_eq!(date("Cannot cast string 'x' to value of Int64 type"), None);
        assert!(dotted(" .schema;").unwrap().ends_with("; here: describe games"));
        assert!(dotted(".help").unwrap().ends_with("without a query"));
        assert_eq!(dotted(".5 + 1"), None);
    }

    #[test]
    fn the_mark_stands_below_the_word() {
        assert_eq!(
            excerpt("selct * from games", 1, 1).unwrap(),
            "   │ selct * from games\n   │ ^^^^^\n"
        );
        assert_eq!(
            excerpt("select '棋', whit\nfrom games", 1, 13).unwrap(),
            " 1 │ select '棋', whit\n   │              ^^^^\n"
        );
        assert_eq!(excerpt("select", 1, 7).unwrap(), "   │ select\n   │       ^\n");
        for (line, column) in [(0, 1), (1, 0), (2, 1), (1, 9)] {
            assert_eq!(excerpt("select", line, column), None);
        }
        let long = format!("select {} x {}", "1,".repeat(100), ",2".repeat(100));
        let shown = excerpt(&long, 1, 209).unwrap();
        assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
        assert!(shown.starts_with("   │ …") && shown.contains("…\n"), "{shown}");
    }
}
