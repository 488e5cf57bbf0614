//! Errors of queries.

mod convert;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use halfmove_archive::ArchiveError;
use halfmove_functions::FunctionError;

pub(crate) use self::convert::{
    cause, lost_in_filter, of_arrow_output, of_engine, of_output, panicked, raise,
};

/// A place in the text of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The reason why a query failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SqlError {
    /// The text is not SQL.
    #[error("{message}{}", place.map_or_else(String::new, |place| format!(" at {place}")))]
    Syntax {
        /// The message of the parser, without the place.
        message: String,
        /// The place of the unexpected word, if it is not the end of the text.
        place: Option<Place>,
    },
    /// The text contains no statement, or several.
    #[error("{} expected one: SELECT …", if *count == 0 { "there is no query," } else { "there are several statements," })]
    StatementCount {
        /// The number of statements.
        count: usize,
    },
    /// The statement would change something.
    #[error(
        "{statement} is not supported: only SELECT queries are, because archives are read-only here"
    )]
    ReadOnly {
        /// The first word of the statement, in capitals.
        statement: String,
    },
    /// A clause of other databases that the engine would ignore.
    #[error("{clause} is not supported, expected {instead}")]
    Unsupported {
        /// The clause, in capitals.
        clause: String,
        /// The supported form.
        instead: String,
    },
    /// No column has this name.
    #[error("there is no column {name}{}", advice(near.as_deref(), expected))]
    UnknownColumn {
        /// The name, possibly qualified by a table.
        name: String,
        /// The most similar name of a column.
        near: Option<String>,
        /// The names of all columns.
        expected: Vec<String>,
        /// The place of the name, if the engine has kept it.
        place: Option<Place>,
    },
    /// Several columns have this name.
    #[error("several tables have the column {name}: write the name of one of them before it")]
    AmbiguousColumn {
        /// The name.
        name: String,
        /// The place of the name, if the engine has kept it.
        place: Option<Place>,
    },
    /// No function has this name.
    #[error("there is no function {name}{}", advice(near.as_deref(), &[]))]
    UnknownFunction {
        /// The name.
        name: String,
        /// The most similar name of a function.
        near: Option<String>,
        /// The place of the name.
        place: Option<Place>,
    },
    /// No table has this name.
    #[error("there is no table \"{name}\": the tables are games, halfmoves and history")]
    UnknownTable {
        /// The name.
        name: String,
        /// The place of the name.
        place: Option<Place>,
    },
    /// A condition on a game has a type other than boolean.
    #[error("the condition is a value of the type {kind}, expected one that is true or false")]
    ConditionType {
        /// The type.
        kind: String,
    },
    /// A condition on a game is about groups of games.
    #[error("the condition is about many games, expected one that each game meets or not")]
    ConditionOnGroups,
    /// A subquery uses columns of the row outside it in a way that the engine cannot plan, such as
    /// `(SELECT count(*) FROM games g WHERE reaches(g.moves, p.fen))`.
    #[error("a subquery depends on the row outside it by more than equal columns, expected a join")]
    Correlated,
    /// A column of bytes is used as a text.
    #[error("the column {column} holds bytes, expected a text")]
    BytesAsText {
        /// The column.
        column: String,
    },
    /// A number is used as a date, which the engine would take for days since 1970.
    #[error("{number} is a number, expected a date such as date '2020-12-31'")]
    NumberAsDate {
        /// The number, or the column of numbers.
        number: String,
    },
    /// The text is longer than the limit.
    #[error("the query has {found} {unit}, at most {most} are allowed")]
    TooLong {
        /// The length.
        found: usize,
        /// The unit of the length.
        unit: &'static str,
        /// The maximum.
        most: usize,
    },
    /// The text is nested too deeply.
    #[error("the query is nested too deeply")]
    TooDeep,
    /// An operation needs more memory than the limit, and cannot use temporary files instead.
    #[error("the query needs more memory than {}", size(*bytes))]
    Memory {
        /// The limit of [`SqlOptions::memory_bytes`](crate::SqlOptions::memory_bytes).
        bytes: usize,
    },
    /// The query took longer than the limit.
    #[error("the query took longer than {} s", limit.as_secs_f64())]
    Time {
        /// The limit of [`SqlOptions::time_limit`](crate::SqlOptions::time_limit).
        limit: Duration,
    },
    /// A function failed, for instance because of an invalid FEN.
    #[error(transparent)]
    Function(Arc<FunctionError>),
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(Arc<ArchiveError>),
    /// The engine cannot plan the query.
    #[error("{0}")]
    Planning(String),
    /// The query failed on a value, such as a division by zero.
    #[error("{0}")]
    Execution(String),
    /// The engine panicked.
    #[error("the query engine failed on this query: {0}")]
    Panicked(String),
    /// A query was started outside of a Tokio runtime.
    #[error("queries need a Tokio runtime")]
    NoRuntime,
    /// The result cannot be written.
    #[error("{0}")]
    Output(Arc<io::Error>),
}

impl SqlError {
    /// The place in the text of the query, if known.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Syntax { place, .. }
            | Self::UnknownColumn { place, .. }
            | Self::AmbiguousColumn { place, .. }
            | Self::UnknownFunction { place, .. }
            | Self::UnknownTable { place, .. } => *place,
            _ => None,
        }
    }
}

impl From<ArchiveError> for SqlError {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(Arc::new(error))
    }
}

impl From<FunctionError> for SqlError {
    fn from(error: FunctionError) -> Self {
        match error {
            // The archive is at fault, and not the query.
            FunctionError::Damaged { .. } => ArchiveError::Damaged(error.to_string()).into(),
            error => Self::Function(Arc::new(error)),
        }
    }
}

/// The end of a message about a name.
fn advice(near: Option<&str>, expected: &[String]) -> String {
    match near {
        Some(near) => format!(": did you mean {near}?"),
        None if expected.is_empty() => String::new(),
        None => format!(", expected {}", expected.join(", ")),
    }
}

/// A number of bytes in the largest unit that gives at least 1.
fn size(bytes: usize) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = units.len().min(1 + bytes.max(1).ilog2() as usize / 10) - 1;
    match unit {
        0 => format!("{bytes} bytes"),
        unit => format!("{:.1} {}", bytes as f64 / (1_u64 << (10 * unit)) as f64, units[unit]),
    }
}
