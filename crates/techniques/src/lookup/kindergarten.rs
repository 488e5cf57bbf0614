//! Kindergarten: multiply the masked line, look up, mask again.

use super::first_rank_64::FIRST_RANK;
use super::line_tables::{A_FILE, ANTI_DIAGONAL, B_FILE, C2_H7, DIAGONAL, Order, by_six_bits};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Kindergarten bitboards: one multiplication per line, and tables that ranks and diagonals share.
///
/// **Idea.** A masked diagonal has at most one piece on each file. Its product with the b-file adds copies
/// that never meet, so the six inner pieces lie side by side at the top: the index. The table holds the
/// attacks on the first rank *eight times over*, once in each rank, so that the mask of the line, applied
/// once more, picks the attacks of that line. Hence the name: cut out a mask, lay copies side by side,
/// look it up, cut out again.
///
/// A bishop on d4, with pieces on b2, c3, e5 and g7 of its diagonal. The source calls the files `A` to
/// `H`; the product's top six bits are `B C . E F G`:
///
/// ```
/// use halfmove_bitboard::{Bitboard, File, Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::Kindergarten};
///
/// let masked_line = bitboard! {
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . 1 . . . . . .
///     . . . . . . . .
/// };
/// let product = Bitboard(masked_line.0.wrapping_mul(Bitboard::file(File::B).0));
/// assert_eq!(product, bitboard! {
///     . . 1 1 . 1 . 1
///     . . 1 1 . 1 . 1
///     . . 1 1 . 1 . .
///     . . 1 1 . 1 . .
///     . . 1 1 . . . .
///     . . 1 1 . . . .
///     . . 1 . . . . .
///     . . . . . . . .
/// });
/// // In a number the b-file is the lowest bit: G F E D C B.
/// assert_eq!(product.0 >> 58, 0b10_1011);
///
/// let technique = Kindergarten::new().expect("needs nothing");
/// assert_eq!(technique.bishop(Square::D4, masked_line), bitboard! {
///     . . . . . . . .
///     1 . . . . . . .
///     . 1 . . . . . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . . . . . 1 . .
///     . . . . . . 1 .
/// });
/// ```
///
/// **Formula.** `table[file][(occupied & line) · b_file >> 58] & line`; on files
/// `file_table[rank][(occupied >> file & a_file) · c2_h7 >> 58] << file`.
///
/// **Cost.** Four operations, one multiplication, and one load of 64 bits per line; two tables of 4,096
/// bytes, and 1,024 bytes of diagonals. Ranks are indexed by a shift: their six bits lie side by side
/// already. **When it wins.** Where multiplication is fast and cache is scarce: the tables are a hundredth
/// of those of magics. **When it loses.** Against magics, which take two lines by one product.
///
/// # Source
/// Isenberg 2008, "Kindergarten Bitboards"; developed by Gerd Isenberg, Michael Sherwin, Steffan
/// Westcott and others in 2006.
#[derive(Copy, Clone, Debug)]
pub struct Kindergarten(());

/// First-rank attacks by file and inner occupancy, a copy in each rank.
static FILL_UP: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[file][inner] = FIRST_RANK[inner][file] as u64 * A_FILE;
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Attacks on the a-file by rank and inner occupancy; the lowest bit of the index is a7.
static A_FILE_ATTACKS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let by_square = by_six_bits((0, 1), Order::RankFromTop);
    let mut rank = 0;
    while rank < 8 {
        table[rank] = by_square[rank * 8];
        rank += 1;
    }
    table
};

#[inline]
fn diagonal(line: u64, file: usize, occupied: u64) -> u64 {
    let inner = ((occupied & line).wrapping_mul(B_FILE) >> 58) as usize;
    FILL_UP[file][inner] & line
}

impl Sliders for Kindergarten {
    const TECHNIQUE: Technique = Technique {
        name: "kindergarten",
        author: "Gerd Isenberg, Michael Sherwin, Steffan Westcott, 2006",
        source: "Isenberg 2008, \"Kindergarten Bitboards\"",
        table_bytes: size_of_val(&FILL_UP)
            + size_of_val(&A_FILE_ATTACKS)
            + size_of_val(&DIAGONAL)
            + size_of_val(&ANTI_DIAGONAL),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (file, rank) = (square.index() & 7, square.index() >> 3);
        let inner = (occupied.0 >> (rank * 8) >> 1) as usize & 63;
        let on_rank = FILL_UP[file][inner] & 0xff << (rank * 8);
        let turned = (occupied.0 >> file & A_FILE).wrapping_mul(C2_H7) >> 58;
        Bitboard(on_rank | A_FILE_ATTACKS[rank][turned as usize] << file)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let file = square.index() & 7;
        Bitboard(
            diagonal(DIAGONAL[square.index()], file, occupied.0)
                | diagonal(ANTI_DIAGONAL[square.index()], file, occupied.0),
        )
    }
}
