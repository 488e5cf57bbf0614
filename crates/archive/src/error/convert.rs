//! Errors of the query engine and of its libraries as errors of ours: each keeps its kind.
//!
//! ```text
//! our code ──Raised──▶ Parquet, Arrow, DataFusion ──▶ ours again, of the same kind
//!                      (some keep only the text)
//! ```

use std::any::Any;
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::object_store;
use datafusion::parquet::errors::ParquetError;
use datafusion::sql::sqlparser::parser::ParserError;
use delta_kernel::KernelError;
use strsim::osa_distance;

use super::ArchiveError;
use crate::functions;

/// An error of ours on its way through the engine, which may keep only its text. So that text has all that the error
/// says, between marks by which it is found again.
pub(crate) struct Raised(pub(crate) ArchiveError);

/// What stands before and after an error of ours in a text.
const MARKS: [char; 2] = ['\u{2}', '\u{3}'];

/// What stands between the parts of an error of ours.
const SEPARATOR: char = '\u{1f}';

impl std::fmt::Debug for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [from, to] = MARKS;
        let sep = SEPARATOR;
        match &self.0 {
            ArchiveError::Damaged(what) => write!(f, "{from}damaged{sep}{what}{to}"),
            ArchiveError::Limit(what) => write!(f, "{from}limit{sep}{what}{to}"),
            ArchiveError::Fen { fen, why } => write!(f, "{from}fen{sep}{fen}{sep}{why}{to}"),
            ArchiveError::Io { path, source } => {
                let (path, code) = (path.display(), source.raw_os_error().unwrap_or(0));
                write!(f, "{from}io{sep}{path}{sep}{code}{sep}{source}{to}")
            }
            other => write!(f, "{from}query{sep}{other}{to}"),
        }
    }
}

impl Error for Raised {}

impl Raised {
    /// The error of ours in a text.
    fn in_text(text: &str) -> Option<ArchiveError> {
        let (_, rest) = text.split_once(MARKS[0])?;
        let (ours, _) = rest.split_once(MARKS[1])?;
        let (kind, what) = ours.split_once(SEPARATOR)?;
        Some(match kind {
            "damaged" => ArchiveError::damaged(what),
            "limit" => ArchiveError::Limit(what.to_owned()),
            "fen" => {
                let (fen, why) = what.split_once(SEPARATOR)?;
                ArchiveError::Fen { fen: fen.to_owned(), why: why.to_owned() }
            }
            "io" => {
                let mut parts = what.split(SEPARATOR);
                let path = PathBuf::from(parts.next()?);
                let source = match parts.next()?.parse() {
                    Ok(0) | Err(_) => io::Error::other(parts.next()?.to_owned()),
                    Ok(code) => io::Error::from_raw_os_error(code),
                };
                ArchiveError::Io { path, source }
            }
            _ => ArchiveError::Query(what.to_owned()),
        })
    }

