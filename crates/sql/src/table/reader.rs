//! The engine's reader of files, which returns pages that were compared with their checksums.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::common::{Result, internal_datafusion_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory;
use datafusion::parquet::arrow::arrow_reader::ArrowReaderOptions;
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::errors::{ParquetError, Result as ParquetResult};
use datafusion::parquet::file::metadata::ParquetMetaData;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::FutureExt;
use futures::future::BoxFuture;
use halfmove_archive::ArchiveError;
use halfmove_archive::scan::{PageReader, Scan};
use tokio::task::spawn_blocking;

use crate::error::SqlError;

/// The index of a file in [`Scan::files`], as an extension of the engine's description of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileNumber(pub(super) usize);

/// Readers of the files of a scan.
#[derive(Debug)]
pub(super) struct Readers(pub(super) Scan);

impl ParquetFileReaderFactory for Readers {
    fn create_reader(
        &self,
        _: usize,
        file: PartitionedFile,
        _: Option<usize>,
        _: &ExecutionPlanMetricsSet,
    ) -> Result<Box<dyn AsyncFileReader + Send>> {
        let number = file.extension::<FileNumber>();
        let FileNumber(file) =
            *number.ok_or_else(|| internal_datafusion_err!("a file is not of the archive"))?;
        Ok(Box::new(Reader { scan: self.0.clone(), file, opened: None }))
    }
}

/// A file. In a folder it is read at once, like by any other reader of files; requests to a store run on a blocking
/// thread.
struct Reader {
    scan: Scan,
    file: usize,
    opened: Option<PageReader>,
}

impl Reader {
    /// Reads from the file.
    async fn read<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&PageReader) -> Result<T, ArchiveError> + Send + 'static,
    ) -> ParquetResult<T> {
        if self.scan.is_folder() {
            let opened = match &mut self.opened {
                Some(opened) => opened,
                opened => opened.insert(self.scan.open(self.file).map_err(raise)?),
            };
            return work(opened).map_err(raise);
        }
        let (scan, file) = (self.scan.clone(), self.file);
        // Opened each time, because it keeps the ranges it has fetched.
        let read = spawn_blocking(move || work(&scan.open(file)?));
        read.await.map_err(|error| ParquetError::External(Box::new(error)))?.map_err(raise)
    }
}

impl AsyncFileReader for Reader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        let read = self.get_byte_ranges(vec![range]);
        async move { Ok(read.await?.pop().unwrap_or_default()) }.boxed()
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        let read = self.read(move |file| {
            file.fetch(&ranges)?;
            ranges.into_iter().map(|range| file.bytes(range)).collect()
        });
        read.boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, ParquetResult<Arc<ParquetMetaData>>> {
        self.read(|file| Ok(Arc::clone(file.metadata()))).boxed()
    }
}

fn raise(error: ArchiveError) -> ParquetError {
    ParquetError::External(Box::new(SqlError::from(error)))
}
