//! Square numbers and directions (the source's sections *The 0x88 Solution*, *Binary Deep Dive*, *Square Indexing* and
//! *Direction Offsets*).

use halfmove_rules::{File, Rank, Square};

/// The number of a square on a board sixteen columns wide, eight of which exist.
///
/// ```text
///   bit   7   6 5 4   3   2 1 0
///         |   rank    |   file
///         |           set east of the h-file, west of the a-file
///         set north of the eighth rank, south of the first
/// ```
///
/// `0x88` is bits 7 and 3, so one test detects every edge.
///
/// ```
/// use halfmove_mailbox::Index;
/// use halfmove_rules::Square;
/// let e4 = Index::new(Square::E4);
/// assert_eq!(e4.number(), 52);
/// assert_eq!(e4.step(Index::NORTH).map(Index::square), Some(Square::E5));
/// assert_eq!(e4.ray(Index::EAST).count(), 3, "f4, g4, h4");
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(u8);

impl Index {
    /// One rank up.
    pub const NORTH: i8 = 16;
    /// One rank down.
    pub const SOUTH: i8 = -16;
    /// One file to the right.
    pub const EAST: i8 = 1;
    /// One file to the left.
    pub const WEST: i8 = -1;
    /// Up and to the right.
    pub const NORTH_EAST: i8 = Self::NORTH + Self::EAST;
    /// Up and to the left.
    pub const NORTH_WEST: i8 = Self::NORTH + Self::WEST;
    /// Down and to the right.
    pub const SOUTH_EAST: i8 = Self::SOUTH + Self::EAST;
    /// Down and to the left.
    pub const SOUTH_WEST: i8 = Self::SOUTH + Self::WEST;

    /// The index of a square.
    pub const fn new(square: Square) -> Self {
        Self::at(square.rank() as u8, square.file() as u8)
    }

    /// The index of a rank and a file, both from 0 to 7.
    const fn at(rank: u8, file: u8) -> Self {
        Self(rank * 16 + file)
    }

    /// The square.
    pub fn square(self) -> Square {
        Square::new(File::ALL[usize::from(self.file())], Rank::ALL[usize::from(self.rank())])
    }

    /// The number: 0 to 7, 16 to 23, … 112 to 119.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// 0 for the first rank … 7 for the eighth.
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// 0 for the a-file … 7 for the h-file.
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// Moves by an offset; `None` if that leaves the board.
    ///
    /// No piece has an offset greater than 33, so anything below a1 or above h8 has bit 7 set.
    pub const fn step(self, offset: i8) -> Option<Self> {
        let to = self.0.wrapping_add_signed(offset);
        if to & 0x88 == 0 { Some(Self(to)) } else { None }
    }

    /// All squares reached by repeating an offset, up to the edge of the board.
    pub fn ray(self, offset: i8) -> impl Iterator<Item = Self> {
        core::iter::successors(self.step(offset), move |index| index.step(offset))
    }

    /// The difference of two numbers. Thanks to the columns off the board, it alone says how many ranks and files lie
    /// between two squares.
    ///
    /// ```
    /// use halfmove_mailbox::Index;
    /// use halfmove_rules::Square;
    /// let [h1, a2] = [Square::H1, Square::A2].map(Index::new);
    /// assert_eq!(h1.offset_to(a2), 9, "no king steps by 9, though 8 * 8 boards number these squares 7 and 8");
    /// ```
    pub const fn offset_to(self, other: Self) -> i8 {
        // At most 119 in size.
        other.0 as i8 - self.0 as i8
    }

    /// The direction from one square to another on the same rank, file or diagonal; `None` for all others.
    ///
    /// ```
    /// use halfmove_mailbox::Index;
    /// use halfmove_rules::Square;
    /// let [a1, d4, e6] = [Square::A1, Square::D4, Square::E6].map(Index::new);
    /// assert_eq!(d4.direction_to(a1), Some(Index::SOUTH_WEST));
    /// assert_eq!(d4.direction_to(e6), None);
    /// ```
    pub const fn direction_to(self, other: Self) -> Option<i8> {
        let ranks = other.rank() as i8 - self.rank() as i8;
        let files = other.file() as i8 - self.file() as i8;
        let is_line = ranks == 0 || files == 0 || ranks.abs() == files.abs();
        if !is_line || self.0 == other.0 {
            return None;
        }
        Some(ranks.signum() * Self::NORTH + files.signum() * Self::EAST)
    }

    /// The same rank, another file (0 to 7).
    pub(crate) const fn with_file(self, file: u8) -> Self {
        Self::at(self.rank(), file)
    }

    /// All squares of the board, a1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..128).filter(|number| number & 0x88 == 0).map(Self)
    }
}
