//! Techniques for the attacks of bishops, rooks and queens.
//!
//! A slider's attacks depend on what stands in its way, and the field has found dozens of ways to
//! compute them. Each way is a type that implements [`Sliders`] and carries its card
//! ([`Technique`]); all of them equal the slow, obvious [`RayWalk`] on every square and every
//! subset of the squares that matter. [`attacks`](crate::attacks) is bound to one of them.
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`RayWalk`] | 0 | walk until something stands in the way; the oracle |
//! | [`Hyperbola`] | 2,048 | subtract, mirror by byte swap, subtract; the front door |
//! | [`PlainMagics`] | 2,362,368 | hash both lines by one multiplication; equal room for every square |
//! | [`FancyMagics`] | 864,256 | the same with room by need |
//! | [`BlackMagics`] | 923,016 | combs woven into each other, constant shift, one table |
//! | [`SharedMagics`] | 690,600 | squares woven into each other, variable shift: the smallest table |

#[cfg(feature = "techniques")]
mod black_magics;
#[cfg(feature = "techniques")]
mod fancy_magics;
mod hyperbola;
#[cfg(feature = "techniques")]
mod magics;
#[cfg(feature = "techniques")]
mod plain_magics;
mod ray_walk;
pub mod relevant;
#[cfg(feature = "techniques")]
mod shared_magics;

#[cfg(feature = "techniques")]
pub use black_magics::BlackMagics;
#[cfg(feature = "techniques")]
pub use fancy_magics::FancyMagics;
pub use hyperbola::Hyperbola;
#[cfg(feature = "techniques")]
pub use plain_magics::PlainMagics;
pub use ray_walk::RayWalk;
pub(crate) use ray_walk::ray;
#[cfg(feature = "techniques")]
pub use shared_magics::SharedMagics;

use crate::{Bitboard, Square};

/// One way to compute sliding attacks. A value is proof that this CPU can run it.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// The card.
    const TECHNIQUE: Technique;

    /// The technique, or `None` where the CPU lacks an instruction that it needs.
    fn new() -> Option<Self>;

    /// The squares a rook attacks, the first man in each direction included, whoever owns it.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a bishop attacks, the first man in each direction included, whoever owns it.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks.
    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

/// What there is to know of a technique before reading its code.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Technique {
    /// The name in the literature.
    pub name: &'static str,
    /// Who found it, and when.
    pub author: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Bytes of the tables it reads.
    pub table_bytes: usize,
    /// The instructions beyond plain arithmetic that it needs; empty where there are none.
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
    /// Is called with every technique, also with those that this CPU cannot run.
    fn visit<S: Sliders>(&mut self);
}

/// Shows a visitor all techniques of this build, in the order of the table above.
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit::<RayWalk>();
    visitor.visit::<Hyperbola>();
    #[cfg(feature = "techniques")]
    {
        visitor.visit::<PlainMagics>();
        visitor.visit::<FancyMagics>();
        visitor.visit::<BlackMagics>();
        visitor.visit::<SharedMagics>();
    }
}
