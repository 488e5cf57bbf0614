//! Games out of PGN: the moves are played, the rest is counted.

mod builder;

use std::io::{self, Read};

use halfmove_rules::makruk;
use halfmove_rules::{AnyPosition, CastlingMode, Variant};

use self::builder::{Builder, Parts};
use super::counts::Counts;
use super::error::{PgnError, Skip};
use super::reader::Reader;
use crate::game::{AnyGame, Game};

/// Reads games one by one: tags, start, main line and result. Comments, glyphs and variations are
/// stepped over and [counted](Counts).
///
/// A game that starts from its `FEN` tag (X-FEN or Shredder-FEN; castling rights and en passant
/// squares that the board contradicts are forgiven) and a game of Chess960 are games like any
/// other. Moves may be written in any way that [`San`](halfmove_rules::San) or
/// [`UciMove`](halfmove_rules::UciMove) reads.
///
/// [`GameReader::read`] is for chess and skips other variants. [`GameReader::read_any`] reads Makruk
/// and the games beside it, too: the tag `Variant` names them, in upper or lower case. A file without
/// that tag has to be [told](GameReader::with_variant), and so has one whose SAN is not
/// [Fairy-Stockfish's](GameReader::with_san_style); neither can be told from the moves for certain.
/// A `FEN` of Makruk may be of either dialect if it is [certain](halfmove_rules::makruk::Dialect::detect).
///
/// See the [module](super) for an example.
pub struct GameReader<R> {
    reader: Reader<R>,
    counts: Counts,
    position: AnyPosition,
    settings: Settings,
}

#[derive(Clone, Copy)]
struct Settings {
    variant: Variant,
    san_style: makruk::SanStyle,
}

/// How the reading of a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// All of its main line was read.
    Whole,
    /// The game holds the main line up to a fault; what follows was stepped over.
    Faulty(PgnError),
    /// The game holds its tags only: its rules or its start are not supported.
    Skipped(Skip),
}

impl<R: Read> GameReader<R> {
    /// Reads PGN from any source of bytes, such as an [`Input`](crate::Input). It has its own
    /// buffer; a `BufReader` gains nothing.
    pub fn new(source: R) -> GameReader<R> {
        GameReader {
            reader: Reader::new(source),
            counts: Counts::default(),
            position: AnyPosition::start(Variant::Chess),
            settings: Settings { variant: Variant::Chess, san_style: makruk::SanStyle::Fairy },
        }
    }

    /// The same reader; a game without the tag `Variant` is one of `variant` for
    /// [`read_any`](Self::read_any), not of chess.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> GameReader<R> {
        self.settings.variant = variant;
        self
    }

    /// The same reader; moves of Makruk are written in `style`, not in Fairy-Stockfish's. Moves as
    /// UCI writes them are read in any case.
    ///
    /// ```
    /// use halfmove_game::AnyGame;
    /// use halfmove_game::pgn::{GameReader, Reading};
    /// use halfmove_rules::makruk;
    /// use halfmove_rules::{Move, Square, Variant};
    ///
    /// // PlayOK names no variant, and a khon is its B, a met its Q.
    /// let text = "[Site \"PlayOK\"]\n\n1. Bf2 Qc7 *\n";
    /// let mut reader = GameReader::new(text.as_bytes())
    ///     .with_variant(Variant::Makruk)
    ///     .with_san_style(makruk::SanStyle::PlayOk);
    /// let mut game = AnyGame::default();
    /// assert_eq!(reader.read_any(&mut game)?, Some(Reading::Whole));
    /// assert_eq!(game.moves[1], Move::normal(Square::D8, Square::C7));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_san_style(mut self, style: makruk::SanStyle) -> GameReader<R> {
        self.settings.san_style = style;
        self
    }

    /// Reads the next game into `game`, whatever that held before. `None` at the end of the input.
    /// Games of other variants than chess and Chess960 are skipped.
    ///
    /// # Errors
    ///
    /// Only those of the source, never a fault of the text. After one, `game` is not complete.
    pub fn read(&mut self, game: &mut Game) -> io::Result<Option<Reading>> {
        game.clear();
        let mut start = AnyPosition::Chess(game.start.clone());
        let reading = self.read_into(Parts {
            tags: &mut game.tags,
            start: &mut start,
            moves: &mut game.moves,
            count_calls: &mut Vec::new(),
            result: &mut game.result,
            chess_only: true,
        });
        if let AnyPosition::Chess(start) = start {
            game.start = start;
        }
        reading
    }

    /// Reads the next game, of whichever variant this crate knows, into `game`, whatever that held
    /// before. `None` at the end of the input.
    ///
    /// In Makruk the tag `Counting` says who starts a [count](halfmove_rules::makruk::CountingPolicy), `auto` (also without
    /// the tag), `thai` or `makruk-js`, and a comment between two half-moves what the count is:
    ///
    /// ```text
    /// {[%count board white 0]}      White has begun to count for the board's honor, no number is spoken yet
    /// {[%count board white 12]}     its last number was 12
    /// {[%count pieces black 6]}     Black counts for the pieces' honor, its last number was 6
    /// {[%count none]}               nobody is counting any more
    /// ```
    ///
    /// A comment that differs from what the moves say is a [call](crate::CountCall), if the rules allow one;
    /// else it is [counted](Counts::unusable_counts) and changes nothing.
    ///
    /// ```
    /// use halfmove_game::pgn::GameReader;
    /// use halfmove_game::{AnyGame, CountCall};
    ///
    /// let text = "[Variant \"Makruk\"]\n[Counting \"thai\"]\n[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1\"]\n\n\
    ///     1. Kb6 Kf4 {[%count board white 0]} 2. Kc5 Ke5 {[%count none]} 3. Kc4 *\n";
    /// let mut game = AnyGame::default();
    /// GameReader::new(text.as_bytes()).read_any(&mut game)?;
    /// assert_eq!(game.count_calls, [CountCall::Begin { ply: 2 }, CountCall::Stop { ply: 4 }]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`GameReader::read`].
    pub fn read_any(&mut self, game: &mut AnyGame) -> io::Result<Option<Reading>> {
        game.clear();
        self.read_into(Parts {
            tags: &mut game.tags,
            start: &mut game.start,
            moves: &mut game.moves,
            count_calls: &mut game.count_calls,
            result: &mut game.result,
            chess_only: false,
        })
    }

    fn read_into(&mut self, game: Parts<'_>) -> io::Result<Option<Reading>> {
        let variant = if game.chess_only { Variant::Chess } else { self.settings.variant };
        let mut builder = Builder {
            game,
            position: &mut self.position,
            counts: &mut self.counts,
            variant,
            castling_mode: (variant == Variant::Chess960).then_some(CastlingMode::Chess960),
            san_style: self.settings.san_style,
            policy: None,
            fen_at: None,
            early_comments: Vec::new(),
            fault: None,
            skip: None,
            in_game: false,
            in_moves: false,
            has_moves: false,
            depth: 0,
        };
        if !self.reader.read_game(&mut builder)? {
            return Ok(None);
        }
        let Builder { fault, skip, .. } = builder;
        Ok(Some(match (skip, fault) {
            (Some(skip), _) => Reading::Skipped(skip),
            (None, Some(fault)) => Reading::Faulty(fault),
            (None, None) => Reading::Whole,
        }))
    }

    /// What was met so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
