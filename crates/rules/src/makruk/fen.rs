//! FEN of Makruk, in its two dialects.
//!
//! | piece | Fairy-Stockfish, pychess, XBoard | makruk-js |
//! | --- | --- | --- |
//! | khun, ruea | `K` `R` | `K` `R` |
//! | ma | `N` | `M` |
//! | khon | `S`, PlayOK's `B` | `T` |
//! | met | `M`, PlayOK's `Q` | `E` |
//! | bia | `P` | `B` |
//! | promoted bia | `M~` | `F` |
//!
//! In the first dialect, field 4 is the limit of the count in plies; `-` or 0 means that no side is
//! counting. Field 5 is the ply of the count if there is one, else the half-move clock. The second
//! dialect has three fields, or eight with a count:
//!
//! ```text
//! 3k4/8/2M~5/8/8/8/8/2RK4 b - 32 8 70              pieces, side, -, limit, ply, move
//! 3k4/8/2F5/8/8/8/8/2RK4 b 70 b pp 4 5 16          pieces, side, move,
//!                                                  counting side, kind, number, first number, limit
//! ```
//!
//! `pp` is the pieces' honor, `bp` the board's.
//!
//! `M` is a met in one dialect and a knight in the other, so a FEN is read without a given dialect only if its dialect
//! is unambiguous.
//!
//! # Source
//! Fairy-Stockfish, `position.cpp`; makruk-js, `parseFen.ts` and `exporter.ts`.

use super::{Counting, Dialect, Honor, Makruk, Rules, SetupError};
use crate::{Bitboard, Board, Color, File, Piece, Rank, Square};
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// A field of a FEN of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    CountLimit,
    CountPly,
    HalfmoveClock,
    FullmoveNumber,
    CountColor,
    CountHonor,
    CountNumber,
    CountFirst,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "placement of pieces",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::CountLimit => "limit of the count",
            Self::CountPly => "ply of the count",
            Self::HalfmoveClock => "half-move clock",
            Self::FullmoveNumber => "full-move number",
            Self::CountColor => "side that counts",
            Self::CountHonor => "kind of count",
            Self::CountNumber => "number last spoken",
            Self::CountFirst => "number first spoken",
        })
    }
}

/// The reason why a text is not a position of Makruk.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not a FEN of the dialect.
    #[error("FEN of Makruk, {field}, byte {offset}: expected {expected}")]
    Syntax {
        /// The field at fault.
        field: FenField,
        /// The offset of the first byte at fault, from 0.
        offset: usize,
        /// The text expected there.
        expected: &'static str,
    },
    /// The text has letters of both dialects.
    #[error(
        "FEN of Makruk, byte {offset}: expected letters of one dialect, found some of Fairy-Stockfish \
         (S N P ~) or PlayOK (Q), and some of makruk-js (E T B F)"
    )]
    MixedDialects {
        /// The offset of the letter that does not fit those before it.
        offset: usize,
    },
    /// An `M` could be a met or a knight.
    #[error(
        "FEN of Makruk, byte {offset}: 'M' is a met for Fairy-Stockfish and a knight for makruk-js; \
         name the dialect"
    )]
    UnknownDialect {
        /// The offset of the first `M`.
        offset: usize,
    },
    /// The text is a FEN, but its position is not legal.
    #[error("not a legal position of Makruk: {0}")]
    Position(#[from] SetupError),
}

/// The contents of a FEN of Makruk. Nothing is validated: [`Makruk::from_setup`] does that.
///
/// ```
/// use halfmove_rules::makruk::{Dialect, Setup};
///
/// let setup: Setup = "3k4/8/2M~5/8/8/8/8/2RK4 b - 32 8 70".parse()?;
/// let js = setup.fen(Dialect::MakrukJs).to_string();
/// assert_eq!(js, "3k4/8/2F5/8/8/8/8/2RK4 b 70 b pp 4 1 16");
/// let again: Setup = js.parse()?;
/// assert_eq!(again.fen(Dialect::Fairy).to_string(), "3k4/8/2M~5/8/8/8/8/2RK4 b - 32 8 70");
/// # Ok::<(), halfmove_rules::makruk::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The game. A FEN does not name it.
    pub rules: Rules,
    /// The pieces.
    pub board: Board,
    /// The squares of promoted bias.
    pub promoted: Bitboard,
    /// The side to move.
    pub side_to_move: Color,
    /// The count, if a side is counting.
    pub counting: Option<Counting>,
    /// Half-moves since the last capture or bia move; 0 where the FEN has a count instead.
    pub halfmove_clock: u16,
    /// Starts at 1 and increases after each move of Black.
    pub fullmove_number: u16,
}

