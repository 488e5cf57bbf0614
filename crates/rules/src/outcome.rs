//! How a game ends on the board.

use crate::Color;
use core::fmt;

/// Why a position has no future.
///
/// Draws that need the history or a claim (repetition, fifty moves) are not here.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// No sequence of legal moves leads to mate, because of what is left on the board.
    InsufficientMaterial,
}

impl Outcome {
    /// Who won, `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            Self::Stalemate | Self::InsufficientMaterial => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
        })
    }
}
