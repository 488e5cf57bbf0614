//! The SQL functions over `moves`.
//!
//! Each file has one function: a plain Rust function that knows nothing about the engine, and a thin adapter that
//! feeds it DataFusion's columns. Nearly all take the column `moves`, which says how each game starts, and then the
//! other arguments. A FEN is one of chess, unless a variant after it names another game.
//!
//! | function | answer |
//! |---|---|
//! | `plies(moves)` | number of half-moves |
//! | `reaches(moves, fen [, variant])` | whether the position of the FEN arises |
//! | `ply_of(moves, fen [, variant])` | after how many half-moves it first arises, or null |
//! | `shows(moves, conditions)` | whether the board meets the conditions in some position |
//! | `ply_when(moves, conditions)` | after how many half-moves it first does, or null |
//! | `reaches_anywhere(moves, annotations, fen [, variant])` | whether it arises in the game or in a variation |
//! | `plays(moves, sequence)` | whether these moves follow each other, as in `Bxh7+ Kxh7 Ng5+` |
//! | `ply_played(moves, sequence)` | after how many half-moves they first have, or null |
//! | `fen_at(moves, ply)` | FEN after that many half-moves, or null beyond the end |
//! | `final_fen(moves)` | FEN at the end |
//! | `san(moves [, n])` | the moves, or the first n half-moves, as text, `1. e4 e5 2. Nf3` |
//! | `uci(moves [, n])` | the same in UCI notation, `e2e4 e7e5 g1f3` |
//! | `move_at(moves, n)` | the n-th half-move in SAN, from the end if n is negative |
//! | `positions(moves)` | each half-move with the position after it, for `unnest` |
//! | `moved(moves, piece [, side])` | how many half-moves were made with a kind of piece |
//! | `captures(moves [, side])`, `checks(moves [, side])`, `promotions(moves [, side])` | how many there were |
//! | `castled(moves, side)` | `O-O`, `O-O-O` or null |
//! | `ended(moves)` | `checkmate`, `stalemate` and the like, or null |
//! | `eco(moves)`, `opening(moves)` | the ECO code and the name of the opening, or null |
//! | `clock_at(clocks, n)` | the clock after the n-th half-move, in seconds |
//! | `eval_at(evaluations, n)`, `mate_at(evaluations, n)` | the evaluation after the n-th half-move |
//! | `comments(annotations)` | the text of all comments |
//! | `has_comment(annotations, words)` | whether a comment has these words |
//! | `tag(name)` | the text of a tag |
//! | `octet_length(value)` | how many bytes a text or a value of bytes has |
//! | `explore(moves, result, fen [, variant])` | aggregate: results and next moves of a position |

mod args;
mod bytes;
mod captures;
mod castled;
mod checks;
mod clock_at;
mod comments;
mod eco;
mod ended;
mod eval_at;
pub(crate) mod explore;
mod fen_at;
mod final_fen;
mod function;
mod has_comment;
mod mate_at;
mod move_at;
mod moved;
mod narrow;
mod octet_length;
mod opening;
mod plays;
mod plies;
mod ply_of;
mod ply_played;
mod ply_when;
mod position;
mod positions;
mod promotions;
mod reaches;
mod reaches_anywhere;
mod san;
mod shows;
mod side;
mod tag;
mod uci;
mod upgrade;
mod values;

use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub(crate) use self::args::{Texts, raise};
pub(crate) use self::bytes::BytesAreNotText;
pub(crate) use self::ended::outcome;
pub(crate) use self::has_comment::comment_with;
pub(crate) use self::narrow::{NarrowExplore, literal_position};
pub(crate) use self::ply_when::literal_conditions;
pub(crate) use self::reaches_anywhere::variation_with;
pub(crate) use self::tag::{Place, place, untyped as untyped_tags};
pub(crate) use self::upgrade::Upgrade;

/// Every scalar function.
pub(crate) fn scalar() -> Vec<ScalarUDF> {
    vec![
        ScalarUDF::new_from_impl(plies::Plies::default()),
        reaches(),
        ply_of(),
        ScalarUDF::new_from_impl(shows::Shows::default()),
        ScalarUDF::new_from_impl(ply_when::PlyWhen::default()),
        ScalarUDF::new_from_impl(fen_at::FenAt::default()),
        ScalarUDF::new_from_impl(tag::TagOf::default()),
        captures::udf(),
        castled::udf(),
        checks::udf(),
        clock_at::udf(),
        comments::udf(),
        eco::udf(),
        ended::udf(),
        eval_at::udf(),
        final_fen::udf(),
        has_comment::udf(),
        mate_at::udf(),
        move_at::udf(),
        moved::udf(),
        octet_length::udf(),
        plays::udf(),
        ply_played::udf(),
        opening::udf(),
        positions::udf(),
        promotions::udf(),
        reaches_anywhere::udf(),
        san::udf(),
        uci::udf(),
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
