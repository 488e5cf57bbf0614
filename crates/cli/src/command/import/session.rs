//! Progress and notes of a running import.

use super::report::no_games;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, grouped};
use crate::progress::Progress;
use halfmove_archive::{ChangeWatch, ImportDuplicate};
use halfmove_game::Input;
use halfmove_game::pgn::{Counts, PgnError, Skip, SkipReason};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of faulty games to print; the others are only counted.
pub(super) const MAX_REPORTS: u64 = 10;

/// The maximum number of reasons for skipping games for each of which the first game is printed.
const MAX_REASONS: usize = 5;

/// The minimum interval between updates of the progress bar.
const REDRAW: Duration = Duration::from_millis(50);

/// The time to wait for another import before a note is printed.
const PATIENCE: Duration = Duration::from_secs(1);

/// The observer of an import.
pub(super) struct Session<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) counts: Counts,
    /// The first input with text outside any game.
    pub(super) outside_in: Option<usize>,
    pub(super) bar: Progress,
    pub(super) consumed: Consumed,
    pub(super) interrupt: Interrupt,
    pub(super) strict: bool,
    pub(super) quiet: bool,
    pub(super) reported: u64,
    /// The reasons why games were skipped: variants, or `None` for a FEN.
    reasons: HashSet<Option<String>>,
    /// The first duplicates. The numbers are of those that are left out, and of those that are imported.
    pub(super) duplicates: Vec<ImportDuplicate>,
    pub(super) left_out: u64,
    pub(super) repeated: u64,
    /// The number of left-out games with a fault.
    pub(super) faulty_left_out: u64,
    /// The reason why the import was stopped, if it was.
    pub(super) stop: Option<StopReason>,
    redrawn: Instant,
    waited: bool,
}

/// The reason why an import was stopped.
pub(super) enum StopReason {
    /// `--strict`, and a game has this fault.
    Strict(String),
    Interrupted(Interrupted),
}

/// The number of bytes read: those of earlier files, and those of the open one.
#[derive(Clone, Default)]
pub(super) struct Consumed(Arc<Mutex<(u64, Arc<AtomicU64>)>>);

impl Consumed {
    /// Begins another file.
    pub(super) fn next(&self, input: &Input) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all = (all.0 + all.1.load(Ordering::Relaxed), input.consumed());
    }

    /// Adds a file that is read to its end.
    pub(super) fn add(&self, bytes: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 += bytes;
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
            outside_in: None,
            reported: 0,
            reasons: HashSet::new(),
            duplicates: Vec::new(),
            left_out: 0,
            repeated: 0,
            faulty_left_out: 0,
            stop: None,
            redrawn: Instant::now(),
            waited: false,
        }
    }

    /// Prints a fault. With `--strict`, stops the import instead.
    fn fault(&mut self, text: String, is_shown: bool) -> ControlFlow<()> {
        if self.strict {
            self.stop = Some(StopReason::Strict(text));
            return ControlFlow::Break(());
        }
        if is_shown && !self.quiet {
            self.bar.suspend(|| output::note(text));
        }
        ControlFlow::Continue(())
    }
}

/// The name of a file, for people.
pub(super) fn name(files: &[PathBuf], input: usize) -> String {
    files.get(input).map_or_else(String::new, |path| output::input_name(path))
}

impl ChangeWatch for Session<'_> {
    fn faulty(&mut self, input: usize, error: &PgnError) -> ControlFlow<()> {
        let is_shown = self.reported < MAX_REPORTS;
        self.reported += u64::from(is_shown);
        self.fault(format!("{}: {error}", name(self.files, input)), is_shown)
    }

    fn faulty_row(&mut self, input: usize, row: u64, fault: &str) -> ControlFlow<()> {
        let is_shown = self.reported < MAX_REPORTS;
        self.reported += u64::from(is_shown);
        self.fault(format!("{}: row {row}: {fault}", name(self.files, input)), is_shown)
    }

    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        let variant = match &skip.reason {
            SkipReason::Variant(name) | SkipReason::UnknownVariant(name) => Some(name.clone()),
            _ => None,
        };
        let is_shown = self.reasons.len() < MAX_REASONS && self.reasons.insert(variant.clone());
        let text = format!("{}: {skip}", name(self.files, input));
        match variant {
            // A game of an unsupported variant is not an error.
            Some(_) => {
                if is_shown && !self.quiet {
                    self.bar.suspend(|| output::note(text));
                }
                ControlFlow::Continue(())
            }
            None => self.fault(text, is_shown),
        }
    }

    fn duplicate(&mut self, duplicate: &ImportDuplicate) {
        match duplicate.id {
            Some(_) => self.repeated += 1,
            None => {
                self.left_out += 1;
                self.faulty_left_out += u64::from(duplicate.is_faulty);
            }
        }
        if (self.duplicates.len() as u64) < MAX_REPORTS {
            self.duplicates.push(*duplicate);
        }
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
        if counts.outside.first.is_some() {
            self.outside_in.get_or_insert(input);
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
                self.stop = Some(StopReason::Interrupted(interrupted));
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
    /// The last line of the list of faulty games, if it was cut.
    pub(super) fn unreported(&self) -> Option<String> {
        let more = self.counts.faulty.saturating_sub(self.reported);
        let noun = if more == 1 { "game" } else { "games" };
        (more > 0).then(|| format!("… and {} more {noun} with a fault", grouped(more)))
    }
}
