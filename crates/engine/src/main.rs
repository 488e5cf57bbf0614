//! `halfmove-engine`: a UCI engine for chess, Chess960, Makruk, Makpong and ASEAN chess.
//!
//! Without arguments it reads commands from standard input. Arguments are commands themselves, one each, or words of a
//! single command: `halfmove-engine bench`, `halfmove-engine "position startpos moves e2e4" "go depth 12"`.
//!
//! `halfmove-engine arena` plays matches between engines: see [`arena`].
//!
//! `halfmove-engine datagen`, `tune` and `train` make the evaluation from games: see [`learn`] and
//! [`halfmove_engine::training`].

mod arena;
mod learn;

use halfmove_engine::{Now, converse};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time since the program started.
struct Wall(Instant);

impl Now for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match arguments.first().map(String::as_str) {
        Some("arena") => arena::run(),
        Some("datagen" | "tune" | "train") => learn::run(),
        _ => match converse(&arguments, Arc::new(Wall(Instant::now()))) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
    }
}
