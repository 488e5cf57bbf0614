//! The archive that a verb is about.

use clap::Args;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// An archive or a file whose games are read.
#[derive(Debug, Args)]
pub(crate) struct ReadGames {
    /// The archive: its folder, or its URL; or a PGN file
    #[arg(id = "archive", value_name = "ARCHIVE")]
    pub(crate) path: PathBuf,
}

/// An archive that is read.
#[derive(Debug, Args)]
pub(crate) struct ReadArchive {
    /// The archive: its folder, or its URL
    #[arg(id = "archive", value_name = "ARCHIVE")]
    pub(crate) path: PathBuf,
}

/// An archive that is changed.
#[derive(Debug, Args)]
pub(crate) struct ChangeArchive {
    /// The archive's folder
    #[arg(id = "archive", value_name = "ARCHIVE")]
    pub(crate) path: PathBuf,
}

impl Deref for ReadGames {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Deref for ReadArchive {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Deref for ChangeArchive {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}
