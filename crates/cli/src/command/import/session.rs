//! What an import shows while it goes on.

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

/// How many faulty games are printed; the others are only counted.
pub(super) const MOST_REPORTS: u64 = 10;

/// Of the games that are skipped, the first is printed for each reason, and for so many reasons.
const MOST_REASONS: usize = 5;

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
    /// The reasons for which games were skipped: variants, or `None` for a FEN.
    reasons: HashSet<Option<String>>,
    /// The first games that there were already, and how many there are: those that are left out, and the others.
    pub(super) duplicates: Vec<ImportDuplicate>,
    pub(super) left_out: u64,
    pub(super) repeated: u64,
    /// How many of those that are left out have a fault.
    pub(super) faulty_left_out: u64,
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

    /// With `--strict`, a fault is the end.
    fn fault(&mut self, text: String, is_shown: bool) -> ControlFlow<()> {
        if self.strict {
            self.stop = Some(Stop::Strict(text));
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
        let is_shown = self.reported < MOST_REPORTS;
        self.reported += u64::from(is_shown);
        self.fault(format!("{}: {error}", name(self.files, input)), is_shown)
    }

    fn skipped(&mut self, input: usize, skip: &Skip) -> ControlFlow<()> {
        let variant = match &skip.reason {
            SkipReason::Variant(name) | SkipReason::UnknownVariant(name) => Some(name.clone()),
            _ => None,
        };
        let is_shown = self.reasons.len() < MOST_REASONS && self.reasons.insert(variant.clone());
        let text = format!("{}: {skip}", name(self.files, input));
        match variant {
            // Nothing is wrong with a game of a variant that we do not play.
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
        if (self.duplicates.len() as u64) < MOST_REPORTS {
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
    /// The last line of the list of faulty games, if it was cut.
    pub(super) fn unreported(&self) -> Option<String> {
        let more = self.counts.faulty.saturating_sub(self.reported);
        let noun = if more == 1 { "game" } else { "games" };
        (more > 0).then(|| format!("… and {} more {noun} with a fault", grouped(more)))
    }
}
