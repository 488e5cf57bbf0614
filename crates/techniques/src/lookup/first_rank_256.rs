//! First-rank attacks, by all eight bits of the rank.

use super::first_rank_64;
use super::line_tables::{A_FILE, ANTI_DIAGONAL, DIAGONAL, MAIN_DIAGONAL};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, File, Square};

/// Every line brought to the first rank and looked up among 256 occupancies.
///
/// **Idea.** One rank is one byte, and what a rook attacks on it is one byte. So a table of 256 × 8 bytes
/// serves every rank, after a shift. The other lines are brought to the first rank: a diagonal has at most one
/// piece on each file, so its product with the a-file gathers them in the eighth rank; a file is turned by a
/// product with the long diagonal. The attacks go back the same way.
///
/// ```
/// use halfmove_bitboard::File;
/// use halfmove_techniques::lookup::FirstRank256;
///
/// // Read from left to right, a to h, pieces on b, e and g; the rook stands on e.
/// let occupied: u8 = 0b0100_1010;
/// let attacked: u8 = 0b0111_0110;
/// // In a byte of a board the a-file is the lowest bit.
/// let found = FirstRank256::first_rank(occupied.reverse_bits(), File::E);
/// assert_eq!(found, attacked.reverse_bits());
/// ```
///
/// A file goes to the first rank and back; here the e-file, with pieces on e2 and e7 and a rook on e4:
///
/// ```
/// use halfmove_bitboard::{Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::FirstRank256};
///
/// let technique = FirstRank256::new().expect("needs nothing");
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . . . . .
/// };
/// assert_eq!(technique.rook(Square::E4, occupied), bitboard! {
///     . . . . . . . .
///     . . . . 1 . . .
///     . . . . 1 . . .
///     . . . . 1 . . .
///     1 1 1 1 . 1 1 1
///     . . . . 1 . . .
///     . . . . 1 . . .
///     . . . . . . . .
/// });
/// ```
///
/// **Formula.** Rank: `table[occupied >> 8·rank & 255][file] << 8·rank`. Diagonal:
/// `table[(occupied & line) · a_file >> 56][file] · a_file & line`. File:
/// `(table[(occupied >> file & a_file) · a1_h8 >> 56][7 - rank] · a1_h8 & h_file) >> (7 - file)`.
///
/// **Cost.** One byte load for each line, and two multiplications for each but the rank; 2,048 bytes of table
/// and 1,024 of diagonals. **When it wins.** As an introduction: it is the simplest of the look-ups, in 3 KiB.
/// **When it loses.** In size against [`FirstRank64`](super::FirstRank64), which has a quarter of the table; in
/// speed against [`Kindergarten`](super::Kindergarten), which need not transform the result back.
///
/// # Source
/// Isenberg 2008, "Rook Attacks on the first Rank", "One Byte Only", and "Kindergarten
/// Multiplication".
#[derive(Copy, Clone, Debug)]
pub struct FirstRank256(());

static FIRST_RANK: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let mut file = 0;
        while file < 8 {
            table[occupied][file] = first_rank_64::FIRST_RANK[occupied >> 1 & 63][file];
            file += 1;
        }
        occupied += 1;
    }
    table
};

impl FirstRank256 {
    /// The squares a rook attacks on a board of one rank; the lowest bit is the a-file.
    #[inline]
    pub fn first_rank(occupied: u8, file: File) -> u8 {
        FIRST_RANK[occupied as usize][file.index()]
    }
}

#[inline]
fn diagonal(line: u64, file: usize, occupied: u64) -> u64 {
    let gathered = ((occupied & line).wrapping_mul(A_FILE) >> 56) as usize;
    (FIRST_RANK[gathered][file] as u64).wrapping_mul(A_FILE) & line
}

impl Sliders for FirstRank256 {
    const TECHNIQUE: Technique = Technique {
        name: "first rank, 256 x 8",
        author: "folklore",
        source: "Isenberg 2008, \"Rook Attacks on the first Rank\"",
        table_bytes: size_of_val(&FIRST_RANK)
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
        let on_rank = FIRST_RANK[(occupied.0 >> (rank * 8)) as usize & 255][file];
        let turned = (occupied.0 >> file & A_FILE).wrapping_mul(MAIN_DIAGONAL) >> 56;
        let on_file = FIRST_RANK[turned as usize][7 - rank] as u64;
        let h_file = on_file.wrapping_mul(MAIN_DIAGONAL) & A_FILE << 7;
        Bitboard((on_rank as u64) << (rank * 8) | h_file >> (7 - file))
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
