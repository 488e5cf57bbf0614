//! Brenner's notation: one byte holds the kind of piece, its number, the direction and the distance.
//!
//! [`Notation`] has the two layouts of his paper. `docs/reference/brenner.md` specifies both: the numbers of pieces,
//! all bytes, texts, and the extension that makes the notation complete. The paper leaves the numbers of promoted
//! pieces open, and has no codes for variations, other starts, null moves and the result `*`.
//!
//! | piece | [`Notation::Primary`], `brenner` | [`Notation::Alternate`], `brenner-alternate` | |
//! |---|---|---|---|
//! | queen | `01 nnn ddd` | `11 ddd nnn` | `ddd` direction, `nnn` squares |
//! | rook | `1 w nnn dd 0` | `10 dd w nnn` | `w` which |
//! | bishop | `1 w nnn dd 1` | `01 dd w nnn` | |
//! | pawn | `001 mm www` | `001 mm www` | `mm` one step, two steps, capture right or left |
//! | knight | `0001 w ddd` | the same | |
//! | king | `00001 ddd` | the same | |
//! | other | `00000 mmm` | the same | text, results, castling, `?`, `!` |
//!
//! # Source
//!
//! Norman Brenner, *Minimal encoding of moves in a chess game*, 2002 to 2013.
//!
//! ```
//! use halfmove_codecs::{Codec, brenner::Notation};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").unwrap();
//! let mut bytes = Vec::new();
//! Notation::Primary.encode(&game, &mut bytes)?;
//! assert_eq!(bytes, [0x2c, 0x2c, 0x61, 0x17, 0xdb, 0x1e, 0x06, 0x06, 0x53, 0x02]);
//! # Ok::<(), halfmove_codecs::EncodeError>(())
//! ```

mod codes;
mod reading;

use halfmove_game::pgn::Nag;
use halfmove_game::{Event, Game, GameResult};
use halfmove_rules::{AnyPosition, CastlingSide, Chess, Move, Role};

use self::codes::{COMPASS, Code, KNIGHT, pawn_steps};
use self::reading::{Kind, Reading, Token, start_of};
use crate::lines::Lines;
use crate::parts::{OTHER, chess_start, comes_back, start_text};
use crate::slots::{NONE, Numbering, Slots};
use crate::{Codec, DecodeError, DecodeErrorKind, Dumped, EncodeError, EncodeErrorKind, Holds};

/// The two notations, each of them a [`Codec`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `brenner`: the layout at the beginning of the paper.
    Primary,
    /// `brenner-alternate`: the layout in which the fields of queens, rooks and bishops are alike.
    Alternate,
}

const MOVE: u8 = 0;
const NULL_MOVE: u8 = 1;
const UNKNOWN_RESULT: u8 = 2;
const BEGIN: u8 = 3;
const END: u8 = 4;
const START: u8 = 5;
const MOVES_BEGIN: u8 = 6;

/// The tags with a letter.
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
    /// Rejects a part that the codec cannot hold.
    fn refuse<T>(self, what: &'static str) -> Result<T, EncodeErrorKind> {
        Err(EncodeErrorKind::Part { codec: self.name(), what })
    }

    /// Appends the code of a legal move.
    fn append_move(self, slots: &Slots, mv: Move, bytes: &mut Vec<u8>) {
        if mv.is_null() {
            return bytes.extend([self.extension(), NULL_MOVE]);
        }
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
            all_tags: false,
            tags: &TAG_NAMES,
            starts: true,
            makruk: false,
            result: true,
            glyphs: true,
            comments: true,
            variations: true,
            words: false,
            spelling: false,
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
                Kind::Extension(UNKNOWN_RESULT) | Kind::Result(_) => break,
                Kind::Extension(NULL_MOVE) if slots.position().is_check() => {
                    let kind = DecodeErrorKind::Illegal(Move::NULL);
                    return Err(DecodeError { offset: at, kind });
                }
                Kind::Extension(NULL_MOVE) => {
                    slots.play(Move::NULL, None);
                    moves.push(Move::NULL);
                }
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

/// A game being encoded.
struct Writing {
    notation: Notation,
    lines: Lines,
    stage: Stage,
    /// True if the last code is a single `?` or `!`: another one would combine with it.
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
                notation.append_move(self.lines.now(), Move::NULL, bytes);
                self.lines.play(Move::NULL, None);
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
            Event::Comment(comment) if comes_back(comment) => {
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
                if self.lines.is_too_deep() {
                    return Err(EncodeErrorKind::TooDeep { codec: notation.name() });
                }
                bytes.extend([extension, BEGIN]);
            }
            Event::EndVariation => {
                self.lines.end();
                bytes.extend([extension, END]);
            }
            Event::Result(GameResult::Unknown) => bytes.extend([extension, UNKNOWN_RESULT]),
            Event::Result(result) => bytes.push(notation.byte(Code::Result(result))),
            _ => notation.refuse(OTHER)?,
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
