//! The tests of the crate: one binary.

#![allow(clippy::print_stdout, reason = "a skipped technique is named")]

#[path = "bitboard/laws.rs"]
mod laws;
#[path = "bitboard/levels.rs"]
mod levels;
#[cfg(feature = "serde")]
#[path = "bitboard/serde.rs"]
mod serde;
#[path = "bitboard/sliders.rs"]
mod sliders;
#[path = "bitboard/suite.rs"]
mod suite;

/// A xorshift generator: the occupancies need spread, not secrecy.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
