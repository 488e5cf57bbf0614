//! The rules against published counts and against what an independent program says of positions.

mod any;
mod captures;
mod castling;
mod checks;
mod counting;
mod dependencies;
mod endings;
mod epd;
mod errors;
mod exchange;
mod fen;
mod flaws;
mod legality;
mod makruk;
mod moves;
mod packed;
mod polyglot;
mod properties;
mod random;
#[cfg(feature = "serde")]
mod serde;
mod suites;
