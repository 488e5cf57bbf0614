//! Removing games: rewrites the files that contain them.

mod merging;

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;
use delta_kernel::transaction::UpdateTableOperation;
use halfmove_game::Tags;
use roaring::RoaringTreemap;

pub use self::merging::MergedTag;
use self::merging::{Heirs, has_any, heirs_of, merged, merged_tags, with_tags};
use super::derived::current;
use super::progress::{Progress, watched};
use super::publish::publish;
use super::watch::{ChangeWatch, lock_watched};
use super::writer::{Written, write_file};
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::search::{Duplicates, Matcher};
use crate::snapshot::schema::column_names;
use crate::snapshot::{Change, DataFile, notes_of_removal, sweep};

/// The number of games that are read at a time.
const STEP: usize = 1024;

/// A prepared removal of games, given by their ids.
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
/// let remover = archive.remover(&lost)?;
/// assert_eq!(remover.games(), 1);
/// let report = remover.commit(&mut ())?;
/// assert_eq!((report.games, archive.refresh()?.len()), (1, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Remover {
    columns: Columns,
    ids: RoaringTreemap,
    /// The version that the archive must still have, if any.
    only_from: Option<u64>,
    /// The reason for the removal.
    reason: Option<String>,
    /// The remaining games that get tags of removed ones.
    heirs: Heirs,
}

/// The result of a removal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoveReport {
    /// The number of games removed.
    pub games: u64,
    /// The number of games that got tags of removed ones.
    pub merged: u64,
    /// The number of files removed.
    pub files_removed: u64,
    /// The number of files that replace them.
    pub files_added: u64,
    /// The total size of the new files in bytes.
    pub bytes: u64,
    /// The new version; `None` if there was nothing to remove.
    pub version: Option<u64>,
}

impl Remover {
    /// The games that match a filter.
    pub(crate) fn of(columns: &Columns, filter: &Filter) -> Result<Self, ArchiveError> {
        columns.snapshot().check_changeable()?;
        let ids = Matcher::of(filter)?.ids(columns)?;
        let heirs = Heirs::default();
        Ok(Self { columns: columns.clone(), ids, only_from: None, reason: None, heirs })
    }

    /// All games of each exact group of duplicates except the best one.
    pub(crate) fn of_duplicates(
        columns: &Columns,
        duplicates: &Duplicates,
    ) -> Result<Self, ArchiveError> {
        columns.snapshot().check_changeable()?;
        let mut ids = RoaringTreemap::new();
        for group in &duplicates.exact {
            let copies = group.ids.iter().filter(|id| **id != group.best);
            ids.extend(copies.filter_map(|id| u64::try_from(*id).ok()));
        }
        let only_from = Some(duplicates.version);
        let heirs = Heirs::default();
        Ok(Self { columns: columns.clone(), ids, only_from, reason: None, heirs })
    }