/// The fields of a text with their offsets.
pub(super) struct Fields<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let len = self.text[start..].iter().position(u8::is_ascii_whitespace);
        self.at = len.map_or(self.text.len(), |len| start + len);
        Some((start, &self.text[start..self.at]))
    }

    /// The next field, or a default at the end of the text.
    fn next_or(&mut self, missing: &'a [u8]) -> (usize, &'a [u8]) {
        self.next().unwrap_or((self.text.len(), missing))
    }

    fn end(&mut self, field: FenField) -> Result<(), FenError> {
        match self.next() {
            Some((offset, _)) => Err(syntax(field, offset, "nothing more")),
            None => Ok(()),
        }
    }
}

fn syntax(field: FenField, offset: usize, expected: &'static str) -> FenError {
    FenError::Syntax { field, offset, expected }
}

fn parse_number(field: FenField, (offset, digits): (usize, &[u8])) -> Result<u16, FenError> {
    core::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse().ok())
        .ok_or(syntax(field, offset, "a number from 0 to 65535"))
}

fn parse_color(field: FenField, (offset, text): (usize, &[u8])) -> Result<Color, FenError> {
    match text {
        b"w" => Ok(Color::White),
        b"b" => Ok(Color::Black),
        _ => Err(syntax(field, offset, "'w' or 'b'")),
    }
}

fn parse_placement(
    rules: Rules,
    dialect: Dialect,
    (start, text): (usize, &[u8]),
) -> Result<(Board, Bitboard), FenError> {
    let error = |at: usize, expected| syntax(FenField::Placement, start + at, expected);
    let letters = match (dialect, rules) {
        (Dialect::Fairy, Rules::Asean) => {
            "a piece (PNBQRK pnbqrk, perhaps with '~'), a count (1-8) or '/'"
        }
        (Dialect::Fairy, _) => "a piece (PNSMRK pnsmrk, perhaps with '~'), a count (1-8) or '/'",
        (Dialect::MakrukJs, Rules::Asean) => "a piece (BMTERK bmterk), a count (1-8) or '/'",
        (Dialect::MakrukJs, _) => "a piece (BMTERKF bmterkf), a count (1-8) or '/'",
    };
    let (mut board, mut promoted) = (Board::default(), Bitboard::EMPTY);
    let (mut rank, mut file) = (7, 0);
    let mut last = None;
    for (at, &byte) in text.iter().enumerate() {
        let before = last.take();
        match byte {
            b'/' if file < 8 => return Err(error(at, "a rank of exactly eight squares")),
            b'/' if rank == 0 => return Err(error(at, "no more than eight ranks")),
            b'/' => (rank, file) = (rank - 1, 0),
            b'1'..=b'8' => file += usize::from(byte - b'0'),
            b'~' if dialect == Dialect::Fairy => {
                promoted |= Bitboard::square(before.ok_or(error(at, "'~' only behind a piece"))?);
            }
            _ => {
                let letter = byte.to_ascii_uppercase();
                let (role, was_bia) = dialect.role(rules, letter).ok_or(error(at, letters))?;
                let color = if byte == letter { Color::White } else { Color::Black };
                if file < 8 {
                    let square = Square::new(File::ALL[file], Rank::ALL[rank]);
                    board.put(square, Piece { color, role });
                    if was_bia {
                        promoted |= square;
                    }
                    last = Some(square);
                }
                file += 1;
            }
        }
        if file > 8 {
            return Err(error(at, "a rank of exactly eight squares"));
        }
    }
    if file < 8 {
        return Err(error(text.len(), "a rank of exactly eight squares"));
    }
    if rank > 0 {
        return Err(error(text.len(), "eight ranks"));
    }
    Ok((board, promoted))
}

impl Setup {
    /// Reads a FEN in a dialect. A FEN in Fairy-Stockfish's dialect may end after any of its six
    /// fields.
    ///
    /// # Errors
    /// [`FenError::Syntax`].
    ///
    /// ```
    /// use halfmove_rules::makruk::{Dialect, Rules, Setup};
    /// use halfmove_rules::{Role, Square};
    ///
    /// let pieces = "8/3k4/2M5/8/8/8/8/2RK4";
    /// let read = |dialect| Setup::parse(pieces, Rules::Makruk, dialect);
    /// let role = |setup: Setup| setup.board.role_at(Square::C6);
    /// assert_eq!(role(read(Dialect::Fairy)?), Some(Role::Met));
    /// assert!(read(Dialect::MakrukJs).is_err()); // has three fields or eight
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    pub fn parse(text: &str, rules: Rules, dialect: Dialect) -> Result<Self, FenError> {
        let mut fields = Fields { text: text.as_bytes(), at: 0 };
        let pieces = fields.next_or(b"");
        let (board, promoted) = parse_placement(rules, dialect, pieces)?;
        match dialect {
            Dialect::Fairy => Self::parse_fairy(fields, rules, board, promoted),
            Dialect::MakrukJs => Self::parse_makruk_js(fields, rules, board, promoted),
        }
    }

