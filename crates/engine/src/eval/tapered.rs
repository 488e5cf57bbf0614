//! A pair of values: for the middlegame and for the endgame.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value in the middlegame and in the endgame, in centipawns.
///
/// Both are packed into one word, so a single addition adds both: the middlegame in the upper half, the endgame in the
/// lower. Each half has 32 bits, far more than any sum of weights needs.
///
/// ```
/// use halfmove_engine::Tapered;
/// let score = Tapered::new(10, -20) - Tapered::new(1, 2) * 3;
/// assert_eq!((score.middle(), score.end()), (7, -26));
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub struct Tapered(i64);

impl Tapered {
    /// Zero for both.
    pub const ZERO: Self = Self(0);

    /// Packs two values.
    #[inline]
    pub const fn new(middle: i32, end: i32) -> Self {
        Self(((middle as i64) << 32) + end as i64)
    }

    /// The value in the middlegame.
    #[inline]
    pub const fn middle(self) -> i32 {
        // A negative lower half has borrowed one from the upper half.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }

    /// The value in the endgame.
    #[inline]
    pub const fn end(self) -> i32 {
        self.0 as i32
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tapered({}, {})", self.middle(), self.end())
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * i64::from(factor))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        let numbers = [-1_000_000, -20_001, -1, 0, 1, 77, 30_000, 1_000_000];
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let score = Tapered::new(a, b);
            assert_eq!((score.middle(), score.end()), (a, b));
            let score = score * -7 + Tapered::new(b, a) - Tapered::new(3, -5);
            assert_eq!((score.middle(), score.end()), (-7 * a + b - 3, -7 * b + a + 5));
            assert_eq!(-score + score, Tapered::ZERO);
        }
    }
}
