//! Detection of the games of an import that are in the archive already.

use super::Importer;

/// The treatment of games that are in the archive already, or come twice in the import. Such games have the main line,
/// players, date and result of another one, and contradict it in no other fact, as for
/// [`Archive::duplicates`](crate::Archive::duplicates).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDuplicates {
    /// Imports them like any others, without looking for them.
    #[default]
    Keep,
    /// Imports, counts and reports them.
    Report,
    /// Leaves them out, counts and reports them.
    Skip,
}

impl Importer {
    /// Sets the treatment of games that are in the archive already; the default is not to look for them. Looking takes
    /// place in the commit. It reads the new games again, the dates and results of all games of the archive, and the names and
    /// moves of those that share date and result with a new one, and takes some 100 MB of memory at most, beside that for the
    /// duplicates that it finds.
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
