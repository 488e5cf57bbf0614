//! Files that were imported before, recognized by their content.

use super::files::{Files, STDIN};
use crate::interrupt::Interrupt;
use crate::output::{counted, grouped};
use anyhow::Context;
use halfmove_archive::{ContentSum, HistoryEntry, ImportedSource, Importer};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The maximum number of files imported before to name; more are only counted.
const MAX_NAMED: usize = 5;

/// The files to import, each with the sum of its content, unless it can be read only once.
#[derive(Default)]
pub(super) struct New {
    pub(super) files: Vec<(PathBuf, Option<ContentSum>)>,
    /// Notes on the other files.
    pub(super) notes: Vec<String>,
    /// The number of files that were imported before.
    pub(super) known: u64,
}

impl New {
    /// Checks all files. With `again`, files that were imported before are included. An import by conditions counts only for
    /// another one by the same conditions.
    pub(super) fn among(
        files: &Files,
        importer: &Importer,
        again: bool,
        conditions: Option<&str>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let mut imports = if again { Vec::new() } else { importer.imports()? };
        imports.retain(|import| import.reason.is_none() || import.reason.as_deref() == conditions);
        let all = imports.iter().flat_map(|import| {
            import.sources.iter().map(move |source| (source.sum, (import, source)))
        });
        // Of several imports, the last one.
        let before: HashMap<ContentSum, (&HistoryEntry, &ImportedSource)> = all.collect();
        let mut here: HashMap<ContentSum, &Path> = HashMap::new();
        let mut new = Self::default();
        let mut known = Vec::new();
        for path in &files.paths {
            let sum = sum_of(path, interrupt)?;
            let twin = sum.and_then(|sum| here.get(&sum));
            if let Some(sum) = sum.filter(|_| !again) {
                if let Some((import, source)) = before.get(&sum) {
                    known.push(known_note(path, import, source));
                    continue;
                }
                if let Some(twin) = twin {
                    let (path, twin) = (path.display(), twin.display());
                    new.notes.push(format!("{path}: has the same content as {twin}, read once"));
                    continue;
                }
                here.insert(sum, path);
            }
            new.files.push((path.clone(), sum));
        }
        new.known = known.len() as u64;
        match known.len() {
            0..=MAX_NAMED => new.notes.append(&mut known),
            _ => {
                let files = counted(new.known, "file");
                new.notes.push(format!("{files} imported before: nothing was imported from them"));
            }
        }
        if new.known > 0 {
            new.notes.push("(to import files again: --again)".to_owned());
        }
        Ok(new)
    }

    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|(path, _)| path.clone()).collect()
    }

    /// The length of all files, if it is known.
    pub(super) fn total(&self) -> Option<u64> {
        self.files.iter().map(|(_, sum)| Some(sum.as_ref()?.bytes())).sum()
    }

    /// The text for an import without new files.
    pub(super) fn nothing_new(&self) -> String {
        let were = if self.known == 1 { "was" } else { "were" };
        format!("nothing new: {} {were} imported before", counted(self.known, "file"))
    }
}

/// The note on the earlier import of a file.
fn known_note(path: &Path, import: &HistoryEntry, source: &ImportedSource) -> String {
    let mut text = format!("{}: imported before", path.display());
    let name = path.file_name().map(|name| name.to_string_lossy());
    if let Some(old) = source.name.as_deref().filter(|old| name.as_deref() != Some(*old)) {
        text += &format!(", as {old}");
    }
    if let Some(time) = import.time() {
        text += &format!(", at {time}");
    }
    let games = counted(source.games, "game");
    let version = grouped(import.version);
    text + &format!(", in version {version} with {games}: nothing was imported from it")
}

/// The sum of a file's content; `None` if the file can be read only once.
fn sum_of(path: &Path, interrupt: &Interrupt) -> anyhow::Result<Option<ContentSum>> {
    if path == Path::new(STDIN) || !path.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(None);
    }
    let cannot = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(cannot)?;
    let summed = ContentSum::of(Stoppable { file, interrupt });
    match interrupt.check() {
        Some(interrupted) => Err(anyhow::Error::new(interrupted).context("nothing was imported")),
        None => Ok(Some(summed.with_context(cannot)?)),
    }
}

/// A file that ends early after an interrupt.
struct Stoppable<'a> {
    file: File,
    interrupt: &'a Interrupt,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.interrupt.check() {
            Some(_) => Ok(0),
            None => self.file.read(bytes),
        }
    }
}
