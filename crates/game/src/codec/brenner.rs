//! Brenner's notation: one byte says what kind of piece moves, which one, and how.
//!
//! The pieces of a kind are numbered from the queen's rook's end of the board to the king's rook's, in
//! other positions by file and then by rank, and keep their numbers. A promoted piece gets the next
//! number that its side never used for that kind, from 2 on (queens: from 1), or else the lowest one
//! that is free.
//!
//! | piece | [`Notation::Primary`], `brenner` | [`Notation::Alternate`], `brenner-alternate` | |
//! |---|---|---|---|
//! | queen | `01 nnn ddd` | `11 ddd nnn` | `ddd` E, NE, N, NW, W, SW, S, SE; `nnn` squares |
//! | rook | `1 w nnn dd 0` | `10 dd w nnn` | `w` which; `dd` E, N, W, S |
//! | bishop | `1 w nnn dd 1` | `01 dd w nnn` | `dd` NE, NW, SW, SE |
//! | pawn | `001 mm www` | `001 mm www` | `mm` one step, two steps, captures to its right, to its left; in the alternate notation right, one, two, left |
//! | knight | `0001 w ddd` | the same | EES, EEN, NNE, NNW, WWN, WWS, SSW, SSE |
//! | king | `00001 ddd` | the same | |
//! | other | `00000 mmm` | the same | text, 0–1, 1–0, ½–½, O-O, O-O-O, ?, ! |
//! | rook `dd` is next | `10 000 dd 0` | `10 dd 0 000` | |
//! | bishop `dd` is next | `10 000 dd 1` | `01 dd 0 000` | |
//! | queen `dd` is next | `01 000 dd 0` | `11 dd 0 000` | |
//! | knight `dd` is next | `01 000 dd 1` | `11 dd 1 000` | |
//! | extension | `11 000 000` | `01 001 000` | see below |
//! | unassigned | `11 000 mmm` | `01 dd 1 000`, `10 dd 1 000` | 7 codes |
//!
//! Directions are those of the board as it is printed, north to Black's back rank; a pawn's are its own.
//! "Is next" stands before the move of a piece with a number above 1 (queens: above 0), or before the
//! move of a pawn that promotes to that piece. `!!`, `??`, `!?` and `?!` are two bytes.
//!
//! # Texts
//!
//! A text stands between two zero bytes. Before the moves its first letter says what it is, and it
//! becomes a tag: `W` White, `B` Black, `D` Date, `L` Site, `T` Event, `V` Opening. After that it is a
//! comment.
//!
//! # Extension
//!
//! One of the eight unassigned bytes makes the notation complete. After it comes
//!
//! | byte | and | meaning |
//! |---|---|---|
//! | 0 | two bytes: [`Move::to_bits`], the low one first | a move of a piece beyond number 3 |
//! | 1 | | null move |
//! | 2 | | the result is unknown |
//! | 3, 4 | | a variation to the move before begins, and ends |
//! | 5 | a text, without a zero byte before it | the start position, as a FEN, before everything else |
//! | 6 | | the moves begin, and with them the comments |
//!
//! # Source
//!
//! Norman Brenner, *Minimal encoding of moves in a chess game*, 2002 to 2013. He leaves open what
//! numbers promoted pieces get, and gives "right" from the pawn's view.
//!
//! ```
//! use halfmove_game::codec::{Codec, brenner::Notation};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").unwrap();
//! let mut bytes = Vec::new();
//! Notation::Primary.encode(&game, &mut bytes)?;
//! assert_eq!(bytes, [0x2c, 0x2c, 0x61, 0x17, 0xdb, 0x1e, 0x06, 0x06, 0x53, 0x02]);
//! # Ok::<(), halfmove_game::codec::EncodeError>(())
//! ```

use std::ops::Range;

use halfmove_rules::{AnyPosition, CastlingSide, Chess, Color, Move, Role, Square};

