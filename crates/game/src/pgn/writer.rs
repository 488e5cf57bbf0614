//! PGN's export format.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write};

use halfmove_rules::{Chess, Color};

use super::class::is_tag_name;
use crate::game::Game;
use crate::result::GameResult;

/// The longest line of movetext, in bytes and without its line end.
const COLUMNS: usize = 80;

/// Writes games in the export format of the PGN standard.
///
/// Tags come in the order given, with their exact text (only a line break, which a tag cannot hold,
/// becomes a blank). If the game does not begin at the usual
/// start and has no `FEN` tag, `SetUp` and `FEN` are added behind the others. The movetext ends
/// with its own result, else with that of the `Result` tag if that is one of the four tokens,
/// else with `*`. Reading what was written gives the same game (with that result); only a game
/// without tags and without moves cannot be told from no game at all.
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::{GameReader, Writer};
///
/// let text = "[Event \"?\"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n\n";
/// let mut game = Game::default();
/// GameReader::new(text.as_bytes()).read(&mut game)?;
///
/// let mut writer = Writer::new(Vec::new());
/// writer.write(&game)?;
/// assert_eq!(writer.into_inner(), text.as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W> {
    inner: W,
    /// One game's text; it is handed over in one piece.
    text: String,
    /// Where the current line of movetext begins in `text`.
    line: usize,
}

impl<W: Write> Writer<W> {
    /// Writes to `inner`, one call a game. Files deserve a `BufWriter`.
    pub fn new(inner: W) -> Writer<W> {
        Writer { inner, text: String::new(), line: 0 }
    }

    /// Writes a game and the blank line after it.
    ///
    /// # Errors
    ///
    /// Those of the sink, and [`ErrorKind::InvalidInput`] for a tag whose name is empty, is
    /// longer than 100 bytes, does not begin with a letter, digit or `_`, or holds anything but
    /// printable ASCII without blanks, quotes and brackets. (A game that was read has none.)
    ///
    /// What a game with illegal moves is written as is not specified.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        self.text.clear();
        self.write_tags(game)?;
        self.write_movetext(game);
        self.inner.write_all(self.text.as_bytes())
    }

    /// Flushes the sink.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }

    /// The sink.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn write_tags(&mut self, game: &Game) -> io::Result<()> {
        let mut has_fen = false;
        for (name, value) in game.tags.iter() {
            has_fen |= name == "FEN";
            self.write_tag(name, value)?;
        }
        let fen = game.start.to_string();
        if !has_fen && fen != Chess::default().to_string() {
            if game.tags.value("SetUp").is_none() {
                self.write_tag("SetUp", "1")?;
            }
            self.write_tag("FEN", &fen)?;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        Ok(())
    }

    fn write_tag(&mut self, name: &str, value: &str) -> io::Result<()> {
        if !is_tag_name(name.as_bytes()) {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                format!("{name:?} cannot be a tag's name: expected letters, digits and _"),
            ));
        }
        self.text.push('[');
        self.text.push_str(name);
        self.text.push_str(" \"");
        for char in value.chars() {
            match char {
                '"' | '\\' => self.text.extend(['\\', char]),
                '\n' | '\r' => self.text.push(' '),
                _ => self.text.push(char),
            }
        }
        self.text.push_str("\"]\n");
        Ok(())
    }

    fn write_movetext(&mut self, game: &Game) {
        self.line = self.text.len();
        let mut position = game.start.clone();
        let mut number = String::new();
        for (index, &mv) in game.moves.iter().enumerate() {
            let dots = match position.side_to_move() {
                Color::White => Some("."),
                Color::Black if index == 0 => Some("..."),
                Color::Black => None,
            };
            if let Some(dots) = dots {
                number.clear();
                let _ = write!(number, "{}{dots}", position.fullmove_number());
                self.push_token(&number);
            }
            let san = position.san(mv);
            self.push_token(&san);
            position.play_unchecked(mv);
        }
        let told = game.tags.value("Result").and_then(|value| value.parse().ok());
        let result = game.result.or(told).unwrap_or(GameResult::Unknown);
        self.push_token(result.as_str());
        self.text.push_str("\n\n");
    }

    fn push_token(&mut self, token: &str) {
        let column = self.text.len() - self.line;
        if column > 0 {
            if column + 1 + token.len() > COLUMNS {
                self.text.push('\n');
                self.line = self.text.len();
            } else {
                self.text.push(' ');
            }
        }
        self.text.push_str(token);
    }
}
