//! Limits of sizes that the engine's memory pool does not know: values of functions, and batches of rows.
//!
//! ```text
//!  repeat('x', 2000000000)   how large is a value? ─▶ SqlError::TooLarge, or the function runs
//!  x || x || …, joins        how large is a batch? ─▶ SqlError::Memory
//! ```
//!
//! The engine may copy a value to all rows of a batch. So a value whose size is an argument may take the share of one row in the
//! memory limit.
//!
//! - `arguments`: the sizes of arguments.
//! - `batches`: the sizes of batches.

mod arguments;
mod batches;

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};

use self::arguments::Arguments;
pub(crate) use self::batches::within_memory;
use crate::error::{SqlError, raise};

/// The way in which the size of a value follows from the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    /// `repeat(text, times)`.
    Repeat,
    /// `lpad(text, characters, fill)`.
    Pad,
    /// `array_repeat(value, times)`.
    RepeatElement,
    /// `array_resize(list, elements, value)`.
    Resize,
    /// `range(first, last, step)`.
    Range,
    /// `replace(text, part, other)`.
    Replace,
    /// `array_replace(list, value, other)`.
    ReplaceElement,
    /// `array_to_string(list, delimiter, null)`.
    Join,
}

/// The functions of the engine whose values may be far larger than their arguments.
const GROWING: [(&str, Growth); 12] = [
    ("repeat", Growth::Repeat),
    ("lpad", Growth::Pad),
    ("rpad", Growth::Pad),
    ("array_repeat", Growth::RepeatElement),
    ("array_resize", Growth::Resize),
    ("range", Growth::Range),
    ("generate_series", Growth::Range),
    ("replace", Growth::Replace),
    ("array_replace", Growth::ReplaceElement),
    ("array_replace_n", Growth::ReplaceElement),
    ("array_replace_all", Growth::ReplaceElement),
    ("array_to_string", Growth::Join),
];

impl Growth {
    /// True if an argument is a size: a value then takes at most the share of one row. Other values are products of what is in
    /// memory.
    fn is_chosen(self) -> bool {
        !matches!(self, Self::Replace | Self::ReplaceElement | Self::Join)
    }

    /// The sizes of the values in bytes, at least; 0 for a null.
    fn sizes(self, arguments: &Arguments) -> Result<Vec<f64>> {
        let bytes = |index| arguments.bytes(index);
        Ok(match self {
            Self::Repeat | Self::RepeatElement => product(&bytes(0)?, &arguments.numbers(1)?),
            // A character of the filling takes no more bytes than all of them, and at most 4.
            Self::Pad => {
                let fill = arguments.or(2, 1.0, bytes)?.into_iter().map(|it| it.clamp(1.0, 4.0));
                product(&arguments.numbers(1)?, &fill.collect::<Vec<_>>())
            }
            Self::Resize => {
                // A null takes the place of an element.
                let element = arguments.or(2, 8.0, bytes)?.into_iter().map(|it| it.max(8.0));
                product(&arguments.numbers(1)?, &element.collect::<Vec<_>>())
            }
            Self::Range => product(&arguments.steps()?, &[8.0]),
            Self::Replace => {
                let (texts, parts, others) = (bytes(0)?, bytes(1)?, bytes(2)?);
                let places = rows(&texts, &parts, |text, part| text / part.max(1.0) + 1.0);
                sum(&texts, &product(&places, &others))
            }
            Self::ReplaceElement => sum(&bytes(0)?, &product(&arguments.elements(0)?, &bytes(2)?)),
            Self::Join => {
                let between = sum(&bytes(1)?, &arguments.or(2, 0.0, bytes)?);
                sum(&bytes(0)?, &product(&arguments.elements(0)?, &between))
            }
        })
    }
}

/// One number for each row; a single one stands for all rows.
fn rows(one: &[f64], two: &[f64], of: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let count = if one.len() == 1 { two.len() } else { one.len() };
    let at = |numbers: &[f64], row: usize| numbers[if numbers.len() == 1 { 0 } else { row }];
    (0..count).map(|row| of(at(one, row), at(two, row))).collect()
}

fn product(one: &[f64], two: &[f64]) -> Vec<f64> {
    rows(one, two, |one, two| one * two)
}

fn sum(one: &[f64], two: &[f64]) -> Vec<f64> {
    rows(one, two, |one, two| one + two)
}

/// Functions with values of a limited size, in place of those of the engine.
pub(crate) fn limited_functions(state: &SessionState, memory_bytes: usize) -> Vec<ScalarUDF> {
    let batch_size = state.config().batch_size().max(1);
    let limited = GROWING.iter().filter_map(|(name, growth)| {
        let function = Arc::clone(state.scalar_functions().get(*name)?);
        let limited = Limited { function, growth: *growth, memory_bytes, batch_size };
        Some(ScalarUDF::new_from_impl(limited))
    });
    limited.collect()
}

/// A function that fails where its values would be too large.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Limited {
    function: Arc<ScalarUDF>,
    growth: Growth,
    memory_bytes: usize,
    /// The number of rows of a batch.
    batch_size: usize,
}

impl Limited {
    /// Returns an error if the values of a call would be too large.
    fn check(&self, arguments: &ScalarFunctionArgs) -> Result<()> {
        let is_single = arguments.args.iter().all(|it| matches!(it, ColumnarValue::Scalar(_)));
        let sizes = self.growth.sizes(&Arguments::of(arguments)?)?;
        let is_one = is_single || self.growth.is_chosen();
        let (found, most) = match is_one {
            true => {
                let largest = sizes.iter().copied().fold(0.0, f64::max);
                (largest, self.memory_bytes / self.batch_size)
            }
            false => (sizes.iter().sum(), self.memory_bytes),
        };
        if found <= most as f64 {
            return Ok(());
        }
        let function = self.function.name().to_owned();
        Err(raise(SqlError::TooLarge { function, bytes: found as u64, is_one, most }))
    }
}

impl ScalarUDFImpl for Limited {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn aliases(&self) -> &[String] {
        self.function.aliases()
    }

    fn signature(&self) -> &Signature {
        self.function.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.return_type(types)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.function.return_field_from_args(arguments)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.check(&arguments)?;
        self.function.invoke_with_args(arguments)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.function.coerce_types(types)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.function.documentation()
    }
}
