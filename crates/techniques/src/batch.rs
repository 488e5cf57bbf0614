//! The attacks of many sliders at once.
//!
//! For one slider, a wide register holds its lines side by side and has to combine them in the end. For
//! many, each on a separate board, every lane is a board, and no table competes for the cache. The
//! functions here choose the widest [`Kernel`] that the CPU can run. They do so at run time, so no build
//! needs `-C target-cpu`, and once per slice, so the cost of a call that is not inlined is negligible.
//! Pass at least four sliders at a time.
//!
//! ```
//! use halfmove_bitboard::{Bitboard, Square, attacks};
//! use halfmove_techniques::batch;
//!
//! let squares = [Square::A1, Square::D4, Square::H8];
//! let occupied = [Bitboard::EMPTY, Square::D6.into(), Bitboard::FULL];
//! let mut found = [Bitboard::EMPTY; 3];
//! batch::queen(&squares, &occupied, &mut found)?;
//! assert_eq!(found[1], attacks::queen(Square::D4, Square::D6.into()));
//! # Ok::<(), batch::LengthError>(())
//! ```

use halfmove_bitboard::{Bitboard, Square, attacks};
use std::fmt;

#[cfg(target_arch = "x86_64")]
use crate::x86_64::{batch_avx2, batch_avx512};

/// The squares that rooks attack: `attacks[i]` for a rook on `squares[i]` among `occupied[i]`.
///
/// # Errors
/// If the slices differ in length; then `attacks` is unchanged.
pub fn rook(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
) -> Result<(), LengthError> {
    Kernel::best().rook(squares, occupied, attacks)
}

/// The squares that bishops attack: `attacks[i]` for a bishop on `squares[i]` among `occupied[i]`.
///
/// # Errors
/// If the slices differ in length; then `attacks` is unchanged.
pub fn bishop(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
) -> Result<(), LengthError> {
    Kernel::best().bishop(squares, occupied, attacks)
}

/// The squares that queens attack: `attacks[i]` for a queen on `squares[i]` among `occupied[i]`.
///
/// # Errors
/// If the slices differ in length; then `attacks` is unchanged.
pub fn queen(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
) -> Result<(), LengthError> {
    Kernel::best().queen(squares, occupied, attacks)
}

/// A way to compute many attacks. A value is proof that this CPU can run it.
///
/// Most programs call [`rook`], [`bishop`] and [`queen`]. To measure or test, pick a kernel by name.
///
/// ```
/// use halfmove_techniques::batch::Kernel;
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

/// Slices of different lengths.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LengthError {
    /// The number of squares.
    pub squares: usize,
    /// The number of sets of occupied squares.
    pub occupied: usize,
    /// The number of slots for attacks.
    pub attacks: usize,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { squares, occupied, attacks } = self;
        write!(
            f,
            "expected slices of one length: {squares} squares, {occupied} sets of occupied squares, \
             {attacks} places for attacks"
        )
    }
}

impl std::error::Error for LengthError {}

/// The lines that a slider moves along.
pub(crate) struct Lines;

impl Lines {
    pub(crate) const ROOK: u8 = 1;
    pub(crate) const BISHOP: u8 = 2;
    pub(crate) const QUEEN: u8 = 3;
}

impl Kernel {
    /// The names of all kernels on all architectures, the widest last. A kernel leaves the sliders that do
    /// not fill one of its blocks to the kernel before it.
    pub const NAMES: [&str; 3] = ["portable", "AVX2", "AVX-512"];

    /// The kernel with this name; `None` if no kernel has it or this CPU cannot run it.
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

    /// The name, one of [`NAMES`](Self::NAMES).
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

    /// Does what the function [`rook`] of this module does.
    ///
    /// # Errors
    /// If the slices differ in length; then `attacks` is unchanged.
    pub fn rook(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) -> Result<(), LengthError> {
        self.run::<{ Lines::ROOK }>(squares, occupied, attacks)
    }

    /// Does what the function [`bishop`] of this module does.
    ///
    /// # Errors
    /// If the slices differ in length; then `attacks` is unchanged.
    pub fn bishop(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) -> Result<(), LengthError> {
        self.run::<{ Lines::BISHOP }>(squares, occupied, attacks)
    }

    /// Does what the function [`queen`] of this module does.
    ///
    /// # Errors
    /// If the slices differ in length; then `attacks` is unchanged.
    pub fn queen(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) -> Result<(), LengthError> {
        self.run::<{ Lines::QUEEN }>(squares, occupied, attacks)
    }

    #[inline]
    fn run<const LINES: u8>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        attacks: &mut [Bitboard],
    ) -> Result<(), LengthError> {
        if squares.len() != occupied.len() || squares.len() != attacks.len() {
            return Err(LengthError {
                squares: squares.len(),
                occupied: occupied.len(),
                attacks: attacks.len(),
            });
        }
        match self.0 {
            Instructions::Portable => portable::<LINES>(squares, occupied, attacks),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(proof) => proof.run::<LINES>(squares, occupied, attacks),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(proof) => proof.run::<LINES>(squares, occupied, attacks),
        }
        Ok(())
    }
}

/// One slider after the other, with [`halfmove_bitboard::attacks`].
#[inline]
pub(crate) fn portable<const LINES: u8>(
    squares: &[Square],
    occupied: &[Bitboard],
    attacks: &mut [Bitboard],
) {
    for ((square, occupied), attacks) in squares.iter().zip(occupied).zip(attacks) {
        *attacks = match LINES {
            Lines::ROOK => attacks::rook(*square, *occupied),
            Lines::BISHOP => attacks::bishop(*square, *occupied),
            _ => attacks::queen(*square, *occupied),
        };
    }
}
