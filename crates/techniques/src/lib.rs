//! Every way to compute the attacks of sliding pieces: Gerd Isenberg's lecture *Efficient Generation of Sliding Piece
//! Attacks* (Dresden, 2008) as working code, in its order, and the techniques published since.
//!
//! A rook, a bishop or a queen attacks along its lines up to and including the first piece:
//!
//! ```
//! use halfmove_bitboard::{Square, bitboard};
//! use halfmove_techniques::{Sliders, lookup::Kindergarten};
//!
//! let occupied = bitboard! {
//!     . . . . . . . .
//!     . . . 1 . . 1 .
//!     . . . . . . . .
//!     . . . . . 1 . .
//!     . 1 . . . . . .
//!     . . . . . . . .
//!     . . 1 . . . 1 .
//!     . . . . . . . .
//! };
//! let technique = Kindergarten::new().expect("every CPU can run it");
//! assert_eq!(technique.queen(Square::D4, occupied), bitboard! {
//!     . . . . . . . .
//!     1 . . 1 . . 1 .
//!     . 1 . 1 . 1 . .
//!     . . 1 1 1 . . .
//!     . 1 1 . 1 1 1 1
//!     . . 1 1 1 . . .
//!     . 1 . 1 . 1 . .
//!     1 . . 1 . . 1 .
//! });
//! ```
//!
//! # The lecture
//!
//! | section of the source | here |
//! |---|---|
//! | *Bitboard basics*: squares, sets, shifts, pawns | [`Square`](halfmove_bitboard::Square), [`Bitboard`](halfmove_bitboard::Bitboard), [`Direction`](halfmove_bitboard::Direction), [`setwise`](halfmove_bitboard::attacks::setwise) |
//! | – *Bit-twiddling*, *Bitscan*, *Kindergarten multiplication* | [`bits`] |
//! | *On the otherwise empty board*: rays, lines, pieces | [`lines::ray`](halfmove_bitboard::lines::ray), [`empty_board`](halfmove_bitboard::attacks::empty_board); [`RayWalk`] |
//! | *Sliding attacks by calculation* | [`calculation`], [`Hyperbola`] |
//! | – *Flood fill techniques with multiple sliders* | [`fill`] |
//! | *Lookup techniques*: first rank, rotated, kindergarten, congruent modulo | [`lookup`] |
//! | – *Magic bitboards* | [`lookup::magics`] |
//! | *Summary*: "should be revisited with x86-64 and SIMD instructions in mind" | `x86_64`, [`batch`] |
//!
//! Each technique is a type that implements [`Sliders`], in a separate file, with a *card*: the idea, the formula, the
//! costs, when it wins, when it loses, and the section of the source. [`visit_all`] shows all of them, one after the
//! other. Chess programs do not need this crate: they use the functions of `halfmove-bitboard`, which are bound to
//! hyperbola quintessence and PEXT.
//!
//! # The techniques
//! Tests compare each with the slow, obvious [`RayWalk`] on every square and every subset of its relevant squares, and
//! check the numbers of bytes in these tables. `docs/reference/sliders.md` has their speeds.
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`RayWalk`] | 0 | walk until something stands in the way; the oracle |
//! | [`ClassicalRays`] | 4,096 | cut each ray behind its first piece, found by a bit scan |
//! | [`BobMike`] | 4,096 | the same, with a sentinel instead of a branch |
//! | [`Subtraction`] | 2,048 | `o ^ (o - 2s)` up the board, then on the board turned around |
//! | [`Hyperbola`] | 2,048 | subtract, mirror by byte swap, subtract; the front door of most builds |
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
//! | [`IndirectMagics`] | 268,992 | the same, with sixteen-bit numbers of attack sets in the slots |
//! | [`BlackMagics`] | 923,016 | interleaved combs, constant shift, one table |
//! | [`SharedMagics`] | 690,600 | interleaved squares, variable shift: the smallest table with one multiplication and one load |
//! | [`PextEmulated`] | 863,232 | gather the relevant bits in a loop, one table without gaps |
//!
//! # x86-64
//! These exist only on x86-64. [`Sliders::new`] returns `None` if the CPU lacks the instructions.
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`Pext`] | 863,232 | one instruction gathers the relevant bits, one load; the front door where the build has BMI2 |
//! | [`PextPdep`] | 218,368 | sixteen-bit entries, spread out by PDEP |
//! | [`DualHyperbola`] | 2,560 | three lines of the hyperbola in lanes of AVX2, ranks by table |
//! | [`GfniHyperbola`] | 2,560 | all four lines in lanes, mirrored by GFNI |
//! | [`RaysZmm`] | 4,096 | eight rays in one register of AVX-512 |
//!
//! # See it work
//!
//! ```text
//! cargo run -p halfmove-techniques --example gallery -- "FEN" d4
//! ```
//!
//! draws step by step how techniques find the attacks, from the numbers that they actually compute.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(rustdoc::broken_intra_doc_links, reason = "the overview names what x86-64 has")
)]

pub mod batch;
pub mod bits;
pub mod calculation;
pub mod fill;
pub mod lookup;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

pub use halfmove_bitboard::sliders::{Hyperbola, RayWalk, Sliders, Technique, relevant};

use calculation::{
    BobMike, ClassicalRays, HyperbolaReversed, Leorik, ObstructionDifference, Qbb, Sbamg,
    SlideArithmetic, Subtraction,
};
use fill::{Dumb7Fill, KoggeStone};
#[cfg(target_arch = "x86_64")]
use halfmove_bitboard::sliders::Pext;
use lookup::magics::{BlackMagics, FancyMagics, IndirectMagics, PlainMagics, SharedMagics};
use lookup::{
    CongruentModulo, CongruentModuloInner, FirstRank64, FirstRank256, FoldingHash, Kindergarten,
    KindergartenSuperSissy, PextEmulated, Rotated, Sissy,
};
#[cfg(target_arch = "x86_64")]
use x86_64::{DualHyperbola, GfniHyperbola, PextPdep, RaysZmm};

/// An operation to apply to every technique.
///
/// ```
/// use halfmove_techniques::{Sliders, Visitor, visit_all};
///
/// struct Smallest(usize);
/// impl Visitor for Smallest {
///     fn visit<S: Sliders>(&mut self) {
///         self.0 = self.0.min(S::TECHNIQUE.table_bytes);
///     }
/// }
/// let mut smallest = Smallest(usize::MAX);
/// visit_all(&mut smallest);
/// assert_eq!(smallest.0, 0, "some techniques have no table");
/// ```
pub trait Visitor {
    /// Visits a technique. Those that this CPU cannot run are visited as well.
    fn visit<S: Sliders>(&mut self);
}

/// Shows a visitor all techniques, in the order of the tables of this [crate](self).
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit::<RayWalk>();
    visitor.visit::<ClassicalRays>();
    visitor.visit::<BobMike>();
    visitor.visit::<Subtraction>();
    visitor.visit::<Hyperbola>();
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
    visitor.visit::<IndirectMagics>();
    visitor.visit::<BlackMagics>();
    visitor.visit::<SharedMagics>();
    visitor.visit::<PextEmulated>();
    #[cfg(target_arch = "x86_64")]
    {
        visitor.visit::<Pext>();
        visitor.visit::<PextPdep>();
        visitor.visit::<DualHyperbola>();
        visitor.visit::<GfniHyperbola>();
        visitor.visit::<RaysZmm>();
    }
}
