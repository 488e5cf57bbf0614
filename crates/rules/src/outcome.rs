//! How a game ends, and why.

use crate::Color;
use core::fmt;

/// Why a game is over, or why a player may claim a draw.
///
/// Whether an outcome ends the game by itself or has to be claimed is for the game to say, not for the
/// outcome: a position that stands for the third time ends a game of Makruk, but in chess a player has
/// to claim it. [`History::outcome`](crate::History::outcome) gives what has ended the game,
/// [`History::claim`](crate::History::claim) what may be claimed. A position alone, without the moves
/// before it, knows the outcomes that are seen on the board
/// ([`Chess::outcome`](crate::Chess::outcome), [`Makruk::outcome`](crate::Makruk::outcome)).
///
/// ```
/// use halfmove_rules::{Color, Outcome};
///
/// let mate = Outcome::Checkmate { winner: Color::White };
/// assert_eq!((mate.result(), mate.winner()), ("1-0", Some(Color::White)));
/// assert_eq!(Outcome::Stalemate.result(), "1/2-1/2");
/// assert_eq!(Outcome::FiftyMoves.to_string(), "fifty moves");
/// ```
///
/// # Source
/// FIDE Laws of Chess (2023), articles 5.1, 5.2 and 9.2 to 9.6.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move is in check and has no legal move (5.1.1).
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move (5.2.1).
    Stalemate,
    /// What is left on the board cannot mate: of the dead positions of article 5.2.2, those that the
    /// material alone tells.
    InsufficientMaterial,
    /// The position stands for the fifth time (9.6.1).
    FivefoldRepetition,
    /// Each side has made 75 moves without a capture and without a pawn move (9.6.2).
    SeventyFiveMoves,
    /// The position stands for the third time (9.2).
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture and without a pawn move (9.3).
    FiftyMoves,
    /// A count of Makruk has run out.
    CountingDraw,
}

impl Outcome {
    /// Who won, `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "seventy-five moves",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::CountingDraw => "counting",
        })
    }
}
