//! Four sliders at a time with AVX2, one board per lane.
//!
//! **Idea.** Lines are computed, not looked up: in every row, the square on a diagonal is as many files
//! away from the slider as the row is ranks away from it, and a byte shuffle turns that distance into a
//! bit. Files and diagonals then use hyperbola quintessence, whose mirror is a byte shuffle
//! too. A rank lies in one byte, so it uses obstruction difference on bytes: the highest piece below
//! the slider, found in two tables of sixteen bytes in registers, is subtracted from the pieces above it.
//!
//! ```text
//! row - rank        +2  +1   0  -1  -2     with the slider on c3, rows 5 to 1
//! file of diagonal   e   d   c   b   a     one addition and one shuffle for all rows of four boards
//! ```
//!
//! **Cost.** About fifteen instructions per queen, and constants in registers: no address depends on a square
//! or a board. **Instructions needed.** AVX2. **When it wins.** Where there is no AVX-512, and for four to
//! thirty sliders. **When it loses.** For one.
//!
//! # Source
//! Isenberg 2008, "Hyperbola quintessence"; obstruction difference is Michael Hoffmann's.

use super::has_avx2;
use crate::batch::{Lines, portable};
use halfmove_bitboard::{Bitboard, Square};
use std::arch::x86_64::*;

/// Proof that this CPU can run the kernel.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Proof(());

const BLOCK: usize = 4;

/// The bytes of each of two lanes, lowest first.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(low: u64, high: u64) -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi64x(high as i64, low as i64))
}

/// A bit by its index: bytes 0 to 7 of a table of sixteen.
const BIT: u64 = 0x8040_2010_0804_0201;

#[inline]
#[target_feature(enable = "avx2")]
fn block<const LINES: u8>(
    squares: &[Square; BLOCK],
    occupied: &[Bitboard; BLOCK],
    attacks: &mut [Bitboard; BLOCK],
) {
    let swap = twice(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let rows = twice(0x0706_0504_0302_0100, 0x0706_0504_0302_0100);
    let seven = _mm256_set1_epi8(7);

    // Each slider's file and rank in all eight bytes of its lane.
    let squares = u32::from_le_bytes(squares.map(|square| square as u8));
    let squares = _mm256_shuffle_epi8(
        _mm256_set1_epi32(squares as i32),
        _mm256_set_epi64x(0x0303_0303_0303_0303, 0x0202_0202_0202_0202, 0x0101_0101_0101_0101, 0),
    );
    let file_number = _mm256_and_si256(squares, seven);
    let rank_number = _mm256_and_si256(_mm256_srli_epi16::<3>(squares), seven);

    let file = _mm256_shuffle_epi8(twice(BIT, BIT), file_number);
    let rank = _mm256_cmpeq_epi8(rank_number, rows);
    let slider = _mm256_and_si256(file, rank);
    let slider_swapped = _mm256_shuffle_epi8(slider, swap);
    // SAFETY: four boards are thirty-two bytes.
    let occupied = unsafe { _mm256_loadu_si256(occupied.as_ptr().cast()) };
    let pieces = _mm256_andnot_si256(slider, occupied);
    let pieces_swapped = _mm256_shuffle_epi8(pieces, swap);

    let along = |line: __m256i, line_swapped: __m256i| {
        let upward = _mm256_sub_epi64(_mm256_and_si256(pieces, line), slider);
        let downward =
            _mm256_sub_epi64(_mm256_and_si256(pieces_swapped, line_swapped), slider_swapped);
        // The slider's own bit is in both differences and cancels.
        _mm256_and_si256(_mm256_xor_si256(upward, _mm256_shuffle_epi8(downward, swap)), line)
    };

    let mut board = _mm256_setzero_si256();
    if LINES & Lines::ROOK != 0 {
        board = along(file, file);

        let below = _mm256_sub_epi8(slider, _mm256_set1_epi8(1));
        let lower = _mm256_and_si256(pieces, below);
        let upper = _mm256_andnot_si256(below, pieces);
        // The highest of four bits. If there is none, the lowest square stands in: the row ends there anyway.
        let fifteen = _mm256_set1_epi8(15);
        let of_low_half = twice(0x0404_0404_0202_0101, 0x0808_0808_0808_0808);
        let of_high_half = twice(0x4040_4040_2020_1000, 0x8080_8080_8080_8080);
        let highest = _mm256_max_epu8(
            _mm256_shuffle_epi8(of_low_half, _mm256_and_si256(lower, fifteen)),
            _mm256_shuffle_epi8(
                of_high_half,
                _mm256_and_si256(_mm256_srli_epi16::<4>(lower), fifteen),
            ),
        );
        let both = _mm256_xor_si256(upper, _mm256_sub_epi8(upper, highest));
        let both = _mm256_and_si256(both, _mm256_xor_si256(rank, slider));
        board = _mm256_or_si256(board, both);
    }
    if LINES & Lines::BISHOP != 0 {
        // Indices below 0 and above 7 give no bit.
        let bits = twice(BIT, 0);
        let diagonal = _mm256_shuffle_epi8(
            bits,
            _mm256_add_epi8(_mm256_sub_epi8(file_number, rank_number), rows),
        );
        let anti_diagonal = _mm256_shuffle_epi8(
            bits,
            _mm256_sub_epi8(_mm256_add_epi8(file_number, rank_number), rows),
        );
        board = _mm256_or_si256(board, along(diagonal, _mm256_shuffle_epi8(diagonal, swap)));
        board =
            _mm256_or_si256(board, along(anti_diagonal, _mm256_shuffle_epi8(anti_diagonal, swap)));
    }
    // SAFETY: four boards are thirty-two bytes.
    unsafe { _mm256_storeu_si256(attacks.as_mut_ptr().cast(), board) };
}

#[target_feature(enable = "avx2")]
fn run<const LINES: u8>(squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
    let (square_blocks, last_squares) = squares.as_chunks::<BLOCK>();
    let (occupied_blocks, last_occupied) = occupied.as_chunks::<BLOCK>();
    let (attack_blocks, last_attacks) = attacks.as_chunks_mut::<BLOCK>();
    for ((squares, occupied), attacks) in
        square_blocks.iter().zip(occupied_blocks).zip(attack_blocks)
    {
        block::<LINES>(squares, occupied, attacks);
    }
    portable::<LINES>(last_squares, last_occupied, last_attacks);
}

impl Proof {
    /// The proof, or `None` if the CPU lacks a feature.
    #[inline]
    pub(crate) fn new() -> Option<Self> {
        has_avx2().then_some(Self(()))
    }

    /// Runs the kernel. The slices must have the same length.
    pub(crate) fn run<const LINES: u8>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { run::<LINES>(squares, occupied, attacks) }
    }
}
