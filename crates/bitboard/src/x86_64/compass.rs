//! The eight directions of the compass in the eight lanes of one register of AVX-512.
//!
//! A fill spreads many sliders at once, but in one direction. The eight directions differ only in the distance of a
//! step, and AVX-512 rotates each lane by its own distance. A step off the board would come back at the other edge, so
//! the squares where it would land are removed beforehand.
//!
//! ```text
//! direction    north  ne  east  se  south  sw  west  nw
//! rotation        +8  +9    +1  -7     -8  -9    -1  +7
//! ```
//!
//! # Source
//! Isenberg 2008, "Kogge-Stone Parallel Prefix Algorithm", which calls fills a domain of SIMD.

use crate::{Bitboard, Direction};
use core::arch::x86_64::*;

#[repr(align(64))]
pub(super) struct Lanes(pub(super) [u64; 8]);

/// By direction: the squares that a step in the direction can enter.
pub(super) static ENTERED: Lanes = {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane] = Bitboard::FULL.step(Direction::ALL[lane]).0;
        lane += 1;
    }
    Lanes(lanes)
};

/// By direction: the distance of a step, as a rotation to the left.
pub(super) static ROTATION: Lanes = {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane] = (Direction::ALL[lane].shift() as i64 & 63) as u64;
        lane += 1;
    }
    Lanes(lanes)
};

/// By direction: all bits where a rook goes that way.
pub(super) static ORTHOGONAL: Lanes = {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane] = if Direction::ALL[lane].is_orthogonal() { !0 } else { 0 };
        lane += 1;
    }
    Lanes(lanes)
};

/// Eight boards in a register.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: eight lanes are sixty-four bytes, aligned.
    unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) }
}

/// The sliders and the empty squares that they reach, one direction per lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn occluded(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> __m512i {
    /// `choice ? orthogonal : diagonal`, bit by bit.
    const CHOOSE: i32 = 0xca;
    /// `set | (free & moved)`.
    const SPREAD: i32 = 0xf8;
    let once = load(&ROTATION);
    // Rotations are modulo 64, so multiples of a falling step fall as well.
    let twice = _mm512_slli_epi64::<1>(once);
    let fourfold = _mm512_slli_epi64::<2>(once);
    let mut set = _mm512_ternarylogic_epi64::<CHOOSE>(
        load(&ORTHOGONAL),
        _mm512_set1_epi64(orthogonal.0 as i64),
        _mm512_set1_epi64(diagonal.0 as i64),
    );
    let occupied = _mm512_set1_epi64(occupied.0 as i64);
    let mut free = _mm512_andnot_si512(occupied, load(&ENTERED));
    set = _mm512_ternarylogic_epi64::<SPREAD>(set, free, _mm512_rolv_epi64(set, once));
    free = _mm512_and_si512(free, _mm512_rolv_epi64(free, once));
    set = _mm512_ternarylogic_epi64::<SPREAD>(set, free, _mm512_rolv_epi64(set, twice));
    free = _mm512_and_si512(free, _mm512_rolv_epi64(free, twice));
    _mm512_ternarylogic_epi64::<SPREAD>(set, free, _mm512_rolv_epi64(set, fourfold))
}

/// One step on in each direction, which turns a fill into attacks.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn one_further(set: __m512i) -> __m512i {
    _mm512_and_si512(load(&ENTERED), _mm512_rolv_epi64(set, load(&ROTATION)))
}
