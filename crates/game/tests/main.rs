//! The tests of the crate, in one binary.

mod collections;
mod damage;
mod events;
mod games;
mod input;
mod tokens;
mod writing;
