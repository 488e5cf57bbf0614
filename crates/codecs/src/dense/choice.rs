//! A choice: the features of all that can happen at a half-move.

use halfmove_game::rules::Move;
use halfmove_game::rules::cpu::Cpu;

use super::book::{self, Book};
use super::context::Context;
use super::features::{Candidate, of_end, of_move};
use super::scan::Scan;

/// The choices at a half-move, in order: the end of the game, then the legal moves.
#[derive(Debug, Default)]
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
}

impl Choice {
    /// Finds the legal moves, and calls `add` with the number and each index of a weight of what can happen. Returns true
    /// if something can: not when the side to move is mated.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        cpu: impl Cpu,
        context: &Context,
        book: &impl Book,
        played: Option<Move>,
        mut add: impl FnMut(usize, usize),
    ) -> bool {
        let scan = Scan::new(cpu, context);
        Candidate::all(cpu, context, &scan, &mut self.candidates);
        if self.candidates.is_empty() && scan.is_check {
            return false;
        }
        of_end(context, &scan, self.candidates.len(), |index| add(0, index));
        let position = context.position.zobrist().0;
        let total = if context.ply < book::PLIES { book.total(position) } else { None };
        for (at, candidate) in self.candidates.iter().enumerate() {
            let class = total.map(|total| {
                let share = book.share(position, candidate.key, played == Some(candidate.mv));
                book::class(share, total)
            });
            of_move(cpu, context, &scan, candidate, class, |index| add(at + 1, index));
        }
        true
    }
}
