//! Reads games from PGN.

mod builder;
mod player;
mod start;

use std::io::{self, Read};

use halfmove_rules::makruk;
use halfmove_rules::{Repair, Variant};
use thiserror::Error;

use self::builder::{Builder, Codes, ReadState};
pub(super) use self::player::{Player, Step};
use self::start::Start;
pub(super) use self::start::parse_start;
pub use self::start::start_of_tags;
use super::counts::Counts;
use super::error::{PgnError, Skip};
use super::reader::Reader;
use super::segments::SegmentStart;
use crate::codec::halfmove::{self, is_standard_start};
use crate::game::Game;

/// A reader that returns games one by one.
///
/// By default, whole games are read; with [`keeping`](GameReader::keeping), only main lines, which is faster.
///
/// Games may start from their `FEN` tag (X-FEN or Shredder-FEN). It is read leniently, with
/// [repairs](GameReader::repairs), unless the reader is [strict](GameReader::strict_positions). The tag `Variant`
/// determines the variant: chess, Chess960, Makruk or one of its variants, in upper or lower case. For files without
/// that tag, call [`with_variant`](GameReader::with_variant). Moves may have any form that [`San`](halfmove_rules::San)
/// or [`UciMove`](halfmove_rules::UciMove) reads. For files whose SAN of Makruk is not Fairy-Stockfish's, call
/// [`with_san_style`](GameReader::with_san_style). Neither can be inferred reliably from the moves. A `FEN` of Makruk
/// may use either dialect if the dialect can be [detected](halfmove_rules::makruk::Dialect::detect).
///
/// In Makruk the tag `Counting` gives the [policy](halfmove_rules::makruk::CountingPolicy): `auto` (the default),
/// `thai` or `makruk-js`. A comment between two half-moves may contain the count at that point:
///
/// ```text
/// {[%count board white 0]}      White has begun to count for the board's honor, no number is spoken yet
/// {[%count board white 12]}     its last number was 12
/// {[%count pieces black 6]}     Black counts for the pieces' honor, its last number was 6
/// {[%count none]}               no side is counting any more
/// ```
///
/// A comment whose count differs from the one that follows from the moves is a [call](crate::CountCall), if the rules
/// allow it. Otherwise it is only a comment, and is [counted](Counts::unusable_counts).
///
/// ```
/// use halfmove_game::pgn::GameReader;
/// use halfmove_game::{CountCall, Game};
///
/// let text = "[Variant \"Makruk\"]\n[Counting \"thai\"]\n[FEN \"8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 1\"]\n\n\
///     1. Kb6 Kf4 {[%count board white 0]} 2. Kc5 Ke5 {[%count none]} 3. Kc4 *\n";
/// let mut game = Game::default();
/// GameReader::new(text.as_bytes()).read(&mut game)?;
/// assert_eq!(game.count_calls, [CountCall::Begin { ply: 2 }, CountCall::Stop { ply: 4 }]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// See the [module](super) for more examples.
pub struct GameReader<R: ?Sized> {
    counts: Counts,
    player: Player,
    faults: Vec<PgnError>,
    repairs: Vec<Repair>,
    settings: Settings,
    reader: Reader<R>,
}

#[derive(Clone, Copy)]
struct Settings {
    variant: Variant,
    chess_only: bool,
    strict_positions: bool,
    keep: Keep,
    max_bytes: usize,
}

/// The parts of a game that a [`GameReader`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Keep {
    /// Everything.
    #[default]
    Everything,
    /// The tags, the start, the main line and the result. The rest is skipped: it is not [counted](Counts), and counts
    /// of Makruk are not read.
    MainLine,
}

/// The result of reading a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The whole main line was read.
    Whole,
    /// The main line was read up to a fault. The words after it are among the game's
    /// [annotations](crate::Annotations).
    Faulty(PgnError),
    /// The variant or the start position of the game is not supported, so no move was played. All words are among its
    /// annotations.
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

/// The maximum number of bytes for the tags of one game, and for its moves and annotations, unless
/// [`GameReader::with_max_bytes`] sets another limit. Decoders of other formats use the same limit.
pub const MAX_BYTES: usize = 32 * 1024 * 1024;

impl<R: Read> GameReader<R> {
    /// A reader of PGN from any source of bytes, such as an [`Input`](crate::Input). It has its own buffer; a
    /// `BufReader` is not needed.
    pub fn new(source: R) -> GameReader<R> {
        GameReader::on(Reader::new(source))
    }

