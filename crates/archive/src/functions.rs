//! The SQL functions over `moves`.
//!
//! Each file has one function: a plain Rust function that knows nothing about the engine, and a thin adapter that
//! feeds it DataFusion's columns. All of them take the column `moves`, which says how each game starts, and then the
//! other arguments. A FEN is one of chess, unless a variant after it names another game.
//!
//! | function | answer |
//! |---|---|
//! | `plies(moves)` | number of half-moves |
//! | `reaches(moves, fen [, variant])` | whether the position of the FEN arises |
//! | `ply_of(moves, fen [, variant])` | after how many half-moves it first arises, or null |
//! | `fen_at(moves, ply)` | FEN after that many half-moves, or null beyond the end |
//! | `san(moves)` | the moves as text, `1. e4 e5 2. Nf3` |
//! | `explore(moves, result, fen [, variant])` | aggregate: results and next moves of a position |

mod args;
pub(crate) mod explore;
mod fen_at;
mod narrow;
mod plies;
mod ply_of;
mod position;
mod reaches;
mod san;
mod upgrade;

use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub(crate) use self::args::{Texts, raise};
pub(crate) use self::narrow::{NarrowExplore, literal_position};
pub(crate) use self::upgrade::Upgrade;

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

/// The bytes of `moves` in version 1, from those of version 0.
pub(crate) fn upgrade_moves() -> ScalarUDF {
    ScalarUDF::new_from_impl(upgrade::UpgradeMoves::default())
}
