//! Draws a fault below the line of the file that has it.

use super::tape::Excerpt;
use crate::visible::visible;
use console::style;
use halfmove_game::Tags;
use halfmove_game::pgn::{Fault, FaultKind};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// Draws a fault: title, place, line, reason and help.
pub(crate) fn draw(file: &str, fault: &Fault, tags: &Tags, line: Option<Excerpt>) -> String {
    let mut text = String::new();
    let label = match fault.kind.is_error() {
        true => style("error").red().bold(),
        false => style("warning").yellow().bold(),
    };
    let title = fault.kind.title();
    let number = fault.at.line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = style("│").blue();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{label}: {}", style(visible(&title)).bold());
    let _ = write!(
        text,
        "{gutter} {} {}:{}:{}",
        style("┌─").blue(),
        visible(file),
        fault.at.line,
        fault.at.column
    );
    let _ = writeln!(text, "{}", visible(&of_game(fault, tags)));
    if let Some(line) = line {
        let start = if line.cut_before { "…" } else { "" };
        let end = if line.cut_after { "…" } else { "" };
        let (before, word) = (visible(&line.before), visible(&line.word));
        let _ = writeln!(text, "{gutter} {bar}");
        let _ = writeln!(
            text,
            "{} {bar} {start}{before}{word}{}{end}",
            style(&number).blue(),
            visible(&line.after)
        );
        let indent = " ".repeat(start.width() + before.width());
        let carets = "^".repeat(word.width().max(1));
        let reason = fault.kind.reason();
        let under = format!("{carets} {}", visible(&reason));
        let under = style(under.trim_end()).red();
        let _ = writeln!(text, "{gutter} {bar} {indent}{under}");
    }
    if let Some(help) = fault.kind.advice() {
        let _ = writeln!(text, "{gutter} {} {}", style("= help:").blue(), visible(&help));
    }
    text
}

/// The game and the move that a fault is in: `   (game 3, move 5: Morphy – Anderssen)`.
fn of_game(fault: &Fault, tags: &Tags) -> String {
    if fault.game == 0 || matches!(fault.kind, FaultKind::Outside { .. }) {
        return String::new();
    }
    let mv = match (fault.number, fault.depth) {
        (None, _) => String::new(),
        (Some(number), 0) => format!(", move {number:#}"),
        (Some(number), _) => format!(", move {number:#} of a variation"),
    };
    let short = |name: &str| name.chars().take(40).collect::<String>();
    let players = match (tags.value("White"), tags.value("Black")) {
        (None, None) => String::new(),
        (white, black) => {
            format!(": {} – {}", short(white.unwrap_or("?")), short(black.unwrap_or("?")))
        }
    };
    format!("   (game {}{mv}{players})", fault.game)
}
