//! The query engine, set up for one archive.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::catalog::{
    CatalogProvider, CatalogProviderList, MemoryCatalogProvider, MemoryCatalogProviderList,
    MemorySchemaProvider, TableProvider,
};
use datafusion::error::Result;
use datafusion::execution::{
    SendableRecordBatchStream as Batches, SessionState, SessionStateBuilder,
};
use datafusion::logical_expr::col;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;

use crate::error::ArchiveError;
use crate::filter::{SqlCondition, check_planned_condition, insert_condition, parse_condition};
use crate::functions;
use crate::functions::{BytesAreNotText, NarrowExplore};
use crate::limits::{
    LimitGrowth, batch_rows, check_operations, check_size, check_text, on_large_stack,
    without_panics,
};
use crate::provider::register_functions;
use crate::schema::{COLUMNS, Format};
use crate::sql::{add_tag_columns, check_clauses, name_columns};
use crate::store::Archive;
use crate::table::{GamesTable, KeepsColumns};

/// The name of the table.
pub(crate) const TABLE: &str = "games";

impl Archive {
    /// The names of all functions that a query can call, in alphabetical order: those over moves and those of the engine.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// let archive = halfmove_archive::Archive::create(folder.path().join("games"))?;
    /// let names = archive.function_names();
    /// assert!(["count", "explore", "reaches", "row_number"].iter().all(|name| names.contains(&name.to_string())));
    /// # Ok(()) }
    /// ```
    pub fn function_names(&self) -> Vec<String> {
        let state = self.engine_state.get_or_init(|| self.template());
        let names: BTreeSet<&String> = state
            .scalar_functions()
            .keys()
            .chain(state.higher_order_functions().keys())
            .chain(state.aggregate_functions().keys())
            .chain(state.window_functions().keys())
            .collect();
        names.into_iter().cloned().collect()
    }

    /// A session for one query.
    fn session(&self) -> Result<SessionContext> {
        let template = self.engine_state.get_or_init(|| self.template());
        // The tables of a query are its own.
        let (catalogs, catalog) = (MemoryCatalogProviderList::new(), MemoryCatalogProvider::new());
        let names = &template.config_options().catalog;
        catalog.register_schema(&names.default_schema, Arc::new(MemorySchemaProvider::new()))?;
        catalogs.register_catalog(names.default_catalog.clone(), Arc::new(catalog));
        let state = SessionStateBuilder::new_from_existing(template.clone())
            .with_catalog_list(Arc::new(catalogs));
        Ok(SessionContext::new_with_state(state.build()))
    }

    /// What all sessions have in common: settings and functions. Some hundred functions are registered, once.
    fn template(&self) -> SessionState {
        let mut config = SessionConfig::new()
            .with_information_schema(true)
            .with_target_partitions(self.threads())
            .with_extension(Arc::new(KeepsColumns));
        let options = config.options_mut();
        // Conditions are evaluated while a file is read, one column after the other, and of the next
        // column only the remaining rows are read: `moves` is by far the widest column.
        options.execution.parquet.pushdown_filters = true;
        // Replaying a megabyte of moves takes longer than starting a second thread; the engine's default is meant for
        // cheaper queries.
        options.optimizer.repartition_file_min_size = 1 << 20;
        // A thread that may take work from its siblings opens its next range ahead of time, and would take both ranges
        // of an archive that has only two.
        options.execution.enable_file_stream_work_stealing = false;
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(Arc::clone(&self.runtime))
            .with_default_features()
            .with_analyzer_rule(Arc::new(BytesAreNotText))
            .with_analyzer_rule(Arc::new(LimitGrowth { bytes: self.query_bytes() }))
            .with_optimizer_rule(Arc::new(NarrowExplore))
            .build();
        let session = SessionContext::new_with_state(state);
        register_functions(&session);
        session.state()
    }

    /// The table of this snapshot.
    pub(crate) fn table(&self) -> Result<DataFrame> {
        self.current(&self.session()?)
    }

    /// The games in the columns of the current format, whatever the files have, as a table for a session.
    pub(crate) fn games_table(&self, session: &SessionContext) -> Result<Arc<dyn TableProvider>> {
        Ok(match self.format() {
            Format::One => Arc::new(GamesTable::new(self)?),
            Format::Zero => self.current(session)?.into_view(),
        })
    }