use super::lines::Lines;
use super::reading::{GameReading, Show};
use super::slots::{NONE, Numbering, Slots, slot};
use super::{
    Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, EncodeErrorKind, Holds, chess_start,
    read_start, start_text,
};
use crate::event::Event;
use crate::game::Game;
use crate::pgn::{CommentStyle, Nag};
use crate::result::GameResult;

/// The two notations, each of them a [`Codec`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `brenner`: the one that the paper begins with.
    Primary,
    /// `brenner-alternate`: the one in which the fields of queens, rooks and bishops are alike.
    Alternate,
}

/// What a byte means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Code {
    /// A queen, rook or bishop moves in one of [`COMPASS`].
    Slider {
        role: Role,
        number: u8,
        direction: u8,
        distance: u8,
    },
    /// A pawn's `step` is an index of [`pawn_steps`].
    Pawn {
        number: u8,
        step: u8,
    },
    Knight {
        number: u8,
        direction: u8,
    },
    King {
        direction: u8,
    },
    /// This piece moves next, or comes from the next move.
    Next {
        role: Role,
        number: u8,
    },
    Text,
    Result(GameResult),
    Castle(CastlingSide),
    /// `?` or `!`.
    Sign(char),
    Extension,
    Unassigned,
}

/// East, and on against the clock: files to the east, ranks to the north.
const COMPASS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const KNIGHT: [(i8, i8); 8] =
    [(2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2)];

/// The steps of a pawn: one, two, to its right, to its left.
const fn pawn_steps(us: Color) -> [(i8, i8); 4] {
    match us {
        Color::White => [(0, 1), (0, 2), (1, 1), (-1, 1)],
        Color::Black => [(0, -1), (0, -2), (-1, -1), (1, -1)],
    }
}

/// The steps of pawns in the alternate notation, by their number in the primary one.
const ALTERNATE_STEPS: [u8; 4] = [1, 2, 0, 3];

const MOVE: u8 = 0;
const NULL_MOVE: u8 = 1;
const UNKNOWN_RESULT: u8 = 2;
const BEGIN: u8 = 3;
const END: u8 = 4;
const START: u8 = 5;
const MOVES_BEGIN: u8 = 6;

/// The tags that have a letter.
const TAGS: [(u8, &str); 6] = [
    (b'W', "White"),
    (b'B', "Black"),
    (b'D', "Date"),
    (b'L', "Site"),
    (b'T', "Event"),
    (b'V', "Opening"),
];
const TAG_NAMES: [&str; 6] = ["White", "Black", "Date", "Site", "Event", "Opening"];

impl Notation {
    /// What a byte means.
    fn code(self, byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        match byte {
            0 => Code::Text,
            1 => Code::Result(GameResult::BlackWins),
            2 => Code::Result(GameResult::WhiteWins),
            3 => Code::Result(GameResult::Draw),
            4 => Code::Castle(CastlingSide::KingSide),
            5 => Code::Castle(CastlingSide::QueenSide),
            6 => Code::Sign('?'),
            7 => Code::Sign('!'),
            0x08..0x10 => Code::King { direction: bits(0, 3) },
            0x10..0x20 => Code::Knight { number: bits(3, 1), direction: bits(0, 3) },
            0x20..0x40 => {
                let field = bits(3, 2);
                let step = match self {
                    Notation::Primary => field,
                    Notation::Alternate => {
                        ALTERNATE_STEPS.iter().position(|step| *step == field).unwrap_or(0) as u8
                    }
                };
                Code::Pawn { number: bits(0, 3), step }
            }
            _ if byte == self.extension() => Code::Extension,
            _ => match self {
                Notation::Primary => Self::primary(byte),
                Notation::Alternate => Self::alternate(byte),
            },
        }
    }

