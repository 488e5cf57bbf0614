//! The default codec, version 0: which piece, how far, in one byte.
//!
//! Pieces are identified by a number ([16 a side](#codes)), moves by their direction and distance.
//! Black's moves are written as if the board were mirrored top to bottom (a8 becomes a1), so that
//! both sides share the codes.
//!
//! # Codes
//!
//! | bytes | piece | 0, 1, 2 … within the piece's codes |
//! |---|---|---|
//! | `00`–`1f` | pawns, by file: 4 codes each | one step, two steps, capture east, capture west |
//! | `20`–`2f` | knights: 8 each | NNE, ENE, ESE, SSE, SSW, WSW, WNW, NNW |
//! | `30`–`67` | bishops: 28 each | NE 1–7, SE 1–7, SW 1–7, NW 1–7 |
//! | `68`–`9f` | rooks: 28 each | N 1–7, E 1–7, S 1–7, W 1–7 |
//! | `a0`–`d7` | queen: 56 | as a rook, then as a bishop |
//! | `d8`–`df` | king: 8 | N, NE, E, SE, S, SW, W, NW |
//! | `e0` `e1` | castling | king's side, queen's side |
//! | `e2` | any other move | its two bytes ([`Move::to_bits`]) follow, low byte first |
//! | `e3` | (first byte only) | the game starts from a position or a move number of its own |
//! | `e4`–`ff` | reserved | |
//!
//! "Any other move" is a promotion, an en passant capture, or a move of a piece without a number: a
//! promoted piece, or a third knight in a custom start position. In master games these moves add
//! half a percent to the size.
//!
//! # Source
//! The idea, *which piece goes where*, is by Peter Schäfer (jose) and Brenner; the codes are our
//! own.
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_rules::{Chess, Move, Square};
//!
//! let start = Chess::default();
//! let moves = [Move::normal(Square::E2, Square::E4), Move::normal(Square::G8, Square::F6)];
//! let mut bytes = Vec::new();
//! halfmove::encode(&start, &moves, &mut bytes);
//! assert_eq!(bytes, [0x11, 0x2f]);
//! assert_eq!(halfmove::decode(&start, &bytes)?, moves);
//! # Ok::<(), halfmove_game::codec::DecodeError>(())
//! ```

use super::pieces::{ABSENT, PIECES, number, number_on};
use super::{DecodeError, DecodeErrorKind};
use halfmove_rules::{CastlingSide, Chess, Color, Move, Role, Square};

/// The version of these codes, stored next to the bytes.
pub const VERSION: u32 = 0;

pub(crate) const CASTLE_KING_SIDE: u8 = 0xe0;
pub(crate) const CASTLE_QUEEN_SIDE: u8 = 0xe1;
pub(crate) const OTHER_MOVE: u8 = 0xe2;
pub(crate) const OWN_START: u8 = 0xe3;

const QUEEN: usize = 14;
const QUEEN_EAST_7: u8 = 0xad;
const QUEEN_WEST_7: u8 = 0xbb;

/// The kind of a code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A numbered piece moves in the direction and distance of the code.
    Plain,
    KingSide,
    QueenSide,
    /// Two bytes follow.
    Other,
    Reserved,
}

/// One row of the table of codes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Code {
    pub(crate) kind: Kind,
    pub(crate) piece: u8,
    pub(crate) role: Role,
    /// The difference between the target and the origin.
    pub(crate) delta: i8,
    /// The same on a board 16 squares wide, where unlike steps have unlike differences.
    pub(crate) wide: i16,
}

/// The codes as each side reads them.
pub(crate) static CODES: [[Code; 256]; 2] = [codes(1), codes(-1)];

/// The code for a piece's delta, or [`OTHER_MOVE`] if there is none: the inverse of [`CODES`]. The
/// exception is the queen's seven squares along a rank, which have the same delta as one square
/// along a diagonal.
static BYTES: [[[u8; 128]; PIECES]; 2] = [bytes(&CODES[0]), bytes(&CODES[1])];

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KING: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const PAWN: [(i8, i8); 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];

