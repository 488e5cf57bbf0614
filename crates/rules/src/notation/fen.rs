//! FEN, X-FEN and Shredder-FEN.
//!
//! Sources: Steven J. Edwards, *PGN Specification* (1994), section 16.1; for X-FEN, Reinhard
//! Scharnagl (2003).

use crate::setup::back_rank;
use crate::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Chess, Color, Flaws, Piece,
    PositionError, Role, Setup, Square,
};
use core::fmt;
use core::str::FromStr;
use halfmove_bitboard::{File, Rank};
use thiserror::Error;

/// One of the six fields of a FEN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "placement of pieces",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "half-move clock",
            Self::FullmoveNumber => "full-move number",
        })
    }
}

/// The reason why a text is not a FEN: the field, the byte offset, and the expected text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("FEN, {field}, byte {offset}: expected {expected}")]
pub struct FenSyntaxError {
    /// The invalid field.
    pub field: FenField,
    /// The offset of the first invalid byte, from 0.
    pub offset: usize,
    /// The text expected there.
    pub expected: &'static str,
}

/// The reason why a FEN is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] FenSyntaxError),
    /// The text is a FEN, but its position is not legal.
    #[error("not a legal position: {0}")]
    Position(#[from] PositionError),
}

/// The fields of a text with their offsets. They end at a `;`, where the operations of EPD begin.
pub(super) struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0 }
    }

    /// The offset of the next field, or of the end of the text.
    pub(super) fn offset(&mut self) -> usize {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.at
    }

    pub(super) fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let start = self.offset();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
        while self.text.get(self.at).is_some_and(|byte| !is_end(byte)) {
            self.at += 1;
        }
        (start < self.at).then(|| (start, &self.text[start..self.at]))
    }

    /// Goes back to an offset.
    pub(super) fn back_to(&mut self, offset: usize) {
        self.at = offset;
    }

    pub(super) fn required(
        &mut self,
        field: FenField,
        expected: &'static str,
    ) -> Result<(usize, &'a [u8]), FenSyntaxError> {
        self.next().ok_or(FenSyntaxError { field, offset: self.at, expected })
    }
}

impl FromStr for Setup {
    type Err = FenSyntaxError;

    /// Reads the six fields. The two counters may be missing, as in EPD, and default to 0 and 1.
    fn from_str(text: &str) -> Result<Self, FenSyntaxError> {
        let mut fields = Fields::new(text);
        let setup = parse_position(&mut fields)?;
        parse_end(text, fields, setup)
    }
}

/// Reads the two counters and the end of the text.
fn parse_end(
    text: &str,
    mut fields: Fields<'_>,
    mut setup: Setup,
) -> Result<Setup, FenSyntaxError> {
    setup.halfmove_clock = parse_counter(&mut fields, FenField::HalfmoveClock, 0)?;
    setup.fullmove_number = parse_counter(&mut fields, FenField::FullmoveNumber, 1)?.max(1);
    let offset = fields.offset();
    if offset < text.len() {
        let field = FenField::FullmoveNumber;
        return Err(FenSyntaxError { field, offset, expected: "nothing more" });
    }
    Ok(setup)
}

/// Reads the first two fields: the pieces and the side to move.
pub(super) fn parse_board(
    fields: &mut Fields<'_>,
) -> Result<(Board, Option<Color>), FenSyntaxError> {
    const RANKS: &str = "eight ranks of pieces (PNBRQK pnbrqk) and counts (1-8), separated by '/'";
    let (offset, placement) = fields.required(FenField::Placement, RANKS)?;
    let board = parse_placement(offset, placement)?;
    let side_to_move = match fields.next() {
        Some((_, b"w")) => Some(Color::White),
        Some((_, b"b")) => Some(Color::Black),
        Some((offset, _)) => return Err(no_side(offset)),
        None => None,
    };
    Ok((board, side_to_move))
}

const fn no_side(offset: usize) -> FenSyntaxError {
    FenSyntaxError { field: FenField::SideToMove, offset, expected: "'w' or 'b'" }
}

/// Reads the first four fields: the position itself.
pub(super) fn parse_position(fields: &mut Fields<'_>) -> Result<Setup, FenSyntaxError> {
    let (board, side_to_move) = parse_board(fields)?;
    let side_to_move = side_to_move.ok_or(no_side(fields.at))?;

    const RIGHTS: &str =
        "'-' or some of KQkq, or the files of the rooks that may castle, one a wing";
    let (offset, rights) = fields.required(FenField::Castling, RIGHTS)?;
    let castling = parse_castling(&board, rights).map_err(|at| FenSyntaxError {
        field: FenField::Castling,
        offset: offset + at,
        expected: RIGHTS,
    })?;

    const EN_PASSANT: &str = "'-' or a square of the third or sixth rank";
    let (offset, square) = fields.required(FenField::EnPassant, EN_PASSANT)?;
    let error = FenSyntaxError { field: FenField::EnPassant, offset, expected: EN_PASSANT };
    let ep_square = parse_ep_square(fields, (offset, square)).ok_or(error)?;
    Ok(Setup { board, side_to_move, castling, ep_square, halfmove_clock: 0, fullmove_number: 1 })
}

