//! The history of an archive: the entries of its log.

mod table;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use chrono::{Datelike, Timelike};
use serde_json::Value;

use super::entries::{entries, file_of as entry_file};
use super::schema::{FORMAT_PROPERTY, fits};
use super::sums::check_entry_of;
use super::{DataFile, ImportedSource, Location, Log, Notes, Snapshot, Sums};
use crate::error::ArchiveError;

/// A change of an archive, as recorded in its log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryEntry {
    /// The version that the change created.
    pub version: u64,
    /// The time of the change, in milliseconds since 1970 in UTC, if recorded.
    pub time_ms: Option<i64>,
    /// The kind of change: `create`, `import`, `compact`, `remove`, `merge` or `undo`; for a change by another program,
    /// its own name for it.
    pub what: String,
    /// The program, if recorded.
    pub by: Option<String>,
    /// For an `undo`: the version that was restored.
    pub restored: Option<u64>,
    /// The number of games added.
    pub games_added: u64,
    /// The number of games removed.
    pub games_removed: u64,
    /// For an `import`: the first and the last of the new ids.
    pub ids: Option<(i64, i64)>,
    /// For an `import`: the inputs that came [with a checksum](crate::PgnInput::with_sum), in their order.
    pub sources: Vec<ImportedSource>,
    /// For a `merge` of players: the number of games changed.
    pub games_changed: u64,
    /// For a `merge`: the names that were replaced, and the new name.
    pub merged: Option<(Vec<String>, String)>,
    /// For a `remove` or an `import` of some games: the [reason](crate::Remover::with_reason), if given.
    pub reason: Option<String>,
    /// The number of files added.
    pub files_added: u64,
    /// The number of files removed.
    pub files_removed: u64,
    /// The number of games after the change.
    pub games: u64,
    /// True if [`Archive::undo`](crate::Archive::undo) can go back to this version: its games differ from the current
    /// ones, and all its files exist.
    pub is_restorable: bool,
}

impl HistoryEntry {
    /// The time to the second in UTC: `2026-07-22T13:14:15Z`.
    pub fn time(&self) -> Option<String> {
        let time = chrono::DateTime::from_timestamp_millis(self.time_ms?)?;
        let (year, month, day) = (time.year(), time.month(), time.day());
        let (hour, minute, second) = (time.hour(), time.minute(), time.second());
        Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
    }
}

/// The log, read from its beginning.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    pub(crate) history: Vec<HistoryEntry>,
    /// The files of the version that was read last.
    files: HashMap<String, LogFile>,
    /// The time at which each file was removed last, in milliseconds since 1970.
    pub(crate) removed_ms: HashMap<String, i64>,
    /// True if all entries exist, from the first one.
    pub(crate) is_complete: bool,
    /// The format and the schema of each entry.
    tables: Vec<(String, Value)>,
    /// The differences between the files of each entry and those of the entry before.
    steps: Vec<Step>,
}

/// A file as an entry describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct LogFile {
    games: u64,
    bytes: u64,
    /// The smallest and the largest id in it.
    ids: Option<(i64, i64)>,
    /// The deletion vector; a text if it comes from a checkpoint, which does not have it.
    vector: Option<Value>,
    /// The checksums.
    sums: Option<Sums>,
}

impl LogFile {
    /// Returns true if a snapshot has this file under its name.
    fn is(&self, file: &DataFile) -> bool {
        let vector = self.vector.as_ref().map(|vector| {
            let text = |name: &str| vector.get(name).and_then(Value::as_str).unwrap_or("");
            format!("{}{}", text("storageType"), text("pathOrInlineDv"))
        });
        self.games == file.games
            && self.bytes == file.bytes
            && self.ids.is_none_or(|ids| ids == (file.first_id, file.last_id))
            && self.sums == file.sums
            && vector == file.vector
    }

    /// Returns true if it has the same games as another one of the same name.
    fn has_same_games(&self, other: &Self) -> bool {
        let has_vector = |file: &Self| !matches!(file.vector, Some(Value::String(_)));
        let is_known = has_vector(self) && has_vector(other);
        self.games == other.games && (self.vector == other.vector || !is_known)
    }
}

/// The difference between the files of a version and those of the version before.
#[derive(Debug, Default)]
struct Step {
    /// True if `added` is the complete list of files, from a checkpoint.
    is_whole: bool,
    removed: Vec<String>,
    added: Vec<(String, LogFile)>,
}

