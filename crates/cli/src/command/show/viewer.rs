//! Steps through a game: takes commands, and returns the text of a screen. It does not depend on a terminal.

use super::sheet::{Sheet, Step, values};
use crate::board;
use crate::visible::visible;
use halfmove_game::Game;
use halfmove_rules::Color;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Next,
    Back,
    First,
    Last,
    Flip,
    Quit,
}

/// The board and what is beside it.
const BOARD: usize = 18;
const GAP: usize = 4;

/// The minimum width of wrapped text.
const LEAST: usize = 20;

/// The lines around the board: above it the players, the event and a space; below it a space, the position, the moves, a
/// space and the keys.
const AROUND: usize = 3 + 1 + 1 + MOVES + 1 + 1;

/// The lines of the moves.
const MOVES: usize = 2;

/// A game that is stepped through.
pub(super) struct Viewer<'a> {
    game: &'a Game,
    /// The fault at which the moves end early.
    fault: Option<&'a str>,
    sheet: &'a Sheet,
    ply: usize,
    below: Color,
}

impl<'a> Viewer<'a> {
    /// Begins after some half-moves, with White below unless the board is flipped.
    pub(super) fn new(game: &'a Game, sheet: &'a Sheet, ply: usize, flip: bool) -> Self {
        let below = if flip { Color::Black } else { Color::White };
        Self { game, fault: None, sheet, ply, below }
    }

    /// Sets the reason why the moves end early.
    pub(super) fn with_fault(self, fault: Option<&'a str>) -> Self {
        Self { fault, ..self }
    }

    /// Runs a command. Returns false if it ends the viewer.
    pub(super) fn press(&mut self, command: Command) -> bool {
        let last = self.sheet.steps.len() - 1;
        match command {
            Command::Next => self.ply = (self.ply + 1).min(last),
            Command::Back => self.ply = self.ply.saturating_sub(1),
            Command::First => self.ply = 0,
            Command::Last => self.ply = last,
            Command::Flip => self.below = !self.below,
            Command::Quit => return false,
        }
        true
    }

    /// The lines of a screen with this number of rows and columns. They have no control characters.
    pub(super) fn screen(&self, rows: usize, columns: usize) -> Vec<String> {
        let step = &self.sheet.steps[self.ply];
        let board = board::draw(&self.game.position(self.ply), self.below);
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
        lines.extend([String::new(), step.fen.clone()]);
        lines.extend(self.moves(columns));
        let last = self.sheet.steps.len() - 1;
        let keys = "→ ← step, Home, End, f flip, q quit";
        lines.extend([String::new(), format!("{} of {last}   {keys}", self.ply)]);
        lines.iter().map(|line| cut(&visible(line), columns)).collect()
    }

    /// `Morphy, Paul – Anderssen, Adolf (2400)   1-0`
    fn players(&self) -> String {
        let tags = &self.game.tags;
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
        let tags = &self.game.tags;
        let known = ["Event", "Site", "Date", "Round", "ECO"].map(|name| tags.value(name));
        let known = known.into_iter().flatten();
        known.filter(|text| text.contains(char::is_alphanumeric)).collect::<Vec<_>>().join(", ")
    }

    /// The text beside the board: the move and its annotations.
    fn beside(&self, step: &Step, width: usize) -> Vec<String> {
        let mut lines = vec![step.name()];
        lines.extend(values(step.clock, step.evaluation));
        for text in step.comments.iter().chain(&step.variations) {
            lines.push(String::new());
            wrap(text, width, &mut lines);
        }
        let is_last = self.ply + 1 == self.sheet.steps.len();
        if let Some(fault) = self.fault.filter(|_| is_last) {
            lines.push(String::new());
            wrap(&format!("The moves end at a fault: {fault}"), width, &mut lines);
        }
        lines
    }

