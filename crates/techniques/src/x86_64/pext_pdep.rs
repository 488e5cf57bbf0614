//! PEXT to sixteen bits, and PDEP to spread them out again.

use super::has_bmi2;
use crate::lookup::subsets::{BISHOP, ROOK, Table};
use crate::{Sliders, Technique};
use halfmove_bitboard::attacks::empty_board;
use halfmove_bitboard::{Bitboard, Square};
use std::arch::x86_64::{_pdep_u64, _pext_u64};

/// PEXT with a quarter of the table: entries of sixteen bits, spread out by PDEP.
///
/// **Idea.** A rook attacks at most 14 squares and a bishop 13, and all of them are among those it
/// attacks on an empty board. So an entry is sixteen bits, one for each of those squares; PDEP puts
/// them back.
///
/// ```text
/// a rook on d4, pieces on b4 and d6; on an empty board it attacks fourteen squares, lowest index first:
/// d1 d2 d3 a4 b4 c4 e4 f4 g4 h4 d5 d6 d7 d8
///  1  1  1  0  1  1  1  1  1  1  1  1  0  0      the entry, lowest bit first
/// ```
///
/// **Formula.** `pdep(attacks[offset + pext(occupied, relevant)], empty_board[square])`.
///
/// **Cost.** Three loads, PEXT, a load of sixteen bits, PDEP; tables of 215,296 bytes of entries and
/// 3,072 of slots. **Instructions needed.** BMI2. **When it wins.** Where the 841 KiB of
/// [`Pext`](halfmove_bitboard::sliders::Pext) would push other data out of the second-level cache. **When it loses.** Where
/// nothing else needs the cache: PDEP is an extra cost.
///
/// # Source
/// Engines, including Stockfish in 2026; spreading by PDEP has been folklore since 2013.
#[derive(Copy, Clone, Debug)]
pub struct PextPdep(());

/// By square: the attacks of a rook on an empty board.
static ROOK_EMPTY: [u64; 64] = on_an_empty_board(true);
/// By square: the attacks of a bishop on an empty board.
static BISHOP_EMPTY: [u64; 64] = on_an_empty_board(false);
static NARROW_ROOK: Table<u16, 102_400> = ROOK.narrowed(&ROOK_EMPTY);
static NARROW_BISHOP: Table<u16, 5_248> = BISHOP.narrowed(&BISHOP_EMPTY);

const fn on_an_empty_board(rook: bool) -> [u64; 64] {
    let mut attacks = [0; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        attacks[i] = if rook { empty_board::rook(square).0 } else { empty_board::bishop(square).0 };
        i += 1;
    }
    attacks
}

#[inline]
#[target_feature(enable = "bmi2")]
fn look_up<const N: usize>(
    table: &Table<u16, N>,
    empty_board: &[u64; 64],
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    let slot = table.slot(square);
    let index = slot.offset + _pext_u64(occupied.0, slot.relevant) as usize;
    // SAFETY: slot and entries belong to one table, which has an entry for each number that can be
    // gathered from a square's relevant squares.
    let entry = unsafe { *table.entries().get_unchecked(index) };
    Bitboard(_pdep_u64(u64::from(entry), empty_board[square.index()]))
}

impl Sliders for PextPdep {
    const TECHNIQUE: Technique = Technique {
        name: "PEXT to 16 bits, PDEP",
        author: "folklore, 2013",
        source: "Intel 64 manual, BMI2",
        table_bytes: size_of_val(&NARROW_ROOK)
            + size_of_val(&NARROW_BISHOP)
            + size_of_val(&ROOK_EMPTY)
            + size_of_val(&BISHOP_EMPTY),
        instructions: "BMI2",
    };

    fn new() -> Option<Self> {
        has_bmi2().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { look_up(&NARROW_ROOK, &ROOK_EMPTY, square, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { look_up(&NARROW_BISHOP, &BISHOP_EMPTY, square, occupied) }
    }
}
