//! A pair of values: for the middlegame and for the endgame.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// What something is worth in the middlegame and in the endgame, in centipawns.
///
/// ```
/// use halfmove_engine::Score;
/// assert_eq!(Score::new(10, 20) - Score::new(1, 2) * 3, Score::new(7, 14));
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// In the middlegame.
    pub middle: i32,
    /// In the endgame.
    pub end: i32,
}

impl Score {
    /// Nothing.
    pub const ZERO: Self = Self::new(0, 0);

    /// A pair.
    #[inline]
    pub const fn new(middle: i32, end: i32) -> Self {
        Self { middle, end }
    }
}

impl Add for Score {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Score {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.middle - other.middle, self.end - other.end)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.middle, -self.end)
    }
}

impl Mul<i32> for Score {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self::new(self.middle * factor, self.end * factor)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
