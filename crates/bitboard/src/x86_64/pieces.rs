//! All sliders and knights of a side at once, one direction per lane.
//!
//! **Idea.** A fill keeps the directions apart, and in one direction no two sliders reach the same square: the one in
//! front stops the one behind. So counting the squares of all lanes counts the moves of all sliders, and the cost
//! does not depend on how many sliders there are. Knights have eight directions as well.
//!
//! ```text
//! two rooks and the squares they attack to the east: none is attacked twice
//! . . . . . . . .
//! R a a R b b b b
//! ```
//!
//! **Cost.** AVX-512 rotates each of eight lanes by its own distance, and VPOPCNTDQ counts them: about twenty
//! operations for the sliders, three for the knights, six to combine or add up the lanes. AVX2 shifts four lanes:
//! twice as many operations for rising and falling directions, and about thirty more to count. There is no table that
//! could miss the cache, and no branch. **When it wins.** When moves are counted or attacks combined for several
//! pieces. **When it loses.** Where it matters which piece goes where, and with so few pieces that one look-up for
//! each is as fast.
//!
//! # Source
//! The fill: Isenberg 2008, "Kogge-Stone Parallel Prefix Algorithm"; counting its lanes: this crate.

use super::compass::{self, Lanes};
use crate::attacks::Pieces;
use crate::{Bitboard, Square};
use core::arch::x86_64::*;

/// The eight hops of a knight, in files and ranks, a hop before its opposite.
const HOPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (-2, 1), (-1, 2), (-1, -2), (-2, -1), (2, -1), (1, -2)];

/// By hop: the squares on which a knight can land.
static HOPPED: Lanes = Lanes(entered(HOPS));

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

/// The squares on which a step can land.
const fn entered<const N: usize>(steps: [(i8, i8); N]) -> [u64; N] {
    let mut lanes = [0; N];
    let mut lane = 0;
    while lane < N {
        let mut i = 0;
        while i < 64 {
            if let Some(to) = Square::ALL[i].offset(steps[lane].0, steps[lane].1) {
                lanes[lane] |= Bitboard::square(to).0;
            }
            i += 1;
        }
        lane += 1;
    }
    lanes
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

/// Computes [`Pieces::attacks`]. `occupied` has to include the pieces.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn attacks_avx512(pieces: Pieces, occupied: Bitboard) -> Bitboard {
    let all = _mm512_or_si512(slides(pieces, occupied), hops(pieces.knights));
    Bitboard(_mm512_reduce_or_epi64(all) as u64)
}

/// Computes [`Pieces::mobility`]. `occupied` has to include the pieces.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn mobility_avx512(pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
    let targets = _mm512_set1_epi64(targets.0 as i64);
    let slides = _mm512_popcnt_epi64(_mm512_and_si512(slides(pieces, occupied), targets));
    let hops = _mm512_popcnt_epi64(_mm512_and_si512(hops(pieces.knights), targets));
    _mm512_reduce_add_epi64(_mm512_add_epi64(slides, hops)) as u32
}

/// Four boards in a register of AVX2.
#[repr(align(32))]
struct Half([u64; 4]);

/// A step north, north-east, east and north-west; their opposites are the same shifts the other way.
const STEPS: [(i8, i8); 4] = [(0, 1), (1, 1), (1, 0), (-1, 1)];
/// The first four hops of [`HOPS`], likewise.
const RISING_HOPS: [(i8, i8); 4] = [HOPS[0], HOPS[1], HOPS[2], HOPS[3]];

static STEP: Half = distances(STEPS);
static HOP: Half = distances(RISING_HOPS);
/// The squares on which a shift to the left can land, and a shift to the right.
static STEP_ENTERED: [Half; 2] = [Half(entered(STEPS)), Half(entered(opposites(STEPS)))];
static HOP_ENTERED: [Half; 2] = [Half(entered(RISING_HOPS)), Half(entered(opposites(RISING_HOPS)))];

