//! Adding and removing annotations.

use std::ops::Range;

use halfmove_rules::Move;

use super::comment::{Comment, Part};
use super::entry::{Entry, FIRST, Kind, MOVES, RESULT, after_moves};
use super::{Annotations, USUAL_NULL};
use crate::build::{BuildError, read_san, usual_style, writable_comment};
use crate::clock::Clock;
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::node::{Here, Node, NodeId, items};
use crate::pgn::{CommentStyle, Nag};

/// A handle for editing the annotations of a move: see [`Game::edit`].
#[derive(Debug)]
pub struct NodeMut<'a> {
    game: &'a mut Game,
    id: NodeId,
}

impl Game {
    /// Returns a handle for a move of the main line or of a variation, or for the start of the game; `None` if the game
    /// has no such move.
    ///
    /// Each change takes time proportional to the number of annotations in the game. To build a whole game, use a
    /// [`GameBuilder`](crate::GameBuilder).
    ///
    /// ```
    /// use halfmove_game::Clock;
    /// use halfmove_game::pgn::{Nag, read_game, write_game};
    ///
    /// let mut game = read_game("1. e4 {a pawn} e5 *").unwrap();
    /// let id = game.node(1).unwrap().id();
    /// let mut first = game.edit(id).unwrap();
    /// first.add_nag(Nag::GOOD_MOVE).add_comment("the king's")?;
    /// first.set_clock(Clock::from_seconds(180));
    /// let instead = first.add_variation_san(&["d4"])?;
    /// game.edit(instead).unwrap().add_comment("also good")?;
    /// let text = "1. e4! {a pawn} {the king's} {[%clk 0:03:00]} (1. d4 {also good}) 1... e5 *\n\n";
    /// assert_eq!(write_game(&game)?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&mut self, id: NodeId) -> Option<NodeMut<'_>> {
        Node::find(self, id)?;
        Some(NodeMut { game: self, id })
    }

    /// Calls `edit` for all moves, including those in variations, and for the start of the game. It begins with the
    /// last move, so that changes to one move do not affect the moves still to be visited.
    ///
    /// ```
    /// use halfmove_game::pgn::{Nag, read_game, write_game};
    ///
    /// let mut game = read_game("1. e4 (1. c4 c5) (1. f3 e5 2. g4 Qh4#) 1... e5 *").unwrap();
    /// game.edit_all(|node| {
    ///     let mates = node.node().is_some_and(|node| node.position().is_checkmate());
    ///     if mates {
    ///         node.add_nag(Nag::VERY_GOOD_MOVE);
    ///     }
    /// });
    /// assert_eq!(write_game(&game)?, "1. e4 (1. c4 c5) (1. f3 e5 2. g4 Qh4#!!) 1... e5 *\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit_all(&mut self, mut edit: impl FnMut(&mut NodeMut<'_>)) {
        // A change moves only later entries.
        for id in NodeId::all(self).into_iter().rev() {
            let id = NodeId { revision: self.annotations.revision, ..id };
            edit(&mut NodeMut { game: self, id });
        }
    }
}

