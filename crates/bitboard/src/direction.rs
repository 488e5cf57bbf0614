//! The eight directions of the compass.

/// A direction on the board, as White sees it. Each is one fixed difference of square indices.
///
/// ```text
///   north-west   north   north-east
///           +7    +8    +9
///               \  |  /
///     west  -1 <-  0  -> +1  east
///               /  |  \
///           -9    -8    -7
///   south-west   south   south-east
/// ```
///
/// ```
/// use halfmove_bitboard::{Direction, Square};
/// assert_eq!(Square::D4.step(Direction::NorthEast), Some(Square::E5));
/// assert_eq!(Square::H4.step(Direction::East), None);
/// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The directions of a rook.
    pub const ORTHOGONAL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The directions of a bishop.
    pub const DIAGONAL: [Self; 4] =
        [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    /// 0 for north … 7 for north-west.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// One step, as files to the east and ranks to the north.
    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::East => (1, 0),
            Self::SouthEast => (1, -1),
            Self::South => (0, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, 1),
        }
    }

    /// One step, as a difference of square indices: +8 for north, -7 for south-east.
    #[inline]
    pub const fn shift(self) -> i8 {
        let (files, ranks) = self.delta();
        8 * ranks + files
    }

    /// The other way.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 4]
    }

    /// Returns true if a rook moves this way.
    #[inline]
    pub const fn is_orthogonal(self) -> bool {
        self as usize & 1 == 0
    }

    /// Returns true if steps this way raise the index of the square.
    #[inline]
    pub const fn is_positive(self) -> bool {
        self.shift() > 0
    }
}