    fn parse_fairy(
        mut fields: Fields<'_>,
        rules: Rules,
        board: Board,
        promoted: Bitboard,
    ) -> Result<Self, FenError> {
        let side_to_move = parse_color(FenField::SideToMove, fields.next_or(b"w"))?;
        // XBoard omits the fields that Makruk does not need: `w 0 1` is the clock and the move number.
        let start = fields.at;
        let numbers = [(); 3].map(|()| fields.next().map(|(_, text)| text));
        let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
        let is_xboard = match numbers {
            [Some(clock), Some(number), None] => is_number(clock) && is_number(number),
            _ => false,
        };
        fields.at = start;
        let mut next = || if is_xboard { None } else { fields.next() };
        let (offset, castling) = next().unwrap_or((start, b"-"));
        if castling != b"-" {
            return Err(syntax(FenField::Castling, offset, "'-'"));
        }
        let (offset, limit) = next().unwrap_or((start, b"-"));
        // A limit of 0 means that no side is counting, like '-'.
        let limit = match limit {
            b"-" => None,
            _ => Some(parse_number(FenField::CountLimit, (offset, limit))?).filter(|n| *n > 0),
        };
        if limit.is_some_and(|plies| plies % 2 != 0) {
            let expected = "'-' or an even number of plies";
            return Err(syntax(FenField::CountLimit, offset, expected));
        }
        let clock = match limit {
            Some(_) => FenField::CountPly,
            None => FenField::HalfmoveClock,
        };
        let clock_text = fields.next_or(b"0");
        let clock_offset = clock_text.0;
        let clock = parse_number(clock, clock_text)?;
        let fullmove_number = parse_number(FenField::FullmoveNumber, fields.next_or(b"1"))?;
        fields.end(FenField::FullmoveNumber)?;
        let counting = match limit {
            None => None,
            Some(plies) => {
                let color = if clock % 2 == 0 { side_to_move } else { !side_to_move };
                let bare = |color| board.by_color(color).len() == 1;
                let honor = if bare(color) { Honor::Pieces } else { Honor::Board };
                let count = Counting::new(honor, color, plies / 2, clock);
                // Only under makruk-js's rules a side may continue counting against a bare king.
                if count.is_none() && color == side_to_move && bare(!color) && !bare(color) {
                    let expected = "an odd ply, as the bare king is the one that counts";
                    return Err(syntax(FenField::CountPly, clock_offset, expected));
                }
                let expected = match honor {
                    Honor::Board => "'-', 0 or 128 plies, as the side that counts has pieces",
                    Honor::Pieces => "'-', 0 or 16, 32, 44, 64, 88 or 128 plies",
                };
                Some(count.ok_or(syntax(FenField::CountLimit, offset, expected))?)
            }
        };
        Ok(Self {
            rules,
            board,
            promoted,
            side_to_move,
            counting,
            halfmove_clock: if counting.is_some() { 0 } else { clock },
            fullmove_number: fullmove_number.max(1),
        })
    }

    fn parse_makruk_js(
        mut fields: Fields<'_>,
        rules: Rules,
        board: Board,
        promoted: Bitboard,
    ) -> Result<Self, FenError> {
        let side_to_move = parse_color(FenField::SideToMove, fields.next_or(b""))?;
        let fullmove_number = parse_number(FenField::FullmoveNumber, fields.next_or(b""))?;
        let mut setup = Self {
            rules,
            board,
            promoted,
            side_to_move,
            counting: None,
            halfmove_clock: 0,
            fullmove_number: fullmove_number.max(1),
        };
        let Some(color) = fields.next() else { return Ok(setup) };
        let rest = [(); 4].map(|()| fields.next_or(b""));
        fields.end(FenField::CountLimit)?;
        if [color].iter().chain(&rest).all(|(_, text)| *text == b"-") {
            return Ok(setup);
        }
        let [honor, number, first, limit] = rest;
        let color = parse_color(FenField::CountColor, color)?;
        let honor = match honor {
            (_, b"bp") => Honor::Board,
            (_, b"pp") => Honor::Pieces,
            (offset, _) => {
                return Err(syntax(FenField::CountHonor, offset, "'bp' or 'pp'"));
            }
        };
        let (offset, _) = number;
        let number = parse_number(FenField::CountNumber, number)?;
        let (first_offset, limit_offset) = (first.0, limit.0);
        let first = parse_number(FenField::CountFirst, first)?;
        let limit = parse_number(FenField::CountLimit, limit)?;
        if limit == 0 {
            return Ok(setup);
        }
        // If the other side is to move, the number has just been announced. A count in plies is twice the number.
        let spoken = u16::from(side_to_move != color);
        let plies = (2 * u32::from(number)).checked_sub(u32::from(spoken));
        let ply = plies.and_then(|plies| u16::try_from(plies).ok());
        let expected = match spoken {
            0 => "a number up to 32767",
            _ => "a number from 1 to 32768, as the other side is to move",
        };
        let ply = ply.ok_or(syntax(FenField::CountNumber, offset, expected))?;
        let expected = match honor {
            Honor::Board => "0 or 64",
            Honor::Pieces => "0, 8, 16, 22, 32, 44 or 64",
        };
        let count = Counting::new(honor, color, limit, ply);
        let count = count.ok_or(syntax(FenField::CountLimit, limit_offset, expected))?;
        let expected = "a number that has been spoken, or that is next";
        let count = count.with_first(first);
        setup.counting = Some(count.ok_or(syntax(FenField::CountFirst, first_offset, expected))?);
        Ok(setup)
    }

