//! The table functions: rows of an archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use halfmove_archive::halfmoves::{HALFMOVES, Halfmoves, Plies};
use halfmove_archive::{
    Archive, ArchiveError, ArchiveOptions, Batches, ExploreOptions, Explorer, Filter,
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

/// Reads the parameters of a call.
type Bind = fn(Archive, &Given<'_>) -> Result<Box<dyn Source>, String>;

/// A table function.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// The names of its named parameters.
    pub(crate) parameters: fn() -> Vec<&'static str>,
    source: Bind,
}

impl Table {
    /// Binds a call.
    pub(crate) fn bind(
        &self,
        path: Option<&str>,
        given: &Given<'_>,
    ) -> Result<Box<dyn Source>, String> {
        let path = path.ok_or_else(|| format!("{}: expected the path of an archive", self.name))?;
        let archive = open_archive(Path::new(path)).map_err(|error| error.to_full_string())?;
        (self.source)(archive, given)
    }
}

/// The games of an archive.
pub(crate) const GAMES: Table =
    Table { name: "halfmove_games", parameters: Vec::new, source: Games::source };

/// All table functions.
pub(crate) static TABLES: [Table; 4] = [
    GAMES,
    Table { name: "halfmove_search", parameters: conditions::names, source: Games::source },
    Table {
        name: "halfmove_positions",
        parameters: conditions::names_and_ply,
        source: Positions::source,
    },
    Table { name: "halfmove_explore", parameters: conditions::names, source: Explored::source },
];

/// True for what may be an archive: a folder with a log, or anything with the ending `.halfmove`.
pub(crate) fn is_archive(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|it| it == "halfmove") || path.join("_delta_log").is_dir()
}

/// The archive at a path in its newest version. The archives of the last calls stay open, so that what a search has read once stays in
/// memory, until another archive is in their place.
fn open_archive(path: &Path) -> Result<Archive, ArchiveError> {
    static OPEN: Mutex<OpenArchives> = Mutex::new(OpenArchives(Vec::new()));
    let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let created = fs::metadata(key.join("_delta_log")).and_then(|log| log.created()).ok();
    let known = OPEN.lock().unwrap_or_else(PoisonError::into_inner).get(&key, created);
    let archive = match known.map(|archive| archive.refresh()) {
        Some(Ok(archive)) => archive,
        _ => Archive::open(path)?,
    };
    let kept = archive.clone();
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).keep(key, created, kept);
    Ok(archive)
}

/// Open archives by their paths, with the time when their logs were created, if the file system knows it; the last used is the last.
struct OpenArchives(Vec<(PathBuf, Option<SystemTime>, Archive)>);

impl OpenArchives {
    /// The maximum number of open archives.
    const MOST: usize = 8;

    fn get(&self, path: &Path, created: Option<SystemTime>) -> Option<Archive> {
        let (_, then, archive) = self.0.iter().find(|(known, ..)| known == path)?;
        (*then == created).then(|| archive.clone())
    }

    /// Keeps an archive, in place of another at the same path or of that which was not used for the longest time.
    fn keep(&mut self, path: PathBuf, created: Option<SystemTime>, archive: Archive) {
        self.0.retain(|(known, ..)| *known != path);
        if self.0.len() == Self::MOST {
            self.0.remove(0);
        }
        self.0.push((path, created, archive));
    }
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
    fn source(archive: Archive, given: &Given<'_>) -> Result<Box<dyn Source>, String> {
        let filter = conditions::filter(given, &archive)?;
        let schema = Archive::columns_schema(&[]).map_err(|error| error.to_full_string())?;
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

/// The half-moves with some numbers, of the games of a filter.
struct Positions {
    archive: Archive,
    filter: Filter,
    plies: Plies,
}

impl Positions {
    fn source(archive: Archive, given: &Given<'_>) -> Result<Box<dyn Source>, String> {
        let filter = conditions::filter(given, &archive)?;
        Ok(Box::new(Self { archive, filter, plies: conditions::plies(given)? }))
    }
}

impl Source for Positions {
    fn schema(&self) -> SchemaRef {
        Arc::clone(Halfmoves::new(&HALFMOVES).schema())
    }

    fn open(&self, columns: &[&str]) -> Result<Rows, String> {
        let halfmoves = Halfmoves::of_names(columns.iter().copied());
        let halfmoves = halfmoves.map_err(|error| error.to_string())?;
        let halfmoves = halfmoves.with_plies(self.plies.clone());
        rows(self.archive.halfmoves(&self.filter, &halfmoves))
    }
}

/// The moves played in a position, in the games of a filter.
struct Explored {
    archive: Archive,
    filter: Filter,
    position: AnyPosition,
}

/// The columns of an explorer that are always counted.
const COUNTS: [&str; 6] = ["uci", "san", "white", "draws", "black", "other"];

/// Those that are computed if a query names one of them.
const DETAILS: [&str; 4] =
    ["average_rating", "average_opponent_rating", "performance", "last_played"];

impl Explored {
    fn source(archive: Archive, given: &Given<'_>) -> Result<Box<dyn Source>, String> {
        let filter = conditions::explorer_filter(given, &archive)?;
        let start = || AnyPosition::start(filter.variant.unwrap_or_default());
        let position = filter.position.clone().unwrap_or_else(start);
        let filter = Filter { position: None, ..filter };
        Ok(Box::new(Self { archive, filter, position }))
    }
}

impl Source for Explored {
    fn schema(&self) -> SchemaRef {
        let columns = columns_of(&Explorer::default(), &[&COUNTS[..], &DETAILS[..]].concat());
        columns.map_or_else(|_| Arc::new(Schema::empty()), |it| it.schema())
    }

    fn open(&self, columns: &[&str]) -> Result<Rows, String> {
        let mut options = ExploreOptions::default();
        options.details = columns.iter().any(|column| DETAILS.contains(column));
        let explorer = self.archive.explore_with(&self.filter, self.position.clone(), &options);
        let asked = explorer.and_then(|explorer| columns_of(&explorer, columns));
        Ok(Box::new(std::iter::once(asked.map_err(|error| error.to_full_string()))))
    }
}

/// Some columns of the moves of an explorer.
fn columns_of(explorer: &Explorer, columns: &[&str]) -> Result<RecordBatch, ArchiveError> {
    let all = explorer.to_batch()?;
    let index = |name: &&str| all.schema_ref().index_of(name);
    let indices = columns.iter().map(index).collect::<Result<Vec<_>, _>>()?;
    Ok(all.project(&indices)?)
}
