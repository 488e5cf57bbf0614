//! Importing games in a single atomic change.
//!
//! ```text
//!             ┌ feed ─────────┐  segments  ┌ work ──────────┐  columns   ┌ caller ──────────────┐
//!  inputs ──▶ │ unpack and    │ ─────────▶ │ parse, resolve │ ─────────▶ │ order, ids, progress │
//!             │ cut the text  │            │ and encode     │ ◀───────── │                      │ ──▶ files
//!             └───────────────┘            └ N threads ─────┘ row groups └──────────────────────┘
//! ```
//!
//! The caller's thread receives everything in the order of the input, so an archive does not depend on the number of
//! threads.

mod builders;
mod duplicates;
mod feed;
mod groups;
mod kept;
mod lichess;
mod parse;
mod pool;
mod read;

use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use halfmove_game::Game;

pub(super) use self::builders::Headers;
use self::builders::{Builders, Coder, Fault};
pub use self::duplicates::OnDuplicates;
use self::groups::Groups;
use self::kept::Kept;
pub use self::lichess::{LichessGame, LichessRows};
use self::pool::Pool;
use super::ATTEMPTS;
use super::publish::publish;
use super::watch::{ChangeWatch, lock_watched};
use super::writer;
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::options::ArchiveOptions;
use crate::search::Matcher;
use crate::snapshot::{
    ContentSum, HistoryEntry, ImportedSource, NewFile, NewFolder, exists, folder_of, imports,
    make_table, notes_of_import, sweep, unmake_table,
};
use crate::variants::VariantCounts;

/// An input of [`Importer::read_pgn`]: a reader, and optionally a name, which is stored in the column `source`. Any
/// reader converts to an input without a name.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::{Archive, Filter, Importer, PgnInput, SearchOptions};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games");
/// let mut importer = Importer::open(&path)?;
/// importer.read_pgn([Ok(PgnInput::named("a.pgn", "1. e4 *".as_bytes()))], &mut ())?;
/// importer.commit()?;
/// let archive = Archive::open(&path)?;
/// let mut options = SearchOptions::first(1);
/// options.columns = vec!["source".to_owned()];
/// let found = archive.search_with(&Filter::default(), &options)?;
/// assert_eq!(found.games[0].more, [Some("a.pgn".to_owned())]);
/// # Ok(())
/// # }
/// ```
pub struct PgnInput {
    reader: Box<dyn Read + Send>,
    name: Option<Arc<str>>,
    sum: Option<ContentSum>,
}

impl PgnInput {
    /// An input with a name.
    pub fn named(name: impl Into<Arc<str>>, reader: impl Read + Send + 'static) -> Self {
        Self { name: Some(name.into()), ..Self::from(reader) }
    }

    /// The same input, with the checksum of its content. It is recorded among the
    /// [sources](crate::HistoryEntry::sources) of the import, to recognize the same content later.
    #[must_use]
    pub fn with_sum(mut self, sum: ContentSum) -> Self {
        self.sum = Some(sum);
        self
    }
}

impl<R: Read + Send + 'static> From<R> for PgnInput {
    fn from(reader: R) -> Self {
        Self { reader: Box::new(reader), name: None, sum: None }
    }
}

