//! The hidden sums of a [`Net`] along the path of a search, updated from ply to ply.
//!
//! ```text
//! ply  0      1      2      3            what a ply holds: the pieces that its sums are of, and
//!      ●─e2e4─●─e7e5─●──────●            for White and for Black the sums as that side sees the board
//!             ╰──────┴ changed squares:  two rows to subtract or add instead of thirty
//! ```
//!
//! Each ply stores its sums together with the [`Board`] that they belong to, and the boards are compared when a value
//! is requested. So it does not matter how the position arose: by a move, castling, en passant, a promotion, a null
//! move (which changes no square), or through plies that were never evaluated. Sums left at a ply by another line of
//! the search are still valid for their board, and the update starts from them if that board is nearest. The empty
//! board, whose sums are the biases, is always a possible start.
//!
//! When a king crosses to the other half of the board, its side sees all squares mirrored ([`view`]). Then only sums
//! with the same view, or the empty board, can be the start.
//!
//! # Source
//! Yu Nasu, *Efficiently updatable neural-network-based evaluation functions for computer shogi* (2018).

use super::input::{ROLES, bucket, number, view};
use super::{Net, Row};
use crate::Count;
use arrayvec::ArrayVec;
use halfmove_rules::{Bitboard, Board, Color, Variant};

/// The sums of each ply of a path.
pub(crate) struct Accumulator<'a> {
    net: &'a Net,
    /// First the empty board, then one for each ply.
    plies: Box<[Seen]>,
    /// The sums: for each of `plies`, White's blocks and Black's.
    sums: Box<[Row]>,
}

/// The board that sums belong to, and each side's view of it.
#[derive(Clone, Default)]
struct Seen {
    board: Board,
    views: [u16; 2],
}

impl<'a> Accumulator<'a> {
    /// Allocates the sums for a number of plies.
    pub(crate) fn new(net: &'a Net, plies: usize) -> Self {
        let empty = [net.biases(), net.biases()].concat();
        Self {
            net,
            plies: vec![Seen::default(); plies + 1].into(),
            sums: empty.repeat(plies + 1).into(),
        }
    }

