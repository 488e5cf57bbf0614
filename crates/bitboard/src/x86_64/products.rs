//! Scalar products of rows of bytes.
//!
//! **Idea.** One instruction multiplies 32 or 64 pairs of bytes and adds neighboring products in 16 bits, another adds these in 32
//! bits. The first saturates, but with unsigned bytes of at most 127 it never has to: 2 · 127 · 128 is less than 2¹⁵.

use core::arch::x86_64::*;

/// Computes [`Cpu::products`](crate::cpu::Cpu::products).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn products_avx2<const N: usize, const R: usize>(
    one: &[u8; N],
    rows: [&[i8; N]; R],
) -> i32 {
    let mut sums = _mm256_setzero_si256();
    for at in (0..N / 32 * 32).step_by(32) {
        // SAFETY: thirty-two bytes before the end of the row.
        let bytes = unsafe { _mm256_loadu_si256(one.as_ptr().add(at).cast()) };
        for row in rows {
            // SAFETY: as above.
            let row = unsafe { _mm256_loadu_si256(row.as_ptr().add(at).cast()) };
            let pairs = _mm256_maddubs_epi16(bytes, row);
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
    }
    let mut sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    for at in (N / 32 * 32..N / 16 * 16).step_by(16) {
        // SAFETY: sixteen bytes before the end of the row.
        let bytes = unsafe { _mm_loadu_si128(one.as_ptr().add(at).cast()) };
        for row in rows {
            // SAFETY: as above.
            let row = unsafe { _mm_loadu_si128(row.as_ptr().add(at).cast()) };
            let pairs = _mm_maddubs_epi16(bytes, row);
            sums = _mm_add_epi32(sums, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
        }
    }
    let sums = _mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<1>(sums));
    let mut sum = _mm_cvtsi128_si32(sums);
    for at in N / 16 * 16..N {
        sum += rows.iter().map(|row| i32::from(one[at]) * i32::from(row[at])).sum::<i32>();
    }
    sum
}

/// Computes [`Cpu::products`](crate::cpu::Cpu::products).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn products_avx512<const N: usize, const R: usize>(
    one: &[u8; N],
    rows: [&[i8; N]; R],
) -> i32 {
    let mut sums = _mm512_setzero_si512();
    for at in (0..N).step_by(64) {
        let mask = u64::MAX >> (64 - (N - at).min(64));
        // SAFETY: the mask leaves only bytes before the end of the row.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(mask, one.as_ptr().add(at).cast()) };
        for row in rows {
            // SAFETY: as above.
            let row = unsafe { _mm512_maskz_loadu_epi8(mask, row.as_ptr().add(at)) };
            let pairs = _mm512_maddubs_epi16(bytes, row);
            sums = _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
        }
    }
    _mm512_reduce_add_epi32(sums)
}
