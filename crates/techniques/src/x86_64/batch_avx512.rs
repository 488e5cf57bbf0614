//! Thirty-two sliders at a time with AVX-512: eight squares per register, four registers per block.
//!
//! **Idea.** The pieces on one line are at most eight bits. So each line is cut out of its board into one
//! byte. The attacks along all lines of all thirty-two sliders are computed on bytes, sixty-four lines per
//! register, and the results are spread out to boards again. The computation itself costs next to nothing;
//! cutting and spreading take one to three instructions per line for eight sliders.
//!
//! ```text
//! board & diagonal     . . . . . . . 1      cut: the parity of each row, and GF2P8AFFINEQB takes
//!                      . . . . . . . .      eight of them at once: the byte 10001010, a bit a rank
//!                      . . . . . . . .
//!                      . . . . 1 . . .      o ^ (o - 2s) in both directions, the second one with
//!                      . . . s . . . .      the bits of all bytes reversed by the same instruction
//!                      . . 1 . . . . .
//!                      . . . . . . . .      spread: VPSHUFBITQMB makes the byte a mask of eight
//!                      1 . . . . . . .      bytes, under which the diagonal's rows are taken
//! ```
//!
//! **Layout.** Queen `8g + q` of a block is lane `q` of register `g`, and its bytes are numbers
//! `8q + g` and `8q + 4 + g` of the two registers of lines: file and diagonal, anti-diagonal and
//! rank. A file's or diagonal's byte has rank 8 in its lowest bit, a rank's the a-file.
//!
//! **Cost.** About four instructions per queen; 2,752 bytes of constants, the same for every block: no
//! address depends on a square or a board. **Instructions needed.** AVX-512 F, BW, VL, CD, VBMI, BITALG and
//! GFNI, together since Ice Lake (2019) and Zen 4 (2022); AVX2 for the remainder of less than a block.
//! **When it wins.** With sixteen sliders or more at a time. **When it loses.** For one.
//!
//! # Source
//! Subtraction, and reversal as a mirror: Isenberg 2008. Lines as bytes in the lanes' order:
//! Halfmove's own.

use super::{batch_avx2, has_avx512, has_bytes, has_gfni};
use crate::batch::Lines;
use halfmove_bitboard::{Bitboard, Square};
use std::arch::x86_64::*;

/// Proof that this CPU can run the kernel.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Proof(batch_avx2::Proof);

const BLOCK: usize = 32;

/// A register's worth of bytes.
#[repr(align(64))]
#[derive(Copy, Clone)]
struct Bytes([u8; 64]);

/// A register's worth of boards.
#[repr(align(64))]
struct Boards([u64; 8]);

macro_rules! bytes {
    (|$i:ident| $byte:expr) => {{
        let mut bytes = [0; 64];
        let mut $i = 0;
        while $i < 64 {
            bytes[$i] = ($byte) as u8;
            $i += 1;
        }
        Bytes(bytes)
    }};
}

macro_rules! by_number {
    (|$n:ident, $i:ident| $byte:expr) => {{
        let mut table = [const { Bytes([0; 64]) }; 8];
        let mut $n = 0;
        while $n < 8 {
            table[$n] = bytes!(|$i| $byte);
            $n += 1;
        }
        table
    }};
}

/// The origin of byte `8q + g` and byte `8q + 4 + g`: square `8g + q`.
static INTERLEAVE: Bytes = bytes!(|i| i % 4 * 8 + i / 8);
/// By square: which diagonal, as rank less file modulo 16.
static DIAGONAL_NUMBER: Bytes = bytes!(|square| (square / 8 + 16 - square % 8) % 16);
/// By square: which anti-diagonal, as rank and file together.
static ANTI_DIAGONAL_NUMBER: Bytes = bytes!(|square| square / 8 + square % 8);
/// By square: its file, as a bit.
static FILE_BIT: Bytes = bytes!(|square| 1 << (square % 8));
/// By square: its rank, as a bit.
static RANK_BIT: Bytes = bytes!(|square| 1 << (square / 8));
/// By square: the bit after the slider's, or no bit after the last.
static AFTER_FILE: Bytes = bytes!(|square| 2 << (square % 8));
static AFTER_FILE_REVERSED: Bytes = bytes!(|square| 2 << (7 - square % 8));
static AFTER_RANK: Bytes = bytes!(|square| 2 << (square / 8));
static AFTER_RANK_REVERSED: Bytes = bytes!(|square| 2 << (7 - square / 8));
/// By square: its rank.
static RANK: Bytes = bytes!(|square| square / 8);
/// The first byte of each byte's lane.
static LANE: Bytes = bytes!(|i| i / 8 * 8);

