//! A record, read back from its Markdown.

use anyhow::Context;

/// The facts at its beginning, and its tables.
#[derive(Debug)]
pub(super) struct Record {
    facts: Vec<(String, String)>,
    tables: Vec<Table>,
}

#[derive(Debug)]
struct Table {
    header: Vec<String>,
    /// The line below the header, with the alignment of the columns.
    align: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The result of the search for a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    Cell(&'a str),
    NoColumn,
    NoRow,
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

impl Record {
    pub(super) fn parse(text: &str) -> Self {
        let (mut facts, mut tables) = (Vec::new(), Vec::new());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if line.starts_with('|') {
                let align = lines.next().map(cells).unwrap_or_default();
                let mut table = Table { header: cells(line), align, rows: Vec::new() };
                while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                    table.rows.push(cells(line));
                }
                tables.push(table);
            } else if tables.is_empty()
                && let Some((name, value)) =
                    line.strip_prefix("- ").and_then(|line| line.split_once(": "))
            {
                facts.push((name.to_owned(), value.to_owned()));
            }
        }
        Self { facts, tables }
    }

    pub(super) fn fact(&self, name: &str) -> Option<String> {
        let found = self.facts.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    }

    /// A cell of the first table that has the row and the column. A row is named by its first cell, or by
    /// its first two with ` > ` between them.
    pub(super) fn cell(&self, row: &str, column: &str) -> Found<'_> {
        let mut found = Found::NoRow;
        for table in &self.tables {
            let named = |cells: &&Vec<String>| match &cells[..] {
                [first, second, ..] => first == row || format!("{first} > {second}") == row,
                _ => false,
            };
            if let Some(cells) = table.rows.iter().find(named) {
                let at = table.header.iter().position(|name| name == column);
                match at.and_then(|at| cells.get(at)) {
                    Some(cell) => return Found::Cell(cell),
                    None => found = Found::NoColumn,
                }
            }
        }
        found
    }

    /// Some columns, under the given titles, of the first table that has all of them.
    pub(super) fn columns(&self, columns: &[(&str, &str)]) -> anyhow::Result<String> {
        let places = |table: &Table| {
            let place = |(name, _): &(&str, &str)| table.header.iter().position(|is| is == name);
            columns.iter().map(place).collect::<Option<Vec<_>>>()
        };
        let found = self.tables.iter().find_map(|table| Some((table, places(table)?)));
        let (table, places) = found.context("no table has all these columns")?;
        let line = |cells: &[String]| {
            let of = |at: &usize| cells.get(*at).map_or("", String::as_str);
            places.iter().map(of).collect::<Vec<_>>().join(" | ")
        };
        let titles = columns.iter().map(|(_, title)| *title).collect::<Vec<_>>().join(" | ");
        let mut lines = vec![titles, line(&table.align)];
        lines.extend(table.rows.iter().map(|row| line(row)));
        let lines = lines.iter().map(|line| format!("| {line} |")).collect::<Vec<_>>();
        Ok(lines.join("\n"))
    }
}
