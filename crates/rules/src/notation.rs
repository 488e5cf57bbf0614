//! Positions and moves as text.

pub(crate) mod epd;
pub(crate) mod fen;
pub(crate) mod lenient;
pub(crate) mod placement;
pub(crate) mod san;
pub(crate) mod uci;
