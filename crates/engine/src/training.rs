//! Games of the engine against itself, and weights of the evaluation fitted to their results.
//!
//! Two steps:
//!
//! ```sh
//! halfmove-engine datagen --game makruk --games 4000 --nodes 2000 --seed 1 --out makruk.samples
//! halfmove-engine tune --game makruk --data makruk.samples --out crates/engine/src/eval/makruk/weights.rs
//! ```
//!
//! `docs/reference/engine-search.md` says how it works and when to keep the result.

mod command;
mod datagen;
mod sample;
mod tune;

pub use command::{Command, CommandError};
pub use datagen::{Datagen, DatagenSummary};
pub use sample::{Sample, SampleError};
pub use tune::{Errors, Tuned, Tuning, TuningError};
