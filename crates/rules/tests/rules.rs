//! The rules, compared with published counts and with the results of independent programs.

mod any;
mod captures;
mod castling;
mod checks;
mod corpus;
mod counting;
mod dependencies;
mod endings;
mod epd;
mod errors;
mod exchange;
mod fen;
mod flaws;
mod inputs;
mod legality;
mod lenient;
mod makruk;
mod moves;
mod packed;
mod polyglot;
mod properties;
mod random;
#[cfg(feature = "serde")]
mod serde;
mod suites;
