//! What only an x86-64 can do: PEXT, and many lines or many squares in one wide register.
//!
//! All unsafe code of the crate is here. It is of three kinds: calls of functions that need CPU
//! features, justified by a value that is proof of them; loads and stores of wide registers; and the
//! unchecked look-up in a table of PEXT, which owns its slots and entries.
//! Features are detected at run time and need no `-C target-cpu`; with it, the functions are inlined
//! into their callers, and that is where the one-square techniques win or lose.

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
mod pext;
#[cfg(feature = "techniques")]
mod pext_pdep;
mod pieces;
#[cfg(feature = "techniques")]
mod rays_zmm;

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
