//! Move ordering: the moves most likely to be best come first.
//!
//! 1. the table move,
//! 2. captures and promotions that do not lose material: the most valuable victim first, by the least valuable piece,
//! 3. the two *killers*: quiet moves that caused a cutoff at this ply in a sibling node,
//! 4. other quiet moves by their history,
//! 5. captures that lose material.
//!
//! Moves are generated in stages, because most nodes are cut off before the quiet moves: the table move is only checked
//! for legality; captures and promotions are generated next, and quiet moves only if none of those causes a cutoff.
//!
//! Moves with equal scores are ordered by their bits ([`Move::to_bits`]), so the order does not depend on the
//! generator.

use super::alphabeta::Worker;
use crate::SearchBoard;
use halfmove_rules::{Move, Role};

const FIRST_KILLER: i32 = 1_000_002;
const SECOND_KILLER: i32 = 1_000_001;

/// A score and a move, packed so that the best move has the greatest number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(i64);

impl Ranked {
    const fn new(score: i32, mv: Move) -> Self {
        Self((score as i64) << 16 | !mv.to_bits() as i64 & 0xffff)
    }

    const fn mv(self) -> Option<Move> {
        Move::from_bits(!(self.0 as u16))
    }
}

/// The class of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The table move.
    Remembered,
    /// A capture or promotion that does not lose material.
    Good,
    /// A quiet move.
    Quiet,
    /// A capture or promotion that loses material.
    Bad,
}

/// The score of a capture or promotion: by its victim, then by its piece.
#[inline]
fn noisy<B: SearchBoard>(position: &B, mv: Move) -> i32 {
    let board = position.board();
    // An en passant capture leads to an empty square.
    let promoted = mv.promotion().map_or(0, |role| B::VALUES[role.index()]);
    let victim = match board.role_at(mv.to()) {
        Some(role) => B::VALUES[role.index()],
        None if promoted == 0 => B::VALUES[Role::Pawn.index()],
        None => 0,
    };
    let mover = board.role_at(mv.from()).map_or(0, |role| B::VALUES[role.index()]);
    16 * (victim + promoted) - mover.min(1000)
}

/// The next step of a [`Picker`].
#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    Remembered,
    MakeNoisy,
    Noisy,
    MakeQuiets,
    Quiets,
    Bad,
}

/// Returns the moves of a node, the best first.
///
/// The moves of all nodes of a path are in one list, one node after the other:
///
/// ```text
/// moves of earlier nodes │ captures that lose material │ already tried │ still to be tried
///                       start                         bad             next
/// ```
pub(super) struct Picker {
    stage: Stage,
    remembered: Option<Move>,
    killers: [Option<Move>; 2],
    /// True to skip quiet moves and underpromotions.
    only_noisy: bool,
    /// True to skip the remaining quiet moves.
    no_quiets: bool,
    /// True to skip moves that lose material.
    no_bad: bool,
    start: usize,
    bad: usize,
    next: usize,
}

impl Picker {
    /// All legal moves.
    pub(super) const fn all(remembered: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self {
            stage: Stage::Remembered,
            remembered,
            killers,
            only_noisy: false,
            no_quiets: false,
            no_bad: false,
            start: 0,
            bad: 0,
            next: 0,
        }
    }

    /// Captures and promotions to the best piece; if `good`, only those that do not lose material.
    pub(super) const fn noisy(remembered: Option<Move>, good: bool) -> Self {
        let all = Self::all(remembered, [None; 2]);
        Self { only_noisy: true, no_quiets: true, no_bad: good, ..all }
    }

    /// Skips the remaining quiet moves.
    pub(super) const fn skip_quiets(&mut self) {
        self.no_quiets = true;
    }
}

/// Moves the best move to the front, and returns it.
#[inline]
fn best(moves: &mut [Ranked]) -> Option<Move> {
    let mut best = (0, *moves.first()?);
    for (i, mv) in moves.iter().enumerate().skip(1) {
        if *mv > best.1 {
            best = (i, *mv);
        }
    }
    moves.swap(0, best.0);
    best.1.mv()
}

impl<B: SearchBoard> Worker<'_, B> {
    /// The next move of a node and its class. At the end, the node's moves are removed from the list.
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker,
        position: &B,
        before: [Option<usize>; 2],
    ) -> Option<(Move, Class)> {
        loop {
            match picker.stage {
                Stage::Remembered => {
                    picker.start = self.moves.len();
                    (picker.bad, picker.next) = (picker.start, picker.start);
                    picker.stage = Stage::MakeNoisy;
                    if let Some(mv) = picker.remembered
                        && (!picker.only_noisy || position.is_noisy(mv))
                        && position.is_legal(mv)
                    {
                        return Some((mv, Class::Remembered));
                    }
                }
                Stage::MakeNoisy => {
                    picker.stage = Stage::Noisy;
                    let best_promotion = picker.only_noisy.then(|| position.best_promotion());
                    let moves = &mut self.moves;
                    position.each_noisy_move(|mv| {
                        let lesser = best_promotion
                            .is_some_and(|best| mv.promotion().is_some_and(|role| role != best));
                        if Some(mv) != picker.remembered && !lesser {
                            moves.push(Ranked::new(noisy(position, mv), mv));
                        }
                    });
                }
                Stage::Noisy => {
                    let Some(mv) = best(&mut self.moves[picker.next..]) else {
                        picker.stage = Stage::MakeQuiets;
                        continue;
                    };
                    picker.next += 1;
                    if position.exchange_at_least(mv, 0) {
                        return Some((mv, Class::Good));
                    }
                    self.moves.swap(picker.bad, picker.next - 1);
                    picker.bad += 1;
                }
                Stage::MakeQuiets => {
                    self.moves.truncate(picker.bad);
                    picker.next = picker.bad;
                    picker.stage = Stage::Quiets;
                    if !picker.no_quiets {
                        let us = position.side_to_move();
                        let quiets = self.histories.view(us, before);
                        let moves = &mut self.moves;
                        position.each_quiet_move(|role, mv| {
                            if Some(mv) == picker.remembered {
                                return;
                            }
                            let score = if Some(mv) == picker.killers[0] {
                                FIRST_KILLER
                            } else if Some(mv) == picker.killers[1] {
                                SECOND_KILLER
                            } else {
                                quiets.of(role, mv)
                            };
                            moves.push(Ranked::new(score, mv));
                        });
                    }
                }
                Stage::Quiets => {
                    let rest = &mut self.moves[picker.next..];
                    let mv = if picker.no_quiets { None } else { best(rest) };
                    let Some(mv) = mv else {
                        picker.stage = Stage::Bad;
                        picker.next = picker.start;
                        continue;
                    };
                    picker.next += 1;
                    return Some((mv, Class::Quiet));
                }
                Stage::Bad => {
                    if picker.no_bad || picker.next == picker.bad {
                        self.moves.truncate(picker.start);
                        return None;
                    }
                    let mv = self.moves[picker.next].mv()?;
                    picker.next += 1;
                    return Some((mv, Class::Bad));
                }
            }
        }
    }

    /// Removes the moves of a node that ends before its last move.
    pub(super) fn drop_moves(&mut self, picker: &Picker) {
        if picker.stage != Stage::Remembered {
            self.moves.truncate(picker.start);
        }
    }
}
