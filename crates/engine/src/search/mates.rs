//! Exact results against a bare king of Makruk: the mate tables of crate `rules`, with the count.
//!
//! A table holds the number of moves in which the chaser mates; the count, the number that it has. Together they decide
//! a position: a mate in *n* moves, or a draw. A table is used only while pieces' honor is being counted, so that the number of
//! moves left is known.

use super::Limits;
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

/// The mate tables of Makruk and Makpong, each computed when it is first needed. All threads and searches share them.
///
/// Those for one piece take a tenth of a second together, those for two pieces a second or more and 16 MiB each. A rook with
/// another piece has no table: the rook alone wins.
static TABLES: [[OnceLock<Option<MateTable>>; SETS.len()]; 2] =
    [const { [const { OnceLock::new() }; SETS.len()] }; 2];

/// Searches from positions with more pieces do without the tables for one piece, unless they are ready.
const MOST_PIECES_FOR_SMALL: u32 = 12;

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

/// Computes the tables for one piece, if the game has any.
pub(crate) fn prepare_small(rules: Rules) {
    let Some(game) = game(rules) else { return };
    for number in (0..SETS.len()).filter(|number| is_small(*number)) {
        compute(game, number, rules);
    }
}

/// True if a king with two pieces is chasing a bare king, and the table for them is not ready.
pub(crate) fn needs(position: &Makruk) -> bool {
    table_of(position).is_some_and(|(game, set)| TABLES[game][set].get().is_none())
}

/// Computes the table for a king with one or two pieces against a bare king, or waits for a thread that does.
pub(crate) fn prepare(position: &Makruk) {
    if let Some((game, set)) = table_of(position) {
        compute(game, set, position.rules());
    }
}

fn is_small(set: usize) -> bool {
    SETS[set].len() == 1
}

/// The numbers of the game and of the set of pieces of a position with a bare king.
fn table_of(position: &Makruk) -> Option<(usize, usize)> {
    let game = game(position.rules())?;
    let bare = |color: &Color| !position.board().by_color(*color).has_many();
    let color = Color::ALL.into_iter().find(bare)?;
    Some((game, set(position, !color)?))
}

fn compute(game: usize, set: usize, rules: Rules) {
    TABLES[game][set].get_or_init(|| MateTable::compute(rules, SETS[set]).ok());
}

/// The sets of pieces whose tables a search may use.
///
/// A search by the clock uses all that are ready. A search limited by nodes or by depth has to find the same each
/// time, whatever other searches have left and however far another thread has come: it uses the tables that its first
/// position calls for, and waits for them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables(u16);

impl Tables {
    /// Those for a search from a position.
    pub(super) fn of(position: &Makruk, limits: &Limits) -> Self {
        let rules = position.rules();
        let few = position.board().occupied().len() <= MOST_PIECES_FOR_SMALL;
        if few {
            prepare_small(rules);
        }
        let is_counted = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        if !is_counted || limits.time.is_some() {
            return Self(u16::MAX);
        }
        prepare(position);
        let own = table_of(position).map(|(_, set)| set);
        let used = (0..SETS.len()).filter(|set| few && is_small(*set) || Some(*set) == own);
        Self(used.fold(0, |sets, set| sets | 1 << set))
    }

    /// The score of a position in which a bare king counts, for the side to move; `None` without a table.
    pub(super) fn score(self, position: &Makruk, count: Count, ply: usize) -> Option<i32> {
        let game = game(position.rules())?;
        let set = set(position, !count.color).filter(|set| self.0 >> set & 1 != 0)?;
        let table = TABLES[game][set].get()?.as_ref()?;
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
