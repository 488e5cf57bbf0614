//! The sizes of the arguments of a call, row by row.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::{
    DataType, Float64Type, IntervalMonthDayNanoType, IntervalUnit, TimeUnit,
};
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

const DAY_MS: f64 = 86_400_000.0;

/// The arguments of a call, each with one value for all rows, or one for each row. All numbers are 0 for nulls.
pub(super) struct Arguments(Vec<ArrayRef>);

impl Arguments {
    pub(super) fn of(call: &ScalarFunctionArgs) -> Result<Self> {
        let array = |value: &ColumnarValue| match value {
            ColumnarValue::Array(array) => Ok(array.clone()),
            ColumnarValue::Scalar(value) => value.to_array_of_size(1),
        };
        Ok(Self(call.args.iter().map(array).collect::<Result<_>>()?))
    }

    /// Sizes of an argument, or a number if there is none.
    pub(super) fn or(
        &self,
        index: usize,
        other: f64,
        of: impl Fn(usize) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        if index < self.0.len() { of(index) } else { Ok(vec![other]) }
    }

    /// Numbers of things; negative ones are 0.
    pub(super) fn numbers(&self, index: usize) -> Result<Vec<f64>> {
        Ok(values(&self.0[index], 0.0)?.into_iter().map(|number| number.max(0.0)).collect())
    }

    /// The bytes of the values.
    pub(super) fn bytes(&self, index: usize) -> Result<Vec<f64>> {
        self.each(index, |array| contents(array).0)
    }

    /// The elements of lists, and of the lists in them.
    pub(super) fn elements(&self, index: usize) -> Result<Vec<f64>> {
        self.each(index, |array| contents(array).1)
    }

    fn each(&self, index: usize, of: impl Fn(&dyn Array) -> f64) -> Result<Vec<f64>> {
        let array = &self.0[index];
        if is_text(array.data_type()) {
            return values(&length(array)?, 0.0);
        }
        let row = |row| if array.is_null(row) { 0.0 } else { of(&array.slice(row, 1)) };
        Ok((0..array.len()).map(row).collect())
    }

    /// The numbers of steps of a range: to its end, or from its beginning to its end, in steps of 1 or of the third argument.
    pub(super) fn steps(&self) -> Result<Vec<f64>> {
        let ends = values(&self.0[usize::from(self.0.len() > 1)], 0.0)?;
        let starts = if self.0.len() > 1 { values(&self.0[0], 0.0)? } else { vec![0.0] };
        let steps = self.or(2, 1.0, |index| values(&self.0[index], f64::INFINITY))?;
        let lengths = super::rows(&starts, &ends, |start, end| end - start);
        let is_time = self.0[0].data_type().is_temporal();
        Ok(super::rows(&lengths, &steps, |length, step| match length / step {
            // A step of nothing is an error of the function, or the parts of an interval cancel each other.
            _ if step == 0.0 && is_time => f64::INFINITY,
            _ if step == 0.0 => 0.0,
            steps if is_time => steps.abs() + 1.0,
            steps => (steps + 1.0).max(0.0),
        }))
    }
}

fn is_text(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Utf8, Utf8View};
    matches!(kind, Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView)
}

/// Values as numbers, with a number for nulls; times are in milliseconds, and intervals, too, with months of 28 days.
fn values(array: &ArrayRef, null: f64) -> Result<Vec<f64>> {
    let scaled = |kind: DataType, scale: f64| -> Result<Float64Array> {
        let whole = cast(&cast(array, &kind)?, &DataType::Int64)?;
        let numbers = cast(&whole, &DataType::Float64)?;
        Ok(numbers.as_primitive::<Float64Type>().unary(|number| number * scale))
    };
    let numbers: Float64Array = match array.data_type() {
        DataType::Date32 => scaled(DataType::Int32, DAY_MS)?,
        DataType::Timestamp(_, zone) => {
            scaled(DataType::Timestamp(TimeUnit::Millisecond, zone.clone()), 1.0)?
        }
        DataType::Interval(_) => {
            let kind = DataType::Interval(IntervalUnit::MonthDayNano);
            let intervals = cast(array, &kind)?;
            intervals.as_primitive::<IntervalMonthDayNanoType>().unary(|it| {
                let days = 28.0 * f64::from(it.months) + f64::from(it.days);
                days * DAY_MS + it.nanoseconds as f64 / 1e6
            })
        }
        _ => cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone(),
    };
    Ok(numbers.iter().map(|number| number.unwrap_or(null)).collect())
}

/// The bytes of all values of an array, and the number of those that are in lists.
pub(super) fn contents(array: &dyn Array) -> (f64, f64) {
    let of_values = |values: &dyn Array| {
        let (bytes, elements) = contents(values);
        (bytes, elements + values.len() as f64)
    };
    let part = |values: &ArrayRef, first: usize, last: usize| {
        of_values(&values.slice(first, last.saturating_sub(first)))
    };
    match array.data_type() {
        DataType::List(_) => {
            let offsets = array.as_list::<i32>().offsets();
            let ends = (offsets[0] as usize, offsets[array.len()] as usize);
            part(array.as_list::<i32>().values(), ends.0, ends.1)
        }
        DataType::LargeList(_) => {
            let offsets = array.as_list::<i64>().offsets();
            let ends = (offsets[0] as usize, offsets[array.len()] as usize);
            part(array.as_list::<i64>().values(), ends.0, ends.1)
        }
        DataType::FixedSizeList(..) => of_values(array.as_fixed_size_list().values()),
        DataType::Struct(_) => {
            let fields = array.as_struct().columns().iter().map(|it| contents(it.as_ref()));
            fields.fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
        }
        kind if is_text(kind) => {
            let lengths = length(array).ok();
            let lengths = lengths.and_then(|it| cast(&it, &DataType::Float64).ok());
            let sum = lengths.map(|it| it.as_primitive::<Float64Type>().iter().flatten().sum());
            (sum.unwrap_or(0.0), 0.0)
        }
        kind => match kind.primitive_width() {
            Some(width) => ((width * array.len()) as f64, 0.0),
            None => (array.to_data().get_slice_memory_size().unwrap_or(0) as f64, 0.0),
        },
    }
}