/// Spreads byte `n` of every lane over the lane.
static BROADCAST: [Bytes; 8] = by_number!(|n, i| i / 8 % 2 * 8 + n);
/// All bits of byte `n` of every lane.
static PLACE: [Bytes; 8] = by_number!(|n, i| if i % 8 == n { 255 } else { 0 });
/// Takes the bits of byte `n` of every lane, lowest first.
static BITS: [Bytes; 8] = by_number!(|n, i| 8 * n + i % 8);
/// Takes the bits of byte `n` of every lane, highest first.
static BITS_REVERSED: [Bytes; 8] = by_number!(|n, i| 8 * n + 7 - i % 8);

/// The diagonals by number: 0 to 7 are the long one and those above it, 9 to 15 those below.
static DIAGONALS: [Boards; 2] = [diagonals(0, false), diagonals(8, false)];
static ANTI_DIAGONALS: [Boards; 2] = [diagonals(0, true), diagonals(8, true)];

const fn diagonals(first: usize, anti: bool) -> Boards {
    let mut boards = [0; 8];
    let mut square = 0;
    while square < 64 {
        let number = if anti { ANTI_DIAGONAL_NUMBER.0[square] } else { DIAGONAL_NUMBER.0[square] };
        let number = number as usize;
        if number >= first && number < first + 8 {
            boards[number - first] |= 1 << square;
        }
        square += 1;
    }
    Boards(boards)
}

