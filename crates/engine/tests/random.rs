//! Random games, the same each time.

use halfmove_engine::Random;
use halfmove_rules::{AnyPosition, Variant};

/// Calls `see` with each position of some random games.
pub(crate) fn positions(variant: Variant, games: u64, mut see: impl FnMut(&AnyPosition)) {
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut position = AnyPosition::start(variant);
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Captures twice as often, so that endings are reached.
            let mut mv = moves[random.below(moves.len())];
            if !position.is_capture(mv) {
                mv = moves[random.below(moves.len())];
            }
            position.play_unchecked(mv);
            see(&position);
        }
    }
}
