//! The n-th of the values that are packed into the columns `clocks` and `evaluations`.

use datafusion::arrow::array::Array;
use datafusion::common::Result;
use halfmove_game::codec::DecodeError;

use super::args::Call;

/// The answers of a function that takes such a column and n.
pub(super) fn values_at<'a, T>(
    call: &'a Call,
    name: &'a str,
    column: &'a str,
    at: impl Fn(&[u8], i64) -> std::result::Result<Option<T>, DecodeError> + 'a,
) -> Result<impl FnMut(usize) -> Result<Option<T>> + 'a> {
    let (values, numbers) = (call.bytes(0)?, call.numbers(1)?);
    Ok(move |row| match values.at(row).filter(|_| numbers.is_valid(row)) {
        Some(values) => {
            at(values, numbers.value(row)).map_err(|error| call.bad_part(name, 0, column, error))
        }
        None => Ok(None),
    })
}

/// The most half-moves of which so many bytes can hold values: each takes a bit at least.
pub(super) fn most_values(bytes: &[u8]) -> usize {
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
