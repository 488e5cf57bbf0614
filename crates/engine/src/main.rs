//! `halfmove-engine`: a UCI engine for chess, Chess960, Makruk, Makpong and ASEAN chess.
//!
//! Without arguments it reads commands from standard input. Arguments are commands themselves, one each, or words of a
//! single command: `halfmove-engine bench`, `halfmove-engine "position startpos moves e2e4" "go depth 12"`.
//!
//! `halfmove-engine arena` plays matches between engines: see [`arena`].
//!
//! `halfmove-engine datagen`, `tune` and `train` make the evaluation from games: see [`halfmove_engine::training`].

mod arena;

use halfmove_engine::training::{Command, CommandError};
use halfmove_engine::{Now, converse};
use std::io::{self, Write};
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
    if let Some(command) = Command::parse(&arguments) {
        return train(command);
    }
    match converse(&arguments, Arc::new(Wall(Instant::now()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Generates games, fits weights or trains a net. Standard error says what came of it; help goes to standard output.
fn train(command: Result<Command, CommandError>) -> ExitCode {
    if let Ok(Command::Help(text)) = command {
        let _ = io::stdout().write_all(text.as_bytes());
        return ExitCode::SUCCESS;
    }
    let mut say = |line: &str| {
        let _ = writeln!(io::stderr(), "{line}");
    };
    match command.and_then(|command| command.run(&mut say)) {
        Ok(said) => {
            say(&said);
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}
