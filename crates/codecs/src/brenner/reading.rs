//! Decoding.

use std::ops::Range;

use halfmove_game::codec::halfmove;
use halfmove_game::pgn::Nag;
use halfmove_game::{Game, GameResult};
use halfmove_rules::{Chess, Move, Role, Square};

use super::codes::{COMPASS, Code, KNIGHT, pawn_steps};
use super::{BEGIN, END, MOVE, MOVES_BEGIN, NULL_MOVE, Notation, START, TAGS, UNKNOWN_RESULT};
use crate::parts::read_start;
use crate::reading::{GameReading, Show};
use crate::slots::{Numbering, Slots, slot};
use crate::{DecodeError, DecodeErrorKind};

/// One or more bytes that form a unit.
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) bytes: Range<usize>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A move, with the byte that names the piece, if there is one.
    Move,
    Signs,
    Text,
    Result(GameResult),
    /// An extension, with its second byte.
    Extension(u8),
}

impl Token {
    pub(super) fn at(notation: Notation, bytes: &[u8], at: usize) -> Result<Token, DecodeError> {
        let failed = |kind| Err(DecodeError { offset: at, kind });
        let more = |count: usize, kind| {
            let end = at + count;
            match end <= bytes.len() {
                true => Ok(Token { kind, bytes: at..end }),
                false => failed(DecodeErrorKind::Truncated),
            }
        };
        let text = |from: usize, kind| match memchr::memchr(0, &bytes[from..]) {
            Some(length) => Ok(Token { kind, bytes: at..from + length + 1 }),
            None => failed(DecodeErrorKind::Truncated),
        };
        let code = notation.code(bytes[at]);
        match code {
            Code::Text => text(at + 1, Kind::Text),
            Code::Result(result) => more(1, Kind::Result(result)),
            Code::Next { .. } => more(2, Kind::Move),
            Code::Sign(_) => {
                let next = bytes.get(at + 1).map(|byte| notation.code(*byte));
                more(1 + usize::from(matches!(next, Some(Code::Sign(_)))), Kind::Signs)
            }
            Code::Unassigned => failed(DecodeErrorKind::Reserved(bytes[at])),
            Code::Extension => match bytes.get(at + 1).copied() {
                Some(kind @ MOVE) => more(4, Kind::Extension(kind)),
                Some(kind @ START) => text(at + 2, Kind::Extension(kind)),
                Some(kind @ ..=MOVES_BEGIN) => more(2, Kind::Extension(kind)),
                Some(kind) => {
                    Err(DecodeError { offset: at + 1, kind: DecodeErrorKind::Reserved(kind) })
                }
                None => failed(DecodeErrorKind::Truncated),
            },
            _ => more(1, Kind::Move),
        }
    }

    /// The move of a token, if it is legal, and the number of the promoted piece.
    pub(super) fn mv(
        &self,
        notation: Notation,
        slots: &Slots,
        bytes: &[u8],
    ) -> Result<(Move, Option<usize>), DecodeErrorKind> {
        let token = &bytes[self.bytes.clone()];
        let (mv, number) = match *token {
            [_, MOVE, low, high] => {
                let mv = halfmove::spelled_out(u16::from_le_bytes([low, high]));
                (mv.ok_or(DecodeErrorKind::Reserved(high))?, None)
            }
            [next, byte] => {
                let Code::Next { role, number } = notation.code(next) else {
                    return Err(DecodeErrorKind::Reserved(next));
                };
                prefixed(slots, (role, usize::from(number)), notation.code(byte))?
            }
            [byte, ..] => (plain(slots, notation.code(byte))?, None),
            [] => return Err(DecodeErrorKind::Truncated),
        };
        if slots.position().is_legal(mv) {
            Ok((mv, number))
        } else {
            Err(DecodeErrorKind::Illegal(mv))
        }
    }
}

/// The move of a single code.
pub(super) fn plain(slots: &Slots, code: Code) -> Result<Move, DecodeErrorKind> {
    let position = slots.position();
    let us = position.side_to_move();
    let (role, number, step) = match code {
        Code::Castle(side) => {
            let rook = position.castling().rook(us, side).ok_or(DecodeErrorKind::NoSuchPiece)?;
            return Ok(Move::castle(position.king(us), rook));
        }
        Code::Slider { role, number, direction, distance } => {
            let (files, ranks) = COMPASS[usize::from(direction)];
            (role, number, (files * distance as i8, ranks * distance as i8))
        }
        Code::Pawn { number, step } => (Role::Pawn, number, pawn_steps(us)[usize::from(step)]),
        Code::Knight { number, direction } => {
            (Role::Knight, number, KNIGHT[usize::from(direction)])
        }
        Code::King { direction } => (Role::King, 0, COMPASS[usize::from(direction)]),
        _ => {
            let expected = "the move of a piece of that kind, or of a pawn";
            return Err(DecodeErrorKind::Order { what: "this code", expected });
        }
    };
    piece_move(slots, role, usize::from(number), step)
}

pub(super) fn piece_move(
    slots: &Slots,
    role: Role,
    number: usize,
    (files, ranks): (i8, i8),
) -> Result<Move, DecodeErrorKind> {
    let from = slots.square(slot(role as usize, number)).ok_or(DecodeErrorKind::NoSuchPiece)?;
    let (file, rank) = (from.file() as i8 + files, from.rank() as i8 + ranks);
    if !(0..8).contains(&file) || !(0..8).contains(&rank) {
        return Err(DecodeErrorKind::OffTheBoard);
    }
    Ok(Move::normal(from, Square::wrapping((rank * 8 + file) as u8)))
}