/// Returns true if all entries up to a version exist.
fn are_complete(versions: &[u64], version: u64) -> bool {
    versions.first() == Some(&0) && versions.len() as u64 == version + 1
}

impl Replay {
    /// Reads the entries of an archive if all exist, from the first one.
    pub(crate) fn of_complete(archive: &Snapshot) -> Result<Option<Self>, ArchiveError> {
        let (mut versions, _) = entries(archive.location())?;
        versions.retain(|version| *version <= archive.version());
        are_complete(&versions, archive.version()).then(|| Self::of(archive)).transpose()
    }

    /// Reads all entries up to the version of an archive.
    pub(crate) fn of(archive: &Snapshot) -> Result<Self, ArchiveError> {
        let location = archive.location();
        let (mut versions, mut checkpoints) = entries(location)?;
        versions.retain(|version| *version <= archive.version());
        let first = versions.first().copied().unwrap_or(archive.version() + 1);
        let mut replay =
            Self { is_complete: are_complete(&versions, archive.version()), ..Self::default() };
        let missing =
            (first..=archive.version()).find(|version| versions.binary_search(version).is_err());
        if let Some(missing) = missing {
            let file = entry_file(location, missing);
            return Err(ArchiveError::damaged(format!("{}: {}", file.display(), Log::MISSING)));
        }
        // If the first entries are gone, the first version comes from a checkpoint.
        checkpoints
            .retain(|version| (first.saturating_sub(1)..=archive.version()).contains(version));
        let base = if replay.is_complete { None } else { checkpoints.first().copied() };
        let known_from = if replay.is_complete { 0 } else { base.unwrap_or(u64::MAX) };
        let files: Vec<PathBuf> =
            versions.iter().map(|version| entry_file(location, *version)).collect();
        let read = location.read_all(&files);
        // The checksum of the entry before.
        let mut sum = None;
        for ((version, file), bytes) in versions.into_iter().zip(&files).zip(read) {
            let before = match base.is_some_and(|base| base + 1 == version) {
                true => Some(replay.base(archive, version - 1)?),
                false => None,
            };
            let bytes = bytes.map_err(|error| ArchiveError::io(file, error))?;
            replay.entry(file, &bytes, version, sum)?;
            sum = Some(crc32fast::hash(&bytes));
            if let Some(mut before) = before
                && let Some(step) = replay.steps.last_mut()
            {
                before.added.retain(|(name, _)| !step.removed.contains(name));
                before.added.append(&mut step.added);
                *step = before;
            }
            if base == Some(version) {
                let step = replay.base(archive, version)?;
                replay.steps.pop();
                replay.steps.push(step);
                if let Some(entry) = replay.history.last_mut() {
                    entry.games = replay.files.values().map(|file| file.games).sum();
                }
            }
        }
        replay.find_restorable(archive, known_from)?;
        Ok(replay)
    }

    /// Finds the versions that [`Archive::undo_plan`] accepts.
    fn find_restorable(&mut self, archive: &Snapshot, known_from: u64) -> Result<(), ArchiveError> {
        let Some((format, schema)) = self.tables.last().cloned() else { return Ok(()) };
        if archive.check_current().is_err() {
            return Ok(());
        }
        let mut there = There { location: archive.location(), names: None, known: HashMap::new() };
        let mut files: HashMap<&str, &LogFile> = HashMap::new();
        // The files in which a version differs from the current one, and those of it that do not exist.
        let (mut other, mut missing) = (HashSet::new(), HashSet::new());
        other.extend(self.files.keys().map(String::as_str));
        let now = &self.files;
        for ((entry, step), (old, fields)) in
            self.history.iter_mut().zip(&self.steps).zip(&self.tables)
        {
            let mut changed: HashSet<&str> = step.removed.iter().map(String::as_str).collect();
            if step.is_whole {
                changed.extend(files.drain().map(|(name, _)| name));
            }
            for name in &step.removed {
                files.remove(name.as_str());
            }
            for (name, file) in &step.added {
                files.insert(name, file);
                changed.insert(name);
            }
            for name in changed {
                let (file, current) = (files.get(name).copied(), now.get(name));
                let is_same = match (file, current) {
                    (Some(file), Some(current)) => file.has_same_games(current),
                    (None, None) => true,
                    _ => false,
                };
                if is_same {
                    other.remove(name)
                } else {
                    other.insert(name)
                };
                match file {
                    Some(file) if !there.has(name, file.bytes)? => missing.insert(name),
                    _ => missing.remove(name),
                };
            }
            entry.is_restorable = entry.version >= known_from
                && entry.version < archive.version()
                && !other.is_empty()
                && missing.is_empty()
                && *old == format
                && (*fields == schema || fits(fields, &schema));
        }
        Ok(())
    }

