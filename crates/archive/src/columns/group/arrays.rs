//! Columns as arrays. Those that are computed from tags are computed here for files of earlier versions.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch, StringArray, new_null_array};
use arrow_schema::DataType;

use super::Group;
use crate::columns::rows::facts_of;
use crate::error::ArchiveError;
use crate::snapshot::schema::{file_schema, fitting, is_of_tags};

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

    /// A column; null if it is nullable and the file lacks it, and it is not computed from tags.
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

    /// A column as it is in the file.
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

    /// A column that is computed from tags, for a file that lacks it or has it from an earlier version.
    fn read_fact(&self, column: &str, rows: Range<usize>) -> Result<ArrayRef, ArchiveError> {
        let mut sources = Vec::new();
        for source in ["date", "year", "other_tags"] {
            sources.push((source, self.read_stored(source, rows.clone())?));
        }
        let facts = facts_of(&RecordBatch::try_from_iter(sources)?)?.finish(column);
        facts.ok_or_else(|| self.wrong(column))
    }
}
