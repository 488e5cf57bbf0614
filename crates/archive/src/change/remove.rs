//! Removing games: the files that hold them are rewritten without them.

use datafusion::arrow::array::{AsArray, BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::Int64Type;
use delta_kernel::transaction::UpdateTableOperation;
use futures::FutureExt;
use futures::future::BoxFuture;
use roaring::RoaringTreemap;

use super::publish::publish;
use super::upgrade::current;
use super::watch::{ImportWatch, lock_watched};
use super::writer::{Written, write_file};
use crate::course::{Course, watched};
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::history::told_remove;
use crate::kernel::{Group, Order};
use crate::schema::{Format, column_names, file_schema};
use crate::store::{Archive, Change, DataFile, sweep};

/// How many games are read at a time.
const STEP: usize = 1024;

/// Games that are to be removed from an archive, by their ids.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games");
/// use halfmove_archive::{Archive, Filter, Importer};
///
/// let mut importer = Importer::open(&path)?;
/// importer.read_pgn([Ok("1. e4 1-0\n\n1. d4 0-1\n\n1. c4 1-0".as_bytes())], &mut ())?;
/// importer.commit()?;
///
/// let archive = Archive::open(&path)?;
/// let lost = Filter { result: Some("0-1".parse()?), ..Filter::default() };
/// let remover = tokio::runtime::Runtime::new()?.block_on(archive.remover(&lost))?;
/// assert_eq!(remover.games(), 1);
/// let report = remover.commit(&mut ())?;
/// assert_eq!((report.games, archive.refresh()?.len()), (1, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Remover {
    archive: Archive,
    ids: RoaringTreemap,
    /// The only version from which they may go.
    only_from: Option<u64>,
    /// Why they go.
    reason: Option<String>,
}

/// What a removal has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoveReport {
    /// How many games were removed.
    pub games: u64,
    /// How many files are gone.
    pub files_removed: u64,
    /// How many files have taken their place.
    pub files_added: u64,
    /// The total size of the new files in bytes.
    pub bytes: u64,
    /// The version that was made; `None` if there was nothing to remove.
    pub version: Option<u64>,
}

impl Archive {
    /// Finds the games that meet a filter, to remove them. Every game meets the default filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::OldFormat`], [`ArchiveError::UnknownColumn`], and
    /// [`ArchiveError::Query`] if the condition of the filter is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn remover<'a>(
        &'a self,
        filter: &'a Filter,
    ) -> BoxFuture<'a, Result<Remover, ArchiveError>> {
        let find = async move {
            self.check_changeable()?;
            let mut ids = RoaringTreemap::new();
            let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
            let order = Order { limit: usize::MAX, ..Order::default() };
            let search = move |archive: &Self| archive.matches(&asks, &wanted, order, false);
            let found = self.off_thread(search).await?.first;
            ids.extend(found.into_iter().filter_map(|found| u64::try_from(found.id).ok()));
            Remover::of(self, ids, None)
        };
        find.boxed()
    }

    /// Rejects an archive whose files cannot be rewritten.
    pub(super) fn check_changeable(&self) -> Result<(), ArchiveError> {
        self.folder()?;
        self.check_current()?;
        self.check_rewritable()
    }
}

impl Remover {
    /// Removes these games; only from this version of the archive, if one is given.
    pub(crate) fn of(
        archive: &Archive,
        ids: RoaringTreemap,
        only_from: Option<u64>,
    ) -> Result<Self, ArchiveError> {
        archive.check_changeable()?;
        Ok(Self { archive: archive.clone(), ids, only_from, reason: None })
    }

    /// Says why these games go, such as the conditions that they meet: [`HistoryEntry::reason`](crate::HistoryEntry::reason) tells it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Filter, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("1. e4 1-0\n\n1. d4 0-1".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let lost = Filter { result: Some("0-1".parse()?), ..Filter::default() };
    /// let remover = tokio::runtime::Runtime::new()?.block_on(archive.remover(&lost))?;
    /// remover.because("lost").commit(&mut ())?;
    /// let history = archive.refresh()?.history()?;
    /// assert_eq!(history[2].reason.as_deref(), Some("lost"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// How many games there are to remove.
    pub fn games(&self) -> u64 {
        self.ids.len().min(self.archive.len())
    }

