//! Results as tables: `Rows`, all in memory, and `Batches`, which are computed as they are read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, new_empty_array};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::concat::concat;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice};

use crate::capsule;
use crate::functions::Column;
use crate::values::{cell, list, row};
use crate::work::{Stop, interruptible};

/// A reader of batches.
pub(crate) type Reader = Box<dyn RecordBatchReader + Send>;

/// A table in memory. Polars, pandas, PyArrow and DuckDB take it without copies; so does everything with Arrow's PyCapsule
/// interface. Iteration gives a dict for each row.
///
/// >>> import halfmove
/// >>> rows = halfmove.open(folder).search(columns=["id", "white"])
/// >>> len(rows), rows.column_names, rows["id"]
/// (3, ['id', 'white'], [1, 2, 3])
/// >>> rows[0], [row["id"] for row in rows[1:]]
/// ({'id': 1, 'white': 'Morphy, Paul'}, [2, 3])
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct Rows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Rows {
    /// The rows of some batches.
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// A table of columns of the same length.
    pub(crate) fn of_columns(columns: Vec<(&str, ArrayRef)>) -> PyResult<Self> {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, array)| (name, array, true)),
        );
        let batch = batch.map_err(failed)?;
        Ok(Self { schema: batch.schema(), batches: vec![batch] })
    }

    fn reader(&self) -> Reader {
        let batches: Vec<_> = self.batches.iter().cloned().map(Ok).collect();
        Box::new(RecordBatchIterator::new(batches, Arc::clone(&self.schema)))
    }

    fn index_of(&self, name: &str) -> PyResult<usize> {
        self.schema.index_of(name).map_err(|_| {
            let known = names(&self.schema).join(", ");
            PyKeyError::new_err(format!("no column {name}: expected {known}"))
        })
    }

    /// The batch and the row there.
    fn place(&self, mut number: usize) -> Option<(&RecordBatch, usize)> {
        self.batches.iter().find_map(|batch| match number.checked_sub(batch.num_rows()) {
            Some(rest) => {
                number = rest;
                None
            }
            None => Some((batch, number)),
        })
    }
}

pub(crate) fn failed(error: ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => PyValueError::new_err(error.to_string()),
        },
        error => PyValueError::new_err(error.to_string()),
    }
}

fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

#[pymethods]
impl Rows {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        names(&self.schema)
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// A row as a dict by its number, rows as a list by a slice, or a column as a list by its name.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let index = self.index_of(&name)?;
            let cells = PyList::empty(py);
            for batch in &self.batches {
                for cell in list(py, batch.column(index))? {
                    cells.append(cell)?;
                }
            }
            return Ok(cells.into_any());
        }
        if let Ok(slice) = key.cast::<PySlice>() {
            let rows = numbers(slice, self.__len__())?.into_iter().map(|number| {
                let (batch, number) = self.place(number).ok_or_else(|| no_row(number))?;
                row(py, batch, number)
            });
            return Ok(PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let number: isize = key.extract()?;
        let from_end = if number < 0 { self.__len__() as isize } else { 0 };
        let place = usize::try_from(number + from_end).ok().and_then(|number| self.place(number));
        let (batch, number) = place.ok_or_else(|| {
            PyIndexError::new_err(format!("no row {number}: {} rows", self.__len__()))
        })?;
        Ok(row(py, batch, number)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.to_pylist(py)?.try_iter()?.into_any())
    }

    /// The rows as a list of dicts.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for batch in &self.batches {
            for number in 0..batch.num_rows() {
                rows.append(row(py, batch, number)?)?;
            }
        }
        Ok(rows)
    }

    /// The columns as a dict of lists.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for name in names(&self.schema) {
            let key = name.clone().into_pyobject(py)?.into_any();
            dict.set_item(name, self.__getitem__(py, &key)?)?;
        }
        Ok(dict)
    }

    /// A column as an Arrow array.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).search().column("id").to_pylist()
    /// [1, 2, 3]
    fn column(&self, name: &str) -> PyResult<Column> {
        let index = self.index_of(name)?;
        let chunks: Vec<ArrayRef> =
            self.batches.iter().map(|batch| Arc::clone(batch.column(index))).collect();
        let empty = || new_empty_array(self.schema.field(index).data_type());
        Ok(Column(if chunks.is_empty() { empty() } else { joined(&chunks)? }))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsule::give_stream(py, self.reader())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::give_schema(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        format!("<Rows: {} rows of {}>", self.__len__(), names(&self.schema).join(", "))
    }

    /// The bytes of pickle: a stream of Arrow IPC.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let write = || -> Result<Vec<u8>, ArrowError> {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
            self.batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.into_inner()
        };
        let bytes = py.detach(write).map_err(failed)?;
        Ok((py.get_type::<Self>().getattr("_of_ipc")?, (PyBytes::new(py, &bytes),)))
    }

    /// The rows of a stream of Arrow IPC, for pickle.
    #[staticmethod]
    fn _of_ipc(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let read = || {
            let reader = StreamReader::try_new(bytes, None)?;
            let schema = reader.schema();
            Ok(Self { schema, batches: reader.collect::<Result<_, _>>()? })
        };
        py.detach(read).map_err(failed)
    }

    /// The first rows as a table, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let heads = names(&self.schema)
            .iter()
            .map(|name| format!("<th>{}</th>", escape(name)))
            .collect::<String>();
        let mut table = format!("<table><tr>{heads}</tr>");
        for number in 0..self.__len__().min(MAX_SHOWN) {
            let Some((batch, number)) = self.place(number) else { break };
            table += "<tr>";
            for column in batch.columns() {
                let cell = cell(py, column, number)?;
                let text = if cell.is_none() { String::new() } else { cell.str()?.to_string() };
                table += &format!("<td>{}</td>", escape(&text));
            }
            table += "</tr>";
        }
        Ok(table + &format!("</table><small>{} rows</small>", self.__len__()))
    }
}

