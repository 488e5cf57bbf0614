//! The line of a query that has an error.

use crate::color::{self, ERROR, FRAME, paint};
use crate::visible::visible;
use halfmove_sql::Place;
use unicode_width::UnicodeWidthStr;

/// The number of characters of a long line to show before and after the place.
const AROUND: usize = 60;

/// The word of the query at a place, with its table and its quotes, if it has any. A sign counts as a word.
pub(super) fn word_at(query: &str, place: Place) -> Option<String> {
    let (chars, at) = line_of(query, place)?;
    let mut length = name_length(&chars[at..]);
    while length > 0 && chars.get(at + length) == Some(&'.') {
        match name_length(&chars[at + length + 1..]) {
            0 => break,
            more => length += 1 + more,
        }
    }
    Some(chars[at..].iter().take(length.max(1)).collect())
}

/// The number of characters of the name with which a text begins.
fn name_length(chars: &[char]) -> usize {
    match chars.first() {
        Some('"') => chars.iter().skip(1).position(|char| *char == '"').map_or(0, |end| end + 2),
        _ => chars.iter().take_while(|char| is_part(char)).count(),
    }
}

/// The line of the query with a mark below the word at the place.
pub(super) fn excerpt(query: &str, place: Place) -> Option<String> {
    let (chars, at) = line_of(query, place)?;
    let word = word_at(query, place)?;
    let length = word.chars().count().max(1);
    let from = at.saturating_sub(AROUND);
    let to = (at + length).saturating_add(AROUND).min(chars.len());
    let part = |range: std::ops::Range<usize>| {
        chars.get(range).unwrap_or_default().iter().collect::<String>()
    };
    let (start, end) = (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
    let before = part(from..at);
    let (before, shown) = (visible(&before), part(from..to));
    let indent = " ".repeat(start.width() + before.width());
    let carets = "^".repeat(visible(&word).width().max(1));
    let is_on = color::on_stderr();
    let number =
        if query.trim_end().contains('\n') { place.line.to_string() } else { String::new() };
    let (bar, number) = (paint("│", FRAME, is_on), format!("{number:>2}"));
    Some(format!(
        "{} {bar} {start}{}{end}\n   {bar} {indent}{}\n",
        paint(&number, FRAME, is_on),
        visible(&shown),
        paint(&carets, ERROR, is_on)
    ))
}

/// The characters of the line, and the number of those before the place.
fn line_of(query: &str, place: Place) -> Option<(Vec<char>, usize)> {
    let line = usize::try_from(place.line.checked_sub(1)?).ok()?;
    let chars: Vec<char> = query.split('\n').nth(line)?.trim_end().chars().collect();
    let at = usize::try_from(place.column.checked_sub(1)?).ok()?;
    (at <= chars.len()).then_some((chars, at))
}

fn is_part(char: &char) -> bool {
    char.is_alphanumeric() || *char == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(query: &str, line: u64, column: u64) -> Option<String> {
        excerpt(query, Place { line, column })
    }

    #[test]
    fn the_mark_stands_below_the_word() {
        assert_eq!(
            marked("selct * from games", 1, 1).unwrap(),
            "   │ selct * from games\n   │ ^^^^^\n"
        );
        assert_eq!(
            marked("select '棋', whit\nfrom games", 1, 13).unwrap(),
            " 1 │ select '棋', whit\n   │              ^^^^\n"
        );
        assert_eq!(marked("select", 1, 7).unwrap(), "   │ select\n   │       ^\n");
        for (line, column) in [(0, 1), (1, 0), (2, 1), (1, 9)] {
            assert_eq!(marked("select", line, column), None);
        }
        let long = format!("select {} x {}", "1,".repeat(100), ",2".repeat(100));
        let shown = marked(&long, 1, 209).unwrap();
        assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
        assert!(shown.starts_with("   │ …") && shown.contains("…\n"), "{shown}");
    }

    #[test]
    fn words_and_signs() {
        let word = |column| word_at("select é_1 from (x", Place { line: 1, column });
        for (column, expected) in [(1, "select"), (8, "é_1"), (17, "("), (18, "x"), (19, "")] {
            assert_eq!(word(column).as_deref(), Some(expected), "{column}");
        }
        assert_eq!(word(20), None);
        let word = |query| word_at(query, Place { line: 1, column: 1 });
        for (query, expected) in [
            ("g.whit from", "g.whit"),
            ("\"a b\".\"c\" = 1", "\"a b\".\"c\""),
            ("g. from", "g"),
            ("\"open", "\""),
            (".", "."),
        ] {
            assert_eq!(word(query).as_deref(), Some(expected), "{query}");
        }
    }
}
