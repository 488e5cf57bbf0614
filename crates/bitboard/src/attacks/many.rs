//! Many pieces at once.

use crate::cpu::{self, Cpu, Task};
use crate::{Bitboard, attacks};

/// The sliding pieces and knights of one side, as sets, for computing the squares that they attack together and the
/// number of their moves. A queen is in both sets of sliders.
///
/// When it does not matter which piece goes where, all of them can be taken at once. A CPU with AVX-512 or AVX2 does so
/// in a few registers, one direction per lane; on any other, the attacks are computed piece by piece. Each call detects
/// the CPU's features. A hot loop detects them once, with [`cpu::run`], and calls [`Cpu::attacks`] and
/// [`Cpu::mobility`].
///
/// The squares of these pieces count as occupied, whether or not they are in `occupied`.
///
/// ```
/// use halfmove_bitboard::{Bitboard, attacks::Pieces, bitboard};
/// let pieces = Pieces {
///     orthogonal: bitboard! {
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . 1 . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . 1 . .
///     },
///     diagonal: Bitboard::EMPTY,
///     knights: bitboard! {
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         . . . . . . . .
///         1 . . . . . . .
///     },
/// };
/// let occupied = pieces.orthogonal | pieces.knights;
/// assert_eq!(pieces.attacks(occupied), bitboard! {
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     1 . 1 1 1 1 1 1
///     . 1 . . . 1 . .
///     . 1 1 . . 1 . .
///     1 1 1 1 1 . 1 1
/// });
/// // Fourteen squares for each rook, minus the one that our knight stands on; two hops for the knight.
/// assert_eq!(pieces.mobility(occupied, !occupied), 14 + 13 + 2);
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Rooks and queens.
    pub orthogonal: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    /// Knights.
    pub knights: Bitboard,
}

impl Pieces {
    /// The squares that at least one of them attacks.
    #[inline]
    #[must_use]
    pub fn attacks(self, occupied: Bitboard) -> Bitboard {
        cpu::run(Attacks(self, occupied))
    }

    /// The number of moves to `targets`: for each piece the squares of `targets` that it attacks, added up.
    #[inline]
    #[must_use]
    pub fn mobility(self, occupied: Bitboard, targets: Bitboard) -> u32 {
        cpu::run(Mobility(self, occupied, targets))
    }

    /// The occupied squares, with those of these pieces.
    #[inline(always)]
    pub(crate) fn among(self, occupied: Bitboard) -> Bitboard {
        occupied | self.orthogonal | self.diagonal | self.knights
    }

    #[inline(always)]
    pub(crate) fn attacks_one_by_one<C: Cpu>(self, cpu: C, occupied: Bitboard) -> Bitboard {
        let occupied = self.among(occupied);
        let mut attacked = attacks::setwise::knight(self.knights);
        for from in self.diagonal {
            attacked |= cpu.bishop(from, occupied);
        }
        for from in self.orthogonal {
            attacked |= cpu.rook(from, occupied);
        }
        attacked
    }

    #[inline(always)]
    pub(crate) fn mobility_one_by_one<C: Cpu>(
        self,
        cpu: C,
        occupied: Bitboard,
        targets: Bitboard,
    ) -> u32 {
        let occupied = self.among(occupied);
        let mut moves = 0;
        for from in self.knights {
            moves += (attacks::knight(from) & targets).len();
        }
        for from in self.diagonal {
            moves += (cpu.bishop(from, occupied) & targets).len();
        }
        for from in self.orthogonal {
            moves += (cpu.rook(from, occupied) & targets).len();
        }
        moves
    }
}

struct Attacks(Pieces, Bitboard);

impl Task for Attacks {
    type Output = Bitboard;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Bitboard {
        cpu.attacks(self.0, self.1)
    }
}

struct Mobility(Pieces, Bitboard, Bitboard);

impl Task for Mobility {
    type Output = u32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u32 {
        cpu.mobility(self.0, self.1, self.2)
    }
}
