//! The table and the functions for another DataFusion session, for instance to join archives with each other or with
//! other tables.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use halfmove_archive::Archive;

use crate::error::{SqlError, of_engine};
use crate::functions::{aggregate_functions, scalar_functions};
use crate::options::SqlOptions;
use crate::rules::{CheckReadings, NarrowExplore};
use crate::table::{GamesTable, HalfmovesTable};

/// Adds the games of a snapshot, as a table with the given name, and all functions to a session of the engine.
///
/// The archive evaluates `reaches(moves, '…')` as its searches do. All other columns are read from files, which plans
/// name; [`Sql`](crate::Sql) may take them from memory. The session decides about threads, memory and permissions.
/// `tag` takes the column of the tag: `tag('Opening', other_tags)`. Conditions on other columns are evaluated while
/// files are read only if the session's option `datafusion.execution.parquet.pushdown_filters` is set.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::{Archive, Importer};
/// use halfmove_sql::datafusion::prelude::{SessionContext, col, lit};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games");
/// let mut importer = Importer::open(&path)?;
/// importer.read_pgn([Ok("[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 *".as_bytes())], &mut ())?;
/// importer.commit()?;
///
/// let session = SessionContext::new();
/// halfmove_sql::register(&Archive::open(&path)?, &session, "morphy")?;
/// tokio::runtime::Runtime::new()?.block_on(async {
///     let games = session.table("morphy").await?.filter(col("plies").gt(lit(3)))?;
///     assert_eq!(games.count().await?, 1);
///     Ok(())
/// })
/// # }
/// ```
///
/// # Errors
///
/// The engine rejects the table, for instance because its name is taken.
pub fn register(archive: &Archive, session: &SessionContext, name: &str) -> Result<(), SqlError> {
    add_to(session, archive, name).map_err(|error| of_engine(&error, &SqlOptions::default()))
}

/// The games of a snapshot as a table for a session of the engine.
pub fn table_provider(archive: &Archive) -> Arc<dyn TableProvider> {
    Arc::new(GamesTable::new(archive))
}

/// The half-moves of the games of a snapshot as a table for a session of the engine, with the columns of
/// [`HALFMOVES`](halfmove_functions::halfmoves::HALFMOVES).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::{Archive, Importer};
/// use halfmove_sql::datafusion::prelude::{SessionContext, col, lit};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games");
/// let mut importer = Importer::open(&path)?;
/// importer.read_pgn([Ok("1. e4 e5 2. Nf3 d6 *".as_bytes())], &mut ())?;
/// importer.commit()?;
///
/// let session = SessionContext::new();
/// session.register_table("halfmoves", halfmove_sql::halfmoves_provider(&Archive::open(&path)?))?;
/// tokio::runtime::Runtime::new()?.block_on(async {
///     let moves = session.table("halfmoves").await?.filter(col("color").eq(lit("white")))?;
///     assert_eq!(moves.count().await?, 2);
///     Ok(())
/// })
/// # }
/// ```
pub fn halfmoves_provider(archive: &Archive) -> Arc<dyn TableProvider> {
    Arc::new(HalfmovesTable::new(GamesTable::new(archive)))
}

/// Adds the table, the functions and our rules to a session.
pub(crate) fn add_to(session: &SessionContext, archive: &Archive, name: &str) -> Result<()> {
    for function in scalar_functions() {
        session.register_udf(function);
    }
    for function in aggregate_functions() {
        session.register_udaf(function);
    }
    session.add_analyzer_rule(Arc::new(CheckReadings));
    session.add_optimizer_rule(Arc::new(NarrowExplore));
    session.register_table(name, table_provider(archive))?;
    Ok(())
}
