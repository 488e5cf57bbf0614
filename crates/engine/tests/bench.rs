//! The number of nodes of the benchmark, which changes only with the search or the evaluation.

use halfmove_engine::{Bench, StoppedClock};

/// The output of `halfmove-engine bench 6`, in any build. After an intended change, run it and put the number here.
const NODES: u64 = 71_973;

#[test]
fn the_benchmark_has_its_number_of_nodes() {
    let bench = Bench { depth: 6, ..Bench::default() };
    assert_eq!(bench.run(&StoppedClock).nodes, NODES);
}
