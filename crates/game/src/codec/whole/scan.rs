//! What searches read of annotations, without building the game.
//!
//! Comments are found by passing over the tokens, which knows nothing about chess. Variations are played on one position for
//! each open line, as a reader of PGN does it.

use std::ops::ControlFlow;

use halfmove_rules::{AnyPosition, Move};

use super::super::halfmove::Halfmove;
use super::super::number::Cursor;
use super::super::{Codec, DecodeError, DecodeErrorKind};
use super::PartError;
use super::tokens::{
    AFTER_TAGS, BEGIN, BEGIN_COUNT, COMMENT, END, FAR_MOVE, GLYPH, LAST_RESULT, LINE_COMMENT,
    NO_RESULT, NULL_MOVE, USUAL_RESULT, WORD, moves_in_order,
};
use crate::annotations::command::text_without_values;
use crate::levels::Levels;
use crate::pgn::MOST_BYTES;

/// Calls `visit` with each comment in the bytes of [`Parts::annotations`](super::Parts) of a game with so many half-moves, until
/// that breaks: with the number of half-moves of the main line before it, and with its text, as
/// [`Comment::text`](crate::Comment::text) has it. Comments without a text are passed over.
///
/// A comment in a variation stands where the variation branches off: before the half-move that the variation replaces.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use halfmove_game::codec::whole::{self, Parts};
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 {best by test} e5 (1... c5 {[%csl Gc5] sharp}) 2. Nf3 *")?;
/// let (parts, mut found) = (Parts::of(&game), Vec::new());
/// whole::comments(&parts.annotations, 3, |ply, text| {
///     found.push(format!("{ply}: {text}"));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, ["1: best by test", "1: sharp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first byte that is no token, or ends too early. What stands where it must not is not looked at.
pub fn comments(
    bytes: &[u8],
    plies: u32,
    mut visit: impl FnMut(u32, &str) -> ControlFlow<()>,
) -> Result<(), DecodeError> {
    let mut place = Place::new(plies);
    let mut tokens = Tokens { cursor: Cursor::new(bytes), depth: 0 };
    while let Some((_, token)) = tokens.next()? {
        place.pass(&token);
        if let Token::Comment(text) = token {
            let text = text_without_values(text);
            if !text.is_empty() && visit(place.ply(), &text).is_break() {
                break;
            }
        }
    }
    Ok(())
}

/// Calls `visit` with each position of the variations of a game, in the order of the text, until that breaks: with the number
/// of half-moves of the main line before the variation branches off, and with the position after a move of a variation.
///
/// The bytes are those of the main line, in the codec [`halfmove`](super::super::halfmove), and those of
/// [`Parts::annotations`](super::Parts). Every move is played once or twice.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use halfmove_game::codec::{Codec, halfmove::Halfmove, whole::{self, Parts}};
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *")?;
/// let mut moves = Vec::new();
/// Halfmove.encode_moves(&game.start, &game.moves, &mut moves)?;
/// let mut found = Vec::new();
/// whole::variations(&moves, &Parts::of(&game).annotations, |ply, position| {
///     found.push((ply, position.fullmove_number()));
///     ControlFlow::Continue(())
/// })?;
/// // After 1... c5, after 2. Nf3 and after 2. c3.
/// assert_eq!(found, [(1, 2), (1, 2), (1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first byte of the moves that is wrong, or the first of the annotations that is no token, ends too early or is a move
/// that cannot be played.
pub fn variations(
    moves: &[u8],
    annotations: &[u8],
    visit: impl FnMut(u32, &AnyPosition) -> ControlFlow<()>,
) -> Result<(), PartError> {
    // No variation begins without this byte.
    if memchr::memchr(BEGIN, annotations).is_none() {
        return Ok(());
    }
    let of = |part| move |error| PartError { part, error };
    let mut line = Vec::new();
    let start = Halfmove.decode_moves(moves, &mut line).map_err(of("moves"))?;
    let place = Place::new(u32::try_from(line.len()).unwrap_or(u32::MAX));
    let mut walk = Walk { levels: Levels::new(start), line: &line, place, visit };
    let mut tokens = Tokens { cursor: Cursor::new(annotations), depth: 0 };
    while let Some((offset, token)) = tokens.next().map_err(of("annotations"))? {
        let flow = walk.step(&token);
        let flow = flow.map_err(|kind| of("annotations")(DecodeError { offset, kind }))?;
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// A token, as far as searches are concerned.
enum Token<'a> {
    /// So many half-moves of the main line.
    Moves(u32),
    /// The move of a variation with this number.
    Move(usize),
    Null,
    /// A word in place of a move.
    Word,
    Begin,
    End,
    Comment(&'a str),
    /// The result: all half-moves of the main line stand before it.
    Result,
    Other,
}

/// The tokens of annotations.
struct Tokens<'a> {
    cursor: Cursor<'a>,
    /// How many variations are open.
    depth: usize,
}

impl<'a> Tokens<'a> {
    /// The next token, and where it begins.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, DecodeError> {
        let offset = self.cursor.at;
        let Some(token) = self.cursor.next() else { return Ok(None) };
        let error = |kind| Err(DecodeError { offset, kind });
        let read = match token {
            0..BEGIN if self.depth == 0 => Token::Moves(u32::from(token) + 1),
            FAR_MOVE => {
                let number = self.cursor.small_number(u64::from(u16::MAX))?;
                Token::Move(number as usize + usize::from(FAR_MOVE))
            }
            0..BEGIN => Token::Move(usize::from(token)),
            BEGIN => {
                self.depth += 1;
                Token::Begin
            }
            END => {
                let Some(depth) = self.depth.checked_sub(1) else {
                    return error(DecodeErrorKind::Order {
                        what: "the end of a variation",
                        expected: "the beginning of a variation before it",
                    });
                };
                self.depth = depth;
                Token::End
            }
            COMMENT..=NULL_MOVE => {
                let text = self.cursor.text()?;
                match token {
                    COMMENT | LINE_COMMENT => Token::Comment(text),
                    WORD => Token::Word,
                    NULL_MOVE => Token::Null,
                    _ => Token::Other,
                }
            }
            GLYPH | AFTER_TAGS => {
                self.cursor.number()?;
                Token::Other
            }
            USUAL_RESULT..=LAST_RESULT => Token::Result,
            BEGIN_COUNT..=NO_RESULT => Token::Other,
            _ => return error(DecodeErrorKind::Reserved(token)),
        };
        Ok(Some((offset, read)))
    }
}

