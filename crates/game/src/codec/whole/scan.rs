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
use crate::replay::LineTest;

/// Calls `visit` with each comment in the bytes of [`Parts::annotations`](super::Parts) of a game of `plies`, until
/// `visit` breaks. The arguments are the number of half-moves of the main line before the comment, and its text, as in
/// [`Comment::text`](crate::Comment::text). Comments without text are passed over.
///
/// A comment in a variation is reported at the branching point: before the half-move that the variation replaces.
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
/// [`Parts::annotations`](super::Parts) of a game of `plies`; a variation counts at its branching point. `None` if
/// there is none. Comments with only clocks, times and evaluations do not count.
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

/// The glyphs of the half-moves of the main line in the bytes of [`Parts::annotations`](super::Parts) of a game of `plies`: the
/// index of the half-move, from 0, and the number of the glyph, in ascending order.
///
/// ```
/// use halfmove_game::codec::whole::{self, Parts};
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4! e5 (1... c5?) 2. Nf3 $16 $5 *")?;
/// let annotations = Parts::of(&game).annotations;
/// assert_eq!(whole::nags(&annotations, 3)?, [(0, 1), (2, 5), (2, 16)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first byte that begins no token, or whose token is truncated. The order of the tokens is not checked.
pub fn nags(bytes: &[u8], plies: u32) -> Result<Vec<(usize, u32)>, DecodeError> {
    let (mut place, mut found) = (Place::new(plies), Vec::new());
    let mut tokens = Tokens::new(bytes);
    while let Some((_, token)) = tokens.next()? {
        place.pass(&token);
        if let Token::Nag(nag) = token
            && place.depth == 0
            && !place.has_word
            && let Some(index) = place.plies.checked_sub(1)
        {
            found.push((index as usize, nag.number()));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
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
    walk(moves, annotations, |_| Visited(visit)).map(drop)
}

/// The branching point, in half-moves of the main line, of the first variation whose line meets a condition, after a
/// move of the variation or, for conditions on the end, at its end. The line begins at the start of the game. `None` if
/// no variation meets the condition. Each move is played once or twice.
///
/// ```
/// use halfmove_game::codec::{halfmove, whole::{self, Parts}};
/// use halfmove_game::pgn::read_game;
/// use halfmove_game::replay::MoveSequence;
///
/// let game = read_game("1. e4 e5 2. Nf3 (2. f4 exf4 (2... Bc5 3. fxe5)) *")?;
/// let mut moves = Vec::new();
/// halfmove::encode(&game, &mut moves)?;
/// let annotations = Parts::of(&game).annotations;
/// let find = |sequence: &str| {
///     whole::find_in_variations(&moves, &annotations, &sequence.parse::<MoveSequence>().unwrap())
/// };
/// // The moves of the main line before the variation belong to its line.
/// assert_eq!(find("e5 f4 Bc5")?, Some(2));
/// assert_eq!(find("exf4 Bc5")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Same as [`variations`].
pub fn find_in_variations<T: LineTest>(
    moves: &[u8],
    annotations: &[u8],
    test: &T,
) -> Result<Option<u32>, PartError> {
    let visitor = walk(moves, annotations, |start| {
        let state = test.start(start);
        let line = Tested { before: state.clone(), now: state, has_moved: false };
        Found { test, line, around: Vec::new(), found: None }
    })?;
    Ok(visitor.and_then(|visitor| visitor.found))
}

/// Walks through the variations of a game with a [`LineVisitor`] created from its start position; `None` if it has no
/// variations.
fn walk<V: LineVisitor>(
    moves: &[u8],
    annotations: &[u8],
    visitor: impl FnOnce(&AnyPosition) -> V,
) -> Result<Option<V>, PartError> {
    // No variation begins without this byte.
    if memchr::memchr(BEGIN, annotations).is_none() {
        return Ok(None);
    }
    let of = |part| move |error| PartError { part, error };
    let mut line = Vec::new();
    let start = halfmove::decode_moves(moves, &mut line).map_err(of("moves"))?;
    let place = Place::new(u32::try_from(line.len()).unwrap_or(u32::MAX));
    let visitor = visitor(&start);
    let mut walk = Walk { levels: Levels::new(start), line: &line, place, visitor };
    let mut tokens = Tokens::new(annotations);
    while let Some((at, token)) = tokens.next().map_err(of("annotations"))? {
        let flow = walk.step(&token);
        let flow =
            flow.map_err(|kind| of("annotations")(DecodeError { offset: at.start, kind }))?;
        if flow.is_break() {
            break;
        }
    }
    Ok(Some(walk.visitor))
}

/// Receives the moves of a [`Walk`].
trait LineVisitor {
    /// True to receive the moves of the main line, and the positions before moves.
    const FOLLOWS: bool;

    /// A move of the main line.
    fn main(&mut self, _: &AnyPosition, _: Move, _: &AnyPosition) {}

    /// A move of a variation that branches off after `ply` half-moves, or a null move.
    fn moved(
        &mut self,
        ply: u32,
        before: Option<&AnyPosition>,
        mv: Move,
        after: &AnyPosition,
    ) -> ControlFlow<()>;

    /// The beginning of a variation, which replaces the last move, or the word after it.
    fn begin(&mut self, _replaces_word: bool) {}

    /// The end of a variation that branches off after `ply` half-moves.
    fn end(&mut self, _ply: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Visits the positions.
struct Visited<F>(F);

impl<F: FnMut(u32, &AnyPosition) -> ControlFlow<()>> LineVisitor for Visited<F> {
    const FOLLOWS: bool = false;

    fn moved(
        &mut self,
        ply: u32,
        _: Option<&AnyPosition>,
        _: Move,
        after: &AnyPosition,
    ) -> ControlFlow<()> {
        (self.0)(ply, after)
    }
}

/// Tests a condition.
struct Found<'t, T: LineTest> {
    test: &'t T,
    line: Tested<T::State>,
    /// The lines around it.
    around: Vec<Tested<T::State>>,
    found: Option<u32>,
}

/// The states of a line.
#[derive(Clone)]
struct Tested<S> {
    /// The state before the last move, from which an alternative to it continues.
    before: S,
    now: S,
    has_moved: bool,
}

impl<T: LineTest> Found<'_, T> {
    fn go_on(&mut self, next: T::State) {
        self.line.before = std::mem::replace(&mut self.line.now, next);
        self.line.has_moved = true;
    }

    fn note(&mut self, is_met: bool, ply: u32) -> ControlFlow<()> {
        if !is_met {
            return ControlFlow::Continue(());
        }
        self.found = Some(ply);
        ControlFlow::Break(())
    }
}

impl<T: LineTest> LineVisitor for Found<'_, T> {
    const FOLLOWS: bool = true;

    fn main(&mut self, before: &AnyPosition, mv: Move, after: &AnyPosition) {
        self.go_on(self.test.next(&self.line.now, before, mv, after));
    }

    fn moved(
        &mut self,
        ply: u32,
        before: Option<&AnyPosition>,
        mv: Move,
        after: &AnyPosition,
    ) -> ControlFlow<()> {
        if let Some(before) = before {
            self.go_on(self.test.next(&self.line.now, before, mv, after));
        }
        self.note(self.test.is_met(&self.line.now), ply)
    }

    fn begin(&mut self, replaces_word: bool) {
        let from = if replaces_word { &self.line.now } else { &self.line.before };
        let line = Tested { before: from.clone(), now: from.clone(), has_moved: false };
        self.around.push(std::mem::replace(&mut self.line, line));
    }

    fn end(&mut self, ply: u32) -> ControlFlow<()> {
        let is_met = self.line.has_moved && self.test.is_met_at_end(&self.line.now);
        if let Some(outer) = self.around.pop() {
            self.line = outer;
        }
        self.note(is_met, ply)
    }
}

/// The current place in the main line.
struct Place {
    /// The number of half-moves so far, and the total.
    plies: u32,
    all: u32,
    /// True if a word follows, which a variation would replace.
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
struct Walk<'a, V> {
    levels: Levels<AnyPosition>,
    line: &'a [Move],
    place: Place,
    visitor: V,
}

impl<V: LineVisitor> Walk<'_, V> {
    fn step(&mut self, token: &Token<'_>) -> Result<ControlFlow<()>, DecodeErrorKind> {
        let from = self.place.plies as usize;
        let ply = self.place.ply();
        self.place.pass(token);
        match token {
            Token::Moves(_) => {
                let Some(moves) = self.line.get(from..self.place.plies as usize) else {
                    let expected = "no more half-moves than the game has";
                    return Err(DecodeErrorKind::Order { what: "a half-move", expected });
                };
                for mv in moves {
                    let before = V::FOLLOWS.then(|| self.levels.position.clone());
                    self.levels.play(*mv);
                    if let Some(before) = before {
                        self.visitor.main(&before, *mv, &self.levels.position);
                    }
                }
            }
            Token::Move(_) | Token::NullMove(_) if !self.levels.can_play() => {
                let expected = "only words after a word that could not be played";
                return Err(DecodeErrorKind::Order { what: "a move", expected });
            }
            Token::Move(number) => {
                let mv = move_numbered(&self.levels.position, *number);
                return Ok(self.play(mv.ok_or(DecodeErrorKind::NoSuchNumber)?));
            }
            Token::NullMove(_) if self.place.depth == 0 => {
                let expected = "only in a variation: the main line has it among its half-moves";
                return Err(DecodeErrorKind::Order { what: "a null move", expected });
            }
            Token::NullMove(_) if self.levels.position.is_check() => {
                return Err(DecodeErrorKind::Illegal(Move::NULL));
            }
            Token::NullMove(_) => return Ok(self.play(Move::NULL)),
            Token::Word(_) => self.levels.push_unplayed(),
            Token::Begin => {
                if self.levels.bytes() > MAX_BYTES {
                    return Err(DecodeErrorKind::TooDeep);
                }
                self.visitor.begin(!self.levels.can_play());
                self.levels.begin(&self.line[..from]);
            }
            Token::End => {
                self.levels.end();
                return Ok(self.visitor.end(ply));
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Plays a move of a variation, or a null move.
    fn play(&mut self, mv: Move) -> ControlFlow<()> {
        let before = V::FOLLOWS.then(|| self.levels.position.clone());
        self.levels.play(mv);
        self.visitor.moved(self.place.ply(), before.as_ref(), mv, &self.levels.position)
    }
}
