//! Halfmove for Python: the compiled part of the package `halfmove`.
//!
//! ```text
//!  board, moves, squares, legal, outcome, svg    positions, by the names of python-chess
//!  game                                          games of PGN; their trees are made in Python
//!  archive, filter                               archives, conditions on their games, data for training
//!  sql                                           queries, behind the feature of that name
//!  functions                                     the functions over Arrow arrays
//!  rows, values, capsule                         tables, and Arrow's PyCapsule interface
//!  work                                          long work, ended by Ctrl-C
//!  error                                         errors as Python's kinds
//! ```
//!
//! It only converts types; all results are computed by the other crates.

mod archive;
mod board;
mod capsule;
mod error;
mod filter;
mod functions;
mod game;
mod legal;
mod moves;
mod outcome;
mod rows;
#[cfg(feature = "sql")]
mod sql;
mod squares;
mod svg;
mod values;
mod work;

/// The compiled part of the package `halfmove`.
#[pyo3::pymodule]
mod _halfmove {
    #[pymodule_export]
    use crate::archive::{Games, PyArchive, Training, TrainingIterator, open};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::error::{
        AmbiguousMoveError, ArchiveError, IllegalMoveError, InvalidMoveError, SqlError,
    };
    #[pymodule_export]
    use crate::filter::condition_table;
    #[pymodule_export]
    use crate::functions::{Column, call_function, explore_partial, function_table};
    #[pymodule_export]
    use crate::game::{PgnReader, RawGame, comment_values};
    #[pymodule_export]
    use crate::legal::LegalMoves;
    #[pymodule_export]
    use crate::moves::PyMove;
    #[pymodule_export]
    use crate::outcome::PyOutcome;
    #[pymodule_export]
    use crate::rows::{Batches, Rows};
    #[pymodule_export]
    use crate::squares::{Piece, SquareSet};
    #[pymodule_export]
    use crate::svg::svg;

    #[allow(non_upper_case_globals, reason = "the name in Python")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
