//! How the query engine reads files: what it gets has been compared with its checksum.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::common::Result;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::object_store::path::Path as StorePath;
use datafusion::parquet::arrow::arrow_reader::ArrowReaderOptions;
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::errors::Result as ParquetResult;
use datafusion::parquet::file::metadata::ParquetMetaData;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::error::of_file;
use crate::kernel::{Cache, Pages, raised};
use crate::store::DataFile;

/// The engine's readers, with checks.
#[derive(Debug)]
pub(super) struct CheckedReaders {
    pub(super) readers: CachedParquetFileReaderFactory,
    pub(super) files: Arc<HashMap<StorePath, DataFile>>,
    pub(super) cache: Arc<Cache>,
}

impl ParquetFileReaderFactory for CheckedReaders {
    fn create_reader(
        &self,
        partition: usize,
        file: PartitionedFile,
        size_hint: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> Result<Box<dyn AsyncFileReader + Send>> {
        let known = self.files.get(&file.object_meta.location).cloned();
        let reader = self.readers.create_reader(partition, file, size_hint, metrics)?;
        let cache = Arc::clone(&self.cache);
        Ok(match known {
            Some(file) => Box::new(CheckedReader { reader, file, cache }),
            None => reader,
        })
    }
}

/// A reader of one file.
struct CheckedReader {
    reader: Box<dyn AsyncFileReader + Send>,
    file: DataFile,
    cache: Arc<Cache>,
}

impl CheckedReader {
    /// The pages of the file, if it has checksums. Its footer is read here the first time, which takes no longer than
    /// the engine takes to plan.
    fn pages(&self) -> ParquetResult<Option<Arc<Pages>>> {
        Ok(self.cache.footer(&self.file).map_err(raised)?.pages())
    }
}

impl AsyncFileReader for CheckedReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        async move {
            let start = range.start;
            let pages = self.pages()?;
            let bytes = self.reader.get_bytes(range).await;
            let bytes = bytes.map_err(|error| raised(of_file(&self.file.path, &error)))?;
            if let Some(pages) = pages {
                pages.check(start, &bytes).map_err(raised)?;
            }
            Ok(bytes)
        }
        .boxed()
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        async move {
            let starts: Vec<u64> = ranges.iter().map(|range| range.start).collect();
            let pages = self.pages()?;
            let all = self.reader.get_byte_ranges(ranges).await;
            let all = all.map_err(|error| raised(of_file(&self.file.path, &error)))?;
            if let Some(pages) = pages {
                for (start, bytes) in starts.into_iter().zip(&all) {
                    pages.check(start, bytes).map_err(raised)?;
                }
            }
            Ok(all)
        }
        .boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, ParquetResult<Arc<ParquetMetaData>>> {
        async move {
            self.pages()?;
            let metadata = self.reader.get_metadata(options).await;
            metadata.map_err(|error| raised(of_file(&self.file.path, &error)))
        }
        .boxed()
    }
}
