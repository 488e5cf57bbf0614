//! The rules against published counts and against what an independent program says of positions.

mod dependencies;
mod epd;
mod errors;
mod fen;
mod flaws;
mod moves;
mod packed;
mod properties;
mod random;
mod suites;
