//! Hyperbola quintessence, three lines in one AVX2 register.

use super::has_avx2;
use crate::lookup::first_rank_64::FIRST_RANK;
use crate::lookup::line_tables::both_ways;
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};
use std::arch::x86_64::*;

/// The diagonal, the anti-diagonal and the file side by side, the rank from a table.
///
/// **Idea.** Hyperbola quintessence does the same ten operations for each line. Here each line is a
/// lane of 64 bits, and the operations are done once. The mirror is a shuffle that reverses the bytes
/// of every lane. That does not mirror ranks, so they keep their table of 512 bytes, which the scalar
/// units read in the meantime.
///
/// ```text
/// lane       3       2       1               0
///            slider  file    anti-diagonal   diagonal
/// ```
///
/// **Formula.** `((o & line) - s) ^ swap(swap(o & line) - swap(s))`, cut to `line`, in each lane.
///
/// **Cost.** Eight vector operations, three to combine the lanes, one byte load; tables of 2,048 bytes
/// of lines and 512 of ranks. **Instructions needed.** AVX2. **When it wins.** Wherever a large table
/// would compete for the cache.
/// **When it loses.** For a rook alone, which has no second line to put next to the file.
///
/// # Source
/// Hyperbola quintessence: Isenberg 2008. In lanes: Stockfish, 2026, and others before it.
#[derive(Copy, Clone, Debug)]
pub struct DualHyperbola(());

/// Diagonal, anti-diagonal and file without the square itself, then the square. The last is not a line: it
/// is there to be broadcast to all lanes, and contributes no attacks itself.
#[repr(align(32))]
struct Lanes([u64; 4]);

static LANES: [Lanes; 64] = {
    let mut lanes = [const { Lanes([0; 4]) }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        lanes[i] = Lanes([
            both_ways(square, (1, 1)),
            both_ways(square, (-1, 1)),
            both_ways(square, (0, 1)),
            Bitboard::square(square).0,
        ]);
        i += 1;
    }
    lanes
};

#[inline]
fn rank(square: Square, occupied: Bitboard) -> u64 {
    let shift = square as u32 & 56;
    let inner = (occupied.0 >> shift >> 1 & 63) as usize;
    u64::from(FIRST_RANK[inner][square.index() & 7]) << shift
}

#[inline]
#[target_feature(enable = "avx2")]
fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let swap = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    let lanes = &LANES[square.index()];
    let slider = _mm_set1_epi64x(lanes.0[3] as i64);
    // SAFETY: sixteen of the thirty-two bytes are read, and they are aligned.
    let lines = unsafe { _mm_load_si128(lanes.0.as_ptr().cast()) };
    let upward = _mm_and_si128(_mm_set1_epi64x(occupied.0 as i64), lines);
    let downward = _mm_shuffle_epi8(upward, swap);
    let upward = _mm_sub_epi64(upward, slider);
    let downward = _mm_sub_epi64(downward, _mm_shuffle_epi8(slider, swap));
    let both = _mm_xor_si128(upward, _mm_shuffle_epi8(downward, swap));
    let both = _mm_and_si128(both, lines);
    let united = _mm_or_si128(both, _mm_unpackhi_epi64(both, both));
    Bitboard(_mm_cvtsi128_si64(united) as u64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    let swap =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607));
    let lanes = &LANES[square.index()];
    let slider = _mm256_set1_epi64x(lanes.0[3] as i64);
    // SAFETY: the thirty-two bytes are there and aligned.
    let lines = unsafe { _mm256_load_si256(lanes.0.as_ptr().cast()) };
    let upward = _mm256_and_si256(_mm256_set1_epi64x(occupied.0 as i64), lines);
    let downward = _mm256_shuffle_epi8(upward, swap);
    let upward = _mm256_sub_epi64(upward, slider);
    let downward = _mm256_sub_epi64(downward, _mm256_shuffle_epi8(slider, swap));
    let all = _mm256_xor_si256(upward, _mm256_shuffle_epi8(downward, swap));
    let all = _mm256_and_si256(all, lines);
    let two = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    Bitboard(_mm_cvtsi128_si64(one) as u64 | rank(square, occupied))
}

impl Sliders for DualHyperbola {
    const TECHNIQUE: Technique = Technique {
        name: "dual hyperbola",
        author: "Stockfish, 2026",
        source: "Isenberg 2008, \"Hyperbola quintessence\"; Stockfish, May 2026",
        table_bytes: size_of_val(&LANES) + size_of_val(&FIRST_RANK),
        instructions: "AVX2",
    };

    fn new() -> Option<Self> {
        has_avx2().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let file = LANES[square.index()].0[2];
        let slider = Bitboard::square(square).0;
        let upward = occupied.0 & file;
        let downward = upward.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
        Bitboard((upward.wrapping_sub(slider) ^ downward) & file | rank(square, occupied))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX2.
        unsafe { bishop(square, occupied) }
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of AVX2.
        unsafe { queen(square, occupied) }
    }
}
