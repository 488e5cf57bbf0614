//! Changes of an archive, and a look at all of it.

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
    /// Begins an import. Nothing is written until there are some thousand games. Into an archive that is only read, the
    /// import fails with [`ArchiveError::ReadOnly`] before anything is written.
    pub fn importer(&self) -> Importer {
        Importer::of(&self.columns)
    }

    /// Finds the games that meet a filter, to remove them. Every game meets the default filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`], and
    /// [`ArchiveError::Filter`] if the filter makes no sense.
    pub fn remover(&self, filter: &Filter) -> Result<Remover, ArchiveError> {
        Remover::of(&self.columns, filter)
    }

    /// Removes all games of each exact group but the best, by its [commit](Remover::commit), which
    /// fails with [`ArchiveError::Conflict`] if the archive has changed since: somebody may have removed the best ones.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`].
    pub fn duplicates_remover(&self, duplicates: &Duplicates) -> Result<Remover, ArchiveError> {
        Remover::of_duplicates(&self.columns, duplicates)
    }

    /// Finds the games of players with some names, spelled exactly so, to give them another name.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`], and those of reading.
    pub fn player_merge(
        &self,
        to: &str,
        from: &[impl AsRef<str>],
    ) -> Result<PlayerMerge, ArchiveError> {
        PlayerMerge::of(&self.columns, to, from)
    }

    /// Merges small files into files of up to a million games, and orders the games of each file by their moves, so that
    /// the archive takes less room and searches read less of it. Games and ids stay the same, and so do all answers.
    ///
    /// Files that are ordered already are rewritten only if at least an eighth of the games that would be with them are
    /// new. The change is made in one step; others may read and import meanwhile. The old files stay on the disk, since
    /// earlier versions of the table consist of them.
    ///
    /// `watch` hears of the number of games so far, and may stop it.
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
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is as it was:
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::UnknownColumn`] if a later version of this
    /// library has added columns, [`ArchiveError::Damaged`], [`ArchiveError::Io`], [`ArchiveError::Delta`],
    /// [`ArchiveError::Overtaken`] if another program has rewritten the same files meanwhile, [`ArchiveError::Conflict`]
    /// and [`ArchiveError::Stopped`].
    pub fn compact(&self, watch: &mut dyn ChangeWatch) -> Result<CompactReport, ArchiveError> {
        change::compact(&self.columns, watch)
    }

    /// Takes back the last change, or all changes after a version, by a new change: the archive then has the games of that
    /// version, with the ids that they had. So an undo is taken back by another undo. Ids of games that are gone are not
    /// given to others.
    ///
    /// Nothing is rewritten, so this takes no time. Fails if the archive has changed since this value was opened.
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
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::CannotUndo`] if the files of that version are gone, if it had another format, if there is nothing
    /// to take back, or if the archive has changed since it was opened; [`ArchiveError::ReadOnly`],
    /// [`ArchiveError::Io`], [`ArchiveError::Delta`], [`ArchiveError::Conflict`] and [`ArchiveError::Stopped`].
    pub fn undo(
        &self,
        to: Option<u64>,
        watch: &mut dyn ChangeWatch,
    ) -> Result<UndoReport, ArchiveError> {
        change::undo(self.columns.snapshot(), to, watch)
    }

    /// The plan of [`Archive::undo`]. Nothing is changed.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::CannotUndo`] and as there, and [`ArchiveError::Damaged`] if the log is not as
    /// it was written.
    pub fn undo_plan(&self, to: Option<u64>) -> Result<UndoReport, ArchiveError> {
        change::undo_plan(self.columns.snapshot(), to)
    }

    /// Deletes data files needed only by versions that were superseded before `before`, and what killed imports have left. [`Archive::undo`] cannot go back to versions whose files are gone; [`Archive::history`] says which ones
    /// these are. Files of the current version, files that somebody is writing, and files that are not named like ours
    /// stay.
    ///
    /// Whoever still reads an older version may then find files missing: so the moment should lie some days ago. It can be
    /// stopped while it waits for another change; once it deletes, it goes on to the end.
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
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::Io`] if a file cannot be deleted, after which the others stay for the next time; any error from
    /// reading the log, and [`ArchiveError::Stopped`].
    pub fn vacuum(
        &self,
        before: SystemTime,
        watch: &mut dyn ChangeWatch,
    ) -> Result<VacuumReport, ArchiveError> {
        change::vacuum(self.columns.snapshot(), before, watch)
    }

    /// The files that [`Archive::vacuum`] would delete. Nothing is changed, and nobody has to wait: files that somebody is committing in
    /// this moment may be among them.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::ReadOnly`], and any error from reading the log.
    pub fn vacuum_plan(&self, before: SystemTime) -> Result<VacuumReport, ArchiveError> {
        change::vacuum_plan(self.columns.snapshot(), before)
    }

    /// Reads all of the archive, and tells what is not as it was written or not as it should be: entries of the log,
    /// files and pages by their checksums, and each game by decoding it. Problems do not end it.
    ///
    /// An archive whose log is damaged cannot even be opened: [`Archive::open`] says so.
    ///
    /// `watch` hears of the number of games so far, and may stop it.
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
