//! Queries in SQL: the engine that answers them, and its errors for people.
//!
//! ```text
//! error: there is no column whit
//!   │ select whit from games
//!   │        ^^^^
//! hint: did you mean white?
//! ```

mod excerpt;

use self::excerpt::{excerpt, word_at};
use crate::advice;
use crate::output::Advised;
use anyhow::{Context, Error, anyhow};
use halfmove_archive::Archive;
use halfmove_sql::{Place, Sql, SqlError, SqlOptions};
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// An engine for queries, and the threads that it runs on.
pub(crate) struct Queries {
    runtime: Runtime,
    sql: Sql,
}

/// Words of SQL that queries here are made of, for completion and for hints.
pub(crate) const KEYWORDS: &[&str] = &[
    "all",
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "cast",
    "cross",
    "desc",
    "describe",
    "distinct",
    "else",
    "end",
    "except",
    "exists",
    "explain",
    "extract",
    "false",
    "filter",
    "from",
    "full",
    "group",
    "having",
    "ilike",
    "in",
    "inner",
    "intersect",
    "interval",
    "is",
    "join",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "nulls",
    "offset",
    "on",
    "or",
    "order",
    "outer",
    "over",
    "partition",
    "rank",
    "right",
    "select",
    "show",
    "tables",
    "then",
    "true",
    "union",
    "using",
    "values",
    "when",
    "where",
    "with",
    "within",
];

impl Queries {
    /// An engine over the games of an archive, with a limit for the memory of a query.
    pub(crate) fn of(archive: &Archive, memory_bytes: Option<usize>) -> anyhow::Result<Self> {
        let mut options = SqlOptions::default();
        options.memory_bytes = memory_bytes.unwrap_or(options.memory_bytes);
        let runtime =
            Builder::new_multi_thread().enable_all().thread_name("halfmove-query").build();
        let runtime = runtime.context("cannot start threads")?;
        Ok(Self { runtime, sql: Sql::new(archive, &options)? })
    }

    pub(crate) fn sql(&self) -> &Sql {
        &self.sql
    }

    /// Waits for an answer.
    pub(crate) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }
}

/// An error of a query, with the place in the query and a hint, as far as they are known.
pub(crate) fn explain(error: SqlError, query: &str) -> Error {
    let excerpt = error.place().and_then(|place| excerpt(query, place));
    let hint = hint(&error, query);
    // The hint and the excerpt say the rest.
    let message = match error {
        SqlError::Archive(error) => return error.into(),
        SqlError::UnknownColumn { name, .. } => anyhow!("there is no column {name}"),
        SqlError::UnknownFunction { name, .. } => anyhow!("there is no function {name}"),
        SqlError::UnknownTable { name, .. } => anyhow!("there is no table \"{name}\""),
        SqlError::Syntax { message, .. } => anyhow!("{message}"),
        error => error.into(),
    };
    Advised::at(message, excerpt, hint).into()
}

/// [`explain`] for an error that may be another one, as of the output.
pub(crate) fn explain_any(error: Error, query: &str) -> Error {
    match error.downcast() {
        Ok(error) => explain(error, query),
        Err(error) => error,
    }
}

/// The hint for an error of a query.
fn hint(error: &SqlError, query: &str) -> Option<String> {
    match error {
        SqlError::UnknownColumn { name, near, .. } => advice::for_column(bare(name))
            .or_else(|| near.as_deref().map(did_you_mean))
            .or_else(|| unquoted(bare(name), query)),
        SqlError::UnknownFunction { name, near, .. } => {
            advice::for_function(name).or_else(|| near.as_deref().map(did_you_mean))
        }
        SqlError::UnknownTable { name, .. } => Some(of_table(name)),
        SqlError::Syntax { place, .. } => {
            dotted(query).or_else(|| keyword(query, (*place)?)).or_else(|| file(query))
        }
        SqlError::Memory { .. } => Some(
            "--memory 4G lets it take more, 4 GiB; LIMIT, or conditions, make it take less"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The name of a column without its table.
fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_matches('"')
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean {name}?")
}

/// The hint for another table than the one of games.
fn of_table(name: &str) -> String {
    let name = name.trim_matches('"').to_lowercase();
    let endings = [".csv", ".tsv", ".json", ".ndjson", ".parquet", ".txt", ".db"];
    match endings.iter().any(|ending| name.ends_with(ending)) {
        true => {
            "a query reads no other files: write the games to one (--output games.parquet), and join \
             them in a program such as DuckDB"
        }
        false => "the table is games",
    }
    .to_owned()
}

/// A command of the prompt that was given as the query.
fn dotted(query: &str) -> Option<String> {
    const PROMPT: &str = "commands with a dot are for the prompt, halfmove sql without a query";
    let name = query.trim().trim_end_matches(';').split(' ').next()?;
    let instead = match name.strip_prefix('.')? {
        "schema" => "describe games",
        "tables" => "show tables",
        "functions" => "halfmove sql --help",
        "format" | "mode" => "--format",
        "rows" => "--limit",
        name if name.starts_with(char::is_alphabetic) => return Some(PROMPT.to_owned()),
        _ => return None,
    };
    Some(format!("{PROMPT}; here: {instead}"))
}

/// The word of SQL that comes near the one at which the parser gave up.
fn keyword(query: &str, place: Place) -> Option<String> {
    let found = word_at(query, place)?.to_ascii_lowercase();
    let most = if found.len() < 4 { 1 } else { 2 };
    let distance = |word: &&&str| strsim::osa_distance(word, &found);
    let near = KEYWORDS.iter().min_by_key(distance)?;
    (1..=most).contains(&distance(&near)).then(|| did_you_mean(near))
}

/// A name of no column, where a text was meant.
fn unquoted(name: &str, query: &str) -> Option<String> {
    let at = query.to_ascii_lowercase().find(&name.to_ascii_lowercase());
    let typed = at.and_then(|at| query.get(at..at + name.len())).unwrap_or(name);
    let is_word = typed.chars().all(|char| char.is_alphanumeric() || char == '_');
    is_word.then(|| format!("a text stands in single quotes: '{typed}'"))
}

/// A file that was given as the query.
fn file(query: &str) -> Option<String> {
    let name = query.trim();
    let is_file = !name.contains(char::is_whitespace) && Path::new(name).is_file();
    is_file.then(|| format!("to read the query from the file: --file {name}"))
}
