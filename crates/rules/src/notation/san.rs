//! Standard algebraic notation.
//!
//! Steven J. Edwards, *PGN Specification* (1994), section 8.2.3.

mod sloppy;

use crate::chess::relative_rank;
use crate::{Bitboard, CastlingSide, Chess, File, Move, Rank, Role, Square, UciMove};
use arrayvec::ArrayString;
use core::fmt::{self, Write};
use core::ops::Deref;
use core::str::FromStr;
use halfmove_bitboard::{attacks, lines};
use thiserror::Error;

/// A move in SAN: a piece, its target, and its disambiguation.
///
/// Parsing is tolerant: it accepts castling with zeros (`0-0`) or without hyphens (`OO`, `000`), promotions such as
/// `b8Q`, `b8(Q)` or `b8=q`, any of `+ # ! ?` at the end, unneeded disambiguation, long algebraic notation (`Ng1-f3`,
/// `e2e4`), even without the letter of the piece (`g1-f3`, `e1-g1`), `P` for pawns, figurines (`♘f3`), typographic
/// dashes (`O–O`), and words after a move (`e.p.`, `dis.`, `mate`). Marks for captures and checks are not verified.
/// [`San::parse_strict`] accepts only what the standard prescribes, which is what [`Chess::san`] writes.
///
/// `Display` writes the move in the standard's letters, without suffixes.
///
/// ```
/// use halfmove_rules::{Chess, Move, San, SanError, Square};
///
/// let start = Chess::default();
/// let knight = San::parse(b"Nf3!?")?.resolve(&start)?;
/// assert_eq!(knight, Move::normal(Square::G1, Square::F3));
/// assert_eq!(start.san(knight).as_str(), "Nf3");
/// assert_eq!(San::parse(b"Ne5")?.resolve(&start), Err(SanError::Illegal));
/// # Ok::<(), SanError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// Every other move.
    Normal {
        /// The piece that moves.
        role: Role,
        /// The origin's file, if given.
        file: Option<File>,
        /// The origin's rank, if given.
        rank: Option<Rank>,
        /// The target.
        to: Square,
        /// True if it is marked as a capture.
        capture: bool,
        /// The role that the pawn promotes to, if given.
        promotion: Option<Role>,
    },
}

/// The reason why a SAN does not name a legal move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not SAN.
    #[error("unreadable at byte {offset}: expected a move such as e4, Nf3, exd5, O-O or e8=Q")]
    Syntax {
        /// The offset of the first invalid byte; the length of the text if it ends too early.
        offset: usize,
    },
    /// A null move (`--`, `Z0`, `<>`, `null`, `pass`, `@@@@`, `0000`), which is not a legal move.
    #[error("a null move: expected a legal move")]
    Null,
    /// No such piece can move there.
    #[error("illegal: no such piece can go there")]
    Illegal,
    /// Several such pieces can move there.
    #[error("ambiguous: several such pieces can go there, expected the file or rank it comes from")]
    Ambiguous,
    /// A pawn reaches the last rank, but the text has no promotion.
    #[error("incomplete: expected a promotion, as in e8=Q")]
    MissingPromotion,
}

/// The reason why a text is not a legal move in standard SAN.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrictSanError {
    /// The text is not a legal move, even with tolerant parsing.
    #[error(transparent)]
    San(#[from] SanError),
    /// The text is a legal move, but not in the standard form.
    #[error("not as the standard writes it: expected {expected}")]
    Loose {
        /// The standard form.
        expected: SanText,
    },
}

/// The standard spelling of a null move.
pub(crate) const NULL: &str = "--";

/// Returns true for the spellings of a null move by various programs.
fn is_null(text: &[u8]) -> bool {
    let is_word = |word: &[u8]| text.eq_ignore_ascii_case(word);
    matches!(text, b"--" | b"<>" | b"@@@@" | b"0000")
        || [&b"Z0"[..], b"null", b"pass"].into_iter().any(is_word)
}

impl San {
    /// Reads one move.
    ///
    /// # Errors
    /// [`SanError::Syntax`] or [`SanError::Null`].
    pub fn parse(text: &[u8]) -> Result<Self, SanError> {
        if let Some(san) = Self::parse_usual(text) {
            return Ok(san);
        }
        match Self::parse_plain(text) {
            Err(error @ SanError::Syntax { .. }) => Self::parse_sloppy(text, error),
            result => result,
        }
    }

