//! The functions over columns of encoded games: one adapter for all functions of crate `functions`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array, StringArray, new_null_array};
use arrow_cast::cast;
use arrow_schema::DataType;
use halfmove_functions::{
    Aggregate, Arguments, Body, FUNCTIONS, Function, FunctionError, Values, function,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple};

use crate::board::Board;
use crate::capsule;
use crate::error::of_function;
use crate::rows::{Rows, failed, joined, numbers};
use crate::values::{cell, list};
use crate::work::interruptible;

/// An Arrow array. Polars, PyArrow and the like take it without copies.
#[pyclass(module = "halfmove", frozen)]
pub(crate) struct Column(pub(crate) ArrayRef);

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// A value by its number, or values as a list by a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let cells = numbers(slice, self.0.len())?.into_iter().map(|row| cell(py, &self.0, row));
            return Ok(PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let number: isize = key.extract()?;
        let from_end = if number < 0 { self.0.len() as isize } else { 0 };
        let row = usize::try_from(number + from_end).ok().filter(|row| *row < self.0.len());
        let none = || PyIndexError::new_err(format!("no value {number}: {} values", self.0.len()));
        cell(py, &self.0, row.ok_or_else(none)?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.to_pylist(py)?.try_iter()?.into_any())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Rows, &str))> {
        let rows = Rows::of_columns(vec![("values", Arc::clone(&self.0))])?;
        Ok((py.get_type::<Rows>().getattr("column")?, (rows, "values")))
    }

    /// The values as a list.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.0)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        capsule::give_array(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Column: {} of {}>", self.0.len(), self.0.data_type())
    }
}

/// An argument of a call.
struct Given {
    array: ArrayRef,
    /// True for one value for all rows.
    is_literal: bool,
}

impl Given {
    fn of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let literal = |array: ArrayRef| Ok(Self { array, is_literal: true });
        if object.is_none() {
            return literal(new_null_array(&DataType::Null, 1));
        }
        if let Ok(text) = object.extract::<&str>() {
            return literal(Arc::new(StringArray::from(vec![text])));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return literal(Arc::new(BinaryArray::from(vec![bytes.as_bytes()])));
        }
        if let Ok(board) = object.extract::<Board>() {
            return literal(Arc::new(StringArray::from(vec![board.position().to_string()])));
        }
        if let Ok(number) = object.extract::<i64>() {
            return literal(Arc::new(Int64Array::from(vec![number])));
        }
        if let Ok(column) = object.cast::<Column>() {
            return Ok(Self { array: Arc::clone(&column.get().0), is_literal: false });
        }
        let chunks = capsule::take(object)?.ok_or_else(|| capsule::not_an_array(name, object))?;
        Ok(Self { array: joined(&chunks)?, is_literal: false })
    }

    /// The values of some rows.
    fn values(&self, from: usize, rows: usize) -> Values {
        match self.is_literal {
            true => Values::literal(Arc::clone(&self.array)),
            false => Values::rows(self.array.slice(from, rows)),
        }
    }
}

/// The minimum number of rows per thread.
const ROWS_OF_THREAD: usize = 4_096;

/// The maximum number of rows between two looks for an interrupt.
const ROWS_AT_A_TIME: usize = 65_536;

/// A call with its arguments in the types that the function takes.
struct Call {
    function: &'static Function,
    given: Vec<Given>,
    rows: usize,
    /// True if the call is to end, with whatever answer.
    is_over: AtomicBool,
}

impl Call {
    fn of(name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let unknown = || PyValueError::new_err(format!("no function {name}"));
        let function = function(name).ok_or_else(unknown)?;
        let named = |index: usize| function.arguments.get(index).map_or(name, |it| it.name);
        let given = arguments.iter().enumerate().map(|(index, it)| Given::of(named(index), &it));
        let mut given = given.collect::<PyResult<Vec<_>>>()?;
        let types: Vec<DataType> = given.iter().map(|it| it.array.data_type().clone()).collect();
        let coerced =
            function.coerce(&types).map_err(|error| PyTypeError::new_err(error.to_string()))?;
        for (given, kind) in given.iter_mut().zip(&coerced) {
            if given.array.data_type() != kind {
                given.array = cast(&given.array, kind).map_err(failed)?;
            }
        }
        let literal = |given: &Given| -> Option<String> {
            let texts = given.array.as_any().downcast_ref::<StringArray>();
            texts
                .filter(|texts| given.is_literal && texts.is_valid(0))
                .map(|it| it.value(0).to_owned())
        };
        let literals: Vec<Option<String>> = given.iter().map(literal).collect();
        let literals: Vec<Option<&str>> = literals.iter().map(Option::as_deref).collect();
        function.check_literals(&literals).map_err(|error| of_function(&error))?;
        let mut lengths = given.iter().filter(|it| !it.is_literal).map(|it| it.array.len());
        let rows = lengths.next().unwrap_or(1);
        if let Some(other) = lengths.find(|other| *other != rows) {
            return Err(PyValueError::new_err(format!(
                "{name}: arrays of {rows} and {other} values, expected the same length"
            )));
        }
        Ok(Self { function, given, rows, is_over: AtomicBool::new(false) })
    }

    fn is_scalar(&self) -> bool {
        self.given.iter().all(|it| it.is_literal)
    }

