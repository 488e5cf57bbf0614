//! Games as data: one byte a half-move, and replay without move generation.
//!
//! A half-move is *which man, where to*. [`codec`] writes a main line that way, [`replay`] walks
//! through the bytes with nothing but a board of plain numbers.

pub mod codec;
pub mod replay;
