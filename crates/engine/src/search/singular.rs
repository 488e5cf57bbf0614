//! Singular extensions: is the table's move the only one that is any good?
//!
//! If all others score clearly less in a search of half the depth, a mistake here would be costly, so the move is searched more
//! deeply. If the others refute the opponent's move too, the node ends (*multi-cut*).
//!
//! # Source
//! Thomas Anantharaman, Murray Campbell and Feng-hsiung Hsu, *Singular extensions* (1990). Yngvi Bjornsson and Tony Marsland,
//! *Multi-cut alpha-beta pruning* (1998).

use super::alphabeta::Worker;
use super::table::{Bound, Entry};
use super::value::{MATE_BOUND, from_table};
use crate::SearchBoard;

/// The result of a search without the table's move.
pub(super) enum Singular {
    /// All others are much worse.
    Much,
    /// All others are worse.
    Yes,
    /// There are others: the bound that they reach, and the score of the table's move.
    No { others: i32, own: i32 },
}

impl<B: SearchBoard> Worker<'_, B> {
    /// Searches a node without the table's move, if that is deep enough to say something.
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
        // In check the node adds a ply again.
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
