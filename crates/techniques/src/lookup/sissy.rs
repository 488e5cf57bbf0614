//! SISSY: intersect, rank by rank, the squares that could be attacked.

use crate::{Hyperbola, Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Split index, superset yielding: eight look-ups by the eight bytes of the occupancy.
///
/// **Idea.** Look at one rank of the board as if the others were empty. What the queen would attack then
/// is a superset of what it attacks. A square on its lines that it does not attack is behind some piece,
/// and the superset of that piece's rank lacks it. So the intersection of all eight is the attack set.
/// Nothing is masked or multiplied: each byte of the occupancy is an index.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Rank, Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::Sissy};
///
/// let technique = Sissy::new().expect("needs nothing");
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . . . 1 . .
///     . 1 . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
/// };
/// let of_rank = |rank| technique.queen(Square::D4, occupied & Bitboard::rank(rank));
/// assert_eq!(of_rank(Rank::Fifth), bitboard! {
///     . . . 1 . . . 1
///     . . . 1 . . 1 .
///     . . . 1 . 1 . .
///     . . 1 1 1 . . .
///     1 1 1 . 1 1 1 1
///     . . 1 1 1 . . .
///     . 1 . 1 . 1 . .
///     1 . . 1 . . 1 .
/// });
/// let all = Rank::ALL.into_iter().fold(Bitboard::FULL, |set, rank| set & of_rank(rank));
/// assert_eq!(all, technique.queen(Square::D4, occupied));
/// ```
///
/// **Formula.** The intersection of `table[rank][square][occupied >> 8·rank & 255]` over the ranks.
///
/// **Cost.** Eight loads of 64 bits and seven intersections for a queen; a mask cuts rooks and bishops
/// out of that. A table of 1,048,576 bytes and 1,024 of masks. **When it wins.** Where 64-bit
/// multiplication is slow, and for queens: eight rays for the price of one. **When it loses.** For a rook
/// or a bishop, and whenever the loads miss: they touch eight cache lines.
///
/// # Source
/// Michael Sherwin, 2020, *SISSY Bitboards*, chessprogramming.org.
#[derive(Copy, Clone, Debug)]
pub struct Sissy(());

/// The attacks of a rook and of a bishop on the empty board.
static LINES: [(u64, u64); 64] = {
    let mut lines = [(0, 0); 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        lines[i] = (
            Hyperbola::rook_attacks(square, Bitboard::EMPTY).0,
            Hyperbola::bishop_attacks(square, Bitboard::EMPTY).0,
        );
        i += 1;
    }
    lines
};

/// The attacks of a queen, by the rank in question, its square, and the rank's occupancy.
#[allow(long_running_const_eval, reason = "131,072 entries")]
static QUEEN: [[[u64; 256]; 64]; 8] = {
    let mut table = [[[0; 256]; 64]; 8];
    let mut rank = 0;
    while rank < 8 {
        let mut i = 0;
        while i < 64 {
            fill(&mut table[rank][i], Square::ALL[i], rank * 8);
            i += 1;
        }
        rank += 1;
    }
    table
};

/// Computes the entries whose pieces all stand on its lines; every other entry equals one of those.
const fn fill(entries: &mut [u64; 256], square: Square, shift: usize) {
    let lines = ((LINES[square.index()].0 | LINES[square.index()].1) >> shift & 255) as usize;
    let mut index = 0;
    while index < 256 {
        entries[index] = if index & lines == index {
            let occupied = Bitboard((index as u64) << shift);
            Hyperbola::rook_attacks(square, occupied).0
                | Hyperbola::bishop_attacks(square, occupied).0
        } else {
            entries[index & lines]
        };
        index += 1;
    }
}

#[inline]
fn queen(square: Square, occupied: Bitboard) -> u64 {
    let bytes = occupied.0.to_le_bytes();
    (0..8).fold(!0, |set, rank| set & QUEEN[rank][square.index()][bytes[rank] as usize])
}

impl Sliders for Sissy {
    const TECHNIQUE: Technique = Technique {
        name: "SISSY",
        author: "Michael Sherwin, 2020",
        source: "chessprogramming.org, \"SISSY Bitboards\"",
        table_bytes: size_of_val(&QUEEN) + size_of_val(&LINES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(queen(square, occupied) & LINES[square.index()].0)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(queen(square, occupied) & LINES[square.index()].1)
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(queen(square, occupied))
    }
}
