//! What can go wrong with an archive.

use std::path::{Path, PathBuf};

use datafusion::error::DataFusionError;
use datafusion::parquet::errors::ParquetError;
use delta_kernel::KernelError;

/// Why something could not be done with an archive.
///
/// The messages say what is wrong, where, and what was expected. What the user of a program can do about it, in
/// the words of that program, is for the program to add.
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
    /// An archive cannot be made at the path.
    #[error("cannot make an archive at {}: {why}", path.display())]
    CannotCreate {
        /// Where the archive should have been made.
        path: PathBuf,
        /// What stands in the way.
        why: String,
    },
    /// The archive was written by another version of this library, in a format that this one does not know.
    #[error("the archive at {} has format {found}, this program knows format {known}", path.display())]
    Format {
        /// The archive.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format that is known.
        known: &'static str,
    },
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
    /// A query could not be understood or carried out.
    #[error("{0}")]
    Query(String),
    /// A position was given as a FEN that is none.
    #[error("the FEN \"{fen}\": {why}")]
    Fen {
        /// The text that was given.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// No game has this number.
    #[error("no game has the id {id}: the archive holds {games} games")]
    NoSuchGame {
        /// The number that was asked for.
        id: i64,
        /// How many games there are; their ids are 1 to this number.
        games: u64,
    },
    /// Other writers kept on taking the version that this one tried to write; nothing was written.
    #[error("gave up after {attempts} attempts to write to {}: other programs write to it all the time", path.display())]
    Conflict {
        /// The archive.
        path: PathBuf,
        /// How often it was tried.
        attempts: u32,
    },
    /// Something in the archive is not as this library writes it.
    #[error("the archive is damaged: {0}")]
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
        // Some of the kernel's errors carry a backtrace in their text; what the user needs is inside.
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

impl From<DataFusionError> for ArchiveError {
    fn from(error: DataFusionError) -> Self {
        // An error of ours that went through the engine comes back as it was, not as the engine's text about it.
        let root = match error.find_root() {
            DataFusionError::SQL(parser, _) => {
                parser.to_string().replacen("sql parser error: ", "", 1)
            }
            root => root.message().into_owned(),
        };
        Self::Query(root)
    }
}

impl From<datafusion::arrow::error::ArrowError> for ArchiveError {
    fn from(error: datafusion::arrow::error::ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}
