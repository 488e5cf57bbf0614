//! The evaluation as a tuner and a trainer need it: a position as features and weights, or as the inputs of a net.
//!
//! The hand-crafted evaluation is a sum of weights, each counted a number of times, mixed by the phase of the game and scaled by
//! what can be won of it. [`Features`] are those numbers of a position, [`weights`] the weights. [`net`] has the layout of a
//! [`Net`](crate::Net), its inputs, and the endings that scale what it says.
//!
//! The crate `halfmove-lab` fits weights and trains nets with it.

pub mod net;

use crate::eval::tally::Trace;
use crate::eval::{self, TEMPO, Tapered};
use crate::{KeyedMakruk, SearchBoard};
use halfmove_rules::{AnyPosition, Variant};

/// The hand-crafted evaluation of a position, before the weights are known.
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
    /// The numbers of weights, and how often each counts for White, less how often for Black. A weight may come up more than
    /// once.
    pub counts: Vec<(usize, i32)>,
    /// White's lead in what is no weight, in centipawns.
    pub constant: Tapered,
    /// The share of the middlegame, of [`FULL_PHASE`](crate::FULL_PHASE).
    pub phase: i32,
    /// The share of the lead that counts, of [`FULL_SCALE`](crate::FULL_SCALE).
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

/// A group of weights that follow each other in the table of a game: its name, the number of its rows, and that of its columns.
pub type Group = (&'static str, usize, usize);

/// The weights of a game, in centipawns, and their groups in the same order.
pub fn weights(variant: Variant) -> (&'static [Tapered], &'static [Group]) {
    match variant.makruk_rules() {
        Some(_) => (&eval::makruk::weights::WEIGHTS, eval::makruk::GROUPS),
        None => (&eval::chess::weights::WEIGHTS, eval::chess::GROUPS),
    }
}

/// The hand-crafted evaluation of a position for the side to move, in centipawns, without the bonus for having the move.
pub fn hand_crafted(position: &AnyPosition) -> i32 {
    fn of<B: SearchBoard>(position: &B) -> i32 {
        eval::value(position) + TEMPO
    }
    match position {
        AnyPosition::Chess(chess) => of(chess),
        AnyPosition::Makruk(makruk) => of(&KeyedMakruk::new(makruk.clone())),
    }
}
