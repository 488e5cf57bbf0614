//! The tests of the crate: one binary.

#![allow(clippy::print_stdout, reason = "a skipped technique is named")]

#[path = "techniques/batch.rs"]
mod batch;
#[path = "techniques/bits.rs"]
mod bits;
#[path = "techniques/fill.rs"]
mod fill;
#[cfg(target_arch = "x86_64")]
#[path = "techniques/lanes.rs"]
mod lanes;
#[path = "techniques/lookup.rs"]
mod lookup;
#[path = "techniques/magics.rs"]
mod magics;
#[path = "techniques/page.rs"]
mod page;
#[path = "techniques/sliders.rs"]
mod sliders;
#[path = "../../bitboard/tests/bitboard/suite.rs"]
mod suite;

/// A xorshift generator: the occupancies need spread, not secrecy.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
