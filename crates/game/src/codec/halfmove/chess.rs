//! The codes of chess.

use halfmove_rules::{CastlingSide, Chess, Move, Role, Square};

use super::super::pieces::{ABSENT, PIECES, number};
use super::super::{DecodeError, DecodeErrorKind};
use crate::numbered::NumberedBoard;
use crate::numbered::tables::{CAPTURE, PUSH, difference};

pub(crate) const CASTLE_KING_SIDE: u8 = 0xe0;
pub(crate) const CASTLE_QUEEN_SIDE: u8 = 0xe1;
pub(crate) const OTHER_MOVE: u8 = 0xe2;
pub(crate) const NULL_MOVE: u8 = 0xe3;

/// The kind of codes without a piece.
pub(crate) const RARE: u8 = 7;

/// One row of the table of codes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Code {
    /// The kind of move, as in [`numbered::tables`](crate::numbered::tables): a pawn's step or capture or a move of
    /// another role. [`RARE`] for codes without a piece.
    pub(crate) kind: u8,
    pub(crate) piece: u8,
    pub(crate) role: Role,
    /// The difference between the target and the origin.
    pub(crate) delta: i8,
    /// The same on a board 16 squares wide, where different steps have different differences.
    pub(crate) wide: i16,
}

/// The codes from each side's point of view.
pub(crate) static CODES: [[Code; 256]; 2] = [codes(1), codes(-1)];

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KING: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const PAWN: [(i8, i8); 4] = [(0, 1), (0, 2), (1, 1), (-1, 1)];

const fn codes(forward: i8) -> [Code; 256] {
    let mut table = [Code { kind: RARE, piece: 0, role: Role::Pawn, delta: 0, wide: 0 }; 256];
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
    table
}

/// Enters a piece's codes into the table, direction by direction, and returns the next free code.
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
            let kind = match role {
                Role::Pawn if files == 0 => PUSH,
                Role::Pawn => CAPTURE,
                _ => role as usize,
            } as u8;
            table[next] = Code { kind, piece: piece as u8, role, delta, wide };
            next += 1;
            distance += 1;
        }
        step += 1;
    }
    next
}

/// Appends legal moves.
pub(super) fn encode(start: &Chess, moves: &[Move], out: &mut Vec<u8>) {
    let mut board = board_of(start);
    out.reserve(moves.len());
    for &mv in moves {
        let code = board.play_move(mv).code;
        out.push(code);
        if code == OTHER_MOVE {
            out.extend(mv.to_bits().to_le_bytes());
        }
    }
}

fn board_of(start: &Chess) -> NumberedBoard {
    if *start == Chess::default() {
        return NumberedBoard::usual().clone();
    }
    NumberedBoard::new(start)
}

/// The number of half-moves in these codes, computed without checking them.
pub(super) fn plies(codes: &[u8]) -> usize {
    // Most games have only one-byte codes.
    let Some(mut plies) = memchr::memchr(OTHER_MOVE, codes) else { return codes.len() };
    let mut rest = &codes[plies..];
    while let [code, tail @ ..] = rest {
        plies += 1;
        rest = if *code == OTHER_MOVE { tail.get(2..).unwrap_or_default() } else { tail };
    }
    plies
}

/// Returns true if a pawn promotes, in a game from the standard starting position.
pub(crate) fn promotes(codes: &[u8]) -> bool {
    let mut rest = codes;
    while let Some(at) = memchr::memchr(OTHER_MOVE, rest) {
        // All other such moves are en passant captures, as long as every piece has a number.
        match rest[at + 1..] {
            [low, high, ref tail @ ..] => {
                let mv = spelled_out(u16::from_le_bytes([low, high]));
                if mv.is_none_or(|mv| mv.promotion().is_some()) {
                    return true;
                }
                rest = tail;
            }
            // The decoder reports the error.
            _ => return true,
        }
    }
    false
}

