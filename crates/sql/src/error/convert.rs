//! Converts errors of the engine.
//!
//! ```text
//! SqlError ──raise──▶ DataFusionError::External ──▶ Parquet, Arrow, the engine ──of_engine──▶ SqlError
//! ```

use std::any::Any;
use std::error::Error;
use std::io;
use std::sync::Arc;

use datafusion::arrow::error::ArrowError;
use datafusion::common::{Column, SchemaError, Span};
use datafusion::error::DataFusionError;
use datafusion::parquet::errors::ParquetError;
use datafusion::sql::sqlparser::parser::ParserError;
use halfmove_archive::ArchiveError;
use strsim::osa_distance;

use super::{Place, SqlError};
use crate::options::SqlOptions;
use crate::sql::{HALFMOVES, HISTORY, TABLE};
use crate::statement::DERIVED;

/// Passes an error of this crate to the engine.
pub(crate) fn raise(error: impl Into<SqlError>) -> DataFusionError {
    DataFusionError::External(Box::new(error.into()))
}

/// The first of the causes of an error that has a given type.
pub(crate) fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.find_map(|error| error.downcast_ref())
}

/// Returns true if an error comes from a condition that was evaluated while a file was read. The engine keeps only the
/// text of such an error.
pub(crate) fn lost_in_filter(error: &DataFusionError) -> bool {
    let of_file = cause::<ParquetError>(error);
    let of_values = of_file.and_then(|error| cause::<ArrowError>(error));
    matches!(of_values, Some(ArrowError::ComputeError(_))) && cause::<SqlError>(error).is_none()
}

/// The error of a query.
pub(crate) fn of_engine(error: &DataFusionError, options: &SqlOptions) -> SqlError {
    if let Some(ours) = cause::<SqlError>(error) {
        return ours.clone();
    }
    let place = error.diagnostic().and_then(|diagnostic| diagnostic.span).map(place);
    match error.find_root() {
        DataFusionError::SchemaError(error, _) => of_schema(error, place),
        DataFusionError::SQL(error, _) => of_parser(error),
        DataFusionError::ResourcesExhausted(_) => SqlError::Memory { bytes: options.memory_bytes },
        // Only data files are read as Parquet.
        DataFusionError::ParquetError(error) => ArchiveError::Damaged(error.to_string()).into(),
        DataFusionError::ArrowError(error, _) => SqlError::Execution(of_arrow(error)),
        DataFusionError::Plan(text)
        | DataFusionError::NotImplemented(text)
        | DataFusionError::Internal(text)
            if is_of_correlation(text) =>
        {
            SqlError::Correlated
        }
        DataFusionError::Plan(text)
        | DataFusionError::NotImplemented(text)
        | DataFusionError::Configuration(text)
        | DataFusionError::Internal(text) => SqlError::Planning(first_line(&bare(text))),
        root => SqlError::Execution(root.message().into_owned()),
    }
}

/// True for the message about a subquery that depends on the row outside it by more than equal columns.
fn is_of_correlation(text: &str) -> bool {
    let subqueries = ["ScalarSubquery(", "InSubquery(", "Exists(", "OuterReferenceColumn("];
    text.contains("does not support logical expression")
        && subqueries.iter().any(|subquery| text.contains(subquery))
}

/// A message without the notes below it, such as all forms of a function.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// The text of an error without the engine's descriptions of nested errors, which are about the engine and
/// not about the query.
fn bare(text: &str) -> String {
    const INNER: &str = "\u{0}";
    let inner = || INNER.to_owned();
    let mut text = text.to_owned();
    for around in [DataFusionError::Internal(inner()), DataFusionError::Plan(inner())] {
        let around = around.strip_backtrace();
        let words = around.split(INNER).filter(|words| !words.trim().is_empty());
        words.for_each(|words| text = text.replace(words, ""));
    }
    text
}

/// A parser error whose place is unknown.
fn of_parser(error: &ParserError) -> SqlError {
    match error {
        ParserError::RecursionLimitExceeded => SqlError::TooDeep,
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            SqlError::Syntax { message: message.clone(), place: None }
        }
    }
}

fn of_schema(error: &SchemaError, place: Option<Place>) -> SqlError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => SqlError::UnknownColumn {
            name: field.flat_name(),
            near: near_column(&field.name, valid_fields).map(short),
            expected: valid_fields.iter().map(short).collect(),
            place: place.or_else(|| field.spans.first().map(self::place)),
        },
        SchemaError::AmbiguousReference { field } => SqlError::AmbiguousColumn {
            name: field.flat_name(),
            place: place.or_else(|| field.spans.first().map(self::place)),
        },
        error => SqlError::Planning(error.to_string()),
    }
}

fn place(span: Span) -> Place {
    Place { line: span.start.line, column: span.start.column }
}

/// The name of a column, without the name of one of our tables or of a subquery without a name.
fn short(column: &Column) -> String {
    let is_known =
        |table: &str| [TABLE, HALFMOVES, HISTORY].contains(&table) || table.starts_with(DERIVED);
    match &column.relation {
        Some(relation) if !is_known(relation.table()) => column.flat_name(),
        _ => column.name.clone(),
    }
}

/// The column whose name is most similar, if no more than half of it differs.
fn near_column<'a>(name: &str, columns: &'a [Column]) -> Option<&'a Column> {
    let name = name.to_lowercase();
    let distance = |column: &&Column| osa_distance(&name, &column.name.to_lowercase());
    let near = columns.iter().min_by_key(distance)?;
    let longest = name.chars().count().max(near.name.chars().count());
    (2 * distance(&near) <= longest).then_some(near)
}

/// An error of an operation on values.
fn of_arrow(error: &ArrowError) -> String {
    match error {
        ArrowError::DivideByZero => "division by zero".to_owned(),
        ArrowError::CastError(text)
        | ArrowError::ComputeError(text)
        | ArrowError::InvalidArgumentError(text)
        | ArrowError::ParseError(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The error of the Parquet writer: the file cannot be written, or Parquet cannot hold a column.
pub(crate) fn of_output(error: &ParquetError) -> SqlError {
    match cause::<io::Error>(error) {
        Some(error) => SqlError::Output(Arc::new(again(error))),
        None => SqlError::Execution(format!("this cannot be written as Parquet: {error}")),
    }
}

/// The error of the Arrow writer: its output cannot be written, or Arrow cannot hold a column.
pub(crate) fn of_arrow_output(error: &ArrowError) -> SqlError {
    match cause::<io::Error>(error) {
        Some(error) => SqlError::Output(Arc::new(again(error))),
        None => SqlError::Execution(format!("this cannot be written as Arrow: {error}")),
    }
}

/// Copies an error.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// A panic of the engine.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> SqlError {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    SqlError::Panicked(text.unwrap_or("without a message").to_owned())
}
