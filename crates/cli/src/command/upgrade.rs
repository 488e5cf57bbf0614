//! `halfmove upgrade`: rewrites an archive of an older format.

use crate::args::Upgrade;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, counted};
use crate::progress::Progress;
use crate::{Done, archive};
use anyhow::Context;
use halfmove_archive::{ArchiveError, ImportWatch};
use std::ops::ControlFlow;
use std::time::Duration;

pub(crate) fn run(args: Upgrade) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let progress = Progress::new(Some(archive.len()), "game");
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let mut watch = Watch { progress, interrupt, interrupted: None, has_waited: false };
    let upgraded = archive.upgrade(&mut watch);
    watch.progress.finish();
    let report = upgraded.map_err(|error| {
        let error = match (error, watch.interrupted) {
            (ArchiveError::Stopped, Some(interrupted)) => anyhow::Error::new(interrupted),
            (error, _) => anyhow::Error::new(error),
        };
        error.context(format!("{} stays as it is", args.archive.display()))
    })?;
    let name = args.archive.display();
    if report.from == report.to && report.files == 0 {
        output::line(format_args!("{name} has format {} already", report.to))?;
        return Ok(Done::Found);
    }
    let change = if report.from == report.to {
        format!("with what was missing in format {}", report.to)
    } else {
        format!("from format {} to format {}", report.from, report.to)
    };
    output::line(format_args!(
        "{name}: {} in {} with {}, {change}",
        counted(report.games, "game"),
        counted(report.files as u64, "file"),
        counted(report.bytes, "byte"),
    ))?;
    Ok(Done::Found)
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
        if self.interrupted.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn waiting(&mut self, since: Duration) {
        if since > Duration::from_secs(1) && !std::mem::replace(&mut self.has_waited, true) {
            output::note("waiting for another program that writes to the archive");
        }
    }
}
