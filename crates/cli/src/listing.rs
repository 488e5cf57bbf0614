//! Columns of lists. Each is defined once; JSON, CSV, TSV and tables are made from it.
//!
//! ```text
//!                                            JSON           CSV             table
//!  Column::field("games", value)             games          games
//!      .titled("games")                                                     games
//!      .shown("share", text)                                                share, as another text
//!  Column::json("sources", value)            sources
//!  Column::csv("bits", value)                               bits
//!  Column::table("years", text)                                             years
//! ```

use crate::args::Format;
use crate::output::{Rows, cell};
use serde_json::{Map, Value};

/// The formats that have a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    Json,
    Csv,
}

/// The value of a cell for programs.
type ToValue<T> = fn(&T) -> Value;

/// The text of a cell for people.
type ToText<T> = fn(&T) -> String;

/// A column of a list of entries `T`.
pub(crate) struct Column<T: 'static> {
    /// The name for programs, with the value.
    field: Option<(&'static str, ToValue<T>)>,
    scope: Scope,
    /// The heading in tables, with the text of the cell if it is not the value itself.
    title: Option<(&'static str, Option<ToText<T>>)>,
    is_number: bool,
    /// True if a table leaves out the column when all its cells are empty.
    is_optional: bool,
}

impl<T> Column<T> {
    /// A field for programs.
    pub(crate) const fn field(name: &'static str, value: fn(&T) -> Value) -> Self {
        Self {
            field: Some((name, value)),
            scope: Scope::All,
            title: None,
            is_number: false,
            is_optional: false,
        }
    }

    /// A field of JSON alone, such as a list or an object.
    pub(crate) const fn json(name: &'static str, value: fn(&T) -> Value) -> Self {
        Self { scope: Scope::Json, ..Self::field(name, value) }
    }

    /// A field of CSV and TSV alone, for a value that has another text in JSON.
    pub(crate) const fn csv(name: &'static str, value: fn(&T) -> Value) -> Self {
        Self { scope: Scope::Csv, ..Self::field(name, value) }
    }

    /// A column of tables alone.
    pub(crate) const fn table(heading: &'static str, text: fn(&T) -> String) -> Self {
        Self {
            field: None,
            scope: Scope::All,
            title: Some((heading, Some(text))),
            is_number: false,
            is_optional: false,
        }
    }

    /// Also shows the value in tables.
    pub(crate) const fn titled(self, heading: &'static str) -> Self {
        Self { title: Some((heading, None)), ..self }
    }

    /// Also shows the column in tables, with another text.
    pub(crate) const fn shown(self, heading: &'static str, text: fn(&T) -> String) -> Self {
        Self { title: Some((heading, Some(text))), ..self }
    }

    /// Aligns the column to the right.
    pub(crate) const fn number(self) -> Self {
        Self { is_number: true, ..self }
    }

    /// Leaves the column out of a table if all its cells are empty.
    pub(crate) const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// The name for programs; empty if only tables have the column.
    pub(crate) const fn name(&self) -> &'static str {
        match self.field {
            Some((name, _)) => name,
            None => "",
        }
    }

    /// Returns true if the column is aligned to the right.
    pub(crate) fn is_number(&self) -> bool {
        self.is_number
    }

    /// The value for programs.
    pub(crate) fn value(&self, entry: &T) -> Value {
        self.field.map_or(Value::Null, |(_, value)| value(entry))
    }

    /// The heading in tables.
    pub(crate) fn heading(&self) -> Option<&'static str> {
        self.title.map(|(heading, _)| heading)
    }

    /// The text of a cell of a table.
    pub(crate) fn text(&self, entry: &T) -> String {
        match (self.title, self.field) {
            (Some((_, Some(text))), _) => text(entry),
            (_, Some((_, value))) => cell(&value(entry)),
            _ => String::new(),
        }
    }
}

/// The columns of a list.
pub(crate) struct Listing<T: 'static>(Vec<&'static Column<T>>);

impl<T> Listing<T> {
    /// A list with the columns of all parts in order.
    pub(crate) fn new(parts: &[&'static [Column<T>]]) -> Self {
        Self(parts.iter().flat_map(|part| part.iter()).collect())
    }

    /// An entry as JSON.
    pub(crate) fn object(&self, entry: &T) -> Value {
        let columns = self.0.iter().filter(|column| column.scope != Scope::Csv);
        let fields = columns.filter_map(|column| column.field);
        fields.map(|(name, value)| (name.to_owned(), value(entry))).collect::<Map<_, _>>().into()
    }

    /// Entries as JSON.
    pub(crate) fn objects(&self, entries: &[T]) -> Vec<Value> {
        entries.iter().map(|entry| self.object(entry)).collect()
    }

    /// Entries as rows: those of a table, or plain values for programs.
    pub(crate) fn rows(&self, format: Format, entries: &[T]) -> Rows {
        match format {
            Format::Csv | Format::Tsv => {
                let columns = self.0.iter().filter(|column| column.scope != Scope::Json);
                let fields: Vec<_> = columns.filter_map(|column| column.field).collect();
                let row = |entry| fields.iter().map(|(_, value)| cell(&value(entry))).collect();
                let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                Rows::new(&names, &[], entries.iter().map(row).collect())
            }
            _ => self.table(entries),
        }
    }

    fn table(&self, entries: &[T]) -> Rows {
        let has_text = |column: &&&Column<T>| {
            !column.is_optional || entries.iter().any(|entry| !column.text(entry).is_empty())
        };
        let columns = self.0.iter().filter(|column| column.title.is_some()).filter(has_text);
        let columns: Vec<&Column<T>> = columns.copied().collect();
        Rows {
            heading: columns
                .iter()
                .filter_map(|column| column.heading())
                .map(str::to_owned)
                .collect(),
            is_number: columns.iter().map(|column| column.is_number).collect(),
            rows: entries
                .iter()
                .map(|entry| columns.iter().map(|column| column.text(entry)).collect())
                .collect(),
        }
    }

    /// One entry as a table of two columns: a line for each heading.
    pub(crate) fn lines(&self, entry: &T) -> Vec<Vec<String>> {
        let columns = self.0.iter().filter_map(|column| Some((column.heading()?, *column)));
        let lines = columns.map(|(heading, column)| vec![heading.to_owned(), column.text(entry)]);
        lines.filter(|line| !line[1].is_empty()).collect()
    }
}