/// Where in the main line the tokens are.
struct Place {
    /// The half-moves so far, and all of them.
    plies: u32,
    all: u32,
    /// Whether a word follows them, which a variation replaces then.
    has_word: bool,
    /// How many variations are open.
    depth: usize,
}

impl Place {
    /// The beginning of a game with so many half-moves.
    fn new(all: u32) -> Place {
        Place { plies: 0, all, has_word: false, depth: 0 }
    }

    fn pass(&mut self, token: &Token<'_>) {
        match token {
            Token::Moves(more) => self.plies = self.plies.saturating_add(*more),
            Token::Word if self.depth == 0 => self.has_word = true,
            Token::Begin => self.depth += 1,
            Token::End => self.depth = self.depth.saturating_sub(1),
            Token::Result => self.plies = self.all,
            _ => {}
        }
    }

    /// The half-moves before this place; in a variation, those before it branches off.
    fn ply(&self) -> u32 {
        let is_replaced = self.depth > 0 && !self.has_word;
        self.plies.saturating_sub(u32::from(is_replaced))
    }
}

/// Plays variations.
struct Walk<'a, F> {
    levels: Levels<AnyPosition>,
    line: &'a [Move],
    place: Place,
    visit: F,
}

impl<F: FnMut(u32, &AnyPosition) -> ControlFlow<()>> Walk<'_, F> {
    fn step(&mut self, token: &Token<'_>) -> Result<ControlFlow<()>, DecodeErrorKind> {
        let from = self.place.plies as usize;
        self.place.pass(token);
        match token {
            Token::Moves(_) => {
                let Some(moves) = self.line.get(from..self.place.plies as usize) else {
                    let expected = "no more half-moves than the game has";
                    return Err(DecodeErrorKind::Order { what: "a half-move", expected });
                };
                moves.iter().for_each(|mv| self.levels.play(*mv));
            }
            Token::Move(_) | Token::Null if !self.levels.can_play() => {
                let expected = "only words after a word that could not be played";
                return Err(DecodeErrorKind::Order { what: "a move", expected });
            }
            Token::Move(number) => {
                let mv = moves_in_order(&self.levels.position).get(*number).copied();
                self.levels.play(mv.ok_or(DecodeErrorKind::NoSuchNumber)?);
                return Ok((self.visit)(self.place.ply(), &self.levels.position));
            }
            Token::Null => {
                if self.place.depth == 0 || !self.levels.pass() {
                    let expected = "a move out of check";
                    return Err(DecodeErrorKind::Order { what: "a null move", expected });
                }
                return Ok((self.visit)(self.place.ply(), &self.levels.position));
            }
            Token::Word => self.levels.stumble(),
            Token::Begin => {
                if self.levels.bytes() > MOST_BYTES {
                    return Err(DecodeErrorKind::TooDeep);
                }
                self.levels.begin(&self.line[..from]);
            }
            Token::End => self.levels.end(),
            Token::Comment(_) | Token::Result | Token::Other => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
