//! Follows the moves of a game into its variations and back.

use std::rc::Rc;

use halfmove_game::pgn::MAX_BYTES;
use halfmove_rules::Move;

use crate::slots::Slots;

/// The current line, and the lines around it.
///
/// A variation replaces the last move of its line, so each line keeps the position before that move. Lines share
/// positions until one of them moves: a million open variations need one.
#[derive(Debug)]
pub(crate) struct Lines {
    line: Line,
    around: Vec<Line>,
    /// The number of positions in the lines around.
    positions: usize,
}

#[derive(Debug, Clone)]
struct Line {
    now: Rc<Slots>,
    /// The position before the last move, if there was one.
    before: Option<Rc<Slots>>,
    /// The number of words in place of moves after the last move, up to 2.
    words: u8,
    /// The number of positions that the line around did not share when the variation began.
    own: usize,
}

impl Line {
    fn new(now: Rc<Slots>) -> Line {
        Line { now, before: None, words: 0, own: 0 }
    }
}

impl Lines {
    pub(crate) fn new(start: Slots) -> Lines {
        Lines { line: Line::new(Rc::new(start)), around: Vec::new(), positions: 0 }
    }

    /// The current position.
    pub(crate) fn now(&self) -> &Slots {
        &self.line.now
    }

    pub(crate) fn is_main(&self) -> bool {
        self.around.is_empty()
    }

    /// Returns true if the lines around occupy more than 32 MiB.
    pub(crate) fn is_too_deep(&self) -> bool {
        // The size includes the two reference counters.
        let position = size_of::<Slots>() + 2 * size_of::<usize>();
        self.positions * position + size_of_val(&*self.around) > MAX_BYTES
    }

    /// Returns true if the current position is known: no word of the line stands in place of a move.
    pub(crate) fn is_known(&self) -> bool {
        self.line.words == 0
    }

    /// Plays a legal move, or a null move out of check. A promoted piece gets this number, or the next one.
    pub(crate) fn play(&mut self, mv: Move, number: Option<usize>) {
        let Line { now, before, .. } = &mut self.line;
        // Without variations, the same two positions alternate.
        let mut next = before.take().unwrap_or_else(|| Rc::clone(now));
        match Rc::get_mut(&mut next) {
            Some(unshared) => unshared.clone_from(now),
            None => next = Rc::new(Slots::clone(now)),
        }
        if let Some(unshared) = Rc::get_mut(&mut next) {
            unshared.play(mv, number);
        }
        *before = Some(std::mem::replace(now, next));
    }

    /// Plays a null move. Returns false in check.
    pub(crate) fn pass(&mut self) -> bool {
        let is_check = self.now().position().is_check();
        if !is_check {
            self.play(Move::NULL, None);
        }
        !is_check
    }

    /// Records a word in place of a move, after which the position is not known.
    pub(crate) fn push_unplayed(&mut self) {
        self.line.words = (self.line.words + 1).min(2);
    }

    /// Begins a variation: an alternative to the last move, or to the word after it. Returns false if there is neither.
    pub(crate) fn begin(&mut self) -> bool {
        let Line { now, before, words, .. } = &self.line;
        let inner = match (words, before) {
            (0, None) => return false,
            (0, Some(before)) => Line::new(Rc::clone(before)),
            (1, _) => Line::new(Rc::clone(now)),
            _ => self.line.clone(),
        };
        let outer = self.around.last();
        let is_shared = |position: &Rc<Slots>| {
            outer.is_some_and(|outer| {
                let before = outer.before.as_ref();
                Rc::ptr_eq(position, &outer.now)
                    || before.is_some_and(|before| Rc::ptr_eq(position, before))
            })
        };
        let Line { now, before, .. } = &self.line;
        let own = [Some(now), before.as_ref()];
        self.line.own = own.into_iter().flatten().filter(|position| !is_shared(position)).count();
        self.positions += self.line.own;
        self.around.push(std::mem::replace(&mut self.line, inner));
        true
    }

    /// Ends the variation. Returns false if none is open.
    pub(crate) fn end(&mut self) -> bool {
        let outer = self.around.pop();
        let ends = outer.is_some();
        self.positions -= outer.as_ref().map_or(0, |outer| outer.own);
        self.line = outer.unwrap_or_else(|| self.line.clone());
        ends
    }
}
