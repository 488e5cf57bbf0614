//! `GameText` of jose: which piece, and an offset that says where to.
//!
//! Each piece has a *slot*, which it keeps for the whole game: the pawns are called a to h, the
//! knights, bishops and rooks the queen's and the king's. In a game that starts from a FEN, the pieces of
//! a kind are named in the order of the FEN. A promoted piece keeps the letter of its pawn.
//!
//! | bytes | meaning |
//! |---|---|
//! | `00`–`1f` | pawns a to h, 4 offsets each |
//! | `20`–`2f` | queen's knight, king's knight, 8 offsets each |
//! | `30`–`4f` | queen's bishop, king's bishop, 16 each |
//! | `50`–`6f` | queen's rook, king's rook, 16 each |
//! | `70`–`8f` | queen, 32 |
//! | `90`–`97` | king, 8 |
//! | `98` `99` | castling, king's side and queen's side |
//! | `9a` | null move |
//! | `a0`–`a7`, then `001oo·pp` | pawn a to h promotes: offset `oo`, to a knight, bishop, rook or queen |
//! | `a8`–`af`, then `001ooooo` | the promoted piece a to h moves |
//! | `b0`, then a byte | glyph 0 to 255 |
//! | `b1`–`cf` | glyph 1 to 31 |
//! | `d0`–`d3` | result: Black wins, draw, White wins, unknown |
//! | `e0` | comment, with a text |
//! | `e1`–`e4` | a word that is no move: unreadable, illegal, ambiguous, something else; with a text |
//! | `f0` `f1` | a variation to the move before begins, and ends |
//! | `ff` | end |
//!
//! # Offsets
//!
//! - Pawn: 0 one step, 1 captures to its own right, 2 to its left, 3 two steps.
//! - Bishop: on a diagonal that rises from White's left to right, the rank that it goes to, from 0; on
//!   one that falls, 8 more.
//! - Rook: along a file, the rank that it goes to; along a rank, 8 plus the file.
//! - Queen: like a bishop, or 16 plus the offset of a rook.
//! - Knight and king: one of eight directions, as the compass has them for both sides.
//!
//! # Dialects
//!
//! The program and its manual differ, so there are two codecs:
//!
//! | | [`Dialect::Jose`], `gametext` | [`Dialect::Document`], `gametext-document` |
//! |---|---|---|
//! | knight 0 … 7 | as the program has them: ENE, ESE, SSE, SSW, WSW, WNW, NNW, NNE | as the pictures show them: NNE, NNW, WNW, WSW, SSW, SSE, ESE, ENE |
//! | king 0 … 7 | NE, SE, SW, NW, E, W, N, S | NE, NW, SW, SE, N, S, W, E |
//! | texts | after the end, in the order of the codes that have one, in Java's UTF-8 | after their code, in UTF-8 |
//! | `e5` | a word too: "input expected" | reserved |
//!
//! Texts end with a zero byte. A start other than the usual one follows at the very end, as a FEN without
//! a zero byte (and with `chess960` behind it, if castling follows those rules): jose keeps it, as it keeps the texts, in a column of its own. So the bytes of a
//! game from jose are its columns one after the other.
//!
//! # What it cannot hold
//!
//! A third knight, bishop or rook and a second queen that a FEN brings have no slot. jose writes bytes
//! of another piece for them; here encoding is an error. A null move in the main line is read, but
//! games hold it and what follows as words.
//!
//! jose has a fault: undoing a promotion in a variation can make it forget that an earlier queen was
//! a promoted one, so that this moves as "the queen". It is understood if there is only one.
//!
//! # Source
//!
//! Peter Schäfer, jose, manual page *Binary Representation of Move Data*; where it and the program
//! differ, the program's classes `BinaryConstants`, `Position`, `BinReader` and `BinWriter`.
//!
//! ```
//! use halfmove_game::codec::{Codec, gametext::Dialect};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").unwrap();
//! let mut bytes = Vec::new();
//! Dialect::Jose.encode(&game, &mut bytes)?;
//! assert_eq!(bytes, [0x13, 0x13, 0x74, 0x22, 0x4b, 0x2b, 0x7e, 0xd2, 0xff]);
//! assert_eq!(Dialect::Jose.decode(&bytes)?.moves, game.moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use halfmove_rules::{AnyPosition, CastlingSide, Chess, Color, Move, Role, Square};

