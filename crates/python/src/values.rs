//! Cells of Arrow arrays as Python's values.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, UInt8Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_schema::{DataType, TimeUnit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDate, PyDateTime, PyDict, PyList, PyTzInfo};

/// The number of 1970-01-01 in `date.fromordinal`.
const UNIX_EPOCH: i64 = 719_163;

/// A row as a dict.
pub(crate) fn row<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    row: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        dict.set_item(field.name(), cell(py, column, row)?)?;
    }
    Ok(dict)
}

/// A cell.
pub(crate) fn cell<'py>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::UInt8 => {
            array.as_primitive::<UInt8Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Int16 => {
            array.as_primitive::<Int16Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Int32 => {
            array.as_primitive::<Int32Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Int64 => {
            array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::UInt64 => {
            array.as_primitive::<UInt64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float32 => {
            array.as_primitive::<Float32Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            array.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Utf8View => array.as_string_view().value(row).into_pyobject(py)?.into_any(),
        DataType::Binary => PyBytes::new(py, array.as_binary::<i32>().value(row)).into_any(),
        DataType::LargeBinary => PyBytes::new(py, array.as_binary::<i64>().value(row)).into_any(),
        DataType::BinaryView => PyBytes::new(py, array.as_binary_view().value(row)).into_any(),
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any()
        }
        DataType::Date32 => {
            // Python has no earlier days than those of year 1.
            let days = array.as_primitive::<Date32Type>().value(row);
            let ordinal = i64::from(days) + UNIX_EPOCH;
            py.get_type::<PyDate>().call_method1("fromordinal", (ordinal,))?
        }
        DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => {
            moment(py, array.as_primitive::<TimestampMicrosecondType>().value(row) as f64 / 1e6)?
        }
        DataType::Timestamp(TimeUnit::Millisecond, Some(_)) => {
            moment(py, array.as_primitive::<TimestampMillisecondType>().value(row) as f64 / 1e3)?
        }
        DataType::List(_) => list(py, &array.as_list::<i32>().value(row))?.into_any(),
        DataType::FixedSizeList(..) => list(py, &array.as_fixed_size_list().value(row))?.into_any(),
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), cell(py, column, row)?)?;
            }
            dict.into_any()
        }
        DataType::Dictionary(..) => {
            let one = array.slice(row, 1);
            let dictionary = one.as_any_dictionary();
            let key = dictionary.normalized_keys()[0];
            cell(py, dictionary.values(), key)?
        }
        _ => text(py, array, row)?,
    })
}

/// The cells of an array.
pub(crate) fn list<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    let cells: Vec<_> =
        (0..array.len()).map(|row| cell(py, array, row)).collect::<PyResult<_>>()?;
    PyList::new(py, cells)
}

/// A time in UTC, given in seconds since 1970.
fn moment(py: Python<'_>, seconds: f64) -> PyResult<Bound<'_, PyAny>> {
    let utc = PyTzInfo::utc(py)?.to_owned();
    Ok(PyDateTime::from_timestamp(py, seconds, Some(&utc))?.into_any())
}

fn text<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    let text = array_value_to_string(array, row);
    let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(text.into_pyobject(py)?.into_any())
}