    /// Reads the form of nearly all moves in practice: `e4`, `exd5`, `Nf3`, `Nxe5`, perhaps with `+` or `#`.
    #[inline]
    fn parse_usual(text: &[u8]) -> Option<Self> {
        let text = match text {
            [head @ .., b'+' | b'#'] => head,
            _ => text,
        };
        let [head @ .., to_file, to_rank] = text else { return None };
        let to = Square::from_name(*to_file, *to_rank)?;
        let (role, file, capture) = match *head {
            [] => (Role::Pawn, None, false),
            [letter] => (Role::from_letter(letter)?, None, false),
            [letter @ b'a'..=b'h', b'x'] => (Role::Pawn, File::from_letter(letter), true),
            // A pawn capture names the pawn's file.
            [letter, b'x'] if letter != b'P' => (Role::from_letter(letter)?, None, true),
            _ => return None,
        };
        Some(Self::Normal { role, file, rank: None, to, capture, promotion: None })
    }

    /// Reads a legal move exactly as the standard writes it: with the minimal disambiguation, and
    /// with the correct marks for capture, check and mate.
    ///
    /// ```
    /// use halfmove_rules::{Chess, San};
    /// let start = Chess::default();
    /// assert!(San::parse_strict(b"Nf3", &start).is_ok());
    /// let error = San::parse_strict(b"Ngf3", &start).unwrap_err();
    /// assert_eq!(error.to_string(), "not as the standard writes it: expected Nf3");
    /// ```
    ///
    /// # Errors
    /// [`StrictSanError`].
    pub fn parse_strict(text: &[u8], position: &Chess) -> Result<Move, StrictSanError> {
        let mv = Self::parse(text)?.resolve(position)?;
        let expected = position.san(mv);
        if text == expected.as_bytes() { Ok(mv) } else { Err(StrictSanError::Loose { expected }) }
    }

    /// Returns true for a remark about the previous move, as in old files: `ch`, `mate`, `dbl`, `dis`, `e.p.`, in upper
    /// or lower case. Such remarks are redundant.
    ///
    /// ```
    /// use halfmove_rules::San;
    /// assert!(San::is_remark(b"ch") && !San::is_remark(b"c4"));
    /// ```
    pub fn is_remark(text: &[u8]) -> bool {
        sloppy::is_remark(text)
    }

    /// Rewrites rare forms as plain SAN. If that fails too, the error is the one for the original
    /// text.
    #[cold]
    fn parse_sloppy(text: &[u8], error: SanError) -> Result<Self, SanError> {
        match sloppy::normalize(text).map(|plain| Self::parse_plain(&plain)) {
            None | Some(Err(SanError::Syntax { .. })) => Err(error),
            Some(result) => result,
        }
    }

    fn parse_plain(text: &[u8]) -> Result<Self, SanError> {
        if is_null(text) {
            return Err(SanError::Null);
        }
        let mut text = text;
        while let [head @ .., b'+' | b'#' | b'!' | b'?'] = text {
            text = head;
        }
        match text {
            b"O-O" | b"0-0" | b"o-o" | b"OO" | b"00" | b"oo" => {
                return Ok(Self::Castle(CastlingSide::KingSide));
            }
            b"O-O-O" | b"0-0-0" | b"o-o-o" | b"OOO" | b"000" | b"ooo" => {
                return Ok(Self::Castle(CastlingSide::QueenSide));
            }
            _ => {}
        }
        // The rest of the text starts at this byte.
        let (role, start, text) = match text {
            [letter, rest @ ..] => match Role::from_letter(*letter) {
                Some(role) => (role, 1, rest),
                None => (Role::Pawn, 0, text),
            },
            [] => return Err(SanError::Syntax { offset: 0 }),
        };
        let error = |at: usize| SanError::Syntax { offset: start + at };
        let (promotion, text) = parse_promotion(text).map_err(error)?;
        let (mut file, mut rank) = (None, None);
        // The last file and rank are the target; anything before them is the origin.
        let mut to = (None, None);
        let mut capture = false;
        for (at, &byte) in text.iter().enumerate() {
            if let Some(letter) = File::from_letter(byte) {
                if file.is_some() || rank.is_some() && to.0.is_some() {
                    return Err(error(at));
                }
                file = to.0;
                rank = to.1.or(rank);
                to = (Some(letter), None);
            } else if let Some(digit) = Rank::from_digit(byte) {
                if to.1.is_some() {
                    return Err(error(at));
                }
                to.1 = Some(digit);
            } else if matches!(byte, b'x' | b':' | b'-') {
                // It must directly precede the target. In a pawn move, a file must precede a capture mark, and a full
                // square a dash.
                let takes = byte != b'-';
                let is_pawn_origin = to.0.is_some() && (takes || to.1.is_some());
                if text.len() - at != 3 || role == Role::Pawn && !is_pawn_origin {
                    return Err(error(at));
                }
                capture |= takes;
            } else {
                return Err(error(at));
            }
        }
        let (Some(to_file), Some(to_rank)) = to else { return Err(error(text.len())) };
        if promotion.is_some() && role != Role::Pawn {
            return Err(error(text.len()));
        }
        let to = Square::new(to_file, to_rank);
        Ok(Self::Normal { role, file, rank, to, capture, promotion })
    }

