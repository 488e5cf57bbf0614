//! Sliding attacks by calculation: one slider, a few operations, a small table or none.
//!
//! The main idea: subtracting the slider twice from the pieces on its line flips the squares that it attacks above it.
//!
//! ```text
//! occupied          1 1 0 0 0 1 0 1      high squares on the left
//! slider            0 0 0 0 0 1 0 0
//! o - s             1 1 0 0 0 0 0 1      the slider is gone
//! o - 2s            1 0 1 1 1 1 0 1      the next piece lends a one
//! o ^ (o - 2s)      0 1 1 1 1 0 0 0      the flipped bits are attacked, the piece included
//! ```
//!
//! In the order of the ideas:
//!
//! - *Rays and a bit scan*, which is older: [`ClassicalRays`], [`BobMike`].
//! - *Subtraction*: [`Subtraction`] turns the board around for the other half. Hyperbola quintessence folds both halves
//!   into one expression, with a byte swap as the mirror ([`Hyperbola`](crate::Hyperbola), the front door of most
//!   builds) or with a bit reversal ([`HyperbolaReversed`]).
//! - *Subtraction without a mirror*, found after the lecture: the nearest piece below the slider is found by a bit scan,
//!   and one subtraction runs through both halves. [`ObstructionDifference`], [`Sbamg`], [`SlideArithmetic`],
//!   [`Leorik`], [`Qbb`].
//!
//! For many sliders at once, see [`fill`](crate::fill).
//!
//! # Source
//! Isenberg 2008, "Sliding Attacks by Calculation".

mod bob_mike;
mod classical_rays;
mod hyperbola_reversed;
mod leorik;
mod masks;
mod obstruction_difference;
mod qbb;
mod sbamg;
mod slide_arithmetic;
mod subtraction;

pub use bob_mike::BobMike;
pub use classical_rays::ClassicalRays;
pub use hyperbola_reversed::HyperbolaReversed;
pub use leorik::Leorik;
pub use obstruction_difference::ObstructionDifference;
pub use qbb::Qbb;
pub use sbamg::Sbamg;
pub use slide_arithmetic::SlideArithmetic;
pub use subtraction::Subtraction;
