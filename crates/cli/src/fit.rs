//! Tables that fit the width of a terminal.

use crate::visible::visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Between two columns.
const GAP: usize = 2;

/// No text is cut to less.
const LEAST: usize = 6;

/// Cuts the longest texts of a table until its lines are no longer than a terminal is wide. Numbers stay whole.
pub(crate) fn fit(
    heading: &[&str],
    rows: &mut [Vec<String>],
    is_number: impl Fn(usize) -> bool,
    width: usize,
) {
    let mut widths: Vec<usize> = heading.iter().map(|name| name.width()).collect();
    let least: Vec<usize> = widths.iter().map(|width| (*width).max(LEAST)).collect();
    for row in &*rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(visible(cell).width());
        }
    }
    let room = width.saturating_sub(GAP * widths.len().saturating_sub(1));
    // The widest column gives way to the others.
    while widths.iter().sum::<usize>() > room {
        let texts = (0..widths.len()).filter(|column| !is_number(*column));
        let widest = texts.filter(|column| widths[*column] > least[*column]);
        let Some(widest) = widest.max_by_key(|column| widths[*column]) else { break };
        widths[widest] -= 1;
    }
    for row in rows {
        for (column, cell) in row.iter_mut().enumerate() {
            if !is_number(column)
                && let Some(width) = widths.get(column)
                && let Some(cut) = cut(cell, *width)
            {
                *cell = cut;
            }
        }
    }
}

/// The beginning of a text that is longer, with an ellipsis.
fn cut(text: &str, width: usize) -> Option<String> {
    let text = visible(text);
    if text.width() <= width {
        return None;
    }
    let mut left = width.saturating_sub(1);
    let is_room = |char: &char| {
        let width = char.width().unwrap_or(0);
        let is_room = width <= left;
        left -= width.min(left);
        is_room
    };
    let cut: String = text.chars().take_while(is_room).collect();
    Some(cut.trim_end().to_owned() + "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(width: usize) -> Vec<Vec<String>> {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let mut rows = vec![
            row(["12345678", "Nepomniachtchi, Ian", "Wijk aan Zee"]),
            row(["1", "Tal, Mikhail", "Riga"]),
            row(["2", "丁立人丁立人丁立人", "Рига"]),
        ];
        fit(&["id", "white", "site"], &mut rows, |column| column == 0, width);
        rows
    }

    fn widest(rows: &[Vec<String>]) -> usize {
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        width(0) + width(1) + width(2) + 2 * GAP
    }

    #[test]
    fn long_texts_give_way() {
        assert_eq!(widest(&table(80)), 8 + 19 + 12 + 4);
        assert_eq!(table(80)[0][1], "Nepomniachtchi, Ian");
        for width in 24..43 {
            let rows = table(width);
            assert!(widest(&rows) <= width, "{width}: {rows:?}");
            assert_eq!(rows[0][0], "12345678");
        }
        let rows = table(38);
        assert_eq!((rows[0][1].as_str(), rows[1][1].as_str()), ("Nepomniachtch…", "Tal, Mikhail"));
        // Signs that take two columns.
        assert_eq!(table(32)[2][1], "丁立人丁…");
        // There is an end to it.
        assert_eq!(table(0)[0], ["12345678", "Nepom…", "Wijk…"]);
    }
}
