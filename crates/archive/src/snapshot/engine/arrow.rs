//! Converts rows to Arrow batches, which are written to Parquet files, and back.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, ListArray, MapArray, PrimitiveArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType as ArrowType, Field, Fields, Schema, TimeUnit};
use delta_kernel::schema::{ArrayType, DataType, MapType, StructField, StructType};
use delta_kernel::{EngineData, KernelError, KernelResult};

use super::rows::{Entries, Row, Rows, Value, Values};
use super::unsupported;

/// The rows of engine data as a batch.
pub(crate) fn record_batch(data: &dyn EngineData) -> KernelResult<RecordBatch> {
    let Rows { schema, rows } = Rows::of(data)?;
    let columns = schema.fields().enumerate().map(|(index, field)| {
        let values: Vec<&Value> =
            rows.iter().map(|row| row.get(index).unwrap_or(&Value::Null)).collect();
        array(&values, field.data_type())
    });
    let columns = columns.collect::<KernelResult<Vec<_>>>()?;
    RecordBatch::try_new(Arc::new(Schema::new(fields(schema)?)), columns)
        .map_err(KernelError::generic)
}

fn fields(schema: &StructType) -> KernelResult<Fields> {
    schema.fields().map(field).collect()
}

fn field(field: &StructField) -> KernelResult<Field> {
    Ok(Field::new(field.name(), arrow_type(field.data_type())?, field.is_nullable()))
}

fn arrow_type(kind: &DataType) -> KernelResult<ArrowType> {
    Ok(match kind {
        &DataType::BOOLEAN => ArrowType::Boolean,
        &DataType::BYTE => ArrowType::Int8,
        &DataType::SHORT => ArrowType::Int16,
        &DataType::INTEGER => ArrowType::Int32,
        &DataType::LONG => ArrowType::Int64,
        &DataType::FLOAT => ArrowType::Float32,
        &DataType::DOUBLE => ArrowType::Float64,
        &DataType::STRING => ArrowType::Utf8,
        &DataType::DATE => ArrowType::Date32,
        &DataType::TIMESTAMP => ArrowType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        &DataType::TIMESTAMP_NTZ => ArrowType::Timestamp(TimeUnit::Microsecond, None),
        DataType::Struct(schema) => ArrowType::Struct(fields(schema)?),
        DataType::Array(kind) => ArrowType::List(Arc::new(element(kind)?)),
        DataType::Map(kind) => ArrowType::Map(Arc::new(entry(kind)?), false),
        kind => return unsupported(format!("a column of type {kind}")),
    })
}

fn element(kind: &ArrayType) -> KernelResult<Field> {
    Ok(Field::new("element", arrow_type(kind.element_type())?, kind.contains_null()))
}

fn entry(kind: &MapType) -> KernelResult<Field> {
    let key = Field::new("key", arrow_type(kind.key_type())?, false);
    let value = Field::new("value", arrow_type(kind.value_type())?, kind.value_contains_null());
    Ok(Field::new("key_value", ArrowType::Struct(Fields::from(vec![key, value])), false))
}

/// The values of a column as an array.
fn array(values: &[&Value], kind: &DataType) -> KernelResult<ArrayRef> {
    let nulls = || Some(NullBuffer::from_iter(values.iter().map(|value| !value.is_null())));
    Ok(match kind {
        &DataType::BOOLEAN => Arc::new(BooleanArray::from_iter(values.iter().map(|it| match it {
            Value::Bool(value) => Some(*value),
            _ => None,
        }))),
        &DataType::BYTE => ints::<Int8Type>(values)?,
        &DataType::SHORT => ints::<Int16Type>(values)?,
        &DataType::INTEGER => ints::<Int32Type>(values)?,
        &DataType::DATE => ints::<Date32Type>(values)?,
        &DataType::LONG => ints::<Int64Type>(values)?,
        &DataType::TIMESTAMP_NTZ => ints::<TimestampMicrosecondType>(values)?,
        &DataType::TIMESTAMP => {
            let times = ints::<TimestampMicrosecondType>(values)?;
            let times = times.as_primitive::<TimestampMicrosecondType>().clone();
            Arc::new(times.with_timezone("UTC"))
        }
        &DataType::FLOAT => floats::<Float32Type>(values, |value| value as f32),
        &DataType::DOUBLE => floats::<Float64Type>(values, |value| value),
        &DataType::STRING => {
            Arc::new(StringArray::from_iter(values.iter().map(|value| value.text())))
        }
        DataType::Struct(schema) => {
            let columns = schema.fields().enumerate().map(|(index, field)| {
                let values: Vec<&Value> = values
                    .iter()
                    .map(|value| match value {
                        Value::Struct(row) => row.get(index).unwrap_or(&Value::Null),
                        _ => &Value::Null,
                    })
                    .collect();
                array(&values, field.data_type())
            });
            let columns = columns.collect::<KernelResult<Vec<_>>>()?;
            let array = StructArray::try_new(fields(schema)?, columns, nulls());
            Arc::new(array.map_err(KernelError::generic)?)
        }
        DataType::Array(kind) => {
            let lists = values.iter().map(|value| match value {
                Value::List(values) => values.0.as_slice(),
                _ => &[],
            });
            let offsets = OffsetBuffer::from_lengths(lists.clone().map(<[_]>::len));
            let values: Vec<&Value> = lists.flatten().collect();
            let values = array(&values, kind.element_type())?;
            let array = ListArray::try_new(Arc::new(element(kind)?), offsets, values, nulls());
            Arc::new(array.map_err(KernelError::generic)?)
        }
        DataType::Map(kind) => {
            let none = Entries::default();
            let maps = values.iter().map(|value| match value {
                Value::Map(entries) => &**entries,
                _ => &none,
            });
            let offsets = OffsetBuffer::from_lengths(maps.clone().map(|it| it.keys.0.len()));
            let keys: Vec<&Value> = maps.clone().flat_map(|entries| &entries.keys.0).collect();
            let values: Vec<&Value> = maps.flat_map(|entries| &entries.values.0).collect();
            let columns = vec![array(&keys, kind.key_type())?, array(&values, kind.value_type())?];
            let entry = entry(kind)?;
            let ArrowType::Struct(fields) = entry.data_type() else {
                return unsupported("a map without entries");
            };
            let entries = StructArray::try_new(fields.clone(), columns, None);
            let entries = entries.map_err(KernelError::generic)?;
            let array = MapArray::try_new(Arc::new(entry), offsets, entries, nulls(), false);
            Arc::new(array.map_err(KernelError::generic)?)
        }
        kind => return unsupported(format!("a column of type {kind}")),
    })
}

