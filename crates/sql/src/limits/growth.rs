//! How much a call of a function makes, at most, from what it is given.
//!
//! Bytes are counted as floating-point numbers: an estimate needs no last digits, and never overflows.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::{DataType, IntervalMonthDayNanoType, TimeUnit};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

/// Whether a short call of this function may make a long value.
pub(super) fn grows(name: &str) -> bool {
    matches!(
        name,
        "repeat"
            | "lpad"
            | "rpad"
            | "replace"
            | "regexp_replace"
            | "concat"
            | "concat_ws"
            | "overlay"
            | "encode"
            | "array_repeat"
            | "range"
            | "generate_series"
            | "array_resize"
            | "array_concat"
            | "array_append"
            | "array_prepend"
            | "array_to_string"
            | "string_to_array"
            | "positions"
    )
}

/// The bytes that a call makes, at most. The names are those of [`grows`].
pub(super) fn growth(name: &str, given: &Given<'_>) -> Result<f64> {
    Ok(match name {
        "repeat" => {
            let (lengths, times) = (given.lengths(0)?, given.numbers(1)?);
            given.sum(|row| lengths.at(row) * times.at(row).max(0.0))
        }
        "lpad" | "rpad" => {
            let characters = given.numbers(1)?;
            given.sum(|row| 4.0 * characters.at(row).max(0.0))
        }
        "replace" => {
            let [text, from, to] = [given.lengths(0)?, given.lengths(1)?, given.lengths(2)?];
            given.sum(|row| {
                let places = text.at(row) / from.at(row).max(1.0) + 1.0;
                text.at(row) + places * to.at(row)
            })
        }
        // What is inserted may refer to what was found.
        "regexp_replace" => {
            let (text, to) = (given.lengths(0)?, given.lengths(2)?);
            given.sum(|row| (text.at(row) + 1.0) * (to.at(row) + 1.0))
        }
        "concat_ws" => given.all() + given.bytes(0) * given.args.len() as f64,
        "array_to_string" => {
            let (elements, separator) = (given.lengths(0)?, given.lengths(1)?);
            4.0 * given.bytes(0) + given.sum(|row| elements.at(row) * separator.at(row))
        }
        "string_to_array" => 16.0 * given.all(),
        // A FEN of at most ninety bytes for each half-move, and its other fields.
        "positions" => {
            let moves = given.lengths(0)?;
            given.sum(|row| 128.0 * moves.at(row))
        }
        "encode" => 2.0 * given.all(),
        "array_repeat" => {
            let (size, times) = (given.sizes(0)?, given.numbers(1)?);
            given.sum(|row| size.at(row) * times.at(row).max(0.0))
        }
        "array_resize" => {
            let (size, times) = (given.sizes(2)?, given.numbers(1)?);
            given.all() + given.sum(|row| size.at(row).max(8.0) * times.at(row).max(0.0))
        }
        "range" | "generate_series" => {
            let (from, to, step) = given.range()?;
            given.sum(|row| match step.at(row) {
                // The function itself rejects it.
                0.0 => 0.0,
                step => 8.0 * ((to.at(row) - from.at(row)) / step).max(0.0),
            })
        }
        _ => given.all(),
    })
}

/// The arguments of a call on a batch.
pub(super) struct Given<'a> {
    args: &'a [ColumnarValue],
    /// No argument is a column.
    is_constant: bool,
    /// 1 if no argument is a column: the call is made once.
    rows: usize,
}

/// A number for each row.
struct Numbers {
    values: Vec<f64>,
}

impl Numbers {
    fn at(&self, row: usize) -> f64 {
        // One value is that of all rows.
        let value = self.values.get(row).or(self.values.first());
        value.copied().unwrap_or_default()
    }
}

impl<'a> Given<'a> {
    pub(super) fn new(args: &'a ScalarFunctionArgs) -> Self {
        let is_column = |value: &ColumnarValue| matches!(value, ColumnarValue::Array(_));
        let is_constant = !args.args.iter().any(is_column);
        let rows = if is_constant { 1 } else { args.number_rows };
        Self { args: &args.args, is_constant, rows }
    }

    /// Whether no argument is a column.
    pub(super) fn is_constant(&self) -> bool {
        self.is_constant
    }

    fn sum(&self, bytes: impl Fn(usize) -> f64) -> f64 {
        (0..self.rows).map(bytes).sum()
    }

    /// The bytes of all arguments, each in all rows.
    fn all(&self) -> f64 {
        (0..self.args.len()).map(|index| self.bytes(index)).sum()
    }

