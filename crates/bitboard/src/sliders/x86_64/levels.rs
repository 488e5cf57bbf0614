//! The levels of [`cpu`](crate::cpu): proofs, and the functions in which code is compiled for them.

use super::detect::{AVX2, AVX512, BMI2, FAST_PEXT, Features, LANE_COUNTS, SCALAR};
use super::pieces;
use crate::attacks::Pieces;
use crate::cpu::{Cpu, Level, Step, Task, sealed::Sealed};
use crate::sliders::{Hyperbola, Pext, Sliders};
use crate::{Bitboard, Square};

const V3_FEATURES: Features = AVX2.and(BMI2).and(SCALAR);
const V4_FEATURES: Features = V3_FEATURES.and(AVX512).and(LANE_COUNTS);

/// [`Level::V3`] on a CPU whose PEXT is fast: any but AMD's before Zen 3. Sliders go through [`Pext`].
#[derive(Copy, Clone, Debug)]
pub struct V3(Pext);

/// [`Level::V3`] without PEXT. AMD before Zen 3 runs the instruction as microcode, so sliders go through
/// [`Hyperbola`].
#[derive(Copy, Clone, Debug)]
pub struct V3WithoutPext(());

/// [`Level::V4`]. Sliders go through [`Pext`].
#[derive(Copy, Clone, Debug)]
pub struct V4(Pext);

impl V3 {
    /// The proof, or `None` if the CPU lacks a feature or its PEXT is slow.
    #[inline]
    #[must_use]
    pub fn new() -> Option<Self> {
        if V3_FEATURES.and(FAST_PEXT).are_there() { Pext::new().map(Self) } else { None }
    }
}

impl V3WithoutPext {
    /// The proof, or `None` if the CPU lacks a feature.
    #[inline]
    #[must_use]
    pub fn new() -> Option<Self> {
        V3_FEATURES.are_there().then_some(Self(()))
    }
}

impl V4 {
    /// The proof, or `None` if the CPU lacks a feature.
    #[inline]
    #[must_use]
    pub fn new() -> Option<Self> {
        if V4_FEATURES.and(FAST_PEXT).are_there() { Pext::new().map(Self) } else { None }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn enter_v3<C: Cpu, T: Task>(cpu: C, task: T) -> T::Output {
    task.run(cpu)
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512vl,avx512vpopcntdq"
)]
fn enter_v4<T: Task>(cpu: V4, task: T) -> T::Output {
    task.run(cpu)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn call_v3<S: Step<A, B, D, E, G>, C: Cpu, A, B, D, E, G>(
    cpu: C,
    a: A,
    b: B,
    d: D,
    e: E,
    g: G,
) -> S::Output {
    S::step(cpu, a, b, d, e, g)
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512vl,avx512vpopcntdq"
)]
fn call_v4<S: Step<A, B, D, E, G>, C: Cpu, A, B, D, E, G>(
    cpu: C,
    a: A,
    b: B,
    d: D,
    e: E,
    g: G,
) -> S::Output {
    S::step(cpu, a, b, d, e, g)
}

impl Sealed for V3 {}
impl Sealed for V3WithoutPext {}
impl Sealed for V4 {}

impl Cpu for V3 {
    const LEVEL: Level = Level::V3;
    const FEW: u32 = 8;

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { enter_v3(self, task) }
    }

    #[inline(always)]
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        _: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { call_v3::<S, Self, A, B, D, E, G>(self, a, b, d, e, g) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }

    #[inline(always)]
    fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::attacks_avx2(pieces, pieces.among(occupied)) }
    }

    #[inline(always)]
    fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::mobility_avx2(pieces, pieces.among(occupied), targets) }
    }
}

impl Cpu for V3WithoutPext {
    const LEVEL: Level = Level::V3;
    const FEW: u32 = 8;

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { enter_v3(self, task) }
    }

    #[inline(always)]
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        _: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { call_v3::<S, Self, A, B, D, E, G>(self, a, b, d, e, g) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Hyperbola::ALWAYS.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Hyperbola::ALWAYS.rook(square, occupied)
    }

    #[inline(always)]
    fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::attacks_avx2(pieces, pieces.among(occupied)) }
    }

    #[inline(always)]
    fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::mobility_avx2(pieces, pieces.among(occupied), targets) }
    }
}

impl Cpu for V4 {
    const LEVEL: Level = Level::V4;
    const FEW: u32 = 5;

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { enter_v4(self, task) }
    }

    #[inline(always)]
    fn call<S: Step<A, B, D, E, G>, A, B, D, E, G>(
        self,
        _: S,
        a: A,
        b: B,
        d: D,
        e: E,
        g: G,
    ) -> S::Output {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { call_v4::<S, Self, A, B, D, E, G>(self, a, b, d, e, g) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }

    #[inline(always)]
    fn attacks(self, pieces: Pieces, occupied: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::attacks_avx512(pieces, pieces.among(occupied)) }
    }

    #[inline(always)]
    fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
        // SAFETY: a value of this type is proof of what the function needs.
        unsafe { pieces::mobility_avx512(pieces, pieces.among(occupied), targets) }
    }
}
