//! Arguments of SQL functions: which types they may have, and their values row by row.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, Int64Array, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs};
use halfmove_game::codec::DecodeError;

use super::position::{bad_moves, parse_position, parse_variant};
use crate::error::{ArchiveError, Raised};

/// The kind of value that an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Bytes of moves.
    Moves,
    /// Bytes of clocks.
    Clocks,
    /// Bytes of evaluations.
    Evaluations,
    /// Bytes of annotations.
    Annotations,
    /// A text, or any bytes.
    TextOrBytes,
    /// A text.
    Text,
    /// A whole number.
    Number,
}

impl Kind {
    /// The type that a value of the given type is converted to; `None` if it is not a value of this kind.
    fn coerced(self, given: &DataType) -> Option<DataType> {
        Some(match (self, given) {
            (
                Self::Text | Self::TextOrBytes,
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View,
            ) => given.clone(),
            (Self::Text | Self::TextOrBytes, DataType::Null) => DataType::Utf8,
            (Self::Text | Self::TextOrBytes, DataType::Dictionary(_, value)) => {
                return self.coerced(value);
            }
            (Self::Number, given) if given.is_integer() || given.is_null() => DataType::Int64,
            (Self::Text | Self::Number, _) => return None,
            (_, DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => given.clone(),
            (_, DataType::Null | DataType::FixedSizeBinary(_)) => DataType::Binary,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Moves => "bytes (the column moves)",
            Self::Clocks => "bytes (the column clocks)",
            Self::Evaluations => "bytes (the column evaluations)",
            Self::Annotations => "bytes (the column annotations)",
            Self::TextOrBytes => "a text or bytes",
            Self::Text => "a text",
            Self::Number => "a whole number",
        }
    }
}

/// Matches the types of a call against the form `usage` that a function has.
pub(crate) fn coerce(
    name: &str,
    usage: &str,
    form: &[Kind],
    given: &[DataType],
) -> Result<Vec<DataType>> {
    coerce_with(name, usage, form, &[], given)
}

/// The same for a function whose last arguments may be left out.
pub(crate) fn coerce_with(
    name: &str,
    usage: &str,
    form: &[Kind],
    optional: &[Kind],
    given: &[DataType],
) -> Result<Vec<DataType>> {
    if !(form.len()..=form.len() + optional.len()).contains(&given.len()) {
        return plan_err!("{name} was called with {} arguments, expected {usage}", given.len());
    }
    let mut types = Vec::with_capacity(given.len());
    for (index, (kind, given)) in form.iter().chain(optional).zip(given).enumerate() {
        match kind.coerced(given) {
            Some(coerced) => types.push(coerced),
            None => {
                let wanted = kind.name();
                let number = index + 1;
                return plan_err!(
                    "argument {number} of {name} is {given}, expected {wanted}: {usage}"
                );
            }
        }
    }
    Ok(types)
}

/// Texts of a column, in whichever layout.
pub(crate) enum Texts<'a> {
    /// With 32-bit offsets.
    Small(&'a StringArray),
    /// With 64-bit offsets.
    Large(&'a LargeStringArray),
    /// As views.
    View(&'a StringViewArray),
    /// The same for all rows.
    One(Option<&'a str>),
}

impl<'a> Texts<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Small(array.as_string()),
            DataType::LargeUtf8 => Self::Large(array.as_string()),
            DataType::Utf8View => Self::View(array.as_string_view()),
            other => return plan_err!("expected texts, found {other}"),
        })
    }

    pub(crate) fn at(&self, row: usize) -> Option<&'a str> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::One(text) => *text,
        }
    }
}

/// Bytes of a column, in whichever layout.
pub(crate) enum Bytes<'a> {
    /// With 32-bit offsets.
    Small(&'a BinaryArray),
    /// With 64-bit offsets.
    Large(&'a LargeBinaryArray),
    /// As views.
    View(&'a BinaryViewArray),
}

impl<'a> Bytes<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self> {
        Ok(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary()),
            DataType::LargeBinary => Self::Large(array.as_binary()),
            DataType::BinaryView => Self::View(array.as_binary_view()),
            other => return plan_err!("expected bytes, found {other}"),
        })
    }

    pub(crate) fn at(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

/// How many of something, row by row.
pub(crate) struct Counts<'a>(Option<&'a Int64Array>);

impl Counts<'_> {
    /// All if the argument was left out, none if it is negative; `None` for null.
    pub(crate) fn at(&self, row: usize) -> Option<usize> {
        let Some(numbers) = self.0 else { return Some(usize::MAX) };
        let number = numbers.is_valid(row).then(|| numbers.value(row))?;
        Some(usize::try_from(number.max(0)).unwrap_or(usize::MAX))
    }
}

/// The arguments of one call on one batch; literals stay single values.
pub(crate) struct Call {
    values: Vec<ColumnarValue>,
    arrays: Vec<Option<ArrayRef>>,
    rows: usize,
    /// The names of the arguments that are columns.
    columns: Vec<String>,
}

