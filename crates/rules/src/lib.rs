//! The rules of chess, Chess960, Makruk and its variants: positions, legal moves, notation.
//!
//! ```
//! use halfmove_rules::Chess;
//!
//! let mut position = Chess::default();
//! for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
//!     let mv = position.parse_san(san)?;
//!     position = position.play(mv)?;
//! }
//! assert_eq!(
//!     position.to_string(),
//!     "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
//! );
//! assert_eq!(position.legal_moves().len(), 30);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Three nouns
//!
//! A [`Board`] holds pieces on squares. A [`Setup`] holds the contents of a FEN, valid or not. A position is legal, and
//! only a position has legal moves: [`Chess`] is a position of chess or Chess960, [`Makruk`] one of Makruk, Makpong or
//! ASEAN chess, and [`AnyPosition`] one of any game, if the game is known only at run time.
//!
//! # Common tasks
//!
//! | task | items |
//! | --- | --- |
//! | start a game | [`Chess::default`], [`Chess::chess960`], [`Makruk::start`], [`AnyPosition::start`] |
//! | read a FEN | `fen.parse::<Chess>()`; [`Chess::from_fen`] for Chess960; [`AnyPosition::from_fen`] for any game, [`Makruk::from_fen`] for Makpong and ASEAN chess |
//! | read a FEN or EPD as people write it, and warn | [`AnyPosition::from_fen_lenient`], [`Epd::parse_lenient`]; [`Repair`] |
//! | forgive flaws in it | [`Chess::from_setup`], [`Flaws`] |
//! | write a FEN | `to_string()`; [`Chess::to_setup_as`] for the [en passant square](EnPassantMode) of other programs; [`Setup::shredder`] |
//! | list the legal moves | [`Chess::legal_moves`]; [`captures`](Chess::captures), [`evasions`](Chess::evasions), [`promotions`](Chess::promotions), [`castlings`](Chess::castlings), [`legal_moves_from`](Chess::legal_moves_from); [`visit_moves`](Chess::visit_moves) gives them piece by piece, to count them or to stop early |
//! | read and write moves | [`Chess::parse_san`], [`Chess::san`], [`Chess::parse_uci`], [`Chess::uci`] |
//! | inspect a move | [`Chess::captured`], [`is_capture`](Chess::is_capture), [`is_en_passant`](Chess::is_en_passant), [`is_zeroing`](Chess::is_zeroing), [`gives_check`](Chess::gives_check) |
//! | play a move | [`Chess::play`]; [`Chess::play_unchecked`] for one that is known to be legal |
//! | test for the end of the game | [`is_check`](Chess::is_check), [`is_checkmate`](Chess::is_checkmate), [`is_stalemate`](Chess::is_stalemate), [`outcome`](Chess::outcome), [`is_dead`](Chess::is_dead) |
//! | count repetitions, claim a draw | [`History`] |
//! | distinguish standard chess and Chess960 | [`CastlingMode`], [`Variant`] |
//! | use positions as keys | [`Chess::zobrist`], `Hash`, [`Chess::pack`] (32 bytes) |
//! | read an opening book or a test suite | [`polyglot::Book`], [`Epd`] |
//! | write an engine | [`Chess::gives_check`], [`Chess::pinned`], [`Chess::see`], [`Chess::null_move`], [`MaterialKey`], [`see_at_least`](Chess::see_at_least), [`visit_captures`](Chess::visit_captures) |
//! | play Makruk, with its counting and FEN dialects | [`makruk`] |
//! | write code for all games | [`Position`]; [`AnyPosition`] if the game is known only at run time |
//! | run a hot loop at the full speed of the CPU | [`cpu`], [`visit_moves_on`](Chess::visit_moves_on), [`fill_moves_on`](Chess::fill_moves_on), [`visit_captures_on`](Chess::visit_captures_on) |
//! | compute with sets of squares | [`Bitboard`], [`bitboard`] |
//! | test a move generator | [`perft`](perft()), [`perft_hashed`], `perft_parallel` |
//!
//! # Conventions
//!
//! Text is written by `Display` and read by `parse`, or by `from_fen` if the game has to be given. Invalid input
//! returns a typed error with its place and the expected text; input never causes a panic. A setup that is not a legal
//! position reports all its [`Flaws`] at once. The crate does not read files. It is `no_std` with `alloc`; positions,
//! moves and lists of moves never allocate.
//!
//! # Features
//!
//! - `std`: counting on several threads (`perft_parallel`).
//! - `serde`: [`Chess`] and [`Setup`] as FEN; [`AnyPosition`] as its variant and FEN; [`Variant`], [`UciMove`],
//!   [`San`], [`MaterialKey`], roles, pieces and outcomes as text; [`Move`] as its bits, because without a position UCI
//!   cannot distinguish castling from a king move. Reading a [`Chess`] infers the castling mode from the FEN; an
//!   [`AnyPosition`] keeps it. Data that a FEN cannot hold is lost: the counting policy of Makruk, and during a count
//!   the half-move clock and the first number.
#![no_std]
#![warn(missing_debug_implementations)]

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
mod mate;
mod material;
mod moves;
mod notation;
mod outcome;
mod packed;
mod perft;
pub mod polyglot;
mod position;
mod role;
mod see;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod zobrist;

pub use any::{AnyFenError, AnyPosition, Variant};
pub use board::Board;
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use chess::{Chess, IllegalMove};
pub use flaws::{Flaw, Flaws, PositionError};
/// Sets of squares, and the attacks of all pieces: the crate below this one.
pub use halfmove_bitboard as bitboard;
pub use halfmove_bitboard::cpu;
pub use halfmove_bitboard::{Bitboard, Color, File, ParseSquareError, Rank, Square};
pub use history::History;
pub use makruk::Makruk;
pub use mate::{MateTable, MateTableError};
pub use material::{MaterialKey, ParseMaterialError};
pub use moves::{Move, MoveKind, MoveList, MoveListIter, PieceMoves, PieceMovesIter};
pub use notation::epd::{Epd, EpdError, Operand, Operation, OperationError};
pub use notation::fen::{FenError, FenField, FenSyntaxError, ShredderFen};
pub use notation::lenient::Repair;
pub use notation::placement::Placement;
pub use notation::san::{San, SanError, SanText, StrictSanError};
pub use notation::uci::{CastlingStyle, UciError, UciMove, UciText};
pub use outcome::Outcome;
pub use packed::{PackError, UnpackError};
#[cfg(target_has_atomic = "64")]
pub use perft::hashed::{PerftTable, perft_hashed};
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use perft::parallel::{PerftProgress, divide_parallel, perft_parallel};
pub use perft::{divide, perft, perft_up_to};
pub use position::Position;
pub use role::{Piece, Role};
pub use see::EXCHANGE_VALUES;
pub use setup::{EnPassantMode, Setup};
pub use zobrist::{Zobrist, castling_key, en_passant_key, piece_key, turn_key};