    /// Also removes all games of each group of twins except the best one. `duplicates` are those that the remover was
    /// [made of](crate::Archive::duplicates_remover).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let game = |white: &str, round: &str| format!(
    ///     "[White \"{white}\"]\n[Black \"Short, Nigel\"]\n[Date \"1993.??.??\"]\n[Round \"{round}\"]\n\n1. e4 e5 2. Nf3 Nc6 \
    ///      3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 \
    ///      13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 1-0\n\n"
    /// );
    /// let text = [game("Adams, Michael", "?"), game("Adams M", "4")].concat();
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok(std::io::Cursor::new(text))], &mut ())?;
    /// importer.commit()?;
    ///
    /// let archive = Archive::open(&path)?;
    /// let found = archive.duplicates()?;
    /// assert_eq!((&found.twins[0].ids[..], found.twins[0].best), (&[1, 2][..], 1));
    /// let remover = archive.duplicates_remover(&found)?.with_twins(&found).merging_tags(&found);
    /// let report = remover.commit(&mut ())?;
    /// assert_eq!((report.games, report.merged), (1, 1));
    /// let archive = archive.refresh()?;
    /// assert_eq!(archive.game(1)?.game.tags.value("Round"), Some("4"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_twins(mut self, duplicates: &Duplicates) -> Self {
        for group in &duplicates.twins {
            let twins = group.ids.iter().filter(|id| **id != group.best);
            self.ids.extend(twins.filter_map(|id| u64::try_from(*id).ok()));
        }
        self
    }

    /// Completes the tags of each remaining game from its removed copies: tags that it lacks or has as unknown (`?`),
    /// fuller names of players, and a more complete date. Other differences are ignored, and so are tags about the
    /// moves: `Result`, `FEN`, `SetUp`, `Variant`, `TimeControl`. Of several copies, the one with the lowest id takes
    /// precedence.
    #[must_use]
    pub fn merging_tags(mut self, duplicates: &Duplicates) -> Self {
        let is_gone = |id: &i64| u64::try_from(*id).is_ok_and(|id| self.ids.contains(id));
        let mut twins = duplicates.twins.iter().flat_map(|group| &group.ids);
        let with_twins = twins.any(is_gone);
        self.heirs = heirs_of(duplicates, with_twins);
        self
    }

    /// The tags that [`Remover::merging_tags`] would change, in the order of the ids of their games.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::search`](crate::Archive::search).
    pub fn merged_tags(&self) -> Result<Vec<MergedTag>, ArchiveError> {
        merged_tags(&self.columns, &self.heirs)
    }

    /// Records the reason for the removal, such as the conditions of the filter, as
    /// [`HistoryEntry::reason`](crate::HistoryEntry::reason).
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
    /// let remover = archive.remover(&lost)?;
    /// remover.with_reason("lost").commit(&mut ())?;
    /// let history = archive.refresh()?.history()?;
    /// assert_eq!(history[2].reason.as_deref(), Some("lost"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The number of games to remove.
    pub fn games(&self) -> u64 {
        self.ids.len().min(self.columns.snapshot().len())
    }

    /// Removes the games atomically. The others keep their ids, and files without removed games are unchanged. The old
    /// files stay on disk, so that [`Archive::undo`](crate::Archive::undo) can restore the games.
    ///
    /// Games that were removed in the meantime are not an error. If no game is left to remove, nothing changes.
    ///
    /// `watch` receives the number of games read so far, and may stop the work.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::Damaged`], [`ArchiveError::Io`], [`ArchiveError::Delta`],
    /// [`ArchiveError::UnknownColumn`],
    /// [`ArchiveError::Conflict`] if another program writes to it at the same time, or has changed it since
    /// [duplicates](crate::Archive::duplicates_remover) were found, and [`ArchiveError::Stopped`].
    pub fn commit(self, watch: &mut dyn ChangeWatch) -> Result<RemoveReport, ArchiveError> {
        let lock = lock_watched(self.columns.snapshot().folder()?, watch, 0)?;
        let columns = self.columns.refresh()?;
        let now = columns.snapshot();
        now.check_changeable()?;
        if self.only_from.is_some_and(|version| version != now.version()) {
            return Err(ArchiveError::Conflict { path: now.path().to_owned() });
        }
        sweep(now, &lock);
        let edit = Edit { tags: merged(&columns, &self.heirs)?, ids: self.ids };
        let rewritten = watched(watch, |progress| rewrite_all(&columns, &edit, progress))?;
        if rewritten.is_empty() {
            return Ok(RemoveReport::default());
        }
        let games = rewritten.iter().map(|file| file.removed).sum();
        let merged = edit.tags.len() as u64;
        let mut files = Vec::new();
        let mut gone = Vec::new();
        for file in rewritten {
            gone.push(now.files()[file.number].name.clone());
            files.extend(file.written);
        }
        if watch.tick(now.len()).is_break() {
            return Err(ArchiveError::Stopped);
        }
        let last_id = now.last_id_given()?;
        let published = publish(now, &mut files, |new| {
            now.change(Change {
                operation: UpdateTableOperation::Delete,
                notes: notes_of_removal(games, merged, self.reason.as_deref()),
                add: new,
                again: Vec::new(),
                remove: gone.iter().map(AsRef::as_ref).collect(),
                last_id,
            })
        });
        match published? {
            Some(version) => Ok(RemoveReport {
                games,
                merged,
                files_removed: gone.len() as u64,
                files_added: files.len() as u64,
                bytes: files.iter().map(|file| file.bytes).sum(),
                version: Some(version),
            }),
            None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
        }
    }
}