/// The move of a code after a code that names the piece.
pub(super) fn prefixed(
    slots: &Slots,
    (role, number): (Role, usize),
    code: Code,
) -> Result<(Move, Option<usize>), DecodeErrorKind> {
    let expected = "the move of a piece of that kind, or of a pawn";
    let wrong = DecodeErrorKind::Order { what: "this code", expected };
    match code {
        Code::Pawn { .. } => {
            let step = plain(slots, code)?;
            let taken = slots.square(slot(role as usize, number)).is_some();
            if taken {
                let expected = "a number that no piece has";
                return Err(DecodeErrorKind::Order { what: "this promoted piece", expected });
            }
            let mv = Move::promote(step.from(), step.to(), role).ok_or(wrong)?;
            Ok((mv, Some(number)))
        }
        Code::Slider { role: moved, direction, distance, .. } if moved == role => {
            let (files, ranks) = COMPASS[usize::from(direction)];
            let step = (files * distance as i8, ranks * distance as i8);
            Ok((piece_move(slots, role, number, step)?, None))
        }
        Code::Knight { direction, .. } if role == Role::Knight => {
            Ok((piece_move(slots, role, number, KNIGHT[usize::from(direction)])?, None))
        }
        _ => Err(wrong),
    }
}

/// The start position of the game in these bytes.
pub(super) fn start_of(notation: Notation, bytes: &[u8]) -> Result<Chess, DecodeError> {
    if !bytes.starts_with(&[notation.extension(), START]) {
        return Ok(Chess::default());
    }
    let token = Token::at(notation, bytes, 0)?;
    let text = &bytes[2..token.bytes.end - 1];
    read_start(text).map_err(|kind| DecodeError { offset: 2, kind })
}

/// A game being decoded.
pub(super) struct Reading<'a> {
    notation: Notation,
    bytes: &'a [u8],
    start: Chess,
    game: GameReading<'a>,
    in_tags: bool,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        notation: Notation,
        bytes: &'a [u8],
        show: Show<'a>,
    ) -> Result<Self, DecodeError> {
        let start = start_of(notation, bytes)?;
        let game = GameReading::new(&start, Numbering::Files, show);
        Ok(Self { notation, bytes, start, game, in_tags: true })
    }

    pub(super) fn read(mut self) -> Result<Game, DecodeError> {
        let mut at = 0;
        while at < self.bytes.len() {
            let token = Token::at(self.notation, self.bytes, at)?;
            let end = token.bytes.end;
            self.token(token).map_err(|kind| DecodeError { offset: at, kind })?;
            at = end;
        }
        self.game.check_closed().map_err(|kind| DecodeError { offset: at, kind })?;
        Ok(self.game.finish())
    }

    pub(super) fn token(&mut self, token: Token) -> Result<(), DecodeErrorKind> {
        let Self { notation, bytes, game, .. } = self;
        let (notation, at) = (*notation, token.bytes.clone());
        let found = &bytes[at.clone()];
        if !matches!(token.kind, Kind::Text | Kind::Extension(START)) {
            self.in_tags = false;
        }
        let mut show = |what: &str, meaning: &str| {
            game.show(at.clone(), || (what.to_owned(), meaning.to_owned()));
        };
        match token.kind {
            Kind::Text => {
                let text = std::str::from_utf8(&found[1..found.len() - 1]);
                let text = text.map_err(|_| DecodeErrorKind::NotUtf8)?;
                if !self.in_tags {
                    show("comment", text);
                    return game.comment(text);
                }
                let tag = TAGS.iter().find(|(letter, _)| text.as_bytes().first() == Some(letter));
                let Some((_, name)) = tag else {
                    let expected = "one that begins with W, B, D, L, T or V";
                    return Err(DecodeErrorKind::Order { what: "this text", expected });
                };
                show("tag", &format!("[{name} \"{}\"]", &text[1..]));
                game.tag(name, &text[1..])
            }
            Kind::Signs => {
                let sign = |byte: &u8| match notation.code(*byte) {
                    Code::Sign(sign) => sign,
                    _ => '?',
                };
                let signs: String = found.iter().map(sign).collect();
                show("glyph", &signs);
                game.nag(Nag::from_sign(&signs).unwrap_or(Nag::POOR_MOVE))
            }
            Kind::Result(result) => {
                show("result", result.as_str());
                game.result(result)
            }
            Kind::Extension(UNKNOWN_RESULT) => {
                show("extension", "*");
                game.result(GameResult::Unknown)
            }
            Kind::Extension(NULL_MOVE) => {
                show("extension", "--");
                game.pass()
            }
            Kind::Extension(BEGIN) => {
                show("extension", "(");
                game.begin()
            }
            Kind::Extension(END) => {
                show("extension", ")");
                game.end()
            }
            Kind::Extension(START) if at.start == 0 => {
                show("extension", &self.start.to_string());
                Ok(())
            }
            Kind::Extension(START) => {
                let expected = "it before everything else";
                Err(DecodeErrorKind::Order { what: "a start position", expected })
            }
            Kind::Extension(MOVES_BEGIN) => {
                show("extension", "the moves begin");
                Ok(())
            }
            Kind::Move | Kind::Extension(_) => {
                let (mv, number) = token.mv(notation, game.lines.now(), bytes)?;
                let san = game.san(mv);
                game.show(at, || {
                    let fields: Vec<_> = found.iter().map(|byte| notation.fields(*byte)).collect();
                    (fields.join("  "), san)
                });
                game.play(mv, number)
            }
        }
    }
}
