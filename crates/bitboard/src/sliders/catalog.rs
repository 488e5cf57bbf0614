//! The techniques for any CPU, one file each, except the oracle and hyperbola quintessence; and the
//! tables that several of them share.

use super::{Sliders, Technique, hyperbola, relevant};
// What the cards compare against.
#[expect(unused_imports, reason = "the cards link to them")]
use super::{Hyperbola, RayWalk};

mod black_magics;
mod bob_mike;
mod classical_rays;
mod congruent_modulo;
mod congruent_modulo_inner;
mod dumb7fill;
mod fancy_magics;
mod first_rank_256;
mod first_rank_64;
mod folding_hash;
mod hyperbola_reversed;
mod kindergarten;
mod kindergarten_super_sissy;
mod kogge_stone;
mod leorik;
mod line_masks;
mod line_tables;
mod magics;
mod obstruction_difference;
mod pext_emulated;
mod plain_magics;
mod qbb;
mod rotated;
mod sbamg;
mod shared_magics;
mod sissy;
mod slide_arithmetic;
mod subtraction;

pub use black_magics::BlackMagics;
pub use bob_mike::BobMike;
pub use classical_rays::ClassicalRays;
pub use congruent_modulo::CongruentModulo;
pub use congruent_modulo_inner::CongruentModuloInner;
pub use dumb7fill::Dumb7Fill;
pub use fancy_magics::FancyMagics;
pub use first_rank_64::FirstRank64;
pub use first_rank_256::FirstRank256;
pub use folding_hash::FoldingHash;
pub use hyperbola_reversed::HyperbolaReversed;
pub use kindergarten::Kindergarten;
pub use kindergarten_super_sissy::KindergartenSuperSissy;
pub use kogge_stone::KoggeStone;
pub use leorik::Leorik;
pub use obstruction_difference::ObstructionDifference;
pub use pext_emulated::PextEmulated;
pub use plain_magics::PlainMagics;
pub use qbb::Qbb;
pub use rotated::{Rotated, RotatedOccupied};
pub use sbamg::Sbamg;
pub use shared_magics::SharedMagics;
pub use sissy::Sissy;
pub use slide_arithmetic::SlideArithmetic;
pub use subtraction::Subtraction;
