//! The table functions: rows of an archive.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use halfmove_archive::halfmoves::{HALFMOVES, Halfmoves};
use halfmove_archive::{
    Archive, ArchiveError, ArchiveOptions, Batches, Details, ExploreOptions, Explorer,
    ExplorerMove, Filter, Results,
};
use halfmove_rules::AnyPosition;

use crate::conditions::{self, Given};

/// The batches of a running query.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<RecordBatch, String>> + Send>;

/// The rows that a call of a table function reads.
pub(crate) trait Source: Send + Sync {
    /// All columns.
    fn schema(&self) -> SchemaRef;

    /// The rows, with these columns in this order.
    fn open(&self, columns: &[&str]) -> Result<Rows, String>;
}

/// Makes a filter of the named parameters of a call.
type MakeFilter = fn(&Given<'_>, &Archive) -> Result<Filter, String>;

/// A table function.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// Makes a filter of the conditions, if it takes any.
    pub(crate) filter: Option<MakeFilter>,
    source: fn(Archive, Filter) -> Result<Box<dyn Source>, ArchiveError>,
}

impl Table {
    /// Binds a call.
    pub(crate) fn bind(
        &self,
        path: Option<&str>,
        given: &Given<'_>,
    ) -> Result<Box<dyn Source>, String> {
        let path = path.ok_or_else(|| format!("{}: expected the path of an archive", self.name))?;
        let archive = opened(Path::new(path)).map_err(|error| error.to_full_string())?;
        let filter = match self.filter {
            Some(filter) => filter(given, &archive)?,
            None => Filter::default(),
        };
        (self.source)(archive, filter).map_err(|error| error.to_full_string())
    }
}

/// The games of an archive.
pub(crate) const GAMES: Table =
    Table { name: "halfmove_games", filter: None, source: Games::source };

/// All table functions.
pub(crate) static TABLES: [Table; 4] = [
    GAMES,
    Table { name: "halfmove_search", filter: Some(conditions::filter), source: Games::source },
    Table {
        name: "halfmove_positions",
        filter: Some(conditions::filter),
        source: Positions::source,
    },
    Table {
        name: "halfmove_explore",
        filter: Some(conditions::explorer_filter),
        source: Explored::source,
    },
];

/// True for what may be an archive: a folder with a log, or anything with the ending `.halfmove`.
pub(crate) fn is_archive(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|it| it == "halfmove") || path.join("_delta_log").is_dir()
}

/// The archive at a path in its newest version. Archives stay open, so that what a search has read once stays in memory, until another
/// archive is in their place.
fn opened(path: &Path) -> Result<Archive, ArchiveError> {
    /// Open archives, with the time when their logs were created, if the file system knows it.
    type Opened = HashMap<PathBuf, (Option<SystemTime>, Archive)>;
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let created = fs::metadata(key.join("_delta_log")).and_then(|log| log.created()).ok();
    let known = OPENED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    let known = known.filter(|(then, _)| *then == created);
    let archive = match known.map(|(_, archive)| archive.refresh()) {
        Some(Ok(archive)) => archive,
        _ => Archive::open(path)?,
    };
    let entry = (created, archive.clone());
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, entry);
    Ok(archive)
}

/// The number of threads that may take batches at the same time.
pub(crate) fn threads() -> u64 {
    ArchiveOptions::default().threads.get() as u64
}

/// The batches of an archive, with errors as messages.
fn rows(batches: Result<Batches, ArchiveError>) -> Result<Rows, String> {
    let batches = batches.map_err(|error| error.to_full_string())?;
    Ok(Box::new(batches.map(|batch| batch.map_err(|error| error.to_full_string()))))
}

/// The games of a filter.
struct Games {
    archive: Archive,
    filter: Filter,
    schema: SchemaRef,
}

impl Games {
    fn source(archive: Archive, filter: Filter) -> Result<Box<dyn Source>, ArchiveError> {
        let schema = Archive::columns_schema(&[])?;
        Ok(Box::new(Self { archive, filter, schema }))
    }
}

