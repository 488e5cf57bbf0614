//! The table and the functions of SQL, for a session of DataFusion that is not ours: to join archives with each other and with
//! other tables, or to build a worker of a distributed engine.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion::prelude::SessionContext;

use crate::error::ArchiveError;
use crate::functions::{self, BytesAreNotText, NarrowExplore};
use crate::store::Archive;

impl Archive {
    /// Adds the games of this snapshot, as a table of some name, and [all functions](scalar_functions) to a session of the
    /// engine.
    ///
    /// The table answers `reaches(moves, '…')` from the columns in memory of this value, as [`search`](Self::search) does. Threads,
    /// memory and what a query may do are the session's: it has none of the limits of [`sql`](Self::sql). `tag` takes
    /// the column that has the tag, `tag('Opening', other_tags)`. Plans name the files that they read: only [`sql`](Self::sql) takes
    /// columns from memory instead. Conditions on other columns are evaluated while files are read only if
    /// the session's option `datafusion.execution.parquet.pushdown_filters` is set.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::Archive;
    /// use halfmove_archive::datafusion::prelude::{SessionContext, col, lit};
    /// use halfmove_game::pgn::read_game;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let archive = Archive::create(folder.path().join("games"))?;
    /// let mut importer = archive.importer();
    /// importer.push(&read_game("[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 *")?, None)?;
    /// importer.commit()?;
    ///
    /// let session = SessionContext::new();
    /// archive.refresh()?.register(&session, "morphy")?;
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
    /// The engine refuses the table, such as one whose name is taken.
    pub fn register(&self, session: &SessionContext, name: &str) -> Result<(), ArchiveError> {
        register_functions(session);
        session.add_analyzer_rule(Arc::new(BytesAreNotText));
        session.add_optimizer_rule(Arc::new(NarrowExplore));
        session.register_table(name, self.table_provider(session)?)?;
        Ok(())
    }

    /// The games of this snapshot as a table for a session of the engine, in the columns of the current format. From then on, the
    /// session can read where the archive lies.
    ///
    /// # Errors
    ///
    /// The archive is of an older format, and the session lacks what turns it into the current one.
    pub fn table_provider(
        &self,
        session: &SessionContext,
    ) -> Result<Arc<dyn TableProvider>, ArchiveError> {
        self.location().register(&session.runtime_env());
        Ok(self.games_table(session)?)
    }
}

/// Adds all functions to a session.
pub(crate) fn register_functions(session: &SessionContext) {
    for function in scalar_functions() {
        session.register_udf(function);
    }
    for function in aggregate_functions() {
        session.register_udaf(function);
    }
}

/// The functions of SQL that have one answer for each row, such as `reaches` and `fen_at`, for a session of the engine.
pub fn scalar_functions() -> Vec<ScalarUDF> {
    functions::scalar()
}

/// The functions of SQL that have one answer for many rows, such as `explore`, for a session of the engine.
pub fn aggregate_functions() -> Vec<AggregateUDF> {
    vec![functions::explore()]
}
