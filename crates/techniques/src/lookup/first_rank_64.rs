//! First-rank attacks, by the six inner bits of the rank.

use super::line_tables::{A_FILE, ANTI_DIAGONAL, B_FILE, C2_H7, DIAGONAL, MAIN_DIAGONAL};
use crate::{Hyperbola, Sliders, Technique};
use halfmove_bitboard::{Bitboard, File, Square};

/// Every line brought to the first rank and looked up among 64 occupancies.
///
/// **Idea.** A slider attacks the outer squares of its line whether or not a piece stands there,
/// because nothing is behind them. So the six inner bits of [`FirstRank256`](super::FirstRank256)'s byte
/// suffice as the index, and the table is 512 bytes. With the b-file in place of the a-file as the
/// factor, the six bits come out at the top of the product, and one shift brings them down.
///
/// ```
/// use halfmove_bitboard::File;
/// use halfmove_techniques::lookup::FirstRank64;
///
/// // Read from left to right, a to h; on a board the a-file is the lowest bit.
/// let rank = |text: u8| text.reverse_bits();
/// let attacked = rank(0b0111_0110);
/// assert_eq!(FirstRank64::first_rank(rank(0b0100_1010), File::E), attacked);
/// // With pieces on a and h too: they change nothing.
/// assert_eq!(FirstRank64::first_rank(rank(0b1100_1011), File::E), attacked);
/// ```
///
/// **Formula.** Rank: `table[occupied >> 8·rank >> 1 & 63][file] << 8·rank`. Diagonal:
/// `table[(occupied & line) · b_file >> 58][file] · a_file & line`. File:
/// `(table[(occupied >> file & a_file) · c2_h7 >> 58][7 - rank] · a1_h8 & h_file) >> (7 - file)`.
///
/// **Cost.** One byte load for each line, and two multiplications for each but the rank; 512 bytes of table,
/// which is eight cache lines, and 1,024 of diagonals. **When it wins.** Where cache is scarcer than
/// multiplications. **When it loses.** Against [`Hyperbola`](crate::Hyperbola), which reads such a table for
/// ranks and finds the other lines without multiplying and without transforming the result back.
///
/// # Source
/// Isenberg 2008, "The Outer Squares", "Other ranks", and "Kindergarten Multiplication".
#[derive(Copy, Clone, Debug)]
pub struct FirstRank64(());

/// Attacks along the first rank, by the occupancy of the six inner squares and the slider's file.
pub(crate) static FIRST_RANK: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let mut file = 0;
        while file < 8 {
            let occupied = Bitboard((inner as u64) << 1);
            table[inner][file] = Hyperbola::rook_attacks(Square::ALL[file], occupied).0 as u8;
            file += 1;
        }
        inner += 1;
    }
    table
};

impl FirstRank64 {
    /// The squares a rook attacks on a board of one rank; the lowest bit is the a-file.
    #[inline]
    pub fn first_rank(occupied: u8, file: File) -> u8 {
        FIRST_RANK[(occupied >> 1 & 63) as usize][file.index()]
    }
}

#[inline]
fn diagonal(line: u64, file: usize, occupied: u64) -> u64 {
    let inner = ((occupied & line).wrapping_mul(B_FILE) >> 58) as usize;
    (FIRST_RANK[inner][file] as u64).wrapping_mul(A_FILE) & line
}

impl Sliders for FirstRank64 {
    const TECHNIQUE: Technique = Technique {
        name: "first rank, 64 x 8",
        author: "folklore",
        source: "Isenberg 2008, \"The Outer Squares\"",
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
        let on_rank = FIRST_RANK[(occupied.0 >> (rank * 8) >> 1) as usize & 63][file];
        let turned = (occupied.0 >> file & A_FILE).wrapping_mul(C2_H7) >> 58;
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