impl Source for Games {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn open(&self, columns: &[&str]) -> Result<Rows, String> {
        rows(self.archive.columns(&self.filter, columns))
    }
}

/// The half-moves of the games of a filter.
struct Positions {
    archive: Archive,
    filter: Filter,
}

impl Positions {
    fn source(archive: Archive, filter: Filter) -> Result<Box<dyn Source>, ArchiveError> {
        Ok(Box::new(Self { archive, filter }))
    }
}

impl Source for Positions {
    fn schema(&self) -> SchemaRef {
        Arc::clone(Halfmoves::new(&HALFMOVES).schema())
    }

    fn open(&self, columns: &[&str]) -> Result<Rows, String> {
        let halfmoves = Halfmoves::of_names(columns.iter().copied());
        let halfmoves = halfmoves.map_err(|error| error.to_string())?;
        rows(self.archive.halfmoves(&self.filter, &halfmoves))
    }
}

/// The moves played in a position, in the games of a filter.
struct Explored {
    archive: Archive,
    filter: Filter,
    position: AnyPosition,
}

/// The columns of [`Explored`] that need the ratings and dates of games.
const DETAILS: [&str; 4] =
    ["average_rating", "average_opponent_rating", "performance", "last_played"];

impl Explored {
    fn source(archive: Archive, filter: Filter) -> Result<Box<dyn Source>, ArchiveError> {
        let start = || AnyPosition::start(filter.variant.unwrap_or_default());
        let position = filter.position.clone().unwrap_or_else(start);
        let filter = Filter { position: None, ..filter };
        Ok(Box::new(Self { archive, filter, position }))
    }
}

impl Source for Explored {
    fn schema(&self) -> SchemaRef {
        columns_of(&Explorer::default())
            .map_or_else(|_| Arc::new(Schema::empty()), |it| it.schema())
    }

    fn open(&self, columns: &[&str]) -> Result<Rows, String> {
        let mut options = ExploreOptions::default();
        options.details = columns.iter().any(|column| DETAILS.contains(column));
        let explorer = self.archive.explore_with(&self.filter, self.position.clone(), &options);
        let all = columns_of(&explorer.map_err(|error| error.to_full_string())?);
        let asked = all.and_then(|all| {
            let index = |name: &&str| all.schema_ref().index_of(name);
            all.project(&columns.iter().map(index).collect::<Result<Vec<_>, _>>()?)
        });
        Ok(Box::new(std::iter::once(asked.map_err(|error| error.to_string()))))
    }
}

/// The moves of an explorer in columns.
fn columns_of(explorer: &Explorer) -> Result<RecordBatch, ArrowError> {
    let moves = || explorer.moves.iter();
    let texts = |of: fn(&ExplorerMove) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(moves().map(of)))
    };
    let counts = |of: fn(&Results) -> u64| -> ArrayRef {
        let counts = moves().map(|mv| i64::try_from(of(&mv.results)).unwrap_or(i64::MAX));
        Arc::new(Int64Array::from_iter_values(counts))
    };
    let ratings = |of: fn(&Details) -> Option<i32>| -> ArrayRef {
        Arc::new(moves().map(|mv| of(mv.details.as_ref()?)).collect::<Int32Array>())
    };
    let last = moves().map(|mv| Some(mv.details.as_ref()?.last_played?.to_string()));
    let columns = [
        ("uci", texts(|mv| &mv.uci)),
        ("san", texts(|mv| &mv.san)),
        ("white", counts(|results| results.white)),
        ("draws", counts(|results| results.draws)),
        ("black", counts(|results| results.black)),
        ("other", counts(|results| results.other)),
        (DETAILS[0], ratings(|details| details.average_rating)),
        (DETAILS[1], ratings(|details| details.average_opponent_rating)),
        (DETAILS[2], ratings(|details| details.performance)),
        (DETAILS[3], Arc::new(last.collect::<StringArray>())),
    ];
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, column)| (name, column, true)),
    )
}
