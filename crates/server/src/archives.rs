//! The archives that a server has open, by name.

use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use halfmove_archive::scan::Scan;
use halfmove_archive::{Archive, ArchiveError};

use crate::problem::Problem;

/// Archives with names, in order. The first is the default.
///
/// ```
/// use halfmove_archive::Archive;
/// use halfmove_server::Archives;
///
/// let folder = tempfile::tempdir()?;
/// let club = Archive::create(folder.path().join("club"))?;
/// let archives = Archives::new([("club".to_owned(), club)]);
/// assert_eq!(archives.names().collect::<Vec<_>>(), ["club"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Archives(Vec<Served>);

/// An archive, in the newest version seen.
#[derive(Debug)]
struct Served {
    name: String,
    /// True if it must not be changed through the server, whatever the options allow.
    is_read_only: bool,
    current: RwLock<Current>,
}

/// The time for which a version is assumed to be the newest. Checking for a newer one lists the folder of the log.
const FRESH: Duration = Duration::from_millis(200);

impl Archives {
    /// Archives with their names. Of two with one name, the first counts.
    pub fn new(named: impl IntoIterator<Item = (String, Archive)>) -> Self {
        let served = |(name, archive)| Served {
            name,
            is_read_only: !Scan::of(&archive).is_folder(),
            current: RwLock::new(Current::of(archive)),
        };
        Self(named.into_iter().map(served).collect())
    }

    /// The same archives, of which this one cannot be changed through the server, whatever
    /// [`Options::changeable`](crate::Options::changeable) allows. One in an object store never can.
    #[must_use]
    pub fn with_read_only(mut self, name: &str) -> Self {
        self.0.iter_mut().filter(|served| served.name == name).for_each(|served| {
            served.is_read_only = true;
        });
        self
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|served| served.name.as_str())
    }

    /// The number of an archive; without a name, of the first.
    pub(crate) fn number(&self, name: Option<&str>) -> Result<usize, Problem> {
        let number = match name {
            None => (!self.0.is_empty()).then_some(0),
            Some(name) => self.names().position(|known| known == name),
        };
        number.ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            let detail = match name {
                Some(name) => format!("archive: there is no archive \"{name}\""),
                None => "the server has no archive".to_owned(),
            };
            let problem = Problem::new(StatusCode::NOT_FOUND, detail);
            Problem { parameter: Some("archive".to_owned()), ..problem }
                .with_hint(format!("archives here: {}", names.join(", ")))
        })
    }

    pub(crate) fn name(&self, number: usize) -> &str {
        self.0.get(number).map_or("", |served| &served.name)
    }

    pub(crate) fn is_read_only(&self, number: usize) -> bool {
        self.0.get(number).is_none_or(|served| served.is_read_only)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// An archive with everything that any program has committed to it, and the number of this version. It reads the log,
    /// so it blocks.
    pub(crate) fn current(&self, number: usize) -> Result<(Archive, u64), ArchiveError> {
        let current = self.version(number, FRESH)?;
        Ok((current.archive, current.version))
    }

    /// An archive in its newest version.
    pub(crate) fn newest(&self, number: usize) -> Result<Archive, ArchiveError> {
        Ok(self.version(number, Duration::ZERO)?.archive)
    }

    /// The number of the version of an archive, if it is known without reading anything.
    pub(crate) fn known_version(&self, number: usize) -> Option<u64> {
        let current = self.0[number].current.read().unwrap_or_else(PoisonError::into_inner);
        (current.seen.elapsed() < FRESH).then_some(current.version)
    }

    fn version(&self, number: usize, fresh: Duration) -> Result<Current, ArchiveError> {
        let served = &self.0[number];
        let known = served.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        if known.seen.elapsed() < fresh {
            return Ok(known);
        }
        let newest = known.newest()?;
        let mut current = served.current.write().unwrap_or_else(PoisonError::into_inner);
        if current.seen <= newest.seen {
            let is_same = current.archive.version() == newest.archive.version()
                && current.written == newest.written;
            let version = current.version + u64::from(!is_same);
            *current = Current { version, ..newest };
        }
        Ok(current.clone())
    }
}

/// An archive in a version, and the time when that was the newest.
#[derive(Debug, Clone)]
struct Current {
    archive: Archive,
    /// Counts the versions that the server has seen. The archive's own number may come again, if another archive takes its place.
    version: u64,
    seen: Instant,
    /// The time at which its entry in the log was written; `None` in an object store.
    written: Option<SystemTime>,
}

impl Current {
    fn of(archive: Archive) -> Self {
        let seen = Instant::now();
        let entry = archive.path().join(format!("_delta_log/{:020}.json", archive.version()));
        let written = entry.metadata().and_then(|entry| entry.modified()).ok();
        Self { archive, version: 0, seen, written }
    }

    /// The newest version. If the archive has been replaced by another one, as after an import into a new folder of the
    /// same name, the new one is opened.
    fn newest(&self) -> Result<Self, ArchiveError> {
        let refreshed = self.archive.refresh().map(Self::of);
        match refreshed {
            Ok(newest)
                if newest.archive.version() > self.archive.version()
                    || newest.written == self.written =>
            {
                Ok(newest)
            }
            _ => Archive::open(self.archive.path()).map(Self::of),
        }
    }
}
