//! The screen of a viewer as lines of text.

use super::super::sheet::{Step, values};
use super::Viewer;
use crate::board;
use crate::output::grouped;
use crate::visible::visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The height of the board and of the text next to it.
const BOARD: usize = 18;
const GAP: usize = 4;

/// The minimum width of wrapped text.
const LEAST: usize = 20;

/// The lines around the board: above it the players, the event and a space; below it a space, the position, the moves, a
/// space, the place and the keys.
pub(super) const AROUND: usize = 3 + 1 + 1 + MOVES + 1 + 1 + 1;

/// The lines of the moves.
const MOVES: usize = 2;

/// The keys, named below the board.
const KEYS: &str = "→ ← step, v variation, u out, 18 Enter move";

impl Viewer<'_> {
    /// The lines of a screen with this number of rows and columns. They have no control characters.
    pub(in super::super) fn screen(&self, rows: usize, columns: usize) -> Vec<String> {
        let step = self.step();
        let board = board::draw(&step.position, self.below);
        let board: Vec<&str> = board.lines().collect();
        let height = rows.saturating_sub(AROUND).max(board.len());
        let width = columns.saturating_sub(BOARD + GAP).max(LEAST);
        let mut beside = self.beside(step, width);
        if beside.len() > height {
            beside.truncate(height - 1);
            beside.push("…".to_owned());
        }
        let mut lines = vec![self.players(), self.event(), String::new()];
        for row in 0..board.len().max(beside.len()) {
            let (left, right) = (board.get(row).unwrap_or(&""), beside.get(row));
            let room = " ".repeat((BOARD + GAP).saturating_sub(left.width()));
            lines.push(match right {
                Some(right) => format!("{left}{room}{right}"),
                None => (*left).to_owned(),
            });
        }
        lines.extend([String::new(), step.position.to_string()]);
        lines.extend(self.moves(columns));
        let game = if self.games.count() > 1 { ", PgDn PgUp game" } else { "" };
        lines.extend([String::new(), self.state(), format!("{KEYS}{game}, f flip, q quit")]);
        lines.iter().map(|line| cut(&visible(line), columns)).collect()
    }

    /// The message of the last command, the number that is being typed, or the place:
    /// `game 2 of 17 (id 988), move 16 of 38...`.
    fn state(&self) -> String {
        if let Some(note) = &self.note {
            return note.clone();
        }
        if !self.typed.is_empty() {
            return format!("move {}: Enter goes there", self.typed);
        }
        let place = self.place();
        let mut text = match self.games.count() {
            1 => String::new(),
            count => {
                let (index, count) = (grouped(self.index + 1), grouped(count));
                format!("game {index} of {count} (id {}), ", self.shown.id)
            }
        };
        if place.number.is_some() {
            text += "variation, ";
        }
        let last = place.sheet.steps.last().and_then(|step| step.number);
        text += &match (self.step().number, last) {
            (Some(number), Some(last)) => format!("move {number:#} of {last:#}"),
            _ => place.range(),
        };
        text
    }

    /// `Morphy, Paul – Anderssen, Adolf (2400)   1-0`
    fn players(&self) -> String {
        let tags = &self.shown.game.tags;
        let player = |name: &str, elo: &str| {
            let name = tags.value(name).unwrap_or("?");
            match tags.value(elo).filter(|elo| !matches!(*elo, "" | "?" | "-" | "0")) {
                Some(elo) => format!("{name} ({elo})"),
                None => name.to_owned(),
            }
        };
        let result = tags.value("Result").unwrap_or("*");
        format!("{} – {}   {result}", player("White", "WhiteElo"), player("Black", "BlackElo"))
    }

    fn event(&self) -> String {
        let tags = &self.shown.game.tags;
        let known = ["Event", "Site", "Date", "Round", "ECO"].map(|name| tags.value(name));
        let known = known.into_iter().flatten();
        known.filter(|text| text.contains(char::is_alphanumeric)).collect::<Vec<_>>().join(", ")
    }

    /// The text next to the board: the move and its annotations.
    fn beside(&self, step: &Step, width: usize) -> Vec<String> {
        let mut lines = vec![step.name()];
        lines.extend(values(step.clock, step.evaluation));
        let variations = step.variations.iter().map(|line| &line.text);
        for text in step.comments.iter().chain(variations) {
            lines.push(String::new());
            wrap(text, width, &mut lines);
        }
        let place = self.place();
        let is_end = place.number.is_none() && place.at == place.last();
        if let Some(fault) = self.shown.fault.as_ref().filter(|_| is_end) {
            lines.push(String::new());
            wrap(&format!("The moves end at a fault: {fault}"), width, &mut lines);
        }
        lines
    }

    /// The moves around the current one, which is in brackets.
    fn moves(&self, columns: usize) -> Vec<String> {
        let (steps, at) = (&self.place().sheet.steps, self.place().at);
        let text = |range: std::ops::Range<usize>| {
            let first = range.start;
            let words = range.map(|ply| {
                let step = &steps[ply];
                let mut word = match step.number.filter(|_| step.is_white || ply == first) {
                    Some(number) => format!("{number} {}", step.san),
                    None => step.san.clone(),
                };
                if ply == at {
                    word = format!("[{word}]");
                }
                word
            });
            words.collect::<Vec<_>>().join(" ")
        };
        // As much as there is room for, the current move not far from the middle.
        let (mut first, mut end) = (at.max(1), (at + 1).max(1));
        let mut best = Vec::new();
        loop {
            let mut lines = Vec::new();
            wrap(&text(first..end), columns.max(LEAST), &mut lines);
            if lines.len() > MOVES {
                break;
            }
            best = lines;
            let before = (first, end);
            first = first.saturating_sub(1).max(1);
            end = (end + 1).min(steps.len());
            if (first, end) == before {
                break;
            }
        }
        best.resize(MOVES, String::new());
        best
    }
}

/// Adds a text in lines of some width.
fn wrap(text: &str, width: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    for word in visible(text).split_whitespace() {
        let mut word = word;
        if !line.is_empty() {
            if line.width() + 1 + word.width() <= width {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            lines.push(std::mem::take(&mut line));
        }
        // A word that is longer than a line continues in the next one.
        while word.width() > width {
            let head = cut(word, width);
            word = &word[head.len()..];
            lines.push(head);
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
}

/// As much of a text as fits, at least one character.
fn cut(text: &str, width: usize) -> String {
    let mut left = width;
    let mut cut = String::new();
    for char in text.chars() {
        let width = char.width().unwrap_or(0);
        if width > left && !cut.is_empty() {
            break;
        }
        left = left.saturating_sub(width);
        cut.push(char);
    }
    cut
}
