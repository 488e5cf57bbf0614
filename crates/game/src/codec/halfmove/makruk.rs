//! The codes of Makruk, Makpong and ASEAN chess.
//!
//! Fifteen pieces of a side have 16 codes each, the king has 8. So every move of every piece is one byte, promotions
//! included: a bia has 3 codes for each of the pieces to which it can promote. A null move is the king's ninth code.

use halfmove_rules::{Board, Color, Makruk, Move, Role, Square, makruk::Rules};

use super::super::pieces::ABSENT;
use super::super::{DecodeError, DecodeErrorKind};

/// The first code of the king, which has the last number.
pub(crate) const KING: usize = 15;

/// The code of a null move.
pub(crate) const NULL_MOVE: u8 = (KING as u8) << 4 | 8;

/// The promotions of a bia, in the order of its codes.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Met, Role::Rook, Role::Khon, Role::Knight];

/// Steps as files and ranks, toward the opponent and the h-file.
type Steps = &'static [(i8, i8)];

const KNIGHT: Steps = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const ALL: Steps = &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const DIAGONALS_AND_AHEAD: Steps = &[(1, 1), (1, -1), (-1, -1), (-1, 1), (0, 1)];
const BIA: Steps = &[(0, 1), (1, 1), (-1, 1)];

/// The target square by role, square and code, from the side's point of view; [`ABSENT`] for invalid codes.
pub(crate) static TARGETS: [[[u8; 16]; 64]; 8] = {
    let mut table = [[[ABSENT; 16]; 64]; 8];
    let mut from = 0;
    while from < 64 {
        let (file, rank) = (from as i8 % 8, from as i8 / 8);
        let roles = [Role::Pawn, Role::Knight, Role::King, Role::Khon, Role::Met];
        let mut index = 0;
        while index < roles.len() {
            let role = roles[index];
            let (steps, codes) = match role {
                // Each step is repeated for each promotion.
                Role::Pawn => (BIA, 12),
                Role::Knight => (KNIGHT, 8),
                Role::King => (ALL, 8),
                Role::Khon => (DIAGONALS_AND_AHEAD, 5),
                _ => (DIAGONALS_AND_AHEAD, 4),
            };
            let mut code = 0;
            while code < codes {
                let (east, ahead) = steps[code % steps.len()];
                let (file, rank) = (file + east, rank + ahead);
                if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                    table[role as usize][from][code] = (8 * rank + file) as u8;
                }
                code += 1;
            }
            index += 1;
        }
        // A rook's code is the rank or the file of its target.
        let mut to = 0;
        while to < 8 {
            if to != rank {
                table[Role::Rook as usize][from][to as usize] = (8 * to + file) as u8;
            }
            if to != file {
                table[Role::Rook as usize][from][8 + to as usize] = (8 * rank + to) as u8;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// The square from a side's point of view: the board is mirrored top to bottom for Black.
pub(crate) const fn relative(color: Color, square: u8) -> u8 {
    match color {
        Color::White => square,
        Color::Black => square ^ 0b111_000,
    }
}

/// Returns true if a bia promotes on a square, given from its side's point of view.
pub(crate) const fn promotes(rules: Rules, to: u8) -> bool {
    to >= match rules {
        Rules::Asean => 56,
        _ => 40,
    }
}

/// The numbers of the pieces: 0 to 14 in the order of the squares from their side's point of view, and [`KING`].
/// Pieces beyond fifteen besides the king have no number.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub(crate) squares: [[u8; 16]; 2],
    on: [u8; 64],
}

impl Numbers {
    pub(crate) fn new(board: &Board) -> Numbers {
        let mut numbers = Numbers { squares: [[ABSENT; 16]; 2], on: [ABSENT; 64] };
        for color in Color::ALL {
            let mut next = 0;
            for index in 0..64 {
                let square = Square::wrapping(relative(color, index));
                let number = match board.piece_at(square) {
                    Some(piece) if piece.color != color => continue,
                    Some(piece) if piece.role == Role::King => KING,
                    Some(_) => {
                        next += 1;
                        next - 1
                    }
                    None => continue,
                };
                if number < KING || board.piece_at(square).is_some_and(|p| p.role == Role::King) {
                    numbers.squares[color.index()][number] = square as u8;
                    numbers.on[square.index()] = number as u8;
                }
            }
        }
        numbers
    }

    fn play(&mut self, us: Color, mv: Move) {
        if mv.is_null() {
            return;
        }
        let (from, to) = (mv.from(), mv.to());
        let number = std::mem::replace(&mut self.on[from.index()], ABSENT);
        let taken = std::mem::replace(&mut self.on[to.index()], number);
        if let Some(at) = self.squares[us.index()].get_mut(usize::from(number)) {
            *at = to as u8;
        }
        if let Some(at) = self.squares[(!us).index()].get_mut(usize::from(taken)) {
            *at = ABSENT;
        }
    }

    /// The code of a legal move; `None` for a piece without a number.
    fn code(&self, position: &Makruk, mv: Move) -> Option<u8> {
        if mv.is_null() {
            return Some(NULL_MOVE);
        }
        let (us, from, to) = (position.side_to_move(), mv.from(), mv.to());
        let role = position.board().piece_at(from)?.role;
        let target = relative(us, to as u8);
        let from_there = &TARGETS[role as usize][usize::from(relative(us, from as u8))];
        let first = match mv.promotion() {
            Some(role) => 3 * PROMOTIONS.iter().position(|promotion| *promotion == role)?,
            None => 0,
        };
        let code = first + from_there[first..].iter().position(|to| *to == target)?;
        let number = *self.on.get(from.index()).filter(|number| **number != ABSENT)?;
        Some(number << 4 | code as u8)
    }

    /// The move of a byte, not checked for legality.
    fn read(&self, position: &Makruk, byte: u8) -> Result<Move, DecodeErrorKind> {
        if byte == NULL_MOVE {
            return Ok(Move::NULL);
        }
        let us = position.side_to_move();
        let square = self.squares[us.index()][usize::from(byte >> 4)];
        let from = Square::from_index(square).ok_or(DecodeErrorKind::NoSuchPiece)?;
        let role = position.board().piece_at(from).ok_or(DecodeErrorKind::NoSuchPiece)?.role;
        let (mover, code) = (role as usize & 7, usize::from(byte & 15));
        let target = TARGETS[mover][usize::from(relative(us, square)) & 63][code];
        if target == ABSENT {
            return Err(DecodeErrorKind::Reserved(byte));
        }
        let to = Square::wrapping(relative(us, target));
        let promotion = PROMOTIONS[(code / 3) & 3];
        match role {
            Role::Pawn if promotes(position.rules(), target) => {
                Move::promote(from, to, promotion).ok_or(DecodeErrorKind::Reserved(byte))
            }
            Role::Pawn if code >= 3 => Err(DecodeErrorKind::Reserved(byte)),
            _ => Ok(Move::normal(from, to)),
        }
    }
}

/// Appends legal moves.
///
/// # Errors
///
/// Returns the index of a move by a piece without a number. The bytes before it have been appended.
pub(super) fn encode(start: &Makruk, moves: &[Move], out: &mut Vec<u8>) -> Result<(), usize> {
    let (mut position, mut numbers) = (start.clone(), Numbers::new(start.board()));
    for (index, &mv) in moves.iter().enumerate() {
        out.push(numbers.code(&position, mv).ok_or(index)?);
        numbers.play(position.side_to_move(), mv);
        position.play_unchecked(mv);
    }
    Ok(())
}

/// A decoder that reads and checks codes move by move.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    position: Makruk,
    numbers: Numbers,
    pub(super) bytes: &'a [u8],
    /// The next code.
    pub(super) at: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder of the codes from `at` on.
    pub(super) fn new(start: &Makruk, bytes: &'a [u8], at: usize) -> Decoder<'a> {
        Decoder { position: start.clone(), numbers: Numbers::new(start.board()), bytes, at }
    }

    /// The next move, `None` at the end.
    pub(super) fn next_move(&mut self) -> Option<Result<Move, DecodeError>> {
        let offset = self.at;
        let byte = *self.bytes.get(offset)?;
        let read = self.numbers.read(&self.position, byte).and_then(|mv| {
            let is_playable = match mv.is_null() {
                true => !self.position.is_check(),
                false => self.position.is_legal(mv),
            };
            if is_playable { Ok(mv) } else { Err(DecodeErrorKind::Illegal(mv)) }
        });
        if let Ok(mv) = read {
            self.numbers.play(self.position.side_to_move(), mv);
            self.position.play_unchecked(mv);
            self.at += 1;
        }
        Some(read.map_err(|kind| DecodeError { offset, kind }))
    }
}