    fn primary(byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        let (distance, odd) = (bits(3, 3), bits(0, 1) == 1);
        let queen = byte < 0x80;
        match (queen, distance) {
            (true, 0) => Code::Next {
                role: if odd { Role::Knight } else { Role::Queen },
                number: bits(1, 2),
            },
            (true, _) => {
                Code::Slider { role: Role::Queen, number: 0, direction: bits(0, 3), distance }
            }
            (false, 0) if bits(6, 1) == 1 => Code::Unassigned,
            (false, _) => {
                let role = if odd { Role::Bishop } else { Role::Rook };
                match distance {
                    0 => Code::Next { role, number: bits(1, 2) },
                    _ => Code::Slider { role, number: bits(6, 1), direction: bits(0, 3), distance },
                }
            }
        }
    }

    fn alternate(byte: u8) -> Code {
        let bits = |from: u32, count: u32| byte >> from & ((1 << count) - 1);
        let (distance, third) = (bits(0, 3), bits(3, 1));
        let number = bits(4, 2);
        match (byte >> 6, distance, third) {
            (3, 0, 0) => Code::Next { role: Role::Queen, number },
            (3, 0, _) => Code::Next { role: Role::Knight, number },
            (3, ..) => {
                Code::Slider { role: Role::Queen, number: 0, direction: bits(3, 3), distance }
            }
            (_, 0, 1) => Code::Unassigned,
            (2, 0, _) => Code::Next { role: Role::Rook, number },
            (_, 0, _) => Code::Next { role: Role::Bishop, number },
            (2, ..) => {
                let direction = 2 * number;
                Code::Slider { role: Role::Rook, number: third, direction, distance }
            }
            _ => {
                let direction = 2 * number + 1;
                Code::Slider { role: Role::Bishop, number: third, direction, distance }
            }
        }
    }

    /// The byte of a code. Of the unassigned ones, the first.
    fn byte(self, code: Code) -> u8 {
        match (code, self) {
            (Code::Text, _) => 0,
            (Code::Result(GameResult::BlackWins), _) => 1,
            (Code::Result(GameResult::WhiteWins), _) => 2,
            (Code::Result(GameResult::Draw), _) => 3,
            (Code::Result(GameResult::Unknown) | Code::Extension, _) => self.extension(),
            (Code::Castle(CastlingSide::KingSide), _) => 4,
            (Code::Castle(CastlingSide::QueenSide), _) => 5,
            (Code::Sign(sign), _) => 6 + u8::from(sign == '!'),
            (Code::King { direction }, _) => 0x08 | direction,
            (Code::Knight { number, direction }, _) => 0x10 | number << 3 | direction,
            (Code::Pawn { number, step }, Notation::Primary) => 0x20 | step << 3 | number,
            (Code::Pawn { number, step }, Notation::Alternate) => {
                0x20 | ALTERNATE_STEPS[usize::from(step)] << 3 | number
            }
            (Code::Slider { role, number, direction, distance }, Notation::Primary) => match role {
                Role::Queen => 0x40 | distance << 3 | direction,
                _ => 0x80 | number << 6 | distance << 3 | direction,
            },
            (Code::Slider { role, number, direction, distance }, Notation::Alternate) => match role
            {
                Role::Queen => 0xc0 | direction << 3 | distance,
                Role::Rook => 0x80 | direction >> 1 << 4 | number << 3 | distance,
                _ => 0x40 | direction >> 1 << 4 | number << 3 | distance,
            },
            (Code::Next { role, number }, Notation::Primary) => {
                let (kind, odd) = match role {
                    Role::Rook => (0x80, 0),
                    Role::Bishop => (0x80, 1),
                    Role::Queen => (0x40, 0),
                    _ => (0x40, 1),
                };
                kind | number << 1 | odd
            }
            (Code::Next { role, number }, Notation::Alternate) => {
                let kind = match role {
                    Role::Queen => 0xc0,
                    Role::Knight => 0xc8,
                    Role::Rook => 0x80,
                    _ => 0x40,
                };
                kind | number << 4
            }
            (Code::Unassigned, Notation::Primary) => 0xc1,
            (Code::Unassigned, Notation::Alternate) => 0x58,
        }
    }

