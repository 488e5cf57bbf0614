//! Conditions on pawns.

use std::str::FromStr;

use halfmove_rules::{Bitboard, Color, File, Rank, Square};
use thiserror::Error;

/// All pawns of both sides.
///
/// The text form is either a board as in the first field of a FEN, of which only the pawns matter, or the squares of
/// White's pawns, a `v`, and the squares of Black's.
///
/// ```
/// use halfmove_game::replay::Pawns;
/// use halfmove_rules::Chess;
///
/// let pawns: Pawns = "d4f2g2h2ve6f7g7h7".parse()?;
/// assert_eq!(pawns, "8/5ppp/4p3/8/3P4/8/5PPP/8".parse()?);
/// // The other pieces do not matter.
/// assert_eq!(pawns, "6k1/5ppp/4p3/8/3P4/8/5PPP/6K1 w - - 0 1".parse()?);
/// let error = "d4f2g2h9".parse::<Pawns>().unwrap_err();
/// assert_eq!(error.to_string(), "character 8 of the pawns: expected a rank, 1 to 8");
/// # Ok::<(), halfmove_game::replay::PawnsError>(())
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pawns {
    /// The squares of White's and Black's pawns.
    pub(super) squares: [Bitboard; 2],
}

impl Pawns {
    /// The pawns on these squares: White's, then Black's. `None` if a square is in both.
    ///
    /// ```
    /// use halfmove_game::replay::Pawns;
    /// use halfmove_rules::{Bitboard, Rank};
    ///
    /// let first = Pawns::new(Bitboard::rank(Rank::Second), Bitboard::rank(Rank::Seventh));
    /// assert_eq!(first, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().ok());
    /// ```
    pub fn new(white: Bitboard, black: Bitboard) -> Option<Self> {
        white.is_disjoint(black).then_some(Self { squares: [white, black] })
    }

    /// The same with the colors swapped, mirrored top to bottom.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let [white, black] = self.squares.map(|squares| Bitboard(squares.0.swap_bytes()));
        Self { squares: [black, white] }
    }

    /// The same mirrored left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mirror = |squares: Bitboard| Bitboard(squares.0.reverse_bits().swap_bytes());
        Self { squares: self.squares.map(mirror) }
    }

    fn of_board(text: &str) -> Result<Self, PawnsError> {
        let mut pawns = Self::default();
        let (mut rank, mut file) = (7, 0);
        let board = text.split(' ').next().unwrap_or_default();
        for (offset, byte) in board.bytes().enumerate() {
            if byte == b'/' {
                if file < 8 {
                    return Err(error(offset, "eight squares in each rank"));
                }
                if rank == 0 {
                    return Err(error(offset, "eight ranks"));
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let wide = match byte {
                b'1'..=b'8' => usize::from(byte - b'0'),
                // Some programs mark promoted pieces like this.
                b'~' => 0,
                _ if byte.is_ascii_alphabetic() => 1,
                _ => return Err(error(offset, "a piece, a digit or a /")),
            };
            if file + wide > 8 {
                return Err(error(offset, "no more than eight squares in each rank"));
            }
            if let Some(color) = match byte {
                b'P' => Some(Color::White),
                b'p' => Some(Color::Black),
                _ => None,
            } {
                pawns.add(color, Square::new(File::ALL[file], Rank::ALL[rank]));
            }
            file += wide;
        }
        if rank > 0 || file < 8 {
            return Err(error(board.len(), "eight ranks of eight squares"));
        }
        Ok(pawns)
    }

    fn of_squares(text: &str) -> Result<Self, PawnsError> {
        let mut pawns = Self::default();
        let mut color = Color::White;
        let mut bytes = text.bytes().enumerate();
        while let Some((offset, byte)) = bytes.next() {
            match byte {
                b' ' | b',' => {}
                b'v' if color == Color::White => color = Color::Black,
                _ => {
                    let file = File::from_letter(byte)
                        .ok_or(error(offset, "a square, or one v between White's and Black's"))?;
                    let rank = bytes.next().and_then(|(_, digit)| Rank::from_digit(digit));
                    let rank = rank.ok_or(error(offset + 1, "a rank, 1 to 8"))?;
                    let square = Square::new(file, rank);
                    if pawns.squares.iter().any(|squares| squares.has(square)) {
                        return Err(error(offset, "each square once"));
                    }
                    pawns.add(color, square);
                }
            }
        }
        match color {
            Color::White => Err(error(text.len(), "a v and the squares of Black's pawns")),
            Color::Black => Ok(pawns),
        }
    }

    fn add(&mut self, color: Color, square: Square) {
        let squares = &mut self.squares[color.index()];
        *squares = squares.with(square);
    }
}

impl FromStr for Pawns {
    type Err = PawnsError;

    fn from_str(text: &str) -> Result<Self, PawnsError> {
        if text.contains('/') { Self::of_board(text) } else { Self::of_squares(text) }
    }
}

/// A file, and the side of the pawns on it.
///
/// The text form is `white:d` or `black:d`; `d` is White's.
///
/// ```
/// use halfmove_game::replay::PawnFile;
/// use halfmove_rules::{Color, File};
///
/// let file = PawnFile { color: Color::White, file: File::D };
/// assert_eq!("d".parse(), Ok(file));
/// assert_eq!("black:d".parse(), Ok(file.flipped()));
/// assert!("red:d".parse::<PawnFile>().is_err());
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PawnFile {
    /// The side of the pawns.
    pub color: Color,
    /// The file.
    pub file: File,
}

impl PawnFile {
    /// The same file for the other side's pawns.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { color: !self.color, ..self }
    }

    /// The same file mirrored left to right.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { file: File::ALL[7 - self.file.index()], ..self }
    }
}