use super::lines::Lines;
use super::reading::{GameReading, Show};
use super::slots::{NONE, Numbering, PROMOTED, Slot, Slots, slot};
use super::{
    Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, EncodeErrorKind, Holds, chess_start,
    read_start, start_text,
};
use crate::event::Event;
use crate::game::Game;
use crate::pgn::{CommentStyle, Nag};
use crate::result::GameResult;

/// The two dialects, each of them a [`Codec`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `gametext`: what the program jose reads and writes.
    Jose,
    /// `gametext-document`: what its manual says.
    Document,
}

/// The directions of a piece in the order of its offsets: files to the east, ranks to the north.
type Steps = [(i8, i8); 8];

impl Dialect {
    const fn knight(self) -> Steps {
        match self {
            Dialect::Jose => {
                [(2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2)]
            }
            Dialect::Document => {
                [(1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1)]
            }
        }
    }

    const fn king(self) -> Steps {
        match self {
            Dialect::Jose => [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1)],
            Dialect::Document => {
                [(1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1), (0, -1), (-1, 0), (1, 0)]
            }
        }
    }

    /// The offset of a move.
    fn offset(self, role: Role, us: Color, from: Square, to: Square) -> Option<u8> {
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let (file, rank) = (to.file() as u8, to.rank() as u8);
        let among = |steps: Steps| steps.iter().position(|step| *step == (files, ranks));
        let diagonal = || match (files == ranks, files == -ranks) {
            (true, _) => Some(rank),
            (_, true) => Some(8 + rank),
            _ => None,
        };
        let straight = || match (files, ranks) {
            (0, _) => Some(rank),
            (_, 0) => Some(8 + file),
            _ => None,
        };
        match role {
            Role::Pawn => pawn_steps(us).iter().position(|s| *s == (files, ranks)).map(|n| n as u8),
            Role::Knight => among(self.knight()).map(|n| n as u8),
            Role::King => among(self.king()).map(|n| n as u8),
            Role::Bishop => diagonal(),
            Role::Rook => straight(),
            _ => diagonal().or_else(|| Some(16 + straight()?)),
        }
    }

    /// The square that an offset leads to, if it is on the board.
    fn target(self, role: Role, us: Color, from: Square, offset: u8) -> Option<Square> {
        let (file, rank) = (from.file() as i8, from.rank() as i8);
        let number = (offset & 7) as i8;
        let rising = || (file + number - rank, number);
        let falling = || (file - number + rank, number);
        let step = |(files, ranks): (i8, i8)| (file + files, rank + ranks);
        let (file, rank) = match (role, offset >> 3) {
            (Role::Pawn, _) => step(pawn_steps(us)[usize::from(offset & 3)]),
            (Role::Knight, _) => step(self.knight()[usize::from(offset & 7)]),
            (Role::King, _) => step(self.king()[usize::from(offset & 7)]),
            (Role::Bishop | Role::Queen, 0) => rising(),
            (Role::Bishop | Role::Queen, 1) => falling(),
            (Role::Rook, 0) | (Role::Queen, 2) => (file, number),
            _ => (number, rank),
        };
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        is_on_board.then(|| Square::wrapping((rank * 8 + file) as u8))
    }

    /// What the codec cannot hold.
    fn refuse<T>(self, what: &'static str) -> Result<T, EncodeErrorKind> {
        Err(EncodeErrorKind::Part { codec: self.name(), what })
    }
}

/// The steps of a pawn: ahead, to its right, to its left, two ahead.
const fn pawn_steps(us: Color) -> [(i8, i8); 4] {
    match us {
        Color::White => [(0, 1), (1, 1), (-1, 1), (0, 2)],
        Color::Black => [(0, -1), (-1, -1), (1, -1), (0, -2)],
    }
}

/// What promoted pieces are called: 0 to 3.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const KING_SIDE: u8 = 0x98;
const QUEEN_SIDE: u8 = 0x99;
const NULL_MOVE: u8 = 0x9a;
const PROMOTE: u8 = 0xa0;
const PROMOTED_MOVE: u8 = 0xa8;
const GLYPH: u8 = 0xb0;
const RESULT: u8 = 0xd0;
const COMMENT: u8 = 0xe0;
const UNREADABLE: u8 = 0xe1;
const INPUT_EXPECTED: u8 = 0xe5;
const BEGIN: u8 = 0xf0;
const END: u8 = 0xf1;
const END_OF_DATA: u8 = 0xff;
/// Set in second bytes, so that they are never 0.
const SECOND: u8 = 0x20;

