//! The line of a query where a mistake is.

use crate::color::{self, ERROR, FRAME, paint};
use crate::visible::visible;
use halfmove_sql::Place;
use unicode_width::UnicodeWidthStr;

/// The number of characters of a long line that are shown before and behind the place.
const AROUND: usize = 60;

/// The word of the query at a place; a sign is one, too.
pub(super) fn word_at(query: &str, place: Place) -> Option<String> {
    let (chars, at) = line_of(query, place)?;
    let length = chars[at..].iter().take_while(|char| is_part(char)).count().max(1);
    Some(chars[at..].iter().take(length).collect())
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
