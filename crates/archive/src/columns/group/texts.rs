//! Columns of texts, numbers and openings of a row group, in the cached form.

use std::sync::Arc;

use arrow_array::Int32Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type};
use halfmove_functions::words::write_words;
use halfmove_game::openings::{self, Opening};

use super::Group;
use crate::columns::cache::{Cache, CachedColumn, Kind};
use crate::columns::openings::Openings;
use crate::columns::texts::FoldedTexts;
use crate::error::ArchiveError;

/// If fewer rows than one in this number are requested, only their openings are computed.
const FEW: usize = 8;

impl Group {
    /// The openings of some rows, in ascending order.
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
                opening.map_err(|error| self.damaged(cache, row, &error))
            });
            let named: Result<Vec<_>, ArchiveError> = named.collect();
            Ok(CachedColumn::Openings(Openings::new(named?.into_iter())))
        })?;
        match column {
            CachedColumn::Openings(openings) => Ok(openings),
            _ => Err(self.wrong("moves")),
        }
    }
}

impl Group {
    /// The texts of a column, in lower case.
    pub(crate) fn texts(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        let write = |text: &str, out: &mut String| {
            out.push_str(text);
            let start = out.len() - text.len();
            out[start..].make_ascii_lowercase();
        };
        self.folded_texts(Kind::Texts(name), name, cache, write)
    }

    /// The words of a column.
    pub(crate) fn words(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        self.folded_texts(Kind::Words(name), name, cache, write_words)
    }

    fn folded_texts(
        &self,
        kind: Kind,
        name: &'static str,
        cache: &Cache,
        write: impl Fn(&str, &mut String),
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        let column = cache.column(&self.key(kind), || {
            let texts = FoldedTexts::of(&self.read_dictionary(name)?, write);
            Ok(CachedColumn::Texts(Arc::new(texts.ok_or_else(|| self.wrong(name))?)))
        })?;
        match column {
            CachedColumn::Texts(texts) => Ok(texts),
            _ => Err(self.wrong(name)),
        }
    }

    /// The numbers of a column; dates are days since 1970-01-01.
    pub(crate) fn numbers(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Int32Array, ArchiveError> {
        let column = cache.column(&self.key(Kind::Numbers(name)), || {
            Ok(CachedColumn::Numbers(self.read_numbers(name)?))
        })?;
        match column {
            CachedColumn::Numbers(numbers) => Ok(numbers),
            _ => Err(self.wrong(name)),
        }
    }

    pub(crate) fn read_numbers(&self, name: &str) -> Result<Int32Array, ArchiveError> {
        let column = self.read(name, 0..self.rows())?;
        let days = column.as_primitive_opt::<Date32Type>();
        let numbers = days.map(|days| days.reinterpret_cast::<Int32Type>());
        let numbers = numbers.or_else(|| column.as_primitive_opt::<Int32Type>().cloned());
        numbers.ok_or_else(|| self.wrong(name))
    }
}
