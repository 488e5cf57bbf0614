//! Hyperbola quintessence: subtract, mirror, subtract again.

use super::ray_walk::ray;
use super::{Sliders, Technique};
use crate::{Bitboard, Square};

/// Hyperbola quintessence, with a byte swap as the mirror and a small table for ranks.
///
/// **Idea.** Let `s` be the slider's bit and `o` the other pieces on its line. `o - s` borrows through
/// the empty squares above the slider up to and including the first piece, so `o ^ (o - s)` is the
/// upward half of the attacks. The downward half is the same subtraction on the mirrored line.
/// A byte swap mirrors files and diagonals, which have at most one square on each rank. It leaves ranks as
/// they are, so those come from a table, by six inner bits and eight files.
///
/// ```text
/// o             0 1 0 0 . 0 1 0      the slider at the dot, pieces left and right of it
/// s             0 0 0 0 1 0 0 0
/// o - s         0 0 1 1 1 0 1 0      the borrow runs left to the piece and clears it
/// o ^ (o - s)   0 1 1 1 1 0 0 0      so the difference is the attack set to the left
/// ```
///
/// **Formula.** `((o & line) - s) ^ swap(swap(o & line) - swap(s))`, cut to `line`.
///
/// **Cost.** Three lines of about ten operations, one byte load for the rank; tables of 1,536 bytes
/// of lines and 512 of ranks. **When it wins.** Where latency and cache matter: it has the shortest
/// dependent chain of all techniques with tables, and hardly uses the cache. Any CPU can run
/// it. **When it loses.** In throughput, against PEXT on a CPU that has it.
///
/// # Source
/// Gerd Isenberg, *Sliding piece attacks* (2008), sections "Subtracting a rook from a blocking
/// piece" and "Hyperbola quintessence"; the name and the double subtraction are Aleks Peshkov's.
#[derive(Copy, Clone, Debug)]
pub struct Hyperbola(());

/// File, diagonal and anti-diagonal of a square, without the square.
struct Lines {
    file: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

static LINES: [Lines; 64] = {
    const NONE: Lines = Lines { file: 0, diagonal: 0, anti_diagonal: 0 };
    let mut lines = [NONE; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        lines[i] = Lines {
            file: both_ways(square, (0, 1)),
            diagonal: both_ways(square, (1, 1)),
            anti_diagonal: both_ways(square, (-1, 1)),
        };
        i += 1;
    }
    lines
};

/// Attacks along the first rank, by the occupancy of the six inner squares and the slider's file. The
/// outer squares are irrelevant: a slider attacks them with or without a piece there.
static FIRST_RANK: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let occupied = Bitboard((inner as u64) << 1);
        let mut file = 0;
        while file < 8 {
            let square = Square::ALL[file];
            table[inner][file] =
                (ray(square, (1, 0), occupied).0 | ray(square, (-1, 0), occupied).0) as u8;
            file += 1;
        }
        inner += 1;
    }
    table
};

const fn both_ways(square: Square, (files, ranks): (i8, i8)) -> u64 {
    ray(square, (files, ranks), Bitboard::EMPTY).0
        | ray(square, (-files, -ranks), Bitboard::EMPTY).0
}

#[inline]
const fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let upward = occupied & line;
    let downward = upward.swap_bytes();
    (upward.wrapping_sub(slider) ^ downward.wrapping_sub(slider.swap_bytes()).swap_bytes()) & line
}

impl Hyperbola {
    /// The technique, which every CPU can run.
    pub(crate) const ALWAYS: Self = Self(());

    /// The squares a rook attacks, as a constant expression: tables of attacks are made with it.
    ///
    /// ```
    /// use halfmove_bitboard::{Bitboard, Square, sliders::Hyperbola};
    /// const ON_AN_EMPTY_BOARD: Bitboard = Hyperbola::rook_attacks(Square::A1, Bitboard::EMPTY);
    /// assert_eq!(ON_AN_EMPTY_BOARD.len(), 14);
    /// ```
    #[inline]
    pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        let rank_shift = square as u32 & 56;
        let inner = (occupied.0 >> rank_shift >> 1 & 63) as usize;
        let rank = (FIRST_RANK[inner][square.index() & 7] as u64) << rank_shift;
        Bitboard(rank | along(LINES[square.index()].file, Bitboard::square(square).0, occupied.0))
    }

    /// The squares a bishop attacks, as a constant expression.
    #[inline]
    pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[square.index()];
        let slider = Bitboard::square(square).0;
        Bitboard(
            along(lines.diagonal, slider, occupied.0)
                | along(lines.anti_diagonal, slider, occupied.0),
        )
    }
}

impl Sliders for Hyperbola {
    const TECHNIQUE: Technique = Technique {
        name: "hyperbola quintessence",
        author: "Aleks Peshkov, 2007",
        source: "Isenberg 2008, \"Hyperbola quintessence\"",
        table_bytes: size_of_val(&LINES) + size_of_val(&FIRST_RANK),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self::ALWAYS)
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::rook_attacks(square, occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::bishop_attacks(square, occupied)
    }
}
