//! Magic bitboards in the smallest table that one multiplication and one load can use.

use super::{Magic, Slider, factors};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Shared magics: black magics with a shift for each square, interleaved in one table.
///
/// **Idea.** A factor that lets many occupancies share a slot leaves holes in its square's table.
/// Hill climbing from factor to factor, a few bits at a time, lowers the slots in use to about
/// six tenths. Further climbs make the holes regular: a *host* keeps to some of every eight slots, and
/// a *guest*, with one or two index bits more, uses only those that its hosts leave free.
///
/// ```text
/// host    # # . . # # . #     . a slot that the host never uses
/// guest   . . # # . . # .     # guest slots, between those of the host
/// ```
///
/// **Formula.** `table[((occupied | !relevant) * factor >> shift) + offset]`.
///
/// **Cost.** Or, multiply, variable shift, add, load, and the bounds check of the slice, which the
/// type of the index cannot eliminate here. The table has 85,941 sets ([`SharedMagics::SETS`]) for
/// rooks and bishops together; the smallest one with one multiplication and one load that we know of
/// has 87,988. **When it wins.** Where a table of whole sets has to be small. **When it loses.** In
/// locality: a square's slots lie between those of others.
///
/// ```
/// use halfmove_techniques::{Sliders, lookup::magics::{FancyMagics, SharedMagics}};
/// assert!(SharedMagics::TECHNIQUE.table_bytes < FancyMagics::TECHNIQUE.table_bytes * 4 / 5);
/// ```
///
/// # Source
/// This crate: `examples/find_magics`, which finds the factors and prints them. Black magics and
/// the sharing of tables are Onno Garms's and Volker Annuss's.
#[derive(Copy, Clone, Debug)]
pub struct SharedMagics(());

impl SharedMagics {
    /// The number of sets in the table.
    pub const SETS: usize = factors::SHARED_LEN;
}

static ROOK: [Magic; 64] = super::black(Slider::Rook, &factors::SHARED_ROOK);
static BISHOP: [Magic; 64] = super::black(Slider::Bishop, &factors::SHARED_BISHOP);

#[allow(long_running_const_eval, reason = "107,648 occupancies")]
static TABLE: [Bitboard; factors::SHARED_LEN] = {
    let mut table = [Bitboard::EMPTY; factors::SHARED_LEN];
    super::fill(&mut table, Slider::Rook, &ROOK, true);
    super::fill(&mut table, Slider::Bishop, &BISHOP, true);
    table
};

impl Sliders for SharedMagics {
    const TECHNIQUE: Technique = Technique {
        name: "shared magics",
        author: "this crate",
        source: "`examples/find_magics`",
        table_bytes: size_of_val(&ROOK) + size_of_val(&BISHOP) + size_of_val(&TABLE),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[ROOK[square.index()].black(occupied)]
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLE[BISHOP[square.index()].black(occupied)]
    }
}
