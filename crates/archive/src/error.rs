//! What can go wrong with an archive.

use std::path::{Path, PathBuf};

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::parquet::errors::ParquetError;
use delta_kernel::KernelError;

/// Why an operation on an archive failed.
///
/// The messages say what is wrong, where, and what was expected. Programs add advice to the user in
/// their own terms.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no archive at the path.
    #[error("no archive at {}: {why}", path.display())]
    NotAnArchive {
        /// Where an archive was looked for.
        path: PathBuf,
        /// What was found instead.
        why: String,
    },
    /// An archive cannot be created at the path.
    #[error("cannot make an archive at {}: {why}", path.display())]
    CannotCreate {
        /// Where the archive should have been created.
        path: PathBuf,
        /// What prevents it.
        why: String,
    },
    /// The archive was written by another version of this library, in a format that this one does not know.
    #[error("the archive at {} has format {found}, this program knows format {known}", path.display())]
    Format {
        /// The archive.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format that this library knows.
        known: &'static str,
    },
    /// The archive has an older format. It can be read, and nothing is added to it.
    #[error("the archive at {} has format {found}: it has to be upgraded to format {current} before anything is added", path.display())]
    OldFormat {
        /// The archive.
        path: PathBuf,
        /// Its format.
        found: &'static str,
        /// The format that this library writes.
        current: &'static str,
    },
    /// An archive holds games of chess and Chess960 only.
    #[error("a game of {0} cannot be stored: expected chess or Chess960")]
    NotChess(&'static str),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The transaction log of the table could not be read or written.
    #[error("the table's log: {0}")]
    Delta(String),
    /// A query could not be parsed or executed.
    #[error("{0}")]
    Query(String),
    /// A FEN is invalid.
    #[error("the FEN \"{fen}\": {why}")]
    Fen {
        /// The text that was given.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// No game has this id.
    #[error("no game has the id {id}: the archive holds {games} games")]
    NoSuchGame {
        /// The id that was asked for.
        id: i64,
        /// How many games there are; their ids are 1 to this number.
        games: u64,
    },
    /// Other writers kept taking the version that this one tried to write; nothing was written.
    #[error("gave up after {attempts} attempts to write to {}: other programs write to it all the time", path.display())]
    Conflict {
        /// The archive.
        path: PathBuf,
        /// The number of attempts.
        attempts: u32,
    },
    /// Files that were being rewritten have been replaced by another program meanwhile; nothing was written.
    #[error("{} has changed while it was being rewritten: another program has replaced the same files", path.display())]
    Overtaken {
        /// The archive.
        path: PathBuf,
    },
    /// An input of an import could not be opened or read to its end.
    #[error("{0}")]
    Input(std::io::Error),
    /// The import was stopped by whoever watches it.
    #[error("the import was stopped")]
    Stopped,
    /// The last step of a commit failed so that nobody can say whether the games arrived. The files are kept: the log
    /// may name them. Open the archive again to see.
    #[error("the archive at {}: nobody can say whether the import has arrived, because the last step failed: {why}", path.display())]
    OutcomeUnknown {
        /// The archive.
        path: PathBuf,
        /// What failed.
        why: String,
    },
    /// A thread of an import has ended early: a mistake in this library.
    #[error("a thread of the import has ended early")]
    ThreadLost,
    /// Something in the archive is not in the form that this library writes.
    #[error("{DAMAGED}{0}")]
    Damaged(String),
}

impl ArchiveError {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(what: impl ToString) -> Self {
        Self::Damaged(what.to_string())
    }
}

impl From<KernelError> for ArchiveError {
    fn from(error: KernelError) -> Self {
        // Some of the kernel's errors include a backtrace in their text; what the user needs is inside it.
        match error {
            KernelError::Backtraced { source, .. } => (*source).into(),
            other => Self::Delta(other.to_string()),
        }
    }
}

impl From<ParquetError> for ArchiveError {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// An error of ours on its way through the engine, which may keep only its text. So that text is the message, between
/// marks by which it is found again.
pub(crate) struct Raised(pub(crate) ArchiveError);

const MARKS: [char; 2] = ['\u{2}', '\u{3}'];

impl std::fmt::Debug for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", MARKS[0], self.0, MARKS[1])
    }
}

/// What an error of ours says about damage, in the text of another error.
pub(crate) fn ours(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(MARKS[0])?;
    let (ours, _) = rest.split_once(MARKS[1])?;
    ours.strip_prefix(DAMAGED)
}

/// How the text of [`ArchiveError::Damaged`] begins.
const DAMAGED: &str = "the archive is damaged: ";

impl std::error::Error for Raised {}

impl From<DataFusionError> for ArchiveError {
    fn from(error: DataFusionError) -> Self {
        let root = error.find_root();
        if let DataFusionError::External(inner) = root
            && let Some(Raised(inner)) = inner.downcast_ref::<Raised>()
        {
            return match inner {
                Self::Fen { fen, why } => Self::Fen { fen: fen.clone(), why: why.clone() },
                Self::Damaged(what) => Self::Damaged(what.clone()),
                other => Self::Query(other.to_string()),
            };
        }
        let told = root.to_string();
        if let Some(what) = ours(&told) {
            return Self::damaged(what);
        }
        // Nothing but data files is read as Parquet, or through a store.
        let of_a_file = match root {
            DataFusionError::ParquetError(error) => Some(error.to_string()),
            DataFusionError::ObjectStore(error) => Some(error.to_string()),
            DataFusionError::ArrowError(error, _) => match error.as_ref() {
                ArrowError::ParquetError(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(what) = of_a_file {
            return Self::Damaged(what);
        }
        let text = match root {
            DataFusionError::SQL(parser, _) => parser.to_string(),
            root => root.message().into_owned(),
        };
        // A filter's condition is part of a query whose table has no name.
        Self::Query(plain(&text.replace("\"?table?\".", "")))
    }
}

/// The message of an engine error, reworded for somebody who knows SQL but not the engine.
fn plain(text: &str) -> String {
    if let Some((_, rest)) = text.split_once(MARKS[0])
        && let Some((ours, _)) = rest.split_once(MARKS[1])
    {
        return ours.to_owned();
    }
    // The reason why a call does not match is between two sentences about engine internals.
    if let Some((_, rest)) = text.split_once("coercion failed with: Error during planning: ") {
        return rest.split(". No function matches").next().unwrap_or(rest).to_owned();
    }
    if let Some(missing) = text.strip_prefix("table 'datafusion.public.")
        && let Some((name, _)) = missing.split_once("' not found")
    {
        return format!("there is no table \"{name}\": the table is games");
    }
    if ["DDL not supported", "DML not supported", "Statement not supported"]
        .iter()
        .any(|no| text.starts_with(no))
    {
        return format!("only questions (SELECT …) are answered, nothing can be changed ({text})");
    }
    for prefix in ["sql parser error: ", "Execution error: ", "Error during planning: "] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return rest.to_owned();
        }
    }
    text.to_owned()
}

impl From<ArrowError> for ArchiveError {
    fn from(error: ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}
