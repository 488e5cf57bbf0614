//! The interface of tuners and trainers to the evaluation: the features and weights of a position, and the inputs of a
//! net.
//!
//! The hand-crafted evaluation is a sum of weights, each multiplied by a count, mixed by the game phase, and scaled in
//! endings. [`Features`] has these numbers for a position, and [`weights`] the weights. [`net`] has the layout of a
//! [`Net`](crate::Net), its inputs, and the endings that scale its output.
//!
//! The crate `halfmove-lab` uses it to fit weights and train nets.

pub mod net;

use crate::eval::tally::Trace;
use crate::eval::{self, TEMPO, Tapered};
use crate::{KeyedMakruk, SearchBoard};
use halfmove_rules::{AnyPosition, Variant};

/// The features of a position for the hand-crafted evaluation, independent of the weights.
///
/// ```
/// use halfmove_engine::learning::{Features, weights};
/// use halfmove_engine::{FULL_PHASE, FULL_SCALE, Tapered};
/// use halfmove_rules::{AnyPosition, Variant};
///
/// let start = AnyPosition::start(Variant::Chess);
/// let features = Features::of(&start);
/// assert_eq!((features.phase, features.scale), (FULL_PHASE, FULL_SCALE));
/// let (table, _) = weights(Variant::Chess);
/// let sum = |sum, (weight, times): &(usize, i32)| sum + table[*weight] * *times;
/// assert_eq!(features.counts.iter().fold(features.constant, sum), Tapered::ZERO);
/// ```
#[derive(Clone, Debug)]
pub struct Features {
    /// Pairs of the index of a weight and its count: for White minus for Black. A weight may occur more than once.
    pub counts: Vec<(usize, i32)>,
    /// White's lead from constants, in centipawns.
    pub constant: Tapered,
    /// The game phase, from [`FULL_PHASE`](crate::FULL_PHASE) with all pieces to 0.
    pub phase: i32,
    /// The scale factor of the lead, from 0 to [`FULL_SCALE`](crate::FULL_SCALE).
    pub scale: i32,
}

impl Features {
    /// The features of a position of any game.
    pub fn of(position: &AnyPosition) -> Self {
        let (trace, phase, scale) = match position {
            AnyPosition::Chess(chess) => {
                let tally = eval::chess::evaluate(chess, Trace::default());
                (tally.note, tally.phase, tally.scale)
            }
            AnyPosition::Makruk(makruk) => {
                let board = KeyedMakruk::new(makruk.clone());
                let tally = eval::makruk::evaluate(&board, Trace::default());
                (tally.note, tally.phase, tally.scale)
            }
        };
        Self { counts: trace.features, constant: trace.constant, phase, scale }
    }
}

/// A group of consecutive weights in the table of a game: its name, its number of rows, and its number of columns.
pub type Group = (&'static str, usize, usize);

/// The weights of a game, in centipawns, and their groups in the same order.
pub fn weights(variant: Variant) -> (&'static [Tapered], &'static [Group]) {
    match variant.makruk_rules() {
        Some(_) => (&eval::makruk::weights::WEIGHTS, eval::makruk::GROUPS),
        None => (&eval::chess::weights::WEIGHTS, eval::chess::GROUPS),
    }
}

/// The hand-crafted evaluation of a position for the side to move, in centipawns, without the tempo bonus.
pub fn hand_crafted(position: &AnyPosition) -> i32 {
    fn of<B: SearchBoard>(position: &B) -> i32 {
        eval::value(position) + TEMPO
    }
    match position {
        AnyPosition::Chess(chess) => of(chess),
        AnyPosition::Makruk(makruk) => of(&KeyedMakruk::new(makruk.clone())),
    }
}
