//! Corrections of the static value, learned from positions with the same structure (*correction history*).
//!
//! If a search finds a different score than the static value, the correction for positions with the same pawns, and for
//! those with the same pieces of one side, moves toward that score. So errors of the evaluation in one kind of position
//! are compensated during the search.
//!
//! # Source
//! "Static Evaluation Correction History", Chess Programming Wiki.

use super::alphabeta::Worker;
use super::table::Bound;
use super::value::MATE_BOUND;
use crate::SearchBoard;
use crate::board::mix;
use halfmove_rules::{Board, Color, Role};

/// The number of entries of a table.
const ENTRIES: usize = 4_096;

/// The largest value of an entry. Three of them add up to at most 192 centipawns.
const MAX: i32 = 1_024;

/// The indices of a position in the tables: by its pawns, by White's other pieces, by Black's.
#[derive(Copy, Clone)]
pub(super) struct Structure([usize; 3]);

/// An odd factor for each role, to hash the set of its squares.
static FACTORS: [u64; 8] = {
    let mut factors = [0; 8];
    let mut role = 0;
    while role < 8 {
        factors[role] = mix(role as u64 + 1) | 1;
        role += 1;
    }
    factors
};

impl Structure {
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let [white, black] =
            [Color::White, Color::Black].map(|color| u64::from(board.by_color(color)));
        let squares = |role: Role| u64::from(board.by_role(role));
        // The multiplications are independent of each other.
        let pieces = |own: u64| {
            let others = Role::ALL.into_iter().filter(|role| *role != Role::Pawn);
            others.fold(0_u64, |sum, role| {
                sum.wrapping_add((squares(role) & own).wrapping_mul(FACTORS[role.index()]))
            })
        };
        let pawns = squares(Role::Pawn);
        let pawns =
            (pawns & white).wrapping_mul(FACTORS[0]) ^ (pawns & black).wrapping_mul(FACTORS[1]);
        Self([pawns, pieces(white), pieces(black)].map(|sum| mix(sum) as usize % ENTRIES))
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

    /// The correction to add to a static value, in centipawns.
    #[inline]
    fn of(&self, us: Color, structure: Structure) -> i32 {
        let tables = structure.0.into_iter().zip(&self.by_side[us.index()]);
        tables.map(|(at, table)| i32::from(table[at])).sum::<i32>() / 16
    }

    /// Updates the entries after a search that found `score` in a position with the static value `value`.
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
        let bonus = ((score - value) * depth / 8).clamp(-MAX / 4, MAX / 4);
        for (at, table) in structure.0.into_iter().zip(&mut self.by_side[us.index()]) {
            let old = i32::from(table[at]);
            table[at] = (old + bonus - old * bonus.abs() / MAX) as i16;
        }
    }
}

impl<B: SearchBoard> Worker<'_, B> {
    /// The indices of a position for corrections; `None` if it gets none.
    #[inline]
    pub(super) fn structure(&self, position: &B, check: bool) -> Option<Structure> {
        let corrects = self.context.settings.selective && !check;
        corrects.then(|| Structure::of(position.board()))
    }

    /// A static value with its correction.
    #[inline]
    pub(super) fn corrected(&self, position: &B, raw: i32, structure: Option<Structure>) -> i32 {
        let Some(structure) = structure else { return raw };
        let correction = self.histories.corrections.of(position.side_to_move(), structure);
        (raw + correction).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::Chess;

    fn structure(fen: &str) -> Structure {
        let position: Chess = fen.parse().expect("a position");
        Structure::of(position.board())
    }

    #[test]
    fn values_move_towards_scores() {
        let start = structure("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let mut corrections = Corrections::new();
        for (score, bound) in [(-50, Bound::Lower), (50, Bound::Upper), (MATE_BOUND, Bound::Exact)]
        {
            corrections.learn(Color::White, start, 0, score, bound, 8);
            assert_eq!(corrections.of(Color::White, start), 0, "{score} says nothing");
        }
        let mut last = 0;
        for _ in 0..1_000 {
            corrections.learn(Color::White, start, 0, 90, Bound::Lower, 8);
            let now = corrections.of(Color::White, start);
            assert!((last..=192).contains(&now), "{last} {now}");
            last = now;
        }
        assert!(last > 150, "{last}");
        assert_eq!(corrections.of(Color::Black, start), 0);
        corrections.learn(Color::White, start, last, 0, Bound::Upper, 8);
        assert!(corrections.of(Color::White, start) < last);
    }

    /// Positions with the same pawns, or the same pieces of a side, share an entry.
    #[test]
    fn structures_are_pawns_and_pieces() {
        let start = structure("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1").0;
        let pawn = structure("4k3/pp6/8/8/8/P7/1P6/R3K3 w - - 0 1").0;
        let rook = structure("4k3/pp6/8/8/8/8/PP6/1R2K3 w - - 0 1").0;
        let king = structure("3k4/pp6/8/8/8/8/PP6/R3K3 w - - 0 1").0;
        let same = |other: [usize; 3]| [0, 1, 2].map(|i| start[i] == other[i]);
        assert_eq!(same(pawn), [false, true, true]);
        assert_eq!(same(rook), [true, false, true]);
        assert_eq!(same(king), [true, true, false]);
    }
}
