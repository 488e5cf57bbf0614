//! The games that `show` displays.

use super::viewer::{Games, Shown};
use anyhow::anyhow;
use halfmove_archive::{Archive, Filter, RoaringTreemap, SearchOptions, StoredGame};

/// Finds the half-move at which a game opens.
type Place<'a> = dyn Fn(&StoredGame) -> anyhow::Result<Option<usize>> + 'a;

/// The games of a filter, in the order of their ids.
pub(super) struct Found<'a> {
    archive: &'a Archive,
    filter: &'a Filter,
    ids: RoaringTreemap,
    /// The half-move to show in each game, as given on the command line.
    place: Box<Place<'a>>,
}

impl<'a> Found<'a> {
    pub(super) fn new(
        archive: &'a Archive,
        filter: &'a Filter,
        place: impl Fn(&StoredGame) -> anyhow::Result<Option<usize>> + 'a,
    ) -> anyhow::Result<Self> {
        let ids = archive.ids(filter)?;
        Ok(Self { archive, filter, ids, place: Box::new(place) })
    }

    /// The game with an index, and the number of half-moves to draw it after: as given on the command line, else
    /// up to the position or the moves of the filter.
    pub(super) fn game(&self, index: u64) -> anyhow::Result<(StoredGame, Option<usize>)> {
        let id = self.ids.select(index).ok_or_else(|| anyhow!("no game has the index {index}"))?;
        let stored = self.archive.game(i64::try_from(id)?)?;
        let place = (self.place)(&stored)?;
        if place.is_some() || self.filter.position.is_none() && self.filter.conditions.is_empty() {
            return Ok((stored, place));
        }
        let alone = Filter { ids: Some([id].into_iter().collect()), ..self.filter.clone() };
        let found = self.archive.search_with(&alone, &SearchOptions::first(1))?;
        let ply = found.games.first().and_then(|game| game.ply);
        Ok((stored, ply.map(|ply| ply as usize)))
    }
}

impl Games for Found<'_> {
    fn count(&self) -> u64 {
        self.ids.len()
    }

    fn open(&mut self, index: u64) -> anyhow::Result<Shown> {
        let (StoredGame { id, game, fault, .. }, ply) = self.game(index)?;
        Ok(Shown { id, game, fault, ply: ply.unwrap_or(0) })
    }
}
