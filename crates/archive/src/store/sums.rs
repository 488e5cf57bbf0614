//! Checksums, by which damage is told from what was written: CRC-32, the one of gzip and Parquet.
//!
//! ```text
//!  entry of the log      file                              page
//!  ┌───────────────┐     ┌──────────────────────────┐
//!  │ crc of itself │     │ pages ─────────┐         │     header, data
//!  │ crc of file   │────▶│                ▼         │
//!  │ crc of footer │────▶│ footer: crc of each page │────▶
//!  └───────────────┘     └──────────────────────────┘
//! ```
//!
//! Opening an archive compares those of the log, the first look at a file that of its footer, and each look at a page
//! that of the page. Only [`Archive::verify`](crate::Archive::verify) reads whole files. Entries and files of other
//! writers have no checksums, and are not checked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use crc32fast::Hasher;
use delta_kernel::{KernelError, KernelResult};
use serde_json::{Map, Value};

use crate::error::ArchiveError;

/// The tags of a file in the log: the checksum of the whole file, that of its footer, and how long the footer is.
const FILE_TAGS: [&str; 3] = ["halfmove.crc32", "halfmove.footer.crc32", "halfmove.footer.bytes"];

/// What an entry of the log says about its own checksum. There are two fields, so that damage to one does not make
/// the entry look like one without a checksum.
const METHOD: (&str, &str) = ("halfmove.checksum", "crc32");
const ENTRY: &str = "halfmove.entry.crc32";

/// The checksums of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    /// That of the whole file.
    pub(crate) file: u32,
    /// That of what stands behind the last page.
    pub(crate) footer: u32,
    /// How many bytes that are.
    pub(crate) footer_bytes: u64,
}

impl Sums {
    fn tags(self) -> Value {
        let values = [hex(self.file), hex(self.footer), self.footer_bytes.to_string()];
        let tags = FILE_TAGS.iter().zip(values);
        Value::Object(tags.map(|(name, value)| ((*name).to_owned(), value.into())).collect())
    }

    fn from_tags(tags: &Value) -> Option<Self> {
        let [file, footer, bytes] = FILE_TAGS.map(|name| tags.get(name).and_then(Value::as_str));
        Some(Self {
            file: from_hex(file?)?,
            footer: from_hex(footer?)?,
            footer_bytes: bytes?.parse().ok()?,
        })
    }
}

fn hex(sum: u32) -> String {
    format!("{sum:08x}")
}

