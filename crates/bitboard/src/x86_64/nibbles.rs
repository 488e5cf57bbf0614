//! Sets of bytes, 64 bytes at a time.
//!
//! **Idea.** A byte is two nibbles. One shuffle looks up a byte by the lower nibble, another by the upper. Bit *n* of
//! their intersection is set if the byte belongs to set *n* of eight, where each set consists of the bytes whose lower
//! nibble is in one set and whose upper nibble is in another.
//!
//! # Source
//! Classifying text by two shuffles: Geoff Langdale and Daniel Lemire, *Parsing gigabytes of JSON per second* (2019),
//! section 3.1.2.

use core::arch::x86_64::*;

use crate::cpu::Nibbles;

/// Computes [`Cpu::nibbles`](crate::cpu::Cpu::nibbles).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn nibbles_avx2<const N: usize>(
    bytes: &[u8; 64],
    sets: &Nibbles,
    masks: [u8; N],
) -> ([u64; N], u64) {
    // SAFETY: sixteen bytes each.
    let (low, high) = unsafe {
        (_mm_loadu_si128(sets.low.as_ptr().cast()), _mm_loadu_si128(sets.high.as_ptr().cast()))
    };
    let (low, high) = (_mm256_broadcastsi128_si256(low), _mm256_broadcastsi128_si256(high));
    let mut found = [0; N];
    let mut negative = 0;
    for half in [0, 32] {
        // SAFETY: thirty-two bytes from each half of sixty-four.
        let text = unsafe { _mm256_loadu_si256(bytes.as_ptr().add(half).cast()) };
        // A shuffle gives zero for bytes from 128 on.
        let lower = _mm256_shuffle_epi8(low, text);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(text), _mm256_set1_epi8(0x0f));
        let sets = _mm256_and_si256(lower, _mm256_shuffle_epi8(high, upper));
        for (found, mask) in found.iter_mut().zip(masks) {
            let members = _mm256_and_si256(sets, _mm256_set1_epi8(mask as i8));
            let others = _mm256_cmpeq_epi8(members, _mm256_setzero_si256());
            *found |= u64::from(!_mm256_movemask_epi8(others) as u32) << half;
        }
        negative |= u64::from(_mm256_movemask_epi8(text) as u32) << half;
    }
    (found, negative)
}

/// Computes [`Cpu::nibbles`](crate::cpu::Cpu::nibbles).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn nibbles_avx512<const N: usize>(
    bytes: &[u8; 64],
    sets: &Nibbles,
    masks: [u8; N],
) -> ([u64; N], u64) {
    // SAFETY: sixteen bytes twice, and sixty-four.
    let (low, high, text) = unsafe {
        (
            _mm_loadu_si128(sets.low.as_ptr().cast()),
            _mm_loadu_si128(sets.high.as_ptr().cast()),
            _mm512_loadu_si512(bytes.as_ptr().cast()),
        )
    };
    let (low, high) = (_mm512_broadcast_i32x4(low), _mm512_broadcast_i32x4(high));
    // A shuffle gives zero for bytes from 128 on.
    let lower = _mm512_shuffle_epi8(low, text);
    let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(text), _mm512_set1_epi8(0x0f));
    let sets = _mm512_and_si512(lower, _mm512_shuffle_epi8(high, upper));
    let found = masks.map(|mask| _mm512_test_epi8_mask(sets, _mm512_set1_epi8(mask as i8)));
    (found, _mm512_movepi8_mask(text))
}
