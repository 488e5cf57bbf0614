//! Congruent modulo: the remainder of a masked line is its index.

use super::first_rank_64::FIRST_RANK;
use super::line_tables::{A_FILE, ANTI_DIAGONAL, DIAGONAL, along, both_ways};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Remainders by 514, 257 and 258.
///
/// **Idea.** Modulo the right number, powers of two that lie a step apart stay powers of two, and their
/// sums are all different. On a diagonal the step is 9 bits, and 512 ≡ −2 (mod 514): its pieces count
/// as 1, −2, 4, −8 … On a file the step is 8 bits, and 256 ≡ −2 (mod 258). On an anti-diagonal it
/// is 7 bits, and 128 ≡ −½ (mod 257), because 256 ≡ −1.
///
/// ```
/// // The pieces of the a-file count 1, -2, 4, -8 …: here on a1, a2 and a4.
/// let file = 1_u64 | 1 << 8 | 1 << 24;
/// assert_eq!(file % 258, (258 + 1 - 2 - 8) % 258);
/// // The modulus is even, so other files have fewer remainders and are brought to the a-file first.
/// let on_b = |ranks: [u64; 8]| ranks.iter().rev().fold(0, |file, piece| file << 8 | piece << 1);
/// let (one, other) = ([1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]);
/// assert_ne!(on_b(one), on_b(other));
/// # let mut remainders: Vec<u64> = (0..256_u64)
/// #     .map(|pieces| on_b(core::array::from_fn(|rank| pieces >> rank & 1)) % 258)
/// #     .collect();
/// # remainders.sort_unstable();
/// # remainders.dedup();
/// assert_eq!(remainders.len(), 129, "of the 256 occupancies of the b-file");
/// ```
///
/// **Formula.** `table[square][(occupied & diagonal) % 514]`, likewise the anti-diagonal with 257,
/// and `(occupied >> file & a_file) % 258`. Ranks are looked up as bytes.
///
/// **Cost.** A remainder by a constant is two multiplications and a subtraction; then one load of 64
/// bits. Tables of 257 KiB, 128.5 KiB and 129 KiB, most of whose entries are never read, 512 bytes for
/// ranks, 1,024 of diagonals. **When it wins.** As an explanation: it is a perfect hash that needs no
/// search. **When it loses.** Against kindergarten, in every respect.
///
/// # Source
/// Trevor Fenner and Mark Levene, *Move Generation with Perfect Hashing Functions*, ICGA Journal
/// 31/1 (2008); Isenberg 2008, "Congruent Modulo Bitboards". Its listing takes the remainder of every
/// file in place; that is one-to-one only on the a-file, as the example shows.
#[derive(Copy, Clone, Debug)]
pub struct CongruentModulo(());

/// The moduli of diagonals, anti-diagonals and files.
const MODULI: (usize, usize, usize) = (514, 257, 258);

static DIAGONALS: [[u64; MODULI.0]; 64] = table((1, 1));
static ANTI_DIAGONALS: [[u64; MODULI.1]; 64] = table((-1, 1));
static FILES: [[u64; MODULI.2]; 64] = table((0, 1));

/// Attacks along one line by square and remainder. Remainders that do not occur have no entry.
const fn table<const M: usize>(delta: (i8, i8)) -> [[u64; M]; 64] {
    let mut table = [[0; M]; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        // A file is brought to the a-file together with the slider; diagonals stay, without it.
        let file = delta.0 == 0;
        let shift = if file { i & 7 } else { 0 };
        let line = both_ways(square, delta);
        let looked_at = line | if file { 1 << i } else { 0 };
        let mut occupied = 0_u64;
        loop {
            let attacked = along(square, delta, line, occupied);
            let entry = &mut table[i][((occupied >> shift) % M as u64) as usize];
            assert!(*entry == 0 || *entry == attacked, "two attack sets in one slot");
            *entry = attacked;
            occupied = occupied.wrapping_sub(looked_at) & looked_at;
            if occupied == 0 {
                break;
            }
        }
        i += 1;
    }
    table
}

impl Sliders for CongruentModulo {
    const TECHNIQUE: Technique = Technique {
        name: "congruent modulo",
        author: "Trevor Fenner, Mark Levene, 2008",
        source: "Isenberg 2008, \"Congruent Modulo Bitboards\"",
        table_bytes: size_of_val(&DIAGONALS)
            + size_of_val(&ANTI_DIAGONALS)
            + size_of_val(&FILES)
            + size_of_val(&FIRST_RANK)
            + size_of_val(&DIAGONAL)
            + size_of_val(&ANTI_DIAGONAL),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (file, rank_shift) = (square.index() & 7, square.index() & 56);
        let index = (occupied.0 >> file & A_FILE) % MODULI.2 as u64;
        let inner = (occupied.0 >> rank_shift >> 1) as usize & 63;
        let on_rank = (FIRST_RANK[inner][file] as u64) << rank_shift;
        Bitboard(FILES[square.index()][index as usize] | on_rank)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let i = square.index();
        let diagonal = (occupied.0 & DIAGONAL[i]) % MODULI.0 as u64;
        let anti_diagonal = (occupied.0 & ANTI_DIAGONAL[i]) % MODULI.1 as u64;
        Bitboard(DIAGONALS[i][diagonal as usize] | ANTI_DIAGONALS[i][anti_diagonal as usize])
    }
}
