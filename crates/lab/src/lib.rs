//! A laboratory for chess engines: is this one stronger than that one, and how is one made stronger?
//!
//! - [`training`] plays games of the engine against itself, fits the weights of its evaluation to them, and trains nets.
//! - [`dense`] fits the model of the codec that makes games smallest.
//! - [`spsa`] tunes the parameters of a search by matches between two settings at a time.
//! - [`Tally`] counts the results of a match by pairs of games; [`Estimate`] is the difference in Elo that they suggest, and
//!   [`Sprt`] ends a match once it is decided.
//!
//! ```
//! use halfmove_lab::{Decision, Sprt, Tally};
//!
//! let mut tally = Tally::default();
//! for _ in 0..60 {
//!     // Each pair: a win and a draw.
//!     tally.add_game(2);
//!     tally.add_game(1);
//!     tally.add_pair(3);
//! }
//! assert_eq!(tally.score(), Some(0.75));
//! let sprt: Sprt = "elo0=0,elo1=50".parse()?;
//! assert_eq!(sprt.decision(tally.pairs), Some(Decision::Passed));
//! # Ok::<(), halfmove_lab::SprtError>(())
//! ```
//!
//! The program `halfmove-lab` adds what needs processes and clocks: the arena, with a referee for engines that speak UCI or
//! XBoard's protocol. `docs/guide/arena.md` is its guide.

/// The page of the guide, whose example is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/lab.md")]
struct Guide;

pub mod dense;
mod sprt;
pub mod spsa;
mod statistics;
pub mod training;

pub use sprt::{Decision, Sprt, SprtError};
pub use statistics::{Estimate, Interval, Tally};
