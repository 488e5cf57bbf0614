//! Games as data: PGN in and out, one byte a half-move, replay without move generation.

pub mod pgn;

mod game;
mod input;
mod result;
mod tags;

pub use game::Game;
pub use input::{Input, InputError, InputErrorKind};
pub use result::{GameResult, ResultError};
pub use tags::Tags;
