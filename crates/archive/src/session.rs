//! The query engine, set up for one archive.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{DataFrame, SessionConfig, SessionContext};

use crate::functions;
use crate::store::Archive;
use crate::table::GamesTable;

/// The name of the table.
pub(crate) const TABLE: &str = "games";

/// In which order rows come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As the threads get to them.
    Any,
    /// By id; on one thread.
    ById,
}

impl Archive {
    /// A session in which the table `games` is this snapshot.
    pub(crate) fn session(&self, order: Order) -> Result<SessionContext> {
        let mut config = SessionConfig::new().with_information_schema(true);
        let options = config.options_mut();
        // Conditions are evaluated while a file is read, one column after the other, and only rows that are still in
        // are read of the next: `moves` is the widest column by far.
        options.execution.parquet.pushdown_filters = true;
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
        let table = GamesTable::new(self.files(), order == Order::ById)?;
        session.register_table(TABLE, Arc::new(table))?;
        Ok(session)
    }

    /// The table of this snapshot.
    pub(crate) async fn table(&self, order: Order) -> Result<DataFrame> {
        self.session(order)?.table(TABLE).await
    }
}
