//! Parsing sequences of moves.

use std::str::FromStr;

use halfmove_rules::{CastlingSide, Color, Role, Square};
use thiserror::Error;

use super::{Element, Mark, MoveSequence};

/// The error for an invalid sequence of moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("character {} of the moves: expected {expected}", .offset + 1)]
pub struct MoveSequenceError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The text that was expected there.
    pub expected: &'static str,
}

impl FromStr for MoveSequence {
    type Err = MoveSequenceError;

    fn from_str(text: &str) -> Result<Self, MoveSequenceError> {
        let mut text = Text { bytes: text.as_bytes(), at: 0 };
        let mut elements: Vec<(Element, bool)> = Vec::new();
        loop {
            text.skip_space();
            let from = text.at;
            if text.peek().is_none() {
                break;
            }
            if text.take(b'*') {
                text.end_word()?;
                // A sequence may begin anywhere, so a leading gap is redundant.
                if let Some((_, has_gap)) = elements.last_mut() {
                    *has_gap = true;
                }
                continue;
            }
            let (number, side) = text.number()?;
            let element = if text.take(b'?') {
                Element::ANY
            } else if text.takes_null() {
                Element::NULL
            } else {
                text.half_move()?
            };
            text.end_word()?;
            if elements.len() == MoveSequence::MAX {
                return Err(MoveSequenceError { offset: from, expected: "at most 64 moves" });
            }
            let pieces = element.pieces & side.map_or(u16::MAX, |side| 0xff << (8 * side as u16));
            elements.push((Element { pieces, number, ..element }, false));
        }
        if elements.is_empty() {
            return text.error("a move");
        }
        Ok(MoveSequence::new(&elements))
    }
}

