//! Eight rays in one AVX-512 register.

use super::has_avx512;
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Direction, Square, lines};
use std::arch::x86_64::*;

/// The classical approach, for all eight rays at once.
///
/// **Idea.** Cut the board to each ray and find the first piece on it: the lowest bit where indices
/// rise along the ray, the highest where they fall. `t ^ (t - 1)` is everything up to the lowest
/// bit, or all 64 bits if there is none. For the highest bit, an arithmetic shift of the sign bit by the
/// number of leading zeros gives everything from there up, and again all 64 bits if there is none. No
/// ray is a special case.
///
/// ```text
/// lane   7           6           5           4           3      2      1      0
///        south-west  south-east  north-west  north-east  west   south  east   north
/// ```
///
/// **Formula.** `ray & (t ^ (t - 1))` for rising rays, `ray & (MIN >> lzcnt(t))` for falling ones,
/// where `t = occupied & ray`.
///
/// **Cost.** Six vector operations, then five to combine eight lanes; a table of 4,096 bytes.
/// **Instructions needed.** AVX-512 F, BW, CD, VL. **When it wins.** Where the rays are needed one by one,
/// as in a search for pins. **When it loses.** Where they must be combined: three folds of eight lanes take
/// longer than the rays.
///
/// # Source
/// The classical approach: Isenberg 2008. In one register: Halfmove's own arrangement.
#[derive(Copy, Clone, Debug)]
pub struct RaysZmm(());

/// Lanes whose rays rise: the lower two of each four.
const RISING: __mmask8 = 0b0011_0011;
const ORDER: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
    Direction::NorthEast,
    Direction::NorthWest,
    Direction::SouthEast,
    Direction::SouthWest,
];

#[repr(align(64))]
struct Rays([u64; 8]);

static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays([0; 8]) }; 64];
    let mut i = 0;
    while i < 64 {
        let mut lane = 0;
        while lane < 8 {
            rays[i].0[lane] = lines::ray(Square::ALL[i], ORDER[lane]).0;
            lane += 1;
        }
        i += 1;
    }
    rays
};

/// Four lanes, the first with the number `FIRST`.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl")]
fn four<const FIRST: usize>(square: Square, occupied: Bitboard) -> Bitboard {
    const { assert!(FIRST.is_multiple_of(4), "aligned to thirty-two bytes") };
    let lanes = &RAYS[square.index()].0[FIRST..FIRST + 4];
    // SAFETY: a slice of four lanes is thirty-two bytes, and FIRST keeps it aligned.
    let rays = unsafe { _mm256_load_si256(lanes.as_ptr().cast()) };
    let pieces = _mm256_and_si256(_mm256_set1_epi64x(occupied.0 as i64), rays);
    let falling = _mm256_srav_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(pieces));
    let below = _mm256_add_epi64(pieces, _mm256_set1_epi64x(-1));
    let free = _mm256_mask_xor_epi64(falling, RISING, pieces, below);
    let all = _mm256_and_si256(free, rays);
    let two = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    Bitboard(_mm_cvtsi128_si64(one) as u64)
}

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl")]
fn eight(square: Square, occupied: Bitboard) -> Bitboard {
    // SAFETY: the sixty-four bytes are there and aligned.
    let rays = unsafe { _mm512_load_si512(RAYS[square.index()].0.as_ptr().cast()) };
    let pieces = _mm512_and_si512(_mm512_set1_epi64(occupied.0 as i64), rays);
    let falling = _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(pieces));
    let below = _mm512_add_epi64(pieces, _mm512_set1_epi64(-1));
    let free = _mm512_mask_xor_epi64(falling, RISING, pieces, below);
    Bitboard(_mm512_reduce_or_epi64(_mm512_and_si512(free, rays)) as u64)
}

impl Sliders for RaysZmm {
    const TECHNIQUE: Technique = Technique {
        name: "eight rays in one register",
        author: "Halfmove",
        source: "Isenberg 2008, the classical approach; Intel 64 manual, VPLZCNTQ",
        table_bytes: size_of_val(&RAYS),
        instructions: "AVX-512 F, BW, CD, VL",
    };

    fn new() -> Option<Self> {
        has_avx512().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX-512.
        unsafe { four::<0>(square, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX-512.
        unsafe { four::<4>(square, occupied) }
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX-512.
        unsafe { eight(square, occupied) }
    }
}
