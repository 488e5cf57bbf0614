//! PEXT to sixteen bits, and PDEP to spread them out again.

use super::detect::BMI2;
use crate::sliders::pext_table::{BISHOP, BISHOP_ATTACKS, ROOK, ROOK_ATTACKS};
use crate::sliders::{Sliders, Technique};
use crate::sliders::{hyperbola, relevant};
use crate::{Bitboard, Square};
use core::arch::x86_64::{_pdep_u64, _pext_u64};

/// A quarter of PEXT's table: what is attacked, counted along the empty board's attacks.
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
/// 3,072 of slots. **Instructions needed.** BMI2. **When it wins.** Where the first table's 841 KiB
/// would push other data out of the second cache. **When it loses.** In a loop of its own, by the
/// three cycles of PDEP.
///
/// # Source
/// Engines, Stockfish in 2026 among them; the idea of spreading by PDEP is folklore of 2013.
#[derive(Copy, Clone, Debug)]
pub struct PextPdep(());

struct Slots {
    relevant: u64,
    empty_board: u64,
    offset: usize,
}

static ROOK_SLOTS: [Slots; 64] = slots(true);
static BISHOP_SLOTS: [Slots; 64] = slots(false);
#[allow(long_running_const_eval, reason = "fourteen bits for each slot")]
static ROOK_ENTRIES: [u16; 102_400] = entries(&ROOK_SLOTS, &ROOK_ATTACKS);
#[allow(long_running_const_eval, reason = "fourteen bits for each slot")]
static BISHOP_ENTRIES: [u16; 5_248] = entries(&BISHOP_SLOTS, &BISHOP_ATTACKS);

const fn slots(rook: bool) -> [Slots; 64] {
    let mut table = [const { Slots { relevant: 0, empty_board: 0, offset: 0 } }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let (relevant, empty_board, offset) = if rook {
            (relevant::rook(square), hyperbola::rook(square, Bitboard::EMPTY), ROOK[i].offset)
        } else {
            (relevant::bishop(square), hyperbola::bishop(square, Bitboard::EMPTY), BISHOP[i].offset)
        };
        table[i] = Slots { relevant: relevant.0, empty_board: empty_board.0, offset };
        i += 1;
    }
    table
}

const fn entries<const N: usize>(slots: &[Slots; 64], attacks: &[u64; N]) -> [u16; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < 64 {
        let (squares, count) = members(slots[i].empty_board);
        let end = if i < 63 { slots[i + 1].offset } else { N };
        let mut slot = slots[i].offset;
        while slot < end {
            let mut bit = 0;
            while bit < count {
                table[slot] |= ((attacks[slot] >> squares[bit] & 1) as u16) << bit;
                bit += 1;
            }
            slot += 1;
        }
        i += 1;
    }
    table
}

/// The squares of a set of at most sixteen, and how many they are.
const fn members(mut set: u64) -> ([u32; 16], usize) {
    let mut squares = [0; 16];
    let mut count = 0;
    while set != 0 {
        squares[count] = set.trailing_zeros();
        count += 1;
        set &= set - 1;
    }
    (squares, count)
}

#[inline]
#[target_feature(enable = "bmi2")]
fn lookup(slots: &Slots, entries: &[u16], occupied: Bitboard) -> Bitboard {
    let index = slots.offset + _pext_u64(occupied.0, slots.relevant) as usize;
    // SAFETY: the table has one slot for each subset of each square's relevant squares, and no
    // gathered index is above the number of subsets less one.
    let entry = unsafe { *entries.get_unchecked(index) };
    Bitboard(_pdep_u64(u64::from(entry), slots.empty_board))
}

impl Sliders for PextPdep {
    const TECHNIQUE: Technique = Technique {
        name: "PEXT to 16 bits, PDEP",
        author: "folklore, 2013",
        source: "Intel 64 manual, BMI2",
        table_bytes: size_of_val(&ROOK_SLOTS)
            + size_of_val(&BISHOP_SLOTS)
            + size_of_val(&ROOK_ENTRIES)
            + size_of_val(&BISHOP_ENTRIES),
        instructions: "BMI2",
    };

    fn new() -> Option<Self> {
        BMI2.are_there().then_some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { lookup(&ROOK_SLOTS[square.index()], &ROOK_ENTRIES, occupied) }
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of BMI2.
        unsafe { lookup(&BISHOP_SLOTS[square.index()], &BISHOP_ENTRIES, occupied) }
    }
}
