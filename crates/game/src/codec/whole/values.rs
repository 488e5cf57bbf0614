//! The clocks and evaluations of a game's main line.

use super::template::{PartialTemplate, Template};
use crate::annotations::Comment;
use crate::annotations::command::{clock_of, evaluation_of};
use crate::annotations::entry::{Entry, FIRST, Kind, LAST, LINE, MOVES, RESULT};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::event::Event;
use crate::game::Game;
use crate::pgn::CommentStyle;

/// The values of the main line, which are stored separately from the tokens, and their template.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    pub(super) clocks: Vec<Option<Clock>>,
    pub(super) evaluations: Vec<Option<Evaluation>>,
    /// The template of all their comments, if these have the same layout. Each must be the only comment with values
    /// after its half-move, and the last one before the variations.
    pub(super) template: Option<Template>,
    /// The indices of these comments among the events of the game.
    pub(super) comments: Vec<usize>,
    /// True if the game has no other comments and no other annotations.
    pub(super) are_alone: bool,
}

/// Stores the first value of a half-move.
#[inline]
fn keep<T: Copy>(values: &mut Vec<Option<T>>, ply: usize, value: T) {
    if values.len() < ply {
        // Half-moves without a value are rare.
        while values.len() + 1 < ply {
            values.push(None);
        }
        values.push(Some(value));
    }
}

impl Values {
    /// Fast path for games with at most one such comment after each half-move and no other annotations, like most
    /// online games: compares layouts without formatting texts.
    pub(super) fn alone(game: &Game) -> Option<Values> {
        let entries = &game.annotations.entries;
        if entries.is_empty() || !game.count_calls.is_empty() {
            return None;
        }
        let mut values = Values::default();
        let (mut template, mut rest, mut last) = (None, &entries[..], MOVES);
        // The layout of the last comment with a single value.
        let mut usual = None;
        while let Some((first, tail)) = rest.split_first() {
            let Entry { at, kind, flags, .. } = *first;
            if at <= last || at == RESULT {
                return None;
            }
            last = at;
            let ply = (at - MOVES) as usize;
            if usual == Some((kind, flags)) {
                rest = tail;
                match kind {
                    Kind::Clock => keep(&mut values.clocks, ply, clock_of(first)),
                    _ => keep(&mut values.evaluations, ply, evaluation_of(first)),
                }
                continue;
            }
            if first.has(LINE) || !first.has(FIRST) {
                return None;
            }
            let second = tail.first().filter(|_| !first.has(LAST));
            rest = &tail[usize::from(second.is_some())..];
            template = Some(Template::of_entries(first, second, template)?);
            usual = second.is_none().then_some((kind, flags));
            for entry in [Some(first), second].into_iter().flatten() {
                match entry.kind {
                    Kind::Clock => values.take(ply, Some(clock_of(entry)), None),
                    _ => values.take(ply, None, Some(evaluation_of(entry))),
                }
            }
        }
        values.template = template.map(PartialTemplate::template);
        values.are_alone = true;
        Some(values)
    }

    /// The values of a game's main line.
    pub(super) fn of(game: &Game) -> Values {
        let mut values = Values::default();
        let (mut depth, mut ply, mut is_after_move) = (0_usize, 0, false);
        let (mut is_regular, mut has_value) = (true, false);
        for (number, event) in game.events().enumerate() {
            match event {
                Event::Move(_) if depth == 0 => {
                    (ply, is_after_move, has_value) = (ply + 1, true, false);
                }
                Event::Move(_) | Event::CountCall(_) => {}
                Event::Nag(_) if is_after_move => is_regular &= !has_value,
                Event::Comment(comment) if is_after_move => {
                    is_regular &= !has_value;
                    let (clock, evaluation) = (comment.clock(), comment.evaluation());
                    if clock.is_some() || evaluation.is_some() {
                        values.take(ply, clock, evaluation);
                        has_value = true;
                        is_regular = is_regular && values.fits(comment);
                        values.comments.push(number);
                    }
                }
                Event::BeginVariation => {
                    (depth, is_after_move) = (depth + 1, false);
                }
                Event::EndVariation => depth = depth.saturating_sub(1),
                _ => is_after_move = false,
            }
        }
        if !is_regular {
            values.irregular();
        }
        values
    }

    /// Treats the comments as ordinary annotations.
    pub(super) fn irregular(&mut self) {
        self.template = None;
        self.comments.clear();
        self.are_alone = false;
    }

    /// Stores the first clock and the first evaluation of a half-move.
    fn take(&mut self, ply: usize, clock: Option<Clock>, evaluation: Option<Evaluation>) {
        if let Some(clock) = clock {
            keep(&mut self.clocks, ply, clock);
        }
        if let Some(evaluation) = evaluation {
            keep(&mut self.evaluations, ply, evaluation);
        }
    }

    /// Returns true if the layout of a comment is consistent with those before it.
    fn fits(&mut self, comment: Comment<'_>) -> bool {
        if comment.style() != CommentStyle::Braces {
            return false;
        }
        let (clock, evaluation) = (comment.clock(), comment.evaluation());
        self.template = Template::of(&comment.to_string(), clock, evaluation, self.template);
        self.template.is_some()
    }

    /// The comment after a half-move.
    pub(super) fn comment(&self, ply: usize) -> Option<String> {
        let index = ply.wrapping_sub(1);
        let clock = self.clocks.get(index).copied().flatten();
        let evaluation = self.evaluations.get(index).copied().flatten();
        let template = self.template.filter(|_| clock.is_some() || evaluation.is_some())?;
        let mut text = String::new();
        template.write(clock, evaluation, &mut text);
        Some(text)
    }
}
