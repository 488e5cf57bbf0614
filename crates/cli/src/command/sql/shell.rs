//! What the lines at the prompt mean, apart from any terminal.
//!
//! A line that begins with a dot is a command; all else is SQL, which goes on over lines until a semicolon ends it.

use super::answer::Cap;
use crate::args::SqlFormat;
use crate::table::{self, Page};
use clap::ValueEnum;
use halfmove_archive::schema::{COLUMNS, Column, ColumnType};
use halfmove_functions::{FUNCTIONS, pages};
use halfmove_sql::statements;

/// The state of the prompt that commands change.
#[derive(Debug)]
pub(super) struct Shell {
    pub(super) format: SqlFormat,
    pub(super) cap: Cap,
    page: Page,
    /// All functions that a query can call.
    functions: Vec<String>,
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Ask the archive.
    Ask(String),
    Print(String),
    /// Something is wrong; what can be done about it.
    Fail(String, Option<String>),
    Quit,
}

/// The commands, with what they do.
pub(super) const COMMANDS: [(&str, &str); 7] = [
    (".help", "this list"),
    (".tables", "the tables, of which there is one"),
    (".schema", "the columns of the table games"),
    (".functions [PART]", "the functions over games; with a part of a name, all that have it"),
    (".format [NAME]", "table, csv, tsv, json or ndjson; also .mode"),
    (".rows [N|all]", "how many rows of a table are shown"),
    (".quit", "also Ctrl-D"),
];

/// Words that mean a command without its dot, as in other shells.
const PLAIN: [(&str, &str); 4] =
    [("help", ".help"), ("quit", ".quit"), ("exit", ".quit"), ("\\q", ".quit")];

impl Shell {
    pub(super) fn new(format: SqlFormat, cap: Cap, page: Page, functions: Vec<String>) -> Self {
        Self { format, cap, page, functions }
    }

    /// Whether nothing more is needed before the text can be taken.
    pub(super) fn is_complete(text: &str) -> bool {
        let text = text.trim();
        command_of(text).is_some() || statements(text).rest.is_empty()
    }

    /// Takes a complete text.
    pub(super) fn take(&mut self, text: &str) -> Vec<Action> {
        let text = text.trim();
        if let Some(command) = command_of(text) {
            return vec![self.command(command)];
        }
        let found = statements(text);
        let rest = Some(found.rest).filter(|rest| !rest.is_empty());
        let queries = found.ended.into_iter().chain(rest);
        queries.map(|query| Action::Ask(query.trim().to_owned())).collect()
    }

    fn command(&mut self, command: &str) -> Action {
        let mut words = command.split_whitespace();
        let name = words.next().unwrap_or_default();
        let (value, more) = (words.next(), words.next());
        if more.is_some() {
            return fail(format!("{name}: expected at most one word behind it"));
        }
        let name = if name == ".mode" { ".format" } else { name };
        match (name, value) {
            (".help", None) => Action::Print(help()),
            (".tables", None) => Action::Print("games\n".to_owned()),
            (".schema", None | Some("games")) => Action::Print(self.schema()),
            (".functions", None) => Action::Print(pages::help()),
            (".functions", Some(part)) => self.functions(part),
            (".format", None) => Action::Print(format!("{}\n", self.format.name())),
            (".format", Some(name)) => self.set_format(name),
            (".rows", None) => Action::Print(match self.cap {
                Cap::None => "all\n".to_owned(),
                Cap::Rows(rows) => format!("{rows}\n"),
            }),
            (".rows", Some(number)) => self.set_rows(number),
            (".quit" | ".exit", None) => Action::Quit,
            (name, _) if names().any(|known| known == name) => {
                fail(format!("{name}: expected nothing behind it"))
            }
            (name, _) => unknown(name),
        }
    }