    /// The games in the columns of the current format, whatever the files have.
    fn current(&self, session: &SessionContext) -> Result<DataFrame> {
        let table = GamesTable::new(self)?;
        let games = session.read_table(Arc::new(table))?;
        match self.format() {
            Format::One => Ok(games),
            Format::Zero => games.select(COLUMNS.iter().map(|column| {
                match column.name {
                    "moves" => functions::upgrade_moves()
                        .call(vec![col("moves"), col("start_fen"), col("variant")])
                        .alias("moves"),
                    name => col(name),
                }
            })),
        }
    }

    /// The answer to a query of the table `games`. Statements that would change something are rejected.
    pub(crate) async fn answer(&self, query: &str) -> Result<Batches, ArchiveError> {
        check_text(query)?;
        let (archive, query) = (self.clone(), query.to_owned());
        on_large_stack(|| async move {
            let asked = archive.plan(&query).await?;
            Ok(without_panics(archive.start(asked).await?))
        })
        .await
    }

    /// The ids of the games that meet a condition in SQL.
    pub(crate) async fn ids_where(&self, condition: &str) -> Result<Batches, ArchiveError> {
        let (archive, condition) = (self.clone(), condition.to_owned());
        on_large_stack(|| async move {
            let games = archive.table()?;
            let asked = match parse_condition(&games, &condition)? {
                SqlCondition::OfColumns(condition) => {
                    games.filter(*condition)?.select(vec![col("id")])?
                }
                SqlCondition::WithQueries(condition) => {
                    let state = archive.session_with_table()?.state();
                    let mut query = state.sql_to_statement(
                        &format!("SELECT id FROM {TABLE} WHERE true"),
                        &state.config_options().sql_parser.dialect,
                    )?;
                    insert_condition(*condition, &mut query)?;
                    let asked = archive.plan_statement(state, query).await?;
                    check_planned_condition(asked.logical_plan())?;
                    asked
                }
            };
            Ok(without_panics(archive.start(asked).await?))
        })
        .await
    }

    /// Plans what is asked, and begins to execute it.
    async fn start(&self, asked: DataFrame) -> Result<Batches> {
        let (mut state, plan) = asked.into_parts();
        let plan = state.optimize(&plan)?;
        check_operations(&plan)?;
        let usual = state.config().batch_size();
        // Half of what a call of a function may make of them.
        let rows = batch_rows(&plan, usual, self.query_bytes() / 32)?;
        if rows < usual {
            let config = state.config().clone().with_batch_size(rows);
            state = SessionStateBuilder::new_from_existing(state).with_config(config).build();
        }
        let planner = Arc::clone(state.query_planner());
        let plan = planner.create_physical_plan(&plan, &state).await?;
        execute_stream(plan, state.task_ctx())
    }

    /// A session in which the table has its name.
    fn session_with_table(&self) -> Result<SessionContext> {
        let session = self.session()?;
        session.register_table(TABLE, self.games_table(&session)?)?;
        Ok(session)
    }

    async fn plan(&self, query: &str) -> Result<DataFrame, ArchiveError> {
        // Not `SessionContext::sql`: it can do everything that is rejected here, and every program that uses it would
        // have to compile that.
        let state = self.session_with_table()?.state();
        let mut statement =
            state.sql_to_statement(query, &state.config_options().sql_parser.dialect)?;
        if let Statement::Statement(statement) = &mut statement
            && let SqlStatement::Query(query) = statement.as_mut()
        {
            name_columns(query);
        }
        if let Some(statement) = of_sql_mut(&mut statement) {
            add_tag_columns(statement);
        }
        self.plan_statement(state, statement).await
    }

    async fn plan_statement(
        &self,
        state: SessionState,
        statement: Statement,
    ) -> Result<DataFrame, ArchiveError> {
        // What is not a statement of SQL is rejected below; all of `EXPLAIN` is within it.
        if let Some(statement) = of_sql(&statement) {
            check_size(statement)?;
            check_clauses(statement, &state)?;
        }
        let plan = state.statement_to_plan(statement).await?;
        let options = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        options.verify_plan(&plan)?;
        Ok(DataFrame::new(state, plan))
    }
}

/// A statement as the parser knows it, without `EXPLAIN`, to be changed.
fn of_sql_mut(statement: &mut Statement) -> Option<&mut SqlStatement> {
    match statement {
        Statement::Statement(statement) => Some(statement),
        Statement::Explain(explain) => of_sql_mut(&mut explain.statement),
        _ => None,
    }
}

/// A statement as the parser knows it, without `EXPLAIN`.
fn of_sql(statement: &Statement) -> Option<&SqlStatement> {
    match statement {
        Statement::Statement(statement) => Some(statement),
        Statement::Explain(explain) => of_sql(&explain.statement),
        _ => None,
    }
}
