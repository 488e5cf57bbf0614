//! Scores: centipawns, and mates by their distance.

use std::fmt;

/// The maximum length of a line.
pub(crate) const MAX_PLY: usize = 128;

/// The absolute score of a mate on the board.
pub(crate) const MATE: i32 = 32_000;

/// Scores beyond this bound are mates.
pub(crate) const MATE_BOUND: i32 = MATE - 1_000;

/// Greater than any score.
pub(crate) const INFINITE: i32 = 32_500;

/// The score of a draw.
pub(crate) const DRAW: i32 = 0;

/// The score if the side to move is mated after this number of plies.
pub(crate) const fn mated_in(plies: usize) -> i32 {
    -MATE + plies as i32
}

/// The score if the side to move mates after this number of plies.
pub(crate) const fn mate_in(plies: usize) -> i32 {
    MATE - plies as i32
}

/// A score in the form stored in the table: mates count from the position, not from the root.
pub(crate) const fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (if score >= MATE_BOUND {
        score + ply
    } else if score <= -MATE_BOUND {
        score - ply
    } else {
        score
    }) as i16
}

/// The reverse of [`to_table`].
pub(crate) const fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (score as i32, ply as i32);
    if score >= MATE_BOUND {
        score - ply
    } else if score <= -MATE_BOUND {
        score + ply
    } else {
        score
    }
}

/// The score of a search, for the side to move. `Display` writes it as UCI does.
///
/// ```
/// use halfmove_engine::Value;
/// assert_eq!(Value::Centipawns(-30).to_string(), "cp -30");
/// assert_eq!(Value::Mate(-2).to_string(), "mate -2");
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The number of moves in which the side to move mates, or is mated if it is not positive.
    Mate(i32),
}

impl Value {
    pub(crate) const fn of(score: i32) -> Self {
        if score >= MATE_BOUND {
            Self::Mate((MATE - score + 1) / 2)
        } else if score <= -MATE_BOUND {
            Self::Mate(-(MATE + score + 1) / 2)
        } else {
            Self::Centipawns(score)
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(number) => write!(f, "cp {number}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Value::of(mate_in(1)), Value::Mate(1));
        assert_eq!(Value::of(mate_in(3)), Value::Mate(2));
        assert_eq!(Value::of(mated_in(0)), Value::Mate(0));
        assert_eq!(Value::of(mated_in(2)), Value::Mate(-1));
        assert_eq!(Value::of(mated_in(4)), Value::Mate(-2));
        assert_eq!(Value::of(17), Value::Centipawns(17));
    }

    #[test]
    fn the_table_stores_distances_from_its_position() {
        for score in [0, 250, -250, mate_in(7), mated_in(8), MATE_BOUND, -MATE_BOUND] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        assert_eq!(i32::from(to_table(mate_in(7), 5)), mate_in(2));
    }
}
