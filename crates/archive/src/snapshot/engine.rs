//! The Delta kernel's engine for logs in folders: synchronous, over plain values.
//!
//! ```text
//!  kernel: which files does version 7 have?
//!     │
//!     ├─ storage      which files are in _delta_log          std::fs
//!     ├─ json         entries        ─▶ rows                 serde_json
//!     ├─ parquet      checkpoints    ─▶ rows                 parquet
//!     └─ expression   rows           ─▶ rows                 projections, statistics in JSON
//! ```
//!
//! The kernel's own engine does the same with Arrow, Tokio and object stores, and takes longer to compile than
//! everything else. A log is small, so rows of plain values are fast enough.
//!
//! This module imports nothing of this crate.

mod arrow;
mod expression;
mod json;
mod parquet;
mod rows;
mod scan;
mod statistics;
mod storage;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use delta_kernel::{
    Engine, EvaluationHandler, JsonHandler, KernelError, KernelResult, ParquetHandler,
    StorageHandler,
};
use url::Url;

pub(crate) use arrow::record_batch;
pub(crate) use json::objects;
pub(crate) use scan::{Named, ScanFile, ScanFiles};
pub(crate) use statistics::{FileStatistics, add_file};

/// The engine of archives in folders.
pub(crate) fn folder_engine() -> Arc<dyn Engine> {
    Arc::new(FolderEngine)
}

#[derive(Debug)]
struct FolderEngine;

impl Engine for FolderEngine {
    fn evaluation_handler(&self) -> Arc<dyn EvaluationHandler> {
        Arc::new(expression::Evaluation)
    }

    fn storage_handler(&self) -> Arc<dyn StorageHandler> {
        Arc::new(storage::Storage)
    }

    fn json_handler(&self) -> Arc<dyn JsonHandler> {
        Arc::new(json::JsonLines)
    }

    fn parquet_handler(&self) -> Arc<dyn ParquetHandler> {
        Arc::new(parquet::Checkpoints)
    }
}

/// The path that a URL of a file names.
fn path_of(url: &Url) -> KernelResult<PathBuf> {
    let refuse = || KernelError::generic(format!("{url} is not the URL of a file"));
    if url.scheme() != "file" || url.query().is_some() || url.fragment().is_some() {
        return Err(refuse());
    }
    url.to_file_path().map_err(|()| refuse())
}

/// Opens a regular file. Anything else is rejected, because reading a pipe would block.
fn open(path: &Path) -> KernelResult<File> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => KernelError::file_not_found(path.display()),
        _ => KernelError::IOError(error),
    };
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(KernelError::generic(format!("{} is not a file", path.display())));
    }
    File::open(path).map_err(failed)
}

/// The error for operations that no caller needs.
fn unsupported<T>(what: impl std::fmt::Display) -> KernelResult<T> {
    Err(KernelError::unsupported(format!("{what} in the log of an archive")))
}
