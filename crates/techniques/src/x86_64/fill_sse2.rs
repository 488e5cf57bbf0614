//! Two sets of sliders in one register.

use halfmove_bitboard::{Bitboard, Direction};
use std::arch::x86_64::*;

/// Fills two sets of sliders at once: white's and black's, say, or the sliders that attack and the king as a queen.
///
/// **Idea.** A fill is shifts and intersections, and a register of SSE2 holds two boards. Both are filled in the same
/// direction by the same instructions, among the same pieces.
///
/// ```text
/// lane     1                   0
///          sliders of black    sliders of white      one direction at a time
/// ```
///
/// **Formula.** That of [`kogge_stone`](crate::fill::kogge_stone), in each lane.
///
/// **Cost.** 13 operations in a chain of nine for two sets; no table. **Instructions needed.** SSE2, which every x86-64 has.
/// **When it wins.** With two sets to fill, on a CPU without AVX2. **When it loses.** Against [`FillAvx2`](super::FillAvx2),
/// whose lanes are directions.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Direction, Square, bitboard};
/// use halfmove_techniques::x86_64::FillSse2;
///
/// let fill = FillSse2::new().expect("every x86-64 has SSE2");
/// let (white, black) = (Bitboard::from(Square::A1), Bitboard::from(Square::E1));
/// let [of_white, of_black] = fill.attacks([white, black], Direction::East, white | black);
/// assert_eq!(of_white | of_black, bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 1 1 1 1 1 1
/// });
/// assert!(of_white.has(Square::E1), "white's rook attacks black's");
/// ```
///
/// # Source
/// Isenberg 2008, "Raywise Attacks in one Direction": "SSE2 with sixteen 128bit registers, to process two or four
/// distinct sets (e.g. white and black, sliders and king as queen like metaslider) per register".
#[derive(Copy, Clone, Debug)]
pub struct FillSse2(());

impl FillSse2 {
    /// The fill. SSE2 belongs to x86-64, so it is always there.
    #[must_use]
    pub fn new() -> Option<Self> {
        Some(Self(()))
    }

    /// The sliders of each set and the empty squares that they reach in a direction.
    #[inline]
    #[must_use]
    pub fn occluded(
        self,
        sliders: [Bitboard; 2],
        direction: Direction,
        occupied: Bitboard,
    ) -> [Bitboard; 2] {
        // SAFETY: every x86-64 has SSE2.
        unsafe { fill::<false>(sliders, direction, occupied) }
    }

    /// The squares that the sliders of each set attack in a direction, the first piece in the way included.
    #[inline]
    #[must_use]
    pub fn attacks(
        self,
        sliders: [Bitboard; 2],
        direction: Direction,
        occupied: Bitboard,
    ) -> [Bitboard; 2] {
        // SAFETY: every x86-64 has SSE2.
        unsafe { fill::<true>(sliders, direction, occupied) }
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn fill<const ATTACKS: bool>(
    sliders: [Bitboard; 2],
    direction: Direction,
    occupied: Bitboard,
) -> [Bitboard; 2] {
    let distance = i32::from(direction.shift());
    let step = |boards: __m128i, steps: i32| {
        let count = _mm_cvtsi32_si128(steps * distance.abs());
        if distance > 0 { _mm_sll_epi64(boards, count) } else { _mm_srl_epi64(boards, count) }
    };
    let entered = Bitboard::FULL.step(direction);
    let mut set = _mm_set_epi64x(sliders[1].0 as i64, sliders[0].0 as i64);
    let mut free = _mm_set1_epi64x((entered - occupied).0 as i64);
    for steps in [1, 2, 4] {
        set = _mm_or_si128(set, _mm_and_si128(free, step(set, steps)));
        free = _mm_and_si128(free, step(free, steps));
    }
    if ATTACKS {
        set = _mm_and_si128(_mm_set1_epi64x(entered.0 as i64), step(set, 1));
    }
    let upper = _mm_unpackhi_epi64(set, set);
    [_mm_cvtsi128_si64(set), _mm_cvtsi128_si64(upper)].map(|board| Bitboard(board as u64))
}
