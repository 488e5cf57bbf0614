//! The attacks of many sliders at once.
//!
//! One slider at a time, a wide register holds its lines side by side and has to unite them in the
//! end. With many (square, occupied) pairs in hand each lane is a board of its own, and eight of them
//! need no table that a cache could lose. The functions here choose the widest [`Kernel`] that the CPU has, at run
//! time, without `-C target-cpu`: it is one call for a whole slice, so that nothing is lost where the
//! call cannot be inlined. It pays from some four sliders on.
//!
//! ```
//! use halfmove_bitboard::{Bitboard, Square, attacks, batch};
//!
//! let squares = [Square::A1, Square::D4, Square::H8];
//! let occupied = [Bitboard::EMPTY, Square::D6.into(), Bitboard::FULL];
//! let mut found = [Bitboard::EMPTY; 3];
//! batch::queen(&squares, &occupied, &mut found);
//! assert_eq!(found[1], attacks::queen(Square::D4, Square::D6.into()));
//! ```

use crate::{Bitboard, Square};

#[cfg(target_arch = "x86_64")]
use crate::sliders::x86_64::{batch_avx2, batch_avx512};

/// The squares that rooks attack: `attacks[i]` for a rook on `squares[i]` among `occupied[i]`.
///
/// # Panics
/// If the three slices are not of one length.
pub fn rook(squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
    Kernel::best().rook(squares, occupied, attacks);
}

/// The squares that bishops attack: `attacks[i]` for a bishop on `squares[i]` among `occupied[i]`.
///
/// # Panics
/// If the three slices are not of one length.
pub fn bishop(squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
    Kernel::best().bishop(squares, occupied, attacks);
}

/// The squares that queens attack: `attacks[i]` for a queen on `squares[i]` among `occupied[i]`.
///
/// # Panics
/// If the three slices are not of one length.
pub fn queen(squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
    Kernel::best().queen(squares, occupied, attacks);
}

/// A way to compute many attacks. A value is proof that this CPU can run it.
///
/// Whoever measures or tests picks a kernel by name; all others call [`rook`], [`bishop`] and
/// [`queen`].
///
/// ```
/// use halfmove_bitboard::batch::Kernel;
/// assert!(Kernel::new("portable").is_some(), "every CPU has it");
/// assert!(Kernel::new("abacus").is_none());
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Kernel(Instructions);

#[derive(Copy, Clone, Debug)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(batch_avx2::Proof),
    #[cfg(target_arch = "x86_64")]
    Avx512(batch_avx512::Proof),
}

/// Which lines a slider goes along.
pub(crate) struct Lines;

impl Lines {
    pub(crate) const ROOK: u8 = 1;
    pub(crate) const BISHOP: u8 = 2;
    pub(crate) const QUEEN: u8 = 3;
}

impl Kernel {
    /// The names of all kernels, those of other architectures included; the widest last. Each leaves
    /// what does not fill a block to the one before it.
    pub const NAMES: [&str; 3] = ["portable", "AVX2", "AVX-512"];

    /// The kernel of a name, `None` if this CPU cannot run it or there is none.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        match name {
            "portable" => Some(Self(Instructions::Portable)),
            #[cfg(target_arch = "x86_64")]
            "AVX2" => batch_avx2::Proof::new().map(|proof| Self(Instructions::Avx2(proof))),
            #[cfg(target_arch = "x86_64")]
            "AVX-512" => batch_avx512::Proof::new().map(|proof| Self(Instructions::Avx512(proof))),
            _ => None,
        }
    }

    /// The widest kernel that this CPU can run.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(proof) = batch_avx512::Proof::new() {
                return Self(Instructions::Avx512(proof));
            }
            if let Some(proof) = batch_avx2::Proof::new() {
                return Self(Instructions::Avx2(proof));
            }
        }
        Self(Instructions::Portable)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Instructions::Portable => Self::NAMES[0],
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => Self::NAMES[1],
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => Self::NAMES[2],
        }
    }

    /// As the function [`rook`] of this module.
    ///
    /// # Panics
    /// If the three slices are not of one length.
    pub fn rook(self, squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
        self.run::<{ Lines::ROOK }>(squares, occupied, attacks);
    }

    /// As the function [`bishop`] of this module.
    ///
    /// # Panics
    /// If the three slices are not of one length.
    pub fn bishop(self, squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
        self.run::<{ Lines::BISHOP }>(squares, occupied, attacks);
    }

    /// As the function [`queen`] of this module.
    ///
    /// # Panics
    /// If the three slices are not of one length.
    pub fn queen(self, squares: &[Square], occupied: &[Bitboard], attacks: &mut [Bitboard]) {
        self.run::<{ Lines::QUEEN }>(squares, occupied, attacks);
    }

    #[inline]
    fn run<const LINES: u8>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) {
        assert!(
            squares.len() == occupied.len() && squares.len() == attacks.len(),
            "as many squares as occupancies and places for attacks: {}, {}, {}",
            squares.len(),
            occupied.len(),
            attacks.len()
        );
        match self.0 {
            Instructions::Portable => portable::<LINES>(squares, occupied, attacks),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => proof.run::<LINES>(squares, occupied, attacks),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => proof.run::<LINES>(squares, occupied, attacks),
        }
    }
}

/// One after the other, through the front door for one.
#[inline]
pub(crate) fn portable<const LINES: u8>(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
) {
    for ((square, occupied), attacks) in squares.iter().zip(occupied).zip(attacks) {
        *attacks = match LINES {
            Lines::ROOK => crate::attacks::rook(*square, *occupied),
            Lines::BISHOP => crate::attacks::bishop(*square, *occupied),
            _ => crate::attacks::queen(*square, *occupied),
        };
    }
}