    /// Displays the FEN in a dialect.
    ///
    /// Neither dialect is complete. makruk-js's has no half-move clock. Fairy-Stockfish's has no half-move clock during
    /// a count, and never the first announced number (makruk-js's has 1 in that case). It has no field for the kind of
    /// count: a bare king is assumed to count pieces' honor.
    pub fn fen(&self, dialect: Dialect) -> Fen<'_> {
        Fen { setup: self, dialect }
    }
}

/// Displays a FEN of Makruk. Returned by [`Setup::fen`].
#[derive(Copy, Clone, Debug)]
pub struct Fen<'a> {
    setup: &'a Setup,
    dialect: Dialect,
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, dialect } = *self;
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let Some(Piece { color, role }) = setup.board.piece_at(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                let promoted = setup.promoted.has(square);
                let letter = dialect.letter(setup.rules, role, promoted);
                let white = color == Color::White;
                write!(f, "{}", if white { letter } else { letter.to_ascii_lowercase() })?;
                if promoted && dialect == Dialect::Fairy {
                    f.write_str("~")?;
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank == Rank::First { " " } else { "/" })?;
        }
        let letter = |color| if color == Color::White { 'w' } else { 'b' };
        let (side, number) = (letter(setup.side_to_move), setup.fullmove_number);
        match (dialect, setup.counting) {
            (Dialect::Fairy, Some(count)) => {
                write!(f, "{side} - {} {} {number}", 2 * count.limit(), count.ply())
            }
            (Dialect::Fairy, None) => {
                write!(f, "{side} - - {} {number}", setup.halfmove_clock)
            }
            (Dialect::MakrukJs, None) => write!(f, "{side} {number}"),
            (Dialect::MakrukJs, Some(count)) => {
                let honor = if count.honor() == Honor::Board { "bp" } else { "pp" };
                let (color, first) = (letter(count.color()), count.first().unwrap_or(1));
                let (spoken, limit) = (count.number(), count.limit());
                write!(f, "{side} {number} {color} {honor} {spoken} {first} {limit}")
            }
        }
    }
}

impl FromStr for Setup {
    type Err = FenError;

    /// Reads a FEN of Makruk, whose dialect must be [detectable](Dialect::detect). A FEN does not contain the variant:
    /// for Makpong and ASEAN chess, call [`Makruk::from_fen`].
    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::parse(text, Rules::Makruk, Dialect::detect(text)?)
    }
}

impl Makruk {
    /// Reads a FEN of one of the games. If `dialect` is `None`, it is [detected](Dialect::detect); ASEAN chess has only
    /// Fairy-Stockfish's.
    ///
    /// ```
    /// use halfmove_rules::Makruk;
    /// use halfmove_rules::makruk::Rules;
    ///
    /// let start = Makruk::start(Rules::Asean);
    /// assert_eq!(Makruk::from_fen(&start.to_string(), Rules::Asean, None)?, start);
    /// # Ok::<(), halfmove_rules::makruk::FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenError`], if the FEN is invalid or its position is not legal.
    pub fn from_fen(fen: &str, rules: Rules, dialect: Option<Dialect>) -> Result<Self, FenError> {
        let dialect = Dialect::of(fen, rules, dialect)?;
        Ok(Self::from_setup(Setup::parse(fen, rules, dialect)?)?)
    }
}

impl FromStr for Makruk {
    type Err = FenError;

    /// Reads a FEN of Makruk, whose dialect must be [detectable](Dialect::detect). A FEN does not contain the variant:
    /// for Makpong and ASEAN chess, call [`Makruk::from_fen`].
    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(Self::from_setup(text.parse()?)?)
    }
}

impl fmt::Display for Makruk {
    /// Writes the FEN in Fairy-Stockfish's dialect.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fen(Dialect::Fairy).fmt(f)
    }
}
