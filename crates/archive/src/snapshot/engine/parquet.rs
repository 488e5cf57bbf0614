//! Checkpoints: Parquet files with one row for each action that is still in effect.
//!
//! The Parquet reader panics at some damage, so callers read a log where panics are caught.

use std::sync::Arc;

use delta_kernel::schema::{DataType, SchemaRef, StructType};
use delta_kernel::{
    EngineData, FileDataReadResultIterator, FileMeta, FileSize, KernelError, KernelResult,
    KernelResultIteratorStatic, ParquetFooter, ParquetHandler, PredicateRef,
};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::schema::types::SchemaDescriptor;
use url::Url;

use super::arrow::{kernel_schema, structs};
use super::rows::Rows;
use super::{open, path_of, unsupported};

/// The number of rows read at a time.
const ROWS: usize = 1024;

#[derive(Debug)]
pub(super) struct Checkpoints;

impl ParquetHandler for Checkpoints {
    fn read_parquet_files(
        &self,
        files: &[FileMeta],
        physical_schema: SchemaRef,
        _predicate: Option<PredicateRef>,
    ) -> KernelResult<FileDataReadResultIterator> {
        let files = files.to_vec();
        Ok(Box::new(files.into_iter().flat_map(move |file| Batches::open(&file, &physical_schema))))
    }

    fn read_parquet_footer(&self, file: &FileMeta) -> KernelResult<ParquetFooter> {
        let file = builder(file)?;
        Ok(ParquetFooter { schema: Arc::new(kernel_schema(file.schema().fields())?) })
    }

    fn write_parquet_file(
        &self,
        _location: Url,
        _data: KernelResultIteratorStatic<Box<dyn EngineData>>,
    ) -> KernelResult<FileSize> {
        unsupported("writing Parquet files")
    }
}

fn failed(error: ParquetError) -> KernelError {
    match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => (*error).into(),
            Err(error) => KernelError::generic(error),
        },
        error => KernelError::generic(error),
    }
}

fn builder(file: &FileMeta) -> KernelResult<ParquetRecordBatchReaderBuilder<std::fs::File>> {
    let file = open(&path_of(&file.location)?)?;
    // Another writer may have stored texts as another Arrow type.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(failed)
}

/// The batches of a file. The first error is the last item.
struct Batches {
    /// `None` after the end.
    reader: Option<KernelResult<ParquetRecordBatchReader>>,
    schema: SchemaRef,
    /// The URL of the file.
    name: Arc<str>,
}

impl Batches {
    fn open(file: &FileMeta, schema: &SchemaRef) -> Self {
        let reader = builder(file).and_then(|builder| {
            let mask = leaves(builder.parquet_schema(), schema);
            builder.with_projection(mask).with_batch_size(ROWS).build().map_err(failed)
        });
        let (schema, name) = (Arc::clone(schema), file.location.as_str().into());
        Self { reader: Some(reader), schema, name }
    }
}

impl Iterator for Batches {
    type Item = KernelResult<Box<dyn EngineData>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = match self.reader.take()? {
            Ok(reader) => reader,
            Err(error) => return Some(Err(error)),
        };
        let batch = match reader.next()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(KernelError::generic(error))),
        };
        let names = batch.schema_ref().fields().iter().map(|field| field.name().as_str());
        let columns: Vec<_> = names.zip(batch.columns()).collect();
        Some(structs(&columns, &self.schema, batch.num_rows()).map(|rows| {
            self.reader = Some(Ok(reader));
            Box::new(Rows::of_file(rows, &self.schema, &self.name)) as _
        }))
    }
}

/// The columns of a file that a schema has.
fn leaves(file: &SchemaDescriptor, schema: &StructType) -> ProjectionMask {
    let leaves = file.columns().iter().enumerate();
    let leaves = leaves.filter(|(_, column)| has(schema, column.path().parts()));
    ProjectionMask::leaves(file, leaves.map(|(index, _)| index))
}

fn has(schema: &StructType, path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    match schema.field(first).map(|field| field.data_type()) {
        None => false,
        Some(DataType::Struct(fields)) => has(fields, rest),
        Some(_) => true,
    }
}