    /// The net.
    pub(crate) const fn net(&self) -> &'a Net {
        self.net
    }

    /// The lead of the side to move, in centipawns: the same as [`Net::lead`].
    #[inline(always)]
    pub(crate) fn lead(
        &mut self,
        ply: usize,
        board: &Board,
        us: Color,
        count: Option<Count>,
    ) -> i32 {
        let at = ply + 1;
        let views = [Color::White, Color::Black].map(|side| view(board, side));
        // The previous ply, and the sums left here by another line.
        let near = [at - 1, at].map(|from| (from, self.plies[from].board.changed(board)));
        for color in Color::ALL {
            let view = views[color.index()];
            let mut start = (0, board.occupied());
            for (from, changed) in near {
                if self.plies[from].views[color.index()] == view && changed.len() < start.1.len() {
                    start = (from, changed);
                }
            }
            self.update(start, at, board, color, view);
        }
        self.plies[at] = Seen { board: board.clone(), views };

        let blocks = self.net.blocks();
        let side = |color: Color| &self.sums[(2 * at + color.index()) * blocks..][..blocks];
        self.net.weigh(side(us), side(!us), bucket(self.net.game(), board, count))
    }

    /// Computes the sums of one side at a ply from those of a board that differs in some squares.
    #[inline(always)]
    fn update(
        &mut self,
        (from, changed): (usize, Bitboard),
        at: usize,
        board: &Board,
        color: Color,
        view: u16,
    ) {
        let (net, blocks) = (self.net, self.net.blocks());
        let roles = &ROLES[usize::from(net.game() == Variant::Makruk)];
        let (mut gone, mut come) = (ArrayVec::<&[Row], 64>::new(), ArrayVec::<&[Row], 64>::new());
        for square in changed {
            for (rows, board) in [(&mut gone, &self.plies[from].board), (&mut come, board)] {
                if let Some(piece) = board.piece_at(square) {
                    let number = usize::from(number(roles, piece, square, color, view));
                    rows.push(&net.inputs[number * blocks..][..blocks]);
                }
            }
        }
        // In pairs, completed with a row of zeros.
        let row = |row: Option<&&'a [Row]>| row.copied().unwrap_or(net.nothing());
        let mut pairs =
            (0..gone.len().max(come.len())).map(|i| (row(gone.get(i)), row(come.get(i))));
        let [from, to] = [from, at].map(|ply| (2 * ply + color.index()) * blocks);
        if let Ok([from, to]) = self.sums.get_disjoint_mut([from..from + blocks, to..to + blocks]) {
            let (gone, come) = pairs.next().unwrap_or((net.nothing(), net.nothing()));
            for (((to, from), gone), come) in to.iter_mut().zip(from).zip(gone).zip(come) {
                *to = from.changed(gone, come);
            }
        }
        let sums = &mut self.sums[to..to + blocks];
        for (gone, come) in pairs {
            for ((sum, gone), come) in sums.iter_mut().zip(gone).zip(come) {
                *sum = sum.changed(gone, come);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use halfmove_rules::AnyPosition;
    use std::fs;
    use std::path::Path;

    /// The number of plies of a path, fewer than in a game, so that paths start over among the sums left by others.
    const PLIES: usize = 100;

    /// Compares values on a path with those computed from all pieces.
    struct Comparison {
        sums: [Accumulator<'static>; 2],
        random: Random,
        compared: usize,
    }

    impl Comparison {
        fn new() -> Self {
            let sums = [Variant::Chess, Variant::Makruk]
                .map(|game| Accumulator::new(Net::built_in(game).expect("a net"), PLIES));
            Self { sums, random: Random::new(5), compared: 0 }
        }

        /// Some plies are skipped, as by a search that finds a value in the table.
        fn see(&mut self, ply: usize, position: &AnyPosition) {
            if self.random.below(4) == 0 {
                return;
            }
            let (sums, count) = match position {
                AnyPosition::Chess(_) => (&mut self.sums[0], None),
                AnyPosition::Makruk(makruk) => {
                    (&mut self.sums[1], makruk.counting().map(Count::of))
                }
            };
            let (board, us) = (position.board(), position.side_to_move());
            let expected = sums.net().lead(board, us, count);
            assert_eq!(sums.lead(ply, board, us, count), expected, "{position}");
            self.compared += 1;
        }

        /// A random tree, with null moves.
        fn tree(&mut self, position: &AnyPosition, ply: usize, depth: usize) {
            self.see(ply, position);
            let moves = position.legal_moves();
            if depth == 0 || moves.is_empty() {
                return;
            }
            let passed = match position {
                AnyPosition::Chess(chess) => chess.null_move().map(AnyPosition::Chess),
                AnyPosition::Makruk(makruk) => makruk.null_move().map(AnyPosition::Makruk),
            };
            if let Some(next) = passed {
                self.tree(&next, ply + 1, depth.saturating_sub(3));
            }
            for _ in 0..3 {
                let mut next = position.clone();
                next.play_unchecked(moves[self.random.below(moves.len())]);
                self.tree(&next, ply + 1, depth - 1);
            }
        }
    }

    fn shipped(name: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    #[test]
    fn values_along_games_are_those_of_all_pieces() {
        for (name, variant, least) in [
            ("games/chess960.pgn", Variant::Chess960, 1_000),
            ("games/setup.pgn", Variant::Chess, 1_000),
            ("games/makruk.pgn", Variant::Makruk, 1_000),
        ] {
            let mut comparison = Comparison::new();
            for game in shipped(name).split("[Event ").skip(1) {
                let fen =
                    game.lines().find_map(|line| line.strip_prefix("[FEN \"")?.strip_suffix("\"]"));
                let mut position = match fen {
                    Some(fen) => AnyPosition::from_fen(fen, variant).expect("a position"),
                    None => AnyPosition::start(variant),
                };
                let moves = game.lines().filter(|line| !line.starts_with('['));
                let words = moves.flat_map(str::split_whitespace);
                comparison.see(0, &position);
                for (i, mv) in
                    words.filter(|word| word.starts_with(char::is_alphabetic)).enumerate()
                {
                    // Words of a comment are not moves.
                    let Ok(mv) = position.parse_san(mv) else { continue };
                    position.play_unchecked(mv);
                    comparison.see((i + 1) % PLIES, &position);
                }
            }
            assert!(comparison.compared > least, "{name}: {}", comparison.compared);
        }
    }

    /// Makpong and ASEAN chess have no nets, so the net of Makruk is used for them.
    #[test]
    fn values_in_a_tree_are_those_of_all_pieces() {
        for variant in
            [Variant::Chess, Variant::Chess960, Variant::Makruk, Variant::Makpong, Variant::Asean]
        {
            let mut comparison = Comparison::new();
            for seed in 0..12 {
                let mut random = Random::new(seed);
                let mut position = AnyPosition::start(variant);
                // Trees that start late in a game have few pieces and active kings.
                for ply in 0..20 * seed as usize {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position.play_unchecked(moves[random.below(moves.len())]);
                    if ply % 20 == 0 {
                        comparison.tree(&position, ply % 7, 5);
                    }
                }
            }
            assert!(comparison.compared > 5_000, "{variant}: {}", comparison.compared);
        }
    }
}
