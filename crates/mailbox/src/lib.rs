//! The rules a second time, on a board of 128 numbers: the reference that the bitboards are held to.
//!
//! Nothing here is fast, and nothing is shared with the bitboards but the nouns ([`Square`],
//! [`Move`], …): pieces move by adding an offset, rays are walked step by step, a move is legal if it
//! can be made and leaves the king out of check. The property tests play thousands of games on both
//! and compare every move, attack and position.
//!
//! A square has the number `16 · rank + file`. The board's left half exists, its right half does not:
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
//! Whoever steps off the board sets bit 3 (east or west) or bit 7 (north or south), so that one test,
//! `index & 0x88`, finds every edge.
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
//! The scheme is from the 1970s. State, offsets, lists of pieces and the way a move is tested follow the
//! description of the 0x88 board of `kaisukez/makruk-js` (2020–2025).
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
pub use chess::Chess;
pub use index::Index;
pub use makruk::{
    Counting, CountingError, CountingPolicy, Dialect, Ending, Honor, Makruk, MakrukError, Rules,
};
pub use piece::{Kind, Piece};
