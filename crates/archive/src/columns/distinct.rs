//! Columns of texts with each distinct text stored once.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, DictionaryArray, StringArray};

use super::group::Group;
use crate::error::ArchiveError;

/// The distinct texts of a column of a row group, and the index of each row's text. A text may occur twice.
#[derive(Debug, Clone)]
pub(crate) struct Distinct {
    rows: DictionaryArray<Int32Type>,
    texts: StringArray,
}

impl Distinct {
    pub(crate) fn texts(&self) -> &StringArray {
        &self.texts
    }

    /// The index of a row's text; `None` for null.
    pub(crate) fn number(&self, row: usize) -> Option<usize> {
        self.rows.key(row).filter(|text| self.texts.is_valid(*text))
    }
}

impl Group {
    /// The texts of a column.
    pub(crate) fn distinct(&self, column: &str) -> Result<Distinct, ArchiveError> {
        let array = self.read_dictionary(column)?;
        let rows = array.as_dictionary_opt::<Int32Type>();
        let rows = rows.and_then(|rows| Some((rows, rows.values().as_string_opt::<i32>()?)));
        let (rows, texts) = rows.ok_or_else(|| self.wrong(column))?;
        Ok(Distinct { rows: rows.clone(), texts: texts.clone() })
    }
}
