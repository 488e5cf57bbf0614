//! SBAMG: three times the closest piece below, subtracted from the line.

use super::masks::{LINES, bit};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// SBAMG, subtraction based attack mask generation: `o ^ (o - 3c)`.
///
/// **Idea.** Let `c` be the closest piece below the slider. Subtracting `c` clears it; subtracting `2c`
/// more borrows through all empty squares above it, and the slider's, up to the first piece above. So one
/// subtraction flips both halves of the line at once. There must be a piece below, so the line's lowest
/// square counts as one, which changes no attack set.
///
/// ```
/// // A rank, the slider in the middle: pieces .1..s.11, bit 0 on the right.
/// let pieces: u8 = 0b0100_0011;
/// let closest: u8 = 0b0000_0010;
/// assert_eq!(pieces - 3 * closest, 0b0011_1101);
/// assert_eq!(pieces ^ (pieces - 3 * closest), 0b0111_1110, "from piece to piece");
/// let line: u8 = 0b1111_0111;
/// assert_eq!((pieces ^ (pieces - 3 * closest)) & line, 0b0111_0110, "without the slider");
/// ```
///
/// **Formula.** `m ^ (m - 3 * highest(m & below(s)))`, cut to the line, with `m` the pieces on the line
/// and its lowest square; if the slider stands on that square, it is its own closest piece.
///
/// **Cost.** Two lines of about twelve operations with one leading-zero count; a table of 2,048 bytes.
/// **When it wins.** Next to [`ObstructionDifference`](super::ObstructionDifference), with half the
/// table: one mask per line. **When it loses.** In latency, because the chain is long: mask, count,
/// shift, multiply, subtract; and the lower end of the line has to be found first.
///
/// # Source
/// Syed Fahad, in his library M42 (2016); Chess Programming Wiki, "SBAMG". There the two ends of each
/// line are set from a table; here the lower end is isolated from the mask, and no upper end is needed.
#[derive(Copy, Clone, Debug)]
pub struct Sbamg(());

#[inline(always)]
fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let whole = line | slider;
    let lowest = whole & whole.wrapping_neg();
    let pieces = occupied & line | lowest;
    // Up to the slider's own bit, which is set only if it is the lowest of the line.
    let below = pieces & (slider | (slider - 1));
    let closest = bit(Square::H8) >> below.leading_zeros();
    (pieces ^ pieces.wrapping_sub(closest.wrapping_mul(3))) & line
}

impl Sliders for Sbamg {
    const TECHNIQUE: Technique = Technique {
        name: "SBAMG",
        author: "Syed Fahad, 2016",
        source: "Chess Programming Wiki, \"SBAMG\"",
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
