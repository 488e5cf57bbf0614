//! What an import shows while it goes on.

use super::report::no_games;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, counted};
use crate::progress::Progress;
use halfmove_archive::ImportWatch;
use halfmove_game::Input;
use halfmove_game::pgn::{Counts, PgnError, Skip};
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many faulty or skipped games are printed; the others are only counted.
const MOST_REPORTS: u64 = 10;

/// The progress bar is updated this often at most.
const REDRAW: Duration = Duration::from_millis(50);

/// How long to wait for another import before saying so.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens to an import.
pub(super) struct Session<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) counts: Counts,
    pub(super) bar: Progress,
    pub(super) consumed: Consumed,
    pub(super) interrupt: Interrupt,
    pub(super) strict: bool,
    pub(super) quiet: bool,
    pub(super) reported: u64,
    /// Why the import was stopped.
    pub(super) stop: Option<Stop>,
    redrawn: Instant,
    waited: bool,
}

/// Why an import was stopped.
pub(super) enum Stop {
    /// `--strict`, and a game has this fault.
    Strict(String),
    Interrupted(Interrupted),
}

/// How many bytes of the files have been read: those of the files before, and those of the file that is open.
#[derive(Clone, Default)]
pub(super) struct Consumed(Arc<Mutex<(u64, Arc<AtomicU64>)>>);

impl Consumed {
    /// Another file is open.
    pub(super) fn next(&self, input: &Input) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all = (all.0 + all.1.load(Ordering::Relaxed), input.consumed());
    }

    fn bytes(&self) -> u64 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.0 + all.1.load(Ordering::Relaxed)
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(
        files: &'a [PathBuf],
        total: Option<u64>,
        interrupt: Interrupt,
        (strict, quiet): (bool, bool),
    ) -> Self {
        Self {
            files,
            counts: Counts::default(),
            bar: if quiet { Progress::hidden() } else { Progress::new(total, "game") },
            consumed: Consumed::default(),
            interrupt,
            strict,
            quiet,
            reported: 0,
            stop: None,
            redrawn: Instant::now(),
            waited: false,
        }
    }

    fn problem(&mut self, input: usize, problem: &dyn Display) -> ControlFlow<()> {
        let text = format!("{}: {problem}", name(self.files, input));
        if self.strict {
            self.stop = Some(Stop::Strict(text));
            return ControlFlow::Break(());
        }
        if self.reported < MOST_REPORTS && !self.quiet {
            self.reported += 1;
            self.bar.suspend(|| output::note(text));
        }
        ControlFlow::Continue(())
    }
}

/// The name of a file, for people.
fn name(files: &[PathBuf], input: usize) -> String {
    files.get(input).map_or_else(String::new, |path| output::input_name(path))
}

impl ImportWatch for Session<'_> {
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        self.problem(input, error)
    }

    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        self.problem(input, skip)
    }

    fn end_of_input(&mut self, input: usize, counts: &Counts) {
        if counts.games == 0
            && self.files.len() > 1
            && !self.quiet
            && let Some(path) = self.files.get(input)
        {
            let warning = format!("warning: {}", no_games(path, counts));
            self.bar.suspend(|| output::note(warning));
        }
        self.counts.add(counts);
    }

    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        if self.redrawn.elapsed() >= REDRAW {
            self.redrawn = Instant::now();
            self.bar.show(self.consumed.bytes(), games);
        }
        match self.interrupt.check() {
            None => ControlFlow::Continue(()),
            Some(interrupted) => {
                self.stop = Some(Stop::Interrupted(interrupted));
                ControlFlow::Break(())
            }
        }
    }

    fn waiting(&mut self, since: Duration) {
        if since >= PATIENCE && !self.waited {
            self.waited = true;
            if !self.quiet {
                let text = "waiting for another import into this archive to finish its commit";
                self.bar.suspend(|| output::note(text));
            }
        }
    }
}

impl Session<'_> {
    /// The last line of the list of faulty and skipped games, if it was cut.
    pub(super) fn unreported(&self) -> Option<String> {
        let problems = self.counts.faulty + self.counts.skipped();
        let more = problems.saturating_sub(self.reported);
        (more > 0).then(|| format!("… and {} more with faults or skipped", counted(more, "game")))
    }
}
