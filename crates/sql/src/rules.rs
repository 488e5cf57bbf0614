//! Rules for the engine's planner.

mod narrow;
mod readings;

pub(crate) use self::narrow::NarrowExplore;
pub(crate) use self::readings::CheckReadings;
