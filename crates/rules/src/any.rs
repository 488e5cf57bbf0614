//! A position of whichever game, for callers who learn the game at run time.

use crate::makruk;
use crate::{
    Bitboard, Board, CastlingStyle, Chess, Color, FenError, Makruk, Move, Outcome, PieceMoves,
    Position, San, SanError, SanText, UciError, UciMove, Zobrist,
};
use core::fmt;
use core::ops::ControlFlow;
use thiserror::Error;

/// A game that this crate knows the rules of.
///
/// ```
/// use halfmove_rules::makruk;
/// use halfmove_rules::Variant;
///
/// assert_eq!(Variant::from_name("Chess960"), Some(Variant::Chess));
/// assert_eq!(Variant::from_name("Makruk"), Some(Variant::Makruk(makruk::Rules::Makruk)));
/// assert_eq!(Variant::from_name("Atomic"), None);
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Chess, and Chess960, whose rules differ only in where castling starts.
    #[default]
    Chess,
    /// Makruk, or a game beside it.
    Makruk(makruk::Rules),
}

impl Variant {
    /// The game of a name as the tag `Variant` of PGN and UCI's `UCI_Variant` have it; case does not
    /// matter.
    pub fn from_name(name: &str) -> Option<Self> {
        const CHESS: [&str; 5] = ["chess", "standard", "normal", "chess960", "fischerandom"];
        if CHESS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return Some(Self::Chess);
        }
        makruk::Rules::from_name(name).map(Self::Makruk)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chess => f.write_str("chess"),
            Self::Makruk(variant) => variant.fmt(f),
        }
    }
}

/// A position of any game of this crate.
///
/// ```
/// use halfmove_rules::{AnyPosition, Position, Variant};
///
/// for (name, move_text, replies) in [("chess", "e2e4", 20), ("makruk", "e3e4", 23)] {
///     let start = AnyPosition::start(Variant::from_name(name).unwrap());
///     let next = start.play(start.parse_uci(move_text)?).unwrap();
///     assert_eq!(next.count_moves(), replies);
/// }
/// # Ok::<(), halfmove_rules::UciError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum AnyPosition {
    /// One of chess.
    Chess(Chess),
    /// One of Makruk, or of a game beside it.
    Makruk(Makruk),
}

/// A FEN that gives no position of its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyFenError {
    /// None of chess.
    #[error(transparent)]
    Chess(#[from] FenError),
    /// None of Makruk.
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
    /// The start of a game.
    pub fn start(variant: Variant) -> Self {
        match variant {
            Variant::Chess => Self::Chess(Chess::default()),
            Variant::Makruk(variant) => Self::Makruk(Makruk::start(variant)),
        }
    }

    /// Reads a FEN of a game; of Makruk, in either dialect where it is
    /// [certain](makruk::Dialect::detect).
    ///
    /// # Errors
    /// [`AnyFenError`], as the game has it.
    ///
    /// ```
    /// use halfmove_rules::makruk;
    /// use halfmove_rules::{AnyPosition, Variant};
    ///
    /// let makruk = Variant::Makruk(makruk::Rules::Makruk);
    /// let position = AnyPosition::parse(makruk, "8/3k4/8/1F6/8/8/8/2RK4 w 70")?;
    /// assert_eq!(position.to_string(), "8/3k4/8/1M~6/8/8/8/2RK4 w - - 0 70");
    /// # Ok::<(), halfmove_rules::AnyFenError>(())
    /// ```
    pub fn parse(variant: Variant, fen: &str) -> Result<Self, AnyFenError> {
        let variant = match variant {
            Variant::Chess => return Ok(Self::Chess(fen.parse::<Chess>()?)),
            Variant::Makruk(variant) => variant,
        };
        let dialect = match variant {
            // Its letters B and Q are those of chess, and makruk-js does not play it.
            makruk::Rules::Asean => makruk::Dialect::Fairy,
            _ => makruk::Dialect::detect(fen)?,
        };
        let setup = makruk::Setup::parse(fen, variant, dialect)?;
        Ok(Self::Makruk(Makruk::from_setup(setup).map_err(makruk::FenError::from)?))
    }

    /// Which game this is.
    pub fn variant(&self) -> Variant {
        match self {
            Self::Chess(_) => Variant::Chess,
            Self::Makruk(position) => Variant::Makruk(position.rules()),
        }
    }

    /// The legal move that a SAN means; of Makruk, in the style of Fairy-Stockfish.
    ///
    /// # Errors
    /// [`SanError`].
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        match self {
            Self::Chess(position) => San::parse(text.as_bytes())?.resolve(position),
            Self::Makruk(position) => position.parse_san(text, makruk::SanStyle::Fairy),
        }
    }

    /// The legal move that a text of UCI means.
    ///
    /// # Errors
    /// [`UciError`].
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        match self {
            Self::Chess(position) => text.parse::<UciMove>()?.resolve(position),
            Self::Makruk(position) => position.parse_uci(text),
        }
    }

    /// A move as UCI writes it here: castling is king takes rook in Chess960.
    pub fn uci(&self, mv: Move) -> UciMove {
        match self {
            Self::Chess(position) if position.is_chess960() => mv.uci(CastlingStyle::KingTakesRook),
            Self::Chess(_) => mv.uci(CastlingStyle::KingToTarget),
            Self::Makruk(position) => position.uci(mv),
        }
    }
}

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

impl crate::position::Sealed for AnyPosition {}

impl Position for AnyPosition {
    fn board(&self) -> &Board {
        either!(self, position => position.board())
    }

    fn side_to_move(&self) -> Color {
        either!(self, position => position.side_to_move())
    }

    fn checkers(&self) -> Bitboard {
        either!(self, position => position.checkers())
    }

    fn visit_moves<B>(&self, visit: impl FnMut(PieceMoves) -> ControlFlow<B>) -> ControlFlow<B> {
        either!(self, position => position.visit_moves(visit))
    }

    fn count_moves(&self) -> usize {
        either!(self, position => position.count_moves())
    }

    fn is_legal(&self, mv: Move) -> bool {
        either!(self, position => position.is_legal(mv))
    }

    fn play_unchecked(&mut self, mv: Move) {
        either!(self, position => position.play_unchecked(mv));
    }

    fn outcome(&self) -> Option<Outcome> {
        either!(self, position => position.outcome())
    }

    fn zobrist(&self) -> Zobrist {
        either!(self, position => position.zobrist())
    }

    fn san(&self, mv: Move) -> SanText {
        either!(self, position => position.san(mv))
    }

    fn perft(&self, depth: u32) -> u64 {
        either!(self, position => Position::perft(position, depth))
    }
}
