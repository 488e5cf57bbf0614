//! PEXT: one instruction makes the index.

use super::detect::BMI2;
use super::pext_table::{BISHOP, ROOK, Table};
use crate::sliders::{Sliders, Technique};
use crate::{Bitboard, Square};
use core::arch::x86_64::_pext_u64;

/// An index gathered by one instruction, and one load.
///
/// **Idea.** Number the subsets of a square's relevant squares by gathering their bits at the low end of
/// a word, and look the attacks up. A magic multiplication finds such an index by trial and error; PEXT
/// gives it directly: the table has no gaps, and there are no factors to search for.
///
/// ```text
/// a rook on d4: its relevant squares are numbered from the lowest index up
/// . . . . . . . .
/// . . . J . . . .      occupied, b4 and d6 among them:  A B C D E F G H I J
/// . . . I . . . .                                       0 0 1 0 0 0 0 0 1 0
/// . . . H . . . .
/// . C D . E F G .      gathered, A in the lowest bit:   01_0000_0100
/// . . . B . . . .
/// . . . A . . . .
/// . . . . . . . .
/// ```
///
/// **Formula.** `attacks[offset[square] + pext(occupied, relevant[square])]`.
///
/// **Cost.** Two loads, PEXT, an addition and the load of the set; tables of 861,184 bytes of attacks
/// and 2,048 of slots. **Instructions needed.** BMI2. **When it wins.** In throughput, one square at a
/// time, while the table stays in the second-level cache. **When it loses.** Where something else needs
/// that cache, such as an evaluation; in latency; and on AMD before Zen 3, which runs the instruction
/// as microcode.
///
/// # Source
/// Intel's instruction (BMI2, 2013), used for sliders ever since; the subsets that it numbers:
/// Isenberg 2008, section "Perfect Hashing".
#[derive(Copy, Clone, Debug)]
pub struct Pext(());

impl Pext {
    /// The technique, in a build for CPUs that all have the instruction.
    #[cfg(all(target_feature = "bmi2", not(halfmove_sliders = "hyperbola")))]
    pub(crate) const ALWAYS: Self = Self(());
}

/// The entry of a square's occupancy, gathered by the instruction.
#[inline]
#[target_feature(enable = "bmi2")]
fn look_up<const N: usize>(table: &Table<N>, square: Square, occupied: Bitboard) -> Bitboard {
    let slot = table.slot(square);
    let index = slot.offset + _pext_u64(occupied.0, slot.relevant) as usize;
    // SAFETY: slot and entries belong to one table, which has an entry for each number that can be
    // gathered from a square's relevant squares.
    Bitboard(unsafe { *table.entries().get_unchecked(index) })
}

impl Sliders for Pext {
    const TECHNIQUE: Technique = Technique {
        name: "PEXT",
        author: "folklore, 2013",
        source: "Intel 64 manual, BMI2",
        table_bytes: size_of_val(&ROOK) + size_of_val(&BISHOP),
        instructions: "BMI2",
    };

    fn new() -> Option<Self> {
        BMI2.are_there().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { look_up(&ROOK, square, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { look_up(&BISHOP, square, occupied) }
    }
}
