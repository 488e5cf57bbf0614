//! The functions, one in each file: its entry of [`FUNCTIONS`], and its code.

mod bits_at;
mod captures;
mod castled;
mod checks;
mod clock_at;
mod clock_list;
mod comments;
mod eco;
mod ended;
mod epd;
mod eval_at;
mod eval_list;
pub(crate) mod explore;
mod fen_at;
mod final_fen;
mod has_comment;
mod key;
mod legal_moves;
mod mate_at;
mod material;
mod mean_bits;
mod move_at;
mod moved;
mod octet_length;
mod opening;
mod plays;
mod plies;
mod ply_of;
mod ply_played;
mod ply_when;
pub(crate) mod positions;
mod promotions;
mod reaches;
mod reaches_anywhere;
mod san;
mod score;
mod shows;
mod tag;
mod uci;
mod values;

pub use ended::outcome;
pub use has_comment::comment_with;

use crate::function::Function;

/// All functions, in the order of help and reference: those over `moves` first.
pub static FUNCTIONS: [Function; 39] = [
    plies::FUNCTION,
    san::FUNCTION,
    uci::FUNCTION,
    move_at::FUNCTION,
    fen_at::FUNCTION,
    final_fen::FUNCTION,
    positions::FUNCTION,
    reaches::FUNCTION,
    ply_of::FUNCTION,
    reaches_anywhere::FUNCTION,
    shows::FUNCTION,
    ply_when::FUNCTION,
    plays::FUNCTION,
    ply_played::FUNCTION,
    moved::FUNCTION,
    captures::FUNCTION,
    checks::FUNCTION,
    promotions::FUNCTION,
    castled::FUNCTION,
    ended::FUNCTION,
    bits_at::FUNCTION,
    mean_bits::FUNCTION,
    eco::FUNCTION,
    opening::FUNCTION,
    explore::FUNCTION,
    legal_moves::FUNCTION,
    material::FUNCTION,
    epd::FUNCTION,
    key::FUNCTION,
    score::FUNCTION,
    clock_at::FUNCTION,
    clock_list::FUNCTION,
    eval_at::FUNCTION,
    eval_list::FUNCTION,
    mate_at::FUNCTION,
    comments::FUNCTION,
    has_comment::FUNCTION,
    tag::FUNCTION,
    octet_length::FUNCTION,
];

/// The function with a name in lower case.
///
/// ```
/// assert!(halfmove_functions::function("plies").is_some());
/// assert!(halfmove_functions::function("length").is_none());
/// ```
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}
