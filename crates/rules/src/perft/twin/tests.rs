//! The twin, compared with `Chess` node by node.

use super::*;
use alloc::vec::Vec;
use core::cell::RefCell;
use std::path::Path;

extern crate std;

/// Everything that a twin stores about a position.
type Seen = [Bitboard; 14];

fn seen(us: Color, ours: &Side, theirs: &Side, state: State) -> (Color, Seen) {
    let of = |s: &Side| [s.all, s.orthogonal, s.pawns, s.diagonal, s.king, s.knights];
    let [a, b, c, d, e, f] = of(ours);
    let [g, h, i, j, k, l] = of(theirs);
    (us, [a, b, c, d, e, f, g, h, i, j, k, l, state.castlers, state.ep])
}

struct Record(RefCell<Vec<(Color, Seen)>>);

impl Watch for Record {
    fn count(&self, us: Color, ours: &Side, theirs: &Side, state: State) {
        self.0.borrow_mut().push(seen(us, ours, theirs, state));
    }
}

/// The twins of all positions after one move, as made by the twin and as made from `Chess`.
fn children(position: &Chess) -> [Vec<(Color, Seen)>; 2] {
    let tree = Tree::new(position, Record(RefCell::default()));
    cpu::run(Root { tree: &tree, position, depth: 2 });
    let mut made = tree.watch.0.into_inner();
    let mut expected: Vec<_> = (position.legal_moves().into_iter())
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let us = next.side_to_move();
            let state = State {
                castlers: next.castling().rooks(),
                ep: next.pseudo_ep_square().map_or(Bitboard::EMPTY, Bitboard::square),
            };
            seen(us, &Side::of(next.board(), us), &Side::of(next.board(), !us), state)
        })
        .collect();
    made.sort_by_key(|(_, sets)| sets.map(|set| set.0));
    expected.sort_by_key(|(_, sets)| sets.map(|set| set.0));
    [made, expected]
}

/// Compares every node of a tree, down to some depth, and returns the number of nodes.
fn hold(position: &Chess, depth: u32) -> usize {
    let [made, expected] = children(position);
    assert_eq!(made, expected, "{position}");
    let counted = perft(position, 1, Level::V4);
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = cpu::V3WithoutPext::new() {
        // `run` chooses this only where PEXT is slow.
        let tree = Tree::new(position, ());
        assert_eq!(
            cpu.enter(Root { tree: &tree, position, depth: 2 }),
            perft(position, 2, Level::V4)
        );
    }
    assert_eq!(counted, position.count_moves() as u64, "{position}");
    assert_eq!(counted, expected.len() as u64, "{position}");
    if depth == 0 {
        return 1;
    }
    let next = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    1 + (position.legal_moves().into_iter()).map(|mv| hold(&next(mv), depth - 1)).sum::<usize>()
}

#[test]
fn the_twin_is_chess_node_by_node() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft");
    let mut nodes = 0;
    for name in ["standard.tsv", "chess960.tsv"] {
        let table = std::fs::read_to_string(testdata.join(name)).unwrap();
        let mut fens: Vec<&str> =
            table.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
        fens.dedup();
        for fen in fens {
            nodes += hold(&Chess::from_fen(fen, None).unwrap(), 1);
        }
    }
    assert!(nodes > 5_000, "{nodes} nodes compared");
}
