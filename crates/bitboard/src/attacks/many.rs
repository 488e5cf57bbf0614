//! Many men at once.

use crate::Bitboard;

/// The sliding men and the knights of one side, as sets: what they attack together, and how many
/// moves they have. A queen is in both sets of sliders.
///
/// Where nobody asks which man goes where, there are shorter ways than one man after the other. A
/// build for a CPU with AVX-512 (F and VPOPCNTDQ) has them all in two registers
/// (`sliders::MenAvx512`, whose card tells how); any other goes through the front door man by man.
///
/// ```
/// use halfmove_bitboard::{Bitboard, attacks::Men, bitboard};
/// let men = Men {
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
/// let occupied = men.orthogonal | men.knights;
/// assert_eq!(men.attacks(occupied), bitboard! {
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     . 1 . . . 1 . .
///     1 . 1 1 1 1 1 1
///     . 1 . . . 1 . .
///     . 1 1 . . 1 . .
///     1 1 1 1 1 . 1 1
/// });
/// // Two rooks of fourteen squares each, less the own knight; two hops of the knight.
/// assert_eq!(men.mobility(occupied, !occupied), 14 + 13 + 2);
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Men {
    /// Rooks and queens.
    pub orthogonal: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    /// Knights.
    pub knights: Bitboard,
}

// In pure counting the two registers are half as fast again as PEXT man by man (bench/record).
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512vpopcntdq"
))]
use crate::sliders::x86_64::MenAvx512 as Way;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512vpopcntdq"
)))]
use one_by_one::OneByOne as Way;

impl Men {
    /// The squares that at least one of them attacks.
    #[inline]
    #[must_use]
    pub fn attacks(self, occupied: Bitboard) -> Bitboard {
        Way::ALWAYS.attacks(self, occupied)
    }

    /// How many pairs there are of one of these men and a square of `targets` that it attacks: the
    /// number of their moves, if `targets` are the squares that may be gone to.
    #[inline]
    #[must_use]
    pub fn mobility(self, occupied: Bitboard, targets: Bitboard) -> u32 {
        Way::ALWAYS.mobility(self, occupied, targets)
    }
}

#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512vpopcntdq"
)))]
mod one_by_one {
    use super::Men;
    use crate::{Bitboard, attacks};

    /// Every man through the front door. A Kogge-Stone fill of all sliders in ordinary registers was
    /// a quarter slower.
    pub(super) struct OneByOne;

    impl OneByOne {
        pub(super) const ALWAYS: Self = Self;

        #[inline]
        pub(super) fn attacks(self, men: Men, occupied: Bitboard) -> Bitboard {
            let mut attacked = attacks::setwise::knight(men.knights);
            for from in men.diagonal {
                attacked |= attacks::bishop(from, occupied);
            }
            for from in men.orthogonal {
                attacked |= attacks::rook(from, occupied);
            }
            attacked
        }

        #[inline]
        pub(super) fn mobility(self, men: Men, occupied: Bitboard, targets: Bitboard) -> u32 {
            let mut moves = 0;
            for from in men.knights {
                moves += (attacks::knight(from) & targets).len();
            }
            for from in men.diagonal {
                moves += (attacks::bishop(from, occupied) & targets).len();
            }
            for from in men.orthogonal {
                moves += (attacks::rook(from, occupied) & targets).len();
            }
            moves
        }
    }
}
