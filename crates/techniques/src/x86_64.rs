//! The same ideas with instructions that only x86-64 has: many lines or many squares in one wide register, and bits
//! gathered by one instruction.
//!
//! The lecture ends with an outlook: fills "should be revisited with x86-64 and SIMD instructions in mind". This module
//! does that.
//!
//! ```text
//! SSE2      two sets of sliders, one direction      FillSse2
//! AVX2      four directions, shifted                FillAvx2, DualHyperbola, batch of 4
//! AVX-512   eight directions, rotated               FillAvx512, RaysZmm
//! GFNI      a true mirror, bits of a line as bytes  GfniHyperbola, batch of 32
//! BMI2      the index by one instruction            PextPdep, and Pext of halfmove-bitboard
//! ```
//!
//! All unsafe code of the crate is here. There are three kinds: calls of functions that need CPU features,
//! each justified by a value that proves them; loads and stores of wide registers; and the unchecked
//! look-up in a table of subsets, which owns its slots and entries.
//!
//! Features are detected at run time, so `-C target-cpu` is not needed. With it, or inside
//! [`cpu::run`](halfmove_bitboard::cpu::run), the functions can be inlined into their callers. For techniques that
//! process one square at a time, inlining decides whether they are faster than others.

#![allow(unsafe_code)]

pub(crate) mod batch_avx2;
pub(crate) mod batch_avx512;
mod compass;
mod dual_hyperbola;
mod fill;
mod fill_sse2;
mod gfni_hyperbola;
mod pext_pdep;
mod rays_zmm;

pub use dual_hyperbola::DualHyperbola;
pub use fill::{FillAvx2, FillAvx512};
pub use fill_sse2::FillSse2;
pub use gfni_hyperbola::GfniHyperbola;
pub use pext_pdep::PextPdep;
pub use rays_zmm::RaysZmm;

macro_rules! detected {
    ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
}

/// PEXT and PDEP.
fn has_bmi2() -> bool {
    detected!("bmi2")
}

/// Integers in registers of 256 bits.
fn has_avx2() -> bool {
    detected!("avx2")
}

/// Any linear map of the bits of a byte.
fn has_gfni() -> bool {
    detected!("gfni")
}

/// Registers of 512 bits. To the compiler, AVX-512 includes FMA and F16C, which a virtual machine may hide.
fn has_avx512() -> bool {
    detected!("avx512f" "avx512bw" "avx512vl" "avx512cd" "fma" "f16c")
}

/// Permutations of bytes, and bits gathered from anywhere in a lane of 512 bits.
fn has_bytes() -> bool {
    detected!("avx512vbmi" "avx512bitalg")
}
