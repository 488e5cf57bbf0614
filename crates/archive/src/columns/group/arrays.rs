//! Columns as arrays. Columns that are computed from tags are computed here for files of earlier versions.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, Date32Array, DictionaryArray, Int32Array, RecordBatch, StringArray,
    new_null_array,
};
use arrow_schema::DataType;

use super::{Group, value};
use crate::columns::facts::TagFacts;
use crate::columns::rows::{Rows, facts_of};
use crate::error::ArchiveError;
use crate::snapshot::schema::{file_schema, fitting, is_of_tags};

/// The tags of all games of a row group are read if more than one in this number of games is needed.
const MANY: usize = 8;

impl Group {
    /// A column of texts as a dictionary; null if the file lacks it.
    pub(crate) fn read_dictionary(&self, column: &str) -> Result<Arc<dyn Array>, ArchiveError> {
        if self.is_stale_in(column) && is_of_tags(column) {
            let texts = self.read_fact(column, 0..self.rows)?;
            let texts: &StringArray = texts.as_string_opt().ok_or_else(|| self.wrong(column))?;
            return Ok(Arc::new(texts.iter().collect::<DictionaryArray<Int32Type>>()));
        }
        if !self.footer.has(column) {
            let kind = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
            return Ok(new_null_array(&kind, self.rows));
        }
        self.footer.read_dictionary(&self.path, self.index, column)
    }

    /// A column. If the file lacks it, it is computed from tags, or is null if nullable.
    pub(crate) fn read(
        &self,
        column: &str,
        rows: Range<usize>,
    ) -> Result<Arc<dyn Array>, ArchiveError> {
        match self.is_stale_in(column) && is_of_tags(column) {
            true => self.read_fact(column, rows),
            false => self.read_stored(column, rows),
        }
    }

    /// A column as stored in the file.
    fn read_stored(
        &self,
        column: &str,
        rows: Range<usize>,
    ) -> Result<Arc<dyn Array>, ArchiveError> {
        let field = file_schema().field_with_name(column).cloned()?;
        if !self.footer.has(column) {
            return Ok(new_null_array(field.data_type(), rows.len()));
        }
        fitting(&self.footer.read_column(&self.path, self.index, column, rows)?, &field)
    }

    /// A column that is computed from tags, for a file in which it is missing or outdated.
    fn read_fact(&self, column: &str, rows: Range<usize>) -> Result<ArrayRef, ArchiveError> {
        if matches!(column, "date" | "year") {
            let (days, years) = self.dates(rows)?;
            return Ok(if column == "date" { Arc::new(days) } else { Arc::new(years) });
        }
        let mut sources = Vec::new();
        for source in ["date", "year", "other_tags"] {
            sources.push((source, self.read_stored(source, rows.clone())?));
        }
        let facts = facts_of(&RecordBatch::try_from_iter(sources)?)?.finish(column);
        facts.ok_or_else(|| self.wrong(column))
    }

    /// The days and years of some rows, for a file of an earlier version. Tags are read only for games without a stored
    /// day.
    fn dates(&self, rows: Range<usize>) -> Result<(Date32Array, Int32Array), ArchiveError> {
        let days = self.read_stored("date", rows.clone())?;
        let days: &Date32Array = days.as_primitive_opt().ok_or_else(|| self.wrong("date"))?;
        let years = self.read_stored("year", rows.clone())?;
        let years: &Int32Array = years.as_primitive_opt().ok_or_else(|| self.wrong("year"))?;
        let open: Vec<usize> = (0..days.len()).filter(|row| days.is_null(*row)).collect();
        let in_group: Vec<u32> = open.iter().map(|row| (rows.start + row) as u32).collect();
        let mut stored = open.iter().map(|row| (None, value(years, *row)));
        let by_tags = self.of_tags(&in_group, |tags, row| {
            let stored = stored.next().unwrap_or_default();
            Ok(TagFacts::of(&tags.other_tags(row)?).date(stored))
        })?;
        let mut by_tags = by_tags.into_iter();
        let dates = (0..days.len()).map(|row| match days.is_null(row) {
            true => by_tags.next().unwrap_or_default(),
            false => (Some(days.value(row)), value(years, row)),
        });
        let (days, years): (Vec<Option<i32>>, Vec<Option<i32>>) = dates.unzip();
        Ok((days.into_iter().collect(), years.into_iter().collect()))
    }

    /// A value for each of some rows, in ascending order; `read` reads it from a row of the column `other_tags`.
    pub(crate) fn of_tags<T>(
        &self,
        rows: &[u32],
        mut read: impl FnMut(&Rows<'_>, usize) -> Result<T, ArchiveError>,
    ) -> Result<Vec<T>, ArchiveError> {
        const TAGS: &str = "other_tags";
        let mut all = Vec::with_capacity(rows.len());
        if rows.len() > self.rows / MANY {
            let tags = self.read(TAGS, 0..self.rows)?;
            let batch = RecordBatch::try_from_iter([(TAGS, tags)])?;
            let tags = Rows::of(&batch);
            for row in rows {
                all.push(read(&tags, *row as usize)?);
            }
        } else if !rows.is_empty() {
            for batch in self.select(rows, &[TAGS])? {
                let tags = Rows::of(&batch);
                for row in 0..batch.num_rows() {
                    all.push(read(&tags, row)?);
                }
            }
        }
        if all.len() == rows.len() { Ok(all) } else { Err(self.wrong(TAGS)) }
    }
}
