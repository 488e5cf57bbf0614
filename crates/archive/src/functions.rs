//! The SQL functions over `moves`.
//!
//! Each file has one function: a plain Rust function that knows nothing about the engine, and a thin adapter that
//! feeds it DataFusion's columns. All of them take the column `moves`, optionally followed by the column `start_fen`,
//! and then the other arguments. Without `start_fen`, a game that does not start from the usual position is an error,
//! never a wrong answer.
//!
//! | function | answer |
//! |---|---|
//! | `plies(moves)` | number of half-moves |
//! | `reaches(moves, [start_fen,] fen)` | whether the position of the FEN arises |
//! | `ply_of(moves, [start_fen,] fen)` | after how many half-moves it first arises, or null |
//! | `fen_at(moves, [start_fen,] ply)` | FEN after that many half-moves, or null beyond the end |
//! | `san(moves, [start_fen])` | the moves as text, `1. e4 e5 2. Nf3` |
//! | `explore(moves, [start_fen,] result, fen)` | aggregate: results and next moves of a position |

mod args;
pub(crate) mod explore;
mod fen_at;
mod plies;
mod ply_of;
mod reaches;
mod san;
mod start;

use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub(crate) use self::start::parse_fen;

/// Every scalar function.
pub(crate) fn scalar() -> Vec<ScalarUDF> {
    vec![
        ScalarUDF::new_from_impl(plies::Plies::default()),
        reaches(),
        ply_of(),
        ScalarUDF::new_from_impl(fen_at::FenAt::default()),
        ScalarUDF::new_from_impl(san::SanOf::default()),
    ]
}

/// The function `reaches`.
pub(crate) fn reaches() -> ScalarUDF {
    ScalarUDF::new_from_impl(reaches::Reaches::default())
}

/// The function `ply_of`.
pub(crate) fn ply_of() -> ScalarUDF {
    ScalarUDF::new_from_impl(ply_of::PlyOf::default())
}

/// The aggregate `explore`.
pub(crate) fn explore() -> AggregateUDF {
    AggregateUDF::new_from_impl(explore::Explore::default())
}
