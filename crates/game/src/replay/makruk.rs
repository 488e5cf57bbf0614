//! Replays games of Makruk, Makpong and ASEAN chess.

use halfmove_rules::{Color, Makruk, Move, Piece, Role, Square, makruk::Rules};

use super::watch::{EMPTY_MAKRUK, Moment, Occupant, PASSED, Squares, Watch, occupant};
use crate::codec::halfmove::makruk::{NULL_MOVE, Numbers, PROMOTIONS, TARGETS, promotes, relative};
use crate::codec::pieces::ABSENT;
use crate::codec::{DecodeError, DecodeErrorKind};

const EMPTY: Occupant = EMPTY_MAKRUK;

/// The bytes of a game, with the start in their head.
pub(super) struct CodedMakruk<'a> {
    start: Makruk,
    bytes: &'a [u8],
    /// The offset at which the codes begin.
    at: usize,
}

impl<'a> CodedMakruk<'a> {
    pub(super) fn new(start: Makruk, bytes: &'a [u8], at: usize) -> CodedMakruk<'a> {
        CodedMakruk { start, bytes, at }
    }

    pub(super) fn start(&self) -> &Makruk {
        &self.start
    }

    /// Replays the game for a [`Watch`], and returns its last state.
    ///
    /// # Errors
    ///
    /// A code that has no meaning.
    pub(super) fn replay<W: Watch<EMPTY>>(
        &self,
        watch: &mut W,
        mut state: W::State,
    ) -> Result<W::State, DecodeError> {
        let mut replay = Replay {
            rules: self.start.rules(),
            squares: Squares::of(self.start.board(), EMPTY),
            numbers: Numbers::new(self.start.board()).squares,
            us: self.start.side_to_move(),
        };
        let mut last = (0, 0);
        for at in self.at.. {
            let next = || replay.next_move(self.bytes, at).map(|step| step.map(|step| step.mv));
            let now = Moment {
                squares: &replay.squares,
                us: replay.us,
                ply: (at - self.at) as u32,
                last,
                next: &next,
            };
            let mover = replay.squares.0[usize::from(last.1) % 64];
            let is_usual = at != self.at && last != PASSED;
            let inspects = !is_usual || watch.after_move(&mut state, mover, last);
            if inspects && watch.inspect(&mut state, &now)?.is_break() || watch.is_over(&state) {
                break;
            }
            let Some(step) = replay.next_move(self.bytes, at)? else { break };
            last = match step.mv.is_null() {
                true => PASSED,
                false => (step.mv.from() as u8, step.mv.to() as u8),
            };
            replay.play(step, watch, &mut state);
        }
        Ok(state)
    }
}

/// A game being replayed.
struct Replay {
    rules: Rules,
    squares: Squares,
    /// The squares of the numbered pieces; captured pieces keep their last square.
    numbers: [[u8; 16]; 2],
    us: Color,
}

struct Step {
    mv: Move,
    number: usize,
    mover: Occupant,
}

impl Replay {
    /// The move of the code at `at`, `None` at the end of the game.
    fn next_move(&self, bytes: &[u8], at: usize) -> Result<Option<Step>, DecodeError> {
        let Some(&byte) = bytes.get(at) else { return Ok(None) };
        if byte == NULL_MOVE {
            return Ok(Some(Step { mv: Move::NULL, number: 0, mover: EMPTY }));
        }
        let error = |kind| Err(DecodeError { offset: at, kind });
        let number = usize::from(byte >> 4);
        let from = self.numbers[self.us.index()][number];
        let Some(square) = Square::from_index(from) else {
            return error(DecodeErrorKind::NoSuchPiece);
        };
        let mover = self.squares.0[square.index()];
        let code = usize::from(byte & 15);
        let role = mover & 7;
        let target = TARGETS[usize::from(role)][usize::from(relative(self.us, from))][code];
        if target == ABSENT {
            return error(DecodeErrorKind::Reserved(byte));
        }
        let to = Square::wrapping(relative(self.us, target));
        let mv = if role == Role::Pawn as u8 && promotes(self.rules, target) {
            Move::promote(square, to, PROMOTIONS[(code / 3) & 3])
        } else {
            Some(Move::normal(square, to))
        };
        match mv {
            Some(mv) => Ok(Some(Step { mv, number, mover })),
            None => error(DecodeErrorKind::Reserved(byte)),
        }
    }

    fn play<W: Watch<EMPTY>>(&mut self, step: Step, watch: &mut W, state: &mut W::State) {
        let Step { mv, number, mover } = step;
        if mv.is_null() {
            self.us = !self.us;
            return;
        }
        let (from, to) = (mv.from(), mv.to());
        let arrives = mv.promotion().map_or(mover, |role| occupant(Piece { color: self.us, role }));
        self.numbers[self.us.index()][number] = to as u8;
        self.squares.0[from.index()] = EMPTY;
        let taken = std::mem::replace(&mut self.squares.0[to.index()], arrives);
        watch.change(state, from as u8, mover, EMPTY);
        watch.change(state, to as u8, taken, arrives);
        self.us = !self.us;
    }
}