    /// Runs work for pieces of the rows, in equal shares on threads.
    fn shared<T: Send>(
        &self,
        work: impl Fn(&Arguments<'_>) -> Result<T, FunctionError> + Sync,
    ) -> Result<Vec<T>, FunctionError> {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let shares = cores.min(self.rows.div_ceil(ROWS_OF_THREAD)).max(1);
        let width = self.rows.div_ceil(shares);
        let piece = |from: usize, rows: usize| {
            let values: Vec<Values> = self.given.iter().map(|it| it.values(from, rows)).collect();
            work(&Arguments::new(self.function, &values, rows)?)
        };
        let share = |from: usize| {
            let (mut from, end) = (from, (from + width).min(self.rows));
            let mut pieces = vec![piece(from, ROWS_AT_A_TIME.min(end - from))?];
            from += ROWS_AT_A_TIME;
            while from < end && !self.is_over.load(Ordering::Relaxed) {
                pieces.push(piece(from, ROWS_AT_A_TIME.min(end - from))?);
                from += ROWS_AT_A_TIME;
            }
            Ok::<_, FunctionError>(pieces)
        };
        if shares == 1 {
            return share(0);
        }
        let starts = (0..self.rows).step_by(width);
        thread::scope(|scope| {
            let share = &share;
            let threads: Vec<_> = starts.map(|from| scope.spawn(move || share(from))).collect();
            let joined = threads.into_iter().map(|it| match it.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            Ok(joined.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        })
    }

    /// The state of an aggregate after all rows.
    fn aggregated(
        &self,
        begin: fn() -> Box<dyn Aggregate>,
    ) -> Result<Box<dyn Aggregate>, FunctionError> {
        let states = self.shared(|arguments| {
            let mut state = begin();
            state.update(arguments)?;
            Ok(state.to_bytes())
        })?;
        let mut all = begin();
        states.iter().try_for_each(|state| all.merge(state))?;
        Ok(all)
    }

    /// The answer in pieces. Ctrl-C ends the call.
    fn run(&self, py: Python<'_>) -> PyResult<ArrayRef> {
        let answers = if self.rows < ROWS_AT_A_TIME {
            py.detach(|| self.answers())
        } else {
            interruptible(py, || self.answers(), || self.is_over.store(true, Ordering::Relaxed))?
        };
        joined(&answers.map_err(|error| of_function(&error))?)
    }

    fn answers(&self) -> Result<Vec<ArrayRef>, FunctionError> {
        match self.function.body {
            Body::Rows(evaluate) => self.shared(evaluate),
            Body::Groups(begin) => Ok(vec![self.aggregated(begin)?.finish()?]),
            _ => Ok(Vec::new()),
        }
    }
}

/// Calls a function of the table: with a column of values for one with columns, with a value for an aggregate and for a
/// call of values alone.
#[pyfunction]
pub(crate) fn call_function<'py>(
    py: Python<'py>,
    name: &str,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let call = Call::of(name, arguments)?;
    let answers = call.run(py)?;
    if call.is_scalar() || call.function.is_aggregate() {
        return cell(py, &answers, 0);
    }
    Ok(Column(answers).into_pyobject(py)?.into_any())
}

/// The rows `(uci, white, draws, black, other)` of `explore`, for engines that add them up by `uci`: the row without `uci`
/// counts the games that reach the position, the others those that continue with a move.
#[pyfunction]
#[pyo3(signature = (*arguments))]
pub(crate) fn explore_partial(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<Rows> {
    let call = Call::of("explore", arguments)?;
    let answer = cell(py, &call.run(py)?, 0)?;
    let answer = answer.cast::<PyDict>()?;
    let moves = answer.get_item("moves")?.ok_or_else(|| PyValueError::new_err("no moves"))?;
    let mut rows: Vec<Bound<'_, PyAny>> = vec![answer.clone().into_any()];
    rows.extend(moves.try_iter()?.collect::<PyResult<Vec<_>>>()?);
    let uci = rows.iter().skip(1).map(|row| row.get_item("uci")?.extract::<String>().map(Some));
    let uci = std::iter::once(Ok(None)).chain(uci).collect::<PyResult<StringArray>>()?;
    let mut columns: Vec<(&str, ArrayRef)> = vec![("uci", Arc::new(uci))];
    for name in ["white", "draws", "black", "other"] {
        let counts = rows.iter().map(|row| row.get_item(name)?.extract::<i64>());
        columns.push((name, Arc::new(counts.collect::<PyResult<Int64Array>>()?)));
    }
    Rows::of_columns(columns)
}

/// The table of functions: for each, its name, its arguments as `(name, is_optional)`, its signature, a line of help, the
/// text of the reference, and an example: calls, ids of games, answers.
#[pyfunction]
pub(crate) fn function_table(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let table = PyList::empty(py);
    for function in &FUNCTIONS {
        let entry = PyDict::new(py);
        let arguments = function.arguments.iter().map(|it| (it.name, it.is_optional));
        entry.set_item("name", function.name)?;
        entry.set_item("arguments", arguments.collect::<Vec<_>>())?;
        entry.set_item("signature", function.signature())?;
        entry.set_item("help", function.help)?;
        entry.set_item("about", function.about)?;
        entry.set_item("is_aggregate", function.is_aggregate())?;
        entry.set_item("calls", function.example.calls)?;
        entry.set_item("games", function.example.games)?;
        let answers: Vec<Vec<&str>> =
            function.example.answers.iter().map(|row| row.to_vec()).collect();
        entry.set_item("answers", answers)?;
        table.append(entry)?;
    }
    Ok(table)
}
