//! Exact results against a bare king: the mate tables of crate `rules`, with the count of Makruk or the fifty-move rule.
//!
//! A table has the number of moves in which the chaser mates, and the count gives the number of moves left. Together
//! they decide a position: a mate in *n* moves, or a draw. In Makruk a table is used only while pieces' honor is being
//! counted, so that the number of moves left is known.

use super::Limits;
use super::value::{DRAW, MATE, mated_in};
use crate::SearchBoard;
use halfmove_rules::{Board, Color, MateTable, Role, Variant};
use std::sync::OnceLock;

/// The pieces besides the king for which there are tables: one of them, or two. The last set is that of chess.
const SETS: [&[Role]; 11] = [
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
    &[Role::Bishop, Role::Knight],
];

/// The maximum number of pieces of a position in a table.
const MAX_PIECES: u32 = 4;

/// The mate tables of Makruk, Makpong and chess, each computed when it is first needed. All threads and searches share them.
///
/// Those for one piece take a tenth of a second together, those for two pieces a second or more and 16 MiB each. There
/// is no table for a rook and another piece, because the rook alone wins. In chess there is one for bishop and knight,
/// because the evaluation does not lead the king to the right corner; the search finds the other mates.
static TABLES: [[OnceLock<Option<MateTable>>; SETS.len()]; 3] =
    [const { [const { OnceLock::new() }; SETS.len()] }; 3];

/// The maximum number of pieces at the root for which a search waits for the tables for one piece.
const MAX_PIECES_FOR_SMALL: u32 = 12;

/// The index of chess among the games with tables.
const CHESS: usize = 2;

/// The number of half-moves without a capture or a pawn move after which a game of chess is drawn.
const FIFTY_MOVES: i32 = 100;

/// The index of a game among those with tables. ASEAN chess has none, because the fifty-move rule interferes.
const fn game(variant: Variant) -> Option<usize> {
    match variant {
        Variant::Makruk => Some(0),
        Variant::Makpong => Some(1),
        Variant::Chess | Variant::Chess960 => Some(CHESS),
        _ => None,
    }
}

/// The index of the set of a chaser's pieces in a game.
#[inline]
fn set(board: &Board, chaser: Color, game: usize) -> Option<usize> {
    let own = board.by_color(chaser);
    if own.len() > 3 {
        return None;
    }
    let count = |role| (own & board.by_role(role)).len();
    if game == CHESS {
        let is_listed = own.len() == 3 && count(Role::Bishop) == 1 && count(Role::Knight) == 1;
        return is_listed.then_some(SETS.len() - 1);
    }
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
pub(crate) fn prepare_small(variant: Variant) {
    let Some(game) = game(variant).filter(|game| *game != CHESS) else { return };
    for number in (0..SETS.len()).filter(|number| is_small(*number)) {
        compute(game, number, variant);
    }
}

/// Returns true if the pieces belong to a table that is not ready.
pub(crate) fn needs(board: &Board, variant: Variant) -> bool {
    table_of(board, variant).is_some_and(|(game, set)| TABLES[game][set].get().is_none())
}

/// Computes the table for the pieces, if there is one, or waits for a thread that does.
pub(crate) fn prepare(board: &Board, variant: Variant) {
    if let Some((game, set)) = table_of(board, variant) {
        compute(game, set, variant);
    }
}

fn is_small(set: usize) -> bool {
    SETS[set].len() == 1
}

/// The indices of the game and of the set of pieces, for a position with a bare king.
fn table_of(board: &Board, variant: Variant) -> Option<(usize, usize)> {
    let game = game(variant)?;
    let bare = |color: &Color| !board.by_color(*color).has_many();
    let color = Color::ALL.into_iter().find(bare)?;
    Some((game, set(board, !color, game)?))
}

fn compute(game: usize, set: usize, variant: Variant) {
    TABLES[game][set].get_or_init(|| MateTable::compute(variant, SETS[set]).ok());
}

/// The sets of pieces whose tables a search may use.
///
/// A search by the clock uses all tables that are ready. The result of a search limited by nodes or depth must be
/// reproducible, whatever other searches and threads have computed: it uses exactly the tables that its root position
/// needs, and waits for them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables(u16);

impl Tables {
    /// The tables for a search from a position.
    pub(super) fn of<B: SearchBoard>(position: &B, limits: &Limits) -> Self {
        let (board, variant) = (position.board(), position.variant());
        let few = board.occupied().len() <= MAX_PIECES_FOR_SMALL;
        if few {
            prepare_small(variant);
        }
        if !limits.is_counted() {
            return Self(u16::MAX);
        }
        prepare(board, variant);
        let own = table_of(board, variant).map(|(_, set)| set);
        let used = (0..SETS.len()).filter(|set| few && is_small(*set) || Some(*set) == own);
        Self(used.fold(0, |sets, set| sets | 1 << set))
    }

    /// The score of a position against a bare king, for the side to move; `None` without a table, and in Makruk while the bare
    /// king does not count.
    #[inline]
    pub(super) fn score<B: SearchBoard>(self, position: &B, ply: usize) -> Option<i32> {
        let board = position.board();
        if board.occupied().len() > MAX_PIECES {
            return None;
        }
        let game = game(position.variant())?;
        let bare = match game {
            CHESS => Color::ALL.into_iter().find(|color| !board.by_color(*color).has_many())?,
            _ => position.count().filter(|count| count.bare)?.color,
        };
        let set = set(board, !bare, game).filter(|set| self.0 >> set & 1 != 0)?;
        let table = TABLES[game][set].get()?.as_ref()?;
        let chaser_to_move = position.side_to_move() != bare;
        let moves_left = match position.count() {
            Some(count) => count.chaser_moves_left(),
            None => {
                (FIFTY_MOVES - i32::from(position.halfmove_clock()) + i32::from(chaser_to_move)) / 2
            }
        };
        let in_time = |moves: &i32| *moves <= moves_left;
        let mate = table.mate_on(board, position.side_to_move()).ok()?;
        match mate.map(i32::from).filter(in_time) {
            None => Some(DRAW),
            Some(moves) if chaser_to_move => Some(MATE - ply as i32 - (2 * moves - 1)),
            Some(moves) => Some(mated_in(ply + 2 * moves as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfmove_rules::{Chess, Makruk};

    #[test]
    fn sets_have_their_numbers() {
        for (number, pieces) in SETS[..10].iter().enumerate() {
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
            assert_eq!(set(position.board(), Color::White, 0), Some(number), "{fen}");
            assert_eq!(set(position.board(), Color::Black, 0), None, "{fen}");
        }
        let position: Makruk = "7k/8/8/RN6/8/8/8/K7 b - - 0 1".parse().expect("a legal position");
        assert_eq!(set(position.board(), Color::White, 0), None);
        let position: Chess = "7k/8/8/NB6/8/8/8/K7 w - - 0 1".parse().expect("a legal position");
        assert_eq!(set(position.board(), Color::White, CHESS), Some(10));
        assert_eq!(set(position.board(), Color::Black, CHESS), None);
    }
}