fn from_hex(text: &str) -> Option<u32> {
    (text.len() == 8).then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

/// The checksum of a file from some byte on.
pub(crate) fn sum_from(file: &mut File, start: u64) -> std::io::Result<u32> {
    file.seek(SeekFrom::Start(start))?;
    let mut hasher = Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finalize()),
            Ok(length) => hasher.update(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes checksums into an entry of the log that is not yet in its place: those of its files, by their names, and
/// its own. `properties` are set in the new metadata of the table, if the entry has any. Returns the entry's length.
pub(super) fn seal(
    entry: &Path,
    properties: &[(String, String)],
    files: &HashMap<String, Sums>,
) -> KernelResult<u64> {
    let text = std::fs::read_to_string(entry)?;
    let (mut changed, mut has_metadata, mut open) =
        (String::with_capacity(text.len()), false, None);
    for line in text.lines() {
        let mut action: Value = serde_json::from_str(line)?;
        if let Some(Value::Object(configuration)) = action.pointer_mut("/metaData/configuration") {
            has_metadata = true;
            for (name, value) in properties {
                configuration.insert(name.clone(), value.as_str().into());
            }
        }
        if let Some(Value::Object(add)) = action.get_mut("add")
            && let Some(sums) = add.get("path").and_then(Value::as_str).and_then(|at| files.get(at))
        {
            add.insert("tags".to_owned(), sums.tags());
        }
        let info = action.get_mut("commitInfo").and_then(Value::as_object_mut);
        let is_first_info = info.is_some() && open.is_none();
        if let Some(info) = info.filter(|_| is_first_info) {
            info.insert(METHOD.0.to_owned(), METHOD.1.into());
            info.insert(ENTRY.to_owned(), "".into());
        }
        let line = action.to_string();
        if is_first_info {
            open = place(&line).map(|at| changed.len() + at);
        }
        changed.push_str(&line);
        changed.push('\n');
    }
    if !properties.is_empty() && !has_metadata {
        return Err(KernelError::generic("a change of the schema without metadata"));
    }
    let open = open.ok_or_else(|| KernelError::generic("a change without information on it"))?;
    let sum = hex(crc32fast::hash(changed.as_bytes()));
    changed.insert_str(open, &sum);
    std::fs::write(entry, &changed)?;
    Ok(changed.len() as u64)
}

/// Where in an entry the value of its checksum begins.
fn place(entry: &str) -> Option<usize> {
    let before = format!("\"{ENTRY}\":\"");
    entry.find(&before).map(|at| at + before.len())
}

/// What the log says about checksums.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    /// Those of the files that any entry names.
    files: HashMap<String, Sums>,
    /// The first version that has not been read.
    next: u64,
    /// How many entries there are, and how many of these have no checksum.
    pub(crate) entries: u64,
    pub(crate) unchecked: u64,
}

impl Log {
    /// What is wrong with an entry that is not there.
    pub(crate) const MISSING: &str = "the entry is missing";

    /// The name of the first entry that is missing before this version.
    pub(crate) fn lacks(&self, version: u64) -> Option<String> {
        (self.next <= version).then(|| name_of(self.next))
    }

    /// Reads all entries that there are, and passes what is wrong with one to `problem`, with its name.
    pub(crate) fn read(
        archive: &Path,
        mut problem: impl FnMut(String, String) -> Result<(), ArchiveError>,
    ) -> Result<Self, ArchiveError> {
        let folder = archive.join("_delta_log");
        let mut versions = Vec::new();
        let mut first = 0;
        let failed = |error| ArchiveError::io(&folder, error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some(name) = name.to_str() else { continue };
            versions.extend(version_of(name, ".json"));
            // A checkpoint stands for the entries before it.
            if let Some((version, _)) = name.split_once(".checkpoint.") {
                first = version_of(version, "").map_or(first, |version| first.max(version + 1));
            }
        }
        versions.sort_unstable();
        let mut log = Self::default();
        let mut next = first;
        for version in versions {
            if version > next {
                problem(name_of(next), Self::MISSING.to_owned())?;
            }
            next = next.max(version + 1);
            if let Err(what) = log.read_entry(&folder, version)? {
                problem(name_of(version), what)?;
            }
        }
        log.next = next;
        Ok(log)
    }

    /// The same, ending with the first problem.
    pub(crate) fn read_sound(archive: &Path) -> Result<Self, ArchiveError> {
        Self::read(archive, |entry, what| {
            let entry = archive.join("_delta_log").join(entry);
            Err(ArchiveError::Damaged(format!("{}: {what}", entry.display())))
        })
    }

    /// Reads the entries that have come since, up to some version.
    pub(crate) fn read_to(&mut self, archive: &Path, version: u64) -> Result<(), ArchiveError> {
        let folder = archive.join("_delta_log");
        while self.next <= version {
            if let Err(what) = self.read_entry(&folder, self.next)? {
                let entry = folder.join(name_of(self.next));
                return Err(ArchiveError::Damaged(format!("{}: {what}", entry.display())));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The checksums of a file, by its name.
    pub(crate) fn sums(&self, name: &str) -> Option<Sums> {
        self.files.get(name).copied()
    }

    /// Reads an entry. The inner error says what is wrong with it.
    fn read_entry(
        &mut self,
        folder: &Path,
        version: u64,
    ) -> Result<Result<(), String>, ArchiveError> {
        let path = folder.join(name_of(version));
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            // A checkpoint may have taken its place.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ok(())),
            Err(error) => return Err(ArchiveError::io(&path, error)),
        };
        Ok(self.check(&bytes))
    }

    fn check(&mut self, entry: &[u8]) -> Result<(), String> {
        self.entries += 1;
        if entry.is_empty() {
            return Err("the entry is empty".to_owned());
        }
        let text = str::from_utf8(entry).map_err(|error| format!("not a text: {error}"))?;
        match (place(text), text.contains(METHOD.0)) {
            (None, false) => self.unchecked += 1,
            (None, true) => return Err("its checksum is missing".to_owned()),
            (Some(at), _) => {
                let sum = text.get(at..at + 8).and_then(from_hex);
                let sum = sum.ok_or("its checksum is missing")?;
                let mut hasher = Hasher::new();
                hasher.update(&entry[..at]);
                hasher.update(&entry[at + 8..]);
                let found = hasher.finalize();
                if found != sum || text[at..at + 8] != hex(sum) {
                    return Err(mismatch(found, sum));
                }
            }
        }
        for line in text.lines().filter(|line| line.contains(FILE_TAGS[0])) {
            let action: Option<Map<String, Value>> = serde_json::from_str(line).ok();
            let add = action.as_ref().and_then(|action| action.get("add"));
            if let Some(add) = add
                && let Some(path) = add.get("path").and_then(Value::as_str)
                && let Some(sums) = add.get("tags").and_then(Sums::from_tags)
            {
                self.files.insert(path.to_owned(), sums);
            }
        }
        Ok(())
    }
}

/// How a checksum differs.
pub(crate) fn mismatch(found: u32, expected: u32) -> String {
    format!("its checksum is {found:08x}, expected {expected:08x}")
}

fn name_of(version: u64) -> String {
    format!("{version:020}.json")
}

fn version_of(name: &str, ending: &str) -> Option<u64> {
    let digits = name.strip_suffix(ending)?;
    (digits.len() == 20).then(|| digits.parse().ok()).flatten()
}

/// A file whose checksum is computed while it is written.
#[derive(Debug)]
pub(crate) struct Summed {
    file: File,
    hasher: Hasher,
}

impl Summed {
    pub(crate) fn new(file: File) -> Self {
        Self { file, hasher: Hasher::new() }
    }

    /// The file, and the checksum of what was written.
    pub(crate) fn finish(self) -> (File, u32) {
        (self.file, self.hasher.finalize())
    }
}

impl std::io::Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
