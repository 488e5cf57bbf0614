//! A position of any game, for callers that learn the game at run time.

use crate::makruk;
use crate::{
    Bitboard, Board, CastlingMode, Chess, Color, FenError, IllegalMove, Makruk, Move, MoveList,
    Outcome, PieceMoves, Position, San, SanError, SanText, Square, UciError, UciMove, Zobrist,
};
use core::fmt;
use core::ops::ControlFlow;
use thiserror::Error;

/// A game whose rules this crate implements.
///
/// ```
/// use halfmove_rules::Variant;
///
/// assert_eq!(Variant::from_name("Chess960"), Some(Variant::Chess960));
/// assert_eq!(Variant::from_name("Makruk"), Some(Variant::Makruk));
/// assert_eq!(Variant::from_name("Atomic"), None);
/// assert_eq!(Variant::Makpong.to_string(), "makpong");
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Chess.
    #[default]
    Chess,
    /// Chess960, in which the pieces of the first rank start in one of 960 orders.
    Chess960,
    /// Makruk, the chess of Thailand.
    Makruk,
    /// Makpong: Makruk whose king may not step out of check.
    Makpong,
    /// ASEAN chess.
    Asean,
}

impl Variant {
    /// All games.
    pub const ALL: [Self; 5] =
        [Self::Chess, Self::Chess960, Self::Makruk, Self::Makpong, Self::Asean];

    /// The name, as in UCI's option `UCI_Variant`: lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Chess960 => "chess960",
            Self::Makruk => "makruk",
            Self::Makpong => "makpong",
            Self::Asean => "asean",
        }
    }

    /// The game with this name, as in PGN's tag `Variant` and UCI's option `UCI_Variant`. Case does
    /// not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        let others = [
            ("standard", Self::Chess),
            ("normal", Self::Chess),
            ("fischerandom", Self::Chess960),
            ("fischerrandom", Self::Chess960),
        ];
        let names = Self::ALL.map(|variant| (variant.name(), variant));
        let mut names = names.into_iter().chain(others);
        names.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, variant)| variant)
    }

    /// The castling mode of the game; `None` if it has no castling.
    pub const fn castling_mode(self) -> Option<CastlingMode> {
        match self {
            Self::Chess => Some(CastlingMode::Standard),
            Self::Chess960 => Some(CastlingMode::Chess960),
            Self::Makruk | Self::Makpong | Self::Asean => None,
        }
    }

    /// The variant of Makruk; `None` for chess and Chess960.
    pub const fn makruk_rules(self) -> Option<makruk::Rules> {
        match self {
            Self::Chess | Self::Chess960 => None,
            Self::Makruk => Some(makruk::Rules::Makruk),
            Self::Makpong => Some(makruk::Rules::Makpong),
            Self::Asean => Some(makruk::Rules::Asean),
        }
    }
}

impl From<CastlingMode> for Variant {
    fn from(mode: CastlingMode) -> Self {
        match mode {
            CastlingMode::Standard => Self::Chess,
            CastlingMode::Chess960 => Self::Chess960,
        }
    }
}

