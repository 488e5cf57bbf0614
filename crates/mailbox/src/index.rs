//! Square numbers of the 0x88 board.

use halfmove_rules::{File, Rank, Square};

/// The number of a square on a board sixteen columns wide, eight of which exist.
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

    /// The same rank, another file (0 to 7).
    pub(crate) const fn with_file(self, file: u8) -> Self {
        Self::at(self.rank(), file)
    }

    /// All squares of the board, a1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..128).filter(|number| number & 0x88 == 0).map(Self)
    }
}