    /// A reader of `text`, which becomes the buffer, followed by `source`: the first [block](super::Block) of a
    /// segment, and the others.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::GameReader;
    ///
    /// let mut reader = GameReader::with_text(b"1. e4 e5\n".to_vec(), "2. Nf3 *\n".as_bytes());
    /// let mut game = Game::default();
    /// reader.read(&mut game)?;
    /// assert_eq!(game.moves.len(), 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_text(text: Vec<u8>, source: R) -> GameReader<R> {
        GameReader::on(Reader::with_text(text, source))
    }

    fn on(reader: Reader<R>) -> GameReader<R> {
        GameReader {
            counts: Counts::default(),
            player: Player::new(makruk::SanStyle::Fairy),
            faults: Vec::new(),
            repairs: Vec::new(),
            settings: Settings {
                variant: Variant::Chess,
                chess_only: false,
                strict_positions: false,
                keep: Keep::Everything,
                max_bytes: MAX_BYTES,
            },
            reader,
        }
    }

    /// Assumes `variant`, rather than chess, for games without the tag `Variant`.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> GameReader<R> {
        self.settings.variant = variant;
        self
    }

    /// Reads moves of Makruk in `style` rather than Fairy-Stockfish's. UCI notation is always
    /// accepted.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Reading};
    /// use halfmove_rules::makruk;
    /// use halfmove_rules::{Move, Square, Variant};
    ///
    /// // PlayOK does not name the variant. Its B is a khon, its Q a met.
    /// let text = "[Site \"PlayOK\"]\n\n1. Bf2 Qc7 *\n";
    /// let mut reader = GameReader::new(text.as_bytes())
    ///     .with_variant(Variant::Makruk)
    ///     .with_san_style(makruk::SanStyle::PlayOk);
    /// let mut game = Game::default();
    /// assert_eq!(reader.read(&mut game)?, Some(Reading::Whole));
    /// assert_eq!(game.moves[1], Move::normal(Square::D8, Square::C7));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_san_style(mut self, style: makruk::SanStyle) -> GameReader<R> {
        self.player.style = style;
        self
    }

    /// Skips all games but chess and Chess960.
    #[must_use]
    pub fn chess_only(mut self) -> GameReader<R> {
        self.settings.chess_only = true;
        self
    }

    /// Skips games whose `FEN` needs [repairs](GameReader::repairs).
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Reading};
    ///
    /// let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1\"]\n\n1. e4 *";
    /// let mut reader = GameReader::new(text.as_bytes()).strict_positions(true);
    /// assert!(matches!(reader.read(&mut Game::default())?, Some(Reading::Skipped(_))));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn strict_positions(mut self, is_strict: bool) -> GameReader<R> {
        self.settings.strict_positions = is_strict;
        self
    }

    /// Selects the parts of each game to keep.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Keep};
    ///
    /// let text = "1. e4 {a pawn} e5 (1... c5) *";
    /// let mut game = Game::default();
    /// GameReader::new(text.as_bytes()).keeping(Keep::MainLine).read(&mut game)?;
    /// assert_eq!((game.moves.len(), game.annotations.is_empty()), (2, true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> GameReader<R> {
        self.settings.keep = keep;
        self
    }

    /// Limits the memory of one game: its tags may occupy this many bytes, and its moves, open variations and
    /// annotations together the same number (32 MiB by default, at most 2 GiB). A longer game is
    /// [faulty](Reading::Faulty): the rest of it is skipped.
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: usize) -> GameReader<R> {
        self.settings.max_bytes = bytes.min(i32::MAX as usize);
        self
    }

    /// Reads the next game into `game`, replacing its contents. Returns `None` at the end of the input, with the
    /// comments and `%` lines after the last game in the annotations of `game`.
    ///
    /// # Errors
    ///
    /// Only I/O errors of the source. After an error, `game` is incomplete.
    pub fn read(&mut self, game: &mut Game) -> io::Result<Option<Reading>> {
        let reader: &mut GameReader<dyn Read + '_> = self;
        reader.read_plain(game)
    }

    /// Reads the next game, and its main line also as the bytes of [`codec::halfmove`](crate::codec::halfmove). The
    /// bytes of chess are produced while the text is read, those of other games afterward. A game of Makruk that starts
    /// with more than 16 pieces of a side is [skipped](Reading::Skipped), because some moves may have no code.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::codec::halfmove;
    /// use halfmove_game::pgn::GameReader;
    ///
    /// let mut reader = GameReader::new("1. e4 e5 *\n\n[Variant \"Makruk\"]\n\n1. e4 *\n".as_bytes());
    /// let (mut game, mut bytes) = (Game::default(), Vec::new());
    /// reader.read_with_bytes(&mut game, &mut bytes)?;
    /// assert_eq!(bytes, [0x11, 0x11]);
    /// reader.read_with_bytes(&mut game, &mut bytes)?;
    /// assert_eq!(halfmove::start(&bytes).as_ref(), Ok(&game.start));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`GameReader::read`].
    pub fn read_with_bytes(
        &mut self,
        game: &mut Game,
        bytes: &mut Vec<u8>,
    ) -> io::Result<Option<Reading>> {
        let reader: &mut GameReader<dyn Read + '_> = self;
        reader.read_coded(game, bytes)
    }

    /// The remaining games, each with the result of reading it.
    ///
    /// ```
    /// use halfmove_game::pgn::GameReader;
    ///
    /// let reader = GameReader::new("1. e4 {!} *\n\n1. d4 {?} d5 *\n".as_bytes());
    /// let games = reader.games().collect::<Result<Vec<_>, _>>()?;
    /// let comments: Vec<_> = games.iter().map(|(_, game)| game.node(1)?.comment()).collect();
    /// assert_eq!(comments, [Some("!".into()), Some("?".into())]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn games(mut self) -> impl Iterator<Item = io::Result<(Reading, Game)>> {
        std::iter::from_fn(move || {
            let mut game = Game::default();
            self.read(&mut game).transpose().map(|reading| reading.map(|reading| (reading, game)))
        })
    }

    /// The moves in variations of the last game that could not be played: the first of each variation, at most 64 in
    /// total. [`Counts::variation_faults`] counts all of them. The words are among the game's annotations.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Reading};
    ///
    /// let mut reader = GameReader::new("1. e4 (1. d4 Kd7) e5 *".as_bytes());
    /// assert_eq!(reader.read(&mut Game::default())?, Some(Reading::Whole));
    /// let fault = reader.variation_faults()[0].to_string();
    /// assert!(fault.starts_with("game 1, line 1, column 14, move 1...: illegal move \"Kd7\""));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn variation_faults(&self) -> &[PgnError] {
        &self.faults
    }

    /// The repairs to the `FEN` of the last game: impossible castling rights, en passant squares and counters are
    /// dropped, and missing fields get defaults. The tag then has the repaired FEN, which other programs can read.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Reading};
    ///
    /// let mut reader = GameReader::new("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1\"]\n\n1. e4 *".as_bytes());
    /// let mut game = Game::default();
    /// assert_eq!(reader.read(&mut game)?, Some(Reading::Whole));
    /// let warnings: Vec<_> = reader.repairs().iter().map(ToString::to_string).collect();
    /// assert_eq!(warnings, ["castling rights \"KQ\" dropped: their king or rook is not at home"]);
    /// assert_eq!(game.tags.value("FEN"), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The counts so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The offset in the input at which the last game ends. The text between two games belongs to the second.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::GameReader;
    ///
    /// let text = "1. e4 *\n\n1. d4 *\n";
    /// let mut reader = GameReader::new(text.as_bytes());
    /// reader.read(&mut Game::default())?;
    /// assert_eq!(text[..reader.offset() as usize].trim_end(), "1. e4 *");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Finishes after the last game. Returns the counts, the start of the segment that follows this text, and the
    /// buffer, for reuse as another block.
    pub fn finish(self) -> (Counts, SegmentStart, Vec<u8>) {
        let (lines, memory) = self.reader.into_lines();
        let start = SegmentStart { games: self.counts.games, lines };
        (self.counts, start, memory)
    }
}

