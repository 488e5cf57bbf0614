//! A second implementation of the rules, on a 0x88 board: the reference for testing the bitboards.
//!
//! It is simple rather than fast, and shares nothing with the bitboards but the basic types
//! ([`Square`], [`Move`], …). Pieces move by adding offsets, sliders walk step by step, and a move is legal if
//! making it does not leave the king in check. The property tests play thousands of games on both
//! boards and compare every move, attack and position.
//!
//! A square has the number `16 · rank + file`. Only the left half of the board exists:
//!
//! ```text
//! 8  112 113 114 115 116 117 118 119 | 120 121 122 123 124 125 126 127
//! 7   96  97  98  99 100 101 102 103 | 104 105 106 107 108 109 110 111
//! 6   80  81  82  83  84  85  86  87 |  88  89  90  91  92  93  94  95
//! 5   64  65  66  67  68  69  70  71 |  72  73  74  75  76  77  78  79
//! 4   48  49  50  51  52  53  54  55 |  56  57  58  59  60  61  62  63
//! 3   32  33  34  35  36  37  38  39 |  40  41  42  43  44  45  46  47
//! 2   16  17  18  19  20  21  22  23 |  24  25  26  27  28  29  30  31
//! 1    0   1   2   3   4   5   6   7 |   8   9  10  11  12  13  14  15
//!      a   b   c   d   e   f   g   h
//! ```
//!
//! A step off the board sets bit 3 (to the east or west) or bit 7 (to the north or south), so a
//! single test, `index & 0x88`, detects every edge.
//!
//! A step of `r` ranks and `f` files adds `16 r + f`.
//!
//! ```
//! use halfmove_mailbox::{Chess, Index};
//! use halfmove_rules::{Move, Square};
//!
//! let h1 = Index::new(Square::H1);
//! assert_eq!(h1.step(33), None, "two up, one right: off the board");
//! assert_eq!(h1.step(31).map(Index::square), Some(Square::G3));
//!
//! let mut position = Chess::default();
//! for (from, to) in [(Square::F2, Square::F3), (Square::E7, Square::E5), (Square::G2, Square::G4)] {
//!     position = position.play(Move::normal(from, to))?;
//! }
//! let mate = position.play(Move::normal(Square::D8, Square::H4))?;
//! assert!(mate.is_check() && mate.legal_moves().is_empty());
//! # Ok::<(), halfmove_rules::IllegalMove>(())
//! ```
//!
//! # Source
//! The scheme dates from the 1970s. The state, offsets, piece lists and the legality test follow
//! the description of the 0x88 board in `kaisukez/makruk-js` (2020–2025).
//!
//! [`Square`]: halfmove_rules::Square
//! [`Move`]: halfmove_rules::Move

#![no_std]

extern crate alloc;

mod board;
mod chess;
mod index;
mod makruk;
mod piece;

pub use board::Board;
pub use chess::{Chess, ChessFenError};
pub use index::Index;
pub use makruk::{
    Counting, CountingError, CountingPolicy, Dialect, Ending, Honor, Makruk, MakrukError, Rules,
};
pub use piece::{Kind, Piece};
