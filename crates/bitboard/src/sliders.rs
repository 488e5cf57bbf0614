//! Techniques for the attacks of bishops, rooks and queens.
//!
//! A slider's attacks depend on what stands in its way, and people have found dozens of ways to compute
//! them. Each is a type here that implements [`Sliders`] and carries its card ([`Technique`]). Tests compare
//! each with the slow, obvious [`RayWalk`] on every square and every subset of the squares that matter.
//! [`attacks`](crate::attacks) uses one of them.
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`RayWalk`] | 0 | walk until something stands in the way; the oracle |
//! | [`Hyperbola`] | 2,048 | subtract, mirror by byte swap, subtract; the front door of most builds |
//! | [`ClassicalRays`] | 4,096 | cut each ray behind its first piece, found by a bit scan |
//! | [`BobMike`] | 4,096 | the same, with a sentinel instead of a branch |
//! | [`Subtraction`] | 2,048 | `o ^ (o - 2s)` up the board, then on the board turned around |
//! | [`HyperbolaReversed`] | 2,048 | both subtractions at once, mirrored by bit reversal: no rank table |
//! | [`ObstructionDifference`] | 4,096 | subtract the nearest piece below from the nearest above |
//! | [`Sbamg`] | 2,048 | `o ^ (o - 3c)`: borrow from the piece below through to the piece above |
//! | [`SlideArithmetic`] | 2,048 | bits up to the piece above without bits short of the piece below |
//! | [`Leorik`] | 0 | the same, on lines that are shifts of four constants |
//! | [`Qbb`] | 0 | patterns that hang from the piece above and stand on the piece below |
//! | [`Dumb7Fill`] | 0 | step seven times through empty squares |
//! | [`KoggeStone`] | 0 | the same in steps of one, two and four |
//! | [`FirstRank256`] | 3,072 | every line brought to the first rank; 256 occupancies, 8 files |
//! | [`FirstRank64`] | 1,536 | the same, indexed by the six inner squares |
//! | [`Rotated`] | 131,328 | four occupancies, each with one kind of line side by side |
//! | [`Kindergarten`] | 9,216 | multiply the masked line, look up a shared table, mask again |
//! | [`KindergartenSuperSissy`] | 132,096 | the same index, a finished attack set for each square |
//! | [`Sissy`] | 1,049,600 | intersect eight supersets, one for each rank's occupancy |
//! | [`CongruentModulo`] | 528,384 | the remainder of the masked line is the index |
//! | [`CongruentModuloInner`] | 116,224 | the same with the six inner squares and smaller moduli |
//! | [`FoldingHash`] | 46,400 | fold a line to 32 bits, a short factor, one table for all lines |
//! | [`PlainMagics`] | 2,362,368 | hash both lines by one multiplication; the same space for every square |
//! | [`FancyMagics`] | 864,256 | the same, with as much space as each square needs |
//! | [`BlackMagics`] | 923,016 | interleaved combs, constant shift, one table |
//! | [`SharedMagics`] | 690,600 | interleaved squares, variable shift: the smallest table |
//! | [`PextEmulated`] | 863,232 | gather the relevant bits in a loop, one table without gaps |
//!
//! # x86-64
//! These exist only on x86-64. [`Sliders::new`] asks the CPU whether it has the instructions.
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`Pext`] | 863,232 | one instruction gathers the relevant bits, one load; the front door where the build has BMI2 |
//! | [`PextPdep`] | 218,368 | sixteen-bit entries, spread out by PDEP |
//! | [`DualHyperbola`] | 2,560 | three lines of the hyperbola in lanes of AVX2, ranks by table |
//! | [`GfniHyperbola`] | 2,560 | all four lines in lanes, mirrored by GFNI |
//! | [`RaysZmm`] | 4,096 | eight rays in one register of AVX-512 |

#![cfg_attr(
    not(all(feature = "techniques", target_arch = "x86_64")),
    allow(rustdoc::broken_intra_doc_links, reason = "the overview names what another build has")
)]

#[cfg(feature = "techniques")]
mod catalog;
mod hyperbola;
#[cfg(any(feature = "techniques", target_arch = "x86_64"))]
pub(crate) mod pext_table;
mod ray_walk;
pub mod relevant;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

