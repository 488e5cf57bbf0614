//! PGN, the text format that every chess program reads and writes.
//!
//! [`read_game`] reads one game from a text, [`write_game`] writes one:
//!
//! ```
//! use halfmove_game::pgn::{read_game, write_game};
//!
//! let game = read_game("1.e4 {[%clk 0:03:00] The king's pawn} e5 (1...c5!?) 2.Nf3 *")?;
//! let first = game.node(1).unwrap();
//! assert_eq!(first.comment().as_deref(), Some("The king's pawn"));
//! assert_eq!(first.clock().map(|clock| clock.seconds()), Some(180.0));
//! let text = "1. e4 {[%clk 0:03:00] The king's pawn} 1... e5 (1... c5!?) 2. Nf3 *\n\n";
//! assert_eq!(write_game(&game)?, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For files there are three layers. [`Reader`] is a tokenizer: it handles tags, comments and variations but not the
//! rules, and calls a [`Visitor`] with each token. [`GameReader`] is built on it: it plays the moves, reports faults
//! and returns [`Game`](crate::Game)s. [`Writer`] writes them.
//!
//! ```
//! use halfmove_game::Game;
//! use halfmove_game::pgn::{GameReader, Reading};
//!
//! let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 {book} d5 1/2-1/2\n";
//! let mut reader = GameReader::new(text.as_bytes());
//! let mut game = Game::default();
//!
//! let Some(Reading::Faulty(error)) = reader.read(&mut game)? else { panic!() };
//! assert_eq!(
//!     error.to_string(),
//!     "game 1, line 3, column 13, move 2: illegal move \"Ke3\": \
//!      no king can go there, expected Ke2"
//! );
//! assert_eq!(game.moves.len(), 2);
//! assert_eq!(game.main_line().words().collect::<Vec<_>>(), ["Ke3"]);
//!
//! assert_eq!(reader.read(&mut game)?, Some(Reading::Whole));
//! assert_eq!(game.tags.value("White"), Some("B"));
//! assert_eq!(reader.read(&mut game)?, None);
//! assert_eq!(reader.counts().comments, 1);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*
//! (1994).

mod check;
pub(crate) mod class;
mod counts;
mod error;
mod game_reader;
mod hint;
pub(crate) mod makruk;
pub(crate) mod nag;
mod reader;
mod scan;
mod segments;
mod source;
mod statistics;
pub(crate) mod tag_lines;
mod text;
mod visitor;
mod word;
mod writer;

pub use check::{Checker, Fault, FaultKind};
pub use counts::{Counts, Outside};
pub(crate) use error::legal_here;
pub use error::{PgnError, PgnErrorKind, Skip, SkipReason};
pub use game_reader::{
    GameReader, Keep, MAX_BYTES, ReadGameError, Reading, read_game, start_of_tags,
};
pub use hint::{Hint, PieceOn};
pub use makruk::{policy_name, policy_named};
pub use nag::{Nag, NagError};
pub use reader::Reader;
pub use segments::{Block, SegmentStart, Segments};
pub use source::{LineColumn, Place};
pub use statistics::{LineEnds, Longest, Statistics, Survey};
pub use tag_lines::TagLines;
pub use text::Text;
pub use visitor::{CommentStyle, Flow, Problem, Visitor};
pub use word::Word;
pub use writer::{Format, TagNameError, Writer, write_game};
