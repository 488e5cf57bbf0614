//! Encoding and compressing columns to pages, in memory, on any thread.

use std::io::{Sink, sink};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Field;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use halfmove_game::replay::{Signature, SignatureBounds};

use super::pages::{EncodedColumn, PageStores};
use crate::error::ArchiveError;
use crate::snapshot::WRITER;
use crate::snapshot::schema::{
    COLUMNS, LOG_STATISTICS, ORDER_BY_OPENING, file_properties, file_schema,
};

/// The maximum number of games in a page: the unit that is read when only a few games are needed.
const GAMES_PER_PAGE: usize = 4_096;

/// The interval between checks of the page size, in games.
const GAMES_PER_LOOK: usize = 512;

/// The size of a page of moves in bytes: those of 512 games, in most archives. A search reads a page for nearly each of
/// its candidates, which are far apart. For 350,433 master games, pages of 2,048 games take 1 byte per game less, but a
/// searching process takes an eighth longer; pages of 256 games take 0.7 bytes more, and save little time.
const BYTES_PER_PAGE_OF_MOVES: usize = 32 * 1024;

/// The maximum size of the dictionary of sites in bytes: the names of thousands of towns.
const SITES: usize = 96 * 1024;

/// The maximum size of a row group in bytes, for long games.
pub(super) const BYTES_PER_ROW_GROUP: usize = 16 * 1024 * 1024;

/// The mean game size in bytes from which a row group is encoded with settings that save memory.
pub(super) const LONG_GAME: usize = 64 * 1024;

/// The size of such a row group.
pub(super) const LONG_GROUP: usize = 4 * 1024 * 1024;

/// Games of one row group: the unit of parallelism and of skipping by statistics.
pub(super) struct RowGroup {
    pub(super) encoders: Encoders,
    pub(super) batches: Vec<RecordBatch>,
    /// True if it is the last one of its file.
    pub(super) ends_file: bool,
    /// True if its texts are so long that only one such group should be in memory at a time.
    pub(super) is_long: bool,
}

/// An encoded row group.
pub(super) struct Encoded {
    pub(super) columns: Vec<EncodedColumn>,
    pub(super) ends_file: bool,
    /// The columns whose minimum and maximum are recorded in the log.
    pub(super) statistics: Vec<RecordBatch>,
    /// The bounds of the signatures.
    pub(super) bounds: SignatureBounds,
}

/// The encoders of row groups.
#[derive(Clone)]
pub(super) struct Encoders {
    usual: Arc<SerializedFileWriter<Sink>>,
    /// The encoder for few games with very long texts.
    long: Arc<SerializedFileWriter<Sink>>,
}

impl Encoders {
    /// `order` is the order of the games.
    pub(super) fn new(order: &str) -> Result<Self, ArchiveError> {
        // An encoder takes its settings from a file writer, but is independent of files.
        let encoder = |properties| {
            let writer = ArrowWriter::try_new(sink(), file_schema(), Some(properties))?;
            Ok::<_, ArchiveError>(Arc::new(writer.into_serialized_writer()?.0))
        };
        // Before it is abandoned, a dictionary would hold a second copy of the texts of a thousand games.
        let long = properties(order).into_builder().set_write_batch_size(1);
        let long = long.set_dictionary_enabled(false).build();
        Ok(Self { usual: encoder(properties(order))?, long: encoder(long)? })
    }
}

impl RowGroup {
    pub(super) fn encode(self) -> Result<Encoded, ArchiveError> {
        let schema = file_schema();
        let mut encoders = ColumnEncoders::new(&self.encoders, self.is_long)?;
        // One column after the other, so that its tables and pages stay in the CPU cache and are freed early.
        for (index, field) in schema.fields().iter().enumerate() {
            let arrays = self.batches.iter().map(|batch| batch.column(index));
            encoders.write_all(field, arrays)?;
        }
        let mut encoded = encoders.finish()?;
        encoded.ends_file = self.ends_file;
        Ok(encoded)
    }
}

/// Encodes a row group, column by column.
pub(super) struct ColumnEncoders {
    writers: std::vec::IntoIter<ArrowColumnWriter>,
    pages: PageStores,
    columns: Vec<EncodedColumn>,
    /// The columns whose minimum and maximum are recorded in the log.
    statistics: Vec<Vec<ArrayRef>>,
    bounds: SignatureBounds,
}

impl ColumnEncoders {
    pub(super) fn new(encoders: &Encoders, is_long: bool) -> Result<Self, ArchiveError> {
        let encoder = if is_long { &encoders.long } else { &encoders.usual };
        let pages = PageStores::default();
        let factory = ArrowRowGroupWriterFactory::new(encoder, file_schema())
            .with_page_store_factory(Arc::new(pages.clone()));
        let writers = factory.create_column_writers(0)?;
        Ok(Self {
            columns: Vec::with_capacity(writers.len()),
            writers: writers.into_iter(),
            pages,
            statistics: Vec::new(),
            bounds: SignatureBounds::default(),
        })
    }