fn ints<T: ArrowPrimitiveType<Native: TryFrom<i64>>>(values: &[&Value]) -> KernelResult<ArrayRef> {
    let ints = values.iter().map(|value| match value {
        Value::Int(value) => T::Native::try_from(*value)
            .map(Some)
            .map_err(|_| KernelError::generic(format!("{value} is out of range"))),
        _ => Ok(None),
    });
    Ok(Arc::new(ints.collect::<KernelResult<PrimitiveArray<T>>>()?))
}

fn floats<T: ArrowPrimitiveType>(values: &[&Value], convert: fn(f64) -> T::Native) -> ArrayRef {
    let floats = values.iter().map(|value| match value {
        Value::Float(value) => Some(convert(*value)),
        _ => None,
    });
    Arc::new(PrimitiveArray::<T>::from_iter(floats))
}

/// The values of an array, as values of a type. Fields of structs are found by their names; missing ones are
/// null.
pub(super) fn values(array: &dyn Array, kind: &DataType) -> KernelResult<Vec<Value>> {
    let wrong = || {
        let found = array.data_type();
        KernelError::unexpected_column_type(format!("a column of type {found}, expected {kind}"))
    };
    let found = match (kind, array.data_type()) {
        (&DataType::BOOLEAN, ArrowType::Boolean) => {
            let values = array.as_boolean().iter();
            values.map(|value| value.map_or(Value::Null, Value::Bool)).collect()
        }
        (
            &DataType::BYTE | &DataType::SHORT | &DataType::INTEGER | &DataType::LONG,
            ArrowType::Int8,
        ) => from_ints::<Int8Type>(array, |value| value),
        (&DataType::SHORT | &DataType::INTEGER | &DataType::LONG, ArrowType::Int16) => {
            from_ints::<Int16Type>(array, |value| value)
        }
        (&DataType::INTEGER | &DataType::LONG, ArrowType::Int32) => {
            from_ints::<Int32Type>(array, |value| value)
        }
        (&DataType::LONG, ArrowType::Int64) => from_ints::<Int64Type>(array, |value| value),
        (&DataType::DATE, ArrowType::Date32) => from_ints::<Date32Type>(array, |value| value),
        (&DataType::TIMESTAMP | &DataType::TIMESTAMP_NTZ, ArrowType::Timestamp(unit, _)) => {
            match unit {
                TimeUnit::Microsecond => {
                    from_ints::<TimestampMicrosecondType>(array, |value| value)
                }
                TimeUnit::Millisecond => {
                    from_ints::<TimestampMillisecondType>(array, |value| value.saturating_mul(1000))
                }
                TimeUnit::Nanosecond => {
                    from_ints::<TimestampNanosecondType>(array, |value| value.div_euclid(1000))
                }
                TimeUnit::Second => return Err(wrong()),
            }
        }
        (&DataType::FLOAT | &DataType::DOUBLE, ArrowType::Float32) => {
            let values = array.as_primitive::<Float32Type>().iter();
            values.map(|value| value.map_or(Value::Null, |it| Value::Float(it.into()))).collect()
        }
        (&DataType::DOUBLE, ArrowType::Float64) => {
            let values = array.as_primitive::<Float64Type>().iter();
            values.map(|value| value.map_or(Value::Null, Value::Float)).collect()
        }
        (&DataType::STRING, ArrowType::Utf8) => {
            let values = array.as_string::<i32>().iter();
            values.map(|value| value.map_or(Value::Null, |it| Value::Text(it.into()))).collect()
        }
        (DataType::Struct(schema), ArrowType::Struct(_)) => {
            let array = array.as_struct();
            let columns: Vec<(&str, &ArrayRef)> =
                array.column_names().into_iter().zip(array.columns()).collect();
            let rows = structs(&columns, schema, array.len())?.into_iter().enumerate();
            let values = rows.map(|(row, values)| match array.is_null(row) {
                true => Ok(Value::Null),
                false => Value::of_fields(values, schema),
            });
            values.collect::<KernelResult<_>>()?
        }
        (DataType::Array(kind), ArrowType::List(_)) => {
            let array = array.as_list::<i32>();
            let elements = values(array.values(), kind.element_type())?;
            let lists = array.offsets().windows(2).enumerate().map(|(row, range)| {
                if array.is_null(row) {
                    return Ok(Value::Null);
                }
                let elements = elements[range[0] as usize..range[1] as usize].to_vec();
                if !kind.contains_null() && elements.iter().any(Value::is_null) {
                    return Err(KernelError::missing_data("an element of a list is null"));
                }
                Ok(Value::List(Arc::new(Values(elements))))
            });
            lists.collect::<KernelResult<_>>()?
        }
        (DataType::Map(kind), ArrowType::Map(..)) => {
            let array = array.as_map();
            let keys = values(array.keys(), kind.key_type())?;
            let entries = values(array.values(), kind.value_type())?;
            let maps = array.offsets().windows(2).enumerate().map(|(row, range)| {
                if array.is_null(row) {
                    return Value::Null;
                }
                let range = range[0] as usize..range[1] as usize;
                let keys = Values(keys[range.clone()].to_vec());
                Value::Map(Arc::new(Entries { keys, values: Values(entries[range].to_vec()) }))
            });
            maps.collect()
        }
        _ => return Err(wrong()),
    };
    Ok(found)
}