    /// Meanings are of several lines where the terminal is narrow.
    fn schema(&self) -> String {
        let widest = |text: fn(&Column) -> &'static str| {
            COLUMNS.iter().map(|column| text(column).len()).max().unwrap_or(0)
        };
        let before = widest(|column| column.name) + widest(|column| type_of(column.kind));
        let room = self.page.room(before + 2 * table::GAP);
        let rows: Vec<Vec<String>> = COLUMNS
            .iter()
            .flat_map(|column| {
                let mut first = [column.name, type_of(column.kind)];
                let lines = table::wrapped(column.meaning, room);
                lines.into_iter().map(move |line| {
                    let [name, kind] = std::mem::take(&mut first);
                    vec![name.to_owned(), kind.to_owned(), line]
                })
            })
            .collect();
        table::draw(&["column", "type", "meaning"], &rows, |_| false, self.page)
    }

    fn functions(&self, part: &str) -> Action {
        let part = part.to_lowercase();
        let names: Vec<&str> = self
            .functions
            .iter()
            .map(String::as_str)
            .filter(|name| name.contains(part.as_str()))
            .collect();
        if names.is_empty() {
            return fail(format!("no function has {part} in its name"));
        }
        // Those over games are explained, the others are those of any SQL.
        let line = |name: &str| match FUNCTIONS.iter().find(|function| function.name == name) {
            Some(function) => pages::help_line(function),
            None => name.to_owned(),
        };
        let lines: Vec<String> = names.into_iter().map(line).collect();
        Action::Print(format!("{}\n", lines.join("\n")))
    }

    fn set_format(&mut self, name: &str) -> Action {
        match SqlFormat::from_str(name, true) {
            Ok(SqlFormat::Parquet) => Action::Fail(
                "Parquet is not shown on a terminal".to_owned(),
                Some(
                    "outside: halfmove sql ARCHIVE QUERY --format parquet --output FILE".to_owned(),
                ),
            ),
            Ok(format) => {
                self.format = format;
                Action::Print(String::new())
            }
            Err(_) => fail(format!("{name}: expected table, csv, tsv, json or ndjson")),
        }
    }

    fn set_rows(&mut self, number: &str) -> Action {
        self.cap = match (number, number.parse()) {
            ("all", _) | (_, Ok(0)) => Cap::None,
            (_, Ok(rows)) => Cap::Rows(rows),
            _ => return fail(format!("{number}: expected a number, or all")),
        };
        Action::Print(String::new())
    }
}

/// The command that a text is.
fn command_of(text: &str) -> Option<&str> {
    let bare = text.trim_end_matches(';').trim_end();
    let plain = PLAIN.iter().find(|(word, _)| bare.eq_ignore_ascii_case(word));
    match plain {
        Some((_, command)) => Some(command),
        None => text.starts_with('.').then_some(bare),
    }
}

/// The names of the commands.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(usage, _)| usage.split(' ').next().unwrap_or(usage))
}

fn help() -> String {
    let mut text = String::from("A query ends with a semicolon. Besides SQL there is:\n");
    for (usage, meaning) in COMMANDS {
        text.push_str(&format!("  {usage:18}  {meaning}\n"));
    }
    if cfg!(all(unix, feature = "prompt")) {
        text += "Tab completes. ";
    }
    text + "Ctrl-C ends a query that is running.\n"
}

fn fail(text: String) -> Action {
    Action::Fail(text, None)
}

fn unknown(name: &str) -> Action {
    let near = names().min_by_key(|known| strsim::osa_distance(known, name));
    let near = near.filter(|known| strsim::osa_distance(known, name) <= 2);
    let hint = match near {
        Some(near) => format!("did you mean {near}?"),
        None => ".help lists the commands".to_owned(),
    };
    Action::Fail(format!("there is no command {name}"), Some(hint))
}

/// The name of a type in SQL.
fn type_of(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Long => "bigint",
        ColumnType::Int => "int",
        ColumnType::Date => "date",
        ColumnType::Text => "text",
        ColumnType::Binary => "bytes",
        ColumnType::Tags => "list of name and value",
        _ => "",
    }
}
