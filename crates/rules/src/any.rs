//! A position of any game, for callers who learn at run time which game it is.

use crate::makruk;
use crate::{
    Bitboard, Board, CastlingMode, Chess, Color, FenError, IllegalMove, Makruk, Move, MoveList,
    Outcome, PieceMoves, Position, SanError, SanText, Square, UciError, UciMove, Zobrist,
};
use core::fmt;
use core::ops::ControlFlow;
use thiserror::Error;

/// A game that this crate knows the rules of.
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

    /// The name, as UCI's option `UCI_Variant` has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Chess960 => "chess960",
            Self::Makruk => "makruk",
            Self::Makpong => "makpong",
            Self::Asean => "asean",
        }
    }

    /// The game of a name as PGN's tag `Variant` and UCI's option `UCI_Variant` have it, in upper or
    /// lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        let others =
            [("standard", Self::Chess), ("normal", Self::Chess), ("fischerandom", Self::Chess960)];
        let names = Self::ALL.map(|variant| (variant.name(), variant));
        let mut names = names.into_iter().chain(others);
        names.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, variant)| variant)
    }

    /// Which castling the game has; `None` if it has none.
    pub const fn castling_mode(self) -> Option<CastlingMode> {
        match self {
            Self::Chess => Some(CastlingMode::Standard),
            Self::Chess960 => Some(CastlingMode::Chess960),
            Self::Makruk | Self::Makpong | Self::Asean => None,
        }
    }

    /// Which game of Makruk's family this is; `None` for chess and Chess960.
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

/// A position of any game of this crate. It answers every question that all games have an answer to;
/// for those that only one has, match on it.
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
/// [`History`](crate::History) tells how a game of any kind ends:
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
///     // In chess a player claims the third time, in Makruk it ends the game.
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

/// Why a FEN does not give a position of its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyFenError {
    /// A FEN of chess or Chess960.
    #[error(transparent)]
    Chess(#[from] FenError),
    /// A FEN of Makruk or its kin.
    #[error(transparent)]
    Makruk(#[from] makruk::FenError),
}

/// The same expression for the position of either game.
macro_rules! either {
    ($any:expr, $position:ident => $value:expr) => {
        match $any {
            AnyPosition::Chess($position) => $value,
            AnyPosition::Makruk($position) => $value,
        }
    };
}

impl AnyPosition {
    /// The start of a game; of Chess960, the one with the pieces as in chess.
    pub fn start(variant: Variant) -> Self {
        match variant.makruk_rules() {
            Some(rules) => Self::Makruk(Makruk::start(rules)),
            None if variant == Variant::Chess960 => Self::Chess(Chess::default().into_chess960()),
            None => Self::Chess(Chess::default()),
        }
    }

    /// Reads a FEN of a game. A FEN of Makruk may be of either dialect where it is
    /// [certain](makruk::Dialect::detect) which.
    ///
    /// # Errors
    /// [`AnyFenError`], as the game has it.
    ///
    /// ```
    /// use halfmove_rules::{AnyPosition, Variant};
    ///
    /// let position = AnyPosition::parse(Variant::Makruk, "8/3k4/8/1F6/8/8/8/2RK4 w 70")?;
    /// assert_eq!(position.to_string(), "8/3k4/8/1M~6/8/8/8/2RK4 w - - 0 70");
    /// # Ok::<(), halfmove_rules::AnyFenError>(())
    /// ```
    pub fn parse(variant: Variant, fen: &str) -> Result<Self, AnyFenError> {
        let Some(rules) = variant.makruk_rules() else {
            return Ok(Self::Chess(Chess::from_fen(fen, variant.castling_mode())?));
        };
        let dialect = match rules {
            // Its letters B and Q are those of chess, and makruk-js does not play it.
            makruk::Rules::Asean => makruk::Dialect::Fairy,
            _ => makruk::Dialect::detect(fen)?,
        };
        let setup = makruk::Setup::parse(fen, rules, dialect)?;
        Ok(Self::Makruk(Makruk::from_setup(setup).map_err(makruk::FenError::from)?))
    }

    /// Which game this is.
    pub fn variant(&self) -> Variant {
        match self {
            Self::Chess(position) => position.castling_mode().into(),
            Self::Makruk(position) => position.rules().into(),
        }
    }

    /// The legal move that a SAN means; of Makruk, in the style of Fairy-Stockfish.
    ///
    /// # Errors
    /// [`SanError`].
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        match self {
            Self::Chess(position) => position.parse_san(text),
            Self::Makruk(position) => position.parse_san(text, makruk::SanStyle::Fairy),
        }
    }

    /// A legal move as SAN; of Makruk, in the style of Fairy-Stockfish.
    pub fn san(&self, mv: Move) -> SanText {
        either!(self, position => position.san(mv))
    }

    /// The legal move that a text of UCI means.
    ///
    /// # Errors
    /// [`UciError`].
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        either!(self, position => position.parse_uci(text))
    }

    /// A move as UCI writes it in this game.
    pub fn uci(&self, mv: Move) -> UciMove {
        either!(self, position => Position::uci(position, mv))
    }

    /// The pieces on their squares.
    pub fn board(&self) -> &Board {
        either!(self, position => position.board())
    }

    /// The side to move.
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

    /// 1 at the start, one more after each move of Black.
    pub fn fullmove_number(&self) -> u16 {
        either!(self, position => position.fullmove_number())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        either!(self, position => position.checkers())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        either!(self, position => position.is_check())
    }

    /// Shows every piece that can move, with the squares it may go to, until `visit` breaks.
    pub fn visit_moves<B>(
        &self,
        visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        either!(self, position => position.visit_moves(visit))
    }

    /// All legal moves, in no promised order.
    pub fn legal_moves(&self) -> MoveList {
        either!(self, position => position.legal_moves())
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> usize {
        either!(self, position => position.count_moves())
    }

    /// Whether a move is legal here.
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

    /// Plays a move that is known to be legal. After any other move, nothing is promised of the
    /// position, except that nothing panics.
    pub fn play_unchecked(&mut self, mv: Move) {
        either!(self, position => position.play_unchecked(mv));
    }

    /// How the game has ended on the board, if it has; [`History`](crate::History) knows of repetition
    /// too.
    pub fn outcome(&self) -> Option<Outcome> {
        either!(self, position => position.outcome())
    }

    /// Whether the pieces on the board suffice for a side to mate, with the other side's help.
    pub fn can_mate(&self, color: Color) -> bool {
        either!(self, position => position.can_mate(color))
    }

    /// The same position with the colors exchanged: the first rank becomes the eighth, and whatever is
    /// one side's becomes the other's. The counters stay.
    pub fn flipped(&self) -> Self {
        either!(self, position => position.flipped().into())
    }

    /// The key.
    pub fn zobrist(&self) -> Zobrist {
        either!(self, position => position.zobrist())
    }

    /// The number of sequences of exactly `depth` legal half-moves; see
    /// [`perft`](crate::perft()).
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
    /// FEN as its game has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        either!(self, position => position.fmt(f))
    }
}
