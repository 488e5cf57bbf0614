//! Aggregates: functions with one result for a group of rows, computed in parts that are merged.

use std::fmt::Debug;

use arrow_array::ArrayRef;

use crate::arguments::Arguments;
use crate::error::FunctionError;

/// The state of an aggregate for one group.
///
/// A group can be spread over threads or machines: each part creates a state with [`update`](Self::update) and passes on
/// [`to_bytes`](Self::to_bytes); one of them merges all parts and returns the result.
pub trait Aggregate: Debug + Send + Sync {
    /// Adds the rows of a batch.
    ///
    /// # Errors
    ///
    /// Arguments for which the function is undefined.
    fn update(&mut self, arguments: &Arguments<'_>) -> Result<(), FunctionError>;

    /// The partial result as bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Adds a partial result of another part of the group.
    ///
    /// # Errors
    ///
    /// Bytes that are not a partial result of this aggregate, or one that cannot be in the same group.
    fn merge(&mut self, bytes: &[u8]) -> Result<(), FunctionError>;

    /// The result for the rows so far, as an array of one value.
    ///
    /// # Errors
    ///
    /// A result that no array can hold.
    fn finish(&self) -> Result<ArrayRef, FunctionError>;

    /// The size of the state in bytes.
    fn size(&self) -> usize;
}
