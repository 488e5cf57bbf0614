//! The sum of an evaluation, and listeners for its features.
//!
//! An evaluation reports the features of a position to a [`Tally`]: a weight, a side, and a number of times. The tally
//! adds up White's lead and passes each feature to a [`Note`]. There are three: `()` for the search, which then costs
//! only the additions; the sum of each [`Term`], for a table; and the list of all features, for the tuner. So the
//! table, the tuner and the search always agree.

use super::{Ending, Evaluation, FULL_PHASE, FULL_SCALE, Tapered, Term};
use halfmove_rules::Color;

/// A listener for the features of a position.
pub(crate) trait Note {
    /// Reports that weight `index` counts `times` for one side, which adds `score`.
    fn weight(&mut self, term: Term, color: Color, index: usize, times: i32, score: Tapered);

    /// Reports a constant that adds `score`.
    fn constant(&mut self, term: Term, color: Color, score: Tapered);
}

impl Note for () {
    #[inline(always)]
    fn weight(&mut self, _: Term, _: Color, _: usize, _: i32, _: Tapered) {}

    #[inline(always)]
    fn constant(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// The sums of the terms of White and Black.
pub(crate) type Terms = [[Tapered; 2]; Term::ALL.len()];

impl Note for Terms {
    fn weight(&mut self, term: Term, color: Color, _: usize, _: i32, score: Tapered) {
        self.constant(term, color, score);
    }

    fn constant(&mut self, term: Term, color: Color, score: Tapered) {
        self[term as usize][color.index()] += score;
    }
}

/// All features of a position: each weight with its count for White minus its count for Black.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// Pairs of weight and count; a weight may occur more than once.
    pub(crate) features: Vec<(usize, i32)>,
    /// White's lead from constants.
    pub(crate) constant: Tapered,
}

impl Note for Trace {
    fn weight(&mut self, _: Term, color: Color, index: usize, times: i32, _: Tapered) {
        self.features.push((index, times * sign(color)));
    }

    fn constant(&mut self, _: Term, color: Color, score: Tapered) {
        self.constant += score * sign(color);
    }
}

#[inline(always)]
const fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// White's lead so far.
pub(crate) struct Tally<N> {
    weights: &'static [Tapered],
    lead: Tapered,
    /// The part of the middlegame that is left, of [`FULL_PHASE`].
    pub(crate) phase: i32,
    /// The part of the lead that counts, of [`FULL_SCALE`].
    pub(crate) scale: i32,
    pub(crate) note: N,
}

impl<N: Note> Tally<N> {
    #[inline(always)]
    pub(crate) fn new(weights: &'static [Tapered], note: N) -> Self {
        Self { weights, lead: Tapered::ZERO, phase: 0, scale: FULL_SCALE, note }
    }

    /// Weight `index` counts `times` for one side.
    #[inline(always)]
    pub(crate) fn add(&mut self, term: Term, color: Color, index: usize, times: i32) {
        let score = self.weights[index] * times;
        self.lead += score * sign(color);
        self.note.weight(term, color, index, times, score);
    }

    /// Adds a constant.
    #[inline(always)]
    pub(crate) fn add_constant(&mut self, term: Term, color: Color, score: Tapered) {
        self.lead += score * sign(color);
        self.note.constant(term, color, score);
    }

    /// Applies the adjustment of an ending.
    #[inline(always)]
    pub(crate) fn end(&mut self, ending: Ending) {
        if ending.chase != Tapered::ZERO {
            let stronger = if self.total() > 0 { Color::White } else { Color::Black };
            self.add_constant(Term::Chase, stronger, ending.chase);
        }
        self.scale = ending.scale;
    }

    /// The value for White.
    #[inline(always)]
    pub(crate) fn total(&self) -> i32 {
        mixed(self.lead, self.phase, self.scale)
    }

    /// The value for one side.
    #[inline(always)]
    pub(crate) fn total_for(&self, color: Color) -> i32 {
        self.total() * sign(color)
    }
}

/// The mix of middlegame and endgame values, scaled.
#[inline(always)]
pub(crate) fn mixed(lead: Tapered, phase: i32, scale: i32) -> i32 {
    let mixed = lead.middle() * phase + lead.end() * (FULL_PHASE - phase);
    mixed / FULL_PHASE * scale / FULL_SCALE
}

impl From<Tally<Terms>> for Evaluation {
    fn from(tally: Tally<Terms>) -> Self {
        Self { terms: tally.note, phase: tally.phase, scale: tally.scale }
    }
}

/// Names groups of weights and numbers them consecutively.
///
/// Each group is a constant with the index of its first weight. `GROUPS` lists them with their lengths and, for the
/// source that the tuner writes, the number per row; `COUNT` is the number of all weights.
macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $rows:literal x $columns:literal,)*) => {
        groups!(@number 0; $($(#[$doc])* $name: $rows x $columns,)*);

        /// Name, rows and columns of each group.
        pub(crate) const GROUPS: &[(&str, usize, usize)] = &[$((stringify!($name), $rows, $columns),)*];
    };
    (@number $first:expr; $(#[$doc:meta])* $name:ident: $rows:literal x $columns:literal, $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: usize = $first;
        groups!(@number $first + $rows * $columns; $($rest)*);
    };
    (@number $first:expr;) => {
        /// The number of weights.
        pub(crate) const COUNT: usize = $first;
    };
}
pub(super) use groups;