/// Reading is compiled here, once for every source of bytes.
impl GameReader<dyn Read + '_> {
    fn read_plain(&mut self, game: &mut Game) -> io::Result<Option<Reading>> {
        self.read_as::<false>(game, &mut Codes::default())
    }

    fn read_coded(&mut self, game: &mut Game, bytes: &mut Vec<u8>) -> io::Result<Option<Reading>> {
        let mut codes = Codes { bytes: std::mem::take(bytes), are_lost: false };
        codes.bytes.clear();
        let read = self.read_as::<true>(game, &mut codes);
        *bytes = codes.bytes;
        if !codes.are_lost && game.chess_start().is_some_and(is_standard_start) {
            return read;
        }
        // Rare in chess: the head comes before the codes, and a code may be missing.
        bytes.clear();
        let encoded = halfmove::encode_moves(&game.start, &game.moves, bytes);
        debug_assert!(encoded.is_ok(), "a start with up to 16 pieces of a side has bytes");
        read
    }

    fn read_as<const CODED: bool>(
        &mut self,
        game: &mut Game,
        codes: &mut Codes,
    ) -> io::Result<Option<Reading>> {
        match self.settings.keep {
            Keep::Everything => self.read_with::<true, CODED>(game, codes),
            Keep::MainLine => self.read_with::<false, CODED>(game, codes),
        }
    }

    fn read_with<const WHOLE: bool, const CODED: bool>(
        &mut self,
        game: &mut Game,
        codes: &mut Codes,
    ) -> io::Result<Option<Reading>> {
        let chess_only = self.settings.chess_only;
        game.clear();
        self.faults.clear();
        self.repairs.clear();
        let variant = if chess_only { Variant::Chess } else { self.settings.variant };
        let start = Start::new(variant, chess_only).for_bytes(CODED);
        let start = start.strict(self.settings.strict_positions);
        let mut builder = Builder::<WHOLE, CODED> {
            game,
            player: &mut self.player,
            counts: &mut self.counts,
            variation_faults: &mut self.faults,
            repairs: &mut self.repairs,
            codes,
            state: ReadState::new(start),
            max_bytes: self.settings.max_bytes,
        };
        if !self.reader.visit_game(&mut builder)? {
            return Ok(None);
        }
        let Game { annotations, tags, .. } = &mut *builder.game;
        annotations.settle_clocks(tags);
        let ReadState { fault, skip, .. } = builder.state;
        Ok(Some(Reading::new(skip, fault)))
    }
}