    /// Takes the files of a version from its checkpoint.
    fn base(&mut self, archive: &Snapshot, version: u64) -> Result<Step, ArchiveError> {
        let files = archive.files_at(version)?;
        let files = files.iter().map(|file| {
            let vector = file.deleted.as_ref().map(|_| Value::from("unknown"));
            let ids = Some((file.first_id, file.last_id));
            let DataFile { games, bytes, sums, .. } = *file;
            let known = LogFile { games, bytes, ids, vector, sums };
            (file.name.to_string(), known)
        });
        self.files = files.collect();
        let added = self.files.iter().map(|(name, file)| (name.clone(), file.clone())).collect();
        Ok(Step { is_whole: true, removed: Vec::new(), added })
    }

    fn entry(
        &mut self,
        path: &Path,
        bytes: &[u8],
        version: u64,
        before: Option<u32>,
    ) -> Result<(), ArchiveError> {
        check_entry_of(version, before, bytes)
            .map_err(|what| ArchiveError::damaged(format!("{}: {what}", path.display())))?;
        let text = str::from_utf8(bytes)
            .map_err(|error| ArchiveError::damaged(format!("{}: {error}", path.display())))?;
        let mut actions = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let action: Value = serde_json::from_str(line)
                .map_err(|error| ArchiveError::damaged(format!("{}: {error}", path.display())))?;
            actions.push(action);
        }
        let nothing = Notes::new();
        let mut entry = HistoryEntry { version, ..HistoryEntry::default() };
        let mut info = &nothing;
        let mut table = self.tables.last().cloned().unwrap_or_default();
        for action in &actions {
            if let Some(found) = action.get("commitInfo").and_then(Value::as_object) {
                info = found;
            }
            if let Some(metadata) = action.get("metaData") {
                let format = metadata.pointer(&format!("/configuration/{FORMAT_PROPERTY}"));
                let schema = metadata.get("schemaString").and_then(Value::as_str).unwrap_or("");
                table = (
                    format.and_then(Value::as_str).unwrap_or("").to_owned(),
                    serde_json::from_str(schema).unwrap_or_default(),
                );
            }
        }
        entry.time_ms =
            info.get("inCommitTimestamp").or_else(|| info.get("timestamp")).and_then(Value::as_i64);
        let (mut gained, mut lost, mut step) = (0, 0, Step::default());
        for remove in actions.iter().filter_map(|action| action.get("remove")) {
            let Some(name) = remove.get("path").and_then(Value::as_str) else { continue };
            entry.files_removed += 1;
            let known = self.files.remove(name).map(|file| file.games);
            lost += known.or_else(|| games(remove)).unwrap_or(0);
            step.removed.push(name.to_owned());
            let time = remove.get("deletionTimestamp").and_then(Value::as_i64).or(entry.time_ms);
            self.removed_ms.insert(name.to_owned(), time.unwrap_or(i64::MAX));
        }
        for add in actions.iter().filter_map(|action| action.get("add")) {
            let Some(name) = add.get("path").and_then(Value::as_str) else { continue };
            entry.files_added += 1;
            let games = games(add).unwrap_or(0);
            gained += games;
            let bytes = add.get("size").and_then(Value::as_u64).unwrap_or(0);
            let vector = add.get("deletionVector").filter(|vector| !vector.is_null()).cloned();
            let tag = |name: &str| add.get("tags")?.get(name)?.as_str();
            let file = LogFile { games, bytes, ids: ids(add), vector, sums: Sums::from_tags(tag) };
            self.files.insert(name.to_owned(), file.clone());
            step.added.push((name.to_owned(), file));
        }
        entry.games = self.files.values().map(|file| file.games).sum();
        self.steps.push(step);
        describe(&mut entry, info, gained, lost);
        self.history.push(entry);
        self.tables.push(table);
        Ok(())
    }

    /// Compares the files of a checkpoint with those of the entries, if all entries exist.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] if they differ.
    pub(crate) fn check_files(&self, files: &[DataFile]) -> Result<(), ArchiveError> {
        if !self.is_complete {
            return Ok(());
        }
        let is_known = |file: &DataFile| {
            let known = self.files.get(&*file.name);
            known.is_some_and(|known| known.is(file))
        };
        let other = files.iter().find(|file| !is_known(file));
        if other.is_none() && files.len() == self.files.len() {
            return Ok(());
        }
        let other = other.map_or_else(String::new, |file| format!(" about the file {}", file.name));
        Err(ArchiveError::damaged(format!(
            "the entries of the log and the last checkpoint do not say the same{other}; \
             the archive is what the entries say, and can be read without the checkpoint"
        )))
    }

    /// Returns true if the log names a file.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.files.contains_key(name) || self.removed_ms.contains_key(name)
    }
}

