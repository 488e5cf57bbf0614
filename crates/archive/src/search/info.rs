//! Statistics of an archive.

use std::collections::HashSet;

use halfmove_game::tally::Results;
use halfmove_rules::Variant;

use crate::columns::{Columns, Group, value};
use crate::error::ArchiveError;
use crate::snapshot::schema::FORMAT;
use crate::variants::{self, VariantCounts};
use arrow_array::Array;

/// The contents of an archive in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The version of the archive's format.
    pub format: String,
    /// The number of changes of the archive; every import is one.
    pub version: u64,
    /// The number of games.
    pub games: u64,
    /// The number of half-moves in all games.
    pub plies: u64,
    /// The number of data files.
    pub files: u64,
    /// The total size of these files in bytes.
    pub bytes: u64,
    /// The results of the games.
    pub results: Results,
    /// The earliest and the latest year of any game; `None` if no game has one.
    pub years: Option<(i64, i64)>,
    /// The number of games of each variant.
    pub variants: VariantCounts,
    /// The number of games that do not start from the standard starting position of their variant.
    pub own_starts: u64,
    /// The number of games whose moves end early because of a fault in the source file.
    pub faulty: u64,
    /// The number of different source names.
    pub sources: u64,
}

/// Sums up the contents of an archive. Reads a few columns of all games.
pub(crate) fn info(columns: &Columns) -> Result<Info, ArchiveError> {
    let (mut all, mut sources) = (Info::default(), HashSet::new());
    for (some, its_sources) in columns.each_group(|group| info_of(columns, group))? {
        all.plies += some.plies;
        all.results.add(&some.results);
        all.years = match (all.years, some.years) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
        all.variants.add(&some.variants);
        all.own_starts += some.own_starts;
        all.faulty += some.faulty;
        sources.extend(its_sources);
    }
    let snapshot = columns.snapshot();
    all.format = FORMAT.to_owned();
    all.version = snapshot.version();
    all.games = snapshot.len();
    all.files = snapshot.files().len() as u64;
    all.bytes = snapshot.files().iter().map(|file| file.bytes).sum();
    all.sources = sources.len() as u64;
    Ok(all)
}

/// The statistics of a row group, and the names of the sources of its games.
fn info_of(columns: &Columns, group: &Group) -> Result<(Info, HashSet<String>), ArchiveError> {
    let cache = columns.cache();
    let (plies, years) = (group.numbers("plies", cache)?, group.numbers("year", cache)?);
    let results = group.results(cache)?;
    let [starts, faults] = [group.distinct("start_fen")?, group.distinct("fault")?];
    let (variants, sources) = (group.distinct("variant")?, group.distinct("source")?);
    let known = variants.texts().iter().map(|name| name.and_then(variants::named));
    let known: Vec<Option<Variant>> = known.collect();
    let mut is_source = vec![false; sources.texts().len()];
    let mut info = Info::default();
    for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
        info.plies += value(&plies, row).and_then(|plies| u64::try_from(plies).ok()).unwrap_or(0);
        info.results.count(results[row]);
        if let Some(year) = value(&years, row).map(i64::from) {
            let (first, last) = info.years.unwrap_or((year, year));
            info.years = Some((first.min(year), last.max(year)));
        }
        info.own_starts += u64::from(starts.number(row).is_some());
        info.faulty += u64::from(faults.number(row).is_some());
        if let Some(variant) = variants.number(row).and_then(|number| known[number]) {
            info.variants.count(variant, 1);
        }
        if let Some(source) = sources.number(row) {
            is_source[source] = true;
        }
    }
    let here = sources.texts().iter().zip(is_source).filter(|(_, is_here)| *is_here);
    Ok((info, here.filter_map(|(name, _)| name.map(str::to_owned)).collect()))
}
