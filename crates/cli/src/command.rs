//! The verbs.

pub(crate) mod codecs;
pub(crate) mod decode;
pub(crate) mod dump;
pub(crate) mod encode;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod position;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod sql;
pub(crate) mod upgrade;
