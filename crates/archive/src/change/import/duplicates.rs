//! The option to detect games that are already in the archive.

use super::Importer;

/// The treatment of games that are already in the archive, or occur twice in the import. Such games have the main line,
/// players, date and result of another one, and no contradicting facts, as for
/// [`Archive::duplicates`](crate::Archive::duplicates).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDuplicates {
    /// Import them without checking.
    #[default]
    Keep,
    /// Import, count and report them.
    Report,
    /// Skip, count and report them.
    Skip,
}

impl Importer {
    /// Sets the treatment of games that are already in the archive; the default is not to check. The commit checks: it
    /// reads the new games again, the dates and results of all games of the archive, and the names and moves of those
    /// that share date and result with a new one. It takes at most some 100 MB of memory, plus that for the duplicates
    /// found.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Importer, OnDuplicates};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let text = "[White \"Kasparov, Garry\"]\n[Black \"Short, Nigel\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 \
    ///     5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 *\n";
    /// for (games, duplicates) in [(1, 0), (0, 1)] {
    ///     let mut importer = Importer::open(&path)?.on_duplicates(OnDuplicates::Skip);
    ///     importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
    ///     let report = importer.commit()?;
    ///     assert_eq!((report.games, report.duplicates), (games, duplicates));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn on_duplicates(mut self, what: OnDuplicates) -> Self {
        self.on_duplicates = what;
        self
    }
}
