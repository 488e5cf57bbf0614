//! Code for the CPU it runs on, chosen once, where a hot loop begins.
//!
//! A program built for any x86-64 may use no instruction newer than 2003: counting the bits of a word takes a dozen
//! steps, where newer CPUs need one instruction. Detecting the CPU at every use would cost more than it gains. So
//! [`run`] detects it once, at the top of a hot loop, and the whole loop is compiled once for each [`Level`]:
//!
//! ```text
//! run(task) ──▶ which CPU? ──▶ task.run(Baseline)        any CPU of the architecture
//!                          ├─▶ task.run(V3)              x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT
//!                          ├─▶ task.run(V3WithoutPext)   the same, where PEXT is slow
//!                          └─▶ task.run(V4)              x86-64-v4: AVX-512, with VPOPCNTDQ and VBMI2
//! ```
//!
//! The loop is a [`Task`]. It receives a [`Cpu`]: a value that proves the level and computes attacks in the fastest way
//! at that level. Only what is inlined into the task is compiled for the level: a closure or a small function usually
//! is. A function that cannot be inlined, such as a recursive one, is called through [`Cpu::enter`].
//!
//! The results are the same at every level.
//!
//! ```
//! use halfmove_bitboard::cpu::{self, Cpu, Task};
//! use halfmove_bitboard::{Bitboard, Square};
//!
//! /// The number of squares that a rook attacks on the empty board, summed over all squares.
//! struct RookMobility;
//!
//! impl Task for RookMobility {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<C: Cpu>(self, cpu: C) -> u32 {
//!         Bitboard::FULL.into_iter().map(|square| cpu.rook(square, Bitboard::EMPTY).len()).sum()
//!     }
//! }
//!
//! assert_eq!(cpu::run(RookMobility), 64 * 14);
//! ```
//!
//! # Source
//! Compiling one generic loop for several instruction sets by a function that enables them and inlines the
//! rest: Sarah Quiñones, the crate `pulp` (2022).

use crate::attacks::{self, Pieces};
use crate::{Bitboard, Square};
use core::fmt;

#[cfg(target_arch = "x86_64")]
pub use crate::x86_64::levels::{V3, V3WithoutPext, V4};

/// A set of instructions that a CPU may have. Each level includes those below it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// The CPU that the build was compiled for: any CPU of the architecture, unless `-C target-cpu` or
    /// `-C target-feature` is set.
    Baseline,
    /// x86-64-v3: AVX2, BMI1, BMI2, LZCNT and POPCNT. Most Intel CPUs since Haswell (2013), AMD since Excavator (2015).
    V3,
    /// x86-64-v4, VPOPCNTDQ and VBMI2: AVX-512 that counts the bits of each lane and packs bytes. Intel's
    /// servers since Ice Lake (2019), AMD since Zen 4 (2022).
    V4,
}

impl Level {
    /// All levels, the lowest first.
    pub const ALL: &[Self] = &[Self::Baseline, Self::V3, Self::V4];

    /// The highest level of this CPU.
    ///
    /// ```
    /// use halfmove_bitboard::cpu::Level;
    /// assert!(Level::best().is_available());
    /// ```
    #[must_use]
    pub fn best() -> Self {
        let available = Self::ALL.iter().rev().find(|level| level.is_available());
        available.copied().unwrap_or(Self::Baseline)
    }

    /// Returns true if this CPU and its operating system support the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::V3 => V3WithoutPext::new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::V4 => V4::new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Baseline => "baseline",
            Self::V3 => "x86-64-v3",
            Self::V4 => "x86-64-v4",
        })
    }
}

/// A hot loop, compiled once for each level. See the [module](self) for an example.
pub trait Task {
    /// The result.
    type Output;

    /// Runs the loop. Mark it `#[inline(always)]`: only inlined code is compiled for the level.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A [`Task`] for a recursive function that is entered millions of times per second. Its five arguments are
/// passed in registers; the fields of a task would go through memory.
///
/// For the crates of this project; it may change at any time.
#[doc(hidden)]
#[allow(missing_docs)]
pub trait Step {
    type A;
    type B;
    type C;
    type D;
    type E;
    type Output;

    /// Computes it. Mark it `#[inline(always)]`.
    fn step<C: Cpu>(
        cpu: C,
        a: Self::A,
        b: Self::B,
        c: Self::C,
        d: Self::D,
        e: Self::E,
    ) -> Self::Output;
}

/// Proof that this CPU has a level, and the fastest attacks there.
///
/// Only this crate implements it.
pub trait Cpu: Copy + fmt::Debug + Send + Sync + sealed::Sealed + 'static {
    /// The level.
    const LEVEL: Level;

