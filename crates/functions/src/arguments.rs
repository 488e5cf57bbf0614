//! The arguments of one call on one batch of rows.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, BinaryArray, BinaryViewArray, Int64Array,
    LargeBinaryArray, LargeStringArray, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use halfmove_game::codec::DecodeError;

use crate::error::FunctionError;
use crate::function::{Function, Kind};

/// The values of an argument for a batch of rows.
#[derive(Debug, Clone)]
pub struct Values {
    array: ArrayRef,
    is_literal: bool,
    /// The name of the stored column that the values are read from.
    column: Option<String>,
}

impl Values {
    /// Creates computed values, one for each row.
    pub fn rows(array: ArrayRef) -> Self {
        Self { array, is_literal: false, column: None }
    }

    /// Creates values read from a stored column, one for each row. Invalid bytes then count as damage of the column,
    /// not as an error of the caller.
    pub fn column(name: impl Into<String>, array: ArrayRef) -> Self {
        Self { array, is_literal: false, column: Some(name.into()) }
    }

    /// Creates one value for all rows: the only one of the array. It is parsed once for each batch.
    pub fn literal(array: ArrayRef) -> Self {
        Self { array, is_literal: true, column: None }
    }
}

/// The arguments of one call on one batch of rows, in the types of [`Function::coerce`].
#[derive(Debug)]
pub struct Arguments<'a> {
    function: &'a Function,
    values: &'a [Values],
    rows: usize,
}

impl<'a> Arguments<'a> {
    /// The arguments of a call of the function on `rows` rows.
    ///
    /// # Errors
    ///
    /// A wrong number of arguments, types other than those of [`Function::coerce`], or arrays of another length.
    pub fn new(
        function: &'a Function,
        values: &'a [Values],
        rows: usize,
    ) -> Result<Self, FunctionError> {
        let types: Vec<DataType> =
            values.iter().map(|value| value.array.data_type().clone()).collect();
        let coerced = function.coerce(&types)?;
        let arguments = Self { function, values, rows };
        for (index, (value, coerced)) in values.iter().zip(&coerced).enumerate() {
            if value.array.data_type() != coerced {
                return Err(arguments.wrong(index));
            }
            let expected = if value.is_literal { 1 } else { rows };
            if value.array.len() != expected {
                return Err(FunctionError::Length {
                    function: function.name,
                    number: index + 1,
                    found: value.array.len(),
                    expected,
                });
            }
        }
        Ok(arguments)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of arguments.
    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }

    /// The array of an argument: one value for each row, or one for all rows.
    pub(crate) fn array(&self, index: usize) -> Result<&'a ArrayRef, FunctionError> {
        self.values.get(index).map(|value| &value.array).ok_or_else(|| self.wrong(index))
    }

    /// The index of a row in the array of an argument.
    pub(crate) fn index(&self, index: usize, row: usize) -> usize {
        match self.values.get(index) {
            Some(Values { is_literal: true, .. }) => 0,
            _ => row,
        }
    }

    pub(crate) fn bytes(&self, index: usize) -> Result<Bytes<'a>, FunctionError> {
        let bytes = Bytes::of(self.array(index)?).ok_or_else(|| self.wrong(index))?;
        Ok(if self.is_literal(index) { Bytes::One(bytes.at(0)) } else { bytes })
    }

    pub(crate) fn texts(&self, index: usize) -> Result<Texts<'a>, FunctionError> {
        let texts = Texts::of(self.array(index)?).ok_or_else(|| self.wrong(index))?;
        Ok(if self.is_literal(index) { Texts::One(texts.at(0)) } else { texts })
    }

    /// Texts of an optional argument.
    pub(crate) fn optional_texts(&self, index: usize) -> Result<Option<Texts<'a>>, FunctionError> {
        (index < self.values.len()).then(|| self.texts(index)).transpose()
    }

    /// The variants of positions, an optional argument.
    pub(crate) fn variants(&self, index: usize) -> Result<Variants<'a>, FunctionError> {
        Ok(Variants(self.optional_texts(index)?))
    }

    pub(crate) fn numbers(&self, index: usize) -> Result<Numbers<'a>, FunctionError> {
        let numbers = self.array(index)?.as_primitive_opt::<Int64Type>();
        let numbers = Numbers::Column(numbers.ok_or_else(|| self.wrong(index))?);
        Ok(if self.is_literal(index) { Numbers::One(numbers.at(0)) } else { numbers })
    }

    /// Limits from an optional argument; without it there is no limit.
    pub(crate) fn counts(&self, index: usize) -> Result<Counts<'a>, FunctionError> {
        let is_there = index < self.values.len();
        Ok(Counts(is_there.then(|| self.numbers(index)).transpose()?))
    }

    /// An error about the bytes of an argument. Bytes made by the caller are an error of the caller; others are damage
    /// of the column.
    pub(crate) fn invalid(&self, index: usize, why: DecodeError) -> FunctionError {
        let kind = self.function.arguments.get(index).map(|argument| argument.kind);
        let column = kind.and_then(Kind::column).unwrap_or("moves");
        let is_stored =
            self.values.get(index).is_some_and(|values| values.column.as_deref() == Some(column));
        match is_stored {
            true => FunctionError::Damaged { column, why },
            false => FunctionError::Bytes {
                function: self.function.name,
                number: index + 1,
                column,
                why,
            },
        }
    }

    /// An error about a result that one array cannot hold.
    pub(crate) fn too_large(&self) -> FunctionError {
        FunctionError::TooLarge { function: self.function.name, rows: self.rows }
    }

    fn is_literal(&self, index: usize) -> bool {
        self.values.get(index).is_some_and(|value| value.is_literal)
    }

    /// An argument that is missing, or of the wrong type.
    pub(crate) fn wrong(&self, index: usize) -> FunctionError {
        let found = self.values.get(index).map(|value| value.array.data_type().to_string());
        let kind = self.function.arguments.get(index).map(|argument| argument.kind);
        FunctionError::Argument {
            function: self.function.name,
            number: index + 1,
            expected: kind.map_or("another type", Kind::expected),
            found: found.unwrap_or_else(|| "missing".to_owned()),
            usage: self.function.usage(),
        }
    }
}

