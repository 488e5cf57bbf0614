//! Rules for the engine's planner.

mod bytes;
mod narrow;

pub(crate) use self::bytes::BytesAreNotText;
pub(crate) use self::narrow::NarrowExplore;