fn no_row(number: usize) -> PyErr {
    PyIndexError::new_err(format!("no row {number}"))
}

/// The numbers that a slice of a sequence selects.
pub(crate) fn numbers(slice: &Bound<'_, PySlice>, length: usize) -> PyResult<Vec<usize>> {
    let indices = slice.indices(isize::try_from(length).unwrap_or(isize::MAX))?;
    let number = |step: usize| indices.start + indices.step * step as isize;
    Ok((0..indices.slicelength).map(|step| number(step) as usize).collect())
}

/// The number of rows that a notebook shows.
const MAX_SHOWN: usize = 20;

/// A table that is computed while it is read, batch after batch, so that memory stays bounded. It can be read again.
///
/// Iteration gives the batches as `Rows`.
///
/// >>> import halfmove
/// >>> halfmoves = halfmove.open(folder).positions(columns=["ply", "san"], id=2)
/// >>> [len(rows) for rows in halfmoves], halfmoves.skipped
/// ([3], 0)
/// >>> halfmoves.to_pydict()
/// {'ply': [1, 2, 3], 'san': ['e4', 'c5', 'd4']}
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct Batches {
    pub(crate) source: Source,
    /// Counts the games without a row.
    pub(crate) skipped: Option<Skipped>,
}

/// Counts the games that meet the conditions of a table but have no row in it.
pub(crate) type Skipped = Box<dyn Fn(Python<'_>) -> PyResult<u64> + Send + Sync>;

/// Makes a reader, each time that the table is read. The request ends its work.
pub(crate) type Open = Box<dyn Fn(&Stop) -> PyResult<Reader> + Send + Sync>;

/// A table that can be read several times.
pub(crate) struct Source {
    pub(crate) schema: SchemaRef,
    pub(crate) open: Open,
}

impl Source {
    /// A reader that Ctrl-C ends.
    pub(crate) fn reader(&self, py: Python<'_>) -> PyResult<Watched> {
        let stop = Stop::default();
        let reader = interruptible(py, || (self.open)(&stop), || stop.now())??;
        Ok(Watched { reader, stop, caller: thread::current().id() })
    }

    pub(crate) fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = self.reader(py)?;
        capsule::give_stream(py, Box::new(reader))
    }
}

/// A reader of batches that Ctrl-C ends.
pub(crate) struct Watched {
    reader: Reader,
    stop: Stop,
    /// The thread that asked for the batches. Only while it waits are signals looked for: another thread might wait for one that
    /// has the interpreter's lock.
    caller: ThreadId,
}

impl Watched {
    /// The next batch.
    fn read(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let Self { reader, stop, .. } = self;
        interruptible(py, || reader.next(), || stop.now())?.transpose().map_err(failed)
    }
}

impl Iterator for Watched {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if thread::current().id() != self.caller {
            return self.reader.next();
        }
        let batch = Python::attach(|py| self.read(py));
        batch.map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
}

impl RecordBatchReader for Watched {
    fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}

#[pymethods]
impl Batches {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        names(&self.source.schema)
    }

    /// For `positions`: the number of games that meet the conditions and have no row, because they have none of the half-moves.
    /// `None` for other tables.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.skipped.as_ref().map(|count| count(py)).transpose()
    }

    /// All rows, in memory.
    pub(crate) fn read_all(&self, py: Python<'_>) -> PyResult<Rows> {
        let (is_over, stop) = (AtomicBool::new(false), Stop::default());
        let read = || -> PyResult<Vec<RecordBatch>> {
            let mut reader = (self.source.open)(&stop)?;
            let mut batches = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let Some(batch) = reader.next() else { break };
                batches.push(batch.map_err(failed)?);
            }
            Ok(batches)
        };
        let cancel = || {
            is_over.store(true, Ordering::Relaxed);
            stop.now();
        };
        let batches = interruptible(py, read, cancel)??;
        Ok(Rows::new(Arc::clone(&self.source.schema), batches))
    }

    /// All rows as a list of dicts.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.read_all(py)?.to_pylist(py)
    }

    /// All columns as a dict of lists.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.read_all(py)?.to_pydict(py)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BatchIterator> {
        Ok(BatchIterator { reader: Mutex::new(self.source.reader(py)?) })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        self.source.stream(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::give_schema(py, &self.source.schema)
    }

    fn __repr__(&self) -> String {
        format!("<Batches of {}>", names(&self.source.schema).join(", "))
    }
}

/// An iteration over batches.
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct BatchIterator {
    reader: Mutex<Watched>,
}

#[pymethods]
impl BatchIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Rows>> {
        // Another thread may be reading: it is waited for without the interpreter's lock, which it may need.
        let mut reader = self.reader.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        let schema = reader.schema();
        Ok(reader.read(py)?.map(|batch| Rows::new(schema, vec![batch])))
    }
}

/// The chunks of a column in one array.
pub(crate) fn joined(chunks: &[ArrayRef]) -> PyResult<ArrayRef> {
    match chunks {
        [one] => Ok(Arc::clone(one)),
        chunks => {
            let chunks: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
            concat(&chunks).map_err(failed)
        }
    }
}
