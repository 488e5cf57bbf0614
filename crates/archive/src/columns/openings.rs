//! The openings of games, by their positions.
//!
//! The first query computes the openings of all games of a row group from their moves. They are cached with the other
//! columns, in two bytes per game.

use std::sync::Arc;

use halfmove_game::openings::{self, Opening};

/// The openings of the games of a row group.
#[derive(Debug, Clone)]
pub(crate) struct Openings(Arc<[u16]>);

/// The index for a game without an opening.
const NONE: u16 = u16::MAX;

impl Openings {
    /// The openings of consecutive rows.
    pub(super) fn new(openings: impl Iterator<Item = Option<&'static Opening>>) -> Self {
        Self(
            openings
                .map(|opening| opening.map_or(NONE, |opening| opening.index() as u16))
                .collect(),
        )
    }

    /// The opening of a row.
    pub(crate) fn of(&self, row: usize) -> Option<&'static Opening> {
        openings::all().get(usize::from(self.0[row]))
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}
