//! What is legal in chess, Chess960 included, and in [Makruk].
//!
//! Three nouns: a [`Board`] is pieces on squares, a [`Setup`] is what a FEN says (it need not make
//! sense), and [`Chess`] is a position that the rules allow. Only the last one has legal moves.
//!
//! From a FEN to the moves it allows, written as players write them:
//!
//! ```
//! use halfmove_rules::Chess;
//!
//! let position: Chess = "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1".parse()?;
//! let sans = position.legal_moves().into_iter().map(|mv| position.san(mv).to_string());
//! let mut sans: Vec<_> = sans.collect();
//! sans.sort();
//! assert_eq!(sans, ["Kd1", "Kf1", "Kxe2"]);
//! # Ok::<(), halfmove_rules::FenError>(())
//! ```
//!
//! And back, from a list of SANs to the FEN of where they lead:
//!
//! ```
//! use halfmove_rules::{Chess, San};
//!
//! let mut position = Chess::default();
//! for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
//!     let mv = San::parse(san.as_bytes())?.resolve(&position)?;
//!     position.play_unchecked(mv);
//! }
//! assert_eq!(
//!     position.to_string(),
//!     "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
//! );
//! # Ok::<(), halfmove_rules::SanError>(())
//! ```
//!
//! Text comes in by `parse` and goes out by `Display`: [FEN](Setup), [EPD](Epd), [SAN](San),
//! [UCI](UciMove). Bytes come in by [`Chess::unpack`] and go out by [`Chess::pack`]. A setup that is
//! no position says [all its flaws](Flaws) at once, and a caller may forgive some. Nothing here
//! panics on input or reads a file. Only an EPD's operations, a game's [`History`], a [`PerftTable`]
//! and a [`makruk::MateTable`] allocate.
//!
//! The feature `std` adds counting by several threads (`perft_parallel`).
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod any;
mod board;
mod castling;
mod chess;
mod chess960;
mod dead;
mod flaws;
mod history;
pub mod makruk;
mod material;
mod moves;
mod notation;
mod outcome;
mod packed;
mod perft;
mod position;
mod role;
mod see;
mod setup;
mod zobrist;

pub use any::{AnyFenError, AnyPosition, Variant};
pub use board::Board;
pub use castling::{CastlingRights, CastlingSide};
pub use chess::{Chess, IllegalMove};
pub use flaws::{Flaw, Flaws, PositionError};
pub use halfmove_bitboard::{Bitboard, Color, File, ParseSquareError, Rank, Square};
pub use history::History;
pub use makruk::Makruk;
pub use material::{MaterialKey, ParseMaterialError};
pub use moves::{Move, MoveKind, MoveList, MoveListIter, PieceMoves, PieceMovesIter};
pub use notation::epd::{Epd, EpdError, Operand, Operation, OperationError};
pub use notation::fen::{FenError, FenField, FenSyntaxError, ShredderFen};
pub use notation::san::{San, SanError, SanText, StrictSanError};
pub use notation::uci::{CastlingStyle, UciError, UciMove};
pub use outcome::Outcome;
pub use packed::{PackError, UnpackError};
#[cfg(target_has_atomic = "64")]
pub use perft::hashed::{PerftTable, perft_hashed};
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use perft::parallel::{PerftProgress, divide_parallel, perft_parallel};
pub use perft::{divide, perft};
pub use position::Position;
pub use role::{Piece, Role};
pub use see::EXCHANGE_VALUES;
pub use setup::Setup;
pub use zobrist::{Zobrist, castling_key, en_passant_key, piece_key, turn_key};
