//! Detects games of an import that are in the archive already.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use roaring::RoaringTreemap;

use super::{ImportReport, Importer};
use crate::change::watch::ImportDuplicate;
use crate::change::writer::{Written, without};
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::search::{Incoming, Original, Twin};
use crate::variants::VariantCounts;

/// The treatment of games that are in the archive already, or come twice in the import. Such games have the main line,
/// players, date and result of another one, as for [`Archive::duplicates`](crate::Archive::duplicates).
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
    /// about 30 bytes of memory per game of the import, and time to read the dates and results of all games of the
    /// archive, and the names and moves of those that share date and result with a new one.
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
        self.groups.incoming = match what {
            OnDuplicates::Keep => None,
            OnDuplicates::Report | OnDuplicates::Skip => Some(Incoming::default()),
        };
        self
    }
}

/// The games of an import, with the files that hold them.
pub(super) struct Kept {
    pub(super) files: Vec<Written>,
    /// The id of the first game in the files.
    pub(super) first_id: i64,
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) variants: VariantCounts,
    pub(super) incoming: Option<Incoming>,
    pub(super) on_duplicates: OnDuplicates,
    /// The duplicates found, by their numbers in the import, in ascending order.
    pub(super) twins: Vec<Twin>,
}

impl Kept {
    pub(super) fn report(&self) -> ImportReport {
        ImportReport {
            games: self.games,
            plies: self.plies,
            variants: self.variants,
            first_id: self.first_id,
            last_id: self.first_id + (self.games as i64 - 1),
            files: self.files.len(),
            bytes: self.files.iter().map(|file| file.bytes).sum(),
            duplicates: self.twins.len() as u64,
        }
    }

    /// Looks for the games that are in an archive. Games to be left out are removed from the files; ids then begin with
    /// `first_id`.
    pub(super) fn compare(
        &mut self,
        now: &Columns,
        folder: &Path,
        first_id: i64,
    ) -> Result<(), ArchiveError> {
        let Some(incoming) = &mut self.incoming else { return Ok(()) };
        let twins = incoming.twins(now)?;
        if self.on_duplicates != OnDuplicates::Skip {
            self.twins = twins;
            return Ok(());
        }
        if twins.is_empty() {
            return Ok(());
        }
        let gone: HashSet<usize> = twins.iter().map(|twin| twin.number).collect();
        let in_files = gone.iter().map(|number| self.first_id + *number as i64);
        let ids: RoaringTreemap = in_files.filter_map(|id| u64::try_from(id).ok()).collect();
        let (files, plies, variants) = without(&self.files, folder, &ids, first_id)?;
        incoming.forget(&gone);
        (self.files, self.first_id) = (files, first_id);
        self.games -= gone.len() as u64;
        self.plies -= plies;
        self.variants.subtract(&variants);
        // If another program was faster, some are gone already.
        let before = std::mem::take(&mut self.twins);
        let shifts = before.iter().enumerate().map(|(index, twin)| twin.number - index);
        let shifts: Vec<usize> = shifts.collect();
        let in_import = |number| number + shifts.partition_point(|shift| *shift <= number);
        let renumbered = twins.into_iter().map(|twin| Twin {
            is_faulty: twin.is_faulty,
            number: in_import(twin.number),
            original: match twin.original {
                Original::Import(number) => Original::Import(in_import(number)),
                id => id,
            },
        });
        self.twins = renumbered.collect();
        self.twins.extend(before);
        self.twins.sort_unstable();
        Ok(())
    }

    /// The number of games left out of those with these numbers in the import.
    pub(super) fn left_out(&self, numbers: &Range<u64>) -> u64 {
        let before = |number: u64| match self.on_duplicates {
            OnDuplicates::Skip => {
                self.twins.partition_point(|twin| (twin.number as u64) < number) as u64
            }
            _ => 0,
        };
        before(numbers.end) - before(numbers.start)
    }

    /// The game that is kept of a game and its copies: a game that was left out was a copy of another one.
    fn kept(&self, original: Original) -> Original {
        let mut original = original;
        while self.on_duplicates == OnDuplicates::Skip
            && let Original::Import(number) = original
            && let Ok(at) = self.twins.binary_search_by_key(&number, |twin| twin.number)
        {
            original = self.twins[at].original;
        }
        original
    }

    /// The id of a game of the import that was not left out.
    fn id_of(&self, number: usize) -> i64 {
        let number = number as u64;
        self.first_id + (number - self.left_out(&(0..number))) as i64
    }

    /// The reports of the duplicates. `inputs` are the numbers of the first games of the inputs.
    pub(super) fn reported(&self, inputs: &[(u64, Option<usize>)]) -> Vec<ImportDuplicate> {
        let place_of = |number: usize| {
            let at = inputs.partition_point(|(first, _)| *first <= number as u64);
            let input = at.checked_sub(1).and_then(|at| inputs.get(at));
            let (first, input) = input.copied().unwrap_or((0, None));
            (input, number as u64 - first + 1)
        };
        let reports = self.twins.iter().map(|twin| {
            let (input, number) = place_of(twin.number);
            let is_kept = self.on_duplicates != OnDuplicates::Skip;
            let (original, place) = match self.kept(twin.original) {
                Original::Archive(id) => (id, None),
                Original::Import(number) => (self.id_of(number), Some(place_of(number))),
            };
            ImportDuplicate {
                input,
                number,
                id: is_kept.then(|| self.id_of(twin.number)),
                original,
                place,
                is_faulty: twin.is_faulty,
            }
        });
        reports.collect()
    }
}
