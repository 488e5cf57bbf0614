//! Many pieces at once: eight directions of sliders and eight hops of knights, a lane each.

use super::compass::{self, Lanes};
use super::detect::{AVX512, LANE_COUNTS};
use crate::attacks::Pieces;
use crate::{Bitboard, Square};
use core::arch::x86_64::*;

/// All sliders and knights of a side in two registers.
///
/// **Idea.** A fill keeps the directions apart, and in one direction no square is reached by two
/// sliders: the one behind is stopped by the one in front. So the squares of all eight lanes,
/// counted, are the moves of all sliders, and what they cost does not depend on how many sliders
/// there are. Knights hop in eight directions as well.
///
/// ```text
/// two rooks and what they reach to the east: no square twice
/// . . . . . . . .
/// R a a R b b b b
/// ```
///
/// **Cost.** Some twenty operations for the sliders, three for the knights, six to unite or to add
/// up the lanes; no table, no branch. **Instructions needed.** AVX-512 F and VPOPCNTDQ. **When it
/// wins.** Wherever moves are counted or attacks united and there are several pieces; it reads no cache
/// that other data wants. **When it loses.** Where it matters which piece goes where, and for a lone
/// rook, which one look-up has as soon.
///
/// A value is proof of both.
///
/// # Source
/// The fill: see [`FillAvx512`](super::FillAvx512); counting its lanes: this crate.
#[derive(Copy, Clone, Debug)]
pub struct PiecesAvx512(());

/// The eight hops of a knight, in files and ranks.
const HOPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// By hop: the squares that a knight can come in on.
static HOPPED: Lanes = {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let mut i = 0;
        while i < 64 {
            if let Some(to) = Square::ALL[i].offset(HOPS[lane].0, HOPS[lane].1) {
                lanes[lane] |= Bitboard::square(to).0;
            }
            i += 1;
        }
        lane += 1;
    }
    Lanes(lanes)
};

/// By hop: its distance, as a rotation to the left.
static HOP_ROTATION: Lanes = {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let (files, ranks) = HOPS[lane];
        lanes[lane] = ((files + 8 * ranks) as i64 & 63) as u64;
        lane += 1;
    }
    Lanes(lanes)
};

impl PiecesAvx512 {
    /// The two registers, or `None` where the CPU lacks what they need. Where the build says that
    /// it has them, nothing is asked. `--cfg halfmove_pieces="one_by_one"` denies them, to measure on a
    /// CPU that has them what one does that has not.
    #[inline]
    #[must_use]
    pub fn new() -> Option<Self> {
        if cfg!(halfmove_pieces = "one_by_one") {
            return None;
        }
        let known = cfg!(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"));
        (known || AVX512.and(LANE_COUNTS).are_there()).then_some(Self(()))
    }

    /// What [`Pieces::attacks`] gives.
    #[inline]
    #[must_use]
    pub fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { attacks(pieces, occupied) }
    }

    /// What [`Pieces::mobility`] gives.
    #[inline]
    #[must_use]
    pub fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { mobility(pieces, occupied, targets) }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn hops(knights: Bitboard) -> __m512i {
    let moved =
        _mm512_rolv_epi64(_mm512_set1_epi64(knights.0 as i64), compass::load(&HOP_ROTATION));
    _mm512_and_si512(moved, compass::load(&HOPPED))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn slides(pieces: Pieces, occupied: Bitboard) -> __m512i {
    compass::one_further(compass::occluded(pieces.orthogonal, pieces.diagonal, occupied))
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn attacks(pieces: Pieces, occupied: Bitboard) -> Bitboard {
    let all = _mm512_or_si512(slides(pieces, occupied), hops(pieces.knights));
    Bitboard(_mm512_reduce_or_epi64(all) as u64)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn mobility(pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
    let targets = _mm512_set1_epi64(targets.0 as i64);
    let slides = _mm512_popcnt_epi64(_mm512_and_si512(slides(pieces, occupied), targets));
    let hops = _mm512_popcnt_epi64(_mm512_and_si512(hops(pieces.knights), targets));
    _mm512_reduce_add_epi64(_mm512_add_epi64(slides, hops)) as u32
}
