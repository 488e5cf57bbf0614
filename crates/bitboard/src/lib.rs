//! Squares, sets of squares, and the attacks of every chess piece.
//!
//! A board has 64 squares and a machine word has 64 bits. So a *set of squares* is a word, and an
//! operation on sets is one instruction.
//!
//! ```
//! use halfmove_bitboard::{Bitboard, Square, attacks, bitboard};
//!
//! let occupied = bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . 1 . . . . 1 .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//! };
//! assert_eq!(attacks::rook(Square::D4, occupied), bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . 1 1 . 1 1 1 .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//!     . . . 1 . . . .
//! });
//! ```
//!
//! Start with [`Square`], [`Bitboard`] and [`attacks`]. In the order in which you are likely to need them:
//!
//! - [`Square`], [`File`], [`Rank`], [`Color`], [`Direction`]: the basic types.
//! - [`Bitboard`] and the drawing macro [`bitboard!`]: sets of squares.
//! - [`attacks`]: the front door, one function per piece.
//! - [`lines`]: rays, whole lines, segments between squares, and x-rays.
//! - [`cpu`]: hot loops compiled for several CPUs, the right one chosen at run time.
//! - [`sliders`]: the trait that every technique for bishops, rooks and queens implements, and the two
//!   techniques of the front door. All others are in the crate `halfmove-techniques`.
//!
//! The crate is `no_std`, has no dependencies unless a feature adds one, and does not contain the rules of
//! any game. No function panics.
//!
//! # Squares
//! Squares are numbered little-endian rank-file: a1 = 0, b1 = 1 … h8 = 63.
//!
//! ```text
//! 8  56 57 58 59 60 61 62 63
//! 7  48 49 50 51 52 53 54 55
//! 6  40 41 42 43 44 45 46 47
//! 5  32 33 34 35 36 37 38 39
//! 4  24 25 26 27 28 29 30 31
//! 3  16 17 18 19 20 21 22 23
//! 2   8  9 10 11 12 13 14 15
//! 1   0  1  2  3  4  5  6  7
//!     a  b  c  d  e  f  g  h
//! ```
//!
//! # Features
//! - `serde`: `Serialize` and `Deserialize` for squares, files, ranks, colors and sets. Text formats get
//!   `"e4"`, `"e"`, `"4"`, `"white"` and `["a1", "h8"]`, binary formats get numbers.
#![no_std]

pub mod attacks;
mod color;
pub mod cpu;
mod direction;
pub mod lines;
#[cfg(feature = "serde")]
mod serde;
mod set;
pub mod sliders;
mod square;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use color::{Color, ParseColorError};
pub use direction::Direction;
pub use set::{Bitboard, Iter, Subsets};
pub use square::{File, ParseSquareError, Rank, Square, TryFromIndexError};
