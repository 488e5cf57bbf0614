//! The memory that operators of the query engine may keep.

use std::fmt;

use datafusion::common::DataFusionError;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{
    GreedyMemoryPool, MemoryLimit, MemoryPool, MemoryReservation,
};

use super::size;
use crate::error::{ArchiveError, Raised};

/// The engine's own pool, except that it says in our words when it is empty.
#[derive(Debug)]
pub(crate) struct QueryPool {
    pool: GreedyMemoryPool,
    bytes: usize,
}

impl QueryPool {
    /// A pool of so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { pool: GreedyMemoryPool::new(bytes), bytes }
    }
}

impl fmt::Display for QueryPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), size(self.bytes as f64))
    }
}

impl MemoryPool for QueryPool {
    fn name(&self) -> &str {
        "queries"
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.pool.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.pool.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        self.pool.try_grow(reservation, additional).map_err(|_| {
            let what = format!("the query needs more memory than {}", size(self.bytes as f64));
            // Operators that can do with less look for this kind of error.
            DataFusionError::ResourcesExhausted(Raised(ArchiveError::Limit(what)).to_string())
        })
    }

    fn reserved(&self) -> usize {
        self.pool.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}
