//! Rotated bitboards: four occupancies, in each of which one kind of line lies side by side.

use super::line_tables::{Order, by_six_bits};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square};

/// Line look-ups in four copies of the occupancy, which are rebuilt for each call.
///
/// **Idea.** The pieces of a rank lie side by side in a word, so a shift and six bits index a table.
/// Keep three more words in which the squares are numbered so that the files, the diagonals and the
/// anti-diagonals lie side by side, and the same shift serves them. The price is paid when a piece
/// moves: four words change instead of one ([`RotatedOccupied::toggle`]). A program that keeps the four
/// words uses [`RotatedOccupied`]. This type rebuilds them from a plain occupancy, and so shows what the
/// technique costs a program that does not.
///
/// ```text
/// by 90 degrees               by 45: diagonals            by -45: anti-diagonals
///  7 15 23 31 39 47 55 63     63 62 60 57 53 48 42  7     35 42 48 53 57 60 62 63
///  6 14 22 30 38 46 54 62     61 59 56 52 47 41  6 14     27 34 41 47 52 56 59 61
///  5 13 21 29 37 45 53 61     58 55 51 46 40  5 13 20     20 26 33 40 46 51 55 58
///  4 12 20 28 36 44 52 60     54 50 45 39  4 12 19 25     14 19 25 32 39 45 50 54
///  3 11 19 27 35 43 51 59     49 44 38  3 11 18 24 29      9 13 18 24 31 38 44 49
///  2 10 18 26 34 42 50 58     43 37  2 10 17 23 28 32      5  8 12 17 23 30 37 43
///  1  9 17 25 33 41 49 57     36  1  9 16 22 27 31 34      2  4  7 11 16 22 29 36
///  0  8 16 24 32 40 48 56      0  8 15 21 26 30 33 35      0  1  3  6 10 15 21 28
/// ```
///
/// **Formula.** `table[line][square][rotated >> shift[line][square] & 63]`.
///
/// **Cost.** A shift, a mask, and one load of 64 bits per line; four tables of 32 KiB, 256 bytes of
/// numbers; four bits flipped for each piece that comes or goes. **When it wins.** Where multiplication is
/// slow, as it was when this was invented. **When it loses.** Where multiplication is fast: the copies
/// cost registers, memory and time at every move, whereas a multiplication gathers a line only when it is
/// needed.
///
/// # Source
/// Isenberg 2008, "Rotated Bitboards"; Robert Hyatt, and independently Ernst A. Heinz with Peter
/// Gillgasch, in the 1990s; Hyatt, *Rotated Bitmaps, a New Twist on an Old Idea*, ICCA Journal
/// 22/4 (1999).
#[derive(Copy, Clone, Debug)]
pub struct Rotated(());

/// All occupied squares, four times, kept up to date piece by piece.
///
/// ```
/// use halfmove_bitboard::{Bitboard, Square, bitboard};
/// use halfmove_techniques::lookup::RotatedOccupied;
///
/// let mut occupied = RotatedOccupied::from(bitboard! {
///     . . . . . . . .
///     . . . . . . 1 .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . 1 . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// // The piece on c3 goes to b2.
/// occupied.toggle(Square::C3);
/// occupied.toggle(Square::B2);
/// assert_eq!(occupied.bishop(Square::D4), bitboard! {
///     . . . . . . . .
///     1 . . . . . 1 .
///     . 1 . . . 1 . .
///     . . 1 . 1 . . .
///     . . . . . . . .
///     . . 1 . 1 . . .
///     . 1 . . . 1 . .
///     . . . . . . 1 .
/// });
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RotatedOccupied {
    /// The squares rank by rank.
    normal: u64,
    /// File by file.
    by_90: u64,
    /// Diagonal by diagonal.
    by_45: u64,
    /// Anti-diagonal by anti-diagonal.
    by_minus_45: u64,
}

/// The numbers of the squares in a word rotated by 45 degrees.
struct Numbers {
    /// Its bit, by square.
    bit: [u8; 64],
    /// The bit of the second square of its line, by square. The index may run on into the next
    /// line; the tables ignore that.
    shift: [u8; 64],
}

