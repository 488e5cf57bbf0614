//! Operators on sets, and conversions to sets.

use crate::{Bitboard, File, Rank, Square};
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        Self::file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        Self::rank(rank)
    }
}

/// The set whose bits are those of the number.
impl From<u64> for Bitboard {
    #[inline]
    fn from(bits: u64) -> Self {
        Self(bits)
    }
}

impl From<Bitboard> for u64 {
    #[inline]
    fn from(set: Bitboard) -> Self {
        set.0
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, |$a:ident, $b:ident| $result:expr) => {
        impl<Set: Into<Self>> $trait<Set> for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Set) -> Self {
                let ($a, $b) = (self.0, other.into().0);
                Self($result)
            }
        }
        impl<Set: Into<Self>> $assign_trait<Set> for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Set) {
                *self = self.$method(other);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
set_operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
