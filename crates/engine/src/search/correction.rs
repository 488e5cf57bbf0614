//! How far the static value is off, by what the position has in common with those before (*correction history*).
//!
//! Where a search has found another score than the static value, the value of positions with the same pawns, and of those
//! with the same other pieces of a side, moves a little in that direction. What an evaluation does not see in one kind
//! of position is so made good within the search.
//!
//! # Source
//! "Static Evaluation Correction History", Chess Programming Wiki.

use super::alphabeta::Worker;
use super::table::Bound;
use super::value::MATE_BOUND;
use crate::SearchBoard;
use crate::board::mix;
use halfmove_rules::{Bitboard, Board, Color, Role};

/// Entries of a table.
const ENTRIES: usize = 4_096;

/// The largest number of an entry. Three of them are at most 192 centipawns.
const MOST: i32 = 1_024;

/// Where a position stands in the tables: by its pawns, by White's other pieces, by Black's.
#[derive(Copy, Clone)]
pub(super) struct Structure([usize; 3]);

impl Structure {
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let key = |squares: Bitboard, key: u64| mix(key.wrapping_add(u64::from(squares)));
        let [white, black] = [Color::White, Color::Black].map(|color| board.by_color(color));
        let pawns = board.by_role(Role::Pawn);
        let pieces = |own: Bitboard| {
            let roles = Role::ALL.into_iter().filter(|role| *role != Role::Pawn);
            roles.fold(0, |so_far, role| key(own & board.by_role(role), so_far))
        };
        let keys = [key(pawns & white, key(pawns & black, 0)), pieces(white), pieces(black)];
        Self(keys.map(|key| key as usize % ENTRIES))
    }
}

/// The corrections of one thread.
pub(super) struct Corrections {
    by_side: Box<[[[i16; ENTRIES]; 3]]>,
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self { by_side: vec![[[0; ENTRIES]; 3]; 2].into() }
    }

    /// What to add to a static value, in centipawns.
    #[inline]
    fn of(&self, us: Color, structure: Structure) -> i32 {
        let tables = structure.0.into_iter().zip(&self.by_side[us.index()]);
        tables.map(|(at, table)| i32::from(table[at])).sum::<i32>() / 16
    }

    /// Learns from a search that has found `score` where the position seemed worth `value`.
    pub(super) fn learn(
        &mut self,
        us: Color,
        structure: Structure,
        value: i32,
        score: i32,
        bound: Bound,
        depth: i32,
    ) {
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => score <= value,
            Bound::Upper => score >= value,
        };
        if says_nothing || score.abs() >= MATE_BOUND {
            return;
        }
        let bonus = ((score - value) * depth / 8).clamp(-MOST / 4, MOST / 4);
        for (at, table) in structure.0.into_iter().zip(&mut self.by_side[us.index()]) {
            let old = i32::from(table[at]);
            table[at] = (old + bonus - old * bonus.abs() / MOST) as i16;
        }
    }
}

impl<B: SearchBoard> Worker<'_, B> {
    /// By what the value of a position is corrected, if it is.
    #[inline]
    pub(super) fn structure(&self, position: &B, check: bool) -> Option<Structure> {
        let corrects = self.context.settings.selective && !check;
        corrects.then(|| Structure::of(&position.placement()))
    }

    /// A static value with what was learned about such positions.
    #[inline]
    pub(super) fn corrected(&self, position: &B, raw: i32, structure: Option<Structure>) -> i32 {
        let Some(structure) = structure else { return raw };
        let correction = self.histories.corrections.of(position.side_to_move(), structure);
        (raw + correction).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }
}
