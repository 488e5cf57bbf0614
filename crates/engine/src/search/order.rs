//! The order in which moves are tried: the more likely a move is to be best, the sooner.
//!
//! 1. the move that the table remembers,
//! 2. captures and promotions that do not lose material: the most valuable victim first, by the least valuable piece,
//! 3. the two *killers*: quiet moves that refuted another move at this depth,
//! 4. other quiet moves by their history,
//! 5. captures that lose material.
//!
//! Moves of the same score follow in the order of their numbers ([`Move::to_bits`]), so that the order does not depend
//! on the board that generates them.

use super::history::Histories;
use crate::SearchBoard;
use arrayvec::ArrayVec;
use halfmove_rules::{Move, Role};

const REMEMBERED: i32 = 4_000_000;
const GOOD: i32 = 2_000_000;
const FIRST_KILLER: i32 = 1_000_002;
const SECOND_KILLER: i32 = 1_000_001;
const BAD: i32 = -2_000_000;

/// No position has more moves: see [`halfmove_rules::MoveList`].
const MOST_MOVES: usize = 704;

/// A score above a move's number, turned around: the greatest comes first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(i64);

impl Ranked {
    const fn new(score: i32, mv: Move) -> Self {
        Self((score as i64) << 16 | !mv.to_bits() as i64 & 0xffff)
    }

    const fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    const fn mv(self) -> Option<Move> {
        Move::from_bits(!(self.0 as u16))
    }
}

/// The moves of a position, which are sorted as far as they are asked for.
pub(super) struct Ordered {
    moves: ArrayVec<Ranked, MOST_MOVES>,
    next: usize,
}

/// What a move is known to be when it is its turn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The table's.
    Remembered,
    /// A capture or promotion that does not lose material.
    Good,
    /// A quiet move.
    Quiet,
    /// A capture or promotion that loses material.
    Bad,
}

/// What a capture or promotion is worth at first sight.
fn noisy<B: SearchBoard>(position: &B, mv: Move) -> Option<i32> {
    let victim = if mv.is_castle() { None } else { position.piece_at(mv.to()) };
    let victim = match victim {
        Some(piece) => Some(piece.role),
        None => position.is_capture(mv).then_some(Role::Pawn),
    };
    let promoted = mv.promotion().map_or(0, |role| B::VALUES[role.index()]);
    if victim.is_none() && promoted == 0 {
        return None;
    }
    let gain = victim.map_or(0, |role| B::VALUES[role.index()]) + promoted;
    let mover = position.piece_at(mv.from()).map_or(0, |piece| B::VALUES[piece.role.index()]);
    Some(16 * gain - mover.min(1000))
}

impl Ordered {
    /// All legal moves.
    pub(super) fn all<B: SearchBoard>(
        position: &B,
        remembered: Option<Move>,
        killers: [Option<Move>; 2],
        histories: &Histories,
        before: [Option<usize>; 2],
    ) -> Self {
        let mut ordered = Self { moves: ArrayVec::new(), next: 0 };
        let us = position.side_to_move();
        position.each_move(|mv| {
            let score = if Some(mv) == remembered {
                REMEMBERED
            } else if let Some(score) = noisy(position, mv) {
                GOOD + score
            } else if Some(mv) == killers[0] {
                FIRST_KILLER
            } else if Some(mv) == killers[1] {
                SECOND_KILLER
            } else {
                let role = position.piece_at(mv.from()).map_or(Role::Pawn, |piece| piece.role);
                histories.of(us, role, mv, before)
            };
            ordered.moves.push(Ranked::new(score, mv));
        });
        ordered
    }

    /// Captures and promotions to the best piece.
    pub(super) fn noisy<B: SearchBoard>(position: &B, remembered: Option<Move>) -> Self {
        let mut ordered = Self { moves: ArrayVec::new(), next: 0 };
        let best_promotion = position.best_promotion();
        position.each_noisy_move(|mv| {
            if mv.promotion().is_some_and(|role| role != best_promotion) {
                return;
            }
            let score = match noisy(position, mv) {
                _ if Some(mv) == remembered => REMEMBERED,
                score => GOOD + score.unwrap_or(0),
            };
            ordered.moves.push(Ranked::new(score, mv));
        });
        ordered
    }

    /// The next move and its class.
    pub(super) fn next<B: SearchBoard>(&mut self, position: &B) -> Option<(Move, Class)> {
        loop {
            let rest = &mut self.moves[self.next..];
            let best = (0..rest.len()).max_by_key(|i| rest[*i])?;
            rest.swap(0, best);
            let first = rest[0];
            let (score, mv) = (first.score(), first.mv()?);
            let class = match score {
                REMEMBERED => Class::Remembered,
                1_500_000.. => {
                    if !position.exchange_at_least(mv, 0) {
                        rest[0] = Ranked::new(score - GOOD + BAD, mv);
                        continue;
                    }
                    Class::Good
                }
                -1_000_000.. => Class::Quiet,
                _ => Class::Bad,
            };
            self.next += 1;
            return Some((mv, class));
        }
    }

    /// Whether there is no move at all.
    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}