impl std::fmt::Debug for PgnInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgnInput").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Collects games and adds them to an archive atomically.
///
/// [`Importer::read_pgn`] reads games from PGN, on several threads; [`Importer::read_lichess`] from the columns of Lichess's data
/// set; [`Importer::push`] takes them one by one. Memory
/// stays bounded: a few blocks of text and a few row groups of 16,384 games. Readers see the games only after
/// [`Importer::commit`]; an importer that is dropped before that deletes its files. Leftovers of killed imports are
/// removed by the next commit.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::Archive;
/// use halfmove_game::Game;
///
/// let folder = tempfile::tempdir()?;
/// let archive = Archive::create(folder.path().join("games"))?;
/// let mut importer = archive.importer();
/// let mut game = Game::default();
/// game.tags.push("White", "Anderssen, Adolf");
/// importer.push(&game, None)?;
/// let report = importer.commit()?;
/// assert_eq!((report.games, report.first_id, report.last_id), (1, 1, 1));
/// assert_eq!(archive.refresh()?.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Importer {
    // Fields are dropped in this order: without a commit, the files are deleted first, then the folder.
    groups: Groups,
    pool: Option<Pool>,
    builders: Builders,
    coder: Coder,
    threads: usize,
    path: Arc<Path>,
    /// `None` if the archive does not exist yet.
    columns: Option<Columns>,
    /// Deletes a new folder when dropped.
    _new: Option<NewFolder>,
    first_id: i64,
    games: u64,
    plies: u64,
    variants: VariantCounts,
    /// The inputs whose content is known, with the numbers of their first games, from 0.
    sources: Vec<(u64, ImportedSource)>,
    /// The number of the first game of each input, and the number of that input.
    inputs: Vec<(u64, Option<usize>)>,
    /// The number of the next input.
    next_input: usize,
    /// The name of the input of the pushed games.
    source: Option<Arc<str>>,
    on_duplicates: OnDuplicates,
    strict_positions: bool,
    /// The games to keep; `None` for all.
    filter: Option<Filter>,
    reason: Option<String>,
    /// True after a failure: some of the given games are missing.
    failed: bool,
}

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// The number of games added.
    pub games: u64,
    /// The number of half-moves in these games.
    pub plies: u64,
    /// The number of these games by variant.
    pub variants: VariantCounts,
    /// The id of the first of them; for an import without games, the id that it would have had.
    pub first_id: i64,
    /// The id of the last of them; for an import without games, one less than `first_id`.
    pub last_id: i64,
    /// The number of files written.
    pub files: usize,
    /// The total size of these files in bytes.
    pub bytes: u64,
    /// The number of games that were already in the archive, or occurred twice, if the importer [checked for
    /// them](Importer::on_duplicates). They are included in the games added unless they were skipped.
    pub duplicates: u64,
    /// The number of games dropped because they do not match the [filter](Importer::only).
    pub left_out: u64,
    /// The number of these with a fault.
    pub faulty_left_out: u64,
}