const RESULTS: [GameResult; 4] =
    [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins, GameResult::Unknown];

/// The first code of a slot that a game starts with, and its role.
fn codes(slot: Slot) -> (u8, Role) {
    let (class, number) = (slot / 8, slot % 8);
    match class {
        0 => (4 * number, Role::Pawn),
        1 => (0x20 + 8 * number, Role::Knight),
        2 => (0x30 + 16 * number, Role::Bishop),
        3 => (0x50 + 16 * number, Role::Rook),
        4 => (0x70, Role::Queen),
        _ => (0x90, Role::King),
    }
}

/// The slot and the offset of a code below [`KING_SIDE`].
fn slot_and_offset(code: u8) -> (Slot, u8) {
    let (class, from, each) = match code {
        0x00..0x20 => (Role::Pawn, 0, 4),
        0x20..0x30 => (Role::Knight, 0x20, 8),
        0x30..0x50 => (Role::Bishop, 0x30, 16),
        0x50..0x70 => (Role::Rook, 0x50, 16),
        0x70..0x90 => (Role::Queen, 0x70, 32),
        _ => (Role::King, 0x90, 8),
    };
    (slot(class as usize, usize::from((code - from) / each)), (code - from) % each)
}

impl Codec for Dialect {
    fn name(&self) -> &'static str {
        match self {
            Dialect::Jose => "gametext",
            Dialect::Document => "gametext-document",
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn holds(&self) -> Holds {
        Holds {
            tags: &[],
            starts: true,
            result: true,
            glyphs: true,
            comments: true,
            variations: true,
            words: true,
        }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), &game.start)?;
        let before = bytes.len();
        let mut writing = Writing {
            dialect: *self,
            lines: Lines::new(Slots::new(&start, Numbering::Scan)),
            texts: Vec::new(),
            passed: false,
        };
        let (mut ply, mut in_tags) = (0, true);
        for event in game.events() {
            let written = match event {
                Event::Tag(..) => Ok(()),
                Event::EndTags => {
                    in_tags = false;
                    Ok(())
                }
                _ if in_tags => self.refuse("comments between the tags"),
                event => writing.event(event, bytes),
            };
            if let Err(kind) = written {
                bytes.truncate(before);
                return Err(EncodeError { ply, kind });
            }
            ply += usize::from(matches!(event, Event::Move(_)) && writing.lines.is_main());
        }
        bytes.push(END_OF_DATA);
        bytes.append(&mut writing.texts);
        bytes.extend(start_text(&start).bytes());
        Ok(())
    }

    fn decode(&self, bytes: &[u8]) -> Result<Game, DecodeError> {
        read(*self, bytes, None)
    }

    fn encode_moves(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        bytes: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), start)?;
        let before = bytes.len();
        let mut slots = Slots::new(&start, Numbering::Scan);
        for (ply, &mv) in moves.iter().enumerate() {
            if let Err(kind) = append_move(*self, &slots, mv, bytes) {
                bytes.truncate(before);
                return Err(EncodeError { ply, kind });
            }
            slots.play(mv, None);
        }
        bytes.push(END_OF_DATA);
        bytes.extend(start_text(&start).bytes());
        Ok(())
    }

    fn decode_moves(
        &self,
        bytes: &[u8],
        moves: &mut Vec<Move>,
    ) -> Result<AnyPosition, DecodeError> {
        let parts = Parts::of(*self, bytes)?;
        let start = parts.start(bytes)?;
        let mut slots = Slots::new(&start, Numbering::Scan);
        let (mut at, mut depth) = (0, 0usize);
        while at < parts.end {
            let code = bytes[at];
            let next = token_end(*self, bytes, at)?;
            match code {
                BEGIN => depth += 1,
                END => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                // A game holds as moves only what comes before these.
                NULL_MOVE | RESULT..=0xdf | UNREADABLE..=INPUT_EXPECTED => break,
                0..GLYPH => {
                    let mv = read_move(*self, &slots, &bytes[at..next])
                        .and_then(|mv| legal(&slots, mv))
                        .map_err(|kind| DecodeError { offset: at, kind })?;
                    slots.play(mv, None);
                    moves.push(mv);
                }
                _ => {}
            }
            at = next;
        }
        Ok(start.into())
    }

    fn dump(&self, bytes: &[u8], show: &mut dyn FnMut(&Dumped)) -> Result<(), DecodeError> {
        read(*self, bytes, Some(show)).map(drop)
    }
}

