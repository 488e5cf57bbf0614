//! The ends of a game, with their reasons.

use crate::Color;
use core::fmt;

/// The reason why a game is over, or why a player may claim a draw.
///
/// The same outcome may be automatic in one game and not in another: threefold repetition ends a game
/// of Makruk, but in chess a player has to claim the draw.
/// [`History::outcome`](crate::History::outcome) returns the outcome of a finished game,
/// [`History::claim`](crate::History::claim) a draw that may be claimed. A position without its
/// history has only the outcomes that depend on the board ([`Chess::outcome`](crate::Chess::outcome),
/// [`Makruk::outcome`](crate::Makruk::outcome)).
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
        /// The side that gave checkmate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move (5.2.1).
    Stalemate,
    /// Neither side has enough material to mate. (Other dead positions of article 5.2.2 are not
    /// included.)
    InsufficientMaterial,
    /// The position has occurred five times (9.6.1).
    FivefoldRepetition,
    /// Each side has made 75 moves without a capture or pawn move (9.6.2).
    SeventyFiveMoves,
    /// The position has occurred three times (9.2).
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture or pawn move (9.3).
    FiftyMoves,
    /// A count of Makruk has run out.
    CountingDraw,
}

impl Outcome {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The name, as one word: `insufficient_material`.
    ///
    /// ```
    /// use halfmove_rules::Outcome;
    ///
    /// assert_eq!(Outcome::SeventyFiveMoves.name(), "seventy_five_moves");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient_material",
            Self::FivefoldRepetition => "fivefold_repetition",
            Self::SeventyFiveMoves => "seventy_five_moves",
            Self::ThreefoldRepetition => "threefold_repetition",
            Self::FiftyMoves => "fifty_moves",
            Self::CountingDraw => "counting",
        }
    }

    /// The result in PGN: `1-0`, `0-1` or `1/2-1/2`.
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