    /// The bytes of an argument in all rows.
    fn bytes(&self, index: usize) -> f64 {
        match self.args.get(index) {
            Some(ColumnarValue::Scalar(value)) => {
                let text = value.try_as_str().map(|text| text.map_or(0, str::len));
                text.unwrap_or_else(|| value.size()) as f64 * self.rows as f64
            }
            Some(ColumnarValue::Array(array)) => bytes(array),
            None => 0.0,
        }
    }

    /// An argument, with one row if it is the same for all.
    fn array(&self, index: usize) -> Result<Option<ArrayRef>> {
        Ok(match self.args.get(index) {
            Some(ColumnarValue::Scalar(value)) => Some(value.to_array()?),
            Some(ColumnarValue::Array(array)) => Some(array.clone()),
            None => None,
        })
    }

    /// Whole numbers; 0 for null.
    fn numbers(&self, index: usize) -> Result<Numbers> {
        match self.array(index)? {
            Some(array) => numbers(&array),
            None => Ok(Numbers { values: Vec::new() }),
        }
    }

    /// The bytes of texts, or the elements of lists; 0 for null.
    fn lengths(&self, index: usize) -> Result<Numbers> {
        match self.array(index)? {
            Some(array) => match length(&array) {
                Ok(lengths) => numbers(&lengths),
                // It has another type.
                Err(_) => Ok(even(&array)),
            },
            None => Ok(Numbers { values: Vec::new() }),
        }
    }

    /// The bytes of values of any type.
    fn sizes(&self, index: usize) -> Result<Numbers> {
        let Some(array) = self.array(index)? else { return Ok(Numbers { values: Vec::new() }) };
        match array.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                let mut lengths = self.lengths(index)?;
                lengths.values.iter_mut().for_each(|length| *length += 16.0);
                Ok(lengths)
            }
            _ => Ok(even(&array)),
        }
    }

    /// The bounds and the step of a range: of numbers, or of points in time in seconds.
    fn range(&self) -> Result<(Numbers, Numbers, Numbers)> {
        let Some(first) = self.array(0)? else {
            return Ok((self.numbers(0)?, self.numbers(0)?, self.numbers(0)?));
        };
        let one = Numbers { values: vec![1.0] };
        if first.data_type().is_temporal() {
            let seconds = |index| match self.array(index)? {
                Some(array) => {
                    let seconds = cast(&array, &DataType::Timestamp(TimeUnit::Second, None))?;
                    numbers(&seconds)
                }
                None => Ok(Numbers { values: Vec::new() }),
            };
            let step = match self.array(2)? {
                Some(array) => intervals(&array),
                None => one,
            };
            return Ok((seconds(0)?, seconds(1)?, step));
        }
        match self.args.len() {
            1 => Ok((Numbers { values: vec![0.0] }, self.numbers(0)?, one)),
            2 => Ok((self.numbers(0)?, self.numbers(1)?, one)),
            _ => Ok((self.numbers(0)?, self.numbers(1)?, self.numbers(2)?)),
        }
    }
}

fn numbers(array: &ArrayRef) -> Result<Numbers> {
    let cast = cast(array, &DataType::Int64)?;
    let values: Option<&Int64Array> = cast.as_primitive_opt();
    let values = values.into_iter().flatten();
    Ok(Numbers { values: values.map(|value| value.unwrap_or(0) as f64).collect() })
}

/// Steps in seconds; those of an unknown type are as short as can be.
fn intervals(array: &ArrayRef) -> Numbers {
    const DAY: f64 = 86_400.0;
    let Some(steps) = array.as_primitive_opt::<IntervalMonthDayNanoType>() else {
        return Numbers { values: vec![1e-9] };
    };
    let seconds = steps.values().iter().map(|step| {
        let days = f64::from(step.months) * 28.0 + f64::from(step.days);
        days * DAY + step.nanoseconds as f64 / 1e9
    });
    Numbers { values: seconds.collect() }
}

/// The bytes of an array, as far as this part of it refers to them.
fn bytes(array: &ArrayRef) -> f64 {
    // Views share their bytes with other arrays.
    if matches!(array.data_type(), DataType::Utf8View | DataType::BinaryView)
        && let Ok(lengths) = length(array).map_err(Into::into).and_then(|array| numbers(&array))
    {
        return 16.0 * array.len() as f64 + lengths.values.iter().sum::<f64>();
    }
    let size = array.to_data().get_slice_memory_size();
    size.unwrap_or_else(|_| array.get_array_memory_size()) as f64
}

/// All rows have as many bytes.
fn even(array: &ArrayRef) -> Numbers {
    Numbers { values: vec![bytes(array) / array.len().max(1) as f64] }
}
