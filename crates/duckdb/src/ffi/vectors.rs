//! Vectors of DuckDB as arrays of Arrow, and the other way round.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, Date32Array, Int32Array, Int64Array, ListArray, StringArray, StructArray,
    UInt32Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::take::take;
use libduckdb_sys::{duckdb_data_chunk, duckdb_vector};
use quack_rs::data_chunk::DataChunk;
use quack_rs::types::TypeId;
use quack_rs::vector::complex::{ListVector, StructVector};
use quack_rs::vector::{VectorReader, VectorWriter, vector_get_column_type};

use crate::call::Column;

/// The columns of a chunk, and the number of its rows.
///
/// # Safety
///
/// The chunk is that of a callback which is running; its vectors are flat, as DuckDB passes them.
pub(super) unsafe fn columns(chunk: duckdb_data_chunk) -> Result<(Vec<Column>, usize), ArrowError> {
    // SAFETY: the caller's.
    let chunk = unsafe { DataChunk::from_raw(chunk) };
    let rows = chunk.size();
    let column = |index| {
        // SAFETY: the index is one of the chunk's, whose vectors have as many rows as it has.
        unsafe { column(chunk.vector(index), rows) }
    };
    let columns = (0..chunk.column_count()).map(column);
    Ok((columns.collect::<Result<_, _>>()?, rows))
}

/// A vector as a column of a call: one text in all rows is one value, which is parsed once.
///
/// # Safety
///
/// The vector is flat and has this number of rows.
unsafe fn column(vector: duckdb_vector, rows: usize) -> Result<Column, ArrowError> {
    // SAFETY: the caller's. Texts are read only from a vector of texts, at rows that it has and that are not null.
    unsafe {
        if type_of(vector) == TypeId::Varchar && rows > 1 {
            let reader = VectorReader::from_vector(vector, rows);
            if reader.is_valid(0) {
                let first = reader.read_str(0);
                if (1..rows).all(|row| reader.is_valid(row) && reader.read_str(row) == first) {
                    let array = Arc::new(StringArray::from(vec![first]));
                    return Ok(Column { array, is_constant: true });
                }
            }
        }
        Ok(Column { array: read(vector, rows)?, is_constant: false })
    }
}

/// The type of a vector.
///
/// # Safety
///
/// The vector is one of a callback which is running.
unsafe fn type_of(vector: duckdb_vector) -> TypeId {
    // SAFETY: the caller's.
    unsafe { vector_get_column_type(vector).get_type_id() }
}

/// The values of a vector as an array.
///
/// # Safety
///
/// The vector is flat and has this number of rows.
unsafe fn read(vector: duckdb_vector, rows: usize) -> Result<ArrayRef, ArrowError> {
    // SAFETY: the caller's. Each value is read as one of the vector's type, at a row that it has and that is not null.
    unsafe {
        let reader = VectorReader::from_vector(vector, rows);
        let valid = |row: &usize| reader.is_valid(*row);
        Ok(match type_of(vector) {
            TypeId::Varchar => {
                let mut texts = StringBuilder::with_capacity(rows, 16 * rows);
                (0..rows).for_each(|row| {
                    texts.append_option(reader.is_valid(row).then(|| reader.read_str(row)));
                });
                Arc::new(texts.finish())
            }
            TypeId::Blob => {
                let mut values = BinaryBuilder::with_capacity(rows, 64 * rows);
                (0..rows).for_each(|row| {
                    values.append_option(reader.is_valid(row).then(|| reader.read_blob(row)));
                });
                Arc::new(values.finish())
            }
            TypeId::BigInt => {
                let values = (0..rows).map(|row| valid(&row).then(|| reader.read_i64(row)));
                Arc::new(values.collect::<Int64Array>())
            }
            TypeId::Integer => {
                let values = (0..rows).map(|row| valid(&row).then(|| reader.read_i32(row)));
                Arc::new(values.collect::<Int32Array>())
            }
            TypeId::Date => {
                let values = (0..rows).map(|row| valid(&row).then(|| reader.read_date(row)));
                Arc::new(values.collect::<Date32Array>())
            }
            TypeId::List => {
                let size = ListVector::get_size(vector);
                let elements = read(ListVector::get_child(vector), size)?;
                let (mut lengths, mut places) = (Vec::with_capacity(rows), Vec::new());
                for row in 0..rows {
                    let before = places.len();
                    if reader.is_valid(row) {
                        let entry = ListVector::get_entry(vector, row);
                        let end = entry.offset.saturating_add(entry.length);
                        places.extend((entry.offset..end).filter_map(|it| u32::try_from(it).ok()));
                    }
                    lengths.push(places.len() - before);
                }
                let elements = take(&elements, &UInt32Array::from(places), None)?;
                let field = Arc::new(Field::new("item", elements.data_type().clone(), true));
                let nulls = (0..rows).map(|row| reader.is_valid(row)).collect::<NullBuffer>();
                let offsets = OffsetBuffer::from_lengths(lengths);
                Arc::new(ListArray::try_new(field, offsets, elements, Some(nulls))?)
            }
            TypeId::Struct => {
                let kind = vector_get_column_type(vector);
                let mut fields = Vec::new();
                for index in 0..kind.struct_child_count() {
                    let place = usize::try_from(index).unwrap_or(usize::MAX);
                    let child = read(StructVector::get_child(vector, place), rows)?;
                    let name = kind.struct_child_name(index);
                    fields
                        .push((Arc::new(Field::new(name, child.data_type().clone(), true)), child));
                }
                let (fields, children): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
                let nulls = (0..rows).map(|row| reader.is_valid(row)).collect::<NullBuffer>();
                Arc::new(StructArray::try_new(fields.into(), children, Some(nulls))?)
            }
            other => {
                let what = format!("an argument has the type {other:?}, which no function takes");
                return Err(ArrowError::NotYetImplemented(what));
            }
        })
    }
}

