//! Magic bitboards in their original form: the same space for every square.

use super::{Magic, Slider, factors};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Plain magics: one multiplication hashes both lines of a slider; every square gets the same space.
///
/// **Idea.** The relevant pieces of a slider, at most twelve for a rook and nine for a bishop, are
/// scattered over the word. A multiplication is a sum of shifted copies, so the right factor carries
/// all of them into the topmost bits, where a shift finds them side by side. The rest of the product
/// contains unwanted copies, which do no harm as long as two occupancies share a slot only if the
/// slider attacks the same squares in both.
///
/// ```text
/// relevant pieces           factor                slot
/// . . . . . . . .        . . . . . . . .       1 2 3 4 5 6 A B      the top twelve bits of the
/// 6 . . . . . . .        . . . . . . . .       C D E F . . . .      product: here one bit a piece,
/// 5 . . . . . . .        some bits, found      . . . . . . . .      in some order
/// 4 . . . . . . .   *    by trial          =   . garbage . . .
/// 3 . . . . . . .        . . . . . . . .       . . . . . . . .
/// 2 . . . . . . .        . . . . . . . .       . . . . . . . .
/// 1 . . . . . . .        . . . . . . . .       . . . . . . . .
/// . A B C D E F .        . . . . . . . .       . . . . . . . .
/// ```
///
/// **Formula.** `table[square][((occupied & relevant) * factor) >> 52]`, for bishops `>> 55`.
///
/// **Cost.** And, multiply, shift, load; a table of 294,912 sets for 107,648 occupancies and the 128
/// masks and factors. **When it wins.** As an introduction: nothing is simpler than a constant shift.
/// **When it loses.** Against [`FancyMagics`](super::FancyMagics), which does the same in little more
/// than a third of the space; 2 MiB do not fit in a first-level cache.
///
/// ```
/// use halfmove_bitboard::{Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::magics::PlainMagics};
///
/// let magics = PlainMagics::new().expect("needs nothing");
/// let occupied = bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 . 1 . .
/// };
/// assert_eq!(magics.rook(Square::A1, occupied), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     1 . . . . . . .
///     1 . . . . . . .
///     1 . . . . . . .
///     . 1 1 1 . . . .
/// });
/// ```
///
/// # Source
/// Lasse Hansen, Winboard forum (2006); Gerd Isenberg, *Sliding piece attacks* (2008), "Magic
/// Bitboards".
#[derive(Copy, Clone, Debug)]
pub struct PlainMagics(());

const ROOK_BITS: u32 = 12;
const BISHOP_BITS: u32 = 9;

static ROOK: [Magic; 64] = super::white(Slider::Rook, &factors::PLAIN_ROOK, ROOK_BITS, 0);
static BISHOP: [Magic; 64] = super::white(Slider::Bishop, &factors::PLAIN_BISHOP, BISHOP_BITS, 0);

#[allow(long_running_const_eval, reason = "102,400 occupancies")]
static ROOK_TABLE: [Bitboard; 64 << ROOK_BITS] = {
    let mut table = [Bitboard::EMPTY; 64 << ROOK_BITS];
    super::fill(&mut table, Slider::Rook, &ROOK, false);
    table
};

#[allow(long_running_const_eval, reason = "5,248 occupancies")]
static BISHOP_TABLE: [Bitboard; 64 << BISHOP_BITS] = {
    let mut table = [Bitboard::EMPTY; 64 << BISHOP_BITS];
    super::fill(&mut table, Slider::Bishop, &BISHOP, false);
    table
};

/// The same for all squares, so that the shift is a constant and need not be loaded.
#[inline]
fn index(magic: &Magic, square: Square, occupied: Bitboard, bits: u32) -> usize {
    let product = (occupied.0 & magic.mask).wrapping_mul(magic.factor);
    square.index() << bits | (product >> (64 - bits)) as usize
}

impl Sliders for PlainMagics {
    const TECHNIQUE: Technique = Technique {
        name: "plain magics",
        author: "Lasse Hansen, 2006",
        source: "Isenberg 2008, \"Magic Bitboards\"",
        table_bytes: size_of_val(&ROOK)
            + size_of_val(&BISHOP)
            + size_of_val(&ROOK_TABLE)
            + size_of_val(&BISHOP_TABLE),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ROOK_TABLE[index(&ROOK[square.index()], square, occupied, ROOK_BITS)]
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        BISHOP_TABLE[index(&BISHOP[square.index()], square, occupied, BISHOP_BITS)]
    }
}
