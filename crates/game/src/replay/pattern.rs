//! Board patterns.

use std::str::FromStr;

use halfmove_rules::{Color, File, Piece, Rank, Role, Square};
use thiserror::Error;

use super::watch::{Occupant, occupant};

/// The allowed contents of each square of a board.
///
/// The text form resembles the first field of a FEN, from the eighth rank to the first, but a digit means **any
/// contents** on this number of squares, not empty squares:
///
/// | text | allowed contents |
/// |---|---|
/// | `K` `Q` `R` `B` `N` `P`, `S` khon, `M` met | this piece of White |
/// | `k` `q` `r` `b` `n` `p` `s` `m` | this piece of Black |
/// | `A` `a` | any piece of White, of Black |
/// | `_` | nothing |
/// | `[Rq_]` | one of these |
/// | `?`, `1`–`8` | anything, on one square or on this number of squares |
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::{BoardQuery, BoardCondition};
///
/// let mut bytes = Vec::new();
/// halfmove::encode(&read_game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *").unwrap(), &mut bytes)?;
/// let pattern = "8/8/8/8/8/8/5PPP/5RK_".parse()?;
/// let castled = BoardQuery::new(&BoardCondition { pattern, ..BoardCondition::default() });
/// assert_eq!(castled.find(&bytes)?, Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// A set of occupants for each square, one bit each; bit 16 is the empty square.
    allowed: [u32; 64],
}

/// The allowed contents of a square: a bit for each occupant, bit 16 for the empty square.
#[derive(Copy, Clone)]
pub(super) struct Contents(pub(super) u32);

impl Contents {
    pub(super) fn of(piece: Option<Piece>) -> Self {
        Self(piece.map_or(NOTHING, |piece| 1 << occupant(piece)))
    }

    /// Returns true if the square must have a piece of this color.
    pub(super) fn is_of(self, color: Color) -> bool {
        self.0 & !(0xff << (8 * color as u32)) == 0
    }
}

/// The bit of an empty square.
const NOTHING: u32 = 1 << 16;

/// Everything.
const ANYTHING: u32 = NOTHING | 0xffff;

/// The reason why a text is not a pattern.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("character {} of the pattern: expected {expected}", .offset + 1)]
pub struct PatternError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The text that was expected there.
    pub expected: &'static str,
}

impl Default for Pattern {
    fn default() -> Self {
        Self::new()
    }
}

impl Pattern {
    /// The pattern that matches every board.
    pub const fn new() -> Pattern {
        Pattern { allowed: [ANYTHING; 64] }
    }

    /// Allows only these pieces on a square. `None` allows it to be empty.
    ///
    /// ```
    /// use halfmove_game::replay::Pattern;
    /// use halfmove_rules::{Color, Piece, Role, Square};
    ///
    /// let mut pattern = Pattern::new();
    /// pattern.allow(Square::G1, [Some(Piece { color: Color::White, role: Role::King }), None]);
    /// assert_eq!("8/8/8/8/8/8/8/6[K_]1".parse(), Ok(pattern));
    /// ```
    pub fn allow(&mut self, square: Square, contents: impl IntoIterator<Item = Option<Piece>>) {
        let contents = contents.into_iter();
        self.allowed[square.index()] = contents.fold(0, |set, piece| set | Contents::of(piece).0);
    }

    /// Forbids a piece on a square.
    pub(super) fn forbid(&mut self, square: Square, piece: Piece) {
        self.allowed[square.index()] &= !Contents::of(Some(piece)).0;
    }

    /// The pattern that matches a board if both patterns do.
    ///
    /// ```
    /// use halfmove_game::replay::Pattern;
    ///
    /// let one: Pattern = "8/8/8/8/8/8/8/6[K_]1".parse()?;
    /// let two: Pattern = "8/8/8/8/8/8/PPP5/6[Kk]1".parse()?;
    /// assert_eq!(Ok(one.and(&two)), "8/8/8/8/8/8/PPP5/6K1".parse());
    /// # Ok::<(), halfmove_game::replay::PatternError>(())
    /// ```
    #[must_use]
    pub fn and(&self, other: &Pattern) -> Pattern {
        let mut both = self.clone();
        both.allowed.iter_mut().zip(&other.allowed).for_each(|(set, other)| *set &= other);
        both
    }