/// Writes all values of an array into a vector, the first one at row `at`.
///
/// # Safety
///
/// The vector can be written, has the type of the array in DuckDB ([`types`](super::types)), and has room for the values; those of
/// lists find their room here.
pub(super) unsafe fn write(
    vector: duckdb_vector,
    array: &dyn Array,
    at: usize,
) -> Result<(), ArrowError> {
    // SAFETY: the caller's. Each value is written as one of the vector's type, at rows from `at`.
    unsafe {
        let mut writer = VectorWriter::from_vector(vector);
        macro_rules! each {
            ($values:expr, $write:ident) => {{
                let values = $values;
                for row in 0..values.len() {
                    if values.is_valid(row) {
                        writer.$write(at + row, values.value(row));
                    }
                }
            }};
        }
        match array.data_type() {
            DataType::Boolean => each!(array.as_boolean(), write_bool),
            DataType::Int32 => each!(array.as_primitive::<Int32Type>(), write_i32),
            DataType::Int64 => each!(array.as_primitive::<Int64Type>(), write_i64),
            DataType::UInt64 => each!(array.as_primitive::<UInt64Type>(), write_u64),
            DataType::Float64 => each!(array.as_primitive::<Float64Type>(), write_f64),
            DataType::Date32 => each!(array.as_primitive::<Date32Type>(), write_date),
            DataType::Timestamp(..) => {
                each!(array.as_primitive::<TimestampMicrosecondType>(), write_timestamp);
            }
            DataType::Utf8 => each!(array.as_string::<i32>(), write_varchar),
            DataType::Utf8View => each!(array.as_string_view(), write_varchar),
            DataType::Binary => each!(array.as_binary::<i32>(), write_blob),
            DataType::BinaryView => each!(array.as_binary_view(), write_blob),
            DataType::List(_) => write_lists(vector, array.as_list(), at)?,
            DataType::Struct(_) => {
                for (index, child) in array.as_struct().columns().iter().enumerate() {
                    write(StructVector::get_child(vector, index), child, at)?;
                }
            }
            other => {
                return Err(ArrowError::NotYetImplemented(format!("{other} as a type of DuckDB")));
            }
        }
        if let Some(nulls) = array.logical_nulls() {
            // After the values: the fields of a null struct are null, too.
            (0..array.len())
                .filter(|row| nulls.is_null(*row))
                .for_each(|row| writer.set_null(at + row));
        }
    }
    Ok(())
}

/// Writes lists, whose elements follow those that the vector has.
///
/// # Safety
///
/// As [`write`].
unsafe fn write_lists(
    vector: duckdb_vector,
    lists: &ListArray,
    at: usize,
) -> Result<(), ArrowError> {
    let offsets = lists.value_offsets();
    let (first, last) = (offsets[0], offsets[lists.len()]);
    let elements = lists.values().slice(first as usize, (last - first) as usize);
    // SAFETY: the caller's. The child gets room for all elements before they are written, and each entry is within them.
    unsafe {
        let before = ListVector::get_size(vector);
        ListVector::reserve(vector, before + elements.len());
        write(ListVector::get_child(vector), &elements, before)?;
        ListVector::set_size(vector, before + elements.len());
        for (row, bounds) in offsets.windows(2).enumerate() {
            let (from, length) = ((bounds[0] - first) as usize, (bounds[1] - bounds[0]) as usize);
            ListVector::set_entry(vector, at + row, (before + from) as u64, length as u64);
        }
    }
    Ok(())
}