/// The names of the data files in the location of an archive.
fn data_files(archive: &Location) -> Result<HashSet<String>, ArchiveError> {
    let names = archive.names(archive.path())?.into_iter();
    Ok(names.filter(|name| name.ends_with(".parquet")).collect())
}

/// The imports that make up a snapshot, the first one first, without those that were undone.
pub(crate) fn imports(snapshot: &Snapshot) -> Result<Vec<HistoryEntry>, ArchiveError> {
    let mut history = Replay::of(snapshot)?.history;
    let mut at = snapshot.version();
    let mut imports = Vec::new();
    // Back from the last entry; an undo leads to the version that it restored.
    while let Ok(index) = history.binary_search_by_key(&at, |entry| entry.version) {
        let entry = &mut history[index];
        if entry.what == "import" {
            imports.push(std::mem::take(entry));
        }
        let before = history[index].restored.filter(|restored| *restored < at);
        match before.or(at.checked_sub(1)) {
            Some(before) => at = before,
            None => break,
        }
        history.truncate(index);
    }
    imports.reverse();
    Ok(imports)
}

/// The files of earlier versions that still exist.
struct There<'a> {
    location: &'a Location,
    /// The files in the location itself, once listed.
    names: Option<HashSet<String>>,
    known: HashMap<(String, u64), bool>,
}

impl There<'_> {
    /// Returns true if a file of this name in the log exists, with this length in bytes.
    fn has(&mut self, name: &str, bytes: u64) -> Result<bool, ArchiveError> {
        if let Some(known) = self.known.get(&(name.to_owned(), bytes)) {
            return Ok(*known);
        }
        let path = self.location.inside(name);
        let is_there = if self.location.is_folder() {
            path.is_some_and(|path| {
                let length = self.location.open(&path).and_then(|file| file.length());
                length.ok() == Some(bytes)
            })
        } else {
            // Listing all files takes one request.
            let names = match &mut self.names {
                Some(names) => names,
                none => none.insert(data_files(self.location)?),
            };
            names.contains(name) || path.is_some_and(|path| self.location.has(&path))
        };
        self.known.insert((name.to_owned(), bytes), is_there);
        Ok(is_there)
    }
}

/// The number of games of a file: its rows without those that are deleted.
fn games(action: &Value) -> Option<u64> {
    let statistics: Value = serde_json::from_str(action.get("stats")?.as_str()?).ok()?;
    let rows = statistics.get("numRecords")?.as_u64()?;
    let deleted = action.pointer("/deletionVector/cardinality").and_then(Value::as_u64);
    Some(rows.saturating_sub(deleted.unwrap_or(0)))
}

/// The smallest and the largest id of a file.
fn ids(action: &Value) -> Option<(i64, i64)> {
    let statistics: Value = serde_json::from_str(action.get("stats")?.as_str()?).ok()?;
    let id = |bound: &str| statistics.pointer(&format!("/{bound}/id"))?.as_i64();
    id("minValues").zip(id("maxValues"))
}

