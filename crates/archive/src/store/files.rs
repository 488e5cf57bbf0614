//! The data files that a snapshot consists of.

use std::path::Path;
use std::sync::Arc;

use delta_kernel::arrow::array::{Array, AsArray, RecordBatch};
use delta_kernel::arrow::datatypes::Int64Type;
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::expressions::ColumnName;
use delta_kernel::scan::StatsOptions;
use delta_kernel::{Engine, SnapshotRef};
use url::Url;

use super::sums::{Log, Sums};
use crate::error::ArchiveError;

/// A Parquet file of the table, and what the log says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataFile {
    /// Its path.
    pub(crate) path: Arc<Path>,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// How many rows it has.
    pub(crate) games: u64,
    /// The smallest id in it.
    pub(crate) first_id: i64,
    /// The largest id in it.
    pub(crate) last_id: i64,
    /// Its checksums, if the log gives them.
    pub(crate) sums: Option<Sums>,
}

/// The files of a snapshot, in the order of their ids.
pub(crate) fn list(
    snapshot: &SnapshotRef,
    engine: &dyn Engine,
    root: &Url,
    log: &Log,
) -> Result<Arc<[DataFile]>, ArchiveError> {
    let statistics = StatsOptions::struct_columns(vec![ColumnName::new(["id"])]);
    let scan = Arc::clone(snapshot).scan_builder().with_stats(statistics).build()?;
    let mut files = Vec::new();
    for metadata in scan.scan_metadata(engine)? {
        let selected = metadata?.scan_files.apply_selection_vector()?;
        let batch = ArrowEngineData::try_from_engine_data(selected)?;
        read_batch(batch.record_batch(), root, log, &mut files)?;
    }
    files.sort_by_key(|file: &DataFile| file.first_id);
    Ok(files.into())
}

fn read_batch(
    batch: &RecordBatch,
    root: &Url,
    log: &Log,
    files: &mut Vec<DataFile>,
) -> Result<(), ArchiveError> {
    let missing =
        |what: &str| ArchiveError::damaged(format!("the log says no {what} of its files"));
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| missing(name));
    let paths = column("path")?.as_string_opt::<i32>().ok_or_else(|| missing("path"))?;
    let sizes = column("size")?.as_primitive_opt::<Int64Type>().ok_or_else(|| missing("size"))?;
    let statistics =
        column("stats_parsed")?.as_struct_opt().ok_or_else(|| missing("statistics"))?;
    let rows = statistics
        .column_by_name("numRecords")
        .and_then(|rows| rows.as_primitive_opt::<Int64Type>());
    let rows = rows.ok_or_else(|| missing("numRecords"))?;
    let ids = |bound: &str| {
        let bounds = statistics.column_by_name(bound)?.as_struct_opt()?;
        bounds.column_by_name("id")?.as_primitive_opt::<Int64Type>().cloned()
    };
    let first_ids = ids("minValues").ok_or_else(|| missing("smallest id"))?;
    let last_ids = ids("maxValues").ok_or_else(|| missing("largest id"))?;
    for index in 0..batch.num_rows() {
        let name = paths.value(index);
        let bad = |what: &str| {
            ArchiveError::damaged(format!("the log says no {what} of the file {name}"))
        };
        if rows.is_null(index) || first_ids.is_null(index) || last_ids.is_null(index) {
            return Err(bad("number of games and ids"));
        }
        let path = root
            .join(name)
            .ok()
            .and_then(|url| url.to_file_path().ok())
            .ok_or_else(|| bad("path"))?;
        files.push(DataFile {
            path: path.into(),
            bytes: u64::try_from(sizes.value(index)).map_err(|_| bad("size"))?,
            games: u64::try_from(rows.value(index)).map_err(|_| bad("number of games"))?,
            first_id: first_ids.value(index),
            last_id: last_ids.value(index),
            sums: log.sums(name),
        });
    }
    Ok(())
}
