//! Limits of queries.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use datafusion::error::Result;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

/// Limits of the queries of one [`Sql`](crate::Sql).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use halfmove_archive::Archive;
/// use halfmove_sql::{Sql, SqlOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let archive = Archive::create(folder.path().join("games"))?;
/// let mut options = SqlOptions::default();
/// options.memory_bytes = 256 << 20;
/// options.time_limit = Some(Duration::from_secs(10));
/// let sql = Sql::new(&archive, &options)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqlOptions {
    /// The maximum number of bytes for sorts, groups and joins, of all concurrent queries together. Beyond that, sorts
    /// and groups use temporary files, in the operating system's folder for them, and other operations fail with
    /// [`SqlError::Memory`](crate::SqlError::Memory). The default is 1 GiB.
    pub memory_bytes: usize,
    /// The maximum time from the start of a query to its last row. It needs a Tokio runtime with timers. The default is
    /// no limit.
    pub time_limit: Option<Duration>,
    /// The number of partitions in which a query is executed in parallel; the default is the number of cores.
    pub threads: NonZero<usize>,
    /// The name of the archive in the metadata of files that are written. The default is that of its folder.
    pub archive_name: Option<String>,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            time_limit: None,
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            archive_name: None,
        }
    }
}

impl SqlOptions {
    /// The resources that all queries share. Spilling is the engine's default: it creates a folder for temporary files,
    /// and deletes it.
    pub(crate) fn runtime(&self) -> Result<Arc<RuntimeEnv>> {
        let pool = Arc::new(FairSpillPool::new(self.memory_bytes));
        RuntimeEnvBuilder::new().with_memory_pool(pool).build_arc()
    }
}
