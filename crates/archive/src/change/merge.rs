//! Merging players: rewrites the files with certain names.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_select::filter::filter_record_batch;
use delta_kernel::transaction::UpdateTableOperation;

use super::derived::current;
use super::progress::{Progress, watched};
use super::publish::publish;
use super::watch::{ChangeWatch, lock_watched};
use super::writer::{Written, write_file};
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;
use crate::search::{GameSummary, summaries};
use crate::snapshot::schema::{column_names, file_schema, tag_element, tag_fields};
use crate::snapshot::{Change, DataFile, notes_of_merge, sweep};

/// The number of games read at a time.
const STEP: usize = 1024;

/// A prepared replacement of players' names.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games");
/// use halfmove_archive::{Archive, Importer};
///
/// let text = "[White \"Kasparov,G\"]\n[Black \"Short, Nigel\"]\n\n1. e4 *\n";
/// let mut importer = Importer::open(&path)?;
/// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
/// importer.commit()?;
///
/// let archive = Archive::open(&path)?;
/// let merge = archive.player_merge("Kasparov, Garry", &["Kasparov,G", "Kasparov G"])?;
/// assert_eq!((merge.games(), merge.missing()), (1, &["Kasparov G".to_owned()][..]));
/// assert_eq!(merge.commit(&mut ())?.games, 1);
///
/// let archive = archive.refresh()?;
/// let game = archive.game(1)?;
/// assert_eq!(game.game.tags.value("White"), Some("Kasparov, Garry"));
/// assert_eq!(archive.undo(None, &mut ())?.games_after, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PlayerMerge {
    columns: Columns,
    /// The new name of each name to replace.
    new: HashMap<String, String>,
    /// The number of games that have one of the names.
    games: u64,
    /// The names that occur, with the number of games of each.
    there: BTreeMap<String, u64>,
    missing: Vec<String>,
    /// The source of the names.
    reason: Option<String>,
}

/// The result of a merge of players.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeReport {
    /// The number of games changed.
    pub games: u64,
    /// The number of files rewritten.
    pub files: u64,
    /// The total size of the new files in bytes.
    pub bytes: u64,
    /// The new version; `None` if there was nothing to change.
    pub version: Option<u64>,
}

impl PlayerMerge {
    /// Finds the games of players with some names, spelled exactly.
    pub(crate) fn of(
        columns: &Columns,
        to: &str,
        from: &[impl AsRef<str>],
    ) -> Result<Self, ArchiveError> {
        let names = from.iter().map(|name| (name.as_ref().to_owned(), to.to_owned()));
        Self::of_names(columns, names.collect())
    }

    /// Finds the games of players with some names, spelled exactly, each with its new name.
    pub(crate) fn of_names(
        columns: &Columns,
        mut new: HashMap<String, String>,
    ) -> Result<Self, ArchiveError> {
        columns.snapshot().check_changeable()?;
        new.retain(|old, new| old != new);
        let (mut games, mut there) = (0, BTreeMap::new());
        for holders in columns.each_group(|group| Holders::of(group, &new))? {
            games += holders.games;
            for (name, games) in holders.names {
                *there.entry(name).or_default() += games;
            }
        }
        let missing = new.keys().filter(|name| !there.contains_key(*name));
        let mut missing: Vec<String> = missing.cloned().collect();
        missing.sort_unstable();
        Ok(Self { columns: columns.clone(), new, games, there, missing, reason: None })
    }

    /// Records the source of the names, such as a file, as [`HistoryEntry::reason`](crate::HistoryEntry::reason).
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The names that occur, each with its new name and the number of games.
    pub fn replaced(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.there.iter().map(|(old, games)| (old.as_str(), self.new_name(old), *games))
    }

    /// Drops all replacements that would give two opponents the same name, because these are two players. Returns the
    /// remaining merge, and the new names that were dropped.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot be read.
    pub fn without_opponents(self) -> Result<(Self, Vec<String>), ArchiveError> {
        let found = self.columns.each_group(|group| {
            let mut shared: HashSet<String> = HashSet::new();
            self.each_met(group, |_, name| _ = shared.insert(name.to_owned()))?;
            Ok(shared)
        })?;
        let shared: HashSet<String> = found.into_iter().flatten().collect();
        if shared.is_empty() {
            return Ok((self, Vec::new()));
        }
        let (reason, mut new) = (self.reason, self.new);
        new.retain(|_, name| !shared.contains(name));
        let rest = Self { reason, ..Self::of_names(&self.columns, new)? };
        let mut shared: Vec<String> = shared.into_iter().collect();
        shared.sort_unstable();
        Ok((rest, shared))
    }