    /// The same pattern for the other side: the board is mirrored top to bottom, and the pieces change color.
    #[must_use]
    pub fn flipped(&self) -> Pattern {
        let swap = |set: u32| set & NOTHING | (set & 0xff) << 8 | set >> 8 & 0xff;
        let mut flipped = Pattern::new();
        for (square, set) in self.allowed.iter().enumerate() {
            flipped.allowed[square ^ 0b111_000] = swap(*set);
        }
        flipped
    }

    /// The same pattern, mirrored left to right.
    #[must_use]
    pub fn mirrored(&self) -> Pattern {
        let mut mirrored = Pattern::new();
        for (square, set) in self.allowed.iter().enumerate() {
            mirrored.allowed[square ^ 0b000_111] = *set;
        }
        mirrored
    }

    /// Converts a board in FEN, in which digits stand for empty squares, to the text of a pattern. `None` if the text
    /// has further fields or is not a board.
    ///
    /// ```
    /// use halfmove_game::replay::Pattern;
    ///
    /// let board = Pattern::text_of_board("4k3/8/8/8/8/8/4P3/4K3");
    /// assert_eq!(board.as_deref(), Some("____k___/________/________/________/________/________/____P___/____K___"));
    /// assert_eq!(Pattern::text_of_board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), None);
    /// ```
    pub fn text_of_board(fen: &str) -> Option<String> {
        let fen = fen.trim();
        let is_board = !fen.contains(char::is_whitespace) && fen.parse::<Pattern>().is_ok();
        let empty = |char: char| match char.to_digit(10) {
            Some(squares) => "_".repeat(squares as usize),
            None => char.to_string(),
        };
        is_board.then(|| fen.chars().map(empty).collect())
    }

    /// The allowed contents of a square.
    pub(super) fn contents(&self, square: Square) -> Contents {
        Contents(self.allowed[square.index()])
    }

    /// The sets as bits of occupants, with `empty` as the occupant of an empty square.
    pub(super) fn for_game(&self, empty: Occupant) -> [u16; 64] {
        self.allowed.map(|set| {
            let pieces = set as u16 & !(1 << empty);
            pieces | u16::from(set & NOTHING != 0) << empty
        })
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let error = |offset, expected| PatternError { offset, expected };
        let mut pattern = Pattern::new();
        let (mut rank, mut file) = (7, 0);
        let mut bytes = text.bytes().enumerate();
        while let Some((offset, byte)) = bytes.next() {
            let (wide, set) = match byte {
                b'/' => {
                    if file < 8 {
                        return Err(error(offset, "eight squares in each rank"));
                    }
                    if rank == 0 {
                        return Err(error(offset, "eight ranks"));
                    }
                    (rank, file) = (rank - 1, 0);
                    continue;
                }
                b'1'..=b'8' => (usize::from(byte - b'0'), ANYTHING),
                b'[' => {
                    let mut set = 0;
                    loop {
                        match bytes.next() {
                            Some((_, b']')) => break (1, set),
                            Some((offset, byte)) => {
                                set |= contents(byte).ok_or(error(offset, "a piece, _ or ]"))?;
                            }
                            None => return Err(error(text.len(), "a ] after the [")),
                        }
                    }
                }
                _ => (1, contents(byte).ok_or(error(offset, "a piece, _, ?, [ or a digit"))?),
            };
            if file + wide > 8 {
                return Err(error(offset, "no more than eight squares in each rank"));
            }
            for file in file..file + wide {
                pattern.allowed[Square::new(File::ALL[file], Rank::ALL[rank]).index()] = set;
            }
            file += wide;
        }
        if rank > 0 || file < 8 {
            return Err(error(text.len(), "eight ranks of eight squares"));
        }
        Ok(pattern)
    }
}

/// The contents that a letter stands for.
fn contents(letter: u8) -> Option<u32> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let role = match letter.to_ascii_uppercase() {
        b'A' => return Some(0xff << (8 * color as u32)),
        b'_' => return Some(NOTHING),
        b'?' => return Some(ANYTHING),
        b'S' => Role::Khon,
        b'M' => Role::Met,
        letter => Role::from_letter(letter)?,
    };
    Some(1 << occupant(Piece { color, role }))
}