    /// Removes the games, in a single change of the archive: readers see all of them or none. The others keep their ids.
    /// Files that hold none of them stay as they are. The old files stay on the disk, since earlier versions of the
    /// archive consist of them: [`Archive::undo`] brings the games back.
    ///
    /// Games that somebody else has removed in the meantime are no error. If no game is left to remove, nothing changes.
    ///
    /// `watch` hears of the games that have been read, and may stop it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::Damaged`], [`ArchiveError::Io`], [`ArchiveError::Delta`], [`ArchiveError::OldFormat`],
    /// [`ArchiveError::UnknownColumn`],
    /// [`ArchiveError::Conflict`] if another program writes to it at the same time, or has since
    /// [duplicates](Archive::duplicates_remover) were looked for, and [`ArchiveError::Stopped`].
    pub fn commit(self, watch: &mut dyn ImportWatch) -> Result<RemoveReport, ArchiveError> {
        let lock = lock_watched(self.archive.folder()?, watch, 0)?;
        let now = self.archive.refresh()?;
        now.check_changeable()?;
        if self.only_from.is_some_and(|version| version != now.version()) {
            return Err(ArchiveError::Conflict { path: now.path().to_owned() });
        }
        sweep(&now, &lock);
        let rewritten = watched(watch, |course| rewrite_all(&now, &self.ids, course))?;
        if rewritten.is_empty() {
            return Ok(RemoveReport::default());
        }
        let games = rewritten.iter().map(|file| file.removed).sum();
        let mut files = Vec::new();
        let mut gone = Vec::new();
        for file in rewritten {
            gone.push(now.files()[file.number].name.clone());
            files.extend(file.written);
        }
        if watch.tick(now.len()).is_break() {
            return Err(ArchiveError::Stopped);
        }
        let last_id = now.last_id()?;
        let published = publish(&now, &mut files, |new| {
            now.change(Change {
                operation: UpdateTableOperation::Delete,
                told: told_remove(games, self.reason.as_deref()),
                add: new,
                again: Vec::new(),
                remove: gone.iter().map(AsRef::as_ref).collect(),
                last_id,
            })
        });
        match published? {
            Some(version) => Ok(RemoveReport {
                games,
                files_removed: gone.len() as u64,
                files_added: files.len() as u64,
                bytes: files.iter().map(|file| file.bytes).sum(),
                version: Some(version),
            }),
            None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
        }
    }
}

/// A file without some of its games.
struct Rewritten {
    /// The number of the old file in the snapshot.
    number: usize,
    removed: u64,
    /// `None` if no game is left.
    written: Option<Written>,
}

/// Rewrites the files that hold some games, without these.
fn rewrite_all(
    archive: &Archive,
    ids: &RoaringTreemap,
    course: &Course,
) -> Result<Vec<Rewritten>, ArchiveError> {
    let numbers: Vec<usize> = (0..archive.files().len()).collect();
    let files = archive.each(&numbers, |number, _| {
        let file = &archive.files()[*number];
        let rewritten = rewrite(archive, *number, file, ids, course)?;
        if rewritten.is_none() {
            course.add(file.games);
        }
        Ok(rewritten)
    })?;
    Ok(files.into_iter().flatten().collect())
}

/// Rewrites a file without some games; `None` if it holds none of them.
fn rewrite(
    archive: &Archive,
    number: usize,
    file: &DataFile,
    ids: &RoaringTreemap,
    course: &Course,
) -> Result<Option<Rewritten>, ArchiveError> {
    let ends = [file.first_id, file.last_id].map(|id| u64::try_from(id).unwrap_or(0));
    if ids.rank(ends[1]) == ids.rank(ends[0]) && !ids.contains(ends[0]) {
        return Ok(None);
    }
    let groups = archive.groups_of(number, file)?;
    let mut removed = 0;
    for group in &groups {
        removed += group.live_rows_of(ids, archive.cache())?;
    }
    if removed == 0 {
        return Ok(None);
    }
    if removed == file.games {
        course.add(file.games);
        return Ok(Some(Rewritten { number, removed, written: None }));
    }
    let groups = groups.iter().map(|group| {
        let kept = kept(group, ids, course)?;
        course.add(group.rows() as u64);
        Ok(kept)
    });
    let order = archive.cache().footer(file)?.order().name();
    let written = write_file(archive.path(), order, groups)?;
    Ok(Some(Rewritten { number, removed, written }))
}

/// Rewrites a file of any format without the games that are deleted; `None` if no game is left.
pub(super) fn without_deleted(
    archive: &Archive,
    number: usize,
    file: &DataFile,
    order: &str,
) -> Result<Option<Written>, ArchiveError> {
    let (none, course) = (RoaringTreemap::new(), Course::default());
    let groups = archive.groups_of(number, file)?;
    let groups = groups.iter().map(|group| kept(group, &none, &course));
    write_file(archive.path(), order, groups)
}

/// The games of a row group, without some and without those that are deleted.
fn kept(
    group: &Group,
    ids: &RoaringTreemap,
    course: &Course,
) -> Result<Vec<RecordBatch>, ArchiveError> {
    let mut batches = Vec::new();
    let mut first = 0;
    group.each_batch(&column_names(), 0..group.rows(), STEP, |batch| {
        course.go_on()?;
        let column = batch.column_by_name("id").and_then(|id| id.as_primitive_opt::<Int64Type>());
        let column = column.ok_or_else(|| ArchiveError::damaged("a game has no id"))?;
        let stays = column.values().iter().enumerate().map(|(row, id)| {
            let goes = u64::try_from(*id).is_ok_and(|id| ids.contains(id));
            !goes && !group.is_deleted(first + row)
        });
        let stays: BooleanArray = stays.map(Some).collect();
        first += batch.num_rows();
        if stays.true_count() > 0 {
            let batch = filter_record_batch(batch, &stays)?;
            batches.push(as_now(&batch, group)?);
        }
        Ok(())
    })?;
    Ok(batches)
}

/// Games of a row group as a new file has them: what their file lacks is computed.
pub(super) fn as_now(batch: &RecordBatch, group: &Group) -> Result<RecordBatch, ArchiveError> {
    let columns = match group.format() == Format::One && group.is_stale() {
        true => current(batch, Format::One, group.path())?,
        false => batch.columns().to_vec(),
    };
    Ok(RecordBatch::try_new(file_schema(), columns)?)
}