    /// Up to this number of knights and sliders on the board, [`OneByOne`] is faster than the CPU's own
    /// [`attacks`](Self::attacks) and [`mobility`](Self::mobility).
    const FEW: u32;

    /// Runs a task in a separate function, compiled for this level.
    ///
    /// ```
    /// use halfmove_bitboard::cpu::{self, Cpu, Task};
    /// use halfmove_bitboard::{Bitboard, Square};
    ///
    /// /// The squares that a rook reaches in some number of moves on the empty board.
    /// struct Reached {
    ///     from: Bitboard,
    ///     moves: u32,
    /// }
    ///
    /// impl Task for Reached {
    ///     type Output = Bitboard;
    ///
    ///     #[inline(always)]
    ///     fn run<C: Cpu>(self, cpu: C) -> Bitboard {
    ///         let Self { mut from, moves } = self;
    ///         if moves == 0 {
    ///             return from;
    ///         }
    ///         for square in from {
    ///             from |= cpu.rook(square, Bitboard::EMPTY);
    ///         }
    ///         // A function that calls itself is not inlined, so it enters the level again.
    ///         cpu.enter(Reached { from, moves: moves - 1 })
    ///     }
    /// }
    ///
    /// assert_eq!(cpu::run(Reached { from: Square::A1.into(), moves: 2 }), Bitboard::FULL);
    /// ```
    fn enter<T: Task>(self, task: T) -> T::Output;

    /// [`Cpu::enter`] for a [`Step`], which receives `cpu`: this one, or [`OneByOne`] of it.
    #[doc(hidden)]
    fn call<C: Cpu, S: Step>(
        self,
        cpu: C,
        a: S::A,
        b: S::B,
        c: S::C,
        d: S::D,
        e: S::E,
    ) -> S::Output;

    /// Computes [`attacks::bishop`].
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Computes [`attacks::rook`].
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Computes [`attacks::queen`].
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// `offset` plus `factor` times the number of each square, for the first 32 squares of a set in order. The rest of
    /// the array is unspecified. All arithmetic is modulo 2^16.
    ///
    /// For the crates of this project; it may change at any time.
    #[doc(hidden)]
    #[inline(always)]
    fn multiples(self, squares: Bitboard, factor: u16, offset: u16) -> [u16; 32] {
        let mut multiples = [0; 32];
        for (multiple, square) in multiples.iter_mut().zip(squares) {
            *multiple = factor.wrapping_mul(square as u16).wrapping_add(offset);
        }
        multiples
    }

    /// For each mask, the bytes among 64 that belong to a set in it, as a word: the first byte is bit 0. After these,
    /// the bytes of 128 or more, which belong to no set. `None` if the CPU has no fast way.
    ///
    /// For the crates of this project; it may change at any time.
    #[doc(hidden)]
    #[inline(always)]
    fn nibbles<const N: usize>(
        self,
        bytes: &[u8; 64],
        sets: &Nibbles,
        masks: [u8; N],
    ) -> Option<([u64; N], u64)> {
        let _ = (bytes, sets, masks);
        None
    }

    /// The sum of the scalar products of a row of numbers up to 127 with other rows.
    ///
    /// For the crates of this project; it may change at any time.
    #[doc(hidden)]
    #[inline(always)]
    fn products<const N: usize, const R: usize>(self, one: &[u8; N], rows: [&[i8; N]; R]) -> i32 {
        let pairs = rows.into_iter().flat_map(|row| one.iter().zip(row));
        pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    }

    /// Computes [`Pieces::attacks`].
    #[inline(always)]
    fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        pieces.attacks_one_by_one(self, occupied)
    }

    /// Computes [`Pieces::mobility`].
    #[inline(always)]
    fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        pieces.mobility_one_by_one(self, occupied, targets)
    }
}

/// Prefetches a value that will be needed soon, without waiting for it. Does nothing on other architectures.
///
/// For the crates of this project; it may change at any time.
#[doc(hidden)]
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    crate::x86_64::levels::prefetch(value);
    let _ = value;
}

/// Eight sets of bytes below 128: a byte belongs to set *n* if bit *n* is set both in `low`, at the byte's lower four
/// bits, and in `high`, at its upper four.
///
/// For the crates of this project; it may change at any time.
#[doc(hidden)]
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub struct Nibbles {
    pub low: [u8; 16],
    pub high: [u8; 16],
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// [`Level::Baseline`]. Attacks go through [`attacks`], with the technique chosen at build time.
#[derive(Copy, Clone, Debug, Default)]
pub struct Baseline;

impl sealed::Sealed for Baseline {}

impl Cpu for Baseline {
    const LEVEL: Level = Level::Baseline;
    const FEW: u32 = 0;

    #[inline]
    fn enter<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline]
    fn call<C: Cpu, S: Step>(
        self,
        cpu: C,
        a: S::A,
        b: S::B,
        c: S::C,
        d: S::D,
        e: S::E,
    ) -> S::Output {
        S::step(cpu, a, b, c, d, e)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::rook(square, occupied)
    }
}

