//! Positions of nested variations.
//!
//! A variation replaces the move before it, so each open line needs the position before its last move. Lines with the
//! same position share it: a million open parentheses need only one. The main line, which has nearly all moves,
//! stores none; when a variation begins, a second position of the main line catches up.
//!
//! After `1. e4 e5 2. Nf3 (2. Bc4 Nc6 (2... Nf6 3. d3`:
//!
//! ```text
//! start             trailing     main
//! ●── e4 ────●── e5 ────●── Nf3 ───●
//!                       │       bases[0]
//!                       └── Bc4 ───●── Nc6 ───●
//!                                  │       bases[1]   position
//!                                  └── Nf6 ───●── d3 ────●
//! ```
//!
//! The base of a line is the position before its last move: base 0 for the first variation, base 1 for the second.
//! When the second variation began, it shared base 0, because it replaces `Nc6`; it got its own with its second move.
//! At `)`, a line drops its own base, and the enclosing line replays its last move from its base. The main line has
//! no base: it is restored from `main`.

use halfmove_rules::{AnyPosition, Move};

use crate::numbered::NumberedBoard;

/// A position that plays moves.
pub(crate) trait Playable: Clone {
    /// Plays a legal move, or a null move out of check.
    fn play_legal(&mut self, mv: Move);

    /// Plays a null move. Returns false, and changes nothing, if the side to move is in check.
    fn pass(&mut self) -> bool;
}

/// The current position, and those from which the enclosing lines continue.
#[derive(Debug)]
pub(crate) struct Levels<P> {
    pub(crate) position: P,
    start: P,
    /// The position of the main line where the outermost variation began: the main line continues from there.
    main: P,
    /// The main line after `trailing_plies` half-moves, once it is needed: one move before `main`, or more while no
    /// variation begins.
    trailing: P,
    trailing_plies: Option<usize>,
    /// The words of the main line that could not be played.
    main_words: Unplayed,
    /// The positions before the last moves of the open variations.
    bases: Vec<P>,
    /// The innermost open variation; [`Level::MAIN`] if none is open.
    level: Level,
    /// The enclosing levels; the first is the main line.
    around: Vec<Level>,
}

/// An open variation.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// The index of the position before its last move.
    base: usize,
    /// True if no enclosing line has the same base.
    owns_base: bool,
    /// The last move; `None` before the first.
    last: Option<Move>,
    /// The words that could not be played.
    words: Unplayed,
    /// The number of half-moves from the start of the game.
    plies: usize,
}

/// The number of words of a line that could not be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unplayed {
    None,
    /// A variation right after it replaces it, and its position is known.
    One,
    /// The position at the last word is not known.
    More,
}

/// The memory of a position for the purpose of limits: a constant, so that limits do not depend on the layout of
/// types.
const POSITION_BYTES: usize = 288;

const _: () = {
    assert!(size_of::<NumberedBoard>() <= POSITION_BYTES);
    assert!(size_of::<AnyPosition>() <= POSITION_BYTES);
};

impl Level {
    const MAIN: Level =
        Level { base: 0, owns_base: false, last: None, words: Unplayed::None, plies: 0 };
}

impl<P: Playable> Levels<P> {
    pub(crate) fn new(start: P) -> Levels<P> {
        Levels {
            position: start.clone(),
            main: start.clone(),
            trailing: start.clone(),
            start,
            trailing_plies: None,
            main_words: Unplayed::None,
            bases: Vec::new(),
            level: Level::MAIN,
            around: Vec::new(),
        }
    }

    /// Resets to the start of another game.
    pub(crate) fn restart(&mut self, start: &P) {
        self.position.clone_from(start);
        self.start.clone_from(start);
        self.trailing_plies = None;
        self.main_words = Unplayed::None;
        self.bases.clear();
        self.around.clear();
        self.level = Level::MAIN;
    }

    /// An upper bound for the memory of the open variations. It is the same for every board, so that all readers
    /// reach a limit at the same place.
    pub(crate) fn bytes(&self) -> usize {
        self.bases.len() * POSITION_BYTES + size_of_val(&*self.around)
    }

    #[inline]
    pub(crate) fn is_main(&self) -> bool {
        self.around.is_empty()
    }

    /// The number of open variations.
    pub(crate) fn depth(&self) -> usize {
        self.around.len()
    }

    /// Returns true if moves can still be played in this line, because every word so far was a move.
    pub(crate) fn can_play(&self) -> bool {
        self.words() == Unplayed::None
    }

    /// The words of the current line that could not be played.
    fn words(&self) -> Unplayed {
        if self.is_main() { self.main_words } else { self.level.words }
    }

