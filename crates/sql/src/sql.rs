//! A session of the engine for the queries of one archive.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{DataFrame, SessionConfig, SessionContext};
use datafusion::sql::parser::Statement;
use halfmove_archive::{Archive, CancelToken, RoaringTreemap};

use crate::answer::QueryResult;
use crate::condition;
use crate::error::{SqlError, of_engine, raise};
use crate::execution::{Deadline, on_large_stack, start};
use crate::options::SqlOptions;
use crate::ordered::ordered_aggregates;
use crate::register::{add_to, halfmoves_provider};
use crate::statement::{check_plan, parse, parse_condition, unknown_name};
use crate::table::{HistoryTable, KeepsColumns};

/// The name of the table of games.
pub(crate) const TABLE: &str = "games";

/// The name of the table of half-moves.
pub(crate) const HALFMOVES: &str = "halfmoves";

/// The name of the table of changes.
pub(crate) const HISTORY: &str = "history";

/// SQL over one snapshot of an archive, for any number of queries, which may run concurrently.
///
/// Cloning is cheap; clones share the memory limit.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use halfmove_archive::Archive;
/// use halfmove_sql::{Sql, SqlError, SqlOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let archive = Archive::create(folder.path().join("games"))?;
/// let sql = Sql::new(&archive, &SqlOptions::default())?;
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let error = sql.query("SELECT whit FROM games").await.unwrap_err();
/// let SqlError::UnknownColumn { name, near, place, .. } = error else { panic!("{error}") };
/// assert_eq!((name.as_str(), near.as_deref()), ("whit", Some("white")));
/// assert_eq!(place.map(|place| (place.line, place.column)), Some((1, 8)));
/// # Ok(()) })
/// # }
/// ```
#[derive(Clone)]
pub struct Sql {
    session: SessionContext,
    options: SqlOptions,
    /// The archive's, which ends all queries.
    cancel: CancelToken,
    /// The archive, its version and this program, for the metadata of files.
    origin: Vec<(String, String)>,
}

impl std::fmt::Debug for Sql {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sql").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Sql {
    /// Sets up the engine for the archive's snapshot.
    ///
    /// # Errors
    ///
    /// [`SqlError::Planning`] and [`SqlError::Execution`] if the engine cannot be set up.
    pub fn new(archive: &Archive, options: &SqlOptions) -> Result<Self, SqlError> {
        let session = session(archive, options).map_err(|error| of_engine(&error, options))?;
        let name = options.archive_name.clone().unwrap_or_else(|| {
            let path = archive.path();
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        });
        let program = concat!("halfmove/", env!("CARGO_PKG_VERSION"));
        let origin = [
            ("halfmove.archive", name),
            ("halfmove.archive_version", archive.version().to_string()),
            ("halfmove.program", program.to_owned()),
        ];
        let origin = origin.map(|(key, value)| (key.to_owned(), value)).to_vec();
        let cancel = archive.cancel_token().clone();
        Ok(Self { session, options: options.clone(), cancel, origin })
    }

    /// Runs a query of the tables `games`, `halfmoves` and `history`.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures::TryStreamExt;
    /// # use halfmove_sql::{Sql, SqlOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// # let sql = Sql::new(&archive, &SqlOptions::default())?;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let mut answer = sql.query("SELECT count(*) AS games FROM games").await?;
    /// assert_eq!(answer.columns()[0].name, "games");
    /// let batch = answer.try_next().await?.ok_or("no rows")?;
    /// assert_eq!(batch.cells()?, [[Some("0".to_owned())]]);
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Any [`SqlError`] except [`ConditionType`](SqlError::ConditionType) and
    /// [`ConditionOnGroups`](SqlError::ConditionOnGroups).
    pub async fn query(&self, text: &str) -> Result<QueryResult, SqlError> {
        let deadline = Deadline::of(self.options.time_limit);
        let mut metadata = self.origin.clone();
        metadata.push(("halfmove.query".to_owned(), text.to_owned()));
        let (session, cancel, text) = (self.session.clone(), self.cancel.clone(), text.to_owned());
        let work = on_large_stack(move || async move {
            let statement = parse(&text).map_err(raise)?;
            start(plan(&session, statement).await?, cancel, deadline).await
        });
        let batches = deadline.wait(work).await.map_err(|error| self.error(&error))?;
        Ok(QueryResult::new(deadline.bound(batches), &self.options, metadata))
    }

