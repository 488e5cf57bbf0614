//! Functions on columns of encoded games, over batches of Arrow arrays, without any query engine.
//!
//! [`FUNCTIONS`] is the one table of all functions: name, arguments, result, help, an example, and the code. Adapters
//! for engines, the help of the program, the guide and the reference are made from it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray;
//! use arrow_array::{BinaryArray, StringArray};
//! use halfmove_functions::{Arguments, Body, Values, function};
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//!
//! let mut games = Vec::new();
//! for text in ["1. e4 e5 2. Nf3 *", "1. d4 d5 *"] {
//!     let mut moves = Vec::new();
//!     halfmove::encode(&read_game(text)?, &mut moves)?;
//!     games.push(moves);
//! }
//! // plays(moves, 'e5 N')
//! let function = function("plays").expect("a function");
//! function.check_literals(&[None, Some("e5 N")])?;
//! let values = [
//!     Values::column("moves", Arc::new(BinaryArray::from_iter_values(games))),
//!     Values::literal(Arc::new(StringArray::from(vec!["e5 N"]))),
//! ];
//! let Body::Rows(evaluate) = function.body else { panic!("an aggregate") };
//! let answers = evaluate(&Arguments::new(function, &values, 2)?)?;
//! assert_eq!(answers.as_boolean().iter().collect::<Vec<_>>(), [Some(true), Some(false)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An adapter does three things: it gets the types from [`Function::coerce`] and checks literals with
//! [`Function::check_literals`] while it plans a query, and calls the code of [`Body`] for each batch. Aggregates keep
//! their state in an [`Aggregate`], whose partial results are bytes that can come from another thread or machine.
//!
//! - [`halfmoves`]: the rows of the table `halfmoves`, one for each half-move.
//! - [`literals`]: texts of arguments as values, such as positions and conditions.
//! - [`tags`]: the tags of a game in columns.
//! - [`training`]: positions as the numbers that networks take.
//! - [`words`]: texts as words, ignoring case and accents.
//! - [`pages`]: help and pages of the documentation.

pub mod halfmoves;
pub mod literals;
pub mod pages;
pub mod tags;
pub mod training;
pub mod words;

mod aggregate;
mod arguments;
mod error;
mod function;
mod rows;
mod table;

pub use aggregate::Aggregate;
pub use arguments::{Arguments, Values};
pub use error::FunctionError;
pub use function::{Argument, Body, Example, Function, Kind, ResultKind};
pub use table::{FUNCTIONS, comment_with, function, outcome};
