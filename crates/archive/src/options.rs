//! What an open archive may use.

use std::num::NonZero;
use std::sync::Arc;

use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

use crate::error::ArchiveError;
use crate::limits::QueryPool;

/// What questions to an archive may use.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZero;
///
/// use halfmove_archive::{Archive, ArchiveOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games");
/// # Archive::create(&path)?;
/// let mut options = ArchiveOptions::default();
/// options.threads = NonZero::<usize>::MIN;
/// options.cache_bytes = 64 << 20;
/// let archive = Archive::open_with(&path, &options)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// How many threads work on a question; the default is the number of cores.
    pub threads: NonZero<usize>,
    /// How many bytes of columns stay in memory between questions about positions: about 130 a game for all of them.
    /// The default is 512 MiB.
    pub cache_bytes: u64,
    /// How many bytes a query in SQL may keep while it sorts, groups and joins; a query that needs more fails with
    /// [`ArchiveError::Limit`]. One call of a function may make a sixteenth of it from a batch of rows. About an
    /// eighth of it is used to put games in the order of their ids. The default is 1 GiB.
    pub query_bytes: usize,
}

impl Default for ArchiveOptions {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            cache_bytes: 512 << 20,
            query_bytes: 1 << 30,
        }
    }
}

impl ArchiveOptions {
    /// What the query engine shares between queries.
    pub(crate) fn runtime(&self) -> Result<RuntimeEnv, ArchiveError> {
        // Nothing is spilled to the disk: a query that would need it fails, and says so.
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(QueryPool::new(self.query_bytes)))
            .with_disk_manager_builder(
                DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled),
            );
        Ok(runtime.build()?)
    }
}
