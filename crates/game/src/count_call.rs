//! Claimed and stopped counts of Makruk.

use halfmove_rules::AnyPosition;

/// A claim or a stop of a count by a side, between two half-moves of a game of Makruk.
///
/// ```
/// use halfmove_game::CountCall;
/// use halfmove_rules::makruk::{CountingPolicy, Honor};
/// use halfmove_rules::{AnyPosition, Color, Makruk};
///
/// let position: Makruk = "8/8/K7/8/6s1/2N1r1k1/7m/8 w - - 0 41".parse().unwrap();
/// let mut position = AnyPosition::from(position.with_policy(CountingPolicy::Thai));
/// CountCall::Begin { ply: 0 }.apply(&mut position);
/// let AnyPosition::Makruk(position) = position else { unreachable!() };
/// let count = position.counting().unwrap();
/// assert_eq!((count.honor(), count.color()), (Honor::Board, Color::White));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountCall {
    /// The side to move [starts counting](halfmove_rules::Makruk::claim_count).
    Begin {
        /// The number of half-moves played before.
        ply: usize,
    },
    /// The counting side [stops](halfmove_rules::Makruk::stop_count).
    Stop {
        /// The number of half-moves played before.
        ply: usize,
    },
}

impl CountCall {
    /// The number of half-moves played before.
    pub const fn ply(self) -> usize {
        match self {
            CountCall::Begin { ply } | CountCall::Stop { ply } => ply,
        }
    }

    /// Starts or stops the count. Returns false, and changes nothing, if the rules do not allow that.
    pub fn apply(self, position: &mut AnyPosition) -> bool {
        let AnyPosition::Makruk(position) = position else { return false };
        let done = match self {
            CountCall::Begin { .. } => position.claim_count(),
            CountCall::Stop { .. } => position.stop_count(),
        };
        done.is_ok()
    }
}