    /// Calls `visit` with the rows of a row group whose players would get the same name, and this name.
    fn each_met(
        &self,
        group: &Group,
        mut met: impl FnMut(usize, &str),
    ) -> Result<(), ArchiveError> {
        let new: HashSet<&str> = self.new.values().map(String::as_str).collect();
        let columns = [group.distinct("white")?, group.distinct("black")?];
        let names = columns.each_ref().map(|column| {
            let names = column.texts().iter().map(|name| {
                let name = self.new_name(name?);
                Some(name).filter(|name| new.contains(name))
            });
            names.collect::<Vec<Option<&str>>>()
        });
        for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
            let numbers = columns.each_ref().map(|column| column.number(row));
            let [Some(white), Some(black)] = numbers else { continue };
            let texts = [(0, white), (1, black)].map(|(side, at)| columns[side].texts().value(at));
            if let (Some(one), Some(two)) = (names[0][white], names[1][black])
                && one == two
                && texts[0] != texts[1]
            {
                met(row, one);
            }
        }
        Ok(())
    }

    /// The number of games that have one of the names.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The names that no game has.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The first game in which two of the names (or one of them and the new name) are opponents: they are two players.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if the games cannot be read.
    pub fn opponents(&self) -> Result<Option<GameSummary>, ArchiveError> {
        let first = self.columns.each_group(|group| {
            let ids = group.ids(self.columns.cache())?;
            let mut all: Vec<i64> = Vec::new();
            self.each_met(group, |row, _| all.push(ids.of(row as u32)))?;
            Ok(all.into_iter().min())
        })?;
        let Some(id) = first.into_iter().flatten().min() else { return Ok(None) };
        Ok(summaries(&self.columns, &[id])?.into_iter().next())
    }

    /// Replaces the names atomically. Ids and files without any of the names are unchanged. The old files stay on disk,
    /// so that [`Archive::undo`](crate::Archive::undo) can restore them. Games that were imported in the meantime are
    /// changed, too.
    ///
    /// `watch` receives the number of games read so far, and may stop the work.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::Damaged`], [`ArchiveError::Io`], [`ArchiveError::Delta`],
    /// [`ArchiveError::UnknownColumn`],
    /// [`ArchiveError::Conflict`] if another program writes to it at the same time, and [`ArchiveError::Stopped`].
    pub fn commit(self, watch: &mut dyn ChangeWatch) -> Result<MergeReport, ArchiveError> {
        let lock = lock_watched(self.columns.snapshot().folder()?, watch, 0)?;
        let columns = self.columns.refresh()?;
        let now = columns.snapshot();
        now.check_changeable()?;
        sweep(now, &lock);
        let numbers: Vec<usize> = (0..now.files().len()).collect();
        let rewritten = watched(watch, |progress| {
            columns.each(&numbers, |number| {
                self.rewrite(&columns, *number, &now.files()[*number], progress)
            })
        })?;
        let (mut report, mut gone, mut files) = (MergeReport::default(), Vec::new(), Vec::new());
        for (number, changed) in rewritten.into_iter().enumerate() {
            let Some((games, written)) = changed else { continue };
            report.games += games;
            gone.push(now.files()[number].name.clone());
            files.extend(written);
        }
        if gone.is_empty() {
            return Ok(report);
        }
        report.files = gone.len() as u64;
        report.bytes = files.iter().map(|file| file.bytes).sum();
        if watch.tick(now.len()).is_break() {
            return Err(ArchiveError::Stopped);
        }
        let last_id = now.last_id_given()?;
        let from: Vec<&str> = self.there.keys().map(String::as_str).collect();
        let to: HashSet<&str> = from.iter().map(|old| self.new_name(old)).collect();
        // The history has a field for a single new name.
        let to = to.iter().next().copied().filter(|_| to.len() == 1);
        report.version = publish(now, &mut files, |new| {
            now.change(Change {
                operation: UpdateTableOperation::Update,
                notes: notes_of_merge(report.games, &from, to, self.reason.as_deref()),
                add: new,
                again: Vec::new(),
                remove: gone.iter().map(AsRef::as_ref).collect(),
                last_id,
            })
        })?;
        match report.version {
            Some(_) => Ok(report),
            None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
        }
    }

    /// Rewrites a file that has one of the names, and returns the number of games changed; `None` if there are none.
    fn rewrite(
        &self,
        columns: &Columns,
        number: usize,
        file: &DataFile,
        progress: &Progress,
    ) -> Result<Option<(u64, Option<Written>)>, ArchiveError> {
        let groups = columns.groups_of(number)?;
        let mut games = 0;
        for group in &groups {
            games += Holders::of(group, &self.new)?.games;
        }
        if games == 0 {
            progress.add(file.games);
            return Ok(None);
        }
        let order = columns.cache().footer(file)?.order().name();
        let renamed = groups.iter().map(|group| {
            let renamed = self.renamed(group, progress)?;
            progress.add(group.rows() as u64);
            Ok(renamed)
        });
        Ok(Some((games, write_file(columns.path(), order, renamed)?)))
    }

    /// The games of a row group with their new names, without those that are deleted.
    fn renamed(
        &self,
        group: &Group,
        progress: &Progress,
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let mut batches = Vec::new();
        let mut first = 0;
        group.each_batch(&column_names(), 0..group.rows(), STEP, |batch| {
            progress.check()?;
            let stays = (first..first + batch.num_rows()).map(|row| Some(!group.is_deleted(row)));
            let stays: BooleanArray = stays.collect();
            first += batch.num_rows();
            let batch = current(&filter_record_batch(batch, &stays)?, group)?;
            let mut columns: Vec<ArrayRef> = Vec::with_capacity(batch.num_columns());
            for (column, field) in batch.columns().iter().zip(file_schema().fields()) {
                columns.push(match field.name().as_str() {
                    "white" | "black" => self.names(column, group, field.name())?,
                    "other_tags" => self.other_tags(column, group)?,
                    _ => Arc::clone(column),
                });
            }
            batches.push(RecordBatch::try_new(file_schema(), columns)?);
            Ok(())
        })?;
        Ok(batches)
    }

    fn new_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.new.get(name).map_or(name, String::as_str)
    }

    fn names(
        &self,
        column: &ArrayRef,
        group: &Group,
        name: &str,
    ) -> Result<ArrayRef, ArchiveError> {
        let names = column.as_string_opt::<i32>().ok_or_else(|| group.wrong(name))?;
        let names = names.iter().map(|name| name.map(|name| self.new_name(name)));
        Ok(Arc::new(names.collect::<StringArray>()))
    }

    /// Updates the column `other_tags`, which may have a second tag `White`.
    fn other_tags(&self, column: &ArrayRef, group: &Group) -> Result<ArrayRef, ArchiveError> {
        let wrong = || group.wrong("other_tags");
        let lists: &ListArray = column.as_list_opt().ok_or_else(wrong)?;
        let tags = lists.values().as_struct_opt().ok_or_else(wrong)?;
        let [names, values] = tags.columns() else { return Err(wrong()) };
        let names = names.as_string_opt::<i32>().ok_or_else(wrong)?;
        let values = values.as_string_opt::<i32>().ok_or_else(wrong)?;
        let is_player = |name: Option<&str>| matches!(name, Some("White" | "Black"));
        if !names.iter().any(is_player) {
            return Ok(Arc::clone(column));
        }
        let renamed = names.iter().zip(values).map(|(tag, value)| {
            value.map(|value| if is_player(tag) { self.new_name(value) } else { value })
        });
        let parts: Vec<ArrayRef> =
            vec![Arc::new(names.clone()), Arc::new(renamed.collect::<StringArray>())];
        let tags = StructArray::try_new(tag_fields(), parts, tags.nulls().cloned())?;
        let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
        let lists = ListArray::try_new(Arc::new(tag_element()), offsets, Arc::new(tags), nulls)?;
        Ok(Arc::new(lists))
    }
}

/// The games of a row group that have one of some names.
struct Holders {
    games: u64,
    /// The names that occur, with the number of games of each.
    names: HashMap<String, u64>,
}

impl Holders {
    fn of(group: &Group, new: &HashMap<String, String>) -> Result<Self, ArchiveError> {
        let columns = [group.distinct("white")?, group.distinct("black")?];
        let are_named = columns.each_ref().map(|column| {
            let texts = column.texts().iter();
            texts.map(|name| name.is_some_and(|name| new.contains_key(name))).collect::<Vec<bool>>()
        });
        let mut holders = Self { games: 0, names: HashMap::new() };
        if !are_named.iter().flatten().any(|is_named| *is_named) {
            return Ok(holders);
        }
        for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
            let mut before = None;
            for (column, are_named) in columns.iter().zip(&are_named) {
                if let Some(name) = column.number(row).filter(|name| are_named[*name]) {
                    let name = column.texts().value(name);
                    if before == Some(name) {
                        continue;
                    }
                    holders.games += u64::from(before.is_none());
                    before = Some(name);
                    match holders.names.get_mut(name) {
                        Some(games) => *games += 1,
                        None => _ = holders.names.insert(name.to_owned(), 1),
                    }
                }
            }
        }
        Ok(holders)
    }
}
