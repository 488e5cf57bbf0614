//! Errors of functions.

use arrow_schema::{ArrowError, DataType};
use halfmove_game::codec::DecodeError;
use thiserror::Error;

/// The reason why a function failed.
///
/// All but [`Damaged`](Self::Damaged) are errors of the caller.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FunctionError {
    /// A FEN is invalid.
    #[error("the FEN \"{fen}\": {why}")]
    Fen {
        /// The text.
        fen: String,
        /// The problem.
        why: String,
    },
    /// A text does not name a variant.
    #[error("the variant \"{name}\" is not known: expected {expected}")]
    Variant {
        /// The text.
        name: String,
        /// The names of all variants.
        expected: String,
    },
    /// A text does not name a side.
    #[error("the side \"{name}\" is not known: expected white or black")]
    Side {
        /// The text.
        name: String,
    },
    /// A text does not name a piece.
    #[error("the piece \"{name}\" is not known: expected P, N, B, R, Q or K, or in Makruk S or M")]
    Piece {
        /// The text.
        name: String,
    },
    /// A text does not name a result.
    #[error("the result \"{text}\" is not known: expected 1-0, 0-1, 1/2-1/2 or *")]
    Result {
        /// The text.
        text: String,
    },
    /// A text does not contain valid conditions on a board.
    #[error("the conditions \"{text}\": {why}{}", near.as_ref().map_or_else(String::new, |near| format!(": did you mean '{near}'?")))]
    Conditions {
        /// The text.
        text: String,
        /// The problem.
        why: String,
        /// The conditions that were probably meant.
        near: Option<String>,
    },
    /// A text does not contain a valid sequence of moves.
    #[error("the moves \"{text}\": {why}")]
    Sequence {
        /// The text.
        text: String,
        /// The problem.
        why: String,
    },
    /// A text to search for has no words.
    #[error("\"{text}\" has no word in it: expected a letter or a digit")]
    Words {
        /// The text.
        text: String,
    },
    /// A function was called with too few or too many arguments.
    #[error("{function} was called with {given} arguments, expected {usage}")]
    ArgumentCount {
        /// The name of the function.
        function: &'static str,
        /// The number of arguments.
        given: usize,
        /// The ways to call it.
        usage: String,
    },
    /// An argument has a type that the function does not accept.
    #[error("argument {number} of {function} is {found}, expected {expected}: {usage}")]
    Argument {
        /// The name of the function.
        function: &'static str,
        /// The number of the argument, from 1.
        number: usize,
        /// The expected kind of argument.
        expected: &'static str,
        /// The type of the argument.
        found: String,
        /// The ways to call the function.
        usage: String,
    },
    /// The array of an argument has another length than the batch.
    #[error("argument {number} of {function} has {found} values, expected {expected}")]
    Length {
        /// The name of the function.
        function: &'static str,
        /// The number of the argument, from 1.
        number: usize,
        /// The number of values.
        found: usize,
        /// The number of rows of the batch, or 1 for a literal.
        expected: usize,
    },
    /// The arguments match none of the ways to call the function.
    #[error("{function} was called in an unknown way, expected {usage}")]
    Form {
        /// The name of the function.
        function: &'static str,
        /// The ways to call it.
        usage: String,
    },
    /// Bytes made by the caller are not those of a game, or of the part of a game that the argument takes.
    #[error("argument {number} of {function} {}, expected bytes like those of the column {column}: {why}", if *column == "moves" { "is not a game".to_owned() } else { format!("holds no {column}") })]
    Bytes {
        /// The name of the function.
        function: &'static str,
        /// The number of the argument, from 1.
        number: usize,
        /// The column that has such bytes.
        column: &'static str,
        /// The byte offset and the problem.
        why: DecodeError,
    },
    /// A value of a stored column is damaged.
    #[error("a value of the column {column}: {why}")]
    Damaged {
        /// The column.
        column: &'static str,
        /// The byte offset and the problem.
        why: DecodeError,
    },
    /// An aggregate was called with two positions in one group.
    #[error("{function} was called with two positions in one group: {first} and {second}")]
    TwoPositions {
        /// The name of the function.
        function: &'static str,
        /// One position.
        first: String,
        /// The other one.
        second: String,
    },
    /// Bytes to be merged are not a partial result of this aggregate.
    #[error("{function} was given the state of another function")]
    State {
        /// The name of the function.
        function: &'static str,
    },
    /// The result for one batch is too large.
    #[error(
        "the result of {function} for {rows} rows is larger than 2 GiB, expected a smaller batch"
    )]
    TooLarge {
        /// The name of the function.
        function: &'static str,
        /// The number of rows of the batch.
        rows: usize,
    },
    /// A table has no column of this name.
    #[error("there is no column {name} in halfmoves, expected {expected}")]
    Column {
        /// The name.
        name: String,
        /// The names of all columns.
        expected: String,
    },
    /// A column of the games is missing, or has another type.
    #[error("the column {name} of the games is {}, expected that of the table games", found.as_ref().map_or_else(|| "missing".to_owned(), ToString::to_string))]
    Source {
        /// The name of the column.
        name: &'static str,
        /// Its type; `None` if it is missing.
        found: Option<DataType>,
    },
    /// An array of the result cannot be built.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}
