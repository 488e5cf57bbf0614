//! Rules beyond the moves of single pieces (the source's folder `rules/`). Imports the board, the pieces and the state.

mod attacks;
pub(crate) mod countdown;
mod status;

pub use status::Ending;
