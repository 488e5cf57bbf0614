//! PEXT in software: the same tables, the index gathered bit by bit.

use super::subsets::{BISHOP, ROOK, Table};
use crate::bits::extract;
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// The table of PEXT, with the instruction emulated.
///
/// **Idea.** Number the subsets of a square's relevant squares by gathering their bits at the low
/// end of a word, and look the attacks up in a table without gaps. Here a loop does the gathering: one
/// round for each relevant square, lowest first, appends a one if a piece stands there.
///
/// ```text
/// relevant  . 1 1 . 1 1 1 .      five squares, 32 subsets
/// occupied  1 1 0 0 0 0 1 1
/// gathered    1 0   0 0 1        read from the high end: 10001
/// ```
///
/// **Formula.** `attacks[offset[square] + pext(occupied, relevant[square])]`.
///
/// **Cost.** Five to twelve rounds of five operations, one load of 64 bits; tables of 861,184 bytes
/// of attacks and 2,048 of slots, the same as those of the technique with the instruction. **When
/// it wins.** As the oracle for the instruction. **When it loses.** Against every magic, which needs one
/// multiplication where this loops.
///
/// # Source
/// The instruction is Intel's (BMI2, 2013), the loop is folklore; Isenberg 2008, "Perfect Hashing", describes
/// the relevant occupancies and their number.
#[derive(Copy, Clone, Debug)]
pub struct PextEmulated(());

#[inline]
fn look_up<const N: usize>(table: &Table<u64, N>, square: Square, occupied: Bitboard) -> Bitboard {
    let slot = table.slot(square);
    Bitboard(table.entries()[slot.offset + extract(occupied.0, slot.relevant) as usize])
}

impl Sliders for PextEmulated {
    const TECHNIQUE: Technique = Technique {
        name: "PEXT emulated",
        author: "folklore",
        source: "Isenberg 2008, \"Perfect Hashing\"",
        table_bytes: size_of_val(&ROOK) + size_of_val(&BISHOP),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(&ROOK, square, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(&BISHOP, square, occupied)
    }
}
