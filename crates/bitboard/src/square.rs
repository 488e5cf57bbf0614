//! Squares, files and ranks.

use crate::{Bitboard, Direction};
use core::fmt;
use core::str::FromStr;

/// A column of the board, `a` to `h`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A row of the board, 1 to 8, from White's side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl File {
    /// All files, from `a` to `h`.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for the a-file … 7 for the h-file.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with this index; `None` above 7.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 8 { Some(Self::ALL[index as usize]) } else { None }
    }

    /// The file with this lowercase letter, `b'a'` to `b'h'`; `None` for any other byte.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'a'..=b'h' => Some(Self::ALL[(letter - b'a') as usize]),
            _ => None,
        }
    }

    /// The lower-case letter.
    #[inline]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// 0 for the first rank … 7 for the eighth.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with this index; `None` above 7.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 8 { Some(Self::ALL[index as usize]) } else { None }
    }

    /// The rank with this digit, `b'1'` to `b'8'`; `None` for any other byte.
    #[inline]
    pub const fn from_digit(digit: u8) -> Option<Self> {
        match digit {
            b'1'..=b'8' => Some(Self::ALL[(digit - b'1') as usize]),
            _ => None,
        }
    }

    /// The digit.
    #[inline]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }
}

/// One of the 64 squares, a1 = 0, b1 = 1 … h8 = 63.
///
/// `Option<Square>` is one byte.
///
/// ```
/// use halfmove_bitboard::{File, Rank, Square};
///
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.index(), 28);
/// assert_eq!(square.to_string(), "e4");
/// # Ok::<(), halfmove_bitboard::ParseSquareError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
#[rustfmt::skip]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All squares, a1 first.
    #[rustfmt::skip]
    pub const ALL: [Self; 64] = [
        Self::A1, Self::B1, Self::C1, Self::D1, Self::E1, Self::F1, Self::G1, Self::H1,
        Self::A2, Self::B2, Self::C2, Self::D2, Self::E2, Self::F2, Self::G2, Self::H2,
        Self::A3, Self::B3, Self::C3, Self::D3, Self::E3, Self::F3, Self::G3, Self::H3,
        Self::A4, Self::B4, Self::C4, Self::D4, Self::E4, Self::F4, Self::G4, Self::H4,
        Self::A5, Self::B5, Self::C5, Self::D5, Self::E5, Self::F5, Self::G5, Self::H5,
        Self::A6, Self::B6, Self::C6, Self::D6, Self::E6, Self::F6, Self::G6, Self::H6,
        Self::A7, Self::B7, Self::C7, Self::D7, Self::E7, Self::F7, Self::G7, Self::H7,
        Self::A8, Self::B8, Self::C8, Self::D8, Self::E8, Self::F8, Self::G8, Self::H8,
    ];

    /// The name.
    ///
    /// ```
    /// use halfmove_bitboard::Square;
    ///
    /// assert_eq!((Square::A1.name(), Square::E4.name()), ("a1", "e4"));
    /// ```
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
                             a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";
        NAMES.split_at(2 * self as usize).1.split_at(2).0
    }

    /// The square where a file and a rank meet.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapping((rank as u8) << 3 | file as u8)
    }

    /// The square with this index; `None` above 63.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 { Some(Self::wrapping(index)) } else { None }
    }

    /// The square whose index is the low six bits of a number; for hot loops over numbers known to be squares.
    ///
    /// The match compiles to a single `and`: the compiler sees that it is the identity.
    #[inline]
    #[rustfmt::skip]
    pub const fn wrapping(index: u8) -> Self {
        match index & 63 {
            0 => Self::A1, 1 => Self::B1, 2 => Self::C1, 3 => Self::D1,
            4 => Self::E1, 5 => Self::F1, 6 => Self::G1, 7 => Self::H1,
            8 => Self::A2, 9 => Self::B2, 10 => Self::C2, 11 => Self::D2,
            12 => Self::E2, 13 => Self::F2, 14 => Self::G2, 15 => Self::H2,
            16 => Self::A3, 17 => Self::B3, 18 => Self::C3, 19 => Self::D3,
            20 => Self::E3, 21 => Self::F3, 22 => Self::G3, 23 => Self::H3,
            24 => Self::A4, 25 => Self::B4, 26 => Self::C4, 27 => Self::D4,
            28 => Self::E4, 29 => Self::F4, 30 => Self::G4, 31 => Self::H4,
            32 => Self::A5, 33 => Self::B5, 34 => Self::C5, 35 => Self::D5,
            36 => Self::E5, 37 => Self::F5, 38 => Self::G5, 39 => Self::H5,
            40 => Self::A6, 41 => Self::B6, 42 => Self::C6, 43 => Self::D6,
            44 => Self::E6, 45 => Self::F6, 46 => Self::G6, 47 => Self::H6,
            48 => Self::A7, 49 => Self::B7, 50 => Self::C7, 51 => Self::D7,
            52 => Self::E7, 53 => Self::F7, 54 => Self::G7, 55 => Self::H7,
            56 => Self::A8, 57 => Self::B8, 58 => Self::C8, 59 => Self::D8,
            60 => Self::E8, 61 => Self::F8, 62 => Self::G8, _ => Self::H8,
        }
    }

    /// 0 for a1 … 63 for h8.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// The rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// Returns true if the square is light, as h1 is.
    #[inline]
    pub const fn is_light(self) -> bool {
        Bitboard::LIGHT.has(self)
    }

    /// Returns true if the square is dark, as a1 is.
    #[inline]
    pub const fn is_dark(self) -> bool {
        !self.is_light()
    }

    /// The number of moves a king needs from one square to the other, 0 to 7: the larger of the distances in
    /// files and in ranks.
    ///
    /// ```
    /// use halfmove_bitboard::Square;
    /// assert_eq!(Square::A1.distance(Square::C8), 7);
    /// assert_eq!(Square::A1.manhattan_distance(Square::C8), 9);
    /// ```
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let (files, ranks) = self.distances(other);
        if files > ranks { files } else { ranks }
    }

    /// The number of single steps along files and ranks from one square to the other, 0 to 14.
    #[inline]
    pub const fn manhattan_distance(self, other: Self) -> u8 {
        let (files, ranks) = self.distances(other);
        files + ranks
    }

    #[inline]
    const fn distances(self, other: Self) -> (u8, u8) {
        let (a, b) = (self as u8, other as u8);
        ((a & 7).abs_diff(b & 7), (a >> 3).abs_diff(b >> 3))
    }

    /// The square this many files to the east and ranks to the north; `None` if that is off the board.
    ///
    /// ```
    /// use halfmove_bitboard::Square;
    /// assert_eq!(Square::G1.offset(-1, 2), Some(Square::F3));
    /// assert_eq!(Square::H1.offset(1, 0), None);
    /// ```
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        // Saturating: a large offset must not overflow.
        let file = (self as i8 & 7).saturating_add(files);
        let rank = (self as i8 >> 3).saturating_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            None
        } else {
            Some(Self::wrapping((rank * 8 + file) as u8))
        }
    }

    /// The next square in a direction; `None` if that is off the board.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (files, ranks) = direction.delta();
        self.offset(files, ranks)
    }

    /// The number of the diagonal, 0 to 15 without 8: 0 for a1-h8, 7 for a8, 9 for h1.
    ///
    /// ```text
    /// 8   7  6  5  4  3  2  1  0
    /// 7   6  5  4  3  2  1  0 15
    /// 6   5  4  3  2  1  0 15 14
    /// 5   4  3  2  1  0 15 14 13
    /// 4   3  2  1  0 15 14 13 12
    /// 3   2  1  0 15 14 13 12 11
    /// 2   1  0 15 14 13 12 11 10
    /// 1   0 15 14 13 12 11 10  9
    ///     a  b  c  d  e  f  g  h
    /// ```
    ///
    /// # Source
    /// Isenberg 2008, "Squares and bit-index".
    #[inline]
    pub const fn diagonal_index(self) -> usize {
        (self as usize >> 3).wrapping_sub(self as usize & 7) & 15
    }

    /// The number of the anti-diagonal, 0 to 15 without 8: 0 for a8-h1, 7 for a1, 9 for h8.
    ///
    /// ```text
    /// 8   0 15 14 13 12 11 10  9
    /// 7   1  0 15 14 13 12 11 10
    /// 6   2  1  0 15 14 13 12 11
    /// 5   3  2  1  0 15 14 13 12
    /// 4   4  3  2  1  0 15 14 13
    /// 3   5  4  3  2  1  0 15 14
    /// 2   6  5  4  3  2  1  0 15
    /// 1   7  6  5  4  3  2  1  0
    ///     a  b  c  d  e  f  g  h
    /// ```
    ///
    /// # Source
    /// Isenberg 2008, "Squares and bit-index".
    #[inline]
    pub const fn anti_diagonal_index(self) -> usize {
        ((self as usize >> 3) + (self as usize & 7)) ^ 7
    }

    /// The same square seen from the other side: a1 and a8 are exchanged.
    #[inline]
    pub const fn flip_vertical(self) -> Self {
        Self::wrapping(self as u8 ^ 56)
    }

    /// The same square mirrored: a1 and h1 are exchanged.
    #[inline]
    pub const fn flip_horizontal(self) -> Self {
        Self::wrapping(self as u8 ^ 7)
    }

    /// File and rank exchanged: b1 becomes a2, squares of a1-h8 stay.
    ///
    /// ```
    /// use halfmove_bitboard::Square;
    /// assert_eq!(Square::C1.flip_diagonal(), Square::A3);
    /// assert_eq!(Square::C1.flip_anti_diagonal(), Square::H6);
    /// assert_eq!(Square::C1.rotate_90(), Square::A6);
    /// assert_eq!(Square::C1.rotate_270(), Square::H3);
    /// ```
    #[inline]
    pub const fn flip_diagonal(self) -> Self {
        Self::wrapping(self as u8 >> 3 | (self as u8 & 7) << 3)
    }

    /// Mirrored about the other diagonal: a1 becomes h8, squares of a8-h1 stay.
    #[inline]
    pub const fn flip_anti_diagonal(self) -> Self {
        self.flip_diagonal().rotate_180()
    }

    /// A quarter turn clockwise: a1 goes to a8, a8 to h8.
    #[inline]
    pub const fn rotate_90(self) -> Self {
        self.flip_diagonal().flip_vertical()
    }

    /// Half a turn: a1 and h8 are exchanged.
    #[inline]
    pub const fn rotate_180(self) -> Self {
        Self::wrapping(self as u8 ^ 63)
    }

    /// A quarter turn counterclockwise: a1 goes to h1, h1 to h8.
    #[inline]
    pub const fn rotate_270(self) -> Self {
        self.flip_diagonal().flip_horizontal()
    }

    /// The square with a name of two bytes such as `b'e'` and `b'4'`; `None` for any other bytes.
    #[inline]
    pub const fn from_name(file: u8, rank: u8) -> Option<Self> {
        match (File::from_letter(file), Rank::from_digit(rank)) {
            (Some(file), Some(rank)) => Some(Self::new(file, rank)),
            _ => None,
        }
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a square: a file letter `a` to `h`, then a rank digit `1` to `8`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square such as \"e4\": a file a-h and a rank 1-8")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match *text.as_bytes() {
            [file, rank] => Self::from_name(file, rank).ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}

/// An index above 63.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TryFromIndexError(pub u8);

impl fmt::Display for TryFromIndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a square: expected 0 (a1) to 63 (h8)", self.0)
    }
}

impl core::error::Error for TryFromIndexError {}

impl TryFrom<u8> for Square {
    type Error = TryFromIndexError;

    fn try_from(index: u8) -> Result<Self, TryFromIndexError> {
        Self::from_index(index).ok_or(TryFromIndexError(index))
    }
}