/// Reads the en passant square; `None` if the text is neither `-` nor a possible square.
pub(super) fn parse_ep_square(
    fields: &mut Fields<'_>,
    (offset, text): (usize, &[u8]),
) -> Option<Option<Square>> {
    match *text {
        [b'-'] => Some(None),
        // Some test suites omit the space: `-0 1` for `- 0 1`, `-2 44` for `- 2 44`. Counters are never negative.
        [b'-', b'0'..=b'9', ..] => {
            fields.back_to(offset + 1);
            Some(None)
        }
        [file, rank @ (b'3' | b'6')] => Square::from_name(file, rank).map(Some),
        _ => None,
    }
}

/// Reads the two counters if they follow, as in some EPD files. Returns true if they did.
pub(super) fn parse_counters(fields: &mut Fields<'_>, setup: &mut Setup) -> bool {
    let start = fields.at;
    let mut counter = |field| {
        let offset = fields.offset();
        let counter = parse_counter(fields, field, 0).ok()?;
        (fields.at > offset).then_some(counter)
    };
    match (counter(FenField::HalfmoveClock), counter(FenField::FullmoveNumber)) {
        (Some(halfmove_clock), Some(fullmove_number)) => {
            setup.halfmove_clock = halfmove_clock;
            setup.fullmove_number = fullmove_number.max(1);
            true
        }
        _ => {
            fields.at = start;
            false
        }
    }
}

pub(super) fn parse_placement(start: usize, text: &[u8]) -> Result<Board, FenSyntaxError> {
    let error = |at: usize, expected| FenSyntaxError {
        field: FenField::Placement,
        offset: start + at,
        expected,
    };
    let mut board = Board::default();
    let (mut rank, mut file) = (7, 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'/' if file < 8 => return Err(error(at, "a rank of exactly eight squares")),
            b'/' if rank == 0 => return Err(error(at, "no more than eight ranks")),
            b'/' => (rank, file) = (rank - 1, 0),
            b'1'..=b'8' => file += usize::from(byte - b'0'),
            _ => {
                let piece = Piece::from_letter(byte)
                    .ok_or(error(at, "a piece (PNBRQK pnbrqk), a count (1-8) or '/'"))?;
                if file < 8 {
                    board.put(Square::new(File::ALL[file], Rank::ALL[rank]), piece);
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
    Ok(board)
}

/// Reads `KQkq`, rook files, or a mix; on failure, returns the offset of the invalid letter.
fn parse_castling(board: &Board, text: &[u8]) -> Result<CastlingRights, usize> {
    let mut rights = CastlingRights::NONE;
    if text == b"-" {
        return Ok(rights);
    }
    for (at, &letter) in text.iter().enumerate() {
        let (color, side, rook) = parse_right(board, letter).ok_or(at)?;
        // Two rooks on one side are ambiguous.
        if rights.rook(color, side).is_some() {
            return Err(at);
        }
        rights.set(color, side, Some(rook));
    }
    Ok(rights)
}

/// Reads one letter of the castling rights. If there is no rook, the right gets the corner square, and validation
/// reports it.
pub(super) fn parse_right(board: &Board, letter: u8) -> Option<(Color, CastlingSide, Square)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let rank = back_rank(color);
    let king = board.king(color).filter(|king| king.rank() == rank);
    let king = king.unwrap_or(Square::new(File::E, rank));
    let rooks = rooks_on_back_rank(board, color);
    let beyond = |rook: &Square, side| CastlingSide::of(king, *rook) == side;
    let (side, rook) = match letter.to_ascii_lowercase() {
        b'k' => (
            CastlingSide::KingSide,
            rooks.iter().rfind(|rook| beyond(rook, CastlingSide::KingSide)),
        ),
        b'q' => (
            CastlingSide::QueenSide,
            rooks.iter().find(|rook| beyond(rook, CastlingSide::QueenSide)),
        ),
        letter => {
            let file = File::from_letter(letter)?;
            let rook = Square::new(file, rank);
            // The h-file is on the king side, even if the king itself stands on h1 or h8.
            let king_side = file == File::H;
            let side =
                if king_side { CastlingSide::KingSide } else { CastlingSide::of(king, rook) };
            (side, Some(rook))
        }
    };
    let corner = match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    };
    Some((color, side, rook.unwrap_or(Square::new(corner, rank))))
}

fn rooks_on_back_rank(board: &Board, color: Color) -> Bitboard {
    board.by_piece(Piece { color, role: Role::Rook }) & Bitboard::rank(back_rank(color))
}

fn parse_counter(
    fields: &mut Fields<'_>,
    field: FenField,
    missing: u16,
) -> Result<u16, FenSyntaxError> {
    let Some((offset, digits)) = fields.next() else { return Ok(missing) };
    let expected = "a number from 0 to 65535";
    parse_number(digits).ok_or(FenSyntaxError { field, offset, expected })
}

pub(super) fn parse_number(digits: &[u8]) -> Option<u16> {
    core::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse().ok())
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_position(f, self, only_where_needed)?;
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

/// X-FEN: `K` and `Q` mean the outermost rook; any other rook is named by its file.
pub(super) fn only_where_needed(rook: Square, outermost: Square) -> bool {
    rook != outermost
}

/// A setup whose castling rights are written as files, as in `HAha`. Returned by
/// [`Setup::shredder`].
#[derive(Copy, Clone, Debug)]
pub struct ShredderFen<'a>(&'a Setup);

