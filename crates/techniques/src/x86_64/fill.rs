//! Fills in all eight directions together.
//!
//! A fill spreads many sliders at once, but in one direction, and the classical way takes the eight
//! directions one after the other. They differ only in the distance and sense of the shift, and a vector
//! unit can shift each lane by its own distance. AVX-512 can rotate, so one register holds all directions.
//! AVX2 can only shift, so rising and falling directions take a register each.
//!
//! **Idea.** Kogge-Stone: what a slider reaches in one step, then in two more, then in four more, while
//! the empty squares to pass through shrink in the same way: three rounds for seven squares. A step
//! off the board would come back at the other edge, so the squares where it would land are removed
//! beforehand.
//!
//! ```text
//! direction    north  ne  east  se  south  sw  west  nw
//! shift           +8  +9    +1  -7     -8  -9    -1  +7
//! ```
//!
//! # Source
//! Steffan Westcott's use of the parallel prefix; Isenberg 2008, "Kogge-Stone Parallel Prefix
//! Algorithm", which calls fills a domain of SIMD.

use super::compass::{self, ENTERED, Lanes, ORTHOGONAL, ROTATION};
use super::{has_avx2, has_avx512};
use halfmove_bitboard::Bitboard;
use std::arch::x86_64::*;

macro_rules! front {
    ($name:ident, $needs:ident, $instructions:literal, $fill:ident, $doc:literal) => {
        #[doc = $doc]
        ///
        #[doc = concat!("A value is proof of ", $instructions, ".")]
        ///
        /// ```
        /// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
        /// use halfmove_techniques::x86_64;
        ///
        #[doc = concat!("if let Some(fill) = x86_64::", stringify!($name), "::new() {")]
        ///     let pieces = Bitboard::from(Square::D4) | Square::D7;
        ///     let sets = fill.attacks(Square::D4.into(), Bitboard::EMPTY, pieces);
        ///     assert_eq!(sets[Direction::North.index()], bitboard! {
        ///         . . . . . . . .
        ///         . . . 1 . . . .
        ///         . . . 1 . . . .
        ///         . . . 1 . . . .
        ///         . . . . . . . .
        ///         . . . . . . . .
        ///         . . . . . . . .
        ///         . . . . . . . .
        ///     });
        ///     assert!(sets[Direction::NorthEast.index()].is_empty());
        /// }
        /// ```
        #[derive(Copy, Clone, Debug)]
        pub struct $name(());

        impl $name {
            /// The fill, or `None` if the CPU lacks the instructions.
            #[must_use]
            pub fn new() -> Option<Self> {
                $needs().then_some(Self(()))
            }

            /// The sliders and the empty squares that they reach, by
            /// [`Direction::index`](halfmove_bitboard::Direction::index). Those of `orthogonal` go north, east, south
            /// and west, those of `diagonal` the ways between.
            #[inline]
            #[must_use]
            pub fn occluded(
                self,
                orthogonal: Bitboard,
                diagonal: Bitboard,
                occupied: Bitboard,
            ) -> [Bitboard; 8] {
                // SAFETY: a value of this type is proof of what the function needs.
                unsafe { $fill::<false>(orthogonal, diagonal, occupied) }
            }

            /// The squares that sliders attack, by [`Direction::index`](halfmove_bitboard::Direction::index), the first
            /// piece in the way included.
            #[inline]
            #[must_use]
            pub fn attacks(
                self,
                orthogonal: Bitboard,
                diagonal: Bitboard,
                occupied: Bitboard,
            ) -> [Bitboard; 8] {
                // SAFETY: a value of this type is proof of what the function needs.
                unsafe { $fill::<true>(orthogonal, diagonal, occupied) }
            }
        }
    };
}

front!(
    FillAvx2,
    has_avx2,
    "AVX2",
    fill_avx2,
    "Fills in eight directions, four lanes in each of two registers."
);
front!(
    FillAvx512,
    has_avx512,
    "AVX-512 F",
    fill_avx512,
    "Fills in eight directions, eight lanes in one register."
);

/// The lanes of north, north-east, east and south-east, then the lanes of their opposites.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(lanes: &Lanes) -> [__m256i; 2] {
    let lanes = lanes.0.as_ptr();
    // SAFETY: eight lanes are twice thirty-two bytes, aligned.
    unsafe { [_mm256_load_si256(lanes.cast()), _mm256_load_si256(lanes.add(4).cast())] }
}

/// Swaps the last lanes of two registers: from halves of the compass to rising and falling
/// directions, and back.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_last([a, b]: [__m256i; 2]) -> [__m256i; 2] {
    const LAST: i32 = 0b1100_0000;
    [_mm256_blend_epi32::<LAST>(a, b), _mm256_blend_epi32::<LAST>(b, a)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn fill_avx2<const ATTACKS: bool>(
    orthogonal: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> [Bitboard; 8] {
    let empty = _mm256_set1_epi64x(!occupied.0 as i64);
    let orthogonal = _mm256_set1_epi64x(orthogonal.0 as i64);
    let diagonal = _mm256_set1_epi64x(diagonal.0 as i64);
    // Falling directions go by the distances of their opposites, the other way.
    let once = swap_last(halves(&ROTATION))[0];
    let twice = _mm256_slli_epi64::<1>(once);
    let fourfold = _mm256_slli_epi64::<2>(once);
    macro_rules! spread {
        ($half:literal, $shift:ident) => {{
            let entered = swap_last(halves(&ENTERED))[$half];
            let choice = swap_last(halves(&ORTHOGONAL))[$half];
            let mut set = _mm256_blendv_epi8(diagonal, orthogonal, choice);
            let mut free = _mm256_and_si256(empty, entered);
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, once)));
            free = _mm256_and_si256(free, $shift(free, once));
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, twice)));
            free = _mm256_and_si256(free, $shift(free, twice));
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, fourfold)));
            if ATTACKS { _mm256_and_si256(entered, $shift(set, once)) } else { set }
        }};
    }
    let [east, west] = swap_last([spread!(0, _mm256_sllv_epi64), spread!(1, _mm256_srlv_epi64)]);
    let mut filled = [Bitboard::EMPTY; 8];
    // SAFETY: eight boards are twice thirty-two bytes.
    unsafe {
        _mm256_storeu_si256(filled.as_mut_ptr().cast(), east);
        _mm256_storeu_si256(filled.as_mut_ptr().add(4).cast(), west);
    }
    filled
}

#[inline]
#[target_feature(enable = "avx512f")]
fn fill_avx512<const ATTACKS: bool>(
    orthogonal: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> [Bitboard; 8] {
    let mut set = compass::occluded(orthogonal, diagonal, occupied);
    if ATTACKS {
        set = compass::one_further(set);
    }
    let mut filled = [Bitboard::EMPTY; 8];
    // SAFETY: eight boards are sixty-four bytes.
    unsafe { _mm512_storeu_si512(filled.as_mut_ptr().cast(), set) };
    filled
}