const fn codes(forward: i8) -> [Code; 256] {
    let mut table =
        [Code { kind: Kind::Reserved, piece: 0, role: Role::Pawn, delta: 0, wide: 0 }; 256];
    let mut next = 0;
    let mut piece = 0;
    while piece < PIECES {
        let (role, steps, reach): (_, &[(i8, i8)], _) = match piece {
            0..8 => (Role::Pawn, &PAWN, 1),
            8 | 9 => (Role::Knight, &KNIGHT, 1),
            10 | 11 => (Role::Bishop, &BISHOP, 7),
            12 | 13 => (Role::Rook, &ROOK, 7),
            14 => (Role::Queen, &ROOK, 7),
            _ => (Role::King, &KING, 1),
        };
        next = enter(&mut table, next, forward, (piece, role), steps, reach);
        if piece == 14 {
            next = enter(&mut table, next, forward, (piece, role), &BISHOP, 7);
        }
        piece += 1;
    }
    assert!(next == CASTLE_KING_SIDE as usize);
    table[CASTLE_KING_SIDE as usize].kind = Kind::KingSide;
    table[CASTLE_QUEEN_SIDE as usize].kind = Kind::QueenSide;
    table[OTHER_MOVE as usize].kind = Kind::Other;
    table
}

/// Enters a piece's codes, direction by direction, and returns the next free code.
const fn enter(
    table: &mut [Code; 256],
    mut next: usize,
    forward: i8,
    (piece, role): (usize, Role),
    steps: &[(i8, i8)],
    reach: i8,
) -> usize {
    let mut step = 0;
    while step < steps.len() {
        let (files, ranks) = steps[step];
        let mut distance = 1;
        while distance <= reach {
            let delta = distance * (files + 8 * ranks * forward);
            let wide = distance as i16 * (files as i16 + 16 * (ranks * forward) as i16);
            table[next] = Code { kind: Kind::Plain, piece: piece as u8, role, delta, wide };
            next += 1;
            distance += 1;
        }
        step += 1;
    }
    next
}

const fn bytes(codes: &[Code; 256]) -> [[u8; 128]; PIECES] {
    let mut table = [[OTHER_MOVE; 128]; PIECES];
    let mut byte = 0;
    while byte < 256 {
        let code = codes[byte];
        if matches!(code.kind, Kind::Plain) {
            table[code.piece as usize][(code.delta + 64) as usize] = byte as u8;
        }
        byte += 1;
    }
    table
}

/// Appends a main line to `out`.
///
/// The moves must be legal from `start`; otherwise the bytes are unspecified.
pub fn encode(start: &Chess, moves: &[Move], out: &mut Vec<u8>) {
    if !is_usual_start(start) {
        out.push(OWN_START);
    }
    let mut pieces = Pieces::new(start);
    for &mv in moves {
        let code = pieces.code(mv);
        out.push(code);
        if code == OTHER_MOVE {
            out.extend(mv.to_bits().to_le_bytes());
        }
        pieces.play(mv);
    }
}

/// The number of half-moves in encoded bytes, computed without validating them.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// assert_eq!(halfmove::plies(&[0x11, 0x11, 0xe2, 0x24, 0x0b]), 3);
/// ```
pub fn plies(bytes: &[u8]) -> u32 {
    let mut rest = without_start(bytes);
    let mut plies = 0;
    while let [code, tail @ ..] = rest {
        plies += 1;
        rest = if *code == OTHER_MOVE { tail.get(2..).unwrap_or_default() } else { tail };
    }
    plies
}

/// Whether this is exactly the usual start: the position, and counters of 0 and 1.
///
/// Positions that differ only in their counters are equal, but a game that starts from one of them
/// numbers its moves differently.
///
/// ```
/// use halfmove_game::codec::halfmove;
/// use halfmove_rules::Chess;
/// assert!(halfmove::is_usual_start(&Chess::default()));
/// let seventh = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7".parse::<Chess>()?;
/// assert!(seventh == Chess::default() && !halfmove::is_usual_start(&seventh));
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
pub fn is_usual_start(start: &Chess) -> bool {
    start.halfmove_clock() == 0 && start.fullmove_number() == 1 && *start == Chess::default()
}

/// Whether the bytes encode a game with a start position other than the usual one, which is needed
/// to decode them or to number its moves.
#[inline]
pub fn has_own_start(bytes: &[u8]) -> bool {
    bytes.first() == Some(&OWN_START)
}

#[inline]
pub(crate) fn without_start(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(&[OWN_START]).unwrap_or(bytes)
}

