//! The data files of a snapshot.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use delta_kernel::engine_data::FilteredRowVisitor;
use delta_kernel::expressions::ColumnName;
use delta_kernel::scan::StatsOptions;
use delta_kernel::scan::state::DvInfo;
use delta_kernel::{Engine, SnapshotRef};
use roaring::RoaringTreemap;

use super::engine::{ScanFile, ScanFiles};
use super::location::Location;
use super::sums::Sums;
use crate::error::{ArchiveError, of_log};

/// A Parquet file of the table, as the log describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataFile {
    /// Its name in the log.
    pub(crate) name: Arc<str>,
    /// Its path.
    pub(crate) path: Arc<Path>,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// The number of its games: rows without those that are deleted.
    pub(crate) games: u64,
    /// The rows that another program has deleted, with a deletion vector.
    pub(crate) deleted: Option<Arc<RoaringTreemap>>,
    /// The type and the location of that vector.
    pub(crate) vector: Option<String>,
    /// The smallest id in it, or less.
    pub(crate) first_id: i64,
    /// The largest id in it, or more.
    pub(crate) last_id: i64,
    /// Its checksums, if the log gives them.
    pub(crate) sums: Option<Sums>,
}

impl DataFile {
    /// The number of its rows, including deleted ones.
    pub(crate) fn rows(&self) -> u64 {
        self.games + self.deleted.as_ref().map_or(0, |deleted| deleted.len())
    }
}

/// The files of a snapshot, in the order of their ids.
pub(crate) fn list(
    snapshot: &SnapshotRef,
    engine: &dyn Engine,
    location: &Location,
) -> Result<Arc<[DataFile]>, ArchiveError> {
    let statistics = StatsOptions::struct_columns(vec![ColumnName::new(["id"])]);
    let failed = |error| of_log(location.path(), error);
    let scan = Arc::clone(snapshot).scan_builder().with_stats(statistics).build();
    let mut files = Vec::new();
    for metadata in scan.map_err(failed)?.scan_metadata(engine).map_err(failed)? {
        let metadata = metadata.map_err(failed)?;
        let vectors = metadata.visit_scan_files(HashMap::new(), |vectors, file| {
            if file.dv_info.has_vector() {
                vectors.insert(file.path, file.dv_info);
            }
        });
        let vectors = vectors.map_err(failed)?;
        let read = Read { engine, location, vectors };
        let mut found = ScanFiles(|file: ScanFile<'_>| files.push(read.file(&file)));
        found.visit_rows_of(&metadata.scan_files).map_err(failed)?;
    }
    let mut files = files.into_iter().collect::<Result<Vec<DataFile>, ArchiveError>>()?;
    files.sort_by_key(|file| file.first_id);
    Ok(files.into())
}

/// The data needed to read the log's description of files.
struct Read<'a> {
    engine: &'a dyn Engine,
    location: &'a Location,
    /// The deletion vectors of files, by their names.
    vectors: HashMap<String, DvInfo>,
}

impl Read<'_> {
    fn file(&self, file: &ScanFile<'_>) -> Result<DataFile, ArchiveError> {
        let name = file.path;
        let bad =
            |what: &str| ArchiveError::damaged(format!("the log has no {what} of the file {name}"));
        let (Some(rows), Some(first_id), Some(last_id)) = (file.rows, file.first_id, file.last_id)
        else {
            return Err(bad("number of games and ids"));
        };
        let rows = u64::try_from(rows).map_err(|_| bad("number of games"))?;
        let (deleted, vector) = self.deleted(file)?.unzip();
        let gone = deleted.as_ref().map_or(0, |deleted| deleted.len());
        let bytes = file.size.and_then(|size| u64::try_from(size).ok());
        Ok(DataFile {
            name: name.into(),
            path: self.path(name)?.into(),
            bytes: bytes.ok_or_else(|| bad("size"))?,
            games: rows.checked_sub(gone).ok_or_else(|| bad("number of games"))?,
            deleted,
            vector,
            first_id,
            last_id,
            sums: Sums::from_tags(|tag| file.tag(tag)),
        })
    }

    /// The path of a file, from its name in the log. Names that lead out of the folder are rejected, so that the
    /// log cannot decide which files of this machine are read or deleted.
    fn path(&self, name: &str) -> Result<PathBuf, ArchiveError> {
        self.location.inside(name).ok_or_else(|| {
            ArchiveError::damaged(format!("the log names {name:?}, which is not in the archive"))
        })
    }

    /// The rows of a file that are deleted, and the type and location of the vector.
    fn deleted(
        &self,
        file: &ScanFile<'_>,
    ) -> Result<Option<(Arc<RoaringTreemap>, String)>, ArchiveError> {
        let name = file.path;
        let Some(vector) = self.vectors.get(name) else { return Ok(None) };
        let bad = |what: &str| {
            ArchiveError::damaged(format!("the deletion vector of the file {name}: {what}"))
        };
        let kind = file.vector_type.ok_or_else(|| bad("it has no type"))?;
        let place = file.vector_place.ok_or_else(|| bad("it has no place"))?;
        // A relative path is a folder, if any, and the twenty letters of the vector's name.
        let folder = place.len().checked_sub(20).and_then(|end| place.get(..end));
        let is_inside = match (kind, folder) {
            ("i", _) | ("u", Some("")) => true,
            ("u", Some(folder)) => self.location.inside(folder).is_some(),
            _ => false,
        };
        if !is_inside {
            return Err(bad("it is not in the archive"));
        }
        let rows = vector.get_row_indexes(self.engine, self.location.url());
        let rows = rows.map_err(|error| bad(&error.to_string()))?.unwrap_or_default();
        let deleted: RoaringTreemap = rows.into_iter().collect();
        let counted = vector.cardinality().ok().flatten();
        if counted != Some(deleted.len()) {
            return Err(bad("its number of rows is not the one in the log"));
        }
        Ok(Some((Arc::new(deleted), format!("{kind}{place}"))))
    }
}
