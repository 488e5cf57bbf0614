//! The rules against published counts and against what an independent program says of positions.

mod errors;
mod suites;
