//! What a change of an archive shows while it goes on.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, Advised};
use crate::progress::Progress;
use anyhow::Context;
use halfmove_archive::{ArchiveError, ImportWatch};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// Listens to a change that counts games.
pub(crate) struct Watch {
    progress: Progress,
    interrupt: Interrupt,
    interrupted: Option<Interrupted>,
    has_waited: bool,
}

impl Watch {
    /// With a bar to so many games, or without any.
    pub(crate) fn begin(games: Option<u64>) -> anyhow::Result<Self> {
        let interrupt = Interrupt::begin().context("cannot listen to signals")?;
        let progress = match games {
            Some(_) => Progress::new(games, "game"),
            None => Progress::hidden(),
        };
        Ok(Self { progress, interrupt, interrupted: None, has_waited: false })
    }

    /// Removes the bar, and says what a failure means for the archive.
    pub(crate) fn end<T>(
        self,
        archive: &Path,
        result: Result<T, ArchiveError>,
    ) -> anyhow::Result<T> {
        self.progress.finish();
        result.map_err(|error| explain(error, archive, self.interrupted))
    }
}

/// An error of a change, with what it means for the archive and what to do.
pub(crate) fn explain(
    error: ArchiveError,
    archive: &Path,
    interrupted: Option<Interrupted>,
) -> anyhow::Error {
    let name = archive.display();
    let unchanged = format!("{name} stays as it is");
    match (error, interrupted) {
        (ArchiveError::Stopped, Some(interrupted)) => {
            anyhow::Error::new(interrupted).context(unchanged)
        }
        (error @ ArchiveError::OutcomeUnknown { .. }, _) => {
            Advised::new(error, format!("`halfmove history {name}` tells")).into()
        }
        (error @ ArchiveError::OldFormat { .. }, _) => {
            let hint = format!("to upgrade it: halfmove upgrade {name}");
            anyhow::Error::new(Advised::new(error, hint)).context(unchanged)
        }
        (error @ ArchiveError::CannotUndo { .. }, _) => {
            let hint = format!("`halfmove history {name}` lists the versions that can be restored");
            Advised::new(error, hint).into()
        }
        (error, _) => anyhow::Error::new(error).context(unchanged),
    }
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
