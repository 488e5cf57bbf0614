//! Sliding attacks by look-up: the pieces on relevant squares become an index, and the attacks are
//! in a table.
//!
//! The techniques differ in how they make a few scattered bits an index:
//!
//! ```text
//! . . . . . . . H        the pieces on a diagonal, A to H; only B to G matter,
//! . . . . . . G .        because nothing is behind the outer squares
//! . . . . . F . .
//! . . . . E . . .        rotated         keep a second board on which diagonals are rows; shift
//! . . . . . . . .        kindergarten    multiply by the b-file: the columns are added up; shift
//! . . C . . . . .        modulo          the remainder by 514 (by 85 for B to G alone)
//! . B . . . . . .        magic           multiply both diagonals at once by a found factor; shift
//! A . . . . . . .        PEXT            an instruction, or a loop
//! ```
//!
//! - *The first rank*, where the bits are an index already: [`FirstRank256`], [`FirstRank64`].
//! - *One line at a time*: [`Rotated`], [`Kindergarten`], [`CongruentModulo`]; after the lecture
//!   [`CongruentModuloInner`], [`KindergartenSuperSissy`], [`Sissy`], [`FoldingHash`].
//! - *Both lines of a piece at once*: [`magics`], and [`PextEmulated`].
//!
//! # Source
//! Isenberg 2008, "Lookup Techniques".

mod congruent_modulo;
mod congruent_modulo_inner;
mod first_rank_256;
pub(crate) mod first_rank_64;
mod folding_hash;
mod kindergarten;
mod kindergarten_super_sissy;
pub(crate) mod line_tables;
pub mod magics;
mod pext_emulated;
mod rotated;
mod sissy;
pub(crate) mod subsets;

pub use congruent_modulo::CongruentModulo;
pub use congruent_modulo_inner::CongruentModuloInner;
pub use first_rank_64::FirstRank64;
pub use first_rank_256::FirstRank256;
pub use folding_hash::FoldingHash;
pub use kindergarten::Kindergarten;
pub use kindergarten_super_sissy::KindergartenSuperSissy;
pub use pext_emulated::PextEmulated;
pub use rotated::{Rotated, RotatedOccupied};
pub use sissy::Sissy;
