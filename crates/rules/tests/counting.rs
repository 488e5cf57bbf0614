//! Counting with a table and on several threads gives the published counts.

use crate::suites::{position, shipped, table};
use halfmove_rules::{PerftTable, perft, perft_hashed};

/// The rows of a suite with at most this number of nodes.
fn counts(name: &str, most_nodes: u64) -> Vec<(String, u32, u64)> {
    let rows = table(&shipped(&format!("perft/{name}.tsv"))).into_iter();
    let rows = rows.map(|row| (row[0].clone(), row[1].parse().unwrap(), row[2].parse().unwrap()));
    rows.filter(|(_, _, nodes)| *nodes <= most_nodes).collect()
}

/// One table for all positions of a suite, and one so small that entries are constantly lost.
#[test]
fn a_table_does_not_change_counts() {
    for bytes in [1 << 22, 0] {
        let mut table = PerftTable::new(bytes).unwrap();
        let standard = counts("standard", 100_000);
        assert!(standard.len() > 2_000);
        for (fen, depth, nodes) in standard {
            assert_eq!(perft_hashed(&position(&fen), depth, &table), nodes, "{fen} depth {depth}");
        }
        for (fen, depth, nodes) in counts("chess960", 100_000) {
            table.clear();
            assert_eq!(perft_hashed(&position(&fen), depth, &table), nodes, "{fen} depth {depth}");
        }
    }
}

#[test]
fn a_table_too_large_is_refused() {
    assert!(PerftTable::new(usize::MAX).is_none());
}

/// Two positions of Chess960 with one key: the castling rook is on a1 or on b1.
#[test]
fn a_cleared_table_is_empty() {
    let outer = position("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1");
    let inner = position("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1");
    let (outers, inners) = (perft(&outer, 3), perft(&inner, 3));
    assert!(outer.zobrist() == inner.zobrist() && outers != inners);
    let mut table = PerftTable::new(1 << 20).unwrap();
    assert_eq!(perft_hashed(&outer, 3, &table), outers);
    assert_eq!(perft_hashed(&inner, 3, &table), outers, "the count of the other position");
    table.clear();
    assert_eq!(perft_hashed(&inner, 3, &table), inners);
}

#[test]
fn a_table_takes_no_more_memory_than_it_may() {
    for (bytes, buckets) in
        [(0, 1), (31, 1), (32, 1), (63, 1), (64, 2), (100, 3), (1 << 20, 32_768)]
    {
        let table = PerftTable::new(bytes).unwrap();
        assert_eq!(format!("{table:?}"), format!("PerftTable {{ buckets: {buckets}, .. }}"));
    }
}

#[cfg(feature = "std")]
mod parallel {
    use super::{counts, position};
    use halfmove_rules::{Chess, PerftTable, divide, divide_parallel, perft_parallel};
    use std::num::NonZero;
    use std::sync::Mutex;

    #[test]
    fn threads_do_not_change_counts() {
        let threads = NonZero::new(3).unwrap();
        for name in ["standard", "chess960"] {
            let counts = counts(name, 3_000);
            assert!(counts.len() > 200);
            for (fen, depth, nodes) in counts {
                let found = perft_parallel(&position(&fen), depth, threads, None, |_| {});
                assert_eq!(found, nodes, "{fen} depth {depth}");
            }
        }
    }

    /// The published counts of the start and of "Kiwipete", on threads that share a table.
    #[test]
    fn threads_share_a_table() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let threads = NonZero::new(4).unwrap();
        for (position, depth, nodes) in
            [(Chess::default(), 5, 4_865_609), (position(kiwipete), 4, 4_085_603)]
        {
            // Threads contend for the small table.
            for bytes in [1 << 20, 1 << 10] {
                let table = PerftTable::new(bytes).unwrap();
                let found = perft_parallel(&position, depth, threads, Some(&table), |_| {});
                assert_eq!(found, nodes, "{position} depth {depth}, {bytes} bytes");
            }
        }
    }

    #[test]
    fn each_first_move_and_every_piece_is_counted() {
        let (start, threads) = (Chess::default(), NonZero::new(2).unwrap());
        for depth in 0..5 {
            let seen = Mutex::new(Vec::new());
            let progress = |progress| seen.lock().unwrap().push(progress);
            let counts = divide_parallel(&start, depth, threads, None, progress);
            assert_eq!(counts, divide(&start, depth).collect::<Vec<_>>());
            let seen = seen.into_inner().unwrap();
            let mut done: Vec<usize> = seen.iter().map(|progress| progress.done).collect();
            done.sort_unstable();
            assert!(seen.iter().all(|progress| progress.jobs == seen.len()));
            assert_eq!(done, (1..=seen.len()).collect::<Vec<_>>());
            let nodes = seen.iter().map(|progress| progress.nodes).max().unwrap_or(0);
            assert_eq!(nodes, counts.iter().map(|(_, nodes)| nodes).sum::<u64>());
        }
        let one = NonZero::<usize>::MIN;
        assert_eq!(perft_parallel(&start, 0, one, None, |_| {}), 1);
        let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(perft_parallel(&mated, 3, one, None, |_| {}), 0);
    }
}