/// The games to remove, and the new tags of others.
struct Edit {
    ids: RoaringTreemap,
    tags: HashMap<i64, Tags>,
}

/// A rewritten file.
struct Rewritten {
    /// The number of the old file in the snapshot.
    number: usize,
    removed: u64,
    /// `None` if no game is left.
    written: Option<Written>,
}

/// Rewrites the files that contain games to remove or to change.
fn rewrite_all(
    columns: &Columns,
    edit: &Edit,
    progress: &Progress,
) -> Result<Vec<Rewritten>, ArchiveError> {
    let numbers: Vec<usize> = (0..columns.files().len()).collect();
    let files = columns.each(&numbers, |number| {
        let file = &columns.files()[*number];
        let rewritten = rewrite(columns, *number, file, edit, progress)?;
        if rewritten.is_none() {
            progress.add(file.games);
        }
        Ok(rewritten)
    })?;
    Ok(files.into_iter().flatten().collect())
}

/// Rewrites a file; `None` if it has no games to remove or to change.
fn rewrite(
    columns: &Columns,
    number: usize,
    file: &DataFile,
    edit: &Edit,
    progress: &Progress,
) -> Result<Option<Rewritten>, ArchiveError> {
    let ids = &edit.ids;
    let ends = [file.first_id, file.last_id].map(|id| u64::try_from(id).unwrap_or(0));
    let has_none = ids.rank(ends[1]) == ids.rank(ends[0]) && !ids.contains(ends[0]);
    if has_none && edit.tags.is_empty() {
        return Ok(None);
    }
    let groups = columns.groups_of(number)?;
    let mut removed = 0;
    for group in &groups {
        removed += group.live_rows_of(ids, columns.cache())?;
    }
    let changed: RoaringTreemap =
        edit.tags.keys().filter_map(|id| u64::try_from(*id).ok()).collect();
    let mut is_changed = false;
    for group in groups.iter().filter(|_| !changed.is_empty()) {
        is_changed = is_changed || group.live_rows_of(&changed, columns.cache())? > 0;
    }
    if removed == 0 && !is_changed {
        return Ok(None);
    }
    if removed == file.games {
        progress.add(file.games);
        return Ok(Some(Rewritten { number, removed, written: None }));
    }
    let groups = groups.iter().map(|group| {
        let kept = kept(group, edit, progress)?;
        progress.add(group.rows() as u64);
        Ok(kept)
    });
    let order = columns.cache().footer(file)?.order().name();
    let written = write_file(columns.path(), order, groups)?;
    Ok(Some(Rewritten { number, removed, written }))
}

/// The remaining games of a row group: without those removed now, and without those deleted before.
fn kept(group: &Group, edit: &Edit, progress: &Progress) -> Result<Vec<RecordBatch>, ArchiveError> {
    let mut batches = Vec::new();
    let mut first = 0;
    group.each_batch(&column_names(), 0..group.rows(), STEP, |batch| {
        progress.check()?;
        let column = batch.column_by_name("id").and_then(|id| id.as_primitive_opt::<Int64Type>());
        let column = column.ok_or_else(|| ArchiveError::damaged("a game has no id"))?;
        let stays = column.values().iter().enumerate().map(|(row, id)| {
            let goes = u64::try_from(*id).is_ok_and(|id| edit.ids.contains(id));
            !goes && !group.is_deleted(first + row)
        });
        let stays: BooleanArray = stays.map(Some).collect();
        first += batch.num_rows();
        if stays.true_count() > 0 {
            let batch = filter_record_batch(batch, &stays)?;
            let batch = current(&batch, group)?;
            let is_changed = has_any(&batch, &edit.tags);
            batches.push(if is_changed { with_tags(batch, &edit.tags)? } else { batch });
        }
        Ok(())
    })?;
    Ok(batches)
}