/// The rows of columns, with the fields of a schema.
pub(super) fn structs(
    columns: &[(&str, &ArrayRef)],
    schema: &StructType,
    rows: usize,
) -> KernelResult<Vec<Row>> {
    let columns = schema.fields().map(|field| {
        let column = columns.iter().find(|(name, _)| name == field.name());
        let values = column.map(|(_, array)| values(array, field.data_type())).transpose()?;
        Ok(values.map(Vec::into_iter))
    });
    let mut columns = columns.collect::<KernelResult<Vec<_>>>()?;
    let rows = (0..rows).map(|_| {
        let values = columns.iter_mut();
        values.map(|it| it.as_mut().and_then(Iterator::next).unwrap_or(Value::Null)).collect()
    });
    Ok(rows.collect())
}

fn from_ints<T: ArrowPrimitiveType<Native: Into<i64>>>(
    array: &dyn Array,
    convert: fn(i64) -> i64,
) -> Vec<Value> {
    let values = array.as_primitive::<T>().iter();
    values.map(|value| value.map_or(Value::Null, |it| Value::Int(convert(it.into())))).collect()
}

/// The schema of a Parquet file, as Delta types.
pub(super) fn kernel_schema(schema: &Fields) -> KernelResult<StructType> {
    let fields = schema.iter().map(|field| {
        let kind = kernel_type(field.data_type())?;
        Ok(StructField::new(field.name(), kind, field.is_nullable()))
    });
    StructType::try_new(fields.collect::<KernelResult<Vec<_>>>()?)
}

fn kernel_type(kind: &ArrowType) -> KernelResult<DataType> {
    Ok(match kind {
        ArrowType::Boolean => DataType::BOOLEAN,
        ArrowType::Int8 => DataType::BYTE,
        ArrowType::Int16 => DataType::SHORT,
        ArrowType::Int32 => DataType::INTEGER,
        ArrowType::Int64 => DataType::LONG,
        ArrowType::Float32 => DataType::FLOAT,
        ArrowType::Float64 => DataType::DOUBLE,
        ArrowType::Utf8 => DataType::STRING,
        ArrowType::Binary | ArrowType::FixedSizeBinary(_) => DataType::BINARY,
        ArrowType::Date32 => DataType::DATE,
        ArrowType::Timestamp(_, None) => DataType::TIMESTAMP_NTZ,
        ArrowType::Timestamp(_, Some(_)) => DataType::TIMESTAMP,
        ArrowType::Decimal128(precision, scale) => match u8::try_from(*scale) {
            Ok(scale) => DataType::decimal(*precision, scale)?,
            Err(_) => return unsupported(format!("a column of type {kind}")),
        },
        ArrowType::Struct(fields) => kernel_schema(fields)?.into(),
        ArrowType::List(element) => {
            ArrayType::new(kernel_type(element.data_type())?, element.is_nullable()).into()
        }
        ArrowType::Map(entry, _) => {
            let ArrowType::Struct(fields) = entry.data_type() else {
                return unsupported(format!("a column of type {kind}"));
            };
            let [key, value] = &fields[..] else {
                return unsupported(format!("a column of type {kind}"));
            };
            let (from, to) = (kernel_type(key.data_type())?, kernel_type(value.data_type())?);
            MapType::new(from, to, value.is_nullable()).into()
        }
        kind => return unsupported(format!("a column of type {kind}")),
    })
}
