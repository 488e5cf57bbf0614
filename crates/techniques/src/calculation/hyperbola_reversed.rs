//! Hyperbola quintessence with bit reversal: the same for all four lines.

use super::masks::{LINES, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Hyperbola quintessence, with a bit reversal as the mirror and so without a table for ranks.
///
/// **Idea.** The byte swap of [`Hyperbola`](crate::Hyperbola) keeps the order of squares within a rank,
/// so ranks need a table. Reversing all 64 bits turns ranks around as well, so one expression serves all
/// four lines.
///
/// ```text
/// pieces on the rank, slider at the dot   0 1 0 0 . 0 1 0
/// after a byte swap                    0 1 0 0 . 0 1 0    left stays left: no help on a rank
/// after a bit reversal                 0 1 0 . 0 0 1 0    left is right: subtract again
/// ```
///
/// **Formula.** `((o & line) - s) ^ turn(turn(o & line) - turn(s))`, cut to `line`.
///
/// **Cost.** Two reversals per line and about eight more operations; a table of 2,048 bytes.
/// **When it wins.** Where a reversal is cheap: one `RBIT` on AArch64; a byte shuffle and a GFNI
/// product for all lines of a queen at once. **When it loses.** On a plain x86-64 each reversal is
/// about a dozen operations, and [`Subtraction`](super::Subtraction) needs only two for all lines.
///
/// A rook on a rank with pieces on both sides, which the byte swap alone cannot do:
///
/// ```
/// use halfmove_techniques::{Sliders, calculation::HyperbolaReversed};
/// use halfmove_bitboard::{Bitboard, Rank, Square, bitboard};
///
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 . . 1 . 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// let hyperbola = HyperbolaReversed::new().expect("needs nothing");
/// let attacks = hyperbola.rook(Square::E4, occupied);
/// assert_eq!(attacks & Bitboard::rank(Rank::Fourth), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . 1 1 1 . 1 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), section "Subtraction and Reverse Subtraction of
/// rooks from blockers", the formula with a general `reverse`.
#[derive(Copy, Clone, Debug)]
pub struct HyperbolaReversed(());

#[inline(always)]
fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let upward = occupied & line;
    let downward = upward.reverse_bits();
    let upward = upward.wrapping_sub(slider);
    let downward = downward.wrapping_sub(slider.reverse_bits());
    (upward ^ downward.reverse_bits()) & line
}

impl Sliders for HyperbolaReversed {
    const TECHNIQUE: Technique = Technique {
        name: "hyperbola quintessence, bit reversal",
        author: "Aleks Peshkov, 2007",
        source: "Isenberg 2008, \"Subtraction and Reverse Subtraction\"",
        table_bytes: size_of_val(&LINES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (lines, slider) = (&LINES[square.index()], bit(square));
        Bitboard(along(lines.rank, slider, occupied.0) | along(lines.file, slider, occupied.0))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (lines, slider) = (&LINES[square.index()], bit(square));
        Bitboard(
            along(lines.diagonal, slider, occupied.0)
                | along(lines.anti_diagonal, slider, occupied.0),
        )
    }
}
