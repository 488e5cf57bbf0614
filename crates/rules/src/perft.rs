//! Counting the leaves of the game tree, the classic proof of a move generator.

pub(crate) mod hashed;
#[cfg(feature = "std")]
pub(crate) mod parallel;

use crate::{Chess, Move};

/// The number of sequences of exactly `depth` legal half-moves.
///
/// ```
/// use halfmove_rules::{Chess, perft};
/// assert_eq!(perft(&Chess::default(), 3), 8_902);
/// ```
pub fn perft(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| perft(&after(position, mv), depth - 1)).sum()
}

/// [`perft`] broken down by the first move, in the order of [`Chess::legal_moves`]; nothing at
/// depth 0, where there is no first move.
pub fn divide(position: &Chess, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
    moves.into_iter().map(move |mv| (mv, perft(&after(position, mv), depth - 1)))
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