    const fn extension(self) -> u8 {
        match self {
            Notation::Primary => 0xc0,
            Notation::Alternate => 0x48,
        }
    }

    /// What the codec cannot hold.
    fn refuse<T>(self, what: &'static str) -> Result<T, EncodeErrorKind> {
        Err(EncodeErrorKind::Part { codec: self.name(), what })
    }

    /// Appends the code of a legal move.
    fn append_move(self, slots: &Slots, mv: Move, bytes: &mut Vec<u8>) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return bytes.push(self.byte(Code::Castle(CastlingSide::of(from, to))));
        }
        let unaddressable = |bytes: &mut Vec<u8>| {
            bytes.extend([self.extension(), MOVE]);
            bytes.extend(mv.to_bits().to_le_bytes());
        };
        let slot = slots.on(from);
        if slot == NONE {
            return unaddressable(bytes);
        }
        let position = slots.position();
        let step = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let among =
            |steps: &[(i8, i8)], step| steps.iter().position(|s| *s == step).unwrap_or(0) as u8;
        let number = slot % 8;
        let Some(piece) = position.board().piece_at(from) else { return };
        let role = piece.role;
        let which = if number < 2 { number } else { 0 };
        let code = match role {
            Role::Pawn => {
                Code::Pawn { number, step: among(&pawn_steps(position.side_to_move()), step) }
            }
            Role::Knight => Code::Knight { number: which, direction: among(&KNIGHT, step) },
            Role::King => Code::King { direction: among(&COMPASS, step) },
            role => Code::Slider {
                role,
                number: which,
                direction: among(&COMPASS, (step.0.signum(), step.1.signum())),
                distance: step.0.unsigned_abs().max(step.1.unsigned_abs()),
            },
        };
        if let Some(role) = mv.promotion() {
            let Some(number) = slots.next_number(role) else { return unaddressable(bytes) };
            bytes.push(self.byte(Code::Next { role, number: number as u8 }));
        } else {
            let unprefixed = if role == Role::Queen { 1 } else { 2 };
            if !matches!(role, Role::Pawn | Role::King) && number >= unprefixed {
                bytes.push(self.byte(Code::Next { role, number }));
            }
        }
        bytes.push(self.byte(code));
    }
}

impl Codec for Notation {
    fn name(&self) -> &'static str {
        match self {
            Notation::Primary => "brenner",
            Notation::Alternate => "brenner-alternate",
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn holds(&self) -> Holds {
        Holds {
            tags: &TAG_NAMES,
            starts: true,
            result: true,
            glyphs: true,
            comments: true,
            variations: true,
            words: false,
        }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), &game.start)?;
        let before = bytes.len();
        self.append_start(&start, bytes);
        let mut writing = Writing {
            notation: *self,
            lines: Lines::new(Slots::new(&start, Numbering::Files)),
            stage: Stage::Tags,
            after_sign: false,
        };
        let mut ply = 0;
        for event in game.events() {
            if let Err(kind) = writing.event(event, bytes) {
                bytes.truncate(before);
                return Err(EncodeError { ply, kind });
            }
            ply += usize::from(matches!(event, Event::Move(_)) && writing.lines.is_main());
        }
        Ok(())
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        Reading::new(*self, bytes, None)?.read()
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), start)?;
        self.append_start(&start, bytes);
        let mut slots = Slots::new(&start, Numbering::Files);
        for &mv in moves {
            self.append_move(&slots, mv, bytes);
            slots.play(mv, None);
        }
        Ok(())
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        let start = start_of(*self, bytes)?;
        let mut slots = Slots::new(&start, Numbering::Files);
        let (mut at, mut depth) = (0, 0usize);
        while at < bytes.len() {
            let token = Token::at(*self, bytes, at)?;
            match token.kind {
                Kind::Extension(BEGIN) => depth += 1,
                Kind::Extension(END) => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                // A null move, after which a game holds only words, or the result.
                Kind::Extension(NULL_MOVE | UNKNOWN_RESULT) | Kind::Result(_) => break,
                Kind::Move | Kind::Extension(MOVE) => {
                    let played = token.mv(*self, &slots, bytes);
                    let (mv, number) = played.map_err(|kind| DecodeError { offset: at, kind })?;
                    slots.play(mv, number);
                    moves.push(mv);
                }
                _ => {}
            }
            at = token.bytes.end;
        }
        Ok(start.into())
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        Reading::new(*self, bytes, Some(show))?.read().map(drop)
    }
}

