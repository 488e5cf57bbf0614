//! PEXT to sixteen bits, and PDEP to spread them out again.

use super::detect::BMI2;
use super::pext::look_up;
use crate::sliders::pext_table::{BISHOP, ROOK, Table};
use crate::sliders::{Sliders, Technique, hyperbola};
use crate::{Bitboard, Square};
use core::arch::x86_64::_pdep_u64;

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
/// [`Pext`](super::Pext) would push other data out of the second-level cache. **When it loses.** Where
/// nothing else needs the cache: PDEP is an extra cost.
///
/// # Source
/// Engines, including Stockfish in 2026; spreading by PDEP has been folklore since 2013.
#[derive(Copy, Clone, Debug)]
pub struct PextPdep(());

/// By square: what a rook attacks on an empty board.
static ROOK_EMPTY: [u64; 64] = empty_board(true);
/// By square: what a bishop attacks on an empty board.
static BISHOP_EMPTY: [u64; 64] = empty_board(false);
static NARROW_ROOK: Table<u16, 102_400> = ROOK.narrowed(&ROOK_EMPTY);
static NARROW_BISHOP: Table<u16, 5_248> = BISHOP.narrowed(&BISHOP_EMPTY);

const fn empty_board(rook: bool) -> [u64; 64] {
    let mut attacks = [0; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        attacks[i] = if rook {
            hyperbola::rook(square, Bitboard::EMPTY).0
        } else {
            hyperbola::bishop(square, Bitboard::EMPTY).0
        };
        i += 1;
    }
    attacks
}

#[inline]
#[target_feature(enable = "bmi2")]
fn spread<const N: usize>(
    table: &Table<u16, N>,
    empty_board: &[u64; 64],
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    let entry = look_up(table, square, occupied);
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
        BMI2.are_there().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { spread(&NARROW_ROOK, &ROOK_EMPTY, square, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { spread(&NARROW_BISHOP, &BISHOP_EMPTY, square, occupied) }
    }
}
