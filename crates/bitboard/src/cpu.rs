//! Code for the CPU at hand: asked for once, where a hot loop begins.
//!
//! A program built for any x86-64 may use no instruction that came after 2003: it counts bits in a dozen
//! steps, where every CPU of the last ten years has one instruction. Asking the CPU at each use would cost
//! more than it gains. So the question is asked at the top of a hot loop, and everything below it is compiled
//! once for each [`Level`]:
//!
//! ```text
//! run(task) ──▶ which level? ──▶ task.run(Baseline)   any CPU of the architecture
//!                            ├─▶ task.run(V3)         AVX2, BMI1, BMI2, LZCNT, POPCNT: x86-64-v3
//!                            └─▶ task.run(V4)         and AVX-512 with VPOPCNTDQ
//! ```
//!
//! A [`Task`] is the loop; it gets a [`Cpu`], which is proof of the level and computes attacks in the way that
//! is fastest there. What the task calls is compiled for the level if it is inlined. A function that is not,
//! above all one that calls itself, is called through [`Cpu::enter`], which starts the next stretch of code for
//! the same level.
//!
//! ```
//! use halfmove_bitboard::cpu::{self, Cpu, Task};
//! use halfmove_bitboard::{Bitboard, Square};
//!
//! /// How many squares a rook attacks on the empty board, summed over all squares.
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
pub use crate::sliders::x86_64::levels::{V3, V3WithoutPext, V4};

/// What a CPU can do, as far as it matters here.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// What the build allows: every CPU of the architecture, unless the compiler was told more.
    Baseline,
    /// x86-64-v3: AVX2, BMI1, BMI2, LZCNT and POPCNT. Intel since Haswell (2013), AMD since Excavator (2015).
    V3,
    /// x86-64-v4 and VPOPCNTDQ: registers of 512 bits whose lanes can be counted. Intel since Ice Lake
    /// (2019), AMD since Zen 4 (2022).
    V4,
}

impl Level {
    /// All levels, the lowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::V3, Self::V4];

    /// The highest level of this CPU.
    ///
    /// ```
    /// use halfmove_bitboard::cpu::Level;
    /// assert!(Level::best().is_available());
    /// ```
    #[must_use]
    pub fn best() -> Self {
        let available = Self::ALL.into_iter().rev().find(|level| level.is_available());
        available.unwrap_or(Self::Baseline)
    }

    /// Whether this CPU, and its operating system, have all that the level needs.
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

/// Code to be compiled for each level.
pub trait Task {
    /// What it computes.
    type Output;

    /// Computes it. Mark it `#[inline(always)]`: only what is inlined is compiled for the level.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A task of five arguments: a function that calls itself, and is entered so often that how its arguments travel
/// matters.
pub trait Step<A, B, D, E, G> {
    /// What it computes.
    type Output;

    /// Computes it. Mark it `#[inline(always)]`.
    fn step<C: Cpu>(cpu: C, a: A, b: B, d: D, e: E, g: G) -> Self::Output;
}

/// Proof that this CPU has a level, and the fastest attacks there.
///
/// The answers are the same at every level; only the instructions differ.
pub trait Cpu: Copy + fmt::Debug + Send + Sync + sealed::Sealed + 'static {
    /// The level.
    const LEVEL: Level;

    /// Up to how many knights and sliders on the board [`OneByOne`] is faster than this CPU itself.
    const FEW: u32;

    /// Runs a task in a function of its own, compiled for this level.
    fn enter<T: Task>(self, task: T) -> T::Output;

    /// As [`Cpu::enter`], for a task of five arguments, which go in registers.
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        _: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output;

    /// The squares a bishop attacks, as [`attacks::bishop`] has them.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a rook attacks, as [`attacks::rook`] has them.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks, as [`attacks::queen`] has them.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }

    /// The squares that at least one of these pieces attacks, as [`Pieces::attacks`] has them.
    #[inline(always)]
    fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        pieces.attacks_one_by_one(self, occupied)
    }

    /// How many moves these pieces have to `targets`, as [`Pieces::mobility`] has it.
    #[inline(always)]
    fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        pieces.mobility_one_by_one(self, occupied, targets)
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// [`Level::Baseline`]: attacks through the front doors of [`attacks`].
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
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        _: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output {
        S::step(self, a, b, d, e, g)
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

/// A CPU that takes pieces one by one, where [`Cpu::attacks`] and [`Cpu::mobility`] would take them all at once: what
/// pays where there are few, as in an ending.
#[derive(Copy, Clone, Debug)]
pub struct OneByOne<C>(
    /// The CPU.
    pub C,
);

/// A task or a step for one CPU as one for another.
struct Taken<T>(T);

impl<T: Task> Task for Taken<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> T::Output {
        self.0.run(OneByOne(cpu))
    }
}

impl<S: Step<A, B, D, E, G>, A, B, D, E, G> Step<A, B, D, E, G> for Taken<S> {
    type Output = S::Output;

    #[inline(always)]
    fn step<C: Cpu>(cpu: C, a: A, b: B, d: D, e: E, g: G) -> S::Output {
        S::step(OneByOne(cpu), a, b, d, e, g)
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
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        step: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output {
        self.0.call(Taken(step), a, b, d, e, g)
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

/// Runs a task on the highest level of this CPU.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    run_up_to(Level::V4, task)
}

/// Runs a task on the highest level of this CPU that is not above `most`: to measure what a lesser CPU would
/// do, or because a level is known not to pay.
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
