//! The n-th of the values packed into the columns `clocks` and `evaluations`.

use halfmove_game::codec::DecodeError;

use crate::arguments::Arguments;
use crate::error::FunctionError;

/// The results of a function that takes such a column and n.
pub(super) fn values_at<'a, T>(
    arguments: &'a Arguments<'a>,
    at: impl Fn(&[u8], i64) -> Result<Option<T>, DecodeError> + 'a,
) -> Result<impl FnMut(usize) -> Result<Option<T>, FunctionError> + 'a, FunctionError> {
    let (values, numbers) = (arguments.bytes(0)?, arguments.numbers(1)?);
    Ok(move |row| match (values.at(row), numbers.at(row)) {
        (Some(values), Some(number)) => {
            at(values, number).map_err(|error| arguments.invalid(0, error))
        }
        _ => Ok(None),
    })
}

/// The maximum number of half-moves whose values fit these bytes: each takes at least a bit.
pub(super) fn max_values(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(8)
}

/// The n-th value, from 1; negative numbers count from the last one.
pub(super) fn nth<T: Copy>(values: &[Option<T>], n: i64) -> Option<T> {
    let index = match n {
        1.. => usize::try_from(n - 1).ok()?,
        0 => return None,
        _ => values.len().checked_sub(usize::try_from(n.unsigned_abs()).ok()?)?,
    };
    *values.get(index)?
}
