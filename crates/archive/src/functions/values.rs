//! The n-th of the values that are packed into the columns `clocks` and `evaluations`.

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
