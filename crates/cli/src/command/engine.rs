//! `halfmove engine`: the UCI engine, as in the program halfmove-engine.

use crate::Done;
use crate::args::Engine;
use halfmove_engine::{Now, converse};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time since the program started.
struct Wall(Instant);

impl Now for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub(crate) fn run(args: Engine) -> anyhow::Result<Done> {
    converse(&args.commands, Arc::new(Wall(Instant::now())))?;
    Ok(Done::Found)
}
