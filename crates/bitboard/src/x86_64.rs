//! The code for x86-64 alone: PEXT, and many lines or many squares in one wide register.
//!
//! All unsafe code of the crate is here. There are three kinds: calls of functions that need CPU features,
//! each justified by a value that proves them; loads and stores of wide registers; and the unchecked
//! look-up in a table of PEXT, which owns its slots and entries. Reading XCR0 is the one exception.
//!
//! Features are detected at run time, so `-C target-cpu` is not needed. With it, or inside
//! [`cpu::run`](crate::cpu::run), the functions can be inlined into their callers.

#![allow(unsafe_code)]

mod compass;
mod detect;
pub(crate) mod levels;
mod nibbles;
mod pext;
mod pext_table;
mod pieces;
mod products;
mod squares;

pub use pext::Pext;
