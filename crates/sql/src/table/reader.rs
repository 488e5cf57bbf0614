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
use datafusion::parquet::errors::{ParquetError, Result as ParquetResult};
use datafusion::parquet::file::metadata::ParquetMetaData;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::future::BoxFuture;
use futures::{FutureExt, TryFutureExt};

use crate::error::of_file;
use crate::kernel::{Cache, Pages, raised};
use crate::store::{DataFile, Location, Objects};

/// The engine's readers, with checks.
#[derive(Debug)]
pub(super) struct CheckedReaders {
    pub(super) readers: CachedParquetFileReaderFactory,
    pub(super) files: Arc<HashMap<StorePath, DataFile>>,
    pub(super) location: Location,
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
        let at = file.object_meta.location.clone();
        let known = self.files.get(&at).cloned();
        let cache = Arc::clone(&self.cache);
        Ok(match (known, &self.location) {
            (Some(file), Location::Objects(objects)) => {
                let (objects, cache_of) = (Arc::clone(objects), Arc::clone(&cache));
                let reader = Requests { objects, at, file: file.clone(), cache: cache_of };
                Box::new(CheckedReader { reader: Box::new(reader), file, cache })
            }
            (Some(known), Location::Folder { .. }) => {
                let reader = self.readers.create_reader(partition, file, size_hint, metrics)?;
                Box::new(CheckedReader { reader, file: known, cache })
            }
            (None, _) => self.readers.create_reader(partition, file, size_hint, metrics)?,
        })
    }
}

/// A file in an object store, read as everything there is: on the threads for requests, whatever the runtime of the query
/// can do, and with the footer that is in memory.
struct Requests {
    objects: Arc<Objects>,
    at: StorePath,
    file: DataFile,
    cache: Arc<Cache>,
}

impl AsyncFileReader for Requests {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        let read = self.get_byte_ranges(vec![range]);
        async move { Ok(read.await?.pop().unwrap_or_default()) }.boxed()
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        let read = self.objects.ranges_async(self.at.clone(), ranges);
        read.map_err(|error| ParquetError::External(Box::new(error))).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, ParquetResult<Arc<ParquetMetaData>>> {
        let footer = self.cache.footer(&self.file).map_err(raised);
        async move { Ok(Arc::clone(footer?.metadata())) }.boxed()
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