    /// The moves around the current one, which is in brackets.
    fn moves(&self, columns: usize) -> Vec<String> {
        let steps = &self.sheet.steps;
        let text = |range: std::ops::Range<usize>| {
            let first = range.start;
            let words = range.map(|ply| {
                let step = &steps[ply];
                let mut word = match step.is_white || ply == first {
                    true => format!("{} {}", step.number, step.san),
                    false => step.san.clone(),
                };
                if ply == self.ply {
                    word = format!("[{word}]");
                }
                word
            });
            words.collect::<Vec<_>>().join(" ")
        };
        // As much as there is room for, the current move not far from the middle.
        let (mut first, mut end) = (self.ply.max(1), (self.ply + 1).max(1));
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
        // A word that is longer than a line goes on in the next one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_game::pgn::read_game;

    const GAME: &str = "[White \"Morphy, Paul\"]\n[Black \"Duke\u{1b}[2J\"]\n[BlackElo \"1800\"]\n[Event \"Opera\"]\n\
        [Date \"1858.??.??\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:09:58] [%eval -1.25] the king's pawn} \
        e5 2. Nf3 d6 $6 (2... Nc6 3. Bb5) 3. d4 1-0\n";

    #[test]
    fn keys_move_through_the_game() {
        let game = read_game(GAME).unwrap();
        let sheet = Sheet::of(&game);
        let mut viewer = Viewer::new(&game, &sheet, 0, false);
        let mut shown = |command: Option<Command>| {
            assert!(command.is_none_or(|command| viewer.press(command)));
            viewer.screen(24, 80)
        };
        let start = shown(None);
        assert_eq!(start[0], "Morphy, Paul – Duke\\u{1b}[2J (1800)   1-0");
        assert_eq!(start[1], "Opera, 1858.??.??");
        assert_eq!(start[3], "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜    the start");
        assert!(start.contains(&"1. e4 e5 2. Nf3 d6 3. d4".to_owned()), "{start:#?}");
        // There is nothing before the start.
        assert_eq!(shown(Some(Command::Back)), start);

        let e4 = shown(Some(Command::Next));
        assert_eq!(e4[3], "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜    1. e4");
        assert_eq!(e4[4], "7  ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟    clock 0:09:58");
        assert_eq!(e4[5], "6  · · · · · · · ·    evaluation −1.25");
        assert_eq!(e4[7], "4  · · · · ♙ · · ·    the king's pawn");
        assert!(e4.contains(&"[1. e4] e5 2. Nf3 d6 3. d4".to_owned()), "{e4:#?}");
        assert!(
            e4.contains(&"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned())
        );
        assert!(e4.last().unwrap().starts_with("1 of 5 "));

        let last = shown(Some(Command::Last));
        assert!(last.contains(&"1. e4 e5 2. Nf3 d6 [3. d4]".to_owned()));
        assert_eq!(shown(Some(Command::Next)), last);
        let d6 = shown(Some(Command::Back));
        assert!(d6[3].ends_with("2... d6?!") && d6[5].ends_with("(2... Nc6 3. Bb5)"), "{d6:#?}");

        let flipped = shown(Some(Command::Flip));
        assert_eq!(flipped[3], "1  ♖ · ♗ ♔ ♕ ♗ ♘ ♖    2... d6?!");
        assert_eq!(shown(Some(Command::Flip)), d6);
        assert_eq!(shown(Some(Command::First)), start);
        assert!(!viewer.press(Command::Quit));
    }

    /// On terminals of any size, no line is too long, and long comments are cut.
    #[test]
    fn screens_of_all_sizes() {
        let long = "word ".repeat(400) + &"x".repeat(300);
        let text = format!("1. e4 {{{long}}} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *");
        let game = read_game(&text).unwrap();
        let sheet = Sheet::of(&game);
        for columns in [1, 20, 40, 80, 200] {
            for rows in [1, 10, 24, 60] {
                for ply in 0..=8 {
                    let viewer = Viewer::new(&game, &sheet, ply, true);
                    let screen = viewer.screen(rows, columns);
                    assert!(screen.iter().all(|line| line.width() <= columns), "{columns}");
                    assert!(screen.len() <= rows.max(AROUND + 9), "{rows}: {}", screen.len());
                }
            }
        }
        let screen = Viewer::new(&game, &sheet, 1, false).screen(24, 80);
        assert!(screen.iter().any(|line| line.ends_with("…")), "{screen:#?}");
    }
}
