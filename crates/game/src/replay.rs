//! Replays a game's bytes without generating moves.
//!
//! The codes of [`codec::halfmove`](crate::codec::halfmove) say which piece goes where, so replay needs only
//! a simple board: the squares of the pieces, and which piece is on each square. In games of chess from the
//! usual start, nothing is allocated. A replay stops as soon as the answer is known: a position can no longer
//! arise once too few pieces are left, or a pawn that it needs on its first square has moved.
//!
//! | function | question |
//! |---|---|
//! | [`find`] | when does a position first arise? |
//! | [`visits`] | when does it arise, and which move follows? |
//! | [`BoardQuery`] | when does what stands on the board first meet some conditions? |
//! | [`played`] | when has a [`MoveSequence`] been played? |
//! | [`position_at`], [`final_position`] | what is the position after a half-move, or at the end? |
//! | [`move_after`] | which move follows a half-move, in which position? |
//! | [`write_san`] | what is the move after a half-move, in SAN? |
//! | [`tally`](fn@tally) | who moved what, captured, promoted and castled? |
//! | [`keys`] | what are the keys of all positions? |
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
//! let wanted: Chess = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3".parse()?;
//! assert_eq!(replay::find(&bytes, &Target::new(&wanted.into()))?, Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bytes are assumed to encode legal moves: that was checked when they were written, and
//! [`decode_moves`](crate::codec::halfmove::decode_moves) checks it again. For other bytes, replay returns an
//! error or a wrong result, but never panics.

mod board;
mod bounds;
mod chess;
mod conditions;
mod key;
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
mod tally;
mod target;
mod watch;

pub use self::board::{
    BoardQuery, BoardQuestion, BoardQuestionError, Imbalance, Material, PawnFeature, PawnFile,
    Pawns, PawnsError, PieceCountsError,
};
pub use self::bounds::SignatureBounds;
pub use self::key::keys;
pub(crate) use self::listed::last_listed;
pub use self::pattern::{Pattern, PatternError};
pub use self::position::{final_position, move_after, position_at};
pub use self::query::{Candidate, Query};
pub use self::san::write_san;
pub use self::sequence::{MoveSequence, MoveSequenceError, played};
pub use self::signature::Signature;
pub use self::signatures::Signatures;
pub use self::tally::{MoveTally, tally};
pub use self::target::{Target, find, visits};
