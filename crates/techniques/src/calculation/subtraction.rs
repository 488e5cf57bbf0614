//! Subtract the slider from the pieces in its way, ray by ray.

use super::masks::{LINES, Lines, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Subtraction, `o ^ (o - 2s)`, and for the other half the same on the board turned around.
///
/// **Idea.** Subtracting the slider twice from the pieces on its ray removes the slider and borrows
/// from the first piece above it: every empty square on the way becomes a one, the piece a zero.
/// The bits that flip are the squares attacked. Rays down the indices are rays up the indices of the board
/// turned half around. That takes two bit reversals, one of the pieces and one of the result.
///
/// ```
/// let occupied: u8 = 0b1100_0101;
/// let slider: u8 = 0b0000_0100;
/// assert_eq!(occupied - slider, 0b1100_0001, "the slider is gone");
/// assert_eq!(occupied - 2 * slider, 0b1011_1101, "the borrow went through to the first piece");
/// assert_eq!(occupied ^ (occupied - 2 * slider), 0b0111_1000, "what flipped is attacked");
///
/// // Downward: the same on the byte turned around, and the result turned back.
/// let (turned, turned_slider) = (occupied.reverse_bits(), slider.reverse_bits());
/// let attacked = (turned ^ (turned - 2 * turned_slider)).reverse_bits();
/// assert_eq!(attacked, 0b0000_0011);
/// ```
///
/// **Formula.** `up(s, o) | turn(up(turn(s), turn(o)))`, where `up` is the union of `m ^ (m - s)` over the
/// rays that lead up and `m` is the pieces on the ray. The mask has removed the slider, so one
/// subtraction is left.
///
/// **Cost.** Four rays of five operations and two bit reversals (about a dozen operations each where
/// there is no instruction); a table of 2,048 bytes. A queen shares the reversals. **When it wins.**
/// As the way to understand [`Hyperbola`](crate::Hyperbola), which folds the two halves of each line into
/// one expression. **When it loses.** Against that, nearly always.
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), section "Sliding Attacks by Calculation" and
/// "Subtraction and Reverse Subtraction of rooks from blockers".
#[derive(Copy, Clone, Debug)]
pub struct Subtraction(());

/// The attacks on one line up the indices.
#[inline(always)]
fn upward(line: u64, slider: u64, occupied: u64) -> u64 {
    let ray = line & slider.wrapping_neg();
    let pieces = occupied & ray;
    (pieces ^ pieces.wrapping_sub(slider)) & ray
}

#[inline(always)]
fn rook_upward(lines: &Lines, slider: u64, occupied: u64) -> u64 {
    upward(lines.rank, slider, occupied) | upward(lines.file, slider, occupied)
}

#[inline(always)]
fn bishop_upward(lines: &Lines, slider: u64, occupied: u64) -> u64 {
    upward(lines.diagonal, slider, occupied) | upward(lines.anti_diagonal, slider, occupied)
}

/// Both halves, given the one that leads up the indices.
#[inline(always)]
fn both_ways(
    square: Square,
    occupied: Bitboard,
    upward: impl Fn(&Lines, u64, u64) -> u64,
) -> Bitboard {
    let turned = Square::wrapping(63 ^ square as u8);
    let up = upward(&LINES[square.index()], bit(square), occupied.0);
    let down = upward(&LINES[turned.index()], bit(turned), occupied.0.reverse_bits());
    Bitboard(up | down.reverse_bits())
}

impl Sliders for Subtraction {
    const TECHNIQUE: Technique = Technique {
        name: "subtraction",
        author: "folklore",
        source: "Isenberg 2008, \"Sliding Attacks by Calculation\"",
        table_bytes: size_of_val(&LINES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        both_ways(square, occupied, rook_upward)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        both_ways(square, occupied, bishop_upward)
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        both_ways(square, occupied, |lines, slider, occupied| {
            rook_upward(lines, slider, occupied) | bishop_upward(lines, slider, occupied)
        })
    }
}