    /// The error of ours among the causes of an error, or in its text.
    fn among(error: &(dyn Error + 'static)) -> Option<ArchiveError> {
        if let Some(Self(ours)) = cause(error) {
            return Some(again(ours));
        }
        Self::in_text(&error.to_string())
    }
}

/// The first of the causes of an error that is of some type.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// The same error, of which there is only a reference.
fn again(error: &ArchiveError) -> ArchiveError {
    match error {
        ArchiveError::Damaged(what) => ArchiveError::Damaged(what.clone()),
        ArchiveError::Limit(what) => ArchiveError::Limit(what.clone()),
        ArchiveError::Fen { fen, why } => ArchiveError::Fen { fen: fen.clone(), why: why.clone() },
        ArchiveError::Io { path, source } => ArchiveError::io(path, io_again(source)),
        ArchiveError::Format { path, found, known } => {
            ArchiveError::Format { path: path.clone(), found: found.clone(), known }
        }
        ArchiveError::Unsupported(what) => ArchiveError::Unsupported(what.clone()),
        ArchiveError::ThreadLost => ArchiveError::ThreadLost,
        ArchiveError::Stopped => ArchiveError::Stopped,
        other => ArchiveError::Query(other.to_string()),
    }
}

fn io_again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// What a library says about a data file. An error of the operating system is one of input and output, except that a
/// file which is missing or too short is damage; so is all else. What we have told the library comes back as it was.
pub(crate) fn of_file(path: &Path, error: &(dyn Error + 'static)) -> ArchiveError {
    if let Some(ours) = Raised::among(error) {
        return ours;
    }
    let damaged = |why: &str| ArchiveError::Damaged(format!("{}: {why}", path.display()));
    match cause::<io::Error>(error) {
        Some(source) => match source.kind() {
            io::ErrorKind::NotFound => damaged("the file is missing"),
            io::ErrorKind::UnexpectedEof => damaged("the file ends too early"),
            _ => ArchiveError::io(path, io_again(source)),
        },
        None => damaged(&error.to_string()),
    }
}

/// Why the log of an archive cannot be opened.
pub(crate) fn of_log(archive: &Path, error: KernelError) -> ArchiveError {
    match error {
        KernelError::Backtraced { source, .. } => of_log(archive, *source),
        KernelError::ObjectStore(error) => ArchiveError::io(archive, error.into()),
        KernelError::IOError(error) => ArchiveError::io(archive, error),
        KernelError::Unsupported(what) => {
            ArchiveError::Unsupported(format!("{}: {what}", archive.display()))
        }
        // A table that another program has made.
        KernelError::InvalidProtocol(what) => {
            ArchiveError::Unsupported(format!("{}: {what}", archive.display()))
        }
        error => match cause::<io::Error>(&error) {
            Some(error) => ArchiveError::io(archive, io_again(error)),
            None if cause::<object_store::Error>(&error).is_some() => {
                ArchiveError::io(archive, io::Error::other(error.to_string()))
            }
            None => ArchiveError::Damaged(format!("its log cannot be read ({error})")),
        },
    }
}

/// What the kernel says about writing to the log. An error of the operating system is one of input and output.
pub(crate) fn of_commit(path: &Path, error: KernelError) -> ArchiveError {
    let system = match &error {
        // Neither of the two names its cause.
        KernelError::IOError(error) => Some(error),
        KernelError::ObjectStore(error) => cause(error),
        _ => None,
    };
    match (system.map(io_again), error) {
        (Some(system), _) => ArchiveError::io(path, system),
        (None, KernelError::Backtraced { source, .. }) => of_commit(path, *source),
        (None, error) => error.into(),
    }
}

/// What the writer of Parquet says about an answer: where it goes cannot be written, or a column cannot be held.
pub(crate) fn of_output(error: ParquetError) -> ArchiveError {
    match cause::<io::Error>(&error) {
        Some(error) => ArchiveError::Output(io_again(error)),
        None => ArchiveError::Query(format!("this cannot be written as Parquet: {error}")),
    }
}

impl From<KernelError> for ArchiveError {
    fn from(error: KernelError) -> Self {
        // Some of the kernel's errors include a backtrace in their text; what the user needs is inside it.
        match error {
            KernelError::Backtraced { source, .. } => (*source).into(),
            KernelError::Unsupported(what) => Self::Unsupported(what),
            other => Self::Delta(other.to_string()),
        }
    }
}

impl From<ParquetError> for ArchiveError {
    fn from(error: ParquetError) -> Self {
        Raised::among(&error).unwrap_or_else(|| Self::Damaged(error.to_string()))
    }
}

impl From<ArrowError> for ArchiveError {
    fn from(error: ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}

impl From<DataFusionError> for ArchiveError {
    fn from(error: DataFusionError) -> Self {
        if let Some(ours) = Raised::among(&error) {
            return ours;
        }
        let told = error.to_string();
        if let Some((_, why)) = told.split_once(FILTER) {
            return Self::Query(of_filter(why));
        }
        let root = error.find_root();
        // Nothing but data files is read as Parquet, or through a store.
        let of_a_file = match root {
            DataFusionError::ParquetError(error) => Some(error.to_string()),
            DataFusionError::ObjectStore(error) => Some(error.to_string()),
            DataFusionError::ArrowError(error, _) => match error.as_ref() {
                ArrowError::ParquetError(text) => Some(text.clone()),
                _ => None,
            },
            _ => cause::<object_store::Error>(&error).map(ToString::to_string),
        };
        if let Some(what) = of_a_file {
            return Self::Damaged(what);
        }
        let text = match root {
            DataFusionError::ResourcesExhausted(_) => {
                return Self::Limit("the query needs more memory than it may use".to_owned());
            }
            DataFusionError::SQL(parser, _) if **parser == ParserError::RecursionLimitExceeded => {
                return Self::Limit("the query is nested too deeply".to_owned());
            }
            DataFusionError::SQL(parser, _) => parser.to_string(),
            DataFusionError::ArrowError(error, _) => of_arrow(error),
            root => root.message().into_owned(),
        };
        // A filter's condition is part of a query whose table has no name.
        Self::Query(plain(&text.replace("\"?table?\".", "")))
    }
}

/// How the engine begins the text of an error in a condition that it evaluates while it reads a file.
const FILTER: &str = "Error evaluating filter predicate: ";

/// What stands in the text of such an error, which is that of a Rust value.
fn of_filter(text: &str) -> String {
    if text.contains("DivideByZero") {
        return of_arrow(&ArrowError::DivideByZero);
    }
    let Some((_, quoted)) = text.split_once('"') else { return text.to_owned() };
    let mut message = String::new();
    let mut chars = quoted.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => return message,
            '\\' => message.extend(chars.next().map(|char| if char == 'n' { '\n' } else { char })),
            char => message.push(char),
        }
    }
    text.to_owned()
}

/// What an operation on values of the query has to say.
fn of_arrow(error: &ArrowError) -> String {
    match error {
        ArrowError::DivideByZero => "division by zero".to_owned(),
        ArrowError::CastError(text)
        | ArrowError::ComputeError(text)
        | ArrowError::InvalidArgumentError(text)
        | ArrowError::ParseError(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is said of a condition that is a value of another type.
pub(crate) fn of_kind(kind: &str) -> String {
    format!("the condition is a value of the type {kind}, expected one that is true or false")
}

/// How the engine refuses what is not a SELECT query.
const REFUSED: [&str; 4] = [
    "DDL not supported",
    "DML not supported",
    "Statement not supported",
    "Unsupported SQL statement",
];

/// The message of an engine error, reworded for somebody who knows SQL but not the engine.
fn plain(text: &str) -> String {
    if let Some((_, call)) = text.split_once("given name and argument types '")
        && let Some((call, _)) = call.split_once('\'')
        && !call.contains("BinaryView")
        && ["requires Float64", "Exact(Float64", "expects Numeric"]
            .iter()
            .any(|number| text.contains(number))
    {
        let call =
            call.replace("Utf8View", "text").replace("Utf8", "text").replace("Date32", "date");
        return format!("{call} is not possible, expected numbers");
    }
    // Of the reasons why a call fits none of a function's forms, the last is said: the others repeat it, or are of forms that nobody
    // has meant.
    if let Some((_, why)) = text.split_once("failed to match any signature, errors: ")
        && let Some((_, why)) = why.rsplit_once("Error during planning: ")
    {
        return why.trim_end_matches('.').to_owned();
    }
    // What the engine takes for a mistake of its own is not ours to report.
    let text = text.split("\nThis issue was likely caused by a bug in").next().unwrap_or(text);
    // The reason why a call does not match is between two sentences about engine internals.
    if let Some((_, rest)) = text.split_once("coercion failed with: Error during planning: ") {
        return rest.split(". No function matches").next().unwrap_or(rest).to_owned();
    }
    if let Some((_, call)) = text.split_once("given name and argument types '")
        && let Some((name, types)) = call.split_once('(')
        && let Some((types, _)) = types.split_once(")'")
        && types.contains("BinaryView")
    {
        return format!(
            "{name} cannot be called with {types}, where BinaryView stands for bytes such as moves: plies(moves) is the \
             number of half-moves, octet_length(moves) that of bytes, san(moves) the moves as text"
        );
    }
    if let Some((_, missing)) = text.split_once("No field named ") {
        return no_column(missing);
    }
    if let Some(missing) = text.strip_prefix("Invalid function '")
        && let Some((name, near)) = missing.split_once("'.\nDid you mean '")
    {
        let near = near.trim_end_matches(['?', '\'']);
        let near = near_function(name).unwrap_or_else(|| near.to_owned());
        return format!("there is no function {name}: did you mean {near}?");
    }
    if let Some(missing) = text.strip_prefix("table 'datafusion.public.")
        && let Some((name, _)) = missing.split_once("' not found")
    {
        return format!("there is no table \"{name}\": the table is games");
    }
    if text.starts_with("Cannot create filter with non-boolean predicate")
        && let Some((_, kind)) = text.rsplit_once(" returning ")
    {
        return of_kind(kind);
    }
    if REFUSED.iter().any(|no| text.starts_with(no)) {
        return format!("only SELECT queries are allowed, archives are read-only here ({text})");
    }
    if text.contains("Ambiguous reference to unqualified field other_tags") {
        return "several tables of the query have tags: name the list of one of them, as in tag(g.other_tags, 'Opening')".to_owned();
    }
    if text.contains("OuterReferenceColumn(") {
        return "a subquery refers to a table outside of it in a way that is not supported: try a join".to_owned();
    }
    if text.starts_with("The context currently only supports a single SQL statement") {
        return "there are several statements, expected one".to_owned();
    }
    if text.starts_with("No SQL statements were provided") {
        return "there is no query, expected one: SELECT …".to_owned();
    }
    for prefix in
        ["sql parser error: ", "Execution error: ", "Error during planning: ", "Internal error: "]
    {
        if let Some(rest) = text.strip_prefix(prefix) {
            return rest.to_owned();
        }
    }
    text.to_owned()
}

/// The function of ours whose name is nearly this one: a letter is another one, too many or missing, or two have changed places.
fn near_function(name: &str) -> Option<String> {
    let mut ours: Vec<String> =
        functions::scalar().iter().map(|function| function.name().to_owned()).collect();
    ours.push(functions::explore().name().to_owned());
    ours.into_iter().find(|ours| osa_distance(ours, &name.to_lowercase()) <= 1)
}

/// What is said of a column that is not there: `whit. Did you mean 'white'?` and then a list of those that are.
fn no_column(missing: &str) -> String {
    let (first, rest) = missing.split_once('\n').unwrap_or((missing, ""));
    let (name, near) = match first.split_once(". Did you mean '") {
        Some((name, near)) => (name, near.strip_suffix("'?")),
        None => (first.trim_end_matches('.'), None),
    };
    let columns = rest.rsplit_once("Valid fields are ").map(|(_, columns)| columns);
    // The table has one name in nearly all queries.
    let short = |names: &str| names.replace("games.", "");
    let others = match (near, columns) {
        (Some(near), _) => format!(": did you mean {}?", short(near)),
        (None, Some(columns)) => format!(", expected {}", short(columns.trim_end_matches('.'))),
        (None, None) => String::new(),
    };
    format!("there is no column {name}{others}")
}

/// Reads something with libraries that panic at some damage: that is an error, which names the place.
pub(crate) fn caught<T>(
    place: &Path,
    read: impl FnOnce() -> Result<T, ArchiveError>,
) -> Result<T, ArchiveError> {
    // What a panic leaves behind is not used again.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let what = format!("{}: it cannot be read ({})", place.display(), said(panic.as_ref()));
        Err(ArchiveError::Damaged(what))
    })
}

/// The same for a log, on a thread of its own, which has a name: so a program can keep the words of a panic to itself.
pub(crate) fn caught_in_log<T: Send>(
    archive: &Path,
    read: impl FnOnce() -> Result<T, ArchiveError> + Send,
) -> Result<T, ArchiveError> {
    let mut read = Some(read);
    let ended = thread::scope(|scope| {
        let run = || read.take().map(|read| read());
        let thread = thread::Builder::new().name(LOG_THREAD.to_owned()).spawn_scoped(scope, run);
        Some(thread.ok()?.join())
    });
    match (ended, read) {
        (Some(Ok(Some(result))), _) => result,
        (Some(Err(panic)), _) => {
            let said = said(panic.as_ref());
            let what = format!("{}: its log or a checkpoint in it is damaged", archive.display());
            Err(ArchiveError::Damaged(format!("{what} ({said})")))
        }
        // There is no thread to be had.
        (_, Some(read)) => caught(archive, read),
        (_, None) => Err(ArchiveError::ThreadLost),
    }
}

/// The name of the threads that read logs.
const LOG_THREAD: &str = "halfmove-log";

/// What a library said when it gave up.
pub(crate) fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("nothing")
}
