//! `GameText` of jose: the piece, and an offset for its target.
//!
//! Each piece has a *slot*, which it keeps for the whole game, and each slot a range of bytes: four for a
//! pawn, eight for a knight or the king, 16 for a bishop or rook, 32 for the queen.
//! `docs/reference/gametext.md` specifies all bytes.
//!
//! | bytes | code | second byte or text |
//! |---|---|---|
//! | `00`–`1f` | the a-pawn to the h-pawn, 4 each | |
//! | `20`–`2f` | the queen's and the king's knight, 8 each | |
//! | `30`–`4f` | the queen's and the king's bishop, 16 each | |
//! | `50`–`6f` | the queen's and the king's rook, 16 each | |
//! | `70`–`8f` | the queen, 32 | |
//! | `90`–`97` | the king, 8 | |
//! | `98` `99` `9a` | castling on the king's side, on the queen's side; a null move | |
//! | `a0`–`a7` | a pawn promotes | its offset, and the piece |
//! | `a8`–`af` | a promoted piece, by the letter of the pawn that it was | its offset |
//! | `b0`, `b1`–`cf` | a glyph; those from 1 to 31 | the glyph |
//! | `d0`–`d3` | the result | |
//! | `e0`–`e4` | a comment, or text in place of a move; the program also has `e5` | a text |
//! | `f0` `f1` | a variation begins, ends | |
//! | `ff` | the end | |
//!
//! The program jose and its manual differ, so there are two codecs: [`Dialect::Jose`] is the format that the program
//! reads and writes, [`Dialect::Document`] that of the manual.
//!
//! # What it cannot hold
//!
//! A third knight, bishop or rook or a second queen in a start from a FEN has no slot. jose writes the bytes of another
//! piece for it; here encoding its moves is an error.
//!
//! # Source
//!
//! Peter Schäfer, jose, manual page *Binary Representation of Move Data*; where it and the program
//! differ, the program's classes `BinaryConstants`, `Position`, `BinReader` and `BinWriter`.
//!
//! ```
//! use halfmove_codecs::{Codec, gametext::Dialect};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").unwrap();
//! let mut bytes = Vec::new();
//! Dialect::Jose.encode(&game, &mut bytes)?;
//! assert_eq!(bytes, [0x13, 0x13, 0x74, 0x22, 0x4b, 0x2b, 0x7e, 0xd2, 0xff]);
//! assert_eq!(Dialect::Jose.decode(&bytes)?.moves, game.moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod java;
mod offsets;
mod reading;

use halfmove_game::{Event, Game, GameResult};
use halfmove_rules::{AnyPosition, CastlingSide, Move, Role};

use self::java::push_unit;
use self::reading::{Parts, legal, read, read_move, token_end};
use crate::lines::Lines;
use crate::parts::{OTHER, chess_start, comes_back, start_text};
use crate::slots::{NONE, Numbering, PROMOTED, Slot, Slots, slot};
use crate::{Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, EncodeErrorKind, Holds};

/// The two dialects, each of them a [`Codec`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `gametext`: the format that the program jose reads and writes.
    Jose,
    /// `gametext-document`: the format of its manual.
    Document,
}

impl Dialect {
    /// Rejects a part that the codec cannot hold.
    fn refuse<T>(self, what: &'static str) -> Result<T, EncodeErrorKind> {
        Err(EncodeErrorKind::Part { codec: self.name(), what })
    }
}

/// The promotions, numbered from 0 to 3.
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

