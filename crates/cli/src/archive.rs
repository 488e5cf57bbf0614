//! Archives named on the command line.

use crate::args;
use anyhow::{Context, bail};
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter, StoreOptions, is_url};
use std::env;
use std::future::Future;
use std::path::Path;
use tokio::runtime::Builder;

/// Opens an archive for reading.
pub(crate) fn open(path: &Path) -> anyhow::Result<Archive> {
    open_with(path, &ArchiveOptions::default())
}

/// Opens an archive for reading, with limits for what questions may use.
pub(crate) fn open_with(path: &Path, options: &ArchiveOptions) -> anyhow::Result<Archive> {
    let mut options = options.clone();
    options.store = StoreOptions::from_variables(env::vars_os());
    Archive::open_with(path, &options).map_err(|error| match error {
        ArchiveError::NotAnArchive { .. } if is_vacant(path) => {
            anyhow::Error::new(error).context(format!(
                "cannot open {} (to make an archive: halfmove import {0} FILE…)",
                path.display()
            ))
        }
        error => error.into(),
    })
}

/// The name of the threads on which the archive answers.
pub(crate) const THREADS: &str = "halfmove-query";

/// Whether an import can make an archive here: there is no folder, or an empty one.
fn is_vacant(path: &Path) -> bool {
    if is_url(path) {
        return false;
    }
    match std::fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Waits for an answer of the archive, using as many threads as the machine has.
pub(crate) fn wait<T, E>(answer: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    let runtime = Builder::new_multi_thread().enable_all().thread_name(THREADS).build();
    let runtime = runtime.context("cannot start threads")?;
    Ok(runtime.block_on(answer)?)
}

/// Converts the filter from the command line.
pub(crate) fn filter(typed: args::Filter, wanted: &args::Position) -> anyhow::Result<Filter> {
    let args::Filter {
        player,
        white,
        black,
        event,
        site,
        eco,
        result,
        since,
        until,
        min_elo,
        condition,
    } = typed;
    if let (Some(since), Some(until)) = (since, until)
        && until.is_before(since)
    {
        bail!("--until {until} is before --since {since}: no game can be both");
    }
    Ok(Filter {
        position: wanted.wanted()?,
        variant: wanted.variant.map(Into::into),
        player,
        white,
        black,
        event,
        site,
        eco,
        result,
        since,
        until,
        min_elo,
        condition,
    })
}
