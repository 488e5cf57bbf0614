//! The errors of all layers. May import nothing of the crate.

mod convert;

use std::path::{Path, PathBuf};

use halfmove_game::codec::EncodeError;

pub(crate) use self::convert::{caught, caught_in_log, of_commit, of_file, of_log};

/// The reason why an operation on an archive failed.
///
/// Messages say what is wrong, where, and what was expected. Programs add advice in their own terms.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no archive at the path.
    #[error("no archive at {}: {why}", path.display())]
    NotAnArchive {
        /// The path of the expected archive.
        path: PathBuf,
        /// A description of the contents of the path.
        why: String,
    },
    /// An archive cannot be created at the path.
    #[error("cannot make an archive at {}: {why}", path.display())]
    CannotCreate {
        /// The path of the archive to be created.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The name of the archive looks like a URL, but cannot be opened as one.
    #[error("cannot open {url}: {why}")]
    Url {
        /// The URL.
        url: String,
        /// The reason.
        why: String,
    },
    /// The archive is in an object store, where archives are read-only.
    #[error("the archive at {} is in an object store and read-only: change it in a local folder and copy that to the store, its folder _delta_log last", path.display())]
    ReadOnly {
        /// The archive.
        path: PathBuf,
    },
    /// The archive was written by another version of this library, in an unknown format.
    #[error("the archive at {} has format {found}, this program knows format {known}", path.display())]
    Format {
        /// The archive.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format that this library supports.
        known: &'static str,
    },
    /// A later version of this library has added a column. The archive can be read, but operations that would lose the
    /// column fail.
    #[error("the archive at {} has the column {column}, which a later version of this program has added: only that version can do this", path.display())]
    UnknownColumn {
        /// The archive.
        path: PathBuf,
        /// The name of the column.
        column: String,
    },
    /// The moves of a game cannot be encoded: it is a game of Makruk or a variant, and a side starts with more than 16
    /// pieces.
    #[error("a game cannot be stored: {0}")]
    NotStorable(EncodeError),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Another program has enabled an unsupported feature of Delta Lake.
    #[error("the archive needs a feature of Delta Lake that this program does not support: {0}")]
    Unsupported(String),
    /// The transaction log of the table could not be read or written.
    #[error("the table's log: {0}")]
    Delta(String),
    /// The filter is invalid.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The archive has no ids left for more games.
    #[error(
        "no ids are left for {games} games: the highest that was given is {last_id}, and there are none above {}",
        i64::MAX
    )]
    NoIdsLeft {
        /// The number of games that need an id.
        games: u64,
        /// The highest id of a game, now or earlier.
        last_id: i64,
    },
    /// No game has this id.
    #[error(
        "no game has the id {id}: the archive holds {games} games, the highest id is {last_id}"
    )]
    NoSuchGame {
        /// The requested id.
        id: i64,
        /// The number of games. Removed games leave gaps between the ids.
        games: u64,
        /// The highest id of a game, 0 if there is none.
        last_id: i64,
    },
    /// The archive has no such version, or its log no longer has the entries for it.
    #[error("the archive at {} has no version {version}: {why}", path.display())]
    NoSuchVersion {
        /// The archive.
        path: PathBuf,
        /// The requested version.
        version: u64,
        /// The reason.
        why: String,
    },
    /// A change cannot be undone.
    #[error("cannot go back in the archive at {}: {why}", path.display())]
    CannotUndo {
        /// The archive.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// Another program changed the archive during the commit; nothing was written. The operation can be retried.
    #[error("another program changed the archive at {} at the same time: nothing was written", path.display())]
    Conflict {
        /// The archive.
        path: PathBuf,
    },
    /// Another program has meanwhile replaced files that were being rewritten; nothing was written.
    #[error("{} has changed while it was being rewritten: another program has replaced the same files", path.display())]
    Overtaken {
        /// The archive.
        path: PathBuf,
    },
    /// A file of this version no longer exists, because another program has changed the archive and deleted the files
    /// of older versions. Open the archive again.
    #[error("the archive at {} has changed since it was opened: its newest version no longer has {file}, which has been deleted; open it again", path.display())]
    Outdated {
        /// The archive.
        path: PathBuf,
        /// The name of the file.
        file: String,
    },
    /// An input of an import could not be opened or read to its end.
    #[error("{0}")]
    Input(std::io::Error),
    /// Rows of games could not be read, or are not those of the data set.
    #[error("{name}: {why}")]
    Rows {
        /// The name of their source.
        name: String,
        /// The reason.
        why: String,
    },
    /// A column of rows of games has a type whose values are not those of the data set.
    #[error("{name}: the column {column} is {found}, expected {expected}")]
    ColumnType {
        /// The name of the source of the rows.
        name: String,
        /// The name of the column.
        column: &'static str,
        /// The type of the column.
        found: arrow_schema::DataType,
        /// The types that it may have.
        expected: &'static str,
    },
    /// The work was cancelled, or stopped by its watch.
    #[error("it was stopped")]
    Stopped,
    /// The last step of a commit failed, and it is unknown whether the change was committed. The files are kept,
    /// because the log may refer to them. Open the archive again to find out.
    #[error("the archive at {}: it is unknown whether the change was committed, because the last step failed: {why}", path.display())]
    OutcomeUnknown {
        /// The archive.
        path: PathBuf,
        /// The step that failed.
        why: String,
    },
    /// A worker thread panicked: a bug in this library.
    #[error("internal error: a worker thread panicked; please report it")]
    ThreadLost,
    /// Part of the archive is damaged.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
}

impl ArchiveError {
    /// The message of the error with those of its sources, for a program that shows one text.
    ///
    /// ```
    /// use halfmove_archive::Archive;
    ///
    /// let error = Archive::open("no/such/folder").unwrap_err();
    /// assert!(error.to_full_string().starts_with(&error.to_string()));
    /// ```
    pub fn to_full_string(&self) -> String {
        let mut message = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(error) = source {
            let more = error.to_string();
            if !message.contains(&more) {
                message += &format!(": {more}");
            }
            source = error.source();
        }
        message
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(what: impl ToString) -> Self {
        Self::Damaged(what.to_string())
    }

    /// Damage in a file.
    pub(crate) fn in_file(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Damaged(format!("{}: {why}", path.display()))
    }
}

/// The reason why a filter is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// A text has no word to search for.
    #[error("{field} \"{text}\" has no word in it: expected a letter or a digit")]
    NoWord {
        /// The field of the [`Filter`](crate::Filter).
        field: &'static str,
        /// Its text.
        text: String,
    },
    /// No opening's name has all the words.
    #[error("no opening is called \"{text}\"{}", offer(near))]
    NoSuchOpening {
        /// The text.
        text: String,
        /// Similar names of openings.
        near: Vec<String>,
    },
    /// A list of games cannot have a column.
    #[error("a list of games cannot have the column \"{name}\": expected {expected}")]
    NoColumn {
        /// The column.
        name: String,
        /// The columns that it can have.
        expected: String,
    },
    /// A field refers to the player, but no player is named.
    #[error("{field} refers to the player, but no player is named")]
    NoPlayer {
        /// The field of the [`Filter`](crate::Filter), or the one by which [scores](crate::Archive::scores) are grouped.
        field: &'static str,
    },
}

/// A suggestion of names, if there are any.
fn offer(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
}