/// Appends the code of a legal move.
fn append_move(
    dialect: Dialect,
    slots: &Slots,
    mv: Move,
    bytes: &mut Vec<u8>,
) -> Result<(), EncodeErrorKind> {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castle() {
        bytes.push(match CastlingSide::of(from, to) {
            CastlingSide::KingSide => KING_SIDE,
            CastlingSide::QueenSide => QUEEN_SIDE,
        });
        return Ok(());
    }
    let position = slots.position();
    let slot = slots.on(from);
    let role = position.board().piece_at(from).map(|piece| piece.role);
    let offset = role.and_then(|role| dialect.offset(role, position.side_to_move(), from, to));
    let (Some(offset), false) = (offset, slot == NONE) else {
        let san = AnyPosition::from(position.clone()).san(mv).to_string();
        return Err(EncodeErrorKind::NoCode { codec: dialect.name(), san });
    };
    if let Some(promotion) = mv.promotion() {
        let promotion = PROMOTIONS.iter().position(|role| *role == promotion).unwrap_or(3) as u8;
        bytes.extend([PROMOTE + slot % 8, SECOND | offset << 2 | promotion]);
    } else if usize::from(slot / 8) == PROMOTED {
        bytes.extend([PROMOTED_MOVE + slot % 8, SECOND | offset]);
    } else {
        bytes.push(codes(slot).0 + offset);
    }
    Ok(())
}

/// A game that is being written.
struct Writing {
    dialect: Dialect,
    lines: Lines,
    /// The texts that follow after the end.
    texts: Vec<u8>,
    /// There was a null move in the main line: words behind it may be moves.
    passed: bool,
}

impl Writing {
    fn event(&mut self, event: Event<'_>, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        match event {
            Event::Tag(..) | Event::EndTags => {}
            Event::Move(mv) => self.play(mv, bytes)?,
            Event::NullMove(_) => {
                bytes.push(NULL_MOVE);
                self.lines.pass();
            }
            Event::Word(word) => self.word(word, bytes)?,
            Event::Nag(nag) => match u8::try_from(nag.number()) {
                Ok(number @ 1..32) => bytes.push(GLYPH + number),
                Ok(number) => bytes.extend([GLYPH, number]),
                Err(_) => self.dialect.refuse("glyphs above 255")?,
            },
            Event::Comment(comment) if comment.style() == CommentStyle::Braces => {
                self.text(COMMENT, &comment.to_string(), bytes)?;
            }
            Event::Comment(_) => self.dialect.refuse("comments after a semicolon")?,
            Event::Escape(_) => self.dialect.refuse("lines that begin with %")?,
            Event::CountCall(_) => self.dialect.refuse("counts of Makruk")?,
            Event::BeginVariation => {
                if !self.lines.begin() {
                    self.dialect.refuse("variations without a move before them")?;
                }
                bytes.push(BEGIN);
            }
            Event::EndVariation => {
                self.lines.end();
                bytes.push(END);
            }
            Event::Result(result) => bytes.push(result_code(result)),
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        append_move(self.dialect, self.lines.now(), mv, bytes)?;
        self.lines.play(mv, None);
        Ok(())
    }

    fn word(&mut self, word: &str, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        if self.lines.is_known() && word == "--" && self.lines.pass() {
            self.passed = true;
            bytes.push(NULL_MOVE);
            return Ok(());
        }
        if self.lines.is_known() && self.passed {
            let position = AnyPosition::from(self.lines.now().position().clone());
            if let Ok(mv) = position.parse_san(word)
                && position.san(mv).to_string() == word
            {
                return self.play(mv, bytes);
            }
        }
        match GameResult::from_token(word.as_bytes()) {
            Some(result) if result.as_str() == word => bytes.push(result_code(result)),
            _ => self.text(UNREADABLE, word, bytes)?,
        }
        self.lines.stumble();
        Ok(())
    }

    fn text(&mut self, code: u8, text: &str, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        if text.contains('\0') {
            return self.dialect.refuse("texts with a zero byte");
        }
        bytes.push(code);
        match self.dialect {
            Dialect::Document => {
                bytes.extend(text.bytes());
                bytes.push(0);
            }
            Dialect::Jose => {
                text.encode_utf16().for_each(|unit| push_unit(unit, &mut self.texts));
                self.texts.push(0);
            }
        }
        Ok(())
    }
}

fn result_code(result: GameResult) -> u8 {
    RESULT + RESULTS.iter().position(|known| *known == result).unwrap_or(3) as u8
}