    /// The number of half-moves from the start of the game to the current position of a variation.
    pub(crate) fn variation_plies(&self) -> usize {
        self.level.plies
    }

    /// Plays a legal move in the current line, or a null move out of check.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        if self.is_main() {
            self.position.play_legal(mv);
        } else {
            self.play_by(|position| {
                position.play_legal(mv);
                Some(mv)
            });
        }
    }

    /// Plays a move of the current line with the function `play`, which finds and plays a legal move, or changes
    /// nothing.
    #[inline]
    pub(crate) fn play_by(&mut self, play: impl FnOnce(&mut P) -> Option<Move>) -> Option<Move> {
        if self.is_main() {
            return play(&mut self.position);
        }
        let mv = if self.level.last.is_none() {
            play(&mut self.position)?
        } else {
            let before = self.position.clone();
            let mv = play(&mut self.position)?;
            self.rebase(before);
            mv
        };
        self.level.last = Some(mv);
        self.level.plies += 1;
        Some(mv)
    }

    /// Plays a null move in the current line. Returns false, and changes nothing, in check.
    pub(crate) fn pass(&mut self) -> bool {
        self.play_by(|position| position.pass().then_some(Move::NULL)).is_some()
    }

    /// Sets the position before the last move.
    fn rebase(&mut self, base: P) {
        if self.level.owns_base {
            self.bases[self.level.base] = base;
        } else {
            self.bases.push(base);
            self.level.base = self.bases.len() - 1;
            self.level.owns_base = true;
        }
    }

    /// Records a word of the current line that could not be played. A variation right after it may still replace it.
    pub(crate) fn push_unplayed(&mut self) {
        let words = if self.is_main() { &mut self.main_words } else { &mut self.level.words };
        *words = match words {
            Unplayed::None => Unplayed::One,
            Unplayed::One | Unplayed::More => Unplayed::More,
        };
    }

    /// Begins a variation after these moves of the main line.
    pub(crate) fn begin(&mut self, moves: &[Move]) {
        let is_main = self.is_main();
        let words = self.words();
        let plies = if is_main { moves.len() } else { self.level.plies };
        let mut inner = Level { last: None, owns_base: false, words, plies, ..self.level };
        if words == Unplayed::None {
            // It replaces the last move, if there is one.
            let moved = is_main || self.level.last.is_some();
            inner.plies = plies.saturating_sub(usize::from(moved));
        } else if words == Unplayed::One {
            // It replaces that word.
            inner.words = Unplayed::None;
        }
        if is_main {
            self.main.clone_from(&self.position);
            let base = if words == Unplayed::None { self.catch_up(moves) } else { &self.position };
            let base = base.clone();
            self.bases.clear();
            self.bases.push(base);
            inner = Level { base: 0, owns_base: true, ..inner };
        } else if words == Unplayed::One {
            self.bases.push(self.position.clone());
            inner = Level { base: self.bases.len() - 1, owns_base: true, ..inner };
        }
        self.around.push(self.level);
        self.level = inner;
        if inner.words == Unplayed::None {
            self.position.clone_from(&self.bases[inner.base]);
        }
    }

    /// Brings the trailing position to the one before the last move of the main line.
    fn catch_up(&mut self, moves: &[Move]) -> &P {
        let target = moves.len().saturating_sub(1);
        let from = match self.trailing_plies {
            Some(plies) if plies <= target => plies,
            _ => {
                self.trailing.clone_from(&self.start);
                0
            }
        };
        moves[from..target].iter().for_each(|mv| self.trailing.play_legal(*mv));
        self.trailing_plies = Some(target);
        &self.trailing
    }

    /// Ends the variation.
    pub(crate) fn end(&mut self) {
        let Some(outer) = self.around.pop() else { return };
        if self.level.owns_base {
            self.bases.pop();
        }
        self.level = outer;
        if self.is_main() {
            self.position.clone_from(&self.main);
        } else if outer.words != Unplayed::More {
            self.position.clone_from(&self.bases[outer.base]);
            if let Some(mv) = outer.last {
                self.position.play_legal(mv);
            }
        }
    }
}

impl Playable for AnyPosition {
    #[inline]
    fn play_legal(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn pass(&mut self) -> bool {
        let next = self.null_move();
        let passes = next.is_some();
        if let Some(next) = next {
            *self = next;
        }
        passes
    }
}

impl Playable for NumberedBoard {
    #[inline]
    fn play_legal(&mut self, mv: Move) {
        self.play_move(mv);
    }

    fn pass(&mut self) -> bool {
        NumberedBoard::pass(self)
    }
}