impl NodeMut<'_> {
    /// The move in its current state.
    pub fn node(&self) -> Option<Node<'_>> {
        Node::find(self.game, self.id)
    }

    /// Adds a comment after the others, in braces, or after a semicolon if it contains a `}`.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for a text with both a `}` and a line break.
    pub fn add_comment(&mut self, text: &str) -> Result<&mut Self, BuildError> {
        let style = usual_style(text)?;
        let text = writable_comment(&self.game.annotations, style, text)?;
        let at = self.behind(|entry| entry.kind != Kind::Begin);
        let mut added = Annotations::new();
        added.push_comment(self.at(), style, &text);
        self.splice(at..at, added);
        Ok(self)
    }

    /// Adds a glyph after the others.
    pub fn add_nag(&mut self, nag: Nag) -> &mut Self {
        let at = self.behind(|entry| entry.kind == Kind::Nag);
        let mut added = Annotations::new();
        added.push_nag(self.at(), nag);
        self.splice(at..at, added);
        self
    }

    /// Sets the time left after the move. Replaces an existing value; otherwise adds the value to a comment that has
    /// other values, or as a new comment.
    ///
    /// ```
    /// use halfmove_game::pgn::{read_game, write_game};
    /// use halfmove_game::{Clock, Evaluation};
    ///
    /// let mut game = read_game("1. e4 {the king's} *")?;
    /// let id = game.node(1).unwrap().id();
    /// let mut node = game.edit(id).unwrap();
    /// node.set_clock(Clock::from_seconds(180)).set_evaluation("0.3".parse()?);
    /// node.set_clock(Clock::from_seconds(179));
    /// let text = "1. e4 {the king's} {[%clk 0:02:59] [%eval 0.3]} *\n\n";
    /// assert_eq!(write_game(&game)?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_clock(&mut self, clock: Clock) -> &mut Self {
        self.set(|part| matches!(part, Part::Clock(_)), &format!("[%clk {clock}]"))
    }

    /// Sets the evaluation of the position after the move.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) -> &mut Self {
        self.set(|part| matches!(part, Part::Evaluation(_)), &format!("[%eval {evaluation}]"))
    }

    /// Adds an alternative to this move after the others, and returns its first move.
    ///
    /// # Errors
    ///
    /// [`BuildError::IllegalMove`], [`BuildError::NullMove`]; [`BuildError::Order`] for a variation without moves or at the
    /// start of the game, where there is no move to replace. The game is then unchanged.
    pub fn add_variation(&mut self, moves: &[Move]) -> Result<NodeId, BuildError> {
        let order = |what, expected| Err(BuildError::Order { what, expected });
        if moves.is_empty() {
            return order("a variation without moves", "at least one move");
        }
        if self.id.ply == 0 {
            return order("a variation before the first move", "one that replaces a move");
        }
        let Some(node) = self.node() else {
            return order("a variation", "a move that the game still has");
        };
        let mut position = node.position_before();
        let at = self.at();
        let mut added = Annotations::new();
        added.begin_variation(at);
        for &mv in moves {
            if mv.is_null() {
                position = position.null_move().ok_or(BuildError::NullMove)?;
                added.push_null(at, USUAL_NULL);
                continue;
            }
            if !position.is_legal(mv) {
                return Err(BuildError::IllegalMove(mv, Box::new(position)));
            }
            position.play_unchecked(mv);
            added.push_move(at, mv);
        }
        added.end_variation();
        let index = self.behind(|_| true);
        self.splice(index..index, added);
        Ok(NodeId::in_variation(self.game, index + 1, self.id.ply))
    }

    /// Adds an alternative to this move as [`add_variation`](NodeMut::add_variation) does, with its
    /// moves given as SAN.
    ///
    /// ```
    /// use halfmove_game::pgn::{read_game, write_game};
    ///
    /// let mut game = read_game("1. e4 e5 *")?;
    /// let reply = game.node(2).unwrap().id();
    /// game.edit(reply).unwrap().add_variation_san(&["c5", "Nf3"])?;
    /// assert_eq!(write_game(&game)?, "1. e4 e5 (1... c5 2. Nf3) *\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError::San`]; [`BuildError::Order`] as for [`add_variation`](NodeMut::add_variation). The game is then
    /// unchanged.
    pub fn add_variation_san(&mut self, sans: &[&str]) -> Result<NodeId, BuildError> {
        let mut moves = Vec::with_capacity(sans.len());
        if let Some(mut position) = self.node().map(Node::position_before) {
            for san in sans {
                let mv = read_san(&position, san)?;
                position.play_unchecked(mv);
                moves.push(mv);
            }
        }
        self.add_variation(&moves)
    }

    /// Removes all comments on this move, with their clocks and evaluations.
    pub fn remove_comments(&mut self) -> &mut Self {
        self.remove(|entry| entry.has(FIRST))
    }

    /// Removes all glyphs of this move.
    pub fn remove_nags(&mut self) -> &mut Self {
        self.remove(|entry| entry.kind == Kind::Nag)
    }

    /// Removes all alternatives to this move.
    pub fn remove_variations(&mut self) -> &mut Self {
        self.remove(|entry| entry.kind == Kind::Begin)
    }

    /// The position of new entries.
    fn at(&self) -> u32 {
        match self.id.here {
            Here::Main => after_moves(self.id.ply),
            Here::Variation(index) => self.game.annotations.entries[index].at,
        }
    }

    fn range(&self) -> (usize, usize) {
        self.node().map_or((0, 0), Node::range)
    }

    /// The index after the leading annotations of this move for which `test` returns true.
    fn behind(&self, test: impl Fn(&Entry) -> bool) -> usize {
        let (from, to) = self.range();
        let annotations = &self.game.annotations;
        let passing = items(self.game, from, to).take_while(|&i| test(&annotations.entries[i]));
        passing.last().map_or(from, |index| annotations.skip(index))
    }

    fn remove(&mut self, test: impl Fn(&Entry) -> bool) -> &mut Self {
        loop {
            let (from, to) = self.range();
            let annotations = &self.game.annotations;
            let found = items(self.game, from, to).find(|&i| test(&annotations.entries[i]));
            let Some(index) = found else { return self };
            let range = index..annotations.skip(index);
            self.splice(range, Annotations::new());
        }
    }

    /// Replaces annotations of this move.
    fn splice(&mut self, range: Range<usize>, added: Annotations) {
        self.game.annotations.splice(range, added);
        // This move has kept its place.
        self.id.revision = self.game.annotations.revision;
    }

    /// Replaces the first part for which `test` returns true with a value, or adds the value after other values.
    fn set(&mut self, test: impl Fn(&Part<'_>) -> bool, value: &str) -> &mut Self {
        let (from, to) = self.range();
        let annotations = &self.game.annotations;
        let comments = || {
            items(self.game, from, to)
                .filter(|&index| annotations.entries[index].has(FIRST))
                .map(|index| (index, Comment::at(annotations, index)))
        };
        let has_values =
            |comment: Comment<'_>| comment.parts().any(|part| !matches!(part, Part::Text(_)));
        let old = comments().find(|(_, (comment, _))| comment.parts().any(|part| test(&part)));
        let mut added = Annotations::new();
        let range = match old {
            None => match comments().find(|(_, (comment, _))| has_values(*comment)) {
                None => {
                    let at = self.behind(|entry| entry.kind != Kind::Begin);
                    added.push_comment(self.at(), CommentStyle::Braces, value);
                    at..at
                }
                Some((index, (comment, end))) => {
                    let values = comment.parts().filter(|part| !matches!(part, Part::Text(_)));
                    let (mut text, mut rest) = (String::new(), values.count());
                    comment.pieces(|piece, is_value| {
                        text.push_str(piece);
                        rest -= usize::from(is_value);
                        if is_value && rest == 0 {
                            text.push(' ');
                            text.push_str(value);
                        }
                    });
                    added.push_comment(self.at(), comment.style(), &text);
                    index..end
                }
            },
            Some((index, (comment, end))) => {
                let which = comment.parts().position(|part| test(&part));
                let (mut text, mut values) = (String::new(), 0);
                let before = comment.parts().take(which.unwrap_or(0));
                let before = before.filter(|part| !matches!(part, Part::Text(_))).count();
                comment.pieces(|piece, is_value| {
                    let is_old = is_value && values == before;
                    values += usize::from(is_value);
                    text.push_str(if is_old { value } else { piece });
                });
                added.push_comment(self.at(), comment.style(), &text);
                index..end
            }
        };
        self.splice(range, added);
        self
    }
}

