//! Draws by repetition, by the fifty-move rule, by counting, and by insufficient material.

use super::alphabeta::Worker;
use super::value::{DRAW, mated_in};
use crate::SearchBoard;
use crate::board::mix;

/// The maximum number of moves left in a count at which it is part of the key. With more moves left, the count hardly
/// matters.
const MOVES_LEFT: i32 = 24;

/// The key of a position in the transposition table. It includes the count, once few moves are left, and the half-move
/// clock, once it is high, in steps.
#[inline]
pub(super) fn table_key<B: SearchBoard>(position: &B) -> u64 {
    let mut key = position.key();
    if let Some(count) = position.count()
        && count.chaser_moves_left() <= MOVES_LEFT
    {
        key ^= count.key();
    }
    let clock = position.halfmove_clock();
    if clock >= 24 && position.has_fifty_move_rule() {
        key ^= mix(u64::from(clock / 8));
    }
    key
}

impl<B: SearchBoard> Worker<'_, B> {
    /// The score of a position that is drawn by the rules, for the side to move. Checkmate comes first.
    #[inline]
    pub(super) fn drawn(&self, position: &B, check: bool, ply: usize) -> Option<i32> {
        let spent = position.halfmove_clock() >= 100 && position.has_fifty_move_rule()
            || position.count().is_some_and(|count| count.is_over());
        if spent {
            let mated = check && !position.has_moves();
            return Some(if mated { mated_in(ply) } else { DRAW });
        }
        (self.repeats(position, ply) || position.is_insufficient_material()).then_some(DRAW)
    }

    /// Returns true if the position repeats one of the path, or occurs for the third time in the game.
    ///
    /// Within the search, one repetition counts as a draw: the cycle could be repeated again.
    fn repeats(&self, position: &B, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let clock = usize::from(position.halfmove_clock());
        // Only back to the last capture, pawn move or null move.
        let reach = clock.min(last - self.barrier.min(last));
        let key = self.keys[last];
        let mut before = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == key {
                if back < ply || before {
                    return true;
                }
                before = true;
            }
        }
        false
    }
}
