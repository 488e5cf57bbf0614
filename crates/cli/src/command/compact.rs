//! `halfmove compact`: merges the files of an archive and orders their games.

use crate::args::Compact;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, Advised, counted};
use crate::progress::Progress;
use crate::{Done, archive};
use anyhow::Context;
use halfmove_archive::{ArchiveError, ImportWatch};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(args: Compact) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let progress = Progress::new(Some(archive.len()), "game");
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let mut watch = Watch { progress, interrupt, interrupted: None, has_waited: false };
    let compacted = archive.compact(&mut watch);
    watch.progress.finish();
    let report = compacted.map_err(|error| explain(error, watch.interrupted, &args.archive))?;
    let name = args.archive.display();
    if report.games == 0 {
        output::line(format_args!("{name} is compact already"))?;
        return Ok(Done::Found);
    }
    output::line(format_args!(
        "{name}: {} rewritten, {} with {} are now {} with {}",
        counted(report.games, "game"),
        counted(report.files_before as u64, "file"),
        counted(report.bytes_before, "byte"),
        counted(report.files as u64, "file"),
        counted(report.bytes, "byte"),
    ))?;
    Ok(Done::Found)
}

/// Says what a failure means for the archive, and what to do.
fn explain(error: ArchiveError, interrupted: Option<Interrupted>, archive: &Path) -> anyhow::Error {
    let name = archive.display();
    let hint = match &error {
        ArchiveError::OldFormat { .. } => Some(format!("to upgrade it: halfmove upgrade {name}")),
        ArchiveError::Overtaken { .. } => Some(format!("to try again: halfmove compact {name}")),
        ArchiveError::Damaged(_) => Some(format!("to see all damage: halfmove verify {name}")),
        ArchiveError::OutcomeUnknown { .. } => {
            let hint = format!("to see what there is: halfmove info {name}");
            return Advised::new(error, hint).into();
        }
        _ => None,
    };
    let error = match (error, interrupted) {
        (ArchiveError::Stopped, Some(interrupted)) => anyhow::Error::new(interrupted),
        (error, _) => anyhow::Error::new(error),
    };
    let error = error.context(format!("{name} stays as it is"));
    match hint {
        Some(hint) => Advised::new(error, hint).into(),
        None => error,
    }
}

struct Watch {
    progress: Progress,
    interrupt: Interrupt,
    interrupted: Option<Interrupted>,
    has_waited: bool,
}

impl ImportWatch for Watch {
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        self.progress.show(games, games);
        self.interrupted = self.interrupt.check();
        match self.interrupted {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn waiting(&mut self, since: Duration) {
        if since > Duration::from_secs(1) && !std::mem::replace(&mut self.has_waited, true) {
            output::note("waiting for another program that writes to the archive");
        }
    }
}