/// The reason why [`read_game`] returns no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The text contains no game: without tags, it must begin with a move, a move number or a result.
    #[error("no game: expected tags or moves")]
    NoGame,
    /// The main line has a fault: see [`Reading::Faulty`].
    #[error(transparent)]
    Faulty(PgnError),
    /// The variant or the start position is not supported: see [`Reading::Skipped`].
    #[error(transparent)]
    Skipped(Skip),
}

/// Reads the first game of a text. The text after it is ignored.
///
/// Words in variations that cannot be played are not an error: they are [kept](crate::Line::words).
///
/// ```
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 2. Nf3 {the knight} *")?;
/// assert_eq!(game.node(3).unwrap().comment().as_deref(), Some("the knight"));
/// let error = read_game("1. e4 e5 2. Nf4 {the knight} *").unwrap_err().to_string();
/// assert!(error.starts_with("game 1, line 1, column 13, move 2: illegal move \"Nf4\""), "{error}");
/// # Ok::<(), halfmove_game::pgn::ReadGameError>(())
/// ```
///
/// # Errors
///
/// If there is no game, or its main line has a fault. A [`GameReader`] also returns the game up to the fault:
///
/// ```
/// use halfmove_game::Game;
/// use halfmove_game::pgn::{GameReader, Reading};
///
/// let mut game = Game::default();
/// let reading = GameReader::new("1. e4 e5 2. Nf4 {the knight} *".as_bytes()).read(&mut game)?;
/// assert!(matches!(reading, Some(Reading::Faulty(_))));
/// assert_eq!(game.moves.len(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_game(text: impl AsRef<[u8]>) -> Result<Game, ReadGameError> {
    let mut game = Game::default();
    match GameReader::new(text.as_ref()).read(&mut game) {
        Ok(Some(Reading::Whole)) => Ok(game),
        Ok(Some(Reading::Faulty(fault))) => Err(ReadGameError::Faulty(fault)),
        Ok(Some(Reading::Skipped(skip))) => Err(ReadGameError::Skipped(skip)),
        // Reading from memory does not fail.
        Ok(None) | Err(_) => Err(ReadGameError::NoGame),
    }
}
