//! Singular extensions: extends the table move if it is the only good move.
//!
//! If all other moves score clearly less in a search of half the depth, the table move is searched more deeply. If
//! other moves fail high too, the node ends (*multi-cut*).
//!
//! # Source
//! Thomas Anantharaman, Murray Campbell and Feng-hsiung Hsu, *Singular extensions* (1990). Yngvi Bjornsson and Tony Marsland,
//! *Multi-cut alpha-beta pruning* (1998).

use super::alphabeta::Worker;
use super::table::{Bound, Entry};
use super::value::{MATE_BOUND, from_table};
use crate::SearchBoard;

/// The result of a search without the table move.
pub(super) enum Singular {
    /// All other moves are much worse.
    Much,
    /// All other moves are worse.
    Yes,
    /// Other moves are as good: the bound that they reach, and the score of the table move.
    No { others: i32, own: i32 },
}

impl<B: SearchBoard> Worker<'_, B> {
    /// Searches a node without the table move, if the depth is sufficient.
    pub(super) fn singular(
        &mut self,
        position: &B,
        check: bool,
        entry: Option<Entry>,
        depth: i32,
        ply: usize,
    ) -> Option<Singular> {
        let entry = entry?;
        let mv = entry.mv?;
        let own = from_table(entry.score, ply);
        let asks = self.context.settings.selective
            && depth >= 7
            && ply < 2 * self.iteration as usize
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= depth - 3
            && own.abs() < MATE_BOUND
            && position.is_legal(mv);
        if !asks {
            return None;
        }
        let bound = own - 2 * depth;
        // In check, the node extends the search by a ply again.
        let half = (depth - 1) / 2 - i32::from(check);
        self.frames[ply].excluded = Some(mv);
        let score = self.node(position, check, bound - 1, bound, half, ply, false);
        self.frames[ply].excluded = None;
        self.lines[ply].clear();
        Some(if score < bound - 20 {
            Singular::Much
        } else if score < bound {
            Singular::Yes
        } else {
            Singular::No { others: bound, own }
        })
    }
}
