//! Magic bitboards with a constant shift and one shared table.

use super::{Magic, Slider, factors};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Black magics: irrelevant squares are set instead of cleared, and all squares share one table.
///
/// **Idea.** Twelve index bits are two more than a central rook needs. A factor may use the extra space
/// as a *comb*: all its slots are one, or two, of every four, and the combs of several squares fit
/// into each other. Black magics set the irrelevant squares where white ones clear them. That adds
/// one number to all products of a square: the pattern rotates around the ring of slots, and carries
/// fall elsewhere.
///
/// ```text
/// black      (occupied | !relevant) * factor  =  (occupied & relevant) * factor
///                                              + !relevant * factor
/// a square   # . . . # . . . # . . .
/// and three  # 2 3 4 # 2 3 4 # 2 3 4     four central rooks in the space of one
/// ```
///
/// **Formula.** `table[((occupied | !relevant) * factor >> 52) + offset]`, for bishops `>> 55`.
///
/// **Cost.** Or, multiply, shift, add, load, and the bounds check of the slice; a table of 114,993
/// sets for rooks and bishops together, and the 128 masks, factors and offsets. That is more than the
/// 107,648 sets of [`FancyMagics`](super::FancyMagics), because these factors come from a short search.
/// Published tables of this form reach 87,988, with factors that let many occupancies share a slot.
/// **When it wins.** Against [`PlainMagics`](super::PlainMagics): the shift is a constant there too, but
/// the table takes two and a half times the space. **When it loses.** In size, against
/// [`SharedMagics`](super::SharedMagics): that is the price of a shift that need not be loaded. One
/// square's slots also lie on up to four times as many cache lines as they would fill.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::magics::BlackMagics};
///
/// let magics = BlackMagics::new().expect("needs nothing");
/// assert_eq!(magics.bishop(Square::D4, Bitboard::square(Square::F6)), bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . 1 . . . 1 . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . 1 . . . 1 . .
///     1 . . . . . 1 .
/// });
/// ```
///
/// # Source
/// Onno Garms and Volker Annuss (black factors and shared tables), Talkchess (2016); Volker Annuss
/// and Niklas Fiekas (the table of 87,988). The factors here were found by `examples/find_magics`.
#[derive(Copy, Clone, Debug)]
pub struct BlackMagics(());

const ROOK_SHIFT: u32 = 64 - 12;
const BISHOP_SHIFT: u32 = 64 - 9;

static ROOK: [Magic; 64] = super::black(Slider::Rook, &factors::BLACK_ROOK);
static BISHOP: [Magic; 64] = super::black(Slider::Bishop, &factors::BLACK_BISHOP);

#[allow(long_running_const_eval, reason = "107,648 occupancies")]
static TABLE: [Bitboard; factors::BLACK_LEN] = {
    let mut table = [Bitboard::EMPTY; factors::BLACK_LEN];
    super::fill(&mut table, Slider::Rook, &ROOK, true);
    super::fill(&mut table, Slider::Bishop, &BISHOP, true);
    table
};

/// The slot by a constant shift; the entry's shift is not read.
#[inline]
fn index(magic: &Magic, occupied: Bitboard, shift: u32) -> usize {
    ((occupied.0 | magic.mask).wrapping_mul(magic.factor) >> shift) as usize + magic.offset as usize
}

impl Sliders for BlackMagics {
    const TECHNIQUE: Technique = Technique {
        name: "black magics",
        author: "Onno Garms and Volker Annuss, 2016",
        source: "Talkchess",
        table_bytes: size_of_val(&ROOK) + size_of_val(&BISHOP) + size_of_val(&TABLE),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[index(&ROOK[square.index()], occupied, ROOK_SHIFT)]
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[index(&BISHOP[square.index()], occupied, BISHOP_SHIFT)]
    }
}
