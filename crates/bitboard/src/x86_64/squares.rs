//! The squares of a set as numbers, all at once.
//!
//! **Idea.** A register holds the numbers 0 to 63, one byte each. The set, as a mask, selects some of them, and one
//! instruction packs these. A loop over the squares would need five instructions for each, and the CPU would
//! mispredict the end of the loop once per set.
//!
//! # Source
//! Listing moves by packing bytes: Stockfish, `splat_moves` (2025).

use crate::Bitboard;
use core::arch::x86_64::*;

#[repr(align(64))]
struct Bytes([u8; 64]);

static NUMBERS: Bytes = {
    let mut numbers = [0; 64];
    let mut i = 0;
    while i < 64 {
        numbers[i] = i as u8;
        i += 1;
    }
    Bytes(numbers)
};

/// Computes [`Cpu::multiples`](crate::cpu::Cpu::multiples).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
pub(super) fn multiples(squares: Bitboard, factor: u16, offset: u16) -> [u16; 32] {
    // SAFETY: sixty-four bytes, aligned.
    let numbers = unsafe { _mm512_load_si512(NUMBERS.0.as_ptr().cast()) };
    let squares = _mm512_maskz_compress_epi8(squares.0, numbers);
    let words = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(squares));
    let product = _mm512_mullo_epi16(words, _mm512_set1_epi16(factor as i16));
    let sum = _mm512_add_epi16(product, _mm512_set1_epi16(offset as i16));
    let mut multiples = [0; 32];
    // SAFETY: thirty-two words are sixty-four bytes.
    unsafe { _mm512_storeu_si512(multiples.as_mut_ptr().cast(), sum) };
    multiples
}