static BY_45: Numbers = numbers(1);
static BY_MINUS_45: Numbers = numbers(-1);

static RANKS: [[u64; 64]; 64] = by_six_bits((1, 0), Order::Along);
static FILES: [[u64; 64]; 64] = by_six_bits((0, 1), Order::Along);
static DIAGONALS: [[u64; 64]; 64] = by_six_bits((1, 1), Order::Along);
static ANTI_DIAGONALS: [[u64; 64]; 64] = by_six_bits((-1, 1), Order::Along);

/// Numbers the squares line by line, each line upward, moving by `files` files per rank.
const fn numbers(files: i8) -> Numbers {
    let mut numbers = Numbers { bit: [0; 64], shift: [0; 64] };
    let mut bit = 0;
    let mut start = 0;
    while start < 64 {
        // Every square from which no step back is possible begins a line.
        if Square::ALL[start].offset(-files, -1).is_none() {
            let first = bit;
            let mut at = Square::ALL[start];
            loop {
                numbers.bit[at.index()] = bit;
                // The last line has one square; its second bit would be the 65th.
                numbers.shift[at.index()] = if first < 63 { first + 1 } else { 63 };
                bit += 1;
                match at.offset(files, 1) {
                    Some(next) => at = next,
                    None => break,
                }
            }
        }
        start += 1;
    }
    numbers
}

impl RotatedOccupied {
    /// Puts a piece on an empty square, or takes it off an occupied one.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        let i = square.index();
        self.normal ^= 1 << i;
        self.by_90 ^= 1 << ((i & 7) << 3 | i >> 3);
        self.by_45 ^= 1 << BY_45.bit[i];
        self.by_minus_45 ^= 1 << BY_MINUS_45.bit[i];
    }

    /// All occupied squares as a plain set.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.normal)
    }

    /// The squares a rook attacks.
    #[inline]
    pub fn rook(&self, square: Square) -> Bitboard {
        let (i, file, rank) = (square.index(), square.index() & 7, square.index() >> 3);
        let on_rank = (self.normal >> (rank * 8) >> 1) as usize & 63;
        let on_file = (self.by_90 >> (file * 8) >> 1) as usize & 63;
        Bitboard(RANKS[i][on_rank] | FILES[i][on_file])
    }

    /// The squares a bishop attacks.
    #[inline]
    pub fn bishop(&self, square: Square) -> Bitboard {
        let i = square.index();
        let on_diagonal = (self.by_45 >> BY_45.shift[i]) as usize & 63;
        let on_anti_diagonal = (self.by_minus_45 >> BY_MINUS_45.shift[i]) as usize & 63;
        Bitboard(DIAGONALS[i][on_diagonal] | ANTI_DIAGONALS[i][on_anti_diagonal])
    }

    /// The squares a queen attacks.
    #[inline]
    pub fn queen(&self, square: Square) -> Bitboard {
        self.rook(square) | self.bishop(square)
    }
}

impl From<Bitboard> for RotatedOccupied {
    fn from(occupied: Bitboard) -> Self {
        let mut rotated = Self::default();
        for square in occupied {
            rotated.toggle(square);
        }
        rotated
    }
}

impl Sliders for Rotated {
    const TECHNIQUE: Technique = Technique {
        name: "rotated bitboards",
        author: "Robert Hyatt; Ernst A. Heinz, Peter Gillgasch, 1990s",
        source: "Isenberg 2008, \"Rotated Bitboards\"",
        table_bytes: size_of_val(&RANKS)
            + size_of_val(&FILES)
            + size_of_val(&DIAGONALS)
            + size_of_val(&ANTI_DIAGONALS)
            + size_of_val(&BY_45)
            + size_of_val(&BY_MINUS_45),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        RotatedOccupied::from(occupied).rook(square)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        RotatedOccupied::from(occupied).bishop(square)
    }

    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        RotatedOccupied::from(occupied).queen(square)
    }
}
