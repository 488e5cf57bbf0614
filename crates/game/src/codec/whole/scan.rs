//! Comments and the positions of variations, for searches: read without building the game.
//!
//! Comments are found by passing over the tokens, without playing moves. Variations are played on one position for each
//! open line, as in the reader of PGN.

use std::ops::ControlFlow;

use halfmove_rules::{AnyPosition, Move};

use super::super::{DecodeError, DecodeErrorKind, halfmove};
use super::PartError;
use super::tokens::{BEGIN, Token, Tokens, move_numbered};
use crate::annotations::command::{is_remark, text_without_values};
use crate::levels::Levels;
use crate::pgn::MAX_BYTES;

/// Calls `visit` with each comment in the bytes of [`Parts::annotations`](super::Parts) of a game of `plies`, until
/// `visit` breaks. The arguments are the number of half-moves of the main line before the comment, and its text, as in
/// [`Comment::text`](crate::Comment::text). Comments without text are passed over.
///
/// A comment in a variation has the place where the variation branches off: before the half-move that the variation
/// replaces.
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
/// The first byte that begins no token, or whose token is truncated. The order of the tokens is not checked.
pub fn comments(
    bytes: &[u8],
    plies: u32,
    mut visit: impl FnMut(u32, &str) -> ControlFlow<()>,
) -> Result<(), DecodeError> {
    let mut place = Place::new(plies);
    let mut tokens = Tokens::new(bytes);
    while let Some((_, token)) = tokens.next()? {
        place.pass(&token);
        if let Token::Comment(_, text) = token {
            let text = text_without_values(text);
            if !text.is_empty() && visit(place.ply(), &text).is_break() {
                break;
            }
        }
    }
    Ok(())
}

/// The number of half-moves of the main line before the first comment, glyph or variation in the bytes of
/// [`Parts::annotations`](super::Parts) of a game of `plies`; a variation counts from where it branches off. `None` if there is none.
/// A comment that has only clocks, times and evaluations does not count.
///
/// ```
/// use halfmove_game::codec::whole::{self, Parts};
/// use halfmove_game::pgn::read_game;
///
/// for (text, expected) in [
///     ("1. e4 e5 2. Nf3!? *", Some(3)),
///     ("1. e4 e5 (1... c5) 2. Nf3 *", Some(1)),
///     ("1. e4 {[%clk 0:03:00]} e5 {[%cal Gd2d4]} 2. Nf3 *", Some(2)),
///     ("1. e4 {[%clk 0:03:00] } e5 2. Nf3 *", None),
/// ] {
///     let annotations = Parts::of(&read_game(text)?).annotations;
///     assert_eq!(whole::first_annotation(&annotations, 3)?, expected, "{text}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first byte that begins no token, or whose token is truncated. The order of the tokens is not checked.
pub fn first_annotation(bytes: &[u8], plies: u32) -> Result<Option<u32>, DecodeError> {
    let mut place = Place::new(plies);
    let mut tokens = Tokens::new(bytes);
    while let Some((_, token)) = tokens.next()? {
        place.pass(&token);
        let counts = match token {
            Token::Comment(_, text) => is_remark(text),
            Token::Nag(_) | Token::Begin => true,
            _ => false,
        };
        if counts {
            return Ok(Some(place.ply()));
        }
    }
    Ok(None)
}

/// Calls `visit` with each position of the variations of a game, in the order of the text, until `visit` breaks. The
/// arguments are the number of half-moves of the main line before the variation branches off, and the position after a
/// move of the variation.
///
/// The bytes are those of the main line, in the byte code [`halfmove`](super::super::halfmove), and those of
/// [`Parts::annotations`](super::Parts). Every move is played once or twice.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use halfmove_game::codec::{halfmove, whole::{self, Parts}};
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *")?;
/// let mut moves = Vec::new();
/// halfmove::encode(&game, &mut moves)?;
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
/// The first invalid byte of the moves, or the first of the annotations that begins no token, is truncated or is a move
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
    let start = halfmove::decode_moves(moves, &mut line).map_err(of("moves"))?;
    let place = Place::new(u32::try_from(line.len()).unwrap_or(u32::MAX));
    let mut walk = Walk { levels: Levels::new(start), line: &line, place, visit };
    let mut tokens = Tokens::new(annotations);
    while let Some((at, token)) = tokens.next().map_err(of("annotations"))? {
        let flow = walk.step(&token);
        let flow =
            flow.map_err(|kind| of("annotations")(DecodeError { offset: at.start, kind }))?;
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// The current place in the main line.
struct Place {
    /// The half-moves so far, and the total.
    plies: u32,
    all: u32,
    /// True if a word follows them, which a variation would replace.
    has_word: bool,
    /// The number of open variations.
    depth: usize,
}

impl Place {
    /// The beginning of a game of `all` half-moves.
    fn new(all: u32) -> Place {
        Place { plies: 0, all, has_word: false, depth: 0 }
    }

    fn pass(&mut self, token: &Token<'_>) {
        match token {
            Token::Moves(more) => self.plies = self.plies.saturating_add(*more),
            Token::Word(_) if self.depth == 0 => self.has_word = true,
            Token::Begin => self.depth += 1,
            Token::End => self.depth = self.depth.saturating_sub(1),
            Token::UsualResult | Token::Result(_) => self.plies = self.all,
            _ => {}
        }
    }

    /// The half-moves before this place; in a variation, those before its branching point.
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
            Token::Move(_) | Token::NullMove(_) if !self.levels.can_play() => {
                let expected = "only words after a word that could not be played";
                return Err(DecodeErrorKind::Order { what: "a move", expected });
            }
            Token::Move(number) => {
                let mv = move_numbered(&self.levels.position, *number);
                self.levels.play(mv.ok_or(DecodeErrorKind::NoSuchNumber)?);
                return Ok((self.visit)(self.place.ply(), &self.levels.position));
            }
            Token::NullMove(_) => {
                if self.place.depth == 0 {
                    let expected = "only in a variation: the main line has it among its half-moves";
                    return Err(DecodeErrorKind::Order { what: "a null move", expected });
                }
                if !self.levels.pass() {
                    return Err(DecodeErrorKind::Illegal(Move::NULL));
                }
                return Ok((self.visit)(self.place.ply(), &self.levels.position));
            }
            Token::Word(_) => self.levels.push_unplayed(),
            Token::Begin => {
                if self.levels.bytes() > MAX_BYTES {
                    return Err(DecodeErrorKind::TooDeep);
                }
                self.levels.begin(&self.line[..from]);
            }
            Token::End => self.levels.end(),
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
