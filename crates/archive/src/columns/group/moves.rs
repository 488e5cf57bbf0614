//! The moves of a row group. Only the pages of the requested games are read.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray};
use arrow_schema::ArrowError;
use arrow_select::concat::concat;

use super::Group;
use crate::columns::cache::{Cache, CachedColumn, Kind};
use crate::error::ArchiveError;

/// The moves of some games of a row group.
#[derive(Debug)]
pub(crate) struct Moves {
    /// The first row of each page.
    starts: Vec<u32>,
    /// The pages that were requested.
    pages: Vec<Option<BinaryArray>>,
}

impl Moves {
    /// The bytes of a game; empty for one that was not requested.
    #[inline]
    pub(crate) fn of(&self, row: u32) -> &[u8] {
        let page = self.starts.partition_point(|start| *start <= row).saturating_sub(1);
        match (self.pages.get(page), self.starts.get(page)) {
            (Some(Some(games)), Some(start)) if ((row - start) as usize) < games.len() => {
                games.value((row - start) as usize)
            }
            _ => &[],
        }
    }

    /// The bytes of consecutive games, as views of their pages.
    pub(crate) fn views(&self, rows: Range<u32>) -> Result<ArrayRef, ArrowError> {
        let mut views = Vec::new();
        for (start, page) in self.starts.iter().zip(&self.pages) {
            let Some(page) = page else { continue };
            let end = start + page.len() as u32;
            let (from, to) = (rows.start.max(*start), rows.end.min(end));
            if from < to {
                let games = page.slice((from - start) as usize, (to - from) as usize);
                views.push(BinaryViewArray::from(&games));
            }
        }
        let parts: Vec<&dyn Array> = views.iter().map(|part| part as &dyn Array).collect();
        concat(&parts)
    }

    /// The bytes of some games, copied, because views would keep whole pages in memory.
    pub(crate) fn copies(&self, rows: &[u32]) -> ArrayRef {
        Arc::new(BinaryViewArray::from_iter_values(rows.iter().map(|row| self.of(*row))))
    }
}

impl Group {
    /// The moves of some games, in ascending order.
    pub(crate) fn moves(
        &self,
        cache: &Cache,
        rows: impl Iterator<Item = u32>,
    ) -> Result<Moves, ArchiveError> {
        let starts = self.pages_of("moves");
        let mut pages: Vec<Option<BinaryArray>> = vec![None; starts.len()];
        let (mut page, mut missing) = (0, Vec::new());
        for row in rows {
            while starts.get(page + 1).is_some_and(|next| *next <= row) {
                page += 1;
            }
            if pages[page].is_some() || missing.last() == Some(&page) {
                continue;
            }
            match cache.get(&self.key(Kind::Moves(page))) {
                Some(CachedColumn::Moves(moves)) => pages[page] = Some(moves),
                _ => missing.push(page),
            }
        }
        if !missing.is_empty() {
            for (page, moves) in missing.iter().zip(self.read_moves(&missing)?) {
                let column = CachedColumn::Moves(moves.clone());
                cache.keep(self.key(Kind::Moves(*page)), column);
                pages[*page] = Some(moves);
            }
        }
        Ok(Moves { starts, pages })
    }

    /// The moves of all games.
    pub(crate) fn all_moves(&self, cache: &Cache) -> Result<Moves, ArchiveError> {
        self.moves(cache, 0..u32::try_from(self.rows()).unwrap_or(u32::MAX))
    }
}
