//! Interprets the lines of the prompt. It does not depend on a terminal.
//!
//! A line that begins with a dot is a command; everything else is SQL, which may span lines until a semicolon ends it.

use super::answer::Cap;
use crate::args::SqlFormat;
use crate::table::{self, Page};
use clap::ValueEnum;
use halfmove_archive::schema::{COLUMNS, ColumnType};
use halfmove_functions::halfmoves::HALFMOVES;
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

/// An action of the prompt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Run a query.
    Query(String),
    Print(String),
    /// Report an error, with a hint if there is one.
    Fail(String, Option<String>),
    Quit,
}

/// The commands, with their descriptions.
pub(super) const COMMANDS: [(&str, &str); 7] = [
    (".help", "this list"),
    (".tables", "the tables"),
    (".schema [TABLE]", "the columns of the table games, or of halfmoves"),
    (
        ".functions [PART]",
        "the functions over games; with PART, all functions with PART in their names",
    ),
    (".format [NAME]", "table, csv, tsv, json or ndjson; also .mode"),
    (".rows [N|all]", "the maximum number of rows of a table"),
    (".quit", "also Ctrl-D"),
];

/// Words that mean a command without its dot, as in other shells.
const PLAIN: [(&str, &str); 4] =
    [("help", ".help"), ("quit", ".quit"), ("exit", ".quit"), ("\\q", ".quit")];

impl Shell {
    pub(super) fn new(format: SqlFormat, cap: Cap, page: Page, functions: Vec<String>) -> Self {
        Self { format, cap, page, functions }
    }

    /// Returns true if the text is complete.
    pub(super) fn is_complete(text: &str) -> bool {
        let text = text.trim();
        command_of(text).is_some() || statements(text).rest.is_empty()
    }

    /// Interprets a complete text.
    pub(super) fn take(&mut self, text: &str) -> Vec<Action> {
        let text = text.trim();
        if let Some(command) = command_of(text) {
            return vec![self.command(command)];
        }
        let found = statements(text);
        let rest = Some(found.rest).filter(|rest| !rest.is_empty());
        let queries = found.ended.into_iter().chain(rest);
        queries.map(|query| Action::Query(query.trim().to_owned())).collect()
    }