impl Notation {
    fn append_start(self, start: &Chess, bytes: &mut Vec<u8>) {
        let text = start_text(start);
        if !text.is_empty() {
            bytes.extend([self.extension(), START]);
            bytes.extend(text.bytes());
            bytes.push(0);
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Tags,
    AfterTags,
    Moves,
}

/// A game that is being written.
struct Writing {
    notation: Notation,
    lines: Lines,
    stage: Stage,
    /// The last code is a single `?` or `!`: another one would belong to it.
    after_sign: bool,
}

impl Writing {
    fn event(&mut self, event: Event<'_>, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        let notation = self.notation;
        let extension = notation.extension();
        let after_sign = std::mem::take(&mut self.after_sign);
        if self.stage == Stage::AfterTags {
            if matches!(event, Event::Comment(_)) {
                bytes.extend([extension, MOVES_BEGIN]);
            }
            self.stage = Stage::Moves;
        }
        match event {
            Event::Tag(name, value) => {
                if let Some((letter, _)) = TAGS.iter().find(|(_, known)| *known == name) {
                    self.text(Some(*letter), value, bytes)?;
                }
            }
            Event::EndTags => self.stage = Stage::AfterTags,
            _ if self.stage == Stage::Tags => notation.refuse("comments between the tags")?,
            Event::Move(mv) => {
                notation.append_move(self.lines.now(), mv, bytes);
                self.lines.play(mv, None);
            }
            Event::NullMove(_) => {
                bytes.extend([extension, NULL_MOVE]);
                self.lines.pass();
            }
            Event::Nag(nag) => {
                let sign = Nag::new(nag.number()).symbol().filter(|_| nag.number() < 7);
                let Some(signs) = sign else {
                    return notation.refuse("glyphs other than !, ?, !!, ??, !? and ?!");
                };
                if after_sign {
                    return notation.refuse("another glyph after ! or ?");
                }
                bytes.extend(signs.chars().map(|sign| notation.byte(Code::Sign(sign))));
                self.after_sign = signs.len() == 1;
            }
            Event::Comment(comment) if comment.style() == CommentStyle::Braces => {
                self.text(None, &comment.to_string(), bytes)?;
            }
            Event::Comment(_) => notation.refuse("comments after a semicolon")?,
            Event::Word(_) => notation.refuse("words in place of moves")?,
            Event::Escape(_) => notation.refuse("lines that begin with %")?,
            Event::CountCall(_) => notation.refuse("counts of Makruk")?,
            Event::BeginVariation => {
                if !self.lines.begin() {
                    return notation.refuse("variations without a move before them");
                }
                bytes.extend([extension, BEGIN]);
            }
            Event::EndVariation => {
                self.lines.end();
                bytes.extend([extension, END]);
            }
            Event::Result(GameResult::Unknown) => bytes.extend([extension, UNKNOWN_RESULT]),
            Event::Result(result) => bytes.push(notation.byte(Code::Result(result))),
        }
        Ok(())
    }

    fn text(
        &self,
        letter: Option<u8>,
        text: &str,
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeErrorKind> {
        if text.contains('\0') {
            return self.notation.refuse("texts with a zero byte");
        }
        bytes.push(0);
        bytes.extend(letter);
        bytes.extend(text.bytes());
        bytes.push(0);
        Ok(())
    }
}

/// One or more bytes that belong together.
struct Token {
    kind: Kind,
    bytes: Range<usize>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// With the byte that says which piece, if there is one.
    Move,
    Signs,
    Text,
    Result(GameResult),
    /// With its second byte.
    Extension(u8),
}

impl Token {
    fn at(notation: Notation, bytes: &[u8], at: usize) -> Result<Token, DecodeError> {
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
            None => failed(DecodeErrorKind::UnendedText),
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

    /// The move of a token, if it is legal, and the number of the piece that a pawn becomes.
    fn mv(
        &self,
        notation: Notation,
        slots: &Slots,
        bytes: &[u8],
    ) -> Result<(Move, Option<usize>), DecodeErrorKind> {
        let token = &bytes[self.bytes.clone()];
        let (mv, number) = match *token {
            [_, MOVE, low, high] => {
                let mv = super::halfmove::spelled_out(u16::from_le_bytes([low, high]));
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

/// The move of a code that stands alone.
fn plain(slots: &Slots, code: Code) -> Result<Move, DecodeErrorKind> {
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

fn piece_move(
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

/// The move of a code after one that names the piece.
fn prefixed(
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

/// The position in which the game of these bytes starts.
fn start_of(notation: Notation, bytes: &[u8]) -> Result<Chess, DecodeError> {
    if !bytes.starts_with(&[notation.extension(), START]) {
        return Ok(Chess::default());
    }
    let token = Token::at(notation, bytes, 0)?;
    let text = &bytes[2..token.bytes.end - 1];
    read_start(text).map_err(|kind| DecodeError { offset: 2, kind })
}

/// A game that is being read.
struct Reading<'a> {
    notation: Notation,
    bytes: &'a [u8],
    start: Chess,
    game: GameReading<'a>,
    in_tags: bool,
}

impl<'a> Reading<'a> {
    fn new(notation: Notation, bytes: &'a [u8], show: Show<'a>) -> Result<Self, DecodeError> {
        let start = start_of(notation, bytes)?;
        let game = GameReading::new(&start, Numbering::Files, show);
        Ok(Self { notation, bytes, start, game, in_tags: true })
    }

    fn read(mut self) -> Result<Game, DecodeError> {
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

    fn token(&mut self, token: Token) -> Result<(), DecodeErrorKind> {
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

impl Notation {
    /// The bits of a byte, field by field.
    fn fields(self, byte: u8) -> String {
        let widths: &[usize] = match (self.code(byte), self) {
            (Code::Pawn { .. }, _) => &[3, 2, 3],
            (Code::Knight { .. }, _) => &[4, 1, 3],
            (Code::Slider { role: Role::Queen, .. }, _) => &[2, 3, 3],
            (Code::Slider { .. }, Notation::Primary) => &[1, 1, 3, 2, 1],
            (Code::Slider { .. }, Notation::Alternate) => &[2, 2, 1, 3],
            (Code::Next { .. }, Notation::Primary) => &[2, 3, 2, 1],
            (Code::Next { .. }, Notation::Alternate) => &[2, 2, 1, 3],
            _ => &[5, 3],
        };
        let bits = format!("{byte:08b}");
        let mut rest = bits.as_str();
        let fields = widths.iter().map(|width| {
            let (field, more) = rest.split_at(*width);
            rest = more;
            field
        });
        fields.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each byte means one thing, and each thing has one byte.
    #[test]
    fn all_bytes() {
        for notation in [Notation::Primary, Notation::Alternate] {
            let mut unassigned = Vec::new();
            for byte in 0..=255 {
                match notation.code(byte) {
                    Code::Unassigned => unassigned.push(byte),
                    code => assert_eq!(notation.byte(code), byte, "{notation:?} {code:?}"),
                }
            }
            let expected: &[u8] = match notation {
                Notation::Primary => &[0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7],
                Notation::Alternate => &[0x58, 0x68, 0x78, 0x88, 0x98, 0xa8, 0xb8],
            };
            assert_eq!(unassigned, expected);
        }
    }
}
