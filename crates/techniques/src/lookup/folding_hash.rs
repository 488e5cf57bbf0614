//! Folding hash: 32 bits of a folded line, a 32-bit factor, one table for all lines.

mod factors;

use super::line_tables::{along, both_ways};
use crate::{Sliders, Technique, relevant};
use factors::{ENTRIES, FACTORS};
use halfmove_bitboard::{Bitboard, Square};

/// A small magic for each line instead of a big one for each piece.
///
/// **Idea.** The magic of a rook has to keep up to 49 attack sets of 4,096 occupancies apart. For one
/// line there are at most 12 sets of 32 occupancies, or 7 of 64. So little can be handled by 32-bit
/// factors: fold the two halves of the masked board over each other, the lower one times three so that the
/// files of both halves do not meet, and multiply. Occupancies with the same attacks may share a slot,
/// and other lines use the slots that a line leaves free.
///
/// ```text
/// apart, one slot for each occupancy    6,784 entries
/// the published factors                 5,956
/// these factors                         5,288, of which 4,558 are filled
/// different attack sets                 1,712
/// ```
///
/// **Formula.** With `o = occupied & inner`: `table[offset + ((high(o) ^ 3 · low(o)) · factor >> 32 -
/// bits)]`, combined over the lines. `inner`, `factor`, `bits` and `offset` depend on square and line.
///
/// **Cost.** Two short multiplications and one load of 64 bits per line; a table of 42,304 bytes, and 4,096
/// of masks, factors and offsets. **When it wins.** On machines that have 32-bit words or multiply them
/// faster, as GPUs do. **When it loses.** Elsewhere, against kindergarten, which needs no fold and loads no
/// factor.
///
/// # Source
/// Daniel Inführ (Gigantua), 2022, `FoldingHash` in the collection *Chess_Movegen*. The fold is his;
/// factors and table are our own: `examples/folding_factors.rs` finds them again.
#[derive(Copy, Clone, Debug)]
pub struct FoldingHash(());

/// The constants that the look-up of one line reads.
#[derive(Copy, Clone)]
struct Line {
    inner: u64,
    factor: u32,
    offset: u16,
    shift: u8,
}

/// By square: rank, file, diagonal, anti-diagonal.
static LINES: [[Line; 4]; 64] = {
    let mut lines = [[Line { inner: 0, factor: 0, offset: 0, shift: 0 }; 4]; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let mut kind = 0;
        while kind < 4 {
            let matters = if kind < 2 { relevant::rook(square) } else { relevant::bishop(square) };
            let (factor, bits, offset) = FACTORS[i][kind];
            let inner = both_ways(square, DELTAS[kind]) & matters.0;
            lines[i][kind] = Line { inner, factor, offset, shift: 32 - bits as u8 };
            kind += 1;
        }
        i += 1;
    }
    lines
};

const DELTAS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

static ATTACKS: [u64; ENTRIES] = {
    // This cannot be a set of attacks: it has the slider's own square.
    const FREE: u64 = !0;
    let mut table = [FREE; ENTRIES];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let mut kind = 0;
        while kind < 4 {
            let whole = both_ways(square, DELTAS[kind]);
            let line = &LINES[i][kind];
            let mut subset = 0_u64;
            loop {
                let attacked = along(square, DELTAS[kind], whole, subset);
                let entry = &mut table[slot(line, subset)];
                assert!(*entry == FREE || *entry == attacked, "two attack sets in one slot");
                *entry = attacked;
                subset = subset.wrapping_sub(line.inner) & line.inner;
                if subset == 0 {
                    break;
                }
            }
            kind += 1;
        }
        i += 1;
    }
    table
};

#[inline]
const fn slot(line: &Line, occupied: u64) -> usize {
    let looked_at = occupied & line.inner;
    let folded = (looked_at >> 32) as u32 ^ (looked_at as u32).wrapping_mul(3);
    line.offset as usize + (folded.wrapping_mul(line.factor) as u64 >> line.shift) as usize
}

#[inline]
fn lookup(square: Square, kind: usize, occupied: Bitboard) -> u64 {
    ATTACKS[slot(&LINES[square.index()][kind], occupied.0)]
}

impl Sliders for FoldingHash {
    const TECHNIQUE: Technique = Technique {
        name: "folding hash",
        author: "Daniel Inführ, 2022",
        source: "Chess Movegen, \"FoldingHash\"",
        table_bytes: size_of_val(&ATTACKS) + size_of_val(&LINES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(lookup(square, 0, occupied) | lookup(square, 1, occupied))
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(lookup(square, 2, occupied) | lookup(square, 3, occupied))
    }
}