/// A decoder that reads and checks codes move by move.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    board: NumberedBoard,
    squares: [[u8; PIECES]; 2],
    pub(super) bytes: &'a [u8],
    /// The next code.
    pub(super) at: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder of the codes from `at` on.
    pub(super) fn new(start: &Chess, bytes: &'a [u8], at: usize) -> Decoder<'a> {
        Decoder { board: board_of(start), squares: number(start.board()), bytes, at }
    }

    /// The next move, `None` at the end.
    #[inline(always)]
    pub(super) fn next_move(&mut self) -> Option<Result<Move, DecodeError>> {
        let offset = self.at;
        let byte = *self.bytes.get(offset)?;
        Some(self.read(byte).map_err(|kind| DecodeError { offset, kind }))
    }

    #[inline(always)]
    fn read(&mut self, byte: u8) -> Result<Move, DecodeErrorKind> {
        let us = self.board.side_to_move().index();
        let code = &CODES[us][usize::from(byte)];
        if code.kind == RARE {
            return self.read_rare(byte);
        }
        let at = &mut self.squares[us][usize::from(code.piece) % PIECES];
        let from = Square::from_index(*at).ok_or(DecodeErrorKind::NoSuchPiece)?;
        let to = Square::wrapping((from as u8).wrapping_add_signed(code.delta));
        // A step off the board would wrap around.
        if difference(from, to) != (code.wide + 119) as usize {
            return Err(DecodeErrorKind::OffTheBoard);
        }
        let mv = Move::normal(from, to);
        let taken = self.board.play_code(from, to, code).ok_or(DecodeErrorKind::Illegal(mv))?;
        *at = to as u8;
        // The number of the captured piece, or an unused number.
        if let Some(at) = self.squares[us ^ 1].get_mut(taken) {
            *at = ABSENT;
        }
        self.at += 1;
        Ok(mv)
    }

    /// Castling, promotions, en passant captures, pieces without a number, null moves, and errors.
    #[cold]
    #[inline(never)]
    fn read_rare(&mut self, byte: u8) -> Result<Move, DecodeErrorKind> {
        let mv = match byte {
            CASTLE_KING_SIDE | CASTLE_QUEEN_SIDE => {
                let side = match byte {
                    CASTLE_KING_SIDE => CastlingSide::KingSide,
                    _ => CastlingSide::QueenSide,
                };
                self.at += 1;
                self.board.play_castle(side).ok_or(DecodeErrorKind::NoCastling)?.mv
            }
            OTHER_MOVE => {
                let bits = self.bytes.get(self.at + 1..self.at + 3);
                let bits = bits.and_then(|bits| bits.try_into().ok()).map(u16::from_le_bytes);
                let mv = spelled_out(bits.ok_or(DecodeErrorKind::Truncated)?);
                let mv = mv.ok_or(DecodeErrorKind::Reserved(byte))?;
                if !self.board.to_chess().is_legal(mv) {
                    return Err(DecodeErrorKind::Illegal(mv));
                }
                if self.board.play_move(mv).code != OTHER_MOVE {
                    return Err(DecodeErrorKind::OwnCode);
                }
                self.at += 3;
                mv
            }
            NULL_MOVE => {
                if !self.board.pass() {
                    return Err(DecodeErrorKind::Illegal(Move::NULL));
                }
                self.at += 1;
                return Ok(Move::NULL);
            }
            _ => return Err(DecodeErrorKind::Reserved(byte)),
        };
        self.squares = self.board.numbers();
        Ok(mv)
    }
}

/// The move in the two bytes after the code `e2`, of [`Move::to_bits`]. `None` for castling, for a move to its own
/// square, and for a promotion to a piece that is not in chess.
pub fn spelled_out(bits: u16) -> Option<Move> {
    Move::from_bits(bits).filter(|mv| {
        mv.from() != mv.to()
            && !mv.is_castle()
            && mv.promotion().is_none_or(|role| Role::PROMOTIONS.contains(&role))
    })
}
