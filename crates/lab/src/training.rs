//! Games of the engine against itself, and an evaluation trained on them: the weights of the hand-crafted one, or a
//! net.
//!
//! The weights need few samples, each with a longer search:
//!
//! ```sh
//! halfmove-lab datagen --game chess --games 10000 --nodes 1000 --hand-crafted --seed 1 --out chess.samples
//! halfmove-lab tune --game chess --data chess.samples --epochs 60 --force \
//!     --out crates/engine/src/eval/chess/weights.rs
//! ```
//!
//! A net needs many more, with shorter searches:
//!
//! ```sh
//! halfmove-lab datagen --game makruk --games 30000 --nodes 300 --hand-crafted --seed 1 --out makruk.samples
//! halfmove-lab train --game makruk --data makruk.samples --out makruk.net
//! ```
//!
//! `--hand-crafted` takes the scores from the hand-crafted evaluation. `docs/reference/engine-search.md` describes the
//! method, the origin of the engine's weights and nets, and the criteria for keeping a result.

mod adam;
mod curves;
mod datagen;
mod net;
mod sample;
mod train;
mod tune;

pub use datagen::{Datagen, DatagenSummary};
pub use sample::{Sample, SampleError, TrainingError};
pub use train::{Trained, Training};
pub use tune::{Errors, Tuned, Tuning};
