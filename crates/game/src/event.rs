//! A game as one flat list.

use halfmove_rules::Move;

use crate::annotations::Comment;
use crate::annotations::entry::{RESULT, after_moves, after_tags};
use crate::count_call::CountCall;
use crate::game::Game;
use crate::pgn::Nag;
use crate::result::GameResult;

/// An element of the text of a game: see [`Game::events`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A tag: its name and its value.
    Tag(&'a str, &'a str),
    /// The end of the tags; the moves begin.
    EndTags,
    /// A legal move, of the main line or a variation. In the main line also a null move: [`Move::NULL`].
    Move(Move),
    /// A side claims or stops a count of Makruk, in the main line.
    CountCall(CountCall),
    /// A null move of a variation, as written.
    NullMove(&'a str),
    /// A word in place of a move, which could not be played, or a word after one in the same line.
    Word(&'a str),
    /// A glyph.
    Nag(Nag),
    /// A comment.
    Comment(Comment<'a>),
    /// A line that begins with `%`, without that character.
    Escape(&'a str),
    /// The beginning of a variation: an alternative to the move before it.
    BeginVariation,
    /// The end of the variation.
    EndVariation,
    /// The token that ends the moves. Only comments follow.
    Result(GameResult),
}

/// The elements of the text of a game, in their order: see [`Game::events`].
#[derive(Debug, Clone)]
pub struct Events<'a> {
    game: &'a Game,
    index: usize,
    tags: usize,
    plies: usize,
    calls: &'a [CountCall],
    stage: Stage,
    /// The tags, not yet reported.
    rest: crate::tags::TagsIter<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Tags,
    Moves,
    After,
}

impl<'a> Events<'a> {
    pub(crate) fn new(game: &'a Game) -> Events<'a> {
        Events {
            game,
            index: 0,
            tags: 0,
            plies: 0,
            calls: &game.count_calls,
            stage: Stage::Tags,
            rest: game.tags.iter(),
        }
    }

    /// The next annotation, if its place is at most `at`.
    fn annotation(&mut self, at: u32) -> Option<Event<'a>> {
        let annotations = &self.game.annotations;
        annotations.entries.get(self.index).filter(|entry| entry.at <= at)?;
        let (event, next) = annotations.event(self.index)?;
        self.index = next;
        Some(event)
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if self.stage == Stage::Tags {
            if let Some(event) = self.annotation(after_tags(self.tags)) {
                return Some(event);
            }
            if let Some((name, value)) = self.rest.next() {
                self.tags += 1;
                return Some(Event::Tag(name, value));
            }
            self.stage = Stage::Moves;
            return Some(Event::EndTags);
        }
        if self.stage == Stage::Moves {
            if let Some((call, rest)) = self.calls.split_first()
                && call.ply() <= self.plies
            {
                self.calls = rest;
                return Some(Event::CountCall(*call));
            }
            let last = self.plies == self.game.moves.len();
            let at = if last { RESULT - 1 } else { after_moves(self.plies) };
            if let Some(event) = self.annotation(at) {
                return Some(event);
            }
            if !last {
                self.plies += 1;
                return Some(Event::Move(self.game.moves[self.plies - 1]));
            }
            self.stage = Stage::After;
            if let Some(result) = self.game.result {
                return Some(Event::Result(result));
            }
        }
        self.annotation(RESULT)
    }
}
