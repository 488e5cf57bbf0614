//! The levels of [`cpu`](crate::cpu): proofs, and the functions in which code is compiled for them.

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::detect::{AVX2, AVX512, BMI2, FAST_PEXT, Features, LANE_COUNTS, PACK, SCALAR};
use super::{nibbles, pieces, products, squares};
use crate::attacks::Pieces;
use crate::cpu::{Cpu, Level, Nibbles, Step, Task, sealed::Sealed};
use crate::sliders::{Hyperbola, Pext, Sliders};
use crate::{Bitboard, Square};

const V3_FEATURES: Features = AVX2.and(BMI2).and(SCALAR);
const V4_FEATURES: Features = V3_FEATURES.and(AVX512).and(LANE_COUNTS).and(PACK);

/// [`Level::V3`] on a CPU whose PEXT is fast: any but AMD's before Zen 3. Sliders go through [`Pext`].
#[derive(Copy, Clone, Debug)]
pub struct V3(Pext);

/// [`Level::V3`] without PEXT. AMD before Zen 3 runs the instruction as microcode, so sliders go through
/// [`Hyperbola`].
#[derive(Copy, Clone, Debug)]
pub struct V3WithoutPext(Hyperbola);

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
        V3_FEATURES.are_there().then_some(Self(Hyperbola::ALWAYS))
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

/// [`crate::cpu::prefetch`]
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    // SAFETY: all CPUs of the architecture have the instruction, and it changes nothing that a program can see.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) }
}

/// Implements [`Cpu`] for a proof, whose field is the sliders to use: the code of a task is compiled with the
/// features of the level.
macro_rules! is_cpu {
    ($cpu:ident, $level:ident, few: $few:literal, $features:literal, $attacks:path, $mobility:path, $nibbles:path,
        $products:path
        $(, squares: $squares:path)?) => {
        impl Sealed for $cpu {}

        impl Cpu for $cpu {
            const LEVEL: Level = Level::$level;
            const FEW: u32 = $few;

            #[inline(always)]
            fn enter<T: Task>(self, task: T) -> T::Output {
                #[target_feature(enable = $features)]
                fn run<T: Task>(cpu: $cpu, task: T) -> T::Output {
                    task.run(cpu)
                }
                // SAFETY: a value of this type is proof of the features.
                unsafe { run(self, task) }
            }

            #[inline(always)]
            fn call<C: Cpu, S: Step>(
                self,
                cpu: C,
                a: S::A,
                b: S::B,
                c: S::C,
                d: S::D,
                e: S::E,
            ) -> S::Output {
                #[target_feature(enable = $features)]
                fn step<C: Cpu, S: Step>(
                    cpu: C,
                    a: S::A,
                    b: S::B,
                    c: S::C,
                    d: S::D,
                    e: S::E,
                ) -> S::Output {
                    S::step(cpu, a, b, c, d, e)
                }
                // SAFETY: a value of this type is proof of the features.
                unsafe { step::<C, S>(cpu, a, b, c, d, e) }
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
                // SAFETY: a value of this type is proof of the features.
                unsafe { $attacks(pieces, pieces.among(occupied)) }
            }

            #[inline(always)]
            fn mobility(self, pieces: Pieces, occupied: Bitboard, targets: Bitboard) -> u32 {
                // SAFETY: a value of this type is proof of the features.
                unsafe { $mobility(pieces, pieces.among(occupied), targets) }
            }

            #[inline(always)]
            fn nibbles<const N: usize>(
                self,
                bytes: &[u8; 64],
                sets: &Nibbles,
                masks: [u8; N],
            ) -> Option<([u64; N], u64)> {
                // SAFETY: a value of this type is proof of the features.
                Some(unsafe { $nibbles(bytes, sets, masks) })
            }

            #[inline(always)]
            fn products<const N: usize, const R: usize>(
                self,
                one: &[u8; N],
                rows: [&[i8; N]; R],
            ) -> i32 {
                // SAFETY: a value of this type is proof of the features.
                unsafe { $products(one, rows) }
            }
            $(
                #[inline(always)]
                fn multiples(self, squares: Bitboard, factor: u16, offset: u16) -> [u16; 32] {
                    // SAFETY: a value of this type is proof of the features.
                    unsafe { $squares(squares, factor, offset) }
                }
            )?
        }
    };
}

is_cpu!(
    V3,
    V3,
    few: 8,
    "avx2,bmi1,bmi2,lzcnt,popcnt",
    pieces::attacks_avx2,
    pieces::mobility_avx2,
    nibbles::nibbles_avx2,
    products::products_avx2
);
is_cpu!(
    V3WithoutPext,
    V3,
    few: 8,
    "avx2,bmi1,bmi2,lzcnt,popcnt",
    pieces::attacks_avx2,
    pieces::mobility_avx2,
    nibbles::nibbles_avx2,
    products::products_avx2
);
is_cpu!(
    V4,
    V4,
    few: 5,
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512vl,avx512vpopcntdq,avx512vbmi2",
    pieces::attacks_avx512,
    pieces::mobility_avx512,
    nibbles::nibbles_avx512,
    products::products_avx512,
    squares: squares::multiples
);
