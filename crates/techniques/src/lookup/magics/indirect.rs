//! Magic bitboards by two loads: each attack set once.

use super::{Magic, Slider, fancy};
use crate::{Sliders, Technique};
use halfmove_bitboard::{Bitboard, Square, lines};

/// Indirect magics: the slot of an occupancy has the sixteen-bit number of an attack set.
///
/// **Idea.** A rook on a1 has 4,096 relevant occupancies, but on each of its two rays of seven squares the first piece
/// can stop it on seven: 49 attack sets. All squares together have 107,648 occupancies and 6,328 sets. So the large
/// table holds two bytes per slot instead of eight, and the sets lie side by side in a small one: a minimal perfect
/// hash. A set's number is that of the squares on which its rays end, as digits:
///
/// ```text
/// a rook on d4, pieces on b4 and d6
/// . . . . . . . .
/// . . . . . . . .      north   ends on the 2nd square of 4        digit 1
/// . . . 1 . . . .      east    ends on the 4th of 4               digit 3
/// . . . 1 . . . .      south   ends on the 3rd of 3               digit 2
/// . 1 1 R 1 1 1 1      west    ends on the 2nd of 3               digit 1
/// . . . 1 . . . .
/// . . . 1 . . . .      1 + 4 · (3 + 4 · (2 + 3 · 1)) = 93 of 4 · 4 · 3 · 3 = 144
/// . . . 1 . . . .
/// ```
///
/// **Formula.** `sets[numbers[((occupied & relevant) * factor >> shift) + offset]]`.
///
/// **Cost.** And, multiply, variable shift, add, and two loads, the second of which waits for the first; tables of
/// 215,296 bytes of numbers, 50,624 of sets, and the 128 masks, factors, offsets and shifts. **When it wins.** In size,
/// against [`FancyMagics`](super::FancyMagics): less than a third. **When it loses.** In latency; the source says that it
/// "turned out to be slower". `PextPdep` has entries of sixteen bits too, and needs no second load.
///
/// ```
/// use halfmove_bitboard::{Square, bitboard};
/// use halfmove_techniques::{Sliders, lookup::magics::IndirectMagics};
///
/// let magics = IndirectMagics::new().expect("needs nothing");
/// let occupied = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . . . . . .
///     . 1 . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(magics.rook(Square::D4, occupied), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . 1 1 . 1 1 1 1
///     . . . 1 . . . .
///     . . . 1 . . . .
///     . . . 1 . . . .
/// });
/// ```
///
/// # Source
/// Isenberg 2008, "Perfect Hashing": "minimal perfect hashing by an additional 16-bit indirection".
#[derive(Copy, Clone, Debug)]
pub struct IndirectMagics(());

struct Tables {
    /// The number of a set, by slot.
    numbers: [u16; fancy::LEN],
    /// The sets by number: 4,900 of rooks, then 1,428 of bishops.
    sets: [Bitboard; IndirectMagics::SETS],
}

#[allow(long_running_const_eval, reason = "107,648 slots")]
static TABLES: Tables = {
    let mut tables =
        Tables { numbers: [0; fancy::LEN], sets: [Bitboard::EMPTY; IndirectMagics::SETS] };
    let next = fill(&mut tables, Slider::Rook, &fancy::ROOK, 0);
    let next = fill(&mut tables, Slider::Bishop, &fancy::BISHOP, next);
    assert!(next == IndirectMagics::SETS, "a number for each set");
    tables
};

/// Numbers the sets of one slider in the slots of [`FancyMagics`](super::FancyMagics) from `first`, and returns the
/// number after the last.
const fn fill(
    tables: &mut Tables,
    slider: Slider,
    magics: &[Magic; 64],
    mut first: usize,
) -> usize {
    let mut i = 0;
    while i < 64 {
        let (square, magic) = (Square::ALL[i], &magics[i]);
        let digits = Digits::new(slider, square);
        let mut slot = magic.offset as usize;
        let end = slot + (1 << slider.relevant(square).len());
        while slot < end {
            let attacks = fancy::TABLE[slot];
            // No occupancy falls into an empty slot.
            if !attacks.is_empty() {
                let number = first + digits.number(attacks);
                let set = &mut tables.sets[number];
                assert!(set.is_empty() || set.0 == attacks.0, "two attack sets with one number");
                *set = attacks;
                tables.numbers[slot] = number as u16;
            }
            slot += 1;
        }
        first += digits.count;
        i += 1;
    }
    first
}

/// The rays of a square as digits of a number, the lowest first.
struct Digits {
    rays: [u64; 4],
    /// The value of a one in each digit: the product of the lengths of the rays before.
    values: [usize; 4],
    /// The number of numbers: the product of all lengths.
    count: usize,
}

impl Digits {
    const fn new(slider: Slider, square: Square) -> Self {
        let mut digits = Self { rays: [0; 4], values: [0; 4], count: 1 };
        let mut i = 0;
        while i < 4 {
            let ray = lines::ray(square, slider.directions()[i]);
            if !ray.is_empty() {
                digits.rays[i] = ray.0;
                digits.values[i] = digits.count;
                digits.count *= ray.len() as usize;
            }
            i += 1;
        }
        digits
    }

    /// The number of an attack set.
    const fn number(&self, attacks: Bitboard) -> usize {
        let (mut number, mut i) = (0, 0);
        while i < 4 {
            // Each ray has a square at least, unless it has none on an empty board either.
            let length = (self.rays[i] & attacks.0).count_ones() as usize;
            number += self.values[i] * length.saturating_sub(1);
            i += 1;
        }
        number
    }
}

impl IndirectMagics {
    /// The number of different attack sets of all squares.
    pub const SETS: usize = 4_900 + 1_428;

    #[inline]
    fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
        TABLES.sets[TABLES.numbers[magic.white(occupied)] as usize]
    }
}

impl Sliders for IndirectMagics {
    const TECHNIQUE: Technique = Technique {
        name: "indirect magics",
        author: "folklore",
        source: "Isenberg 2008, \"Perfect Hashing\"",
        table_bytes: size_of_val(&fancy::ROOK) + size_of_val(&fancy::BISHOP) + size_of_val(&TABLES),
        instructions: "",
    };

    fn new() -> Option<Self> {
        Some(Self(()))
    }

    #[inline]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::look_up(&fancy::ROOK[square.index()], occupied)
    }

    #[inline]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::look_up(&fancy::BISHOP[square.index()], occupied)
    }
}
