//! Magic bitboards with as much space as each square needs.

use super::{Magic, Slider, factors};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Fancy magics: as many index bits as the square has relevant squares.
///
/// **Idea.** Only the four corner rooks have twelve relevant squares and only the four central
/// bishops nine. With its own shift, each square gets a table of two to the power of the number of its
/// relevant squares, from 32 sets (a bishop on b1) to 4,096 (a rook on a1). The tables lie one after
/// another: 102,400 sets for rooks, 5,248 for bishops.
///
/// **Formula.** `table[((occupied & relevant) * factor >> shift) + offset]`.
///
/// **Cost.** And, multiply, variable shift, add, load. **When it wins.** It was the usual choice for
/// years: fast on every CPU with a fast multiplication. **When it loses.** Against PEXT where that is
/// one instruction, and where something else needs the cache.
///
/// Four occupancies with one attack set; the factor decides which slots they fall into:
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::magics::FancyMagics};
///
/// let magics = FancyMagics::new().expect("needs nothing");
/// let near = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     1 . . . . . . .
///     . . . . . . . .
///     . 1 . . . . . .
/// };
/// for behind in [Bitboard::EMPTY, Square::A6.into(), Square::D1.into(), Square::G1.into()] {
///     assert_eq!(magics.rook(Square::A1, near | behind), bitboard! {
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         1 . . . . . . .
///         1 . . . . . . .
///         . 1 . . . . . .
///     });
/// }
/// ```
///
/// # Source
/// Pradu Kannan, *Magic move-bitboard generation in computer chess* (2007); Gerd Isenberg, *Sliding
/// piece attacks* (2008), "Magic Bitboards" and its sample code.
#[derive(Copy, Clone, Debug)]
pub struct FancyMagics(());

const ROOK_LEN: usize = 102_400;
pub(super) const LEN: usize = ROOK_LEN + 5_248;

pub(super) static ROOK: [Magic; 64] = super::white(Slider::Rook, &factors::FANCY_ROOK, 0, 0);
pub(super) static BISHOP: [Magic; 64] =
    super::white(Slider::Bishop, &factors::FANCY_BISHOP, 0, ROOK_LEN as u32);

#[allow(long_running_const_eval, reason = "107,648 occupancies")]
pub(super) static TABLE: [Bitboard; LEN] = {
    let mut table = [Bitboard::EMPTY; LEN];
    super::fill(&mut table, Slider::Rook, &ROOK, false);
    super::fill(&mut table, Slider::Bishop, &BISHOP, false);
    table
};

impl Sliders for FancyMagics {
    const TECHNIQUE: Technique = Technique {
        name: "fancy magics",
        author: "Pradu Kannan, 2007",
        source: "Isenberg 2008, \"Magic Bitboards\"",
        table_bytes: size_of_val(&ROOK) + size_of_val(&BISHOP) + size_of_val(&TABLE),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[ROOK[square.index()].white(occupied)]
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[BISHOP[square.index()].white(occupied)]
    }
}
