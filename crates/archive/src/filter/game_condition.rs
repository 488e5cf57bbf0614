//! Conditions on the course of a game, besides a position.

use std::fmt;
use std::str::FromStr;

use halfmove_game::replay::{BoardCondition, MoveSequence};
use halfmove_rules::{AnyPosition, Outcome};

/// A condition on the course of a game. A matching game has a first ply at which it is met.
///
/// ```
/// use halfmove_archive::{Filter, GameCondition};
/// use halfmove_game::replay::BoardCondition;
///
/// // Games that reach an ending of rook and pawn against rook.
/// let condition = BoardCondition {
///     material: "RPvR".parse().ok(),
///     either_color: true,
///     ..BoardCondition::default()
/// };
/// let filter = Filter { conditions: vec![condition.into()], ..Filter::default() };
/// # assert!(matches!(filter.conditions[0], GameCondition::Board(_)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a filter has one or two of them")]
pub enum GameCondition {
    /// A position of the game meets conditions on the board.
    Board(BoardCondition),
    /// These moves are played in succession. The ply is that after the last move.
    Played(MoveSequence),
    /// The last position ends the game in this way.
    Ended(End),
    /// A comment in the game, including its variations, has these words, in any order, ignoring case and accents. The
    /// ply is that of the comment, or that at which its variation branches off.
    Comment(String),
    /// The game has a comment, a glyph or a variation. Comments with only clocks, times and evaluations do not count.
    /// The ply is that of the first annotation.
    Annotated,
    /// The game or one of its variations meets a condition. If only a variation does, the ply is that at which the
    /// variation branches off.
    Anywhere(LineCondition),
}

/// A condition on a line of a game: its main line, or the moves from its start to the end of a variation. A null move
/// is a half-move of its line.
///
/// ```
/// use halfmove_archive::{LineCondition, GameCondition};
/// use halfmove_game::replay::MoveSequence;
///
/// let gift: MoveSequence = "Bxh7+ Kxh7 Ng5+".parse()?;
/// let condition = GameCondition::Anywhere(LineCondition::Played(gift));
/// # assert!(matches!(condition, GameCondition::Anywhere(_)));
/// # Ok::<(), halfmove_game::replay::MoveSequenceError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a filter has one or two of them")]
pub enum LineCondition {
    /// The position arises.
    Position(AnyPosition),
    /// A position meets conditions on the board.
    Board(BoardCondition),
    /// These moves are played in succession.
    Played(MoveSequence),
}

/// The end of a game by its last position. It does not show resignations, time forfeits, agreements and repetitions.
///
/// ```
/// use halfmove_archive::End;
///
/// assert_eq!("checkmate".parse(), Ok(End::Checkmate));
/// assert_eq!("Insufficient material".parse(), Ok(End::InsufficientMaterial));
/// assert_eq!(End::InsufficientMaterial.to_string(), "insufficient_material");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum End {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side has enough material to mate.
    InsufficientMaterial,
    /// A count of Makruk has run out.
    Counting,
}

/// The error for a text that does not name an [`End`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected checkmate, stalemate, insufficient_material or counting")]
pub struct EndError;

impl End {
    /// All ends.
    pub const ALL: [Self; 4] =
        [Self::Checkmate, Self::Stalemate, Self::InsufficientMaterial, Self::Counting];

    /// Returns true if an outcome is this end.
    pub(crate) fn is(self, outcome: Option<Outcome>) -> bool {
        match (self, outcome) {
            (Self::Checkmate, Some(Outcome::Checkmate { .. }))
            | (Self::Stalemate, Some(Outcome::Stalemate))
            | (Self::InsufficientMaterial, Some(Outcome::InsufficientMaterial))
            | (Self::Counting, Some(Outcome::CountingDraw)) => true,
            (_, _) => false,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The same names as in the function `ended`.
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient_material",
            Self::Counting => "counting",
        })
    }
}

impl FromStr for End {
    type Err = EndError;

    fn from_str(text: &str) -> Result<Self, EndError> {
        let name = text.to_ascii_lowercase().replace([' ', '-'], "_");
        Self::ALL.into_iter().find(|end| end.to_string() == name).ok_or(EndError)
    }
}

impl From<MoveSequence> for GameCondition {
    fn from(sequence: MoveSequence) -> Self {
        Self::Played(sequence)
    }
}

impl From<BoardCondition> for GameCondition {
    fn from(condition: BoardCondition) -> Self {
        Self::Board(condition)
    }
}
