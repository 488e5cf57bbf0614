//! The contract of every technique for bishops, rooks and queens, and the techniques of the front door.
//!
//! A slider attacks along its lines up to and including the first piece:
//!
//! ```text
//! . . . 1 . . . 1
//! 1 . . 1 . . 1 .
//! . 1 . 1 . 1 . .
//! . . 1 1 1 . . .
//! . x 1 Q 1 1 x .      x: a piece in the way of the queen, which attacks it too
//! . . 1 1 1 . . .
//! . x . 1 . 1 . .
//! . . . 1 . . 1 .
//! ```
//!
//! There are dozens of ways to compute such a set. Each is a type that implements [`Sliders`] and has a card
//! ([`Technique`]). Tests compare each with the slow, obvious [`RayWalk`] on every square and every subset of its
//! [`relevant`] squares. Three are in this crate:
//!
//! | technique | table bytes | idea |
//! |---|---:|---|
//! | [`RayWalk`] | 0 | walk until a piece is in the way; the oracle |
//! | [`Hyperbola`] | 2,048 | subtract, mirror by byte swap, subtract; the front door of most builds |
//! | `Pext` | 863,232 | one instruction gathers the relevant bits, one load; only on x86-64, the front door where the build has BMI2 |
//!
//! All others are in the crate `halfmove-techniques`.
//!
//! ```
//! use halfmove_bitboard::sliders::{Hyperbola, RayWalk, Sliders};
//! use halfmove_bitboard::{Bitboard, Square};
//!
//! fn mobility<S: Sliders>(technique: S, occupied: Bitboard) -> u32 {
//!     Square::ALL.into_iter().map(|square| technique.queen(square, occupied).len()).sum()
//! }
//!
//! let (oracle, hyperbola) = (RayWalk::new().unwrap(), Hyperbola::new().unwrap());
//! assert_eq!(mobility(oracle, Bitboard::EMPTY), 1_456);
//! assert_eq!(mobility(hyperbola, Bitboard::EMPTY), 1_456);
//! ```

mod hyperbola;
mod ray_walk;
pub mod relevant;

pub use hyperbola::Hyperbola;
pub use ray_walk::RayWalk;
pub(crate) use ray_walk::ray;

#[cfg(target_arch = "x86_64")]
pub use crate::x86_64::Pext;
use crate::{Bitboard, Square};

/// One way to compute sliding attacks. A value is proof that this CPU can run it.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// The card.
    const TECHNIQUE: Technique;

    /// The technique, or `None` if the CPU lacks an instruction that it needs.
    fn new() -> Option<Self>;

    /// The squares a rook attacks, including the first piece in each direction, of either color.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a bishop attacks, including the first piece in each direction, of either color.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks.
    #[inline]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

/// The card of a technique: its name, its origin, its costs and its needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Technique {
    /// The name in the literature.
    pub name: &'static str,
    /// The author, and the year of publication.
    pub author: &'static str,
    /// The publication that describes it.
    pub source: &'static str,
    /// The size of its tables in bytes.
    pub table_bytes: usize,
    /// The instructions that it needs beyond plain arithmetic; empty if there are none.
    pub instructions: &'static str,
}
