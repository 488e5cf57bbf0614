//! Aggregates: functions that answer for a group of rows, in parts that are merged.

use std::fmt::Debug;

use arrow_array::ArrayRef;

use crate::arguments::Arguments;
use crate::error::FunctionError;

/// The state of an aggregate for one group.
///
/// A group can be spread over threads or machines: each part makes a state with [`update`](Self::update), hands over
/// [`to_bytes`](Self::to_bytes), and one of them merges all parts and answers.
pub trait Aggregate: Debug + Send + Sync {
    /// Adds the rows of a batch.
    ///
    /// # Errors
    ///
    /// Rows that the function cannot answer.
    fn update(&mut self, arguments: &Arguments<'_>) -> Result<(), FunctionError>;

    /// The partial result as bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Adds a partial result of another part of the group.
    ///
    /// # Errors
    ///
    /// Bytes that are no partial result of this aggregate, or one that cannot be in the same group.
    fn merge(&mut self, bytes: &[u8]) -> Result<(), FunctionError>;

    /// The answer for the rows so far, as an array of one value.
    ///
    /// # Errors
    ///
    /// An answer that no array can hold.
    fn finish(&self) -> Result<ArrayRef, FunctionError>;

    /// The number of bytes that the state occupies.
    fn size(&self) -> usize;
}
