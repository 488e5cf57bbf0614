//! The openings of games, by their positions.
//!
//! The first question names all games of a row group, which reads their moves. The answer stays in memory with the other columns,
//! in two bytes a game.

use std::sync::Arc;

use halfmove_game::openings::{self, Opening};

use super::cache::{Cache, CachedColumn, Kind};
use super::group::Group;
use crate::error::ArchiveError;

/// The openings of the games of a row group.
#[derive(Debug, Clone)]
pub(crate) struct Openings(Arc<[u16]>);

/// The number of a game without an opening.
const NONE: u16 = u16::MAX;

impl Openings {
    /// The opening of a row.
    pub(crate) fn of(&self, row: usize) -> Option<&'static Opening> {
        openings::all().get(usize::from(self.0[row]))
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// If fewer rows than one of so many are asked for, only these are named.
const FEW: usize = 8;

impl Group {
    /// The openings of some rows, which rise.
    pub(crate) fn openings_of(
        &self,
        rows: &[u32],
        cache: &Cache,
    ) -> Result<Vec<Option<&'static Opening>>, ArchiveError> {
        if rows.len() > self.rows() / FEW {
            let all = self.openings(cache)?;
            return Ok(rows.iter().map(|row| all.of(*row as usize)).collect());
        }
        let moves = self.moves(cache, rows.iter().copied())?;
        let named = rows.iter().map(|row| {
            let opening = openings::of_game(moves.of(*row));
            opening.map_err(|error| self.damaged(cache, *row, &error))
        });
        named.collect()
    }

    /// The openings of all games.
    pub(crate) fn openings(&self, cache: &Cache) -> Result<Openings, ArchiveError> {
        let column = cache.column(&self.key(Kind::Openings), || {
            let moves = self.all_moves(cache)?;
            let rows = 0..u32::try_from(self.rows()).unwrap_or(u32::MAX);
            let named = rows.map(|row| {
                let opening = openings::of_game(moves.of(row));
                let opening = opening.map_err(|error| self.damaged(cache, row, &error))?;
                Ok(opening.map_or(NONE, |opening| opening.index() as u16))
            });
            let named: Result<Arc<[u16]>, ArchiveError> = named.collect();
            Ok(CachedColumn::Openings(Openings(named?)))
        })?;
        match column {
            CachedColumn::Openings(openings) => Ok(openings),
            _ => Err(self.wrong("moves")),
        }
    }
}
