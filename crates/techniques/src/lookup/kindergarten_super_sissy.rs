//! Kindergarten super SISSY: the kindergarten index, and a table for each square and line.

use super::line_tables::{A_FILE, ANTI_DIAGONAL, B_FILE, C2_H7, DIAGONAL, Order, by_six_bits};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Kindergarten multiplications that look up finished attacks.
///
/// **Idea.** In [`Kindergarten`](super::Kindergarten), squares share tables, so the result has to be
/// masked again, or shifted back. With 64 entries for each square and line, the loaded set is the
/// attack set. The name comes from SISSY (*split index, subset yielding*): the index of a queen is
/// split by lines, and each part yields a subset of the attacks.
///
/// ```text
/// occupied of the diagonal · b_file >> 58   B C D E F G   one of 64 entries of this square
/// occupied >> 8·rank >> 1 & 63              B C D E F G
/// (occupied >> file & a_file) · c2_h7 >> 58 7 6 5 4 3 2
/// ```
///
/// **Formula.** The union of `table[line][square][index of the line]` over the lines.
///
/// **Cost.** One multiplication and one load of 64 bits per line; four tables of 32 KiB, and 1,024
/// bytes of diagonals. **When it wins.** Against magics, where the second-level cache is small. **When
/// it loses.** Against kindergarten itself as soon as the first-level cache has other work: two
/// operations per line are saved at the price of fifteen times the tables.
///
/// # Source
/// Michael Sherwin, 2023, as described in the collection of Daniel Inführ (Gigantua),
/// *Chess_Movegen*.
#[derive(Copy, Clone, Debug)]
pub struct KindergartenSuperSissy(());

static RANKS: [[u64; 64]; 64] = by_six_bits((1, 0), Order::File);
static FILES: [[u64; 64]; 64] = by_six_bits((0, 1), Order::RankFromTop);
static DIAGONALS: [[u64; 64]; 64] = by_six_bits((1, 1), Order::File);
static ANTI_DIAGONALS: [[u64; 64]; 64] = by_six_bits((-1, 1), Order::File);

impl Sliders for KindergartenSuperSissy {
    const TECHNIQUE: Technique = Technique {
        name: "kindergarten super SISSY",
        author: "Michael Sherwin, 2023",
        source: "Chess Movegen, \"Kindergarten Super SISSY\"",
        table_bytes: size_of_val(&RANKS)
            + size_of_val(&FILES)
            + size_of_val(&DIAGONALS)
            + size_of_val(&ANTI_DIAGONALS)
            + size_of_val(&DIAGONAL)
            + size_of_val(&ANTI_DIAGONAL),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (i, file) = (square.index(), square.index() & 7);
        let rank_index = (occupied.0 >> (i & 56) >> 1) as usize & 63;
        let file_index = (occupied.0 >> file & A_FILE).wrapping_mul(C2_H7) >> 58;
        Bitboard(RANKS[i][rank_index] | FILES[i][file_index as usize])
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let i = square.index();
        let index = |line: u64| ((occupied.0 & line).wrapping_mul(B_FILE) >> 58) as usize;
        Bitboard(DIAGONALS[i][index(DIAGONAL[i])] | ANTI_DIAGONALS[i][index(ANTI_DIAGONAL[i])])
    }
}
