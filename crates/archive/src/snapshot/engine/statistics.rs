//! The statistics of a new data file in the log: its number of rows, and the bounds of some columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Date32Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType as ArrowType;
use delta_kernel::schema::{DataType, MapType, StructField, StructType};
use delta_kernel::{EngineData, KernelError, KernelResult};

use super::rows::{Row, Rows, Value};
use super::unsupported;

/// Statistics of a file, from its batches.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileStatistics {
    rows: i64,
    columns: Vec<ColumnStatistics>,
}

#[derive(Debug, Clone)]
struct ColumnStatistics {
    name: String,
    kind: DataType,
    nulls: i64,
    /// The minimum and the maximum.
    bounds: Option<(i64, i64)>,
}

impl FileStatistics {
    /// Adds the rows of a batch. It has integers and dates; all batches of a file have the same columns.
    pub(crate) fn merge(&mut self, batch: &RecordBatch) -> KernelResult<()> {
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let (kind, bounds) = match field.data_type() {
                ArrowType::Int32 => (DataType::INTEGER, bounds::<Int32Type>(array)),
                ArrowType::Int64 => (DataType::LONG, bounds::<Int64Type>(array)),
                ArrowType::Date32 => (DataType::DATE, bounds::<Date32Type>(array)),
                kind => return unsupported(format!("statistics of {kind}")),
            };
            let nulls = array.null_count() as i64;
            match self.columns.iter_mut().find(|column| column.name == *field.name()) {
                None => {
                    let name = field.name().clone();
                    self.columns.push(ColumnStatistics { name, kind, nulls, bounds });
                }
                Some(column) => {
                    column.nulls += nulls;
                    column.bounds = match (column.bounds, bounds) {
                        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
                        (some, None) | (None, some) => some,
                    };
                }
            }
        }
        self.rows += batch.num_rows() as i64;
        Ok(())
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> i64 {
        self.rows
    }

    /// A struct with a value for each column.
    fn column_values(
        &self,
        kind: impl Fn(&ColumnStatistics) -> DataType,
        value: impl Fn(&ColumnStatistics) -> Option<i64>,
    ) -> KernelResult<(DataType, Value)> {
        let fields = self.columns.iter().map(|it| StructField::nullable(&it.name, kind(it)));
        let values = self.columns.iter().map(|it| value(it).map_or(Value::Null, Value::Int));
        Ok((StructType::try_new(fields)?.into(), Value::Struct(values.collect())))
    }

    fn to_value(&self) -> KernelResult<(DataType, Value)> {
        let bound = |column: &ColumnStatistics| column.kind.clone();
        let values = [
            ("numRecords", (DataType::LONG, Value::Int(self.rows))),
            ("nullCount", self.column_values(|_| DataType::LONG, |column| Some(column.nulls))?),
            ("minValues", self.column_values(bound, |column| Some(column.bounds?.0))?),
            ("maxValues", self.column_values(bound, |column| Some(column.bounds?.1))?),
            ("tightBounds", (DataType::BOOLEAN, Value::Bool(true))),
        ];
        let (fields, values): (Vec<_>, Vec<_>) = values
            .into_iter()
            .map(|(name, (kind, value))| (StructField::nullable(name, kind), value))
            .unzip();
        Ok((StructType::try_new(fields)?.into(), Value::Struct(values.into())))
    }
}

fn bounds<T: ArrowPrimitiveType<Native: Into<i64>>>(array: &dyn Array) -> Option<(i64, i64)> {
    let array = array.as_primitive::<T>();
    let values = array.iter().flatten().map(Into::into);
    values.fold(None, |bounds, value| {
        let (min, max) = bounds.unwrap_or((value, value));
        Some((min.min(value), max.max(value)))
    })
}

/// The metadata of a new file for a transaction. `path` is the file's name in the log, `modified` is in milliseconds
/// since 1970.
pub(crate) fn add_file(
    path: &str,
    bytes: u64,
    modified: i64,
    statistics: &FileStatistics,
) -> KernelResult<Box<dyn EngineData>> {
    let (kind, statistics) = statistics.to_value()?;
    let partitions = MapType::new(DataType::STRING, DataType::STRING, true);
    let schema = StructType::try_new([
        StructField::not_null("path", DataType::STRING),
        StructField::not_null("partitionValues", partitions),
        StructField::not_null("size", DataType::LONG),
        StructField::not_null("modificationTime", DataType::LONG),
        StructField::nullable("stats", kind),
    ])?;
    let row = Row::from([
        Value::Text(path.into()),
        Value::Map(Arc::default()),
        Value::Int(i64::try_from(bytes).map_err(KernelError::generic)?),
        Value::Int(modified),
        statistics,
    ]);
    Ok(Box::new(Rows { schema: Arc::new(schema), rows: vec![row] }))
}