/// A CPU whose [`Cpu::attacks`] and [`Cpu::mobility`] take pieces one by one instead of all at once. That is
/// faster when there are few, as in endings:
///
/// ```
/// use halfmove_bitboard::attacks::Pieces;
/// use halfmove_bitboard::cpu::{self, Cpu, OneByOne, Task};
/// use halfmove_bitboard::{Bitboard, Square};
///
/// /// The number of moves of the pieces on an empty board.
/// struct Mobility(Pieces);
///
/// impl Task for Mobility {
///     type Output = u32;
///
///     #[inline(always)]
///     fn run<C: Cpu>(self, cpu: C) -> u32 {
///         let Pieces { orthogonal, diagonal, knights } = self.0;
///         if (orthogonal | diagonal | knights).len() <= C::FEW {
///             return OneByOne(cpu).mobility(self.0, Bitboard::EMPTY, Bitboard::FULL);
///         }
///         cpu.mobility(self.0, Bitboard::EMPTY, Bitboard::FULL)
///     }
/// }
///
/// let rook = Bitboard::square(Square::A1);
/// let pieces = Pieces { orthogonal: rook, diagonal: Bitboard::EMPTY, knights: Bitboard::EMPTY };
/// assert_eq!(cpu::run(Mobility(pieces)), 14);
/// ```
#[derive(Copy, Clone, Debug)]
pub struct OneByOne<C>(
    /// The CPU.
    pub C,
);

/// A task that runs on [`OneByOne`] of the CPU it is given.
struct Taken<T>(T);

impl<T: Task> Task for Taken<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> T::Output {
        self.0.run(OneByOne(cpu))
    }
}

impl<C: Cpu> sealed::Sealed for OneByOne<C> {}

impl<C: Cpu> Cpu for OneByOne<C> {
    const LEVEL: Level = C::LEVEL;
    const FEW: u32 = 0;

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        self.0.enter(Taken(task))
    }

    #[inline(always)]
    fn call<O: Cpu, S: Step>(
        self,
        cpu: O,
        a: S::A,
        b: S::B,
        c: S::C,
        d: S::D,
        e: S::E,
    ) -> S::Output {
        self.0.call::<O, S>(cpu, a, b, c, d, e)
    }

    #[inline(always)]
    fn multiples(self, squares: Bitboard, factor: u16, offset: u16) -> [u16; 32] {
        self.0.multiples(squares, factor, offset)
    }

    #[inline(always)]
    fn nibbles<const N: usize>(
        self,
        bytes: &[u8; 64],
        sets: &Nibbles,
        masks: [u8; N],
    ) -> Option<([u64; N], u64)> {
        self.0.nibbles(bytes, sets, masks)
    }

    #[inline(always)]
    fn products<const N: usize, const R: usize>(self, one: &[u8; N], rows: [&[i8; N]; R]) -> i32 {
        self.0.products(one, rows)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }
}

/// Runs a task at the highest level of this CPU.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    run_up_to(Level::V4, task)
}

/// Runs a task at the highest level of this CPU that is not above `most`.
///
/// Use it to measure a lesser CPU, or for tasks that gain nothing from a higher level.
///
/// ```
/// use halfmove_bitboard::cpu::{self, Cpu, Level, Task};
///
/// struct Name;
/// impl Task for Name {
///     type Output = Level;
///     fn run<C: Cpu>(self, _: C) -> Level {
///         C::LEVEL
///     }
/// }
/// assert_eq!(cpu::run_up_to(Level::Baseline, Name), Level::Baseline);
/// assert_eq!(cpu::run_up_to(Level::V4, Name), Level::best());
/// ```
#[inline]
pub fn run_up_to<T: Task>(most: Level, task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if most >= Level::V4
            && let Some(cpu) = V4::new()
        {
            return cpu.enter(task);
        }
        if most >= Level::V3 {
            if let Some(cpu) = V3::new() {
                return cpu.enter(task);
            }
            if let Some(cpu) = V3WithoutPext::new() {
                return cpu.enter(task);
            }
        }
    }
    let _ = most;
    Baseline.enter(task)
}