impl FromStr for PawnFile {
    type Err = PawnsError;

    fn from_str(text: &str) -> Result<Self, PawnsError> {
        let (color, at) = match text.split_once(':') {
            None => (Color::White, 0),
            Some(("white", _)) => (Color::White, 6),
            Some(("black", _)) => (Color::Black, 6),
            Some(_) => return Err(error(0, "white or black before the :")),
        };
        let file = match text.as_bytes()[at..] {
            [letter] => File::from_letter(letter),
            _ => None,
        };
        let file = file.ok_or(error(at, "a file, a to h; for Black: black:d"))?;
        Ok(Self { color, file })
    }
}

/// A feature of some pawns of a side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PawnFeature {
    /// A pawn on the file, and none of the same side on adjacent files.
    Isolated(PawnFile),
    /// Two or more pawns on the file.
    Doubled(PawnFile),
    /// A passed pawn on the file: no enemy pawn is ahead of it, on its file or on an adjacent one.
    Passed(PawnFile),
}

impl PawnFeature {
    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        self.map(PawnFile::flipped)
    }

    /// The same mirrored left to right.
    #[must_use]
    pub fn mirrored(self) -> Self {
        self.map(PawnFile::mirrored)
    }

    fn map(self, change: fn(PawnFile) -> PawnFile) -> Self {
        match self {
            Self::Isolated(pawns) => Self::Isolated(change(pawns)),
            Self::Doubled(pawns) => Self::Doubled(change(pawns)),
            Self::Passed(pawns) => Self::Passed(change(pawns)),
        }
    }

    /// Returns true if these pawns have the feature.
    #[inline(always)]
    pub(super) fn holds(self, pawns: [u64; 2]) -> bool {
        match self {
            Self::Isolated(PawnFile { color, file }) => {
                let own = pawns[color.index()];
                own & Bitboard::file(file).0 != 0 && own & beside(file).0 == 0
            }
            Self::Doubled(PawnFile { color, file }) => {
                Bitboard(pawns[color.index()] & Bitboard::file(file).0).has_many()
            }
            Self::Passed(PawnFile { color, file }) => {
                let own = Bitboard(pawns[color.index()]) & Bitboard::file(file);
                let theirs = pawns[(!color).index()] & (Bitboard::file(file) | beside(file)).0;
                // Only the foremost pawn is tested: any pawn ahead of it is ahead of the others too.
                let foremost = if color == Color::White { own.last() } else { own.first() };
                foremost.is_some_and(|square| theirs & ahead(color, square.rank()) == 0)
            }
        }
    }
}

/// The files adjacent to a file.
pub(super) fn beside(file: File) -> Bitboard {
    Bitboard::file(file).west() | Bitboard::file(file).east()
}

/// The ranks ahead of a rank.
fn ahead(color: Color, rank: Rank) -> u64 {
    match color {
        Color::White => !(u64::MAX >> (56 - 8 * rank.index())),
        Color::Black => (1 << (8 * rank.index())) - 1,
    }
}

/// The error for an invalid text of conditions on pawns.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("character {} of the pawns: expected {expected}", .offset + 1)]
pub struct PawnsError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The text that was expected there.
    pub expected: &'static str,
}

const fn error(offset: usize, expected: &'static str) -> PawnsError {
    PawnsError { offset, expected }
}
