//! Games as data: PGN in and out, a one-byte code for half-moves, replay without move generation.
//!
//! - [`pgn`]: a streaming reader and a writer. [`Input`] opens files, compressed or not.
//! - [`Game`]: the tags, start, main line and result of a game of chess; [`AnyGame`] can also hold
//!   Makruk.
//! - [`codec`]: *which piece goes where*, in one byte per half-move.
//! - [`replay`]: searches those bytes with nothing but a simple board of numbers.

pub mod codec;
pub mod pgn;
pub mod replay;

mod coded;
mod game;
mod input;
mod numbered;
mod result;
mod tags;

pub use coded::CodedGame;
pub use game::{AnyGame, CountCall, Game};
pub use input::{Input, InputError, InputErrorKind};
pub use result::{GameResult, ResultError};
pub use tags::Tags;
