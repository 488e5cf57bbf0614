//! Reads games from PGN: plays the moves and counts everything else.

mod builder;
mod coder;
mod start;

use std::io::{self, Read};

use halfmove_rules::makruk;
use halfmove_rules::{AnyPosition, CastlingMode, Chess, Variant};

use self::builder::{Builder, Parts};
use self::coder::Coder;
use super::counts::Counts;
use super::error::{PgnError, Skip};
use super::reader::Reader;
use crate::coded::CodedGame;
use crate::game::{AnyGame, Game};
use crate::numbered::NumberedBoard;

/// Reads games one by one: tags, start position, main line and result. Comments, glyphs and
/// variations are skipped and [counted](Counts).
///
/// Games may start from their `FEN` tag (X-FEN or Shredder-FEN; castling rights and en passant
/// squares that the board contradicts are forgiven) and may be Chess960. Moves may have any form
/// that [`San`](halfmove_rules::San) or [`UciMove`](halfmove_rules::UciMove) reads.
///
/// [`GameReader::read`] is for chess and skips other games. [`GameReader::read_any`] also reads
/// Makruk and its variants, named by the tag `Variant` in upper or lower case. For files without
/// that tag, call [`with_variant`](GameReader::with_variant). For files whose SAN is not
/// Fairy-Stockfish's, call [`with_san_style`](GameReader::with_san_style). Neither can be inferred
/// reliably from the moves. A `FEN` of Makruk may use either dialect if it is
/// [clear](halfmove_rules::makruk::Dialect::detect) which.
///
/// See the [module](super) for an example.
pub struct GameReader<R> {
    reader: Reader<R>,
    counts: Counts,
    position: AnyPosition,
    board: NumberedBoard,
    settings: Settings,
}

#[derive(Clone, Copy)]
struct Settings {
    variant: Variant,
    san_style: makruk::SanStyle,
}

/// The result of reading a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The whole main line was read.
    Whole,
    /// The game holds the main line up to a fault; the rest was skipped.
    Faulty(PgnError),
    /// The game holds only its tags: its rules or its start position are not supported.
    Skipped(Skip),
}

impl Reading {
    fn new(skip: Option<Skip>, fault: Option<PgnError>) -> Reading {
        match (skip, fault) {
            (Some(skip), _) => Reading::Skipped(skip),
            (None, Some(fault)) => Reading::Faulty(fault),
            (None, None) => Reading::Whole,
        }
    }
}

impl<R: Read> GameReader<R> {
    /// Reads PGN from any source of bytes, such as an [`Input`](crate::Input). The reader has its
    /// own buffer, so a `BufReader` gains nothing.
    pub fn new(source: R) -> GameReader<R> {
        GameReader {
            reader: Reader::new(source),
            counts: Counts::default(),
            position: AnyPosition::start(Variant::Chess),
            board: NumberedBoard::new(&Chess::default()),
            settings: Settings { variant: Variant::Chess, san_style: makruk::SanStyle::Fairy },
        }
    }

    /// Makes [`read_any`](Self::read_any) assume `variant`, rather than chess, for games without
    /// the tag `Variant`.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> GameReader<R> {
        self.settings.variant = variant;
        self
    }

    /// Reads moves of Makruk in `style` rather than Fairy-Stockfish's. UCI notation is always
    /// accepted.
    ///
    /// ```
    /// use halfmove_game::AnyGame;
    /// use halfmove_game::pgn::{GameReader, Reading};
    /// use halfmove_rules::makruk;
    /// use halfmove_rules::{Move, Square, Variant};
    ///
    /// // PlayOK does not name the variant. Its B is a khon, its Q a met.
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

    /// Reads the next game into `game`, replacing its contents. `None` at the end of the input.
    /// Games other than chess and Chess960 are skipped.
    ///
    /// # Errors
    ///
    /// Only errors of the source, never of the text. After an error, `game` is incomplete.
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

    /// Reads the next game as [`GameReader::read`] does, but its main line as bytes.
    ///
    /// # Errors
    ///
    /// See [`GameReader::read`].
    pub fn read_coded(&mut self, game: &mut CodedGame) -> io::Result<Option<Reading>> {
        game.clear();
        let mut coder = Coder::new(game, &mut self.board, &mut self.counts);
        if !self.reader.read_game(&mut coder)? {
            return Ok(None);
        }
        Ok(Some(Reading::new(coder.skip, coder.fault)))
    }

    /// Reads the next game, of any variant that this crate knows, into `game`, replacing its
    /// contents. `None` at the end of the input.
    ///
    /// In Makruk the tag `Counting` gives the [policy](halfmove_rules::makruk::CountingPolicy):
    /// `auto` (the default), `thai` or `makruk-js`. A comment between two half-moves gives the
    /// count at that point:
    ///
    /// ```text
    /// {[%count board white 0]}      White has begun to count for the board's honor, no number is spoken yet
    /// {[%count board white 12]}     its last number was 12
    /// {[%count pieces black 6]}     Black counts for the pieces' honor, its last number was 6
    /// {[%count none]}               nobody is counting any more
    /// ```
    ///
    /// A comment that contradicts the count that follows from the moves is a
    /// [call](crate::CountCall), if the rules allow one. Otherwise it is ignored and
    /// [counted](Counts::unusable_counts).
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
    /// See [`GameReader::read`].
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
        Ok(Some(Reading::new(skip, fault)))
    }

    /// What has been found so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
