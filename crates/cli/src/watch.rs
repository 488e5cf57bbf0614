//! Progress of long work on an archive, and the meaning of its errors.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, Advised};
use crate::progress::Progress;
use crate::quote;
use anyhow::Context;
use halfmove_archive::{ArchiveError, ChangeWatch};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// The observer of work that counts games.
pub(crate) struct Watch {
    progress: Progress,
    interrupt: Interrupt,
    interrupted: Option<Interrupted>,
    has_waited: bool,
}

impl Watch {
    /// Begins with a bar of `games` games, or without a bar.
    pub(crate) fn begin(games: Option<u64>) -> anyhow::Result<Self> {
        let interrupt = Interrupt::begin().context("cannot listen to signals")?;
        let progress = match games {
            Some(_) => Progress::new(games, "game"),
            None => Progress::hidden(),
        };
        Ok(Self { progress, interrupt, interrupted: None, has_waited: false })
    }

    /// Removes the bar, and adds to an error what it means for the archive.
    pub(crate) fn end<T>(
        self,
        archive: &Path,
        result: Result<T, ArchiveError>,
    ) -> anyhow::Result<T> {
        self.end_with(result, |error, interrupted| explain(error, archive, interrupted))
    }

    /// Removes the bar; `explain` explains an error.
    pub(crate) fn end_with<T>(
        self,
        result: Result<T, ArchiveError>,
        explain: impl FnOnce(ArchiveError, Option<Interrupted>) -> anyhow::Error,
    ) -> anyhow::Result<T> {
        self.progress.finish();
        result.map_err(|error| explain(error, self.interrupted))
    }

    /// Removes the bar, after work that changes nothing.
    pub(crate) fn end_reading<T>(self, result: Result<T, ArchiveError>) -> anyhow::Result<T> {
        self.progress.finish();
        result.map_err(|error| stopped_by(error, self.interrupted))
    }
}

/// An error of a change, with what it means for the archive and what to do.
pub(crate) fn explain(
    error: ArchiveError,
    archive: &Path,
    interrupted: Option<Interrupted>,
) -> anyhow::Error {
    let unchanged = format!("{} is unchanged", archive.display());
    explain_as(error, archive, interrupted, unchanged)
}

/// Like [`explain`], with `unchanged` as the text that the archive has not changed.
pub(crate) fn explain_as(
    error: ArchiveError,
    archive: &Path,
    interrupted: Option<Interrupted>,
    unchanged: String,
) -> anyhow::Error {
    let hint = hint(&error, &quote::path(archive));
    let is_plain =
        !matches!(error, ArchiveError::OutcomeUnknown { .. } | ArchiveError::CannotUndo { .. });
    let mut error = stopped_by(error, interrupted);
    if is_plain {
        error = error.context(unchanged);
    }
    match hint {
        Some(hint) => Advised::new(error, hint).into(),
        None => error,
    }
}

/// The hint for an error.
fn hint(error: &ArchiveError, archive: &str) -> Option<String> {
    Some(match error {
        ArchiveError::OutcomeUnknown { .. } => {
            format!("`halfmove history {archive}` shows if it was made")
        }
        ArchiveError::CannotUndo { .. } => {
            format!("`halfmove history {archive}` lists the versions that can be restored")
        }
        ArchiveError::Damaged(_) => format!("to see all damage: halfmove verify {archive}"),
        ArchiveError::Overtaken { .. } | ArchiveError::Conflict { .. } => "try again".to_owned(),
        _ => return None,
    })
}

/// The error, or the signal that has stopped the work.
fn stopped_by(error: ArchiveError, interrupted: Option<Interrupted>) -> anyhow::Error {
    match (error, interrupted) {
        (ArchiveError::Stopped, Some(interrupted)) => interrupted.into(),
        (error, _) => error.into(),
    }
}

impl ChangeWatch for Watch {
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