#[cfg(feature = "techniques")]
pub use catalog::{
    BlackMagics, BobMike, ClassicalRays, CongruentModulo, CongruentModuloInner, Dumb7Fill,
    FancyMagics, FirstRank64, FirstRank256, FoldingHash, HyperbolaReversed, Kindergarten,
    KindergartenSuperSissy, KoggeStone, Leorik, ObstructionDifference, PextEmulated, PlainMagics,
    Qbb, Rotated, RotatedOccupied, Sbamg, SharedMagics, Sissy, SlideArithmetic, Subtraction,
};
pub use hyperbola::Hyperbola;
pub use ray_walk::RayWalk;
pub(crate) use ray_walk::ray;
#[cfg(target_arch = "x86_64")]
pub use x86_64::Pext;
#[cfg(all(feature = "techniques", target_arch = "x86_64"))]
pub use x86_64::{DualHyperbola, FillAvx2, FillAvx512, GfniHyperbola, PextPdep, RaysZmm};

use crate::{Bitboard, Square};

/// One way to compute sliding attacks. A value is proof that this CPU can run it.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// The card.
    const TECHNIQUE: Technique;

    /// The technique, or `None` if the CPU lacks an instruction that it needs.
    fn new() -> Option<Self>;

    /// The squares a rook attacks, the first piece in each direction included, whoever owns it.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a bishop attacks, the first piece in each direction included, whoever owns it.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks.
    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

/// The card of a technique: what to know before reading its code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Technique {
    /// The name in the literature.
    pub name: &'static str,
    /// Who found it and when.
    pub author: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Bytes of the tables it reads.
    pub table_bytes: usize,
    /// The instructions that it needs beyond plain arithmetic; empty if there are none.
    pub instructions: &'static str,
}

/// Something to do with every technique, one after the other.
///
/// ```
/// use halfmove_bitboard::sliders::{self, Sliders, Visitor};
///
/// struct Smallest(usize);
/// impl Visitor for Smallest {
///     fn visit<S: Sliders>(&mut self) {
///         self.0 = self.0.min(S::TECHNIQUE.table_bytes);
///     }
/// }
/// let mut smallest = Smallest(usize::MAX);
/// sliders::visit_all(&mut smallest);
/// assert_eq!(smallest.0, 0, "some techniques have no table");
/// ```
pub trait Visitor {
    /// Called for every technique, including those that this CPU cannot run.
    fn visit<S: Sliders>(&mut self);
}

/// Shows a visitor all techniques of this build, in the order of the tables of the [module](self).
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit::<RayWalk>();
    visitor.visit::<Hyperbola>();
    #[cfg(feature = "techniques")]
    {
        visitor.visit::<ClassicalRays>();
        visitor.visit::<BobMike>();
        visitor.visit::<Subtraction>();
        visitor.visit::<HyperbolaReversed>();
        visitor.visit::<ObstructionDifference>();
        visitor.visit::<Sbamg>();
        visitor.visit::<SlideArithmetic>();
        visitor.visit::<Leorik>();
        visitor.visit::<Qbb>();
        visitor.visit::<Dumb7Fill>();
        visitor.visit::<KoggeStone>();
        visitor.visit::<FirstRank256>();
        visitor.visit::<FirstRank64>();
        visitor.visit::<Rotated>();
        visitor.visit::<Kindergarten>();
        visitor.visit::<KindergartenSuperSissy>();
        visitor.visit::<Sissy>();
        visitor.visit::<CongruentModulo>();
        visitor.visit::<CongruentModuloInner>();
        visitor.visit::<FoldingHash>();
        visitor.visit::<PlainMagics>();
        visitor.visit::<FancyMagics>();
        visitor.visit::<BlackMagics>();
        visitor.visit::<SharedMagics>();
        visitor.visit::<PextEmulated>();
    }
    #[cfg(target_arch = "x86_64")]
    visitor.visit::<Pext>();
    #[cfg(all(feature = "techniques", target_arch = "x86_64"))]
    {
        visitor.visit::<PextPdep>();
        visitor.visit::<DualHyperbola>();
        visitor.visit::<GfniHyperbola>();
        visitor.visit::<RaysZmm>();
    }
}
