//! Slide arithmetic: the difference of two runs of low bits.

use super::masks::{LINES, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Slide arithmetic: all bits up to the piece above, without all bits short of the piece below.
///
/// **Idea.** Split the pieces on a line at the slider. One instruction (`blsmsk`) gives all bits up to and
/// including the lowest piece above; a shift by a leading-zero count gives all bits short of the highest
/// piece below. The second run lies within the first, so an XOR leaves the squares from piece to piece.
///
/// ```
/// // A rank, the slider in the middle: pieces .1..s.11, bit 0 on the right.
/// let (above, below): (u8, u8) = (0b0100_0000, 0b0000_0011);
/// let up_to_above = above ^ (above - 1);
/// let short_of_below = 0b0111_1111 >> below.leading_zeros();
/// assert_eq!(up_to_above, 0b0111_1111);
/// assert_eq!(short_of_below, 0b0000_0001);
/// let line: u8 = 0b1111_0111;
/// assert_eq!((up_to_above ^ short_of_below) & line, 0b0111_0110);
/// ```
///
/// **Formula.** `blsmsk(m & !low) ^ (all >> 1 >> lzcnt(m & low | 1))`, cut to the line, with `m` the
/// pieces on the line and `low` the bits below the slider (`bzhi`).
///
/// **Cost.** Two lines of about nine operations; a table of 2,048 bytes. **Instructions needed.** None:
/// the compiler uses `blsmsk`, `bzhi` and `lzcnt` if the target has them. **When it wins.** In
/// throughput: the four lines are alike and lie side by side, so a compiler for AVX-512 takes a queen's in
/// four lanes; also on GPUs. **When it loses.** In latency against [`Hyperbola`](crate::Hyperbola), whose
/// chain has no bit scan.
///
/// # Source
/// Jakob Progsch and Daniel Inführ (2021), in the latter's *Chess_Movegen*, "Slide Arithmetic".
#[derive(Copy, Clone, Debug)]
pub struct SlideArithmetic(());

#[inline(always)]
fn along(line: u64, low: u64, occupied: u64) -> u64 {
    let pieces = occupied & line;
    let above = pieces & !low;
    let up_to_above = above ^ above.wrapping_sub(1);
    let short_of_below = u64::MAX >> 1 >> (pieces & low | 1).leading_zeros();
    (up_to_above ^ short_of_below) & line
}

impl Sliders for SlideArithmetic {
    const TECHNIQUE: Technique = Technique {
        name: "slide arithmetic",
        author: "Jakob Progsch and Daniel Inführ, 2021",
        source: "Inführ's Chess_Movegen, \"Slide Arithmetic\"",
        table_bytes: size_of_val(&LINES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (lines, low) = (&LINES[square.index()], bit(square) - 1);
        Bitboard(along(lines.rank, low, occupied.0) | along(lines.file, low, occupied.0))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (lines, low) = (&LINES[square.index()], bit(square) - 1);
        Bitboard(
            along(lines.diagonal, low, occupied.0) | along(lines.anti_diagonal, low, occupied.0),
        )
    }
}
