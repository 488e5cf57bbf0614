//! Games of the engine against itself, and an evaluation learned from them: the weights of the hand-made one, or a net.
//!
//! Two steps:
//!
//! ```sh
//! halfmove-engine datagen --game makruk --games 4000 --nodes 2000 --seed 1 --out makruk.samples
//! halfmove-engine tune --game makruk --data makruk.samples --out crates/engine/src/eval/makruk/weights.rs
//! halfmove-engine train --game makruk --data makruk.samples --out makruk.net
//! ```
//!
//! `docs/reference/engine-search.md` says how it works and when to keep the result.

mod curves;
mod datagen;
mod net;
mod sample;
mod train;
mod tune;

pub use datagen::{Datagen, DatagenSummary};
pub use sample::{Sample, SampleError};
pub use train::{Trained, Training};
pub use tune::{Errors, Tuned, Tuning, TuningError};