/// Fills in the entry from its own notes, or else from its files.
fn describe(entry: &mut HistoryEntry, info: &Notes, gained: u64, lost: u64) {
    let text = |name: &str| info.get(name).and_then(Value::as_str);
    let number = |name: &str| info.get(name).and_then(Value::as_u64);
    let id = |name: &str| info.get(name).and_then(Value::as_i64);
    let operation = text("operation").unwrap_or("");
    entry.by = text("engineInfo").map(str::to_owned);
    let is_ours = entry.by.as_ref().is_some_and(|by| by.starts_with("halfmove/"));
    let what = match (text(CHANGE), operation) {
        (Some(what), _) => what,
        (None, "CREATE TABLE") if is_ours => "create",
        (None, other) => other,
    };
    entry.what = what.to_owned();
    entry.restored = number(RESTORED);
    entry.ids = id(FIRST_ID).zip(id(LAST_ID));
    let sources = info.get(SOURCES).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    entry.sources = sources.iter().filter_map(ImportedSource::from_json).collect();
    entry.games_changed = number(GAMES_CHANGED).unwrap_or(0);
    let from = info.get(MERGED_FROM).and_then(Value::as_array);
    let from =
        from.map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    entry.merged = from.zip(text(MERGED_TO).map(str::to_owned));
    entry.reason = text(REASON).map(str::to_owned);
    // Games that were only rewritten are in both numbers.
    entry.games_added = number(GAMES_ADDED).unwrap_or(gained.saturating_sub(lost));
    entry.games_removed = number(GAMES_REMOVED).unwrap_or(lost.saturating_sub(gained));
}

const CHANGE: &str = "halfmove.change";
const GAMES_ADDED: &str = "halfmove.games.added";
const GAMES_REMOVED: &str = "halfmove.games.removed";
const FIRST_ID: &str = "halfmove.ids.first";
const LAST_ID: &str = "halfmove.ids.last";
const SOURCES: &str = "halfmove.sources";
const RESTORED: &str = "halfmove.restored";
const GAMES_CHANGED: &str = "halfmove.games.changed";
const MERGED_FROM: &str = "halfmove.merged.from";
const MERGED_TO: &str = "halfmove.merged.to";
const REASON: &str = "halfmove.reason";

/// The notes of an import.
pub(crate) fn notes_of_import(
    games: u64,
    (first_id, last_id): (i64, i64),
    sources: &[ImportedSource],
    reason: Option<&str>,
) -> Notes {
    let mut notes = notes_of("import", games, 0);
    notes.insert(FIRST_ID.to_owned(), first_id.into());
    notes.insert(LAST_ID.to_owned(), last_id.into());
    if !sources.is_empty() {
        let sources: Vec<Value> = sources.iter().map(ImportedSource::to_json).collect();
        notes.insert(SOURCES.to_owned(), sources.into());
    }
    if let Some(reason) = reason {
        notes.insert(REASON.to_owned(), reason.into());
    }
    notes
}

/// The notes of an undo to a version.
pub(crate) fn notes_of_undo(version: u64, added: u64, removed: u64) -> Notes {
    let mut notes = notes_of("undo", added, removed);
    notes.insert(RESTORED.to_owned(), version.into());
    // In the form of Delta's own RESTORE.
    notes.insert(
        "operationParameters".to_owned(),
        serde_json::json!({ "version": version.to_string() }),
    );
    notes
}

/// The notes of a removal of games, and of new tags of some others.
pub(crate) fn notes_of_removal(games: u64, changed: u64, reason: Option<&str>) -> Notes {
    let mut notes = notes_of("remove", 0, games);
    if changed > 0 {
        notes.insert(GAMES_CHANGED.to_owned(), changed.into());
    }
    if let Some(reason) = reason {
        notes.insert(REASON.to_owned(), reason.into());
        // In the form of Delta's own DELETE.
        notes.insert("operationParameters".to_owned(), serde_json::json!({ "predicate": reason }));
    }
    notes
}

/// The notes of a merge of players.
pub(crate) fn notes_of_merge(
    games: u64,
    from: &[&str],
    to: Option<&str>,
    reason: Option<&str>,
) -> Notes {
    let mut notes = notes_of("merge", 0, 0);
    notes.insert(GAMES_CHANGED.to_owned(), games.into());
    if let Some(to) = to {
        notes.insert(MERGED_FROM.to_owned(), from.into());
        notes.insert(MERGED_TO.to_owned(), to.into());
    }
    if let Some(reason) = reason {
        notes.insert(REASON.to_owned(), reason.into());
    }
    notes
}

/// The notes of any change.
pub(crate) fn notes_of(what: &str, added: u64, removed: u64) -> Notes {
    let numbers = [(GAMES_ADDED, added), (GAMES_REMOVED, removed)];
    let numbers = numbers.into_iter().map(|(name, number)| (name.to_owned(), number.into()));
    std::iter::once((CHANGE.to_owned(), what.into())).chain(numbers).collect()
}
