//! The benchmark: searches of a reproducible number of nodes, which changes with the search or the evaluation.
//!
//! Each position is searched to the same depth by one thread, with an empty table of 16 MiB. The number of nodes is the
//! same on every machine and in every build.

use crate::{Clock, Evaluator, KeyedMakruk, Limits, Memory, Search, SearchBoard};
use halfmove_rules::{Chess, Makruk, makruk};
use std::fmt;
use std::time::Duration;

const HASH_MIB: usize = 16;
const DEPTH: u32 = 10;

const CHESS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/3p4/3k4/8/8/8/KBN5 w - - 0 1",
];

const MAKRUK: [&str; 8] = [
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    "r2mksnr/3sn3/pppp1ppp/4p3/4P3/PPPP1PPP/3NS3/RNSKM2R w - - 0 1",
    "r6r/2nsks2/pp1pmn1p/2p1ppp1/2PPP1P1/PP1NNP1P/3SKS2/R2M3R w - - 0 1",
    "2r2r2/3nks2/p1spp2p/1pm3p1/1P1PPP1P/P1PSN1P1/3NKS2/2R1MR2 b - - 0 1",
    "8/2k1n3/1p2s3/p2p1r2/P1PP1N2/1PS1K3/4R3/8 w - - 0 1",
    "8/3k4/2m1n3/8/3NS3/2M1K3/8/4R3 w - - 0 1",
    "8/4k3/8/3M4/4S3/3K4/8/4R3 w - - 0 1",
    "8/8/3k4/8/3KS3/8/8/3R4 w - 32 9 60",
];

/// The positions to search, and the depth.
///
/// ```
/// use halfmove_engine::{Bench, StoppedClock};
///
/// let bench = Bench { depth: 2, ..Bench::default() };
/// assert_eq!(bench.run(&StoppedClock).nodes, bench.run(&StoppedClock).nodes);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The depth of each search.
    pub depth: u32,
    /// True to search the positions of chess.
    pub chess: bool,
    /// True to search the positions of Makruk.
    pub makruk: bool,
}

impl Default for Bench {
    fn default() -> Self {
        Self { depth: DEPTH, chess: true, makruk: true }
    }
}

/// The result of a benchmark. `Display` writes the last line of the command `bench`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// The number of nodes of all searches.
    pub nodes: u64,
    /// The time taken.
    pub elapsed: Duration,
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = u128::from(self.nodes) * 1_000_000 / self.elapsed.as_micros().max(1);
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}

impl Bench {
    /// Parses the words after `bench`: a depth, `chess` or `makruk`.
    pub(super) fn parse(words: &[String]) -> Result<Self, String> {
        let mut bench = Self::default();
        let names = |game: &str| words.iter().any(|word| word == game);
        if names("chess") != names("makruk") {
            (bench.chess, bench.makruk) = (names("chess"), names("makruk"));
        }
        for word in words {
            match (word.as_str(), word.parse()) {
                ("chess" | "makruk", _) => {}
                (_, Ok(depth @ 1..)) => bench.depth = depth,
                _ => {
                    return Err(format!("bench: \"{word}\", expected a depth, chess or makruk"));
                }
            }
        }
        Ok(bench)
    }

    /// Searches all positions.
    pub fn run(&self, clock: &dyn Clock) -> BenchResult {
        self.run_with(Evaluator::default(), clock)
    }

    /// The same with another evaluation.
    pub fn run_with(&self, evaluator: Evaluator<'_>, clock: &dyn Clock) -> BenchResult {
        let start = clock.now();
        let memory = Memory::new(HASH_MIB);
        let search = Search::new(&memory).with_evaluator(evaluator);
        let mut nodes = 0;
        let chess = CHESS.iter().filter(|_| self.chess);
        for position in chess.filter_map(|fen| fen.parse::<Chess>().ok()) {
            nodes += self.nodes_of(search, &position);
        }
        let makruk = MAKRUK.iter().filter(|_| self.makruk);
        let parse = |fen| Makruk::from_fen(fen, makruk::Rules::Makruk, None).ok();
        for position in makruk.copied().filter_map(parse) {
            nodes += self.nodes_of(search, &KeyedMakruk::new(position));
        }
        BenchResult { nodes, elapsed: clock.now().saturating_sub(start) }
    }

    fn nodes_of<B: SearchBoard>(&self, search: Search<'_>, position: &B) -> u64 {
        search.memory().clear();
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        search.run(position, &[], &limits, &mut |_| {}).nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_legal() {
        for fen in CHESS {
            assert!(fen.parse::<Chess>().is_ok(), "{fen}");
        }
        for fen in MAKRUK {
            assert!(Makruk::from_fen(fen, makruk::Rules::Makruk, None).is_ok(), "{fen}");
        }
    }
}
