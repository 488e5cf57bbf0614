//! One adapter for all functions of the table of crate `functions`: calls with columns of DuckDB.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef};
use arrow_select::concat::concat;
use arrow_select::take::take;
use halfmove_functions::tags::TYPED_COLUMNS;
use halfmove_functions::{
    Aggregate, Argument, Arguments, Body, Function, FunctionError, Kind, Values,
};

/// A column of a call.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// The values: one for each row, or the only one.
    pub(crate) array: ArrayRef,
    /// True for one value for all rows.
    pub(crate) is_constant: bool,
}

impl Column {
    /// The values of the rows with these numbers.
    fn of_rows(&self, rows: &UInt32Array) -> Result<Self, FunctionError> {
        Ok(match self.is_constant {
            true => self.clone(),
            false => Self { array: take(&self.array, rows, None)?, is_constant: false },
        })
    }
}

/// The lists of types with which a function can be called in DuckDB; none for one that DuckDB has.
pub(crate) fn overloads(function: &Function) -> Vec<Vec<DataType>> {
    match function.name {
        "tag" => return tag_overloads(),
        // DuckDB has its own, of bytes, and before 1.5 takes no more functions of that name.
        "octet_length" => return Vec::new(),
        _ => {}
    }
    let fewest = function.arguments.iter().filter(|argument| !argument.is_optional).count();
    let counts = fewest..=function.arguments.len();
    counts.map(|count| function.arguments[..count].iter().map(type_of).collect()).collect()
}

fn type_of(argument: &Argument) -> DataType {
    match argument.kind {
        Kind::Number => DataType::Int64,
        kind if kind.column().is_some() => DataType::Binary,
        _ => DataType::Utf8,
    }
}

/// The element of the column `other_tags`.
fn tag_element() -> FieldRef {
    let texts = ["name", "value"].map(|name| Field::new(name, DataType::Utf8, true));
    Arc::new(Field::new("item", DataType::Struct(texts.into_iter().collect()), true))
}

/// The lists of types of `tag`, because a function of DuckDB sees only its arguments: those of `tag(other_tags, name)`, which finds
/// tags without a column, and those of `tag(name, other_tags, tag_order, …)` with all columns that hold tags, which finds any tag.
fn tag_overloads() -> Vec<Vec<DataType>> {
    let list = DataType::List(tag_element());
    let typed = TYPED_COLUMNS.iter().map(|column| match *column {
        "date" => DataType::Date32,
        "white_elo" | "black_elo" => DataType::Int32,
        _ => DataType::Utf8,
    });
    let whole = [DataType::Utf8, list.clone(), DataType::Utf8].into_iter().chain(typed);
    vec![vec![list, DataType::Utf8], whole.collect()]
}

/// The arguments of a call, in the types that the function takes.
fn values(function: &Function, columns: &[Column]) -> Result<Vec<Values>, FunctionError> {
    let given: Vec<DataType> = columns.iter().map(|it| it.array.data_type().clone()).collect();
    let coerced = function.coerce(&given)?;
    let values = columns.iter().zip(&coerced).map(|(column, kind)| {
        let array = match column.array.data_type() == kind {
            true => Arc::clone(&column.array),
            false => cast(&column.array, kind)?,
        };
        Ok(if column.is_constant { Values::literal(array) } else { Values::rows(array) })
    });
    values.collect()
}

/// The results of a function of rows.
pub(crate) fn rows(
    function: &Function,
    columns: &[Column],
    rows: usize,
) -> Result<ArrayRef, FunctionError> {
    let values = values(function, columns)?;
    match function.body {
        Body::Rows(evaluate) => evaluate(&Arguments::new(function, &values, rows)?),
        _ => Err(FunctionError::Form { function: function.name, usage: function.usage() }),
    }
}

/// The state of an aggregate for one group: `None` before its first rows.
#[derive(Debug, Default)]
pub(crate) struct Group(Option<Box<dyn Aggregate>>);

impl Group {
    fn state(&mut self, function: &Function) -> Result<&mut Box<dyn Aggregate>, FunctionError> {
        match &mut self.0 {
            Some(state) => Ok(state),
            none => Ok(none.insert(begin(function)?)),
        }
    }

    /// Adds all rows of a batch.
    pub(crate) fn add(
        &mut self,
        function: &Function,
        columns: &[Column],
        rows: usize,
    ) -> Result<(), FunctionError> {
        let values = values(function, columns)?;
        self.state(function)?.update(&Arguments::new(function, &values, rows)?)
    }

    /// Adds some rows of a batch, by their numbers.
    pub(crate) fn add_some(
        &mut self,
        function: &Function,
        columns: &[Column],
        rows: Vec<u32>,
    ) -> Result<(), FunctionError> {
        let numbers = UInt32Array::from(rows);
        let columns: Result<Vec<Column>, _> =
            columns.iter().map(|column| column.of_rows(&numbers)).collect();
        self.add(function, &columns?, numbers.len())
    }

    /// Adds the rows of another part of the group.
    pub(crate) fn merge(&mut self, function: &Function, part: &Self) -> Result<(), FunctionError> {
        match &part.0 {
            Some(part) => self.state(function)?.merge(&part.to_bytes()),
            None => Ok(()),
        }
    }

    /// The result, as an array of one value.
    fn finish(&self, function: &Function) -> Result<ArrayRef, FunctionError> {
        match &self.0 {
            Some(state) => state.finish(),
            None => begin(function)?.finish(),
        }
    }
}

fn begin(function: &Function) -> Result<Box<dyn Aggregate>, FunctionError> {
    match function.body {
        Body::Groups(begin) => Ok(begin()),
        _ => Err(FunctionError::Form { function: function.name, usage: function.usage() }),
    }
}

/// The results of some groups.
pub(crate) fn results<'a>(
    function: &Function,
    groups: impl Iterator<Item = &'a Group>,
) -> Result<ArrayRef, FunctionError> {
    let results = groups.map(|group| group.finish(function)).collect::<Result<Vec<_>, _>>()?;
    let results: Vec<&dyn Array> = results.iter().map(AsRef::as_ref).collect();
    Ok(concat(&results)?)
}
