//! Games as data: PGN in and out, one byte a half-move, replay without move generation.
//!
//! - [`pgn`]: a streaming reader and a writer; [`Input`] opens files, packed or not.
//! - [`Game`]: tags, start, main line, result, of chess; [`AnyGame`], of Makruk too.
//! - [`codec`]: a half-move is *which piece, where to*, in one byte.
//! - [`replay`]: through those bytes with nothing but a board of plain numbers.

pub mod codec;
pub mod pgn;
pub mod replay;

mod game;
mod input;
mod result;
mod tags;

pub use game::{AnyGame, CountCall, Game};
pub use input::{Input, InputError, InputErrorKind};
pub use result::{GameResult, ResultError};
pub use tags::Tags;
