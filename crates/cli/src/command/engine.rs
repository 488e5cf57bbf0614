//! `halfmove engine`: the UCI engine, as in the program halfmove-engine.

use crate::Done;
use crate::args::Engine;
use crate::output::Advised;
use anyhow::anyhow;
use halfmove_engine::{Clock, converse};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time since the program started.
struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The commands of the program halfmove-lab.
const ELSEWHERE: [&str; 4] = ["arena", "datagen", "tune", "train"];

pub(crate) fn run(args: Engine) -> anyhow::Result<Done> {
    if let Some(word) = args.commands.first().filter(|word| ELSEWHERE.contains(&word.as_str())) {
        let error = anyhow!("\"{word}\" is not a UCI command");
        let hint = format!(
            "the program halfmove-lab has it: cargo install --locked --path crates/lab, then halfmove-lab {word}"
        );
        return Err(Advised::new(error, &hint).into());
    }
    converse(&args.commands, Arc::new(Wall(Instant::now())))?;
    Ok(Done::Found)
}