impl Call {
    pub(crate) fn new(args: ScalarFunctionArgs) -> Result<Self> {
        let columns = args.arg_fields.iter().map(|field| field.name().clone()).collect();
        let (values, rows) = (args.args, args.number_rows);
        let mut arrays = Vec::with_capacity(values.len());
        for value in &values {
            arrays.push(match value {
                ColumnarValue::Array(array) => Some(array.clone()),
                // A literal text stays one value, so that it is parsed once.
                ColumnarValue::Scalar(scalar) if scalar.try_as_str().is_some() => None,
                ColumnarValue::Scalar(scalar) => Some(scalar.to_array_of_size(rows)?),
            });
        }
        Ok(Self { values, arrays, rows, columns })
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn array(&self, index: usize) -> Result<&ArrayRef> {
        match self.arrays.get(index) {
            Some(Some(array)) => Ok(array),
            _ => plan_err!("argument {} is missing", index + 1),
        }
    }

    pub(crate) fn bytes(&self, index: usize) -> Result<Bytes<'_>> {
        Bytes::of(self.array(index)?)
    }

    /// An error about the bytes of the first argument.
    pub(crate) fn bad_moves(&self, name: &str, error: DecodeError) -> DataFusionError {
        bad_argument(name, !self.is_stored(0, "moves"), error)
    }

    /// An error about the bytes of an argument, which should be like those of a column.
    pub(crate) fn bad_part(
        &self,
        name: &str,
        index: usize,
        column: &str,
        error: DecodeError,
    ) -> DataFusionError {
        let number = index + 1;
        raise(match self.is_stored(index, column) {
            false => ArchiveError::Query(format!(
                "argument {number} of {name} holds no {column}, expected bytes like those of the column {column}: {error}"
            )),
            true => ArchiveError::Damaged(format!("a value of the column {column}: {error}")),
        })
    }

    /// Whether an argument is a column of this name.
    fn is_stored(&self, index: usize, column: &str) -> bool {
        let is_column = matches!(self.values.get(index), Some(ColumnarValue::Array(_)));
        is_column && self.columns.get(index).is_some_and(|name| name == column)
    }

    pub(crate) fn texts(&self, index: usize) -> Result<Texts<'_>> {
        if let Some(ColumnarValue::Scalar(scalar)) = self.values.get(index)
            && let Some(text) = scalar.try_as_str()
        {
            return Ok(Texts::One(text));
        }
        Texts::of(self.array(index)?)
    }

    /// The values of an argument as an array, also if they are literals.
    pub(crate) fn values(&self, index: usize) -> Result<ArrayRef> {
        match self.values.get(index) {
            Some(value) => value.to_array(self.rows),
            None => plan_err!("argument {} is missing", index + 1),
        }
    }

    /// How many, from an argument that may be left out.
    pub(crate) fn optional_counts(&self, index: usize) -> Result<Counts<'_>> {
        let is_there = index < self.values.len();
        Ok(Counts(if is_there { Some(self.numbers(index)?) } else { None }))
    }

    /// Texts of an argument that may be left out.
    pub(crate) fn optional_texts(&self, index: usize) -> Result<Option<Texts<'_>>> {
        if index < self.values.len() { self.texts(index).map(Some) } else { Ok(None) }
    }

    pub(crate) fn numbers(&self, index: usize) -> Result<&Int64Array> {
        match self.array(index)?.as_primitive_opt() {
            Some(numbers) => Ok(numbers),
            None => plan_err!("argument {} is no number", index + 1),
        }
    }
}

/// An error about the bytes of moves that the function `name` was given. Those that the question makes are a mistake in it;
/// others come from the archive.
pub(super) fn bad_argument(name: &str, is_made: bool, error: DecodeError) -> DataFusionError {
    raise(match is_made {
        true => ArchiveError::Query(format!(
            "argument 1 of {name} is no game, expected bytes like those of the column moves: {error}"
        )),
        false => bad_moves(error),
    })
}

/// Passes an error of ours to the engine.
pub(crate) fn raise(error: ArchiveError) -> DataFusionError {
    DataFusionError::External(Box::new(Raised(error)))
}

/// Checks a literal FEN and a literal variant, the second and third argument, before anything is read.
pub(super) fn check_literal_fen(args: &ReturnFieldArgs<'_>) -> Result<()> {
    let literal = |index: usize| {
        let argument = args.scalar_arguments.get(index).copied().flatten()?;
        argument.try_as_str().flatten()
    };
    let checked = match (literal(1), literal(2), args.scalar_arguments.len()) {
        (Some(fen), None, 2) => parse_position(fen, None).map(drop),
        (Some(fen), Some(variant), _) => parse_position(fen, Some(variant)).map(drop),
        (None, Some(variant), _) => parse_variant(variant).map(drop),
        // Without literals, rows are checked one by one.
        _ => Ok(()),
    };
    checked.map_err(raise)
}