impl Annotations {
    /// Removes the entries from `from` on, up to but not including `to`.
    pub(crate) fn remove_between(&mut self, from: u32, to: u32) {
        self.splice(self.find(from)..self.find(to), Annotations::new());
    }

    /// Removes the entries of the first half-moves of the main line, and those before them.
    pub(crate) fn remove_moves(&mut self, plies: usize) {
        self.remove_between(after_moves(0), after_moves(plies + 1));
        for entry in &mut self.entries {
            if (MOVES..RESULT).contains(&entry.at) {
                entry.at -= after_moves(plies) - MOVES;
            }
        }
    }

    /// Replaces entries together with their texts.
    fn splice(&mut self, range: Range<usize>, added: Annotations) {
        self.revision = self.revision.wrapping_add(1);
        let texts = self.text_from(range.start)..self.text_from(range.end);
        let (added_count, added_text) = (added.entries.len(), added.text.len());
        let moved_text = |word: u64| {
            let (from, length) = ((word >> 32) as usize, word as u32 as usize);
            Entry::text_word(from + added_text - texts.len(), length)
        };
        let removed = range.len();
        let moved_index = |index: u64| match index as usize >= range.end {
            true => index + added_count as u64 - removed as u64,
            false => index,
        };
        for (index, entry) in self.entries.iter_mut().enumerate() {
            if entry.kind.has_index() {
                entry.word = moved_index(entry.word);
            } else if index >= range.end && entry.kind.has_text() {
                entry.word = moved_text(entry.word);
            }
        }
        self.text.replace_range(texts.clone(), &added.text);
        let entries = added.entries.into_iter().map(|mut entry| {
            if entry.kind.has_index() {
                entry.word += range.start as u64;
            } else if entry.kind.has_text() {
                entry.word += (texts.start as u64) << 32;
            }
            entry
        });
        self.entries.splice(range.clone(), entries);
    }

    /// The offset at which the texts of the entries from `index` on begin.
    fn text_from(&self, index: usize) -> usize {
        let mut rest = self.entries[index..].iter();
        let first = rest.find(|entry| entry.kind.has_text());
        first.map_or(self.text.len(), |entry| (entry.word >> 32) as usize)
    }
}
