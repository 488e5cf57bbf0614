//! Perft: counting the leaves of the game tree, the standard test of a move generator.

// These share 64-bit words between threads.
#[cfg(target_has_atomic = "64")]
pub(crate) mod hashed;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub(crate) mod parallel;
mod twin;

use crate::{Chess, Move, Position};
use core::ops::ControlFlow;
use halfmove_bitboard::cpu::Level;

/// The number of sequences of exactly `depth` legal half-moves.
///
/// ```
/// use halfmove_rules::{Chess, perft};
/// assert_eq!(perft(&Chess::default(), 3), 8_902);
/// ```
///
/// Chess uses a fast path: a leaner copy of [`Chess`] that can only count.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    position.perft(depth)
}

/// The fast path of chess.
pub(crate) fn chess(position: &Chess, depth: u32) -> u64 {
    twin::perft(position, depth, Level::V4)
}

/// [`perft`] at the highest CPU level that is not above `most`, to measure the speed on older CPUs.
pub fn perft_up_to(most: Level, position: &Chess, depth: u32) -> u64 {
    twin::perft(position, depth, most)
}

/// Counts for any game, through its public interface: moves are visited and played; the last ones are only counted.
pub(crate) fn plain<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => {
            let mut leaves = 0;
            let _: ControlFlow<()> = position.visit_moves(|piece| {
                for mv in piece {
                    leaves += plain(&after(position, mv), depth - 1);
                }
                ControlFlow::Continue(())
            });
            leaves
        }
    }
}

/// [`perft`] broken down by the first move, in the order of [`Position::legal_moves`]; nothing at
/// depth 0, where there is no first move.
pub fn divide<P: Position>(position: &P, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    moves.into_iter().map(move |mv| (mv, perft(&after(position, mv), depth - 1)))
}

fn after<P: Position>(position: &P, mv: Move) -> P {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
