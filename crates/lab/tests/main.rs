//! The program, driven through pipes; and its library, whose nets and weights are made from games.

mod arena;
mod dense;
mod engine;
mod games;
mod program;
mod spsa;
mod training;

/// The program.
const LAB: &str = env!("CARGO_BIN_EXE_halfmove-lab");
