//! `halfmove-engine`: a UCI engine for chess, Chess960, Makruk, Makpong and ASEAN chess.
//!
//! Without arguments it reads commands from standard input. Arguments are commands themselves, one each, or words of a
//! single command: `halfmove-engine bench`, `halfmove-engine "position startpos moves e2e4" "go depth 12"`.
//!
//! `halfmove-engine arena` plays matches between engines: see [`arena`].

mod arena;

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
    if std::env::args_os().nth(1).is_some_and(|word| word == "arena") {
        return arena::run();
    }
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match converse(&arguments, Arc::new(Wall(Instant::now()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
