//! What can go wrong with an archive: the errors of all layers. Imports nothing of the crate.

mod convert;

use std::path::{Path, PathBuf};

use halfmove_game::codec::EncodeError;

pub(crate) use self::convert::{caught, caught_in_log, of_commit, of_file, of_log};

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
    /// What was given to name an archive looks like a URL, and names no place that this program can open.
    #[error("cannot open {url}: {why}")]
    Url {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The archive is in an object store, where archives are only read.
    #[error("the archive at {} is in an object store, where nothing can be changed: change it in a local folder and copy that there, its folder _delta_log last", path.display())]
    ReadOnly {
        /// The archive.
        path: PathBuf,
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
    /// A later version of this library has added a column. The archive can be read, but what would lose the column cannot
    /// be done.
    #[error("the archive at {} has the column {column}, which a later version of this program has added: only that version can do this", path.display())]
    UnknownColumn {
        /// The archive.
        path: PathBuf,
        /// The name of the column.
        column: String,
    },
    /// The moves of a game have no bytes: it is one of Makruk or its kin, and a side starts with more than 16 pieces.
    #[error("a game cannot be stored: {0}")]
    NotStorable(EncodeError),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// Another program has made the archive use a feature of Delta Lake that this library does not have.
    #[error("the archive needs a feature of Delta Lake that this program does not have: {0}")]
    Unsupported(String),
    /// The transaction log of the table could not be read or written.
    #[error("the table's log: {0}")]
    Delta(String),
    /// A filter makes no sense.
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
        /// The id that was asked for.
        id: i64,
        /// The number of games there are. Where games were removed, there are gaps between their ids.
        games: u64,
        /// The highest id of a game, 0 if there is none.
        last_id: i64,
    },
    /// There is no such version of the archive, or its log does not tell of it any more.
    #[error("the archive at {} has no version {version}: {why}", path.display())]
    NoSuchVersion {
        /// The archive.
        path: PathBuf,
        /// The version that was asked for.
        version: u64,
        /// Why there is none.
        why: String,
    },
    /// A change cannot be taken back.
    #[error("cannot go back in the archive at {}: {why}", path.display())]
    CannotUndo {
        /// The archive.
        path: PathBuf,
        /// What prevents it.
        why: String,
    },
    /// Another program changed the archive in the moment of the commit; nothing was written. Trying again helps.
    #[error("another program changed the archive at {} at the same time: nothing was written", path.display())]
    Conflict {
        /// The archive.
        path: PathBuf,
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
    /// The work was stopped by whoever watches it.
    #[error("it was stopped")]
    Stopped,
    /// The last step of a commit failed, and it is unknown whether the change was committed. The files are kept: the log
    /// may name them. Open the archive again to see.
    #[error("the archive at {}: it is unknown whether the change was committed, because the last step failed: {why}", path.display())]
    OutcomeUnknown {
        /// The archive.
        path: PathBuf,
        /// What failed.
        why: String,
    },
    /// A worker thread panicked: a mistake in this library.
    #[error("internal error: a worker thread panicked; please report it")]
    ThreadLost,
    /// Something in the archive is not in the form that this library writes.
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

    /// Damage in a file.
    pub(crate) fn in_file(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Damaged(format!("{}: {why}", path.display()))
    }
}

/// Why a filter makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// A text has no word that could be looked for.
    #[error("{field} \"{text}\" has no word in it: expected a letter or a digit")]
    NoWord {
        /// The field of the [`Filter`](crate::Filter).
        field: &'static str,
        /// Its text.
        text: String,
    },
    /// No opening has all the words in its name.
    #[error("no opening is called \"{text}\"{}", offer(near))]
    NoSuchOpening {
        /// The text that was looked for.
        text: String,
        /// Names of openings that come near it.
        near: Vec<String>,
    },
    /// A list of games cannot have a column.
    #[error("a list of games cannot have the column \"{name}\": expected {expected}, or tag:NAME")]
    NoColumn {
        /// The column.
        name: String,
        /// The columns that it can have.
        expected: String,
    },
    /// A field says something about the player, and no player is named.
    #[error("{field} is about the player, and no player is named")]
    NoPlayer {
        /// The field of the [`Filter`](crate::Filter), or the one by which [scores](crate::Archive::scores) are grouped.
        field: &'static str,
    },
}

/// A question, if there are any names to ask about.
fn offer(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
}