const fn distances(steps: [(i8, i8); 4]) -> Half {
    let mut lanes = [0; 4];
    let mut lane = 0;
    while lane < 4 {
        lanes[lane] = (steps[lane].0 + 8 * steps[lane].1) as u64;
        lane += 1;
    }
    Half(lanes)
}

const fn opposites(mut steps: [(i8, i8); 4]) -> [(i8, i8); 4] {
    let mut lane = 0;
    while lane < 4 {
        steps[lane] = (-steps[lane].0, -steps[lane].1);
        lane += 1;
    }
    steps
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(half: &Half) -> __m256i {
    // SAFETY: four lanes are thirty-two bytes, aligned.
    unsafe { _mm256_load_si256(half.0.as_ptr().cast()) }
}

/// The squares that sliders attack, in rising and in falling directions.
#[inline]
#[target_feature(enable = "avx2")]
fn slides_avx2(pieces: Pieces, occupied: Bitboard) -> [__m256i; 2] {
    let [orthogonal, diagonal, empty] = [pieces.orthogonal.0, pieces.diagonal.0, !occupied.0]
        .map(|set| _mm256_set1_epi64x(set as i64));
    // North and east are straight, the others diagonal.
    let sliders = _mm256_blend_epi32::<0b1100_1100>(orthogonal, diagonal);
    let once = load(&STEP);
    let twice = _mm256_slli_epi64::<1>(once);
    let fourfold = _mm256_slli_epi64::<2>(once);
    macro_rules! spread {
        ($half:literal, $shift:ident) => {{
            let entered = load(&STEP_ENTERED[$half]);
            let mut set = sliders;
            let mut free = _mm256_and_si256(empty, entered);
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, once)));
            free = _mm256_and_si256(free, $shift(free, once));
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, twice)));
            free = _mm256_and_si256(free, $shift(free, twice));
            set = _mm256_or_si256(set, _mm256_and_si256(free, $shift(set, fourfold)));
            _mm256_and_si256(entered, $shift(set, once))
        }};
    }
    [spread!(0, _mm256_sllv_epi64), spread!(1, _mm256_srlv_epi64)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn hops_avx2(knights: Bitboard) -> [__m256i; 2] {
    let knights = _mm256_set1_epi64x(knights.0 as i64);
    let hop = load(&HOP);
    [
        _mm256_and_si256(load(&HOP_ENTERED[0]), _mm256_sllv_epi64(knights, hop)),
        _mm256_and_si256(load(&HOP_ENTERED[1]), _mm256_srlv_epi64(knights, hop)),
    ]
}

/// Computes [`Pieces::attacks`]. `occupied` has to include the pieces.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn attacks_avx2(pieces: Pieces, occupied: Bitboard) -> Bitboard {
    let [a, b] = slides_avx2(pieces, occupied);
    let [c, d] = hops_avx2(pieces.knights);
    let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    let half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let last = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    Bitboard(_mm_cvtsi128_si64(last) as u64)
}

/// Computes [`Pieces::mobility`]. `occupied` has to include the pieces. Bits are counted by nibbles.
///
/// # Source
/// Counting by a table in a register: Wojciech Muła, *SSSE3: fast popcount* (2008).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn mobility_avx2(pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
    let targets = _mm256_set1_epi64x(targets.0 as i64);
    let [a, b] = slides_avx2(pieces, occupied);
    let [c, d] = hops_avx2(pieces.knights);
    let low_nibbles = _mm256_set1_epi8(15);
    let counts =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let mut sum = _mm256_setzero_si256();
    for lanes in [a, b, c, d] {
        let lanes = _mm256_and_si256(lanes, targets);
        let low = _mm256_and_si256(lanes, low_nibbles);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), low_nibbles);
        sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(counts, low));
        sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(counts, high));
    }
    let sum = _mm256_sad_epu8(sum, _mm256_setzero_si256());
    let half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let last = _mm_add_epi64(half, _mm_unpackhi_epi64(half, half));
    _mm_cvtsi128_si64(last) as u32
}
