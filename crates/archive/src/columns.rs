//! The second layer: the columns of a snapshot. Row groups, footers and pages are read and checked once; columns are
//! cached in memory, shared by threads and clones.
//!
//! May import only the snapshot.
//!
//! ```text
//!  file ──▶ footer ──▶ row groups ──▶ pages, each compared with its checksum ──▶ columns (cached)
//! ```
//!
//! Row groups are independent of each other, so they are processed in parallel: [`Columns::each_group`].

mod cache;
mod cancel;
mod cells;
mod dates;
mod distinct;
mod facts;
mod footer;
mod group;
mod openings;
mod pages;
mod places;
mod row;
mod rows;
pub(crate) mod scan;
mod texts;

use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

pub(crate) use self::cache::{Cache, CachedColumn, Kind};
pub use self::cancel::CancelToken;
pub(crate) use self::dates::{Known, known_of};
pub(crate) use self::distinct::Distinct;
pub(crate) use self::facts::FactBuilders;
pub(crate) use self::footer::FileOrder;
pub(crate) use self::group::{Group, Ids, value};
pub(crate) use self::openings::Openings;
pub(crate) use self::pages::CheckedFile;
pub(crate) use self::places::GamePlace;
pub use self::row::Row;
pub(crate) use self::row::Splitter;
pub use self::rows::StoredGame;
pub(crate) use self::rows::{Rows, facts_of};
pub(crate) use self::texts::FoldedTexts;
use crate::error::{ArchiveError, caught};
use crate::options::ArchiveOptions;
use crate::snapshot::{DataFile, Snapshot};

/// A snapshot with its columns, and the threads that read them.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    snapshot: Arc<Snapshot>,
    cache: Arc<Cache>,
    options: Arc<ArchiveOptions>,
    /// The number of threads that work on a query.
    threads: NonZero<usize>,
    cancel: CancelToken,
}

impl Columns {
    /// The columns of a snapshot, with an empty cache.
    pub(crate) fn new(snapshot: Snapshot, options: &ArchiveOptions) -> Self {
        let cache = Cache::new(snapshot.location().clone(), options.cache_bytes);
        Self {
            snapshot: Arc::new(snapshot),
            cache: Arc::new(cache),
            options: Arc::new(options.clone()),
            threads: options.threads,
            cancel: CancelToken::default(),
        }
    }

    /// Opens an archive.
    pub(crate) fn open(path: &Path, options: &ArchiveOptions) -> Result<Self, ArchiveError> {
        Ok(Self::new(Snapshot::open(path, &options.store)?, options))
    }

    /// The columns of another version of the same archive, with the same cache.
    pub(crate) fn with_snapshot(&self, snapshot: Snapshot) -> Self {
        Self { snapshot: Arc::new(snapshot), ..self.clone() }
    }

    /// The columns of the newest version.
    pub(crate) fn refresh(&self) -> Result<Self, ArchiveError> {
        Ok(self.with_snapshot(self.snapshot.refresh()?))
    }

    /// The same columns, with an empty cache.
    pub(crate) fn with_empty_cache(&self) -> Self {
        self.with_cache(self.options.cache_bytes)
    }

    /// The same columns, with an empty cache of this size.
    pub(crate) fn with_cache(&self, bytes: u64) -> Self {
        let cache = Cache::new(self.snapshot.location().clone(), bytes);
        Self { cache: Arc::new(cache), ..self.clone() }
    }

    /// The same columns, with a cancellation token.
    pub(crate) fn with_cancel(&self, cancel: &CancelToken) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// The same columns, with this number of threads for each query.
    pub(crate) fn with_threads(&self, threads: NonZero<usize>) -> Self {
        Self { threads, ..self.clone() }
    }

    /// The cancellation token.
    pub(crate) fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(crate) fn path(&self) -> &Path {
        self.snapshot.path()
    }

    pub(crate) fn files(&self) -> &[DataFile] {
        self.snapshot.files()
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The number of threads that work on a query.
    pub(crate) fn threads(&self) -> usize {
        self.threads.get()
    }

    /// The maximum number of bytes of games in memory for sorting.
    pub(crate) fn block_bytes(&self) -> u64 {
        self.options.block_bytes
    }

    /// Returns an error if the work was cancelled.
    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        self.cancel.check()
    }

    /// Reads the footers of an archive in an object store in parallel, because requests are slow. In a folder they are
    /// read on demand.
    fn fetch_footers(&self) -> Result<(), ArchiveError> {
        if !self.snapshot.location().is_folder() {
            self.each(self.files(), |file| self.cache().footer(file).map(drop))?;
        }
        Ok(())
    }

    /// Runs a function for each row group, on all threads; returns the results in the order of the row groups.
    pub(crate) fn each_group<T: Send>(
        &self,
        work: impl Fn(&Group) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.each(&self.groups()?, work)
    }

    /// Runs a function for each item, on all threads; returns the results in order.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        things: &[I],
        work: impl Fn(&I) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        let done: Vec<_> = things.iter().map(|_| Mutex::new(None)).collect();
        self.each_index(things.len(), &|index| {
            let result = work(&things[index])?;
            *done[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            Ok(())
        })?;
        let results =
            done.into_iter().map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(results.flatten().collect())
    }

    /// Runs a function for each index below `count`, on all threads. Of several errors, returns the one of the lowest index.
    ///
    /// Threads are compiled here, once, not for each question.
    fn each_index(
        &self,
        count: usize,
        work: &(dyn Fn(usize) -> Result<(), ArchiveError> + Sync),
    ) -> Result<(), ArchiveError> {
        let threads = self.threads().min(count);
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<(usize, ArchiveError)>> = Mutex::new(None);
        let run = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                let result = self.check().and_then(|()| caught(self.path(), || work(index)));
                if let Err(error) = result {
                    // The other threads can stop.
                    next.store(count, Ordering::Relaxed);
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if failed.as_ref().is_none_or(|(first, _)| index < *first) {
                        *failed = Some((index, error));
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // With fewer threads, the work just takes longer.
                let thread = thread::Builder::new().name("halfmove-search".to_owned());
                let _ = thread.spawn_scoped(scope, run);
            }
            run();
        });
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}
