//! Hyperbola quintessence with a true mirror, all four lines in one register.

use super::{has_avx2, has_gfni};
use crate::lookup::line_tables::both_ways;
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};
use std::arch::x86_64::*;

/// Four lanes, and a reversal of all 64 bits instead of the byte swap.
///
/// **Idea.** The byte swap mirrors files and diagonals but not ranks. A matrix over the field of two
/// elements can permute the bits of every byte, here last to first. Together with a shuffle that reverses
/// the bytes, h8 becomes a1, and ranks are lines like the others.
///
/// ```text
/// lane       3               2           1      0
///            anti-diagonal   diagonal    rank   file
/// ```
///
/// **Formula.** `((o & line) - s) ^ reverse(reverse(o & line) - reverse(s))`, cut to `line`.
///
/// **Cost.** Ten vector operations, three to combine the lanes; tables of 2,048 bytes of lines and 512
/// of squares. **Instructions needed.** AVX2 and GFNI. **When it wins.** In throughput, in a build for
/// such a CPU; it hardly uses the cache. **When it loses.** Where the function cannot be inlined, and in
/// latency, because of its two mirrors.
///
/// # Source
/// Hyperbola quintessence: Isenberg 2008. Bit reversal by GF2P8AFFINEQB is folklore since Intel
/// published the instruction (2018).
#[derive(Copy, Clone, Debug)]
pub struct GfniHyperbola(());

/// File, rank, diagonal, anti-diagonal; the square itself is in none of them.
#[repr(align(32))]
struct Lanes([u64; 4]);

static LANES: [Lanes; 64] = {
    let mut lanes = [const { Lanes([0; 4]) }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        lanes[i] = Lanes([
            both_ways(square, (0, 1)),
            both_ways(square, (1, 0)),
            both_ways(square, (1, 1)),
            both_ways(square, (-1, 1)),
        ]);
        i += 1;
    }
    lanes
};

/// Single squares, to be loaded into all lanes.
static SQUARES: [u64; 64] = {
    let mut squares = [0; 64];
    let mut i = 0;
    while i < 64 {
        squares[i] = 1 << i;
        i += 1;
    }
    squares
};

/// The matrix that reverses a byte: row by row, the last bit first.
const REVERSE: i64 = 0x8040_2010_0804_0201_u64 as i64;
/// The shuffle that reverses the bytes of two lanes.
const SWAP: [i64; 2] = [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f];

/// Two lanes, the first with the number `FIRST`.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn two<const FIRST: usize>(square: Square, occupied: Bitboard) -> Bitboard {
    let swap = _mm_set_epi64x(SWAP[1], SWAP[0]);
    let matrix = _mm_set1_epi64x(REVERSE);
    let slider = SQUARES[square.index()];
    // h8 becomes a1: the index is taken from 63.
    let reversed = SQUARES[63 - square.index()] as i64;
    const { assert!(FIRST.is_multiple_of(2), "aligned to sixteen bytes") };
    let lanes = &LANES[square.index()].0[FIRST..FIRST + 2];
    // SAFETY: a slice of two lanes is sixteen bytes, and FIRST keeps it aligned.
    let lines = unsafe { _mm_load_si128(lanes.as_ptr().cast()) };
    let upward = _mm_and_si128(_mm_set1_epi64x(occupied.0 as i64), lines);
    let downward = _mm_gf2p8affine_epi64_epi8::<0>(_mm_shuffle_epi8(upward, swap), matrix);
    let upward = _mm_sub_epi64(upward, _mm_set1_epi64x(slider as i64));
    let downward = _mm_sub_epi64(downward, _mm_set1_epi64x(reversed));
    let downward = _mm_gf2p8affine_epi64_epi8::<0>(_mm_shuffle_epi8(downward, swap), matrix);
    let both = _mm_and_si128(_mm_xor_si128(upward, downward), lines);
    let united = _mm_or_si128(both, _mm_unpackhi_epi64(both, both));
    Bitboard(_mm_cvtsi128_si64(united) as u64)
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn four(square: Square, occupied: Bitboard) -> Bitboard {
    let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(SWAP[1], SWAP[0]));
    let matrix = _mm256_set1_epi64x(REVERSE);
    let slider = SQUARES[square.index()];
    // h8 becomes a1: the index is taken from 63.
    let reversed = SQUARES[63 - square.index()] as i64;
    // SAFETY: the thirty-two bytes are there and aligned.
    let lines = unsafe { _mm256_load_si256(LANES[square.index()].0.as_ptr().cast()) };
    let upward = _mm256_and_si256(_mm256_set1_epi64x(occupied.0 as i64), lines);
    let downward = _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_shuffle_epi8(upward, swap), matrix);
    let upward = _mm256_sub_epi64(upward, _mm256_set1_epi64x(slider as i64));
    let downward = _mm256_sub_epi64(downward, _mm256_set1_epi64x(reversed));
    let downward = _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_shuffle_epi8(downward, swap), matrix);
    let all = _mm256_and_si256(_mm256_xor_si256(upward, downward), lines);
    let two = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    Bitboard(_mm_cvtsi128_si64(one) as u64)
}

impl Sliders for GfniHyperbola {
    const TECHNIQUE: Technique = Technique {
        name: "hyperbola by GFNI",
        author: "folklore",
        source: "Isenberg 2008, \"Hyperbola quintessence\"; Intel 64 manual, GF2P8AFFINEQB",
        table_bytes: size_of_val(&LANES) + size_of_val(&SQUARES),
        instructions: "AVX2, GFNI",
    };

    fn new() -> Option<Self> {
        (has_avx2() && has_gfni()).then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX2 and GFNI.
        unsafe { two::<0>(square, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX2 and GFNI.
        unsafe { two::<2>(square, occupied) }
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX2 and GFNI.
        unsafe { four(square, occupied) }
    }
}
