//! The extension `halfmove` of DuckDB: archives as tables, and the functions over columns of encoded games.
//!
//! ```sql
//! load 'halfmove.duckdb_extension';
//! select san(moves, 10), result from halfmove_search('club', player := 'morphy');
//! ```
//!
//! - `call`: the one adapter of all functions of crate `functions`.
//! - `tables`: the table functions.
//! - `conditions`: their parameters, as a filter.
//! - [`footer`]: what DuckDB expects at the end of the file of an extension.
//! - `ffi`: DuckDB's C interface, with all unsafe code: callbacks, and vectors as arrays of Arrow.

mod call;
mod conditions;
mod ffi;
pub mod footer;
mod tables;

pub use self::ffi::halfmove_init_c_api;