/// The matrix that reverses the bits of a byte.
const REVERSE: i64 = 0x8040_2010_0804_0201_u64 as i64;
/// The upper four bytes of every lane.
const UPPER: __mmask64 = 0xf0f0_f0f0_f0f0_f0f0;
/// The lowest byte of every lane.
const FIRST: __mmask64 = 0x0101_0101_0101_0101;

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &Bytes) -> __m512i {
    // SAFETY: the sixty-four bytes are there and aligned.
    unsafe { _mm512_load_si512(bytes.0.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_boards(boards: &Boards) -> __m512i {
    // SAFETY: the sixty-four bytes are there and aligned.
    unsafe { _mm512_load_si512(boards.0.as_ptr().cast()) }
}

/// Attacks along sixty-four lines: pieces, and the bit after the slider's in both orders.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn along(pieces: __m512i, after: __m512i, after_reversed: __m512i) -> __m512i {
    let matrix = _mm512_set1_epi64(REVERSE);
    let upward = _mm512_sub_epi8(pieces, after);
    let mirrored = _mm512_gf2p8affine_epi64_epi8::<0>(pieces, matrix);
    let downward = _mm512_sub_epi8(mirrored, after_reversed);
    // The pieces themselves are in both differences and cancel.
    _mm512_xor_si512(upward, _mm512_gf2p8affine_epi64_epi8::<0>(downward, matrix))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,gfni")]
fn block<const LINES: u8>(
    squares: &[Square; BLOCK],
    occupied: &[Bitboard; BLOCK],
    attacks: &mut [Bitboard; BLOCK],
) {
    let orthogonal = LINES & Lines::ROOK != 0;
    let diagonal = LINES & Lines::BISHOP != 0;
    // SAFETY: thirty-two squares are thirty-two bytes.
    let squares = unsafe { _mm256_loadu_si256(squares.as_ptr().cast()) };
    let squares = _mm512_permutexvar_epi8(load(&INTERLEAVE), _mm512_castsi256_si512(squares));
    let by_square = |table: &Bytes| _mm512_permutexvar_epi8(squares, load(table));
    let numbers = _mm512_mask_permutexvar_epi8(
        by_square(&DIAGONAL_NUMBER),
        UPPER,
        squares,
        load(&ANTI_DIAGONAL_NUMBER),
    );
    let file_bits = by_square(&FILE_BIT);
    let rank_bytes = _mm512_add_epi8(by_square(&RANK), load(&LANE));
    let none = _mm512_setzero_si512();

    // Cut: one byte for each line. Everything else is zero, so that the bytes can be combined.
    let mut files = [none; 4];
    let mut diagonals = [none; 4];
    let mut anti_diagonals = [none; 4];
    let (mut file_diagonal, mut anti_rank) = (none, none);
    macro_rules! cut {
        ($g:literal) => {{
            // SAFETY: four registers of eight boards are thirty-two boards.
            let board = unsafe { _mm512_loadu_si512(occupied.as_ptr().add(8 * $g).cast()) };
            if orthogonal {
                let file = _mm512_shuffle_epi8(file_bits, load(&BROADCAST[$g]));
                files[$g] = file;
                file_diagonal = _mm512_or_si512(
                    file_diagonal,
                    _mm512_gf2p8affine_epi64_epi8::<0>(
                        _mm512_and_si512(file, load(&PLACE[$g])),
                        board,
                    ),
                );
                anti_rank =
                    _mm512_mask_permutexvar_epi8(anti_rank, FIRST << (4 + $g), rank_bytes, board);
            }
            if diagonal {
                let line = _mm512_permutex2var_epi64(
                    load_boards(&DIAGONALS[0]),
                    _mm512_srli_epi64::<{ 8 * $g }>(numbers),
                    load_boards(&DIAGONALS[1]),
                );
                diagonals[$g] = line;
                file_diagonal = _mm512_or_si512(
                    file_diagonal,
                    _mm512_gf2p8affine_epi64_epi8::<0>(
                        load(&PLACE[4 + $g]),
                        _mm512_and_si512(board, line),
                    ),
                );
                let line = _mm512_permutex2var_epi64(
                    load_boards(&ANTI_DIAGONALS[0]),
                    _mm512_srli_epi64::<{ 8 * $g + 32 }>(numbers),
                    load_boards(&ANTI_DIAGONALS[1]),
                );
                anti_diagonals[$g] = line;
                let anti_diagonal = _mm512_gf2p8affine_epi64_epi8::<0>(
                    load(&PLACE[$g]),
                    _mm512_and_si512(board, line),
                );
                anti_rank = _mm512_or_si512(anti_rank, anti_diagonal);
            }
        }};
    }
    cut!(0);
    cut!(1);
    cut!(2);
    cut!(3);

    // Bytes in, bytes out: all lines at once.
    let after_rank = by_square(&AFTER_RANK);
    let after_reversed = by_square(&AFTER_RANK_REVERSED);
    let file_diagonal = along(file_diagonal, after_reversed, after_rank);
    let after_file =
        _mm512_mask_permutexvar_epi8(after_reversed, UPPER, squares, load(&AFTER_FILE));
    let after_file_reversed =
        _mm512_mask_permutexvar_epi8(after_rank, UPPER, squares, load(&AFTER_FILE_REVERSED));
    let anti_rank = along(anti_rank, after_file, after_file_reversed);
    let rank_bits = by_square(&RANK_BIT);

    // Spread: a byte to the rows of its line. Two lines share no square but the slider's, so rows
    // are added, and the row of the slider is still empty when its rank comes.
    macro_rules! spread {
        ($g:literal) => {{
            let mut board = none;
            if orthogonal {
                let rows = _mm512_bitshuffle_epi64_mask(file_diagonal, load(&BITS_REVERSED[$g]));
                board = _mm512_maskz_mov_epi8(rows, files[$g]);
            }
            if diagonal {
                let rows =
                    _mm512_bitshuffle_epi64_mask(file_diagonal, load(&BITS_REVERSED[4 + $g]));
                board = if orthogonal {
                    _mm512_mask_add_epi8(board, rows, board, diagonals[$g])
                } else {
                    _mm512_maskz_mov_epi8(rows, diagonals[$g])
                };
                let rows = _mm512_bitshuffle_epi64_mask(anti_rank, load(&BITS_REVERSED[$g]));
                board = _mm512_mask_add_epi8(board, rows, board, anti_diagonals[$g]);
            }
            if orthogonal {
                let row = _mm512_bitshuffle_epi64_mask(rank_bits, load(&BITS[$g]));
                board = _mm512_mask_shuffle_epi8(board, row, anti_rank, load(&BROADCAST[4 + $g]));
            }
            // SAFETY: four registers of eight boards are thirty-two boards.
            unsafe { _mm512_storeu_si512(attacks.as_mut_ptr().add(8 * $g).cast(), board) };
        }};
    }
    spread!(0);
    spread!(1);
    spread!(2);
    spread!(3);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,gfni")]
fn run<const LINES: u8>(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
    four_at_a_time: batch_avx2::Proof,
) {
    let (square_blocks, last_squares) = squares.as_chunks::<BLOCK>();
    let (occupied_blocks, last_occupied) = occupied.as_chunks::<BLOCK>();
    let (attack_blocks, last_attacks) = attacks.as_chunks_mut::<BLOCK>();
    for ((squares, occupied), attacks) in
        square_blocks.iter().zip(occupied_blocks).zip(attack_blocks)
    {
        block::<LINES>(squares, occupied, attacks);
    }
    // A whole block for a few squares would cost more than processing them four at a time.
    four_at_a_time.run::<LINES>(last_squares, last_occupied, last_attacks);
}

impl Proof {
    /// The proof, or `None` if the CPU lacks a feature.
    #[inline]
    pub(crate) fn new() -> Option<Self> {
        if has_avx512() && has_bytes() && has_gfni() {
            batch_avx2::Proof::new().map(Self)
        } else {
            None
        }
    }

    /// Runs the kernel. The slices must have the same length.
    pub(crate) fn run<const LINES: u8>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { run::<LINES>(squares, occupied, attacks, self.0) }
    }
}
