//! The games with faults, copied unchanged from their files.

use super::tape::Tape;
use super::texts::Texts;
use crate::new_file::NewFile;
use crate::output::{self, Unwritable};
use anyhow::Context;
use std::path::{Path, PathBuf};

pub(super) struct Rejects {
    texts: Texts<NewFile>,
    games: u64,
}

impl Rejects {
    pub(super) fn create(path: &Path, inputs: &[PathBuf], force: bool) -> anyhow::Result<Self> {
        let file = NewFile::create(path, inputs, force).context("--rejects")?;
        Ok(Self { texts: Texts::new(file), games: 0 })
    }

    /// Adds the game whose text is between two offsets, or goes to the end of the file.
    pub(super) fn push(
        &mut self,
        file: &str,
        tape: &Tape,
        from: u64,
        to: Option<u64>,
    ) -> anyhow::Result<()> {
        let Some(text) = tape.text(from, to) else {
            output::note(format_args!(
                "warning: {file}: the game at byte {from} is too long to be copied"
            ));
            return Ok(());
        };
        self.texts.copy(&text).map_err(Unwritable::from)?;
        self.games += 1;
        Ok(())
    }

    /// The number of games.
    pub(super) fn finish(self) -> anyhow::Result<u64> {
        self.texts.into_inner().finish()?;
        Ok(self.games)
    }
}
