//! The query engine, set up for one archive.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};

use crate::functions;
use crate::store::Archive;
use crate::table::GamesTable;

/// The name of the table.
const TABLE: &str = "games";

/// In which order rows come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As the threads get to them.
    Any,
    /// By id; on one thread.
    ById,
}

impl Archive {
    fn session(&self, order: Order) -> Result<SessionContext> {
        let mut config = SessionConfig::new().with_information_schema(true);
        let options = config.options_mut();
        // Conditions are evaluated while a file is read, one column after the other, and only rows that are still in
        // are read of the next: `moves` is the widest column by far.
        options.execution.parquet.pushdown_filters = true;
        // A megabyte of moves takes longer to replay than a second thread takes to start; the engine's own limit is
        // made for cheaper questions.
        options.optimizer.repartition_file_min_size = 1 << 20;
        // A thread that may take work from its siblings opens its next range ahead of time, and so takes both halves
        // of an archive that has two.
        options.execution.enable_file_stream_work_stealing = false;
        if order == Order::ById {
            config = config.with_target_partitions(1);
        }
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(Arc::clone(&self.runtime))
            .with_default_features()
            .build();
        let session = SessionContext::new_with_state(state);
        for function in functions::scalar() {
            session.register_udf(function);
        }
        session.register_udaf(functions::explore());
        Ok(session)
    }

    /// The table of this snapshot.
    pub(crate) fn table(&self, order: Order) -> Result<DataFrame> {
        let session = self.session(order)?;
        let table = Arc::new(GamesTable::new(self.files(), order == Order::ById)?);
        session.read_table(table)
    }

    /// What a query of the table `games` means. Nothing but queries: what would change something is refused.
    pub(crate) async fn plan(&self, query: &str) -> Result<DataFrame> {
        let session = self.session(Order::Any)?;
        session.register_table(TABLE, Arc::new(GamesTable::new(self.files(), false)?))?;
        // Not `SessionContext::sql`: it can do all the things that are refused here, and each program that uses it
        // has to compile them.
        let state = session.state();
        let plan = state.create_logical_plan(query).await?;
        let options = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        options.verify_plan(&plan)?;
        Ok(DataFrame::new(state, plan))
    }
}