    /// Encodes the next column.
    pub(super) fn write_all<'a>(
        &mut self,
        field: &Field,
        arrays: impl Iterator<Item = &'a ArrayRef>,
    ) -> Result<(), ArchiveError> {
        let mut leaves: Vec<ArrowColumnWriter> = Vec::new();
        let mut kept = Vec::new();
        for array in arrays {
            if LOG_STATISTICS.contains(&field.name().as_str()) {
                kept.push(Arc::clone(array));
            }
            if field.name() == "signature" {
                bounds_of(array, &mut self.bounds)?;
            }
            for (leaf, column) in compute_leaves(field, array)?.iter().enumerate() {
                if leaf == leaves.len() {
                    leaves.extend(self.writers.next());
                }
                let writer = leaves
                    .get_mut(leaf)
                    .ok_or_else(|| ArchiveError::damaged("a column without an encoder"))?;
                writer.write(column)?;
            }
        }
        if !kept.is_empty() {
            self.statistics.push(kept);
        }
        for writer in leaves {
            let close = writer.close()?.close().clone();
            self.columns.push(self.pages.column(self.columns.len(), close)?);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Encoded, ArchiveError> {
        let schema = file_schema();
        let logged: Vec<usize> =
            LOG_STATISTICS.iter().map(|name| schema.index_of(name)).collect::<Result<_, _>>()?;
        let schema = Arc::new(schema.project(&logged)?);
        let batches = self.statistics.first().map_or(0, Vec::len);
        let statistics = (0..batches).map(|batch| {
            let columns = self.statistics.iter().filter_map(|arrays| arrays.get(batch).cloned());
            RecordBatch::try_new(Arc::clone(&schema), columns.collect())
        });
        Ok(Encoded {
            statistics: statistics.collect::<Result<_, _>>()?,
            columns: self.columns,
            ends_file: false,
            bounds: self.bounds,
        })
    }
}

/// Extends the bounds of signatures.
pub(super) fn bounds_of(
    signatures: &ArrayRef,
    bounds: &mut SignatureBounds,
) -> Result<(), ArchiveError> {
    let wrong = || ArchiveError::damaged("a signature of another length");
    let signatures = signatures.as_binary_opt::<i32>().ok_or_else(wrong)?;
    for signature in signatures {
        let bytes = signature.and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
        bounds.add(&Signature::from_bytes(bytes));
    }
    Ok(())
}

/// The encoding of the columns. `order` is the order of the games.
pub(super) fn properties(order: &str) -> WriterProperties {
    let column = |name: &str| ColumnPath::new(vec![name.to_owned()]);
    // Level 1 compresses visibly worse; level 3 compresses hardly better, and takes longer. Files sorted by opening are
    // written once and read often: level 7 saves two bytes and a half per game, higher levels hardly more.
    let level = if order == ORDER_BY_OPENING { 7 } else { 2 };
    let mut properties = WriterProperties::builder()
        .set_created_by(WRITER.to_owned())
        .set_key_value_metadata(Some(
            file_properties(order)
                .into_iter()
                .map(|(key, value)| KeyValue::new(key, value))
                .collect(),
        ))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default()))
        .set_max_row_group_row_count(None)
        .set_data_page_row_count_limit(GAMES_PER_PAGE)
        .set_statistics_enabled(EnabledStatistics::Page)
        // Ids are consecutive: delta encoding takes almost no space, and a dictionary would take more than the ids.
        .set_column_dictionary_enabled(column("id"), false)
        .set_column_encoding(column("id"), Encoding::DELTA_BINARY_PACKED)
        .set_column_dictionary_enabled(column("utc_timestamp"), false)
        .set_column_encoding(column("utc_timestamp"), Encoding::DELTA_BINARY_PACKED)
        .set_write_batch_size(GAMES_PER_LOOK)
        .set_column_data_page_size_limit(column("moves"), BYTES_PER_PAGE_OF_MOVES)
        // A file has only a few sources.
        .set_column_statistics_enabled(column("source"), EnabledStatistics::Chunk)
        // Rice codes are not compressible.
        .set_column_compression(column("clocks"), Compression::UNCOMPRESSED)
        .set_column_compression(column("evaluations"), Compression::UNCOMPRESSED);
    // Few games are identical, so a dictionary does not help, and no reader needs the minimum.
    for name in ["moves", "annotations", "clocks", "evaluations", "signature"] {
        properties = properties
            .set_column_dictionary_enabled(column(name), false)
            .set_column_encoding(column(name), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_statistics_enabled(column(name), EnabledStatistics::None);
    }
    // Queries rarely skip pages by these; many archives have none of them.
    let of_tags = COLUMNS.iter().filter(|column| column.is_of_tags());
    for fact in of_tags.filter(|column| !LOG_STATISTICS.contains(&column.name)) {
        properties =
            properties.set_column_statistics_enabled(column(fact.name), EnabledStatistics::Chunk);
    }
    // Each online game has a different site, so a dictionary is soon abandoned.
    properties = properties.set_column_dictionary_page_size_limit(column("site"), SITES);
    // No reader needs the minimum of these either, and computing it takes time.
    let tags = "other_tags.list.element";
    for path in ["fault", "tag_order", &format!("{tags}.name"), &format!("{tags}.value")] {
        let path = ColumnPath::new(path.split('.').map(str::to_owned).collect());
        properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    properties.build()
}
