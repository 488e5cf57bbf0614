//! Decoding.

use std::ops::Range;

use halfmove_game::Game;
use halfmove_game::pgn::Nag;
use halfmove_rules::{CastlingSide, Chess, Move, Role, Square};

use super::java::read_units;
use super::{
    BEGIN, COMMENT, Dialect, END, END_OF_DATA, GLYPH, INPUT_EXPECTED, KING_SIDE, NULL_MOVE,
    PROMOTE, PROMOTED_MOVE, PROMOTIONS, QUEEN_SIDE, RESULT, RESULTS, codes, slot_and_offset,
};
use crate::parts::read_start;
use crate::reading::{GameReading, Show};
use crate::slots::{Numbering, PROMOTED, Slots, slot};
use crate::{DecodeError, DecodeErrorKind};

/// The parts of the bytes of a game.
pub(super) struct Parts {
    /// The end of the codes, where [`END_OF_DATA`] is.
    pub(super) end: usize,
    /// The beginning of the start position, if there is one.
    pub(super) start: usize,
}

impl Parts {
    pub(super) fn of(dialect: Dialect, bytes: &[u8]) -> Result<Parts, DecodeError> {
        let (mut end, mut texts) = (0, 0);
        loop {
            match bytes.get(end) {
                None => {
                    return Err(DecodeError { offset: end, kind: DecodeErrorKind::Truncated });
                }
                Some(&END_OF_DATA) => break,
                Some(code) => texts += usize::from(has_text(dialect, *code)),
            }
            end = token_end(dialect, bytes, end)?;
        }
        let mut start = end + 1;
        if dialect == Dialect::Jose {
            for _ in 0..texts {
                start = text_end(bytes, start)?;
            }
        }
        Ok(Parts { end, start })
    }

    pub(super) fn start(&self, bytes: &[u8]) -> Result<Chess, DecodeError> {
        let offset = self.start;
        let fen = &bytes[offset..];
        if fen.is_empty() {
            return Ok(Chess::default());
        }
        let failed = |kind| DecodeError { offset, kind };
        read_start(fen).map_err(failed)
    }
}

/// Returns true if a code has a text.
pub(super) fn has_text(dialect: Dialect, code: u8) -> bool {
    let last = if dialect == Dialect::Jose { INPUT_EXPECTED } else { INPUT_EXPECTED - 1 };
    (COMMENT..=last).contains(&code)
}

/// The offset after a code, its second byte and its text.
pub(super) fn token_end(dialect: Dialect, bytes: &[u8], at: usize) -> Result<usize, DecodeError> {
    match bytes[at] {
        PROMOTE..=GLYPH if at + 1 == bytes.len() => {
            Err(DecodeError { offset: at, kind: DecodeErrorKind::Truncated })
        }
        PROMOTE..=GLYPH => Ok(at + 2),
        code if dialect == Dialect::Document && has_text(dialect, code) => text_end(bytes, at + 1),
        _ => Ok(at + 1),
    }
}

/// The offset after the zero byte of a text.
pub(super) fn text_end(bytes: &[u8], from: usize) -> Result<usize, DecodeError> {
    let length = memchr::memchr(0, &bytes[from..]);
    let unended = DecodeError { offset: from, kind: DecodeErrorKind::Truncated };
    length.map(|length| from + length + 1).ok_or(unended)
}

/// Reads the code of a move, with its second byte.
pub(super) fn read_move(
    dialect: Dialect,
    slots: &Slots,
    bytes: &[u8],
) -> Result<Move, DecodeErrorKind> {
    let position = slots.position();
    let us = position.side_to_move();
    let code = bytes[0];
    let to = |role, from, offset| {
        dialect.target(role, us, from, offset).ok_or(DecodeErrorKind::OffTheBoard)
    };
    match *bytes {
        [KING_SIDE | QUEEN_SIDE] => {
            let side =
                if code == KING_SIDE { CastlingSide::KingSide } else { CastlingSide::QueenSide };
            let rook = position.castling().rook(us, side).ok_or(DecodeErrorKind::NoSuchPiece)?;
            Ok(Move::castle(position.king(us), rook))
        }
        [0..KING_SIDE] => {
            let (slot, offset) = slot_and_offset(code);
            let role = codes(slot).1;
            let from = slots.square(slot).or_else(|| forgotten_queen(slots, role));
            let from = from.ok_or(DecodeErrorKind::NoSuchPiece)?;
            Ok(Move::normal(from, to(role, from, offset)?))
        }
        [PROMOTE..PROMOTED_MOVE, second] => {
            let from = slots.square(code - PROMOTE).ok_or(DecodeErrorKind::NoSuchPiece)?;
            let to = to(Role::Pawn, from, second >> 2 & 3)?;
            let role = PROMOTIONS[usize::from(second & 3)];
            Move::promote(from, to, role).ok_or(DecodeErrorKind::OffTheBoard)
        }
        [PROMOTED_MOVE..GLYPH, second] => {
            let from = slots.square(slot(PROMOTED, usize::from(code - PROMOTED_MOVE)));
            let from = from.ok_or(DecodeErrorKind::NoSuchPiece)?;
            let role = position.board().piece_at(from).map_or(Role::Queen, |piece| piece.role);
            let most = match role {
                Role::Knight => 7,
                Role::Queen => 31,
                _ => 15,
            };
            Ok(Move::normal(from, to(role, from, second & most)?))
        }
        _ => Err(DecodeErrorKind::Reserved(code)),
    }
}

