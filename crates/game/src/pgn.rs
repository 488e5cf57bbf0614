//! PGN, the text format that every chess program reads and writes.
//!
//! There are three layers. [`Reader`] is a tokenizer: it knows tags, comments and variations but no
//! chess, and reports what it finds to a [`Visitor`]. [`GameReader`] is such a visitor: it plays
//! the moves and returns [`Game`](crate::Game)s, or [`AnyGame`](crate::AnyGame)s if other games
//! than chess may occur. [`Writer`] writes them in the standard's export format.
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
//!     "game 1, line 3, column 13, ply 3: illegal move \"Ke3\": \
//!      no king can go there, expected Ke2"
//! );
//! assert_eq!(game.moves.len(), 2);
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

mod class;
mod counts;
mod error;
mod game_reader;
mod makruk;
mod nag;
mod reader;
mod scan;
mod segments;
mod source;
pub(crate) mod tag_lines;
mod text;
mod visitor;
mod word;
mod writer;

pub use counts::{Counts, Outside};
pub use error::{PgnError, PgnErrorKind, Skip, SkipReason};
pub use game_reader::{GameReader, Reading};
pub use nag::Nag;
pub use reader::Reader;
pub use segments::{Block, SegmentStart, Segments};
pub use source::{LineColumn, Place};
pub use tag_lines::TagLines;
pub use text::Text;
pub use visitor::{CommentStyle, Flow, Problem, Visitor};
pub use word::Word;
pub use writer::Writer;
