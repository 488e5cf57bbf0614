//! Follows the moves of a game into its variations and back.
//!
//! A variation replaces the move before it, so what counts is the position before the last move of
//! each open line. Lines share these positions as long as they are the same: a million open
//! parentheses need one. In the main line, where nearly all moves stand, nothing is kept at all;
//! when a variation begins, a second position catches up.

use halfmove_rules::{AnyPosition, Flaws, Move, Variant};

/// The position in the current line, and those that the lines around it go on from.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) position: AnyPosition,
    /// The main line where the outermost variation began.
    main: AnyPosition,
    /// The main line after `behind_plies` half-moves.
    behind: AnyPosition,
    behind_plies: Option<usize>,
    /// How many words of the main line could not be played, if that is less than 2.
    main_words: u8,
    /// The positions before the last moves of the open variations.
    bases: Vec<AnyPosition>,
    level: Level,
    /// The levels around `level`; the first is the main line.
    around: Vec<Level>,
}

/// An open variation.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// The index of the position before its last move.
    base: usize,
    /// Whether no line around it has the same base.
    owns: bool,
    last: Last,
    /// How many words could not be played; 2 for more.
    words: u8,
}

/// The last move of a line.
#[derive(Debug, Clone, Copy)]
enum Last {
    /// There is none yet.
    None,
    Move(Move),
    Null,
}

impl Level {
    const MAIN: Level = Level { base: 0, owns: false, last: Last::None, words: 0 };
}

impl Levels {
    pub(crate) fn new() -> Levels {
        let start = AnyPosition::start(Variant::Chess);
        Levels {
            position: start.clone(),
            main: start.clone(),
            behind: start,
            behind_plies: None,
            main_words: 0,
            bases: Vec::new(),
            level: Level::MAIN,
            around: Vec::new(),
        }
    }

    /// Goes to the start of a game.
    pub(crate) fn start(&mut self, start: &AnyPosition) {
        self.position.clone_from(start);
        self.behind_plies = None;
        self.main_words = 0;
        self.bases.clear();
        self.around.clear();
        self.level = Level::MAIN;
    }

    pub(crate) fn is_main(&self) -> bool {
        self.around.is_empty()
    }

    /// Whether moves can still be played in this line: all words before were moves.
    pub(crate) fn can_play(&self) -> bool {
        if self.is_main() { self.main_words == 0 } else { self.level.words == 0 }
    }

    /// A legal move of the current line.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        if !self.is_main() {
            self.keep_base();
            self.level.last = Last::Move(mv);
        }
        self.position.play_unchecked(mv);
    }

    /// A null move of the current line; `false` if it is not possible.
    pub(crate) fn pass(&mut self) -> bool {
        let Some(next) = passed(&self.position).filter(|_| !self.is_main()) else { return false };
        self.keep_base();
        self.level.last = Last::Null;
        self.position = next;
        true
    }

    /// The current position becomes the one before the last move.
    fn keep_base(&mut self) {
        if matches!(self.level.last, Last::None) {
            return;
        }
        if self.level.owns {
            self.bases[self.level.base].clone_from(&self.position);
        } else {
            self.bases.push(self.position.clone());
            self.level.base = self.bases.len() - 1;
            self.level.owns = true;
        }
    }

    /// A word of the current line that could not be played. A variation right behind it may still
    /// replace it.
    pub(crate) fn stumble(&mut self) {
        let words = if self.is_main() { &mut self.main_words } else { &mut self.level.words };
        *words = (*words + 1).min(2);
    }

    /// A variation begins, behind these moves of the main line.
    pub(crate) fn begin(&mut self, start: &AnyPosition, moves: &[Move]) {
        let words = if self.is_main() { self.main_words } else { self.level.words };
        let mut inner = Level { base: self.level.base, owns: false, last: Last::None, words };
        if self.is_main() {
            self.main.clone_from(&self.position);
            let base = match words {
                0 => {
                    self.catch_up(start, moves);
                    self.behind.clone()
                }
                _ => self.position.clone(),
            };
            self.bases.clear();
            self.bases.push(base);
            inner = Level { base: 0, owns: true, ..inner };
        } else if words == 1 {
            self.bases.push(self.position.clone());
            inner = Level { base: self.bases.len() - 1, owns: true, ..inner };
        }
        // It replaces the one word that could not be played. Behind more of them, the position is
        // not known.
        if words == 1 {
            inner.words = 0;
        }
        self.around.push(self.level);
        self.level = inner;
        if inner.words == 0 {
            self.position.clone_from(&self.bases[inner.base]);
        }
    }

    /// Brings the second position to the one before the last move of the main line.
    fn catch_up(&mut self, start: &AnyPosition, moves: &[Move]) {
        let target = moves.len().saturating_sub(1);
        let from = match self.behind_plies {
            Some(plies) if plies <= target => plies,
            _ => {
                self.behind.clone_from(start);
                0
            }
        };
        moves[from..target].iter().for_each(|mv| self.behind.play_unchecked(*mv));
        self.behind_plies = Some(target);
    }

    /// The variation ends.
    pub(crate) fn end(&mut self) {
        let Some(outer) = self.around.pop() else { return };
        if self.level.owns {
            self.bases.pop();
        }
        self.level = outer;
        if self.is_main() {
            self.position.clone_from(&self.main);
        } else if self.level.words < 2 {
            self.position.clone_from(&self.bases[outer.base]);
            match outer.last {
                Last::None => {}
                Last::Move(mv) => self.position.play_unchecked(mv),
                Last::Null => {
                    // It was possible before.
                    if let Some(next) = passed(&self.position) {
                        self.position = next;
                    }
                }
            }
        }
    }
}

/// The position after a null move; `None` if the side to move is in check.
pub(crate) fn passed(position: &AnyPosition) -> Option<AnyPosition> {
    if position.is_check() {
        return None;
    }
    let black = position.side_to_move() == halfmove_rules::Color::Black;
    match position {
        AnyPosition::Chess(position) => {
            let mut setup = position.to_setup();
            setup.side_to_move = !setup.side_to_move;
            setup.ep_square = None;
            setup.halfmove_clock = setup.halfmove_clock.saturating_add(1);
            setup.fullmove_number = setup.fullmove_number.saturating_add(u16::from(black));
            let forgiven = Flaws::LEFTOVERS | Flaws::UNREACHABLE;
            let mode = Some(position.castling_mode());
            halfmove_rules::Chess::from_setup_in(setup, mode, forgiven).ok().map(Into::into)
        }
        AnyPosition::Makruk(position) => {
            let mut setup = position.to_setup();
            setup.side_to_move = !setup.side_to_move;
            setup.fullmove_number = setup.fullmove_number.saturating_add(u16::from(black));
            let next = halfmove_rules::Makruk::from_setup(setup).ok()?;
            Some(next.with_policy(position.policy()).into())
        }
    }
}
