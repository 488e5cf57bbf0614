//! The games of an import that are kept: those that match its filter, without skipped duplicates.

use std::ops::Range;
use std::path::Path;

use roaring::RoaringTreemap;

use super::{ImportReport, OnDuplicates};
use crate::change::watch::ImportDuplicate;
use crate::change::writer::{Written, without};
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::search::{Matcher, Original, Twin, repeated};
use crate::variants::VariantCounts;

/// The size of the caches in bytes: each column is read once.
const CACHE: u64 = 4 << 20;

/// The games of an import, with the files that hold them.
pub(super) struct Kept {
    pub(super) files: Vec<Written>,
    /// The id of the first game in the files.
    pub(super) first_id: i64,
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) variants: VariantCounts,
    pub(super) on_duplicates: OnDuplicates,
    /// The numbers of the games that match the filter of the import, if it has one.
    pub(super) chosen: Option<RoaringTreemap>,
    /// The number of the other games.
    pub(super) left_out: u64,
    /// The number of those with a fault.
    pub(super) faulty_left_out: u64,
    /// The duplicates found, by their numbers among the chosen games, in ascending order.
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
            left_out: self.left_out,
            faulty_left_out: self.faulty_left_out,
        }
    }

    /// The files as a separate archive.
    fn columns(&self, now: &Columns) -> Columns {
        let mut first_id = self.first_id;
        let files = self.files.iter().map(|file| {
            let file = file.to_data_file(first_id);
            first_id = file.last_id + 1;
            file
        });
        now.with_cache(CACHE).with_snapshot(now.snapshot().with_files(files.collect()))
    }

    /// Drops the games that do not match a filter.
    pub(super) fn choose(
        &mut self,
        matcher: &Matcher,
        now: &Columns,
        folder: &Path,
    ) -> Result<(), ArchiveError> {
        let ids = matcher.ids(&self.columns(now))?;
        let first = u64::try_from(self.first_id).unwrap_or_default();
        let mut gone = RoaringTreemap::new();
        gone.insert_range(first..first + self.games);
        gone -= &ids;
        self.chosen = Some(ids.iter().map(|id| id - first).collect());
        self.left_out = gone.len();
        if gone.is_empty() {
            return Ok(());
        }
        let (files, removed) = without(&self.files, folder, &gone, self.first_id)?;
        self.files = files;
        self.games -= gone.len();
        self.plies -= removed.plies;
        self.variants.subtract(&removed.variants);
        self.faulty_left_out = removed.faulty;
        Ok(())
    }

    /// Finds the games that are already in an archive. Games to be skipped are removed from the files; ids then begin
    /// with `first_id`.
    pub(super) fn compare(
        &mut self,
        now: &Columns,
        folder: &Path,
        first_id: i64,
    ) -> Result<(), ArchiveError> {
        if self.on_duplicates == OnDuplicates::Keep {
            return Ok(());
        }
        let twins = repeated(&self.columns(now), &now.with_cache(CACHE))?;
        if self.on_duplicates != OnDuplicates::Skip {
            self.twins = twins;
            return Ok(());
        }
        if twins.is_empty() {
            return Ok(());
        }
        let in_files = twins.iter().map(|twin| self.first_id + twin.number as i64);
        let gone: RoaringTreemap = in_files.filter_map(|id| u64::try_from(id).ok()).collect();
        let (files, removed) = without(&self.files, folder, &gone, first_id)?;
        (self.files, self.first_id) = (files, first_id);
        self.games -= gone.len();
        self.plies -= removed.plies;
        self.variants.subtract(&removed.variants);
        // If another program committed first, some are already gone.
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

    /// The number of dropped games among those with these numbers in the import.
    pub(super) fn left_out(&self, numbers: &Range<u64>) -> u64 {
        let before = |number: u64| match &self.chosen {
            Some(chosen) => number.checked_sub(1).map_or(0, |last| chosen.rank(last)),
            None => number,
        };
        let chosen = before(numbers.start)..before(numbers.end);
        let others = (numbers.end - numbers.start) - (chosen.end - chosen.start);
        others + self.copies_before(chosen.end) - self.copies_before(chosen.start)
    }

    /// The number of duplicates skipped before a chosen game.
    fn copies_before(&self, number: u64) -> u64 {
        match self.on_duplicates {
            OnDuplicates::Skip => {
                self.twins.partition_point(|twin| (twin.number as u64) < number) as u64
            }
            _ => 0,
        }
    }

    /// The number in the import of a chosen game.
    fn in_import(&self, number: usize) -> u64 {
        let number = number as u64;
        self.chosen.as_ref().map_or(number, |chosen| chosen.select(number).unwrap_or(number))
    }

    /// The kept game among a game and its copies: a skipped game was a copy of another one.
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

    /// The id of a game of the import that was kept.
    fn id_of(&self, number: usize) -> i64 {
        let number = number as u64;
        self.first_id + (number - self.copies_before(number)) as i64
    }

    /// The reports of the duplicates. `inputs` are the numbers of the first games of the inputs.
    pub(super) fn reported(
        &self,
        inputs: &[(u64, Option<usize>)],
    ) -> impl Iterator<Item = ImportDuplicate> {
        let place_of = move |number: usize| {
            let number = self.in_import(number);
            let at = inputs.partition_point(|(first, _)| *first <= number);
            let input = at.checked_sub(1).and_then(|at| inputs.get(at));
            let (first, input) = input.copied().unwrap_or((0, None));
            (input, number - first + 1)
        };
        self.twins.iter().map(move |twin| {
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
        })
    }
}
