//! Chess games in the byte formats of other authors: jose's, Brenner's, and variants of these.
//!
//! Two authors independently found that a half-move fits into one byte: the piece, and its target. This crate
//! implements their descriptions, bit by bit, and shows their bytes. The Scholar's Mate, 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6
//! 4. Qxf7# 1-0:
//!
//! ```text
//!                    e4   e5   Qh5  Nc6  Bc4  Nf6  Qxf7#
//! gametext           13   13   74   22   4b   2b   7e
//! brenner            2c   2c   61   17   db   1e   53
//! brenner-alternate  34   34   cc   17   5b   1e   da
//! halfmove           11   11   bf   20   63   2f   d2
//!
//! Qh5
//! gametext           0111 0100    the queen's codes begin at 70; offset 4: on the rising diagonal, to rank 5
//! brenner            01 100 001   a queen, 4 squares, north-east
//! brenner-alternate  11 001 100   a queen, north-east, 4 squares
//! halfmove           1011 1111    the queen's codes begin at a0; code 31: north-east, 4 squares
//! numbered-11        00001011101  number 93: from d1 to h5
//! ```
//!
//! # A reading order
//!
//! 1. [`gametext`]: Peter Schäfer's format of the program jose. Each piece has a range of bytes; the place in the range
//!    is a step, or a line and its end. `gametext/offsets.rs` has the pictures of his manual.
//! 2. [`brenner`]: Norman Brenner's two notations, whose bits are fields: kind, number, direction, distance. The table
//!    of his paper is `brenner/codes.rs`.
//! 3. [`numbered`]: his closing suggestion, a number for every move that any piece can make.
//! 4. `slots.rs`, `lines.rs`, `reading.rs`: the common part of the first two. Pieces keep the numbers that they have at
//!    the start, variations go back to earlier numbers, and a [`Game`](halfmove_game::Game) grows with each code.
//! 5. [`Codec`] and [`CODECS`]: one trait, with which a program selects a codec by name, queries the parts that it
//!    [holds](Holds), and [shows](Codec::dump) bytes code by code. [`Halfmove`] and [`Whole`] implement it for
//!    Halfmove's own bytes; the crate `halfmove-game` has the codes themselves.
//! 6. [`dense`]: the smallest encoding, by a model of the moves that people play, less than three bits per half-move.
//! 7. [`file`](mod@file): many games in one file, with the tags and the results that a codec does not hold.
//! 8. [`pack`]: many games with everything in them, in the fewest bytes.
//!
//! Decoding checks every move against the rules: hostile bytes give an error with an offset, never an illegal position.
//!
//! ```
//! use halfmove_codecs::{CODECS, Codec};
//! use halfmove_game::pgn::{read_game, write_game};
//!
//! let game = read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").unwrap();
//! for codec in CODECS.iter().filter(|codec| codec.holds().glyphs) {
//!     let mut bytes = Vec::new();
//!     codec.encode(&game, &mut bytes)?;
//!     let same = codec.decode(&bytes)?;
//!     assert_eq!(write_game(&same)?, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Compiles the example of the reference page as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/codecs.md")]
struct Page;

pub mod brenner;
pub mod dense;
pub mod file;
pub mod gametext;
pub mod numbered;
pub mod pack;

mod codec;
mod error;
mod halfmove;
mod lines;
mod parts;
mod reading;
mod slots;
#[cfg(test)]
mod tables;
mod whole;

pub use halfmove_game::codec::{DecodeError, DecodeErrorKind};

pub use codec::{Codec, Dumped, Holds};
pub use error::{EncodeError, EncodeErrorKind};
pub use halfmove::Halfmove;
pub use whole::Whole;

/// All codecs.
pub static CODECS: [&dyn Codec; 10] = [
    &Halfmove,
    &Whole,
    &gametext::Dialect::Jose,
    &gametext::Dialect::Document,
    &brenner::Notation::Primary,
    &brenner::Notation::Alternate,
    &numbered::Width::Eleven,
    &numbered::Width::Twelve,
    &numbered::Width::Thirteen,
    &dense::Dense,
];

/// The codec with this name.
///
/// ```
/// assert_eq!(halfmove_codecs::named("brenner").map(|codec| codec.version()), Some(1));
/// assert!(halfmove_codecs::named("morse").is_none());
/// ```
pub fn named(name: &str) -> Option<&'static dyn Codec> {
    CODECS.into_iter().find(|codec| codec.name() == name)
}