/// The only promoted queen, when "the queen" is gone.
pub(super) fn forgotten_queen(slots: &Slots, role: Role) -> Option<Square> {
    let is_queen = |square: &Square| {
        slots.position().board().piece_at(*square).is_some_and(|piece| piece.role == Role::Queen)
    };
    let mut queens = slots.promoted().filter(is_queen);
    let queen = queens.next().filter(|_| role == Role::Queen)?;
    queens.next().is_none().then_some(queen)
}

pub(super) fn legal(slots: &Slots, mv: Move) -> Result<Move, DecodeErrorKind> {
    if slots.position().is_legal(mv) { Ok(mv) } else { Err(DecodeErrorKind::Illegal(mv)) }
}

/// Reads a whole game.
pub(super) fn read(dialect: Dialect, bytes: &[u8], show: Show<'_>) -> Result<Game, DecodeError> {
    let parts = Parts::of(dialect, bytes)?;
    let start = parts.start(bytes)?;
    let mut reading = GameReading::new(&start, Numbering::Scan, show);
    let (mut at, mut text_at) = (0, parts.end + 1);
    while at < parts.end {
        let next = token_end(dialect, bytes, at)?;
        let text = if !has_text(dialect, bytes[at]) {
            at..at
        } else if dialect == Dialect::Document {
            at + 1..next - 1
        } else {
            let end = text_end(bytes, text_at)?;
            std::mem::replace(&mut text_at, end)..end - 1
        };
        read_code(dialect, bytes, at..next, text, &mut reading)
            .map_err(|kind| DecodeError { offset: at, kind })?;
        at = next;
    }
    reading.check_closed().map_err(|kind| DecodeError { offset: at, kind })?;
    reading.show(at..at + 1, || ("end of data".to_owned(), String::new()));
    if parts.start < bytes.len() {
        reading.show(parts.start..bytes.len(), || ("start".to_owned(), start.to_string()));
    }
    Ok(reading.finish())
}

/// Reads a code; its text, if it has one, is at `text`.
pub(super) fn read_code(
    dialect: Dialect,
    bytes: &[u8],
    at: Range<usize>,
    text: Range<usize>,
    reading: &mut GameReading<'_>,
) -> Result<(), DecodeErrorKind> {
    let token = &bytes[at.clone()];
    let code = token[0];
    let decoded = || {
        let text = &bytes[text.clone()];
        match dialect {
            Dialect::Jose => read_units(text),
            Dialect::Document => std::str::from_utf8(text).ok().map(str::to_owned),
        }
        .ok_or(DecodeErrorKind::NotUtf8)
    };
    match code {
        NULL_MOVE => {
            reading.show(at, || ("null move".to_owned(), "--".to_owned()));
            reading.pass()
        }
        0..GLYPH => {
            let mv = read_move(dialect, reading.lines.now(), token)?;
            let mv = legal(reading.lines.now(), mv)?;
            let san = reading.san(mv);
            reading.show(at, || (fields(token), san));
            reading.play(mv, None)
        }
        GLYPH..RESULT => {
            let number = token.get(1).copied().unwrap_or(code - GLYPH);
            // As a sign, if there is a usual one.
            let nag = Nag::new(u32::from(number));
            let nag = nag.symbol().filter(|_| number < 7).and_then(Nag::from_sign).unwrap_or(nag);
            reading.show(at, || (format!("glyph {number}"), nag.to_string()));
            reading.nag(nag)
        }
        RESULT..0xd4 => {
            let result = RESULTS[usize::from(code - RESULT)];
            reading.show(at, || ("result".to_owned(), result.to_string()));
            reading.result(result)
        }
        COMMENT => {
            let text = decoded()?;
            reading.show(at, || ("comment".to_owned(), text.clone()));
            reading.comment(&text)
        }
        _ if has_text(dialect, code) => {
            let text = decoded()?;
            reading.show(at, || ("no move".to_owned(), text.clone()));
            // Text that jose could not read may be more than a word.
            reading.word(&text).or_else(|_| reading.comment(&text))
        }
        BEGIN => {
            reading.show(at, || ("variation".to_owned(), "(".to_owned()));
            reading.begin()
        }
        END => {
            reading.show(at, || ("end of variation".to_owned(), ")".to_owned()));
            reading.end()
        }
        _ => Err(DecodeErrorKind::Reserved(code)),
    }
}

/// The fields of a move.
pub(super) fn fields(token: &[u8]) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    match *token {
        [KING_SIDE] => "castling, king's side".to_owned(),
        [QUEEN_SIDE] => "castling, queen's side".to_owned(),
        [code @ PROMOTE..PROMOTED_MOVE, second] => {
            let (offset, role) = (second >> 2 & 3, PROMOTIONS[usize::from(second & 3)]);
            format!("{}-pawn, {offset}, promotes to {role:?}", letter(code - PROMOTE))
        }
        [code, second] => {
            format!("promoted piece {}, {}", letter(code - PROMOTED_MOVE), second & 31)
        }
        [code, ..] => {
            let (slot, offset) = slot_and_offset(code);
            let side = if slot % 8 == 0 { "queen's" } else { "king's" };
            match codes(slot).1 {
                Role::Pawn => format!("{}-pawn, {offset}", letter(slot)),
                role @ (Role::Queen | Role::King) => format!("{role:?}, {offset}").to_lowercase(),
                role => format!("{side} {role:?}, {offset}").to_lowercase(),
            }
        }
        [] => String::new(),
    }
}