impl From<makruk::Rules> for Variant {
    fn from(rules: makruk::Rules) -> Self {
        match rules {
            makruk::Rules::Makruk => Self::Makruk,
            makruk::Rules::Makpong => Self::Makpong,
            makruk::Rules::Asean => Self::Asean,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A position of any game in this crate. It has the methods common to all games; for anything else, match on it.
///
/// ```
/// use halfmove_rules::{AnyPosition, Variant};
///
/// for (name, move_text, replies) in [("chess", "e2e4", 20), ("makruk", "e3e4", 23)] {
///     let start = AnyPosition::start(Variant::from_name(name).unwrap());
///     let next = start.play(start.parse_uci(move_text)?)?;
///     assert_eq!(next.count_moves(), replies);
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// [`History`](crate::History) detects the end of every game:
///
/// ```
/// use halfmove_rules::{AnyPosition, History, Outcome, Variant};
///
/// for (variant, shuffle) in [
///     (Variant::Chess, ["g1f3", "g8f6", "f3g1", "f6g8"]),
///     (Variant::Makruk, ["d1d2", "e8e7", "d2d1", "e7e8"]),
/// ] {
///     let mut game = History::new(AnyPosition::start(variant));
///     for uci in shuffle.repeat(2) {
///         game.play(game.position().parse_uci(uci)?)?;
///     }
///     // In chess a player may claim the third occurrence; in Makruk it ends the game.
///     let threefold = Some(Outcome::ThreefoldRepetition);
///     assert_eq!(game.outcome().or(game.claim()), threefold);
///     assert_eq!(game.outcome().is_none(), variant == Variant::Chess);
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub enum AnyPosition {
    /// A position of chess or Chess960.
    Chess(Chess),
    /// A position of Makruk, Makpong or ASEAN chess.
    Makruk(Makruk),
}

/// The reason why a FEN is not a position of the requested game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyFenError {
    /// The FEN was read as chess or Chess960.
    #[error(transparent)]
    Chess(#[from] FenError),
    /// The FEN was read as Makruk, Makpong or ASEAN chess.
    #[error(transparent)]
    Makruk(#[from] makruk::FenError),
}

/// Evaluates the same expression for a position of either kind.
macro_rules! either {
    ($any:expr, $position:ident => $value:expr) => {
        match $any {
            AnyPosition::Chess($position) => $value,
            AnyPosition::Makruk($position) => $value,
        }
    };
}

impl AnyPosition {
    /// The start position; for Chess960, the one with the pieces arranged as in chess.
    pub fn start(variant: Variant) -> Self {
        match variant.makruk_rules() {
            Some(rules) => Self::Makruk(Makruk::start(rules)),
            None if variant == Variant::Chess960 => Self::Chess(Chess::default().into_chess960()),
            None => Self::Chess(Chess::default()),
        }
    }

    /// Reads a FEN of the given game. A FEN of Makruk may use either dialect, if the dialect can be
    /// [detected](makruk::Dialect::detect).
    ///
    /// # Errors
    /// [`AnyFenError`], if the FEN is invalid or its position is not legal.
    ///
    /// ```
    /// use halfmove_rules::{AnyPosition, Variant};
    ///
    /// let position = AnyPosition::from_fen("8/3k4/8/1F6/8/8/8/2RK4 w 70", Variant::Makruk)?;
    /// assert_eq!(position.to_string(), "8/3k4/8/1M~6/8/8/8/2RK4 w - - 0 70");
    /// # Ok::<(), halfmove_rules::AnyFenError>(())
    /// ```
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Self, AnyFenError> {
        Ok(match variant.makruk_rules() {
            None => Self::Chess(Chess::from_fen(fen, variant.castling_mode())?),
            Some(rules) => Self::Makruk(Makruk::from_fen(fen, rules, None)?),
        })
    }

    /// The position, if it is one of chess or Chess960.
    pub const fn as_chess(&self) -> Option<&Chess> {
        match self {
            Self::Chess(position) => Some(position),
            Self::Makruk(_) => None,
        }
    }

    /// The position, if it is one of Makruk, Makpong or ASEAN chess.
    pub const fn as_makruk(&self) -> Option<&Makruk> {
        match self {
            Self::Chess(_) => None,
            Self::Makruk(position) => Some(position),
        }
    }

    /// The game that this position belongs to.
    pub fn variant(&self) -> Variant {
        match self {
            Self::Chess(position) => position.castling_mode().into(),
            Self::Makruk(position) => position.rules().into(),
        }
    }

    /// Reads SAN and finds the legal move. Moves of Makruk are read in Fairy-Stockfish's style.
    ///
    /// # Errors
    /// [`SanError`] if the text is not SAN, or names no legal move or several.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        either!(self, position => position.parse_san(text))
    }

    /// Writes a legal move as SAN. Moves of Makruk are written in Fairy-Stockfish's style.
    pub fn san(&self, mv: Move) -> SanText {
        either!(self, position => position.san(mv))
    }

    /// Reads a move in UCI notation and finds the legal move.
    ///
    /// # Errors
    /// [`UciError`] if the text is not a move in UCI notation, or no legal one.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        either!(self, position => position.parse_uci(text))
    }

    /// Reads a move in SAN or in UCI notation, or a null move, which may be played out of check.
    ///
    /// ```
    /// use halfmove_rules::{AnyPosition, Chess, Move};
    ///
    /// let start = AnyPosition::from(Chess::default());
    /// assert_eq!(start.parse_move("Nf3"), start.parse_move("g1f3"));
    /// assert_eq!(start.parse_move("--"), Ok(Move::NULL));
    /// assert_eq!(start.parse_move("0000"), Ok(Move::NULL));
    /// assert!(start.parse_move("Nf4").is_err());
    /// ```
    ///
    /// # Errors
    /// That of [`parse_san`](Self::parse_san), if the text is none of these.
    pub fn parse_move(&self, text: &str) -> Result<Move, SanError> {
        if San::parse(text.as_bytes()) == Err(SanError::Null) && !self.is_check() {
            return Ok(Move::NULL);
        }
        self.parse_san(text).or_else(|error| self.parse_uci(text).map_err(|_| error))
    }

    /// A move in UCI notation, as this game writes it.
    pub fn uci(&self, mv: Move) -> UciMove {
        either!(self, position => Position::uci(position, mv))
    }

    /// The pieces on their squares.
    pub fn board(&self) -> &Board {
        either!(self, position => position.board())
    }

    /// The side to move.
    #[doc(alias = "turn")]
    pub fn side_to_move(&self) -> Color {
        either!(self, position => position.side_to_move())
    }

    /// The square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        either!(self, position => position.king(color))
    }

    /// Half-moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        either!(self, position => position.halfmove_clock())
    }

