//! PGN's export format.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write};

use halfmove_rules::makruk::{CountingPolicy, Dialect, Rules, SanStyle};
use halfmove_rules::{AnyPosition, Chess, Color, Makruk, Move, Variant};

use super::class::is_tag_name;
use super::makruk;
use crate::game::{AnyGame, CountCall, Game};
use crate::result::GameResult;
use crate::tags::Tags;

/// The longest line of movetext, in bytes, without its line break.
const COLUMNS: usize = 80;

/// Writes games in the export format of the PGN standard.
///
/// Tags are written in the given order, with their exact text (except that a line break, which a
/// tag cannot contain, becomes a space). If the game does not begin at the usual start and has no
/// `FEN` tag, `SetUp` and `FEN` are added after the others. The movetext ends with the game's
/// result, else with that of the `Result` tag if it is one of the four tokens, else with `*`.
/// Reading the text back gives the same game (with that result). The only exception is a game
/// without tags and moves, which looks like no game at all.
///
/// A game of anything but standard chess gets the tag `Variant` in the same way. A game of Makruk also
/// gets `Counting`, unless counting is automatic, and a comment wherever a count begins, changes or
/// ends; see [`GameReader::read_any`].
///
/// [`GameReader::read_any`]: super::GameReader::read_any
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
    /// The text of one game, which is written in one piece.
    text: String,
    /// Where the current line of movetext begins in `text`.
    line: usize,
    san_style: SanStyle,
}

impl<W: Write> Writer<W> {
    /// Writes to `inner`, with one call per game. For files, use a `BufWriter`.
    pub fn new(inner: W) -> Writer<W> {
        Writer { inner, text: String::new(), line: 0, san_style: SanStyle::Fairy }
    }

    /// Writes moves of Makruk in `style` rather than Fairy-Stockfish's. If the style is
    /// makruk-js's, an added `FEN` tag also uses its dialect (which has no half-move clock). Thai
    /// text can be ambiguous: `คxง๓` may be the khon or the bia on the c-file.
    ///
    /// ```
    /// use halfmove_game::AnyGame;
    /// use halfmove_game::pgn::{GameReader, Writer};
    /// use halfmove_rules::makruk::SanStyle;
    ///
    /// let text = "[Variant \"Makruk\"]\n\n1. Sc2 Mc7 *\n";
    /// let mut game = AnyGame::default();
    /// GameReader::new(text.as_bytes()).read_any(&mut game)?;
    /// let mut writer = Writer::new(Vec::new()).with_san_style(SanStyle::Thai);
    /// writer.write_any(&game)?;
    /// let thai = "[Variant \"Makruk\"]\n\n1. ค-ค๒ ม็-ค๗ *\n\n";
    /// assert_eq!(writer.into_inner(), thai.as_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_san_style(mut self, style: SanStyle) -> Writer<W> {
        self.san_style = style;
        self
    }

    /// Writes a game, followed by a blank line.
    ///
    /// # Errors
    ///
    /// Errors of the sink, and [`ErrorKind::InvalidInput`] for a tag whose name is empty, is longer
    /// than 100 bytes, does not begin with a letter, digit or `_`, or contains anything but
    /// printable ASCII without spaces, quotes and brackets. (A game that was read has no such
    /// tags.)
    ///
    /// For a game with illegal moves, the text is unspecified.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        let start = AnyPosition::Chess(game.start.clone());
        self.write_parts(&game.tags, start, &game.moves, &[], game.result)
    }

    /// Writes a game of any variant, followed by a blank line.
    ///
    /// # Errors
    ///
    /// See [`Writer::write`].
    pub fn write_any(&mut self, game: &AnyGame) -> io::Result<()> {
        let AnyGame { tags, start, moves, count_calls, result } = game;
        self.write_parts(tags, start.clone(), moves, count_calls, *result)
    }

    fn write_parts(
        &mut self,
        tags: &Tags,
        start: AnyPosition,
        moves: &[Move],
        count_calls: &[CountCall],
        result: Option<GameResult>,
    ) -> io::Result<()> {
        self.text.clear();
        self.write_tags(tags, &start)?;
        self.line = self.text.len();
        self.write_moves(start, moves, count_calls);
        let told = tags.value("Result").and_then(|value| value.parse().ok());
        let result = result.or(told).unwrap_or(GameResult::Unknown);
        self.push_token(result.as_str());
        self.text.push_str("\n\n");
        self.inner.write_all(self.text.as_bytes())
    }

    /// Flushes the sink.
    ///
    /// # Errors
    ///
    /// Errors of the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }

    /// The sink.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn write_tags(&mut self, tags: &Tags, start: &AnyPosition) -> io::Result<()> {
        let mut has_fen = false;
        for (name, value) in tags.iter() {
            has_fen |= name == "FEN";
            self.write_tag(name, value)?;
        }
        // An empty tag does not name a variant.
        let named = tags.iter().any(|(name, value)| name == "Variant" && !value.trim().is_empty());
        if !named && start.variant() != Variant::Chess {
            let name = start.variant().name();
            self.write_tag("Variant", &format!("{}{}", name[..1].to_uppercase(), &name[1..]))?;
        }
        let (fen, usual) = match start {
            AnyPosition::Chess(start) => (start.to_string(), Chess::default().to_string()),
            AnyPosition::Makruk(start) => {
                if start.policy() != CountingPolicy::Auto && tags.value("Counting").is_none() {
                    self.write_tag("Counting", makruk::policy_name(start.policy()))?;
                }
                // ASEAN chess has only one dialect.
                let dialect = match (self.san_style, start.rules()) {
                    (_, Rules::Asean) => Dialect::Fairy,
                    (SanStyle::MakrukJs, _) => Dialect::MakrukJs,
                    _ => Dialect::Fairy,
                };
                let fen = |position: &Makruk| position.to_setup().fen(dialect).to_string();
                (fen(start), fen(&Makruk::start(start.rules())))
            }
        };
        if !has_fen && fen != usual {
            if tags.value("SetUp").is_none() {
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

    fn write_moves(&mut self, mut position: AnyPosition, moves: &[Move], calls: &[CountCall]) {
        let mut calls = calls.iter().peekable();
        let mut count = makruk::said(&position);
        let mut text = String::new();
        let mut interrupted = true;
        for ply in 0..=moves.len() {
            let mut called = false;
            while let Some(call) = calls.next_if(|call| call.ply() <= ply) {
                call.apply(&mut position);
                called = true;
            }
            let before = std::mem::replace(&mut count, makruk::said(&position));
            let kind = |count: makruk::Said| count.map(|(honor, color, _)| (honor, color));
            if called || kind(before) != kind(count) {
                text.clear();
                makruk::write_count(count, &mut text);
                self.push_token(&text);
                interrupted = true;
            }
            let Some(&mv) = moves.get(ply) else { break };
            let dots = match position.side_to_move() {
                Color::White => Some("."),
                Color::Black if interrupted => Some("..."),
                Color::Black => None,
            };
            if let Some(dots) = dots {
                let number = match &position {
                    AnyPosition::Chess(position) => position.fullmove_number(),
                    AnyPosition::Makruk(position) => position.fullmove_number(),
                };
                text.clear();
                let _ = write!(text, "{number}{dots}");
                self.push_token(&text);
            }
            match &position {
                AnyPosition::Chess(position) => self.push_token(&position.san(mv)),
                AnyPosition::Makruk(position) => {
                    self.push_token(&position.san_in(mv, self.san_style));
                }
            }
            position.play_unchecked(mv);
            interrupted = false;
        }
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
