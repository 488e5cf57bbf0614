//! Exact results against a bare king of Makruk: the mate tables of crate `rules`, with the count.
//!
//! A table holds the number of moves in which the chaser mates; the count, the number that it has. Together they decide
//! a position: a mate in *n* moves, or a draw. A table is used only while pieces' honor is being counted, so that the number of
//! moves left is known.

use super::value::{DRAW, MATE, mated_in};
use crate::Count;
use halfmove_rules::makruk::{MateTable, Rules};
use halfmove_rules::{Color, Makruk, Role};
use std::sync::OnceLock;

/// The pieces besides the king for which there are tables: one of them, or two.
const SETS: [&[Role]; 10] = [
    &[Role::Rook],
    &[Role::Khon],
    &[Role::Knight],
    &[Role::Met],
    &[Role::Khon, Role::Khon],
    &[Role::Khon, Role::Knight],
    &[Role::Khon, Role::Met],
    &[Role::Knight, Role::Knight],
    &[Role::Knight, Role::Met],
    &[Role::Met, Role::Met],
];

/// The mate tables of Makruk and Makpong, each computed when it is first needed.
///
/// Those for one piece take a tenth of a second together; a search computes them if it needs them, unless
/// [`prepare_small`](Self::prepare_small) has been called before. Those for two pieces take seconds and 16 MiB each, so a
/// search uses them only if [`prepare`](Self::prepare) has been called. A rook with another piece has no table: the rook
/// alone wins.
pub struct MateTables {
    tables: [[OnceLock<Option<MateTable>>; SETS.len()]; 2],
}

impl std::fmt::Debug for MateTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ready = self.tables.iter().flatten().filter(|table| table.get().is_some()).count();
        f.debug_struct("MateTables").field("ready", &ready).finish_non_exhaustive()
    }
}

impl Default for MateTables {
    fn default() -> Self {
        Self { tables: [const { [const { OnceLock::new() }; SETS.len()] }; 2] }
    }
}

/// The number of a game among those with tables. In ASEAN chess the fifty-move rule interferes.
const fn game(rules: Rules) -> Option<usize> {
    match rules {
        Rules::Makruk => Some(0),
        Rules::Makpong => Some(1),
        _ => None,
    }
}

/// The number of the set of a chaser's pieces.
fn set(position: &Makruk, chaser: Color) -> Option<usize> {
    let board = position.board();
    let own = board.by_color(chaser);
    if own.len() > 3 {
        return None;
    }
    let count = |role| (own & board.by_role(role)).len();
    let counts = [Role::Rook, Role::Khon, Role::Knight, Role::Met].map(count);
    if counts.iter().sum::<u32>() + 1 != own.len() {
        return None;
    }
    match counts {
        [1, 0, 0, 0] => Some(0),
        [0, 1, 0, 0] => Some(1),
        [0, 0, 1, 0] => Some(2),
        [0, 0, 0, 1] => Some(3),
        [0, 2, 0, 0] => Some(4),
        [0, 1, 1, 0] => Some(5),
        [0, 1, 0, 1] => Some(6),
        [0, 0, 2, 0] => Some(7),
        [0, 0, 1, 1] => Some(8),
        [0, 0, 0, 2] => Some(9),
        _ => None,
    }
}

impl MateTables {
    /// Computes the tables for one piece, if the game has any.
    pub fn prepare_small(&self, rules: Rules) {
        let Some(game) = game(rules) else { return };
        for (i, pieces) in SETS.iter().enumerate().filter(|(_, pieces)| pieces.len() == 1) {
            self.table(game, i, rules, pieces);
        }
    }

    /// True if a king with two pieces is chasing a bare king, and the table for them is not ready.
    pub fn needs(&self, position: &Makruk) -> bool {
        self.table_of(position).is_some_and(|(game, set)| self.tables[game][set].get().is_none())
    }

    /// Computes the table for a king with one or two pieces against a bare king.
    pub fn prepare(&self, position: &Makruk) {
        if let Some((game, set)) = self.table_of(position) {
            self.table(game, set, position.rules(), SETS[set]);
        }
    }

    /// The numbers of the game and of the set of pieces of a position with a bare king.
    fn table_of(&self, position: &Makruk) -> Option<(usize, usize)> {
        let game = game(position.rules())?;
        let bare = |color: &Color| !position.board().by_color(*color).has_many();
        let color = Color::ALL.into_iter().find(bare)?;
        Some((game, set(position, !color)?))
    }

    fn table(&self, game: usize, set: usize, rules: Rules, pieces: &[Role]) {
        self.tables[game][set].get_or_init(|| MateTable::compute(rules, pieces).ok());
    }

    /// The score of a position in which a bare king counts, for the side to move; `None` if its table is not ready.
    pub(super) fn score(&self, position: &Makruk, count: Count, ply: usize) -> Option<i32> {
        let game = game(position.rules())?;
        let table = self.tables[game][set(position, !count.color)?].get()?.as_ref()?;
        let chaser_to_move = position.side_to_move() != count.color;
        let in_time = |moves: &i32| *moves <= count.chaser_moves_left();
        match table.mate_in(position).ok()?.map(i32::from).filter(in_time) {
            None => Some(DRAW),
            Some(moves) if chaser_to_move => Some(MATE - ply as i32 - (2 * moves - 1)),
            Some(moves) => Some(mated_in(ply + 2 * moves as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_their_numbers() {
        for (number, pieces) in SETS.iter().enumerate() {
            let letters: String = pieces
                .iter()
                .map(|role| match role {
                    Role::Rook => 'R',
                    Role::Khon => 'S',
                    Role::Knight => 'N',
                    _ => 'M',
                })
                .collect();
            let fen = format!("7k/8/8/{letters}{}/8/8/8/K7 b - - 0 1", 8 - letters.len());
            let position: Makruk = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            assert_eq!(set(&position, Color::White), Some(number), "{fen}");
            assert_eq!(set(&position, Color::Black), None, "{fen}");
        }
        let position: Makruk = "7k/8/8/RN6/8/8/8/K7 b - - 0 1".parse().expect("a legal position");
        assert_eq!(set(&position, Color::White), None);
    }
}
