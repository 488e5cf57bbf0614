//! The rules against published counts and against what an independent program says of positions.

mod dependencies;
mod errors;
mod fen;
mod flaws;
mod suites;
