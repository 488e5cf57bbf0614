//! Every technique for any CPU beside the oracle and the front door's, one file each, and the tables
//! that several of them share.

use super::{Sliders, Technique, hyperbola, relevant};
// What the cards compare with.
#[expect(unused_imports, reason = "the cards link to them")]
use super::{Hyperbola, RayWalk};

#[cfg(feature = "techniques")]
mod black_magics;
#[cfg(feature = "techniques")]
mod bob_mike;
#[cfg(feature = "techniques")]
mod classical_rays;
#[cfg(feature = "techniques")]
mod congruent_modulo;
#[cfg(feature = "techniques")]
mod congruent_modulo_inner;
#[cfg(feature = "techniques")]
mod dumb7fill;
#[cfg(feature = "techniques")]
mod fancy_magics;
#[cfg(feature = "techniques")]
mod first_rank_256;
#[cfg(feature = "techniques")]
mod first_rank_64;
#[cfg(feature = "techniques")]
mod folding_hash;
#[cfg(feature = "techniques")]
mod hyperbola_reversed;
#[cfg(feature = "techniques")]
mod kindergarten;
#[cfg(feature = "techniques")]
mod kindergarten_super_sissy;
#[cfg(feature = "techniques")]
mod kogge_stone;
#[cfg(feature = "techniques")]
mod leorik;
#[cfg(feature = "techniques")]
mod line_masks;
#[cfg(feature = "techniques")]
mod line_tables;
#[cfg_attr(not(feature = "techniques"), allow(dead_code, reason = "a technique alone wants less"))]
mod magics;
#[cfg(feature = "techniques")]
mod obstruction_difference;
#[cfg(feature = "techniques")]
mod pext_emulated;
#[cfg(any(feature = "techniques", all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(crate) mod pext_table;
#[cfg(feature = "techniques")]
mod plain_magics;
#[cfg(feature = "techniques")]
mod qbb;
#[cfg(feature = "techniques")]
mod rotated;
#[cfg(feature = "techniques")]
mod sbamg;
mod shared_magics;
#[cfg(feature = "techniques")]
mod sissy;
#[cfg(feature = "techniques")]
mod slide_arithmetic;
#[cfg(feature = "techniques")]
mod subtraction;

#[cfg(feature = "techniques")]
pub use black_magics::BlackMagics;
#[cfg(feature = "techniques")]
pub use bob_mike::BobMike;
#[cfg(feature = "techniques")]
pub use classical_rays::ClassicalRays;
#[cfg(feature = "techniques")]
pub use congruent_modulo::CongruentModulo;
#[cfg(feature = "techniques")]
pub use congruent_modulo_inner::CongruentModuloInner;
#[cfg(feature = "techniques")]
pub use dumb7fill::Dumb7Fill;
#[cfg(feature = "techniques")]
pub use fancy_magics::FancyMagics;
#[cfg(feature = "techniques")]
pub use first_rank_64::FirstRank64;
#[cfg(feature = "techniques")]
pub use first_rank_256::FirstRank256;
#[cfg(feature = "techniques")]
pub use folding_hash::FoldingHash;
#[cfg(feature = "techniques")]
pub use hyperbola_reversed::HyperbolaReversed;
#[cfg(feature = "techniques")]
pub use kindergarten::Kindergarten;
#[cfg(feature = "techniques")]
pub use kindergarten_super_sissy::KindergartenSuperSissy;
#[cfg(feature = "techniques")]
pub use kogge_stone::KoggeStone;
#[cfg(feature = "techniques")]
pub use leorik::Leorik;
#[cfg(feature = "techniques")]
pub use obstruction_difference::ObstructionDifference;
#[cfg(feature = "techniques")]
pub use pext_emulated::PextEmulated;
#[cfg(feature = "techniques")]
pub use plain_magics::PlainMagics;
#[cfg(feature = "techniques")]
pub use qbb::Qbb;
#[cfg(feature = "techniques")]
pub use rotated::{Rotated, RotatedOccupied};
#[cfg(feature = "techniques")]
pub use sbamg::Sbamg;
pub use shared_magics::SharedMagics;
#[cfg(feature = "techniques")]
pub use sissy::Sissy;
#[cfg(feature = "techniques")]
pub use slide_arithmetic::SlideArithmetic;
#[cfg(feature = "techniques")]
pub use subtraction::Subtraction;