    /// The ids of the games that meet a condition, for [`Filter::ids`](halfmove_archive::Filter::ids). The condition is
    /// the part after `WHERE` in a query of the table; it may contain subqueries.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, Importer};
    /// use halfmove_sql::{Sql, SqlOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// # let mut importer = Importer::open(&path)?;
    /// # importer.read_pgn([Ok("1. e4 e5 *\n\n1. d4 *\n".as_bytes())], &mut ())?;
    /// # importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let sql = Sql::new(&archive, &SqlOptions::default())?;
    /// let ids = tokio::runtime::Runtime::new()?.block_on(sql.ids_where("plies < 2"))?;
    /// assert_eq!(ids.iter().collect::<Vec<_>>(), [2]);
    /// let filter = Filter { ids: Some(ids), ..Filter::default() };
    /// assert_eq!(archive.count(&filter)?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`SqlError::ConditionType`] and [`SqlError::ConditionOnGroups`] if it is not a condition on each game, and the
    /// errors of queries.
    pub async fn ids_where(&self, condition: &str) -> Result<RoaringTreemap, SqlError> {
        let deadline = Deadline::of(self.options.time_limit);
        let (session, cancel, condition) =
            (self.session.clone(), self.cancel.clone(), condition.to_owned());
        let work = on_large_stack(move || async move {
            let condition = parse_condition(&condition).map_err(raise)?;
            condition::check(&condition, &session.state()).map_err(raise)?;
            let planned = plan(&session, condition::query_of(condition).map_err(raise)?).await?;
            start(condition::filter_of(planned)?, cancel, deadline).await
        });
        let ids = async { condition::ids_of(work.await?).await };
        deadline.wait(ids).await.map_err(|error| self.error(&error))
    }

    /// The names of all functions that a query can call, in alphabetical order: those over moves and those of the
    /// engine.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use halfmove_sql::{Sql, SqlOptions};
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// let names = Sql::new(&archive, &SqlOptions::default())?.function_names();
    /// assert!(["count", "explore", "reaches", "row_number"].iter().all(|name| names.contains(&name.to_string())));
    /// # Ok(()) }
    /// ```
    pub fn function_names(&self) -> Vec<String> {
        let state = self.session.state();
        let names: BTreeSet<&String> = state
            .scalar_functions()
            .keys()
            .chain(state.higher_order_functions().keys())
            .chain(state.aggregate_functions().keys())
            .chain(state.window_functions().keys())
            .collect();
        names.into_iter().cloned().collect()
    }

    fn error(&self, error: &datafusion::error::DataFusionError) -> SqlError {
        of_engine(error, &self.options)
    }
}

/// A session with the table.
fn session(archive: &Archive, options: &SqlOptions) -> Result<SessionContext> {
    let mut config = SessionConfig::new()
        .with_information_schema(true)
        .with_target_partitions(options.threads.get())
        .with_extension(Arc::new(KeepsColumns));
    let settings = config.options_mut();
    // Errors about columns then have a place.
    settings.sql_parser.collect_spans = true;
    // Most games lack some values, which are seldom those that a list should begin with.
    settings.sql_parser.default_null_ordering = "nulls_last".to_owned();
    // Conditions are evaluated while a file is read, one column after the other; of each further
    // column only the remaining rows are read: `moves` is by far the widest column.
    settings.execution.parquet.pushdown_filters = true;
    // Replaying a megabyte of moves takes longer than starting a second thread; the engine's default is meant for
    // cheaper queries.
    settings.optimizer.repartition_file_min_size = 1 << 20;
    // Rows that fill the memory are sorted in one piece before they go to a file, because merging pieces would take
    // memory for each, which is not available. Texts of one piece may have up to 2 GiB.
    settings.execution.sort_in_place_threshold_bytes = 1 << 30;
    // Memory that sorts reserve to merge files: at most a quarter for all partitions together.
    let merge_bytes = &mut settings.execution.sort_spill_reservation_bytes;
    *merge_bytes = (*merge_bytes).min(options.memory_bytes / options.threads / 4);
    // `halfmoves` are in order: windows over the half-moves of a game need no sort.
    settings.optimizer.prefer_existing_sort = true;
    // A thread that may take work from its siblings opens its next range ahead of time, and would take both ranges
    // of an archive that has only two.
    settings.execution.enable_file_stream_work_stealing = false;
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(options.runtime()?)
        .with_default_features()
        .build();
    let session = SessionContext::new_with_state(state);
    add_to(&session, archive, TABLE)?;
    for function in ordered_aggregates() {
        session.register_udaf(function);
    }
    session.register_table(HALFMOVES, halfmoves_provider(archive))?;
    session.register_table(HISTORY, Arc::new(HistoryTable::new(archive)))?;
    Ok(session)
}

/// Plans a read-only statement.
async fn plan(session: &SessionContext, statement: Statement) -> Result<DataFrame> {
    // Not `SessionContext::sql`: it supports everything that is rejected here, and every program that uses it would
    // have to compile that.
    let state = session.state();
    let plan = state
        .statement_to_plan(statement.clone())
        .await
        .map_err(|error| unknown_name(&statement, session, &error).map_or(error, raise))?;
    check_plan(&plan).map_err(raise)?;
    Ok(DataFrame::new(state, plan))
}
