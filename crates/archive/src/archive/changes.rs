//! Methods that change an archive, and verification.

use std::collections::HashMap;
use std::time::SystemTime;

use super::Archive;
use crate::change::{
    self, ChangeWatch, CompactReport, Importer, PlayerMerge, Remover, UndoReport, VacuumReport,
    VerifyReport,
};
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::search::Duplicates;

impl Archive {
    /// Begins an import. The first files are written after some thousand games. If the archive is read-only, the import
    /// fails with [`ArchiveError::ReadOnly`] before that.
    pub fn importer(&self) -> Importer {
        Importer::of(&self.columns)
    }

    /// Prepares the removal of the games that match a filter. Every game matches the default filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`], and
    /// [`ArchiveError::Filter`] if the filter is invalid.
    pub fn remover(&self, filter: &Filter) -> Result<Remover, ArchiveError> {
        Remover::of(&self.columns, filter)
    }

    /// Prepares the removal of all games of each exact group except the best one. The [commit](Remover::commit) fails
    /// with [`ArchiveError::Conflict`] if the archive has changed since, because the best ones may have been removed.
    /// [`Remover::with_twins`] also removes twins, and [`Remover::merging_tags`] completes the tags of the remaining
    /// games.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`].
    pub fn duplicates_remover(&self, duplicates: &Duplicates) -> Result<Remover, ArchiveError> {
        Remover::of_duplicates(&self.columns, duplicates)
    }

    /// Prepares to replace the given names of players, spelled exactly, with another name.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`], and any error from reading the games.
    pub fn player_merge(
        &self,
        to: &str,
        from: &[impl AsRef<str>],
    ) -> Result<PlayerMerge, ArchiveError> {
        PlayerMerge::of(&self.columns, to, from)
    }

    /// Prepares to replace names of players, spelled exactly, each with its new name. New names are not replaced again.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`], and any error from reading the games.
    pub fn player_merges(&self, new: HashMap<String, String>) -> Result<PlayerMerge, ArchiveError> {
        PlayerMerge::of_names(&self.columns, new)
    }

    /// Merges small files into files of up to a million games, and sorts the games of each file by their moves, so that
    /// the archive takes less space and searches read less of it. Games, ids and the results of all queries stay the
    /// same.
    ///
    /// Sorted files are rewritten only if at least an eighth of the games of the merged file are new. The change is
    /// atomic; other programs may read and import meanwhile. The old files stay on disk, because earlier versions need
    /// them.
    ///
    /// `watch` receives the number of games processed so far, and may stop the work.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// for text in ["1. e4 e5 *", "1. d4 d5 *"] {
    ///     let mut importer = Importer::open(&path)?;
    ///     importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    ///     importer.commit()?;
    /// }
    /// let report = Archive::open(&path)?.compact(&mut ())?;
    /// assert_eq!((report.games, report.files_before, report.files), (2, 2, 1));
    /// let report = Archive::open(&path)?.compact(&mut ())?;
    /// assert_eq!(report.games, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`] if a later version of this library has added
    /// columns, [`ArchiveError::Damaged`], [`ArchiveError::Io`], [`ArchiveError::Delta`], [`ArchiveError::Overtaken`]
    /// if another program has rewritten the same files meanwhile, [`ArchiveError::Conflict`] and
    /// [`ArchiveError::Stopped`].
    pub fn compact(&self, watch: &mut dyn ChangeWatch) -> Result<CompactReport, ArchiveError> {
        change::compact(&self.columns, watch)
    }

    /// Undoes the last change, or all changes after a version, by a new change: the archive then has the games of that
    /// version, with their ids. An undo can itself be undone. The ids of undone games are not reused.
    ///
    /// Nothing is rewritten, so this is fast. It fails if the archive has changed since this value was opened.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("1. e4 e5 *".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let undo = archive.undo(None, &mut ())?;
    /// assert_eq!((undo.games_before, undo.games_after), (1, 0));
    /// assert!(archive.refresh()?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::CannotUndo`] if files of that version are gone, if it had another format, if there is nothing to
    /// undo, or if the archive has changed since it was opened; [`ArchiveError::ReadOnly`], [`ArchiveError::Io`],
    /// [`ArchiveError::Delta`], [`ArchiveError::Conflict`] and [`ArchiveError::Stopped`].
    pub fn undo(
        &self,
        to: Option<u64>,
        watch: &mut dyn ChangeWatch,
    ) -> Result<UndoReport, ArchiveError> {
        change::undo(self.columns.snapshot(), to, watch)
    }

    /// The effect that [`Archive::undo`] would have, without changing anything.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::CannotUndo`] as for [`Archive::undo`], and [`ArchiveError::Damaged`] if the log was altered.
    pub fn undo_plan(&self, to: Option<u64>) -> Result<UndoReport, ArchiveError> {
        change::undo_plan(self.columns.snapshot(), to)
    }

    /// Deletes data files needed only by versions that were superseded before `before`, and the leftovers of killed
    /// imports. [`Archive::undo`] cannot restore versions whose files are gone; [`Archive::history`] marks those that
    /// it can. Files of the current version, files that are being written, and files with foreign names are kept.
    ///
    /// Programs that read an older version may find files missing, so `before` should be some days in the past. The
    /// work can be stopped while it waits for another change, but not once it deletes files.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use std::time::{Duration, SystemTime};
    /// use halfmove_archive::Archive;
    ///
    /// let archive = Archive::create(&path)?;
    /// let week = Duration::from_secs(7 * 24 * 60 * 60);
    /// let vacuumed = archive.vacuum(SystemTime::now() - week, &mut ())?;
    /// assert!(vacuumed.files.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::Io`] if a file cannot be deleted, in which case the remaining files
    /// are kept until the next time; any error from reading the log, and [`ArchiveError::Stopped`].
    pub fn vacuum(
        &self,
        before: SystemTime,
        watch: &mut dyn ChangeWatch,
    ) -> Result<VacuumReport, ArchiveError> {
        change::vacuum(self.columns.snapshot(), before, watch)
    }

    /// The files that [`Archive::vacuum`] would delete, without changing anything or blocking other changes. The list
    /// may contain files that are just being committed.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], and any error from reading the log.
    pub fn vacuum_plan(&self, before: SystemTime) -> Result<VacuumReport, ArchiveError> {
        change::vacuum_plan(self.columns.snapshot(), before)
    }

    /// Reads the whole archive and reports everything that was altered or is invalid: entries of the log, files and
    /// pages by their checksums, and each game by decoding it. It continues after problems.
    ///
    /// If the log is damaged, [`Archive::open`] already fails.
    ///
    /// `watch` receives the number of games processed so far, and may stop the work.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("1. e4 e5 *".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let verified = Archive::open(&path)?.verify(&mut ())?;
    /// assert_eq!((verified.games, verified.plies), (1, 2));
    /// assert!(verified.problems.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the log cannot be read, and [`ArchiveError::Stopped`].
    pub fn verify(&self, watch: &mut dyn ChangeWatch) -> Result<VerifyReport, ArchiveError> {
        change::verify(&self.columns, watch)
    }
}
