//! A choice: the features of all that can happen at a half-move.

use halfmove_game::rules::Move;
use halfmove_game::rules::cpu::Cpu;

use super::book::{self, Book};
use super::context::Context;
use super::features::{Candidate, of_end, of_move};
use super::net;
use super::scan::Scan;

/// Takes the features of a position and of all that can happen there: the weights of the end, the position, then the weights of
/// each move and the move.
pub(super) trait Sink {
    /// A weight of the end or of the next move, by its index.
    fn weight(&mut self, index: usize);

    /// The position, by its key and its rows in the net.
    fn position(&mut self, key: u64, rows: &[u16]);

    /// A move, by its order and its rows in the net.
    fn movement(&mut self, key: u16, rows: [usize; 3]);
}

/// The choices at a half-move, in order: the end of the game, then the legal moves.
#[derive(Debug, Default)]
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
    rows: Vec<u16>,
}

impl Choice {
    /// Finds the legal moves, and gives `sink` the features of all that can happen. Returns true
    /// if something can: not when the side to move is mated.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        cpu: impl Cpu,
        context: &Context,
        book: &impl Book,
        played: Option<Move>,
        sink: &mut impl Sink,
    ) -> bool {
        let scan = Scan::new(cpu, context);
        Candidate::all(cpu, context, &scan, &mut self.candidates);
        if self.candidates.is_empty() && scan.is_check {
            return false;
        }
        of_end(context, &scan, self.candidates.len(), |index| sink.weight(index));
        self.rows.clear();
        net::inputs(context, &scan, |row| self.rows.push(row as u16));
        let position = context.position.zobrist().0;
        sink.position(position, &self.rows);
        let total = if context.ply < book::PLIES { book.total(position) } else { None };
        for candidate in &self.candidates {
            let class = total.map(|total| {
                let share = book.share(position, candidate.key, played == Some(candidate.mv));
                book::class(share, total)
            });
            let exchange =
                of_move(cpu, context, &scan, candidate, class, |index| sink.weight(index));
            let &Candidate { kind, from, to, key, .. } = candidate;
            sink.movement(key, net::outputs(kind, from, to, exchange));
        }
        true
    }
}