impl fmt::Display for ShredderFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_position(f, self.0, |_, _| true)?;
        write!(f, " {} {}", self.0.halfmove_clock, self.0.fullmove_number)
    }
}

impl Setup {
    /// Displays Shredder-FEN, in which castling rights are always rook files. The setup's own `Display` uses files
    /// only if `KQkq` would mean another rook.
    ///
    /// ```
    /// use halfmove_rules::Chess;
    /// let start = Chess::default().to_setup();
    /// assert_eq!(
    ///     start.shredder().to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    /// );
    /// ```
    pub fn shredder(&self) -> ShredderFen<'_> {
        ShredderFen(self)
    }
}

/// Writes the first four fields. `by_file` receives a rook and the outermost rook on its side, and returns true to
/// write the right as a file.
pub(super) fn write_position(
    f: &mut fmt::Formatter<'_>,
    setup: &Setup,
    by_file: impl Fn(Square, Square) -> bool,
) -> fmt::Result {
    write!(f, "{} ", setup.board.placement())?;
    f.write_str(match setup.side_to_move {
        Color::White => "w ",
        Color::Black => "b ",
    })?;
    for (color, side, rook) in setup.castling.iter() {
        let rooks = rooks_on_back_rank(&setup.board, color);
        let (letter, outermost) = match side {
            CastlingSide::KingSide => ('k', rooks.last()),
            CastlingSide::QueenSide => ('q', rooks.first()),
        };
        let by_file = outermost.is_none_or(|outermost| by_file(rook, outermost));
        let letter = if by_file { rook.file().letter() } else { letter };
        let white = color == Color::White;
        write!(f, "{}", if white { letter.to_ascii_uppercase() } else { letter })?;
    }
    if setup.castling.is_empty() {
        f.write_str("-")?;
    }
    match setup.ep_square {
        Some(square) => write!(f, " {square}"),
        None => f.write_str(" -"),
    }
}

impl Chess {
    /// Reads a FEN in a castling mode; `None` means [infer it from the FEN](Setup::castling_mode).
    ///
    /// Like `parse`, which reads standard chess, it accepts every playable position, even if no game can reach it:
    /// it forgives [`Flaws::UNREACHABLE`] and nothing else.
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Chess};
    ///
    /// let fen = "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1";
    /// assert!(Chess::from_fen(fen, Some(CastlingMode::Standard)).is_err());
    /// assert!(Chess::from_fen(fen, Some(CastlingMode::Chess960))?.is_chess960());
    /// assert!(Chess::from_fen(fen, None)?.is_chess960());
    /// # Ok::<(), halfmove_rules::FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenError`], if the text is not a FEN or its position is not legal.
    pub fn from_fen(fen: &str, mode: Option<CastlingMode>) -> Result<Self, FenError> {
        Ok(Self::from_setup_in(fen.parse()?, mode, Flaws::UNREACHABLE)?)
    }
}

impl FromStr for Chess {
    type Err = FenError;

    /// Reads a playable position of standard chess, even if no game can reach it: it forgives
    /// [`Flaws::UNREACHABLE`] and nothing else. For Chess960 use [`Chess::from_fen`].
    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text, Some(CastlingMode::Standard))
    }
}

impl fmt::Display for Chess {
    /// Writes X-FEN, with the en passant square only if a capture there is legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}
