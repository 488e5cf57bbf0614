//! A chess engine: search, evaluation and UCI for chess, Chess960, Makruk, Makpong and ASEAN chess.
//!
//! The search is generic over the game and works on the positions of [`halfmove_rules`]. Small neural networks, updated
//! move by move, evaluate chess and Makruk.
//!
//! ```
//! use halfmove_engine::{KeyedMakruk, Limits, Memory, Search, Value};
//! use halfmove_rules::Makruk;
//!
//! // A khon covers the flight squares, the rook gives mate.
//! let position: Makruk = "k7/8/KS6/8/8/8/8/1R6 w - - 0 1".parse()?;
//! let memory = Memory::new(1);
//! let limits = Limits { depth: Some(5), ..Limits::default() };
//! let answer = Search::new(&memory).run(&KeyedMakruk::new(position), &[], &limits, &mut |_| {});
//! assert!(matches!(answer.value, Value::Mate(1..)));
//! # Ok::<(), halfmove_rules::makruk::FenError>(())
//! ```
//!
//! The crate also [analyzes games](Analyst), [classifies bad moves](Judgement), and [plays against itself](SelfPlay)
//! from [random openings](Openings). The crate `halfmove-lab` trains the evaluation through [`learning`].
//!
//! The program `halfmove-engine` speaks UCI; `docs/guide/engine.md` explains its use, and
//! `docs/reference/engine-search.md` the search.

mod analysis;
mod board;
mod eval;
mod judgement;
pub mod learning;
mod openings;
mod random;
mod search;
mod selfplay;
mod uci;

pub use analysis::{Analysis, Analyst, Assess, Assessment};
pub use board::{Count, KeyedMakruk, SearchBoard, perft};
pub use eval::{Evaluation, FULL_PHASE, FULL_SCALE, Net, NetError, Tapered, Term};
pub use judgement::{Judgement, winning_chances};
pub use openings::{Opening, Openings};
pub use random::Random;
pub use search::{
    Budget, Clock, Evaluator, Limits, Memory, Report, Search, SearchResult, Settings, Signals,
    StoppedClock, Table, TimeLeft, Value, key_of,
};
pub use selfplay::{Played, SelfPlay};
pub use uci::{Bench, BenchResult, converse, obey, serve};
