//! Files that a verb writes: whole or not at all, and never over what it reads.

use anyhow::{Context, bail};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that gets its name when it is complete. Until then it has another one, so that a part is
/// never mistaken for the whole. A device or a pipe is written directly.
pub(crate) struct NewFile {
    path: PathBuf,
    /// The name until then.
    unfinished: Option<PathBuf>,
    out: BufWriter<File>,
}

impl NewFile {
    /// Begins a file that must be none of `inputs`.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let same = |input: &PathBuf| match (input.canonicalize(), path.canonicalize()) {
            (Ok(input), Ok(path)) => input == path,
            _ => false,
        };
        let is_regular = fs::metadata(path).map_or(true, |data| data.is_file());
        if is_regular && inputs.iter().any(same) {
            bail!("{}: this file is being read, expected another one to write to", path.display());
        }
        let unfinished = is_regular.then(|| {
            let mut name = path.as_os_str().to_owned();
            name.push(".part");
            PathBuf::from(name)
        });
        let target = unfinished.as_deref().unwrap_or(path);
        let file =
            File::create(target).with_context(|| format!("cannot write {}", target.display()))?;
        Ok(Self { path: path.to_owned(), unfinished, out: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Everything is written: the file gets its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let finished = self.out.flush().and_then(|()| match &self.unfinished {
            Some(unfinished) => {
                self.out.get_ref().sync_all()?;
                fs::rename(unfinished, &self.path)
            }
            None => Ok(()),
        });
        finished.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.unfinished = None;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for NewFile {
    /// What was not finished is removed.
    fn drop(&mut self) {
        if let Some(unfinished) = &self.unfinished {
            // A part that cannot be removed is only litter.
            let _ = fs::remove_file(unfinished);
        }
    }
}