impl Importer {
    /// Begins an import into the archive in a folder. If there is none, the commit creates it; an import that fails or
    /// adds nothing does not create an archive.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// drop(Importer::open(&path)?);
    /// assert!(!path.exists());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Archive::open_or_create`](crate::Archive::open_or_create), also [`ArchiveError::ReadOnly`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        let given = &*folder_of(path.as_ref())?;
        if exists(given)? {
            let columns = Columns::open(given, &ArchiveOptions::default())?;
            columns.snapshot().check_current()?;
            return Ok(Self::of(&columns));
        }
        let new = NewFolder::make(given)?;
        Ok(Self::new(Arc::clone(&new.path), None, Some(new)))
    }

    /// An import into an open archive.
    pub(crate) fn of(columns: &Columns) -> Self {
        Self::new(columns.path().into(), Some(columns.clone()), None)
    }

    fn new(path: Arc<Path>, columns: Option<Columns>, new: Option<NewFolder>) -> Self {
        // Provisional: the commit assigns the final ids, and reports if there are none left.
        let last_id = columns.as_ref().map(|it| {
            let snapshot = it.snapshot();
            snapshot.last_id_given().unwrap_or(snapshot.last_id_in_use())
        });
        let first_id = last_id.filter(|last| *last < i64::MAX / 2).unwrap_or(0) + 1;
        Self {
            groups: Groups::new(&path, first_id, 1_000_000),
            pool: None,
            builders: Builders::new(),
            coder: Coder::default(),
            threads: columns.as_ref().map_or_else(
                || std::thread::available_parallelism().map_or(1, NonZero::get),
                |columns| columns.threads().min(1024),
            ),
            path,
            columns,
            _new: new,
            first_id,
            games: 0,
            plies: 0,
            variants: VariantCounts::default(),
            sources: Vec::new(),
            inputs: Vec::new(),
            next_input: 0,
            source: None,
            on_duplicates: OnDuplicates::default(),
            strict_positions: false,
            filter: None,
            reason: None,
            failed: false,
        }
    }

    /// Sets the number of games after which a new file begins; the default is a million.
    #[must_use]
    pub fn games_per_file(mut self, games: u64) -> Self {
        self.groups.set_games_per_file(games);
        self
    }

    /// Sets the number of threads that parse and encode, at most 1,024; the default is that of the
    /// [archive](crate::ArchiveOptions::threads), the number of cores. The files written do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads.get().min(1024);
        self
    }

    /// Skips games of PGN whose `FEN` needs
    /// [repairs](halfmove_game::pgn::GameReader::strict_positions).
    #[must_use]
    pub fn strict_positions(mut self, is_strict: bool) -> Self {
        self.strict_positions = is_strict;
        self
    }

    /// Keeps only the games that match a filter, as [`Archive::search`](crate::Archive::search) would find them. All
    /// games are written first, and those that do not match are dropped by the commit. Ids in the filter, and those of
    /// a [sample](Filter::sample), are the ids that the games would have without a filter.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Filter, Importer};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let filter = Filter { player: Some("tal".to_owned()), ..Filter::default() };
    /// let mut importer = Importer::open(folder.path().join("games"))?.only(&filter)?;
    /// let text = "[White \"Tal, Mihail\"]\n\n1. e4 *\n\n[White \"Short, Nigel\"]\n\n1. d4 *\n";
    /// importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    /// let report = importer.commit()?;
    /// assert_eq!((report.games, report.left_out, report.last_id), (1, 1, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn only(mut self, filter: &Filter) -> Result<Self, ArchiveError> {
        filter.check()?;
        self.filter = (!filter.is_empty()).then(|| filter.clone());
        Ok(self)
    }

    /// Records a reason in the [history](crate::HistoryEntry::reason), such as the filter as text.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds a game. `fault` is the reason why its moves end early, if the reader found a fault.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NotStorable`] for a game whose moves cannot be encoded, which is then skipped;
    /// [`ArchiveError::Io`] if the files cannot be written, and the import is then lost.
    pub fn push(&mut self, game: &Game, fault: Option<&str>) -> Result<(), ArchiveError> {
        let whole = self.coder.code(game)?;
        let pushed = self.builders.push(whole, fault.map(|text| Fault::Text(text.to_owned())));
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.variants.count(game.start.variant(), 1);
        let pushed =
            pushed.and_then(|()| if self.builders.is_full() { self.hand_over() } else { Ok(()) });
        self.failed |= pushed.is_err();
        pushed
    }

    /// The imports that the archive consists of, as [`Archive::imports`](crate::Archive::imports) returns them.
    ///
    /// # Errors
    ///
    /// Those of [`Archive::history`](crate::Archive::history).
    pub fn imports(&self) -> Result<Vec<HistoryEntry>, ArchiveError> {
        self.columns.as_ref().map_or_else(|| Ok(Vec::new()), |columns| imports(columns.snapshot()))
    }

    /// The number of games added so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Passes the pushed games to the pool.
    fn hand_over(&mut self) -> Result<(), ArchiveError> {
        if self.builders.is_empty() {
            return Ok(());
        }
        let mut chunk = self.builders.finish()?;
        chunk.source.clone_from(&self.source);
        self.start()?;
        self.groups.add(chunk, self.pool.as_ref().map(|pool| (pool, self.threads)))
    }

    /// Starts the threads.
    fn start(&mut self) -> Result<&Pool, ArchiveError> {
        if let Some(columns) = &self.columns {
            columns.snapshot().folder()?;
        }
        Ok(match &mut self.pool {
            Some(pool) => pool,
            none => {
                let pool =
                    Pool::new(self.threads).map_err(|error| ArchiveError::io(&self.path, error))?;
                none.insert(pool)
            }
        })
    }

    /// Adds the games to the archive, visible to all readers at once. They are on disk when this returns.
    ///
    /// Ids continue those of the current version of the archive: if other programs have imported games in the meantime,
    /// the files are rewritten with higher ids.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::Io`], [`ArchiveError::Delta`] or [`ArchiveError::Conflict`].
    pub fn commit(self) -> Result<ImportReport, ArchiveError> {
        self.commit_watched(&mut ())
    }

    /// Like [`Importer::commit`]; `watch` is called while it waits, and may stop it.
    ///
    /// # Errors
    ///
    /// Those of [`Importer::commit`], and [`ArchiveError::Stopped`] if `watch` stops the import.
    pub fn commit_watched(
        mut self,
        watch: &mut dyn ChangeWatch,
    ) -> Result<ImportReport, ArchiveError> {
        if self.failed {
            let failed = std::io::Error::other("the import has already failed");
            return Err(ArchiveError::io(&self.path, failed));
        }
        self.hand_over()?;
        let files = self.groups.finish(self.pool.as_ref().map(|pool| (pool, self.threads)))?;
        self.pool = None;
        let mut kept = Kept {
            files,
            first_id: self.first_id,
            games: self.games,
            plies: self.plies,
            variants: self.variants,
            on_duplicates: self.on_duplicates,
            chosen: None,
            left_out: 0,
            faulty_left_out: 0,
            twins: Vec::new(),
        };
        if kept.files.is_empty() {
            return Ok(kept.report());
        }
        // While the lock is held, no other import changes the ids. The log would reject the second of two commits even
        // without it; the lock only avoids rewriting a long import repeatedly.
        let lock = lock_watched(&self.path, watch, self.games)?;
        let mut is_new = false;
        let columns = match &self.columns {
            Some(columns) => columns.clone(),
            None => {
                if !exists(&self.path)? {
                    make_table(&self.path)?;
                    is_new = true;
                }
                Columns::open(&self.path, &ArchiveOptions::default())?
            }
        };
        if let Some(filter) = &self.filter {
            kept.choose(&Matcher::of(filter)?, &columns, &self.path)?;
            if kept.files.is_empty() && is_new {
                unmake_table(&self.path)?;
                return Ok(kept.report());
            }
        }
        for attempt in 0..ATTEMPTS {
            let columns = columns.refresh()?;
            let now = columns.snapshot();
            now.check_current()?;
            if attempt == 0 {
                sweep(now, &lock);
            }
            let last = now.last_id_given()?;
            let has_room =
                |games| i64::try_from(games).ok().and_then(|games| last.checked_add(games));
            if has_room(kept.games).is_none() {
                return Err(ArchiveError::NoIdsLeft { games: kept.games, last_id: last });
            }
            let free = last + 1;
            kept.compare(&columns, &self.path, free)?;
            if free != kept.first_id {
                kept.files = shifted(kept.files, &self.path, free - kept.first_id)?;
                kept.first_id = free;
            }
            if watch.tick(kept.games).is_break() {
                return Err(ArchiveError::Stopped);
            }
            let report = kept.report();
            // All games may have been skipped as duplicates.
            if !kept.files.is_empty() {
                let ids = (report.first_id, report.last_id);
                let sources = self.sources(&kept);
                let reason = self.reason.as_deref();
                let notes = notes_of_import(kept.games, ids, &sources, reason);
                let add = |new: &[NewFile]| now.add_files(new, notes, report.last_id);
                if publish(now, &mut kept.files, add)?.is_none() {
                    continue;
                }
            }
            for duplicate in kept.reported(&self.inputs) {
                watch.duplicate(&duplicate);
            }
            return Ok(report);
        }
        Err(ArchiveError::Conflict { path: self.path.to_path_buf() })
    }

    /// The inputs whose content is known, with the numbers of games added from them.
    fn sources(&self, kept: &Kept) -> Vec<ImportedSource> {
        let sources = self.sources.iter().map(|(first, source)| {
            let games = source.games - kept.left_out(&(*first..*first + source.games));
            ImportedSource { games, ..source.clone() }
        });
        sources.collect()
    }
}

/// Rewrites the files with higher ids; the old ones are deleted.
fn shifted(
    files: Vec<writer::Written>,
    folder: &Path,
    by: i64,
) -> Result<Vec<writer::Written>, ArchiveError> {
    files.into_iter().map(|file| writer::shift_ids(&file, folder, by)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;

    #[test]
    fn an_import_has_as_many_threads_as_its_archive() -> Result<(), ArchiveError> {
        let folder = tempfile::tempdir().map_err(ArchiveError::Input)?;
        let threads = NonZero::<usize>::MIN.saturating_add(6);
        let options = ArchiveOptions { threads, ..ArchiveOptions::default() };
        let archive = Archive::create_with(folder.path().join("games"), &options)?;
        assert_eq!(archive.importer().threads, 7);
        assert_eq!(archive.importer().threads(NonZero::<usize>::MIN).threads, 1);
        Ok(())
    }
}
