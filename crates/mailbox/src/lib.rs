//! A whole small engine for Makruk, Makpong, ASEAN chess and chess on a 0x88 board, as its source describes it: board,
//! FEN, moves, attacks, the end of a game, counting, SAN, search and evaluation. The program `halfmove-mailbox` plays
//! by UCI.
//!
//! It is simple rather than fast, and shares nothing with the bitboards but the basic types ([`Square`], [`Move`], …),
//! so it is the reference that they are tested against. Pieces move by adding offsets, sliders walk step by step, and a
//! move is legal if making it does not leave the king in check. The property tests play thousands of games on both
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
//! # The source's files, and this crate's
//!
//! | there | here | its section |
//! | --- | --- | --- |
//! | `types.ts` | `index.rs`, `piece.rs`, `state.rs`, `state/` | *Square Indexing*, *Direction Offsets*, *Board State Structure* |
//! | `board/board.ts` | `board.rs` | *Board State Structure* |
//! | `moves/generation.ts` | `moves/generation.rs` | *Move Generation* |
//! | `moves/execution.ts` | `moves/execution.rs` | *State Management* |
//! | `moves/notation.ts` | `moves/notation.rs` | |
//! | `rules/attacks.ts` | `rules/attacks.rs` | *Attack Detection* |
//! | `rules/status.ts` | `rules/status.rs` | *Check and Checkmate* |
//! | `rules/countdown.ts` | `rules/countdown.rs` | |
//! | `fen/importer.ts`, `fen/exporter.ts` | `fen/import.rs`, `fen/export.rs` | *FEN Parsing* |
//! | `ai/search.ts`, `ai/evaluation.ts` | `search.rs`, `evaluation.rs` | *AI Search* |
//! | `utils/board-utils.ts` | `Display` of [`Board`] | |
//!
//! # Source
//! The scheme dates from the 1970s. The state, offsets, piece lists, the legality test and the search follow
//! the description of the 0x88 board in `kaisukez/makruk-js` (2020–2025).
//!
//! [`Square`]: halfmove_rules::Square
//! [`Move`]: halfmove_rules::Move

#![no_std]

extern crate alloc;

mod board;
mod evaluation;
mod fen;
mod index;
mod moves;
mod piece;
mod rules;
mod search;
mod state;

pub use board::Board;
pub use evaluation::{Evaluation, evaluate};
pub use fen::{ChessFenError, Dialect};
pub use index::Index;
pub use piece::{Kind, Piece};
pub use rules::Ending;
pub use rules::countdown::{Counting, CountingError, CountingPolicy, Honor};
pub use search::{Limits, SearchResult, Value, alpha_beta, deepen, minimax};
pub use state::chess::{Chess, ChessGame};
pub use state::makruk::{Makruk, MakrukError, MakrukGame, Rules};
pub use state::{Game, State};

/// Compiles the example of the book as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/mailbox.md")]
struct Page;