/// The first code of a slot at the start of a game, and its role.
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
            all_tags: false,
            tags: &[],
            starts: true,
            makruk: false,
            result: true,
            glyphs: true,
            comments: true,
            variations: true,
            words: true,
            spelling: false,
        }
    }

    fn encode(&self, game: &Game, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
        let start = chess_start(self.name(), &game.start)?;
        let before = bytes.len();
        let mut writing = Writing {
            dialect: *self,
            lines: Lines::new(Slots::new(&start, Numbering::Scan)),
            texts: Vec::new(),
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
        let before = moves.len();
        let (mut at, mut depth) = (0, 0usize);
        while at < parts.end {
            let code = bytes[at];
            let next = token_end(*self, bytes, at)?;
            match code {
                BEGIN => depth += 1,
                END => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                // Only the whole game shows if later moves are moves of the game.
                RESULT..=0xdf | UNREADABLE..=INPUT_EXPECTED => {
                    let game = self.decode(bytes)?;
                    moves.truncate(before);
                    moves.extend(game.moves);
                    break;
                }
                NULL_MOVE if slots.position().is_check() => {
                    let kind = DecodeErrorKind::Illegal(Move::NULL);
                    return Err(DecodeError { offset: at, kind });
                }
                NULL_MOVE => {
                    slots.play(Move::NULL, None);
                    moves.push(Move::NULL);
                }
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
    if mv.is_null() {
        bytes.push(NULL_MOVE);
        return Ok(());
    }
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

/// A game being encoded.
struct Writing {
    dialect: Dialect,
    lines: Lines,
    /// The texts, which follow the end of the codes.
    texts: Vec<u8>,
}

impl Writing {
    fn event(&mut self, event: Event<'_>, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        match event {
            Event::Tag(..) | Event::EndTags => {}
            Event::Move(mv) => self.play(mv, bytes)?,
            Event::NullMove(_) => self.play(Move::NULL, bytes)?,
            Event::Word(word) => self.word(word, bytes)?,
            Event::Nag(nag) => match u8::try_from(nag.number()) {
                Ok(number @ 1..32) => bytes.push(GLYPH + number),
                Ok(number) => bytes.extend([GLYPH, number]),
                Err(_) => self.dialect.refuse("glyphs above 255")?,
            },
            Event::Comment(comment) if comes_back(comment) => {
                self.text(COMMENT, &comment.to_string(), bytes)?;
            }
            Event::Comment(_) => self.dialect.refuse("comments after a semicolon")?,
            Event::Escape(_) => self.dialect.refuse("lines that begin with %")?,
            Event::CountCall(_) => self.dialect.refuse("counts of Makruk")?,
            Event::BeginVariation => {
                if !self.lines.begin() {
                    self.dialect.refuse("variations without a move before them")?;
                }
                if self.lines.is_too_deep() {
                    return Err(EncodeErrorKind::TooDeep { codec: self.dialect.name() });
                }
                bytes.push(BEGIN);
            }
            Event::EndVariation => {
                self.lines.end();
                bytes.push(END);
            }
            Event::Result(result) => bytes.push(result_code(result)),
            _ => self.dialect.refuse(OTHER)?,
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        append_move(self.dialect, self.lines.now(), mv, bytes)?;
        self.lines.play(mv, None);
        Ok(())
    }

    fn word(&mut self, word: &str, bytes: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        match GameResult::from_token(word.as_bytes()) {
            Some(result) if result.as_str() == word => bytes.push(result_code(result)),
            _ => self.text(UNREADABLE, word, bytes)?,
        }
        self.lines.push_unplayed();
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

#[cfg(test)]
mod tests {
    use super::reading::has_text;
    use super::*;
    use crate::tables::{RESERVED, check, check_reserved, direction, of_bytes};

    /// The meaning of a byte in the table of the page.
    fn meaning(dialect: Dialect, byte: u8) -> String {
        let letter = char::from(b'a' + byte % 8);
        match byte {
            KING_SIDE => "O-O".to_owned(),
            QUEEN_SIDE => "O-O-O".to_owned(),
            NULL_MOVE => "null move".to_owned(),
            0..NULL_MOVE => piece_and_offset(dialect, byte),
            PROMOTE..PROMOTED_MOVE => format!("{letter} promotes"),
            PROMOTED_MOVE..GLYPH => format!("promoted {letter}"),
            GLYPH => "glyph".to_owned(),
            0xb1..RESULT => format!("${}", byte - GLYPH),
            RESULT..0xd4 => RESULTS[usize::from(byte - RESULT)].to_string().replace('*', "\\*"),
            COMMENT => "comment".to_owned(),
            _ if has_text(dialect, byte) => {
                let kinds = ["unreadable", "illegal", "ambiguous", "not recognized", "expected"];
                kinds[usize::from(byte - UNREADABLE)].to_owned()
            }
            BEGIN => "(".to_owned(),
            END => ")".to_owned(),
            END_OF_DATA => "end".to_owned(),
            _ => RESERVED.to_owned(),
        }
    }

    fn piece_and_offset(dialect: Dialect, byte: u8) -> String {
        let (slot, offset) = slot_and_offset(byte);
        let side = if slot % 8 == 0 { "Q" } else { "K" };
        let number = usize::from(offset % 8);
        let (rank, file) = (number + 1, char::from(b'a' + offset % 8));
        match (codes(slot).1, offset / 8) {
            (Role::Pawn, _) => {
                let step = ["ahead", "right", "left", "two"][usize::from(offset)];
                format!("{} {step}", char::from(b'a' + slot))
            }
            (Role::Knight, _) => format!("{side}N {}", direction(dialect.knight()[number])),
            (Role::King, _) => format!("K {}", direction(dialect.king()[number])),
            (Role::Bishop, 0) => format!("{side}B ↗{rank}"),
            (Role::Bishop, _) => format!("{side}B ↘{rank}"),
            (Role::Rook, 0) => format!("{side}R ↕{rank}"),
            (Role::Rook, _) => format!("{side}R ↔{file}"),
            (_, 0) => format!("Q ↗{rank}"),
            (_, 1) => format!("Q ↘{rank}"),
            (_, 2) => format!("Q ↕{rank}"),
            _ => format!("Q ↔{file}"),
        }
    }

    #[test]
    fn the_page_has_every_byte() {
        for dialect in [Dialect::Jose, Dialect::Document] {
            let meaning = |byte| meaning(dialect, byte);
            check("gametext.md", dialect.name(), &of_bytes(meaning));
            check_reserved(&dialect, meaning);
        }
    }
}
