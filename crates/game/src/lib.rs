//! Games as data: PGN in and out, a one-byte code for half-moves, replay without move generation.
//!
//! ```
//! use halfmove_game::Event;
//! use halfmove_game::pgn::{read_game, write_game};
//! use halfmove_game::rules::{Move, Square};
//!
//! let text = r#"[White "Anderssen, Adolf"]
//! [Black "Kieseritzky, Lionel"]
//!
//! 1. e4 {[%clk 0:10:00] The king's pawn.} e5 2. f4 exf4 (2... Bc5 {declines} 3. Nf3) 3. Bc4 1-0
//! "#;
//! let game = read_game(text)?;
//! assert_eq!(game.tags.value("White"), Some("Anderssen, Adolf"));
//!
//! let first = game.node(1).unwrap();
//! assert_eq!(first.mv(), Some(Move::normal(Square::E2, Square::E4)));
//! assert_eq!(first.comment().as_deref(), Some("The king's pawn."));
//! assert_eq!(first.clock().map(|clock| clock.seconds()), Some(600.0));
//!
//! let mut walk = game.walk();
//! while let Some((event, position)) = walk.step() {
//!     match event {
//!         Event::Move(mv) => print!("{} ", position.san(mv)),
//!         Event::BeginVariation => print!("(or "),
//!         Event::EndVariation => print!(") "),
//!         Event::Comment(comment) => print!("{{{}}} ", comment.text()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(read_game(write_game(&game)?)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Game`]: a game of chess, Chess960, Makruk or one of its variants, with all its comments and variations. [`Node`]
//!   accesses it as a tree, [`Walk`] visits it in the order of the text with all positions, [`NodeMut`] annotates it,
//!   and [`GameBuilder`] builds it.
//! - [`pgn`]: a streaming reader and a writer. [`Input`] opens files, compressed or not.
//! - [`codec`]: *which piece goes where*, in one byte per half-move.
//! - [`replay`]: searches those bytes without move generation.
//! - [`openings`]: names of openings, by position.
//! - [`tally`]: results of many games, and of the moves played in a position.
//! - [`rules`]: the crate `halfmove-rules`, with moves and positions.

pub mod codec;
pub mod movetext;
pub mod openings;
pub mod pgn;
pub mod replay;
pub mod tally;

mod annotations;
mod build;
mod clock;
mod count_call;
mod date;
mod evaluation;
mod event;
mod game;
mod input;
mod levels;
mod marks;
mod move_number;
mod node;
mod numbered;
mod result;
mod tags;
mod time_control;
mod variants;
mod walk;

pub use halfmove_rules as rules;

/// Compiles the examples of the guide as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct Guide;

pub use annotations::edit::NodeMut;
pub use annotations::{Annotations, Comment, Part, SpelledPart};
pub use build::{BuildError, GameBuilder};
pub use clock::{Clock, ClockError};
pub use count_call::CountCall;
pub use date::{Date, DateError, TimeOfDay, TimeOfDayError};
pub use evaluation::{Evaluation, EvaluationError, Score};
pub use event::{Event, Events};
pub use game::Game;
pub use input::{Input, InputError, InputErrorKind};
pub use marks::{Arrow, Arrows, ColoredSquare, ColoredSquares, MarkColor};
pub use move_number::{MoveNumber, MoveNumberError};
pub use node::{Line, Node, NodeId};
pub use result::{GameResult, ResultError};
pub use tags::{Tags, TagsIter};
pub use time_control::{Speed, SpeedError, TimeControl, TimeControlError};
pub use variants::variant_named;
pub use walk::Walk;
