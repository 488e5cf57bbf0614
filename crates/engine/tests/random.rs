//! Random games, the same each time.

use halfmove_rules::{AnyPosition, Variant};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % end as u64) as usize
    }
}

/// Calls `see` with each position of some random games.
pub(crate) fn positions(variant: Variant, games: u64, mut see: impl FnMut(&AnyPosition)) {
    for seed in 0..games {
        let mut random = Random(seed);
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
