//! Congruent modulo by the six inner squares: remainders by 85, 65 and 73.

use super::first_rank_64::FIRST_RANK;
use super::line_tables::{along, both_ways};
use crate::{Sliders, Technique, relevant};
use halfmove_bitboard::{Bitboard, Square};

/// The smallest moduli that distinguish the inner pieces of a line.
///
/// **Idea.** The outer squares are irrelevant, so at most six squares of a line need to be distinguished,
/// and 64 remainders would be enough. These come close. Each is the smallest modulus that is one-to-one on
/// all lines of its kind, wherever they lie on the board (a test tries all smaller ones):
///
/// - diagonals, 85: a step is 9 bits, and 512 ≡ 2, because 85 divides 255. The pieces count 1, 2, 4, 8,
///   16, 32 times the lowest;
/// - anti-diagonals, 65: a step is 7 bits, and 128 ≡ −2. The pieces count 1, −2, 4, −8, 16, −32;
/// - files, 73: a step is 8 bits, and 256 ≡ ½, because 512 = 7 · 73 + 1. The pieces count 32, 16, 8, 4,
///   2, 1 times the highest.
///
/// The line's place on the board brings in a factor that is a power of two. The moduli are odd, so it only
/// permutes the remainders, and no shift is needed first.
///
/// ```
/// // The six inner squares of the diagonal a1-h8, and of the anti-diagonal h1-a8.
/// let diagonal = [9, 18, 27, 36, 45, 54].map(|bit| (1_u64 << bit) % 85);
/// assert_eq!(diagonal, [2, 4, 8, 16, 32, 64]);
/// let anti_diagonal = [14, 21, 28, 35, 42, 49].map(|bit| (1_u64 << bit) % 65);
/// assert_eq!(anti_diagonal, [4, 65 - 8, 16, 65 - 32, 64, 2]);
/// let file = [8, 16, 24, 32, 40, 48].map(|bit| (1_u64 << bit) % 73);
/// assert_eq!(file, [37, 55, 64, 32, 16, 8]);
/// ```
///
/// **Formula.** `table[square][(occupied & inner) % 85]`, and so with 65 and 73.
///
/// **Cost.** A remainder by a constant and one load of 64 bits per line; tables of 42.5, 32.5 and 36.5 KiB
/// instead of the 257, 128.5 and 129 of the form with all eight squares, 512 bytes for ranks, and 1,536 of
/// inner lines. **When it wins.** Against [`CongruentModulo`](super::CongruentModulo), with a fifth of its
/// tables and the same arithmetic. **When it loses.** Against kindergarten super SISSY, whose index takes
/// one multiplication; this one takes two.
///
/// # Source
/// The remark in Isenberg 2008, "Congruent Modulo Bitboards", that Fenner and Levene "didn't
/// consider the inner six bits for a denser lookup". The moduli were found by trying all of them.
#[derive(Copy, Clone, Debug)]
pub struct CongruentModuloInner(());

/// The moduli of diagonals, anti-diagonals and files.
const MODULI: (usize, usize, usize) = (85, 65, 73);

/// The relevant squares of one line.
struct Inner {
    diagonal: u64,
    anti_diagonal: u64,
    file: u64,
}

static INNER: [Inner; 64] = {
    let mut inner = [const { Inner { diagonal: 0, anti_diagonal: 0, file: 0 } }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        inner[i] = Inner {
            diagonal: inner_of(square, (1, 1)),
            anti_diagonal: inner_of(square, (-1, 1)),
            file: inner_of(square, (0, 1)),
        };
        i += 1;
    }
    inner
};

static DIAGONALS: [[u64; MODULI.0]; 64] = table((1, 1));
static ANTI_DIAGONALS: [[u64; MODULI.1]; 64] = table((-1, 1));
static FILES: [[u64; MODULI.2]; 64] = table((0, 1));

const fn inner_of(square: Square, delta: (i8, i8)) -> u64 {
    let relevant = if delta.0 == 0 { relevant::rook(square) } else { relevant::bishop(square) };
    both_ways(square, delta) & relevant.0
}

/// Attacks along one line by square and remainder.
const fn table<const M: usize>(delta: (i8, i8)) -> [[u64; M]; 64] {
    let mut table = [[0; M]; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let (line, inner) = (both_ways(square, delta), inner_of(square, delta));
        let mut occupied = 0_u64;
        loop {
            let entry = &mut table[i][(occupied % M as u64) as usize];
            assert!(*entry == 0, "two occupancies in one slot");
            *entry = along(square, delta, line, occupied);
            occupied = occupied.wrapping_sub(inner) & inner;
            if occupied == 0 {
                break;
            }
        }
        i += 1;
    }
    table
}

impl Sliders for CongruentModuloInner {
    const TECHNIQUE: Technique = Technique {
        name: "congruent modulo, inner squares",
        author: "after Trevor Fenner, Mark Levene, 2008",
        source: "Isenberg 2008, \"Congruent Modulo Bitboards\"",
        table_bytes: size_of_val(&DIAGONALS)
            + size_of_val(&ANTI_DIAGONALS)
            + size_of_val(&FILES)
            + size_of_val(&INNER)
            + size_of_val(&FIRST_RANK),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (i, rank_shift) = (square.index(), square.index() & 56);
        let index = (occupied.0 & INNER[i].file) % MODULI.2 as u64;
        let inner = (occupied.0 >> rank_shift >> 1) as usize & 63;
        let on_rank = (FIRST_RANK[inner][i & 7] as u64) << rank_shift;
        Bitboard(FILES[i][index as usize] | on_rank)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let i = square.index();
        let diagonal = (occupied.0 & INNER[i].diagonal) % MODULI.0 as u64;
        let anti_diagonal = (occupied.0 & INNER[i].anti_diagonal) % MODULI.1 as u64;
        Bitboard(DIAGONALS[i][diagonal as usize] | ANTI_DIAGONALS[i][anti_diagonal as usize])
    }
}
