//! Replaying encoded games without generating moves.
//!
//! The codes of [`codec::halfmove`](crate::codec::halfmove) contain the piece and its target, so replay needs only a
//! simple board: the squares of the pieces, and the piece on each square. For games of chess from the standard
//! starting position, nothing is allocated. A replay stops as soon as the result is known: a position can no longer
//! arise once too few pieces are left, or a pawn that it needs on its first square has moved.
//!
//! | function | result |
//! |---|---|
//! | [`find`] | the ply at which a position first arises |
//! | [`visits`] | all plies at which it arises, with the next move |
//! | [`BoardQuery`] | the first ply at which the board meets some conditions |
//! | [`played`] | the ply after a [`MoveSequence`] is completed |
//! | [`position_at`], [`final_position`] | the position after a half-move, or at the end |
//! | [`move_after`] | the position after a half-move, and the next move |
//! | [`write_san`] | the move after a half-move, in SAN |
//! | [`tally`](fn@tally) | the moves, captures, promotions and castling of each side |
//! | [`keys`] | the keys of all positions |
//!
//! ```
//! use halfmove_game::codec::halfmove;
//! use halfmove_game::pgn::read_game;
//! use halfmove_game::replay::{self, Target};
//! use halfmove_rules::Chess;
//!
//! let mut bytes = Vec::new();
//! halfmove::encode(&read_game("1. d4 Nf6 2. c4 e6 *").unwrap(), &mut bytes)?;
//!
//! // The same position after another order of moves: 1. c4 e6 2. d4 Nf6.
//! let position: Chess = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3".parse()?;
//! assert_eq!(replay::find(&bytes, &Target::new(&position.into()))?, Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bytes are assumed to encode legal moves. Encoding guarantees that, and
//! [`decode_moves`](crate::codec::halfmove::decode_moves) checks it again. For other bytes, replay returns an error or
//! a wrong result, but never panics.

mod board;
mod bounds;
mod chess;
mod conditions;
mod key;
mod line_test;
mod lines;
mod listed;
mod makruk;
mod pattern;
mod position;
mod query;
mod san;
mod seek;
mod sequence;
mod signature;
mod signatures;
mod structures;
mod tally;
mod target;
mod watch;

pub use self::board::{
    BoardCondition, BoardConditionError, BoardQuery, Imbalance, Material, PawnFeature, PawnFile,
    Pawns, PawnsError, PieceCountsError,
};
pub use self::bounds::SignatureBounds;
pub use self::key::keys;
pub use self::line_test::LineTest;
pub(crate) use self::listed::last_listed;
pub use self::pattern::{Pattern, PatternError};
pub use self::position::{final_position, move_after, position_at};
pub use self::query::{Candidate, Query};
pub use self::san::write_san;
pub use self::sequence::{MoveSequence, MoveSequenceError, played};
pub use self::signature::Signature;
pub use self::signatures::Signatures;
pub use self::structures::{STRUCTURES, Structure, StructureError};
pub use self::tally::{MoveTally, tally};
pub use self::target::{Target, find, visits};
