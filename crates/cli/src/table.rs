//! Tables for people: columns separated by spaces, numbers aligned to the right, control characters escaped.
//!
//! On a terminal no line is wider than it. The widest columns of text are cut first, each cut marked by `…`; what is still
//! too wide is cut at the right edge.

use crate::args::ToFile;
use crate::color::{self, HEADING, paint};
use crate::screen;
use crate::visible::visible;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The page that a table is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    /// The width in characters; `None` for a file.
    width: Option<usize>,
    colored: bool,
}

impl Page {
    /// A file, or a pipe.
    pub(crate) const FILE: Self = Self { width: None, colored: false };

    /// Standard output, which may be a terminal.
    pub(crate) fn stdout() -> Self {
        Self { width: screen::width(), colored: color::on_stdout() }
    }

    #[cfg(test)]
    pub(crate) fn of_width(width: usize) -> Self {
        Self { width: Some(width), colored: false }
    }

    /// The page of the output that these options choose.
    pub(crate) fn of(to: &ToFile) -> Self {
        if to.file().is_some() { Self::FILE } else { Self::stdout() }
    }

    /// Returns true if the page is a terminal.
    #[cfg(feature = "sql")]
    pub(crate) fn is_terminal(self) -> bool {
        self.width.is_some()
    }

    /// The width that is left after `taken` characters of a line, at least enough for a readable text. A file has no limit.
    #[cfg(feature = "sql")]
    pub(crate) fn room(self, taken: usize) -> usize {
        self.width.map_or(usize::MAX, |width| width.saturating_sub(taken).max(30))
    }

    /// A heading in its color.
    pub(crate) fn heading(self, text: &str) -> String {
        paint(text, HEADING, self.colored)
    }
}

/// The spaces between two columns.
pub(crate) const GAP: usize = 2;

/// The minimum width to which a column of text is cut.
const LEAST: usize = 8;

/// Wraps a text into lines of at most `width` characters, unless a word is longer.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.width().saturating_add(1 + word.width()) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Draws a table, each line with its end.
pub(crate) fn draw(
    heading: &[impl AsRef<str>],
    rows: &[Vec<String>],
    is_number: impl Fn(usize) -> bool,
    page: Page,
) -> String {
    let heading: Vec<Cow<'_, str>> = heading.iter().map(|name| visible(name.as_ref())).collect();
    let rows: Vec<Vec<Cow<'_, str>>> =
        rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let widths = widths(&heading, &rows, &is_number, page.width);
    let fitted = |row: &[Cow<'_, str>]| -> Vec<String> {
        row.iter().zip(&widths).map(|(cell, width)| cut(cell, *width).into_owned()).collect()
    };
    let mut table = Table::new();
    table.load_preset(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(fitted(&heading));
    table.add_rows(rows.iter().map(|row| fitted(row)));
    for (index, column) in table.column_iter_mut().enumerate() {
        let left = if index == 0 { 0 } else { 1 };
        column.set_padding((left, 1));
        if is_number(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for (index, line) in table.lines().enumerate() {
        let line = cut(line.trim_end(), page.width.unwrap_or(usize::MAX));
        match index {
            0 => text.push_str(&page.heading(&line)),
            _ => text.push_str(&line),
        }
        text.push('\n');
    }
    text
}

/// The width of each column, so that all columns fit if they can.
fn widths(
    heading: &[Cow<'_, str>],
    rows: &[Vec<Cow<'_, str>>],
    is_number: &impl Fn(usize) -> bool,
    most: Option<usize>,
) -> Vec<usize> {
    let mut widths: Vec<usize> = heading.iter().map(|name| name.width()).collect();
    let Some(most) = most else { return vec![usize::MAX; widths.len()] };
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let most = most.saturating_sub(GAP * widths.len().saturating_sub(1));
    // Columns of text are cut to one width, the widest that lets all fit.
    let cut_to = |level: usize| {
        let columns = widths.iter().enumerate();
        let cut = columns.map(|(index, width)| match is_number(index) {
            true => *width,
            false => *width.min(&level),
        });
        cut.collect::<Vec<usize>>()
    };
    let widest = widths.iter().copied().max().unwrap_or(0);
    let mut level = (LEAST, widest.max(LEAST));
    while level.0 < level.1 {
        let middle = (level.0 + level.1).div_ceil(2);
        match cut_to(middle).iter().sum::<usize>() <= most {
            true => level.0 = middle,
            false => level.1 = middle - 1,
        }
    }
    cut_to(level.0)
}

/// The text, or as much of it as fits, with a mark.
fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let (mut end, mut taken) = (0, 0);
    for (at, char) in text.char_indices() {
        taken += char.width().unwrap_or(0);
        if taken + 1 > width {
            break;
        }
        end = at + char.len_utf8();
    }
    Cow::Owned(format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    fn on(width: usize) -> Page {
        Page::of_width(width)
    }

    #[test]
    fn texts_are_wrapped_between_words() {
        for (width, expected) in [
            (usize::MAX, &["the moves of the game"][..]),
            (10, &["the moves", "of the", "game"]),
            (3, &["the", "moves", "of", "the", "game"]),
        ] {
            assert_eq!(wrapped("the moves of the game", width), expected, "{width}");
        }
    }

    #[test]
    fn the_widest_text_is_cut_first() {
        let rows = rows(&[
            &["1", "Anderssen, Adolf", "London", "immortal"],
            &["1234", "Kieseritzky, Lionel Adalbert Bagration Felix", "棋士の部屋", "x"],
        ]);
        let heading = ["id", "white", "site", "event"];
        let whole = draw(&heading, &rows, |column| column == 0, Page::FILE);
        assert_eq!(draw(&heading, &rows, |column| column == 0, on(200)), whole);
        let cut = draw(&heading, &rows, |column| column == 0, on(50));
        let line = |id, white, site, event| format!("{id:>4}  {white:22}  {site}  {event}\n");
        let expected = [
            line("id", "white", "site      ", "event"),
            line("1", "Anderssen, Adolf", "London    ", "immortal"),
            line("1234", "Kieseritzky, Lionel A…", "棋士の部屋", "x"),
        ];
        assert_eq!(cut, expected.concat());
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let long = "grandmaster ".repeat(9);
        let row: Vec<String> = (0..12).map(|index| format!("{index}{long}")).collect();
        let heading: Vec<String> = (0..12).map(|index| format!("column {index}")).collect();
        for width in 1..300 {
            let text = draw(&heading, &[row.clone(), row.clone()], |_| false, on(width));
            assert_eq!(text.lines().count(), 3);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn only_the_heading_has_color() {
        let page = Page { width: None, colored: true };
        let text = draw(&["id"], &rows(&[&["1"]]), |_| true, page);
        assert_eq!(text, "\u{1b}[1mid\u{1b}[0m\n 1\n");
        let hostile = rows(&[&["\u{1b}[31mred"]]);
        assert_eq!(draw(&["\u{1b}"], &hostile, |_| false, Page::FILE), "\\u{1b}\n\\u{1b}[31mred\n");
    }
}
