//! Classification of bad moves.
//!
//! A pawn matters more in a level position than with an extra queen, so scores are first converted to *winning
//! chances*: 0.5 in a level position, nearly 1 with an extra rook, exactly 1 for a mate.
//!
//! ```text
//! chances = 1 / (1 + e^(−0.00368208 · centipawns))
//! ```
//!
//! A move that is not the best one is
//!
//! | | | if it loses at least |
//! | --- | --- | --- |
//! | `?!` | an inaccuracy | 5 percentage points |
//! | `?` | a mistake | 10 percentage points |
//! | `??` | a blunder | 15 percentage points |
//!
//! The curve was fitted by Lichess to chess games between people. Makruk and its variants use the same one.
//!
//! # Source
//! "Lichess Accuracy metric and how we calculate accuracy", <https://lichess.org/page/accuracy>.

use crate::{Assessment, Value};
use halfmove_rules::Move;

const STEEPNESS: f64 = 0.003_682_08;

/// The class of a bad move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// `?!`: at least 5 percentage points of winning chances.
    Inaccuracy,
    /// `?`: at least 10 percentage points.
    Mistake,
    /// `??`: at least 15 percentage points.
    Blunder,
}

/// The winning chances of the side to move, from 0 to 1, with a draw counted as half a win.
///
/// ```
/// use halfmove_engine::{Value, winning_chances};
///
/// assert_eq!(winning_chances(Value::Centipawns(0)), 0.5);
/// assert!((winning_chances(Value::Centipawns(300)) - 0.75).abs() < 0.002);
/// assert_eq!(winning_chances(Value::Mate(-2)), 0.0);
/// ```
pub fn winning_chances(value: Value) -> f64 {
    match value {
        Value::Centipawns(number) => 1.0 / (1.0 + (-STEEPNESS * f64::from(number)).exp()),
        Value::Mate(1..) => 1.0,
        // Zero moves: the side to move is already mated.
        Value::Mate(_) => 0.0,
    }
}

impl Judgement {
    /// Judges a move by the value before it, for the player, and the value after it, for the opponent.
    ///
    /// ```
    /// use halfmove_engine::{Judgement, Value};
    ///
    /// let level = Value::Centipawns(0);
    /// assert_eq!(Judgement::of(level, Value::Centipawns(40)), None);
    /// assert_eq!(Judgement::of(level, Value::Centipawns(80)), Some(Judgement::Inaccuracy));
    /// assert_eq!(Judgement::of(Value::Mate(3), level), Some(Judgement::Blunder));
    /// ```
    pub fn of(before: Value, after: Value) -> Option<Self> {
        Self::of_loss(winning_chances(before) - (1.0 - winning_chances(after)))
    }

    /// Judges a move by its loss of winning chances.
    fn of_loss(lost: f64) -> Option<Self> {
        match lost {
            0.15.. => Some(Self::Blunder),
            0.10.. => Some(Self::Mistake),
            0.05.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Judges a move by searches of the positions before and after it. The engine's own choice is never bad, and
    /// neither is a null move.
    pub fn of_move(before: &Assessment, mv: Move, after: &Assessment) -> Option<Self> {
        Self::beyond_doubt(before, mv, after, 0.0)
    }

    /// Like [`of_move`](Self::of_move), with a margin of error of `doubt` winning chances.
    pub(crate) fn beyond_doubt(
        before: &Assessment,
        mv: Move,
        after: &Assessment,
        doubt: f64,
    ) -> Option<Self> {
        if mv.is_null() || before.line.first() == Some(&mv) {
            return None;
        }
        let lost = winning_chances(before.value) - (1.0 - winning_chances(after.value));
        // A found mate is certain.
        let is_certain = matches!(after.value, Value::Mate(_));
        Self::of_loss(if is_certain { lost } else { lost - doubt })
    }

    /// The numeric annotation glyph of PGN: 6, 2 or 4.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_from_none_to_all() {
        let mut last = winning_chances(Value::Mate(-1));
        for number in (-3_000..=3_000).step_by(10) {
            let chances = winning_chances(Value::Centipawns(number));
            assert!(chances > last, "{number}");
            let others = winning_chances(Value::Centipawns(-number));
            assert!((chances + others - 1.0).abs() < 1e-12, "{number}");
            last = chances;
        }
        assert!(last < winning_chances(Value::Mate(9)));
    }

    /// Losses in centipawns just below and just above each limit.
    #[test]
    fn thresholds() {
        let cp = Value::Centipawns;
        for (before, after, expected) in [
            // Level: 55, 109 and 165 centipawns are 5.04, 9.90 and 14.74 % …
            (cp(0), cp(54), None),
            (cp(0), cp(55), Some(Judgement::Inaccuracy)),
            (cp(0), cp(110), Some(Judgement::Inaccuracy)),
            (cp(0), cp(111), Some(Judgement::Mistake)),
            (cp(0), cp(168), Some(Judgement::Mistake)),
            (cp(0), cp(169), Some(Judgement::Blunder)),
            // … and a queen ahead, a pawn is nothing.
            (cp(900), cp(-800), None),
            (cp(900), cp(-500), Some(Judgement::Mistake)),
            // An unexpected gain is not a loss.
            (cp(-200), cp(100), None),
            // Mates.
            (Value::Mate(1), Value::Mate(-5), None),
            (Value::Mate(1), cp(-1_000), None),
            (Value::Mate(1), cp(-700), Some(Judgement::Inaccuracy)),
            (Value::Mate(2), Value::Mate(2), Some(Judgement::Blunder)),
            (cp(-1_000), Value::Mate(1), None),
            (cp(0), Value::Mate(1), Some(Judgement::Blunder)),
            (Value::Mate(-3), Value::Mate(1), None),
            // The move mates.
            (Value::Mate(1), Value::Mate(0), None),
        ] {
            assert_eq!(Judgement::of(before, after), expected, "{before} to {after}");
        }
    }
}
