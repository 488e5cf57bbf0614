//! Text forms of positions and moves.

pub(crate) mod epd;
pub(crate) mod fen;
pub(crate) mod san;
pub(crate) mod uci;