    /// Starts at 1 and increases after each move of Black.
    pub fn fullmove_number(&self) -> u16 {
        either!(self, position => position.fullmove_number())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        either!(self, position => position.checkers())
    }

    /// Returns true if the side to move is in check.
    pub fn is_check(&self) -> bool {
        either!(self, position => position.is_check())
    }

    /// Calls `visit` with the legal moves until `visit` breaks. Moves that differ only in the target form a group; no
    /// group is empty.
    pub fn visit_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        either!(self, position => position.visit_moves(visit))
    }

    /// All legal moves, in unspecified order.
    pub fn legal_moves(&self) -> MoveList {
        either!(self, position => position.legal_moves())
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> usize {
        either!(self, position => position.count_moves())
    }

    /// Returns true if a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        either!(self, position => position.is_legal(mv))
    }

    /// The position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        either!(self, position => position.play(mv).map(Self::from))
    }

    /// Plays a move that is known to be legal, or [`Move::NULL`] out of check. After any other move the position is
    /// unspecified, but nothing panics.
    pub fn play_unchecked(&mut self, mv: Move) {
        either!(self, position => position.play_unchecked(mv));
    }

    /// The position after a null move, in which the side to move passes; `None` in check.
    pub fn null_move(&self) -> Option<Self> {
        either!(self, position => position.null_move().map(Self::from))
    }

    /// The outcome, if the position itself ends the game. [`History`](crate::History) also detects repetitions.
    pub fn outcome(&self) -> Option<Outcome> {
        either!(self, position => position.outcome())
    }

    /// Returns true if a side has enough material to mate, with the other side's help.
    pub fn can_mate(&self, color: Color) -> bool {
        either!(self, position => position.can_mate(color))
    }

    /// The same position with colors swapped: the board is mirrored top to bottom, and everything that
    /// belongs to one side belongs to the other. The counters stay the same.
    pub fn flipped(&self) -> Self {
        either!(self, position => position.flipped().into())
    }

    /// The Zobrist key: in chess, [Polyglot's](Chess::zobrist).
    pub fn zobrist(&self) -> Zobrist {
        either!(self, position => position.zobrist())
    }

    /// The key of the position: equal positions have equal keys. In Makruk, it is the Zobrist key; in chess, it is
    /// [Polyglot's without captures that are not legal](Chess::key).
    pub fn key(&self) -> Zobrist {
        match self {
            Self::Chess(chess) => chess.key(),
            Self::Makruk(makruk) => makruk.zobrist(),
        }
    }

    /// The number of leaves of the game tree at `depth` half-moves; see [`perft`](crate::perft()).
    pub fn perft(&self, depth: u32) -> u64 {
        either!(self, position => Position::perft(position, depth))
    }
}

crate::position::shared_questions!(AnyPosition);

impl From<Chess> for AnyPosition {
    fn from(position: Chess) -> Self {
        Self::Chess(position)
    }
}

impl From<Makruk> for AnyPosition {
    fn from(position: Makruk) -> Self {
        Self::Makruk(position)
    }
}

impl fmt::Display for AnyPosition {
    /// Writes the FEN of its game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        either!(self, position => position.fmt(f))
    }
}
