//! Games in the columns of the data set `Lichess/standard-chess-games`, for notebooks that were written for it, and back.

mod import;

use arrow_array::RecordBatchIterator;
use halfmove_archive::lichess_schema;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::tables::external;
use super::{PyArchive, filter_of};
use crate::error::of_archive;
use crate::rows::{Batches, Open, Reader, Source};

#[pymethods]
impl PyArchive {
    /// The games that meet conditions with the columns of Hugging Face's data set `Lichess/standard-chess-games`, so that
    /// notebooks written for it run on one's own games. Computed while it is read.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).to_lichess(id=3).read_all()["movetext"]
    /// ['1. e4 e6 1/2-1/2']
    #[pyo3(signature = (**conditions))]
    fn to_lichess(
        &self,
        py: Python<'_>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batches> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let open: Open = Box::new(move |stop| {
            let archive = archive.with_cancel(&stop.token);
            let batches = archive.lichess(&filter).map_err(of_archive)?;
            let batches = batches.map(|batch| batch.map_err(external));
            Ok(Box::new(RecordBatchIterator::new(batches, lichess_schema())) as Reader)
        });
        Ok(Batches { source: Source { schema: lichess_schema(), open }, skipped: None })
    }
}
