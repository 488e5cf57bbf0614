//! Long-running work on many games: done by several threads, written in order, and resumed where it stopped.
//!
//! ```text
//!           ┌ caller ──┐  games  ┌ work ───────┐  texts   ┌ caller ──┐           ┌ at the end ─────────┐
//!  source ─▶│ number   │ ──────▶ │ search      │ ───────▶ │ order    │ ─▶ part ─▶│ file, packed or not,│
//!           └──────────┘         └ N threads ──┘          └──────────┘           │ or import           │
//!                                                           journal              └─────────────────────┘
//! ```
//!
//! The texts of the games are appended to a file that ends in `.part`; a journal next to it records the progress. Only
//! the complete file becomes the output. If the program is killed, only the last moment of work is lost, and the final
//! output is the same.

mod crew;
mod journal;
mod target;

pub(crate) use self::crew::Feed;
pub(crate) use self::target::Target;

use self::journal::Unfinished;
use crate::args;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, Unwritable, counted};
use crate::progress::Progress;
use crate::screen;
use anyhow::Context;
use halfmove_engine::Signals;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Counts by name.
pub(crate) type Counts = BTreeMap<String, u64>;

/// The result for one game.
pub(crate) struct Piece {
    /// PGN, with a blank line at the end.
    pub(crate) text: String,
    /// The amounts to add to the counts.
    pub(crate) counts: Vec<(&'static str, u64)>,
}

/// Work on many games.
pub(crate) struct Batch {
    /// Everything that the result depends on. Unfinished work is resumed only with equal settings.
    pub(crate) settings: Map<String, Value>,
    pub(crate) target: Target,
    /// The files that are read.
    pub(crate) inputs: Vec<PathBuf>,
    /// The source that an archive records for the games.
    pub(crate) source: String,
    /// The length of the source, if known.
    pub(crate) total: Option<u64>,
    pub(crate) threads: usize,
    pub(crate) restart: bool,
}

/// The outcome of a batch.
pub(crate) struct Summary {
    pub(crate) games: u64,
    pub(crate) counts: Counts,
    /// The number of games done in this run, which took `elapsed`.
    pub(crate) now: u64,
    pub(crate) elapsed: Duration,
}

impl Batch {
    /// Runs the batch. `make` creates the state of a thread, `work` processes a game with it and returns `None` if it is stopped,
    /// and `feed` hands out the games.
    pub(crate) fn run<J: Send, S>(
        self,
        make: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, J, &Signals) -> anyhow::Result<Option<Piece>> + Sync,
        feed: impl FnOnce(&mut Feed<'_, '_, J>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Summary> {
        let clock = Instant::now();
        self.target.check(&self.inputs)?;
        let mut out = match self.target.path() {
            None => Out::Shown(screen::stdout()),
            Some(path) => Out::Kept(Unfinished::open(path, &self.settings, self.restart)?),
        };
        let before = out.games();
        if before > 0 {
            output::note(format_args!("resuming after {}", counted(before, "game")));
        }
        let interrupt = Interrupt::begin().context("cannot listen to signals")?;
        // A terminal that shows the games has no room for a bar.
        let progress = match out {
            Out::Shown(_) if screen::is_terminal() => Progress::hidden(),
            _ => Progress::new(self.total, "game"),
        };
        let (mut counts, mut now) = (out.counts(), 0);
        let mut take = |position: u64, piece: Piece| {
            now += 1;
            for (name, count) in piece.counts {
                *counts.entry(name.to_owned()).or_default() += count;
            }
            out.add(&piece.text, &counts)?;
            progress.show(position, now);
            Ok(())
        };
        let done = crew::in_order(self.threads, before, &interrupt, make, work, feed, &mut take);
        progress.finish();
        let kept = out.rest(&counts);
        if let Err(error) = done {
            kept?;
            let games = out.games();
            let is_interrupted = error.downcast_ref::<Interrupted>().is_some();
            return Err(match out {
                Out::Kept(_) if is_interrupted => error.context(format!(
                    "{} done, and the same command resumes from there",
                    counted(games, "game")
                )),
                _ => error,
            });
        }
        kept?;
        let games = before + now;
        if let Out::Kept(unfinished) = out {
            if games > 0 {
                self.target.finish(unfinished.part(), &self.source, games, &self.inputs)?;
            }
            unfinished.remove()?;
        }
        Ok(Summary { games, counts, now, elapsed: clock.elapsed() })
    }
}

impl Summary {
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// The duration and speed, for the end of a sentence; after an interruption, those of the rest.
    pub(crate) fn speed(&self) -> String {
        let seconds = self.elapsed.as_secs_f64();
        let rate = self.now as f64 / seconds.max(1e-3);
        let rest = match self.now {
            now if now == self.games => String::new(),
            now => format!(", the last {}", output::grouped(now)),
        };
        format!("{rest} in {seconds:.1} s ({rate:.1} games/s)")
    }
}

/// The destination of the texts.
enum Out {
    Shown(Box<dyn Write>),
    Kept(Unfinished),
}

impl Out {
    fn games(&self) -> u64 {
        match self {
            Self::Shown(_) => 0,
            Self::Kept(unfinished) => unfinished.games(),
        }
    }

    fn counts(&self) -> Counts {
        match self {
            Self::Shown(_) => Counts::new(),
            Self::Kept(unfinished) => unfinished.counts(),
        }
    }

    fn add(&mut self, text: &str, counts: &Counts) -> anyhow::Result<()> {
        match self {
            Self::Shown(out) => Ok(out.write_all(text.as_bytes()).map_err(Unwritable::from)?),
            Self::Kept(unfinished) => unfinished.add(text, counts),
        }
    }

    /// Writes what is still buffered.
    fn rest(&mut self, counts: &Counts) -> anyhow::Result<()> {
        match self {
            Self::Shown(out) => Ok(out.flush().map_err(Unwritable::from)?),
            Self::Kept(unfinished) => unfinished.checkpoint(counts),
        }
    }
}

/// The number of threads.
pub(crate) fn threads(args: &args::Batch) -> usize {
    let cores = || std::thread::available_parallelism();
    args.threads.or_else(|| cores().ok()).map_or(1, std::num::NonZero::get)
}

/// A number that identifies the engine's search and evaluation: the nodes that its benchmark visits.
pub(crate) fn engine_mark() -> Value {
    let bench = halfmove_engine::Bench { depth: 4, ..halfmove_engine::Bench::default() };
    bench.run(&halfmove_engine::StoppedClock).nodes.into()
}
