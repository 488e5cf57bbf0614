//! SQL over archives, on real games.

mod clauses;
mod errors;
mod functions;
mod halfmoves;
mod kept;
mod limits;
mod mutations;
mod names;
mod ordered;
mod provider;
mod queries;
mod refusals;
mod sieve;
mod slt;
mod split;
#[cfg(feature = "object-store")]
mod stores;
mod support;
mod variants;