/// A cursor over a text.
struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Text<'_> {
    fn error<T>(&self, expected: &'static str) -> Result<T, MoveSequenceError> {
        Err(MoveSequenceError { offset: self.at, expected })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips a byte if it is the next one.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips `--` if it comes next.
    fn takes_null(&mut self) -> bool {
        let is_next = self.bytes[self.at..].starts_with(b"--");
        self.at += if is_next { 2 } else { 0 };
        is_next
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn end_word(&self) -> Result<(), MoveSequenceError> {
        match self.peek() {
            Some(byte) if !byte.is_ascii_whitespace() => self.error("a space or the end"),
            _ => Ok(()),
        }
    }

    /// Reads `12.` or `12...` before a move, or only the dots.
    fn number(&mut self) -> Result<(Option<u32>, Option<Color>), MoveSequenceError> {
        // Castling may be written with zeros.
        if self.bytes[self.at..].starts_with(b"0-0") {
            return Ok((None, None));
        }
        let mut number: Option<u32> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let more = number.unwrap_or(0).checked_mul(10);
            let more = more.and_then(|number| number.checked_add(u32::from(digit - b'0')));
            let Some(more) = more else { return self.error("a smaller number") };
            (number, self.at) = (Some(more), self.at + 1);
        }
        let dots = self.bytes[self.at..].iter().take_while(|byte| **byte == b'.').count();
        let side = match dots {
            0 if number.is_none() => return Ok((None, None)),
            1 => Color::White,
            3 => Color::Black,
            _ => return self.error("one dot for a move of White, or three for one of Black"),
        };
        self.at += dots;
        self.skip_space();
        Ok((number, Some(side)))
    }

    fn half_move(&mut self) -> Result<Element, MoveSequenceError> {
        let from = self.at;
        let mut element = Element::ANY;
        if let Some(side) = self.castling() {
            element.castling = Some(side);
            element.pieces = pieces(1 << Role::King as u8);
        } else {
            self.usual_move(&mut element)?;
        }
        element.mark = match self.peek() {
            Some(b'+') => Some(Mark::Check),
            Some(b'#') => Some(Mark::Mate),
            _ => None,
        };
        self.at += usize::from(element.mark.is_some());
        if self.at == from {
            return self.error("a move, such as Nf3, exd5, O-O, Nx, =Q or +, or ?, -- or *");
        }
        Ok(element)
    }

    fn castling(&mut self) -> Option<CastlingSide> {
        let is_next = |text: &[u8]| self.bytes[self.at..].starts_with(text);
        let (length, side) = if is_next(b"O-O-O") || is_next(b"0-0-0") {
            (5, CastlingSide::QueenSide)
        } else if is_next(b"O-O") || is_next(b"0-0") {
            (3, CastlingSide::KingSide)
        } else {
            return None;
        };
        self.at += length;
        Some(side)
    }

    /// Reads the piece, the squares and the promotion, all optional.
    fn usual_move(&mut self, element: &mut Element) -> Result<(), MoveSequenceError> {
        let roles = self.peek().and_then(roles_of);
        self.at += usize::from(roles.is_some());
        let (before, first) = (self.at, self.place());
        let captures = self.take(b'x');
        let second = self.place();
        let is_named = roles.is_some() || !first.is_empty();
        let (origin, target) = match (first, second) {
            (first, second) if !second.is_empty() => (first, second),
            (first, _) if captures || first.is_empty() => (first, Place::default()),
            (first, _) => (Place::default(), first),
        };
        if !target.is_empty() && !target.is_square() {
            return self.error(if target.rank.is_some() {
                "a square such as f3"
            } else {
                "the rank of the square"
            });
        }
        let is_pawn = roles.map_or(is_named, |roles| roles == 1 << Role::Pawn as u8);
        if is_pawn && !captures && origin.file.is_some() && origin.file != target.file {
            self.at = before + 1;
            return self.error("x, since a pawn leaves its file only when it captures");
        }
        if is_named {
            element.pieces = pieces(roles.unwrap_or(1 << Role::Pawn as u8));
        }
        if captures || !target.is_empty() {
            element.captures = Some(captures);
        }
        (element.from, element.to) = (origin.squares(), target.squares());
        if self.peek() == Some(b'=') {
            element.pieces &= pieces(1 << Role::Pawn as u8);
            if element.pieces == 0 {
                return self.error("the end of the move, since only a pawn is promoted");
            }
            self.at += 1;
            let roles = self.peek().and_then(roles_of);
            if roles.is_some_and(|roles| roles & PROMOTED == 0) {
                return self.error("a piece that a pawn becomes: Q, R, B, N, M or S");
            }
            self.at += usize::from(roles.is_some());
            element.promotions = Some(roles.unwrap_or(u8::MAX));
        }
        Ok(())
    }

    /// Reads a square, or only its file or its rank.
    fn place(&mut self) -> Place {
        let mut next = |first: u8, last: u8| {
            let byte = self.bytes.get(self.at).filter(|byte| (first..=last).contains(*byte))?;
            self.at += 1;
            Some(byte - first)
        };
        Place { file: next(b'a', b'h'), rank: next(b'1', b'8') }
    }
}

/// A square, its file, its rank or nothing.
#[derive(Clone, Copy, Default)]
struct Place {
    file: Option<u8>,
    rank: Option<u8>,
}

impl Place {
    fn is_empty(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    fn is_square(self) -> bool {
        self.file.is_some() && self.rank.is_some()
    }

    fn squares(self) -> u64 {
        let fits = |square: &Square| {
            self.file.is_none_or(|file| *square as u8 % 8 == file)
                && self.rank.is_none_or(|rank| *square as u8 / 8 == rank)
        };
        Square::ALL.into_iter().filter(fits).fold(0, |set, square| set | 1 << square as u8)
    }
}

/// The roles that a pawn can become.
const PROMOTED: u8 = !(1 << Role::King as u8 | 1 << Role::Pawn as u8);

/// The roles of a letter, those of chess and of Makruk together.
fn roles_of(letter: u8) -> Option<u8> {
    let set = |roles: &[Role]| Some(roles.iter().fold(0, |set, role| set | 1 << *role as u8));
    match letter {
        b'P' => set(&[Role::Pawn]),
        b'N' => set(&[Role::Knight]),
        b'B' | b'S' => set(&[Role::Bishop, Role::Khon]),
        b'R' => set(&[Role::Rook]),
        b'Q' | b'M' => set(&[Role::Queen, Role::Met]),
        b'K' => set(&[Role::King]),
        _ => None,
    }
}

/// These roles of both sides, as a set of occupants.
fn pieces(roles: u8) -> u16 {
    u16::from(roles) << 8 | u16::from(roles)
}
