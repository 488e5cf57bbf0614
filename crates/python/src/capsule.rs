//! Arrow's PyCapsule interface: arrays, schemas and streams, exchanged with other libraries without copies.
//!
//! The only unsafe code of this crate. Source: *The Arrow PyCapsule Interface*, Apache Arrow (2024).

#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn failed(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A schema, for `__arrow_c_schema__`.
pub(crate) fn give_schema<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| failed(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A stream of batches, for `__arrow_c_stream__`. It is read lazily.
pub(crate) fn give_stream(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// The batches of an object with `__arrow_c_stream__`; `None` if it has none. Nothing is read before they are.
pub(crate) fn take_stream(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrowArrayStreamReader>> {
    if !object.hasattr("__arrow_c_stream__")? {
        return Ok(None);
    }
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the interface, a capsule of this name holds this structure. It is moved out: the producer's
    // capsule then finds it released.
    let reader = unsafe { ArrowArrayStreamReader::from_raw(stream.as_ptr()) };
    reader.map(Some).map_err(|error| failed(&error))
}

/// An array and its schema, for `__arrow_c_array__`.
pub(crate) fn give_array<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| failed(&error))?;
    Ok((
        PyCapsule::new_with_value(py, schema, SCHEMA)?,
        PyCapsule::new_with_value(py, array, ARRAY)?,
    ))
}

/// The array or the chunks of an object with `__arrow_c_array__` or `__arrow_c_stream__`; `None` if it has neither.
pub(crate) fn take(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: by the interface, a capsule of this name holds this structure. It is moved out: the producer's
        // capsule then finds it released.
        let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
        // SAFETY: as above; the capsule stays alive, and with it the schema, until this function returns.
        let data = unsafe { from_ffi(array, schema.as_ref()) };
        return Ok(Some(vec![make_array(data.map_err(|error| failed(&error))?)]));
    }
    if !object.hasattr("__arrow_c_stream__")? {
        return Ok(None);
    }
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above: the structure of a capsule of this name, moved out.
    let chunks = unsafe { chunks_of(stream.as_ptr()) };
    chunks.map(Some)
}

/// The chunks of a stream of arrays, or of the only column of a stream of batches.
///
/// # Safety
///
/// The pointer is that of a stream, which is moved out of it.
unsafe fn chunks_of(stream: *mut FFI_ArrowArrayStream) -> PyResult<Vec<ArrayRef>> {
    // A column is a stream of arrays that are not structs, which the reader of batches rejects. SAFETY: that of
    // this function.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the stream was read before"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the callbacks of a stream that is not released, with structures to fill.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(PyValueError::new_err("the stream has no schema"));
    }
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream, &raw mut array) } != 0 {
            return Err(PyValueError::new_err("the stream ends with an error"));
        }
        if array.is_released() {
            break;
        }
        // SAFETY: the array was filled by the stream, and has its schema.
        let data = unsafe { from_ffi(array, &schema) }.map_err(|error| failed(&error))?;
        chunks.push(make_array(data));
    }
    if chunks.is_empty() {
        let kind = arrow_schema::DataType::try_from(&schema).map_err(|error| failed(&error))?;
        chunks.push(arrow_array::new_empty_array(&kind));
    }
    Ok(chunks)
}

/// The error for an argument that is no Arrow array.
pub(crate) fn not_an_array(name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let kind =
        object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "{name}: a {kind}, expected a value, or an Arrow array: a column of Polars, PyArrow and the like"
    ))
}