/// Reads a whole main line.
///
/// # Errors
/// The first invalid byte.
pub fn decode(start: &Chess, bytes: &[u8]) -> Result<Vec<Move>, DecodeError> {
    let mut moves = Vec::with_capacity(bytes.len());
    for mv in Decoder::new(start, bytes)? {
        moves.push(mv?);
    }
    Ok(moves)
}

/// Reads a main line move by move, and keeps the position after each.
///
/// ```
/// use halfmove_game::codec::halfmove::Decoder;
/// use halfmove_rules::Chess;
///
/// let mut decoder = Decoder::new(&Chess::default(), &[0x11, 0x2f])?;
/// while let Some(mv) = decoder.next() {
///     mv?;
/// }
/// assert!(decoder.position().to_string().starts_with("rnbqkb1r/pppppppp/5n2/8/4P3/8/"));
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    position: Chess,
    pieces: Pieces,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of a game.
    ///
    /// # Errors
    /// If the bytes are marked as starting from the usual position and `start` is another one, or
    /// the other way round.
    pub fn new(start: &Chess, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        check_start(StartMark::of(start), bytes)?;
        let at = usize::from(has_own_start(bytes));
        Ok(Self { position: start.clone(), pieces: Pieces::new(start), bytes, at })
    }

    /// The position after the moves read so far.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    fn read(&mut self, byte: u8) -> Result<Move, DecodeErrorKind> {
        let us = self.position.side_to_move();
        let code = CODES[us.index()][usize::from(byte)];
        let mv = match code.kind {
            Kind::Plain => {
                let from =
                    self.pieces.square(us, code.piece).ok_or(DecodeErrorKind::NoSuchPiece)?;
                Move::normal(from, Square::wrapping((from as u8).wrapping_add_signed(code.delta)))
            }
            Kind::KingSide => self.castle(CastlingSide::KingSide)?,
            Kind::QueenSide => self.castle(CastlingSide::QueenSide)?,
            Kind::Other => {
                let bits = self.bytes.get(self.at + 1..self.at + 3);
                let bits = bits.and_then(|bits| bits.try_into().ok()).map(u16::from_le_bytes);
                let bits = bits.ok_or(DecodeErrorKind::Truncated)?;
                self.at += 2;
                spelled_out(bits).ok_or(DecodeErrorKind::Reserved(byte))?
            }
            Kind::Reserved => return Err(DecodeErrorKind::Reserved(byte)),
        };
        if !self.position.is_legal(mv) {
            return Err(DecodeErrorKind::Illegal(mv));
        }
        Ok(mv)
    }

    fn castle(&self, side: CastlingSide) -> Result<Move, DecodeErrorKind> {
        let us = self.position.side_to_move();
        let rook = self.position.castling().rook(us, side).ok_or(DecodeErrorKind::NoSuchPiece)?;
        Ok(Move::castle(self.position.king(us), rook))
    }
}

impl Iterator for Decoder<'_> {
    type Item = Result<Move, DecodeError>;

    /// The next move; `None` after an error.
    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.at;
        let byte = *self.bytes.get(offset)?;
        Some(match self.read(byte) {
            Ok(mv) => {
                self.at += 1;
                self.pieces.play(mv);
                self.position.play_unchecked(mv);
                Ok(mv)
            }
            Err(kind) => {
                self.at = self.bytes.len();
                Err(DecodeError { offset, kind })
            }
        })
    }
}

/// The move in the two bytes after the code for other moves. `None` for a move to its own square
/// and for a promotion to a piece that chess does not have: no game has such moves.
pub(crate) fn spelled_out(bits: u16) -> Option<Move> {
    Move::from_bits(bits).filter(|mv| {
        mv.from() != mv.to() && mv.promotion().is_none_or(|role| Role::PROMOTIONS.contains(&role))
    })
}

/// Whether the bytes of a game must be marked as starting from a position of its own.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartMark {
    /// The usual start.
    Forbidden,
    /// The usual start with other counters: older encoders did not mark it.
    Optional,
    /// Another position.
    Required,
}

impl StartMark {
    pub(crate) fn of(start: &Chess) -> StartMark {
        match (*start == Chess::default(), is_usual_start(start)) {
            (_, true) => StartMark::Forbidden,
            (true, false) => StartMark::Optional,
            (false, false) => StartMark::Required,
        }
    }
}