    /// Finds the legal move.
    ///
    /// # Errors
    /// [`SanError::Illegal`], [`SanError::Ambiguous`] or [`SanError::MissingPromotion`].
    #[inline]
    pub fn resolve(&self, position: &Chess) -> Result<Move, SanError> {
        match *self {
            Self::Castle(side) => position.castle(side).ok_or(SanError::Illegal),
            Self::Normal {
                role: role @ (Role::Pawn | Role::King),
                file: Some(file),
                rank: Some(rank),
                to,
                promotion: None,
                ..
            } if is_of_squares(position, role, Square::new(file, rank)) => {
                let squares = UciMove { from: Square::new(file, rank), to, promotion: None };
                squares.resolve(position).map_err(|_| SanError::Illegal)
            }
            Self::Normal { role: Role::Pawn, file, rank, to, promotion, .. } => {
                resolve_pawn(position, file, rank, to, promotion)
            }
            // Only pawns promote.
            Self::Normal { promotion: Some(_), .. } => Err(SanError::Illegal),
            Self::Normal { role, file, rank, to, .. } => {
                let us = position.side_to_move();
                if position.board().by_color(us).has(to) {
                    return Err(SanError::Illegal);
                }
                let from = one_safe(position, movers(position, role, to) & origin(file, rank), to)?;
                Ok(Move::normal(from, to))
            }
        }
    }
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Normal { role, file, rank, to, capture, promotion } = *self else {
            return f.write_str(match self {
                Self::Castle(CastlingSide::QueenSide) => "O-O-O",
                _ => "O-O",
            });
        };
        if role != Role::Pawn {
            write!(f, "{}", role.letter())?;
        }
        if let Some(file) = file {
            write!(f, "{file}")?;
        }
        if let Some(rank) = rank {
            write!(f, "{rank}")?;
        }
        write!(f, "{}{to}", if capture { "x" } else { "" })?;
        match promotion {
            Some(role) => write!(f, "={}", role.letter()),
            None => Ok(()),
        }
    }
}

/// Splits `e8=Q`, `e8Q`, `e8(Q)` or `e8/Q` into the role and the text before it; on failure,
/// returns the offset of the letter.
fn parse_promotion(text: &[u8]) -> Result<(Option<Role>, &[u8]), usize> {
    let (letter, head) = match text {
        [head @ .., b'(', letter, b')'] => (letter.to_ascii_uppercase(), head),
        [head @ .., b'=' | b'/', letter] => (letter.to_ascii_uppercase(), head),
        [head @ .., letter @ (b'Q' | b'R' | b'B' | b'N')] => (*letter, head),
        _ => return Ok((None, text)),
    };
    match Role::from_letter(letter) {
        Some(Role::Pawn | Role::King) | None => Err(head.len() + 1),
        role => Ok((role, head)),
    }
}

/// Returns true for a move given by two squares alone: `g1-f3` without the letter of the piece, and `Ke1-g1`, which is
/// castling.
fn is_of_squares(position: &Chess, role: Role, from: Square) -> bool {
    let board = position.board();
    match role {
        Role::King => position.king(position.side_to_move()) == from,
        _ => board.role_at(from) != Some(Role::Pawn),
    }
}

/// The squares that match the given file and rank.
#[inline]
fn origin(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::file) & rank.map_or(Bitboard::FULL, Bitboard::rank)
}

/// Our pieces of a role (not pawns) that attack a square, even if moving there exposes the king.
#[inline]
fn movers(position: &Chess, role: Role, to: Square) -> Bitboard {
    let board = position.board();
    let occupied = board.occupied();
    let reach = match role {
        Role::Pawn | Role::Khon | Role::Met => Bitboard::EMPTY,
        Role::Knight => attacks::knight(to),
        Role::Bishop => attacks::bishop(to, occupied),
        Role::Rook => attacks::rook(to, occupied),
        Role::Queen => attacks::queen(to, occupied),
        Role::King => attacks::king(to),
    };
    reach & board.by_role(role) & board.by_color(position.side_to_move())
}

/// Returns true if our piece may move between two squares without exposing its king.
#[inline]
fn is_safe(position: &Chess, from: Square, to: Square) -> bool {
    let king = position.king(position.side_to_move());
    // A piece off the king's lines cannot expose the king unless there is a check. The king itself
    // is never on its own line; en passant captures do not get here.
    let free = lines::line(king, from).is_empty() && from != king && !position.is_check();
    free || position.leaves_king_safe(from, to)
}

#[inline]
fn one_safe(position: &Chess, candidates: Bitboard, to: Square) -> Result<Square, SanError> {
    let mut found = None;
    for from in candidates {
        if is_safe(position, from, to) && found.replace(from).is_some() {
            return Err(SanError::Ambiguous);
        }
    }
    found.ok_or(SanError::Illegal)
}

