//! The hidden sums of a [`Net`], kept along the path of a search and changed by what has moved.
//!
//! ```text
//! ply  0      1      2      3            what a ply holds: the pieces that its sums are of, and
//!      ●─e2e4─●─e7e5─●──────●            for White and for Black the sums as that side sees the board
//!             ╰──────┴ changed squares:  two rows to subtract or add instead of thirty
//! ```
//!
//! A ply keeps the [`Board`] that its sums are of, and the two boards are compared when a value is asked for. So nothing
//! depends on how the position came about: a move, castling, en passant, a promotion, a null move (which changes no
//! square), or plies in between that were never evaluated. Even sums that another line of the search has left at a ply
//! are valid, of their own board, and are taken as the start if they are nearest. The empty board is one such start: its
//! sums are the biases.
//!
//! A side whose king crosses to the other half of the board sees all squares mirrored ([`view`]); then only sums of the
//! same view, or the empty board, can be a start.
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
    /// Those of the empty board, then one for each ply.
    plies: Box<[Seen]>,
    /// The sums: for each of `plies`, White's blocks and Black's.
    sums: Box<[Row]>,
}

/// The pieces that sums are of, and how each side sees them.
#[derive(Clone, Default)]
struct Seen {
    board: Board,
    views: [u16; 2],
}

impl<'a> Accumulator<'a> {
    /// Room for the sums of a number of plies.
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
        // The ply before, and what another line has left here.
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

    /// Makes the sums of one side at a ply from others, which differ in some squares.
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
        // In pairs. An empty row makes up for one that is missing.
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

    /// Plies of the paths, fewer than a game has: then a path begins anew, among what others have left.
    const PLIES: usize = 100;

    /// Compares values on a path with those of all pieces.
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

        /// Now and then a ply is passed over, as by a search that finds its value in the table.
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
                    // Words of a comment are no moves.
                    let Ok(mv) = position.parse_san(mv) else { continue };
                    position.play_unchecked(mv);
                    comparison.see((i + 1) % PLIES, &position);
                }
            }
            assert!(comparison.compared > least, "{name}: {}", comparison.compared);
        }
    }

    /// Makpong and ASEAN chess have no nets; the sums of their pieces are compared by the net of Makruk.
    #[test]
    fn values_in_a_tree_are_those_of_all_pieces() {
        for variant in
            [Variant::Chess, Variant::Chess960, Variant::Makruk, Variant::Makpong, Variant::Asean]
        {
            let mut comparison = Comparison::new();
            for seed in 0..12 {
                let mut random = Random::new(seed);
                let mut position = AnyPosition::start(variant);
                // The later the trees begin, the fewer pieces there are, and kings walk about.
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