    fn command(&mut self, command: &str) -> Action {
        let mut words = command.split_whitespace();
        let name = words.next().unwrap_or_default();
        let (value, more) = (words.next(), words.next());
        if more.is_some() {
            return fail(format!("{name}: expected at most one word after it"));
        }
        let name = if name == ".mode" { ".format" } else { name };
        match (name, value) {
            (".help", None) => Action::Print(help()),
            (".tables", None) => Action::Print("games\nhalfmoves\nhistory\n".to_owned()),
            (".schema", None | Some("games")) => Action::Print(self.schema(&games())),
            (".schema", Some("halfmoves")) => Action::Print(self.schema(&halfmoves())),
            (".schema", Some(_)) => fail(
                ".schema: expected games or halfmoves; of history: describe history;".to_owned(),
            ),
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
                fail(format!("{name}: expected nothing after it"))
            }
            (name, _) => unknown(name),
        }
    }

    /// Lists columns: the name, type and meaning of each. On a narrow terminal, the meanings are wrapped.
    fn schema(&self, columns: &[[&'static str; 3]]) -> String {
        let widest = |part: usize| columns.iter().map(|column| column[part].len()).max();
        let before = widest(0).unwrap_or(0) + widest(1).unwrap_or(0);
        let room = self.page.room(before + 2 * table::GAP);
        let rows: Vec<Vec<String>> = columns
            .iter()
            .flat_map(|[name, kind, meaning]| {
                let mut first = [*name, *kind];
                let lines = table::wrapped(meaning, room);
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
        // The functions over games are explained; the others belong to any SQL.
        let line = |name: &str| match FUNCTIONS.iter().find(|function| function.name == name) {
            Some(function) => pages::help_line(function),
            None => name.to_owned(),
        };
        let lines: Vec<String> = names.into_iter().map(line).collect();
        Action::Print(format!("{}\n", lines.join("\n")))
    }

    fn set_format(&mut self, name: &str) -> Action {
        match SqlFormat::from_str(name, true) {
            Ok(format @ (SqlFormat::Parquet | SqlFormat::Arrow)) => Action::Fail(
                format!("{name} is not shown on a terminal"),
                Some(format!(
                    "outside: halfmove sql ARCHIVE QUERY --format {} --output FILE",
                    format.name()
                )),
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

/// Returns the command if the text is one.
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
    let mut text = String::from("A query ends with a semicolon. The commands are:\n");
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

/// The columns of the table `games`.
fn games() -> Vec<[&'static str; 3]> {
    COLUMNS.iter().map(|column| [column.name, type_of(column.kind), column.meaning]).collect()
}

/// The columns of the table `halfmoves`.
fn halfmoves() -> Vec<[&'static str; 3]> {
    HALFMOVES.iter().map(|column| [column.name, column.kind.sql(), column.meaning]).collect()
}

/// The name of a type in SQL.
fn type_of(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Long => "bigint",
        ColumnType::Int => "int",
        ColumnType::Double => "double",
        ColumnType::Timestamp => "timestamp",
        ColumnType::Date => "date",
        ColumnType::Text => "text",
        ColumnType::Binary => "bytes",
        ColumnType::Tags => "list of name and value",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell() -> Shell {
        let functions = ["plies", "reaches", "regexp_like"].map(str::to_owned).to_vec();
        Shell::new(SqlFormat::Table, Cap::Rows(40), Page::FILE, functions)
    }

    fn function(name: &str) -> &'static halfmove_functions::Function {
        FUNCTIONS.iter().find(|function| function.name == name).unwrap()
    }

    fn query_action(query: &str) -> Action {
        Action::Query(query.to_owned())
    }

    #[test]
    fn a_query_ends_with_its_semicolon() {
        for (text, is_complete) in [
            ("", true),
            ("  ", true),
            ("select 1", false),
            ("select 1;", true),
            ("select 1\nfrom games;", true),
            ("select ';", false),
            ("select ';'", false),
            ("select ';';", true),
            ("select 1; select", false),
            ("select 1; -- that is all", true),
            ("-- a comment", true),
            (".schema", true),
            (" .rows 10", true),
            ("quit", true),
            ("EXIT;", true),
            ("help;", true),
            ("helpful", false),
        ] {
            assert_eq!(Shell::is_complete(text), is_complete, "{text:?}");
        }
    }

    #[test]
    fn queries_run_in_order() {
        let mut shell = shell();
        assert_eq!(shell.take("select 1;"), [query_action("select 1")]);
        assert_eq!(
            shell.take("select ';'; select\n2;"),
            [query_action("select ';'"), query_action("select\n2")]
        );
        assert_eq!(shell.take("  ;"), []);
        assert_eq!(shell.take(""), []);
    }

    #[test]
    fn commands_change_the_state() {
        let mut shell = shell();
        let nothing = [Action::Print(String::new())];
        assert_eq!(shell.take(".format"), [Action::Print("table\n".to_owned())]);
        assert_eq!(shell.take(".format CSV;"), nothing);
        assert_eq!(shell.format, SqlFormat::Csv);
        assert_eq!(shell.take(".rows"), [Action::Print("40\n".to_owned())]);
        assert_eq!(shell.take(".rows 7"), nothing);
        assert_eq!(shell.cap, Cap::Rows(7));
        assert_eq!(shell.take(".rows all"), nothing);
        assert_eq!(shell.cap, Cap::None);
        for text in [".quit", "quit;", "exit", "\\q", ".exit"] {
            assert_eq!(shell.take(text), [Action::Quit], "{text}");
        }
        let found = format!("{}\nregexp_like\n", pages::help_line(function("reaches")));
        assert_eq!(shell.take(".functions re"), [Action::Print(found)]);
        assert_eq!(shell.take(".mode tsv"), nothing);
        assert_eq!(shell.take(".format"), [Action::Print("tsv\n".to_owned())]);
        assert_eq!(shell.take(".format csv"), nothing);
        assert_eq!(shell.take(".rows 0"), nothing);
        assert_eq!(shell.cap, Cap::None);
        assert_eq!(shell.take(".rows all"), nothing);
        for wrong in
            [".format xml", ".rows -1", ".rows few", ".functions zz", ".tables games", ".rows 1 2"]
        {
            let actions = shell.take(wrong);
            assert!(matches!(actions[..], [Action::Fail(..)]), "{wrong}: {actions:?}");
        }
        assert_eq!((shell.format, shell.cap), (SqlFormat::Csv, Cap::None), "errors change nothing");
    }

    #[test]
    fn columns_functions_and_tables_are_listed() {
        let mut shell = shell();
        let text = |actions: Vec<Action>| match &actions[..] {
            [Action::Print(text)] => text.clone(),
            other => panic!("{other:?}"),
        };
        let (help, schema) = (text(shell.take(".help")), text(shell.take(".schema games")));
        for (usage, _) in COMMANDS {
            assert!(help.contains(usage), "{usage}");
        }
        let has_line = |schema: &str, name: &str| {
            schema.lines().any(|line| line.split_whitespace().next() == Some(name))
        };
        for column in COLUMNS {
            assert!(has_line(&schema, column.name), "{}", column.name);
        }
        let of_halfmoves = text(shell.take(".schema halfmoves"));
        for column in &HALFMOVES {
            assert!(has_line(&of_halfmoves, column.name), "{}", column.name);
        }
        // Nothing is cut on a narrow terminal.
        let narrow = Shell::new(SqlFormat::Table, Cap::None, Page::of_width(80), Vec::new());
        let narrow = narrow.schema(&games());
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
        let words = |text: &str| text.split_whitespace().count();
        assert_eq!((words(&narrow), narrow.contains('…')), (words(&schema), schema.contains('…')));
        let functions = text(shell.take(".functions"));
        for function in &FUNCTIONS {
            assert!(functions.contains(&pages::help_line(function)), "{}", function.name);
        }
        assert_eq!(text(shell.take(".tables")), "games\nhalfmoves\nhistory\n");
    }

    #[test]
    fn unknown_commands_get_advice() {
        let advice = |text: &str| match &shell().take(text)[..] {
            [Action::Fail(error, Some(hint))] => (error.clone(), hint.clone()),
            other => panic!("{other:?}"),
        };
        assert_eq!(advice(".shema").1, "did you mean .schema?");
        assert_eq!(advice(".frobnicate").1, ".help lists the commands");
        assert_eq!(advice(".shema").0, "there is no command .shema");
    }
}