fn resolve_pawn(
    position: &Chess,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, SanError> {
    let us = position.side_to_move();
    let board = position.board();
    let pawns = board.by_role(Role::Pawn) & board.by_color(us);
    let target = Bitboard::square(to);
    let candidates = if file.is_none_or(|file| file == to.file()) {
        let empty = !board.occupied();
        let one = (target & empty).forward(!us);
        let fourth = Bitboard::rank(relative_rank(us, Rank::Fourth));
        let two = ((target & empty & fourth).forward(!us) & empty).forward(!us);
        (one | two) & pawns & rank.map_or(Bitboard::FULL, Bitboard::rank)
    } else if board.by_color(!us).has(to) || position.pseudo_ep_square() == Some(to) {
        attacks::pawn(!us, to) & pawns & origin(file, rank)
    } else {
        Bitboard::EMPTY
    };
    let from = candidates.first().ok_or(SanError::Illegal)?;
    let en_passant = position.pseudo_ep_square() == Some(to) && from.file() != to.file();
    let safe =
        if en_passant { position.leaves_king_safe(from, to) } else { is_safe(position, from, to) };
    match (safe, to.rank() == relative_rank(us, Rank::Eighth), promotion) {
        (false, ..) | (_, false, Some(_)) => Err(SanError::Illegal),
        (true, false, None) => Ok(Move::normal(from, to)),
        (true, true, Some(role)) if Role::PROMOTIONS.contains(&role) => {
            Ok(Move::promoting(from, to, role))
        }
        (true, true, Some(_)) => Err(SanError::Illegal),
        (true, true, None) => Err(SanError::MissingPromotion),
    }
}

/// A move as text, with its check or mate mark. It is stored on the stack.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct SanText(pub(crate) ArrayString<8>);

impl SanText {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for SanText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Chess {
    /// Writes a legal move as SAN, with the minimal disambiguation. For a move that is not legal
    /// here, the text is unspecified.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Role, Square};
    /// let position: Chess = "7k/5P1p/6K1/8/8/8/8/8 w - - 0 1".parse()?;
    /// let mv = Move::promote(Square::F7, Square::F8, Role::Rook).expect("a pawn may");
    /// assert_eq!(position.san(mv).as_str(), "f8=R#");
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    pub fn san(&self, mv: Move) -> SanText {
        let mut text = ArrayString::new();
        // The longest moves have seven or eight letters, such as Qa1xb2+: writing cannot run out of
        // room.
        let _ = self.write_san(mv, &mut text);
        SanText(text)
    }

    /// Reads SAN tolerantly and finds the legal move: see [`San`].
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, SanError, Square};
    /// let start = Chess::default();
    /// assert_eq!(start.parse_san("Nf3"), Ok(Move::normal(Square::G1, Square::F3)));
    /// assert_eq!(start.parse_san("Nf4"), Err(SanError::Illegal));
    /// ```
    ///
    /// # Errors
    /// [`SanError`] if the text is not SAN, or names no legal move or several.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        San::parse(text.as_bytes())?.resolve(self)
    }

    fn write_san(&self, mv: Move, text: &mut ArrayString<8>) -> fmt::Result {
        if mv.is_null() {
            return text.write_str(NULL);
        }
        let (from, to) = (mv.from(), mv.to());
        let role = self.board().role_at(from).unwrap_or(Role::Pawn);
        let takes = self.board().occupied().has(to);
        if mv.is_castle() {
            text.write_str(match CastlingSide::of(from, to) {
                CastlingSide::KingSide => "O-O",
                CastlingSide::QueenSide => "O-O-O",
            })?;
        } else if role == Role::Pawn {
            if from.file() != to.file() {
                write!(text, "{}x", from.file())?;
            }
            write!(text, "{to}")?;
            if let Some(role) = mv.promotion() {
                write!(text, "={}", role.letter())?;
            }
        } else {
            let rivals: Bitboard = (movers(self, role, to) - from)
                .into_iter()
                .filter(|rival| is_safe(self, *rival, to))
                .collect();
            write!(text, "{}", role.letter())?;
            if !rivals.is_empty() {
                let same_file = rivals.intersects(Bitboard::file(from.file()));
                let same_rank = rivals.intersects(Bitboard::rank(from.rank()));
                if !same_file || same_rank {
                    write!(text, "{}", from.file())?;
                }
                if same_file {
                    write!(text, "{}", from.rank())?;
                }
            }
            write!(text, "{}{to}", if takes { "x" } else { "" })?;
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        match next.is_check() {
            true if !next.has_moves() => text.write_str("#"),
            true => text.write_str("+"),
            false => Ok(()),
        }
    }
}
