//! The tests of the crate: one binary.

#![allow(clippy::print_stdout, reason = "a skipped technique is named")]

#[path = "bitboard/bits.rs"]
mod bits;
#[path = "bitboard/fill.rs"]
mod fill;
#[path = "bitboard/laws.rs"]
mod laws;
#[cfg(feature = "techniques")]
#[path = "bitboard/lookup.rs"]
mod lookup;
#[cfg(feature = "techniques")]
#[path = "bitboard/magics.rs"]
mod magics;
#[cfg(feature = "serde")]
#[path = "bitboard/serde.rs"]
mod serde;
#[path = "bitboard/simd.rs"]
mod simd;
#[path = "bitboard/sliders.rs"]
mod sliders;

/// A xorshift generator: the occupancies need spread, not secrecy.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
