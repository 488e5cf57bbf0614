//! Calls in SQL syntax, evaluated as an adapter does it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_schema::DataType;
use halfmove_functions::{Arguments, Body, Function, FunctionError, Values, function, tags};
use halfmove_game::Game;

use crate::games::column;

/// An argument of a call, as written.
#[derive(Debug, Clone, PartialEq)]
enum Written {
    Column(String),
    Text(String),
    Number(i64),
}

/// The function and arguments of a call such as `san(moves, 3)`.
fn parse(call: &str) -> (&'static Function, Vec<Written>) {
    let (name, rest) = call.split_once('(').expect("a call");
    let mut rest = rest.strip_suffix(')').expect("the end of a call").trim();
    let mut arguments = Vec::new();
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix('\'') {
            let (text, tail) = text.split_once('\'').expect("the end of a text");
            arguments.push(Written::Text(text.to_owned()));
            rest = tail.trim_start_matches(',').trim();
            continue;
        }
        let (word, tail) = rest.split_once(',').unwrap_or((rest, ""));
        arguments.push(match word.parse() {
            Ok(number) => Written::Number(number),
            Err(_) => Written::Column(word.to_owned()),
        });
        rest = tail.trim();
    }
    (function(name).unwrap_or_else(|| panic!("no function {name}")), arguments)
}

/// The results of a call: one for each game, or one for all if the function is an aggregate.
pub(crate) fn evaluate(call: &str, games: &[Game]) -> Result<ArrayRef, FunctionError> {
    let (function, mut written) = parse(call);
    if let ("tag", [Written::Text(name)]) = (function.name, written.as_slice()) {
        let columns = tags::columns(Some(name));
        written.extend(columns.iter().map(|name| Written::Column((*name).to_owned())));
    }
    let literals: Vec<Option<&str>> = written
        .iter()
        .map(|argument| match argument {
            Written::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    function.check_literals(&literals)?;
    let values: Vec<Values> = written
        .iter()
        .map(|argument| match argument {
            Written::Column(name) => Values::column(name, column(name, games)),
            Written::Text(text) => {
                Values::literal(Arc::new(StringArray::from(vec![text.as_str()])))
            }
            Written::Number(number) => Values::literal(Arc::new(Int64Array::from(vec![*number]))),
        })
        .collect();
    let arguments = Arguments::new(function, &values, games.len())?;
    let answers = match function.body {
        Body::Rows(evaluate) => evaluate(&arguments)?,
        Body::Groups(new) => {
            let mut state = new();
            state.update(&arguments)?;
            state.finish()?
        }
        _ => panic!("{}: another kind of function", function.name),
    };
    assert_eq!(*answers.data_type(), function.result.data_type(), "{}", function.name);
    Ok(answers)
}

/// A value as text.
pub(crate) fn cell(array: &dyn Array, row: usize) -> String {
    if array.is_null(row) {
        return "null".to_owned();
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::List(_) => {
            let values = array.as_list::<i32>().value(row);
            let cell = |index| match values.is_null(index) {
                true => String::new(),
                false => cell(&values, index),
            };
            format!("[{}]", (0..values.len()).map(cell).collect::<Vec<_>>().join(", "))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let cells: Vec<String> = columns
                .map(|(column, field)| format!("{}: {}", field.name(), cell(column, row)))
                .collect();
            format!("{{{}}}", cells.join(", "))
        }
        other => panic!("no text for {other}"),
    }
}
