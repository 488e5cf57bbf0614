//! Time management.
//!
//! Two limits follow from the clock. The *hard* limit stops the search; it is checked every 1,024 nodes. The *soft* limit
//! is checked after each iteration. It shrinks to about half while the best move is stable and takes most of the nodes,
//! and grows when the best move has changed or its score has dropped.

use std::time::Duration;

/// A player's clock, as given by `go`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// The remaining time. GUIs may send a negative time.
    pub left_ms: i64,
    /// The increment per move.
    pub increment_ms: i64,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The time limits of a search, from its start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The time after which no new iteration begins. The search scales it by the stability of the best move.
    pub soft: Duration,
    /// The search stops at this time.
    pub hard: Duration,
}

/// Measures of the stability of the best move.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Certainty {
    /// Iterations since the best move last changed.
    pub(super) stable: u32,
    /// The share of nodes spent on the best move, in percent.
    pub(super) node_share: u32,
    /// The drop of the score since the previous iteration, in centipawns.
    pub(super) drop: i32,
}

impl Budget {
    /// A fixed time per move, minus the overhead of communication with the GUI, but at least half of it.
    pub fn exactly(time_ms: i64, overhead_ms: i64) -> Self {
        let overhead_ms = overhead_ms.clamp(0, (time_ms / 2).max(0));
        let time = Duration::from_millis((time_ms - overhead_ms).max(1).unsigned_abs());
        Self { soft: time, hard: time }
    }

    /// A share of the remaining time. `overhead_ms` is the overhead of communication with the GUI per move.
    ///
    /// ```
    /// use halfmove_engine::{Budget, TimeLeft};
    /// let clock = TimeLeft { left_ms: 60_000, increment_ms: 0, moves_to_go: None };
    /// let budget = Budget::of(clock, 30);
    /// assert!(budget.soft.as_millis() > 1_000 && budget.hard.as_millis() < 12_000);
    /// // Less than a millisecond, where there is no time left.
    /// let flagging = Budget::of(TimeLeft { left_ms: -7, ..clock }, 30);
    /// assert_eq!(flagging.hard.as_millis(), 0);
    /// ```
    pub fn of(clock: TimeLeft, overhead_ms: i64) -> Self {
        // In microseconds: a long game without increment ends with hundreds of moves in the last tenth of a second.
        let micros = |ms: i64| ms.min(1 << 40) * 1_000;
        let overhead = micros(overhead_ms.max(0));
        let left = micros(clock.left_ms.max(0)).saturating_sub(overhead).max(1_000);
        // The length of a game is unknown: plan for 32 more moves, and keep a reserve.
        let moves = i64::from(clock.moves_to_go.unwrap_or(32).clamp(1, 32));
        let increment = micros(clock.increment_ms.max(0)).min(left);
        let reserve = overhead.saturating_mul(moves - 1);
        // With little time left, less of the increment is used, so that the reserve recovers.
        let (rich, spent) = (8 * overhead, increment * 3 / 4);
        let spent = if left < rich { spent * left / rich } else { spent };
        let share = left.saturating_sub(reserve).max(left / 8).max(1) / moves + spent;
        // The last move of a time control may use nearly everything.
        let most = if moves == 1 { left * 9 / 10 } else { left * 6 / 10 };
        let soft = share.min(most);
        let hard = share.saturating_mul(4).min(most);
        let time = |micros: i64| Duration::from_micros(micros.unsigned_abs());
        Self { soft: time(soft), hard: time(hard) }
    }

    /// Returns true if the budget allows another iteration after this time.
    pub(super) fn allows_more(&self, elapsed: Duration, certainty: Certainty) -> bool {
        if self.soft == self.hard {
            return elapsed < self.hard;
        }
        // In percent: all nodes on the best move give 60, half of them 110.
        let by_nodes = 160 - certainty.node_share.min(100);
        let by_stability = [130, 115, 105, 95, 85][certainty.stable.min(4) as usize];
        let by_drop = 100 + certainty.drop.clamp(0, 60) as u32;
        let soft =
            self.soft.as_micros() * u128::from(by_nodes * by_stability * by_drop) / 1_000_000;
        elapsed.as_micros() < soft.min(self.hard.as_micros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> TimeLeft {
        TimeLeft { left_ms, increment_ms, moves_to_go }
    }

    #[test]
    fn no_clock_asks_for_more_time_than_there_is() {
        for left in [-1_000_000, -1, 0, 1, 2, 10, 100, 1_000, 60_000, 3_600_000, i64::MAX] {
            for increment in [-5, 0, 1, 100, 10_000, i64::MAX] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5_000] {
                        let budget = Budget::of(clock(left, increment, moves), overhead);
                        let most = left.saturating_sub(overhead).max(1).unsigned_abs();
                        assert!(
                            budget.hard <= Duration::from_millis(most),
                            "{left} {increment} {moves:?}"
                        );
                        assert!(budget.soft <= budget.hard && !budget.soft.is_zero());
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_game_is_played_in_time() {
        // Each move takes the hard limit and the overhead: the worst case.
        let mut left = 60_000;
        for _ in 0..200 {
            let budget = Budget::of(clock(left, 500, None), 20);
            left -= budget.hard.as_millis() as i64 + 20;
            assert!(left >= 0);
            left += 500;
        }
    }

    #[test]
    fn doubt_buys_time() {
        let budget = Budget::of(clock(60_000, 0, None), 0);
        let sure = Certainty { stable: 9, node_share: 95, drop: 0 };
        let unsure = Certainty { stable: 0, node_share: 40, drop: 50 };
        let elapsed = budget.soft;
        assert!(!budget.allows_more(elapsed, sure) && budget.allows_more(elapsed, unsure));
        assert!(!budget.allows_more(budget.hard, unsure));
        let exact = Budget::exactly(1_000, 10);
        assert!(exact.allows_more(Duration::from_millis(989), sure));
        assert!(!exact.allows_more(Duration::from_millis(990), unsure));
    }
}