/// Appends a unit of UTF-16 as Java writes it: a character beyond U+FFFF takes two of them.
fn push_unit(unit: u16, bytes: &mut Vec<u8>) {
    let low = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
    match unit {
        0..0x80 => bytes.push(unit as u8),
        0x80..0x800 => bytes.extend([0xc0 | (unit >> 6) as u8, low(0)]),
        _ => bytes.extend([0xe0 | (unit >> 12) as u8, low(6), low(0)]),
    }
}

/// A text as Java writes it.
fn read_units(mut bytes: &[u8]) -> Option<String> {
    let low = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    let mut units = Vec::with_capacity(bytes.len());
    while let Some((&first, rest)) = bytes.split_first() {
        let unit = u16::from(first);
        let (unit, least, rest) = match (first, rest) {
            (0..0x80, _) => (unit, 0, rest),
            (0xc0..0xe0, [second, rest @ ..]) => ((unit & 0x1f) << 6 | low(*second)?, 0x80, rest),
            (0xe0..0xf0, [second, third, rest @ ..]) => {
                ((unit & 0xf) << 12 | low(*second)? << 6 | low(*third)?, 0x800, rest)
            }
            _ => return None,
        };
        if unit < least {
            return None;
        }
        units.push(unit);
        bytes = rest;
    }
    String::from_utf16(&units).ok()
}

/// Where the parts of the bytes of a game lie.
struct Parts {
    /// The codes end before it, with [`END_OF_DATA`] there.
    end: usize,
    /// The start position begins here, if there is one.
    start: usize,
}

impl Parts {
    fn of(dialect: Dialect, bytes: &[u8]) -> Result<Parts, DecodeError> {
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

    fn start(&self, bytes: &[u8]) -> Result<Chess, DecodeError> {
        let offset = self.start;
        let fen = &bytes[offset..];
        if fen.is_empty() {
            return Ok(Chess::default());
        }
        let failed = |kind| DecodeError { offset, kind };
        read_start(fen).map_err(failed)
    }
}

/// Whether a text belongs to a code.
fn has_text(dialect: Dialect, code: u8) -> bool {
    let last = if dialect == Dialect::Jose { INPUT_EXPECTED } else { INPUT_EXPECTED - 1 };
    (COMMENT..=last).contains(&code)
}

/// The offset behind a code, its second byte and its text.
fn token_end(dialect: Dialect, bytes: &[u8], at: usize) -> Result<usize, DecodeError> {
    match bytes[at] {
        PROMOTE..=GLYPH if at + 1 == bytes.len() => {
            Err(DecodeError { offset: at, kind: DecodeErrorKind::Truncated })
        }
        PROMOTE..=GLYPH => Ok(at + 2),
        code if dialect == Dialect::Document && has_text(dialect, code) => text_end(bytes, at + 1),
        _ => Ok(at + 1),
    }
}

/// The offset behind the zero byte of a text.
fn text_end(bytes: &[u8], from: usize) -> Result<usize, DecodeError> {
    let length = memchr::memchr(0, &bytes[from..]);
    let unended = DecodeError { offset: from, kind: DecodeErrorKind::UnendedText };
    length.map(|length| from + length + 1).ok_or(unended)
}

/// Reads the code of a move, with its second byte.
fn read_move(dialect: Dialect, slots: &Slots, bytes: &[u8]) -> Result<Move, DecodeErrorKind> {
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

/// The only promoted queen, where "the queen" is gone.
fn forgotten_queen(slots: &Slots, role: Role) -> Option<Square> {
    let is_queen = |square: &Square| {
        slots.position().board().piece_at(*square).is_some_and(|piece| piece.role == Role::Queen)
    };
    let mut queens = slots.promoted().filter(is_queen);
    let queen = queens.next().filter(|_| role == Role::Queen)?;
    queens.next().is_none().then_some(queen)
}

fn legal(slots: &Slots, mv: Move) -> Result<Move, DecodeErrorKind> {
    if slots.position().is_legal(mv) { Ok(mv) } else { Err(DecodeErrorKind::Illegal(mv)) }
}

/// Reads a whole game.
fn read(dialect: Dialect, bytes: &[u8], show: Show<'_>) -> Result<Game, DecodeError> {
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

/// Reads a code whose text lies at `text`.
fn read_code(
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
            // As a sign, where there is a usual one.
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
            // What jose could not read may be more than a word.
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

/// What a move consists of.
fn fields(token: &[u8]) -> String {
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
