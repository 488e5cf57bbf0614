//! What only an x86-64 can do: PEXT, and many lines or many squares in one wide register.
//!
//! All unsafe code of the crate is here. There are three kinds: calls of functions that need CPU features,
//! each justified by a value that proves them; loads and stores of wide registers; and the unchecked
//! look-up in a table of PEXT, which owns its slots and entries. Reading XCR0 is the one exception.
//!
//! Features are detected at run time, so `-C target-cpu` is not needed. With it, or inside
//! [`cpu::run`](crate::cpu::run), the functions can be inlined into their callers. For the techniques that
//! take one square at a time, that decides whether they win or lose.

#![allow(unsafe_code)]

pub(crate) mod batch_avx2;
pub(crate) mod batch_avx512;
mod compass;
pub(crate) mod detect;
#[cfg(feature = "techniques")]
mod dual_hyperbola;
#[cfg(feature = "techniques")]
mod fill;
#[cfg(feature = "techniques")]
mod gfni_hyperbola;
pub(crate) mod levels;
mod nibbles;
mod pext;
#[cfg(feature = "techniques")]
mod pext_pdep;
mod pieces;
#[cfg(feature = "techniques")]
mod rays_zmm;
mod squares;

#[cfg(feature = "techniques")]
pub use dual_hyperbola::DualHyperbola;
#[cfg(feature = "techniques")]
pub use fill::{FillAvx2, FillAvx512};
#[cfg(feature = "techniques")]
pub use gfni_hyperbola::GfniHyperbola;
pub use pext::Pext;
#[cfg(feature = "techniques")]
pub use pext_pdep::PextPdep;
#[cfg(feature = "techniques")]
pub use rays_zmm::RaysZmm;