/// Texts of a column, in any layout.
#[derive(Debug)]
pub(crate) enum Texts<'a> {
    /// With 32-bit offsets.
    Small(&'a StringArray),
    /// With 64-bit offsets.
    Large(&'a LargeStringArray),
    /// As views.
    View(&'a StringViewArray),
    /// As indices of distinct texts.
    Dictionary(&'a dyn AnyDictionaryArray, Vec<usize>, Box<Texts<'a>>),
    /// One text for all rows.
    One(Option<&'a str>),
}

impl<'a> Texts<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Small(array.as_string_opt()?),
            DataType::LargeUtf8 => Self::Large(array.as_string_opt()?),
            DataType::Utf8View => Self::View(array.as_string_view_opt()?),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary_opt()?;
                match dictionary.values().is_empty() {
                    true => Self::One(None),
                    false => {
                        let texts = Self::of(dictionary.values())?;
                        Self::Dictionary(dictionary, dictionary.normalized_keys(), Box::new(texts))
                    }
                }
            }
            _ => return None,
        })
    }

    pub(crate) fn at(&self, row: usize) -> Option<&'a str> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Dictionary(dictionary, keys, texts) => {
                dictionary.keys().is_valid(row).then(|| texts.at(keys[row])).flatten()
            }
            Self::One(text) => *text,
        }
    }
}

/// Bytes of a column, in any layout.
#[derive(Debug)]
pub(crate) enum Bytes<'a> {
    /// With 32-bit offsets.
    Small(&'a BinaryArray),
    /// With 64-bit offsets.
    Large(&'a LargeBinaryArray),
    /// As views.
    View(&'a BinaryViewArray),
    /// One value for all rows.
    One(Option<&'a [u8]>),
}

impl<'a> Bytes<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary_opt()?),
            DataType::LargeBinary => Self::Large(array.as_binary_opt()?),
            DataType::BinaryView => Self::View(array.as_binary_view_opt()?),
            _ => return None,
        })
    }

    pub(crate) fn at(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::One(bytes) => *bytes,
        }
    }
}

/// Whole numbers.
#[derive(Debug)]
pub(crate) enum Numbers<'a> {
    Column(&'a Int64Array),
    /// One number for all rows.
    One(Option<i64>),
}

impl Numbers<'_> {
    pub(crate) fn at(&self, row: usize) -> Option<i64> {
        match self {
            Self::Column(array) => array.is_valid(row).then(|| array.value(row)),
            Self::One(number) => *number,
        }
    }
}

/// The variants of positions, in one of the arguments.
#[derive(Debug)]
pub(crate) struct Variants<'a>(Option<Texts<'a>>);

impl<'a> Variants<'a> {
    /// `Some(None)` if the argument was left out; `None` for null.
    pub(crate) fn at(&self, row: usize) -> Option<Option<&'a str>> {
        match &self.0 {
            Some(texts) => texts.at(row).map(Some),
            None => Some(None),
        }
    }
}

/// Limits: maximum numbers of half-moves.
#[derive(Debug)]
pub(crate) struct Counts<'a>(Option<Numbers<'a>>);

impl Counts<'_> {
    /// No limit if the argument was left out, 0 if it is negative; `None` for null.
    pub(crate) fn at(&self, row: usize) -> Option<usize> {
        let Some(numbers) = &self.0 else { return Some(usize::MAX) };
        Some(usize::try_from(numbers.at(row)?.max(0)).unwrap_or(usize::MAX))
    }
}
