//! The line of a query where a mistake is.

use crate::color::{self, ERROR, FRAME, paint};
use crate::visible::visible;
use unicode_width::UnicodeWidthStr;

/// The number of characters of a long line that are shown before and behind the place.
const AROUND: usize = 60;

/// The line of the query with a mark below the word at the place.
pub(super) fn excerpt(query: &str, line: usize, column: usize) -> Option<String> {
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