/// Rejects bytes whose start marker contradicts the given start.
pub(crate) fn check_start(mark: StartMark, bytes: &[u8]) -> Result<(), DecodeError> {
    match (mark, has_own_start(bytes)) {
        (StartMark::Forbidden, true) => {
            Err(DecodeError { offset: 0, kind: DecodeErrorKind::OwnStart })
        }
        (StartMark::Required, false) => {
            Err(DecodeError { offset: 0, kind: DecodeErrorKind::UsualStart })
        }
        _ => Ok(()),
    }
}

/// The squares of both sides' numbered pieces, and the contents of every square.
#[derive(Clone, Debug)]
struct Pieces {
    squares: [[u8; PIECES]; 2],
    /// The piece on each square: color and number, one of the marks below, or [`ABSENT`].
    on: [u8; 64],
    us: Color,
}

impl Pieces {
    const UNNUMBERED: u8 = 0xfe;
    const UNNUMBERED_PAWN: u8 = 0xfd;

    fn new(start: &Chess) -> Self {
        let squares = number(start.board());
        let mut on = [ABSENT; 64];
        for square in start.board().occupied() {
            let pawn = start.board().by_role(Role::Pawn).has(square);
            on[square.index()] = if pawn { Self::UNNUMBERED_PAWN } else { Self::UNNUMBERED };
        }
        for color in Color::ALL {
            for square in Square::ALL {
                if let Some(piece) = number_on(&squares[color.index()], square) {
                    on[square.index()] = (color.index() * PIECES + piece) as u8;
                }
            }
        }
        Self { squares, on, us: start.side_to_move() }
    }

    /// The square of a numbered piece.
    fn square(&self, color: Color, piece: u8) -> Option<Square> {
        Square::from_index(self.squares[color.index()][usize::from(piece)])
    }

    /// The code of a legal move of ours.
    fn code(&self, mv: Move) -> u8 {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return match CastlingSide::of(from, to) {
                CastlingSide::KingSide => CASTLE_KING_SIDE,
                CastlingSide::QueenSide => CASTLE_QUEEN_SIDE,
            };
        }
        let piece = self.on[from.index()];
        if piece >= Self::UNNUMBERED_PAWN || mv.promotion().is_some() || self.is_en_passant(mv) {
            return OTHER_MOVE;
        }
        let piece = usize::from(piece) % PIECES;
        match to as i8 - from as i8 {
            7 if piece == QUEEN && from.rank() == to.rank() => QUEEN_EAST_7,
            -7 if piece == QUEEN && from.rank() == to.rank() => QUEEN_WEST_7,
            delta => BYTES[self.us.index()][piece][(delta + 64) as usize],
        }
    }

    /// Whether a pawn moves diagonally to an empty square.
    fn is_en_passant(&self, mv: Move) -> bool {
        let piece = self.on[mv.from().index()];
        let pawn = match piece {
            Self::UNNUMBERED_PAWN => true,
            Self::UNNUMBERED | ABSENT => false,
            numbered => usize::from(numbered) % PIECES < 8,
        };
        pawn && self.on[mv.to().index()] == ABSENT && mv.from().file() != mv.to().file()
    }

    fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let side = CastlingSide::of(from, to);
            let (king, rook) = (self.lift(from), self.lift(to));
            self.drop(king, Square::new(side.king_file(), from.rank()));
            self.drop(rook, Square::new(side.rook_file(), from.rank()));
        } else {
            let en_passant = self.is_en_passant(mv);
            let mut piece = self.lift(from);
            if mv.promotion().is_some() {
                piece = Self::UNNUMBERED;
            }
            self.lift(to);
            if en_passant {
                self.lift(Square::new(to.file(), from.rank()));
            }
            self.drop(piece, to);
        }
        self.us = !self.us;
    }

    /// Removes whatever stands on a square.
    fn lift(&mut self, square: Square) -> u8 {
        let piece = std::mem::replace(&mut self.on[square.index()], ABSENT);
        if piece < Self::UNNUMBERED_PAWN {
            self.squares.as_flattened_mut()[usize::from(piece)] = ABSENT;
        }
        piece
    }

    fn drop(&mut self, piece: u8, square: Square) {
        self.on[square.index()] = piece;
        if piece < Self::UNNUMBERED_PAWN {
            self.squares.as_flattened_mut()[usize::from(piece)] = square as u8;
        }
    }
}
