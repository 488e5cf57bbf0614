//! Checksums, which detect damage: CRC-32, as in gzip and Parquet.
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
//! The checksums of the log are checked when an archive is opened, that of a footer at the first use of the file, and
//! that of a page whenever it is read. Only [`Archive::verify`](crate::Archive::verify) reads whole files. Entries and
//! files of other writers have no checksums, and are not checked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use crc32fast::Hasher;
use delta_kernel::{KernelError, KernelResult};
use serde_json::{Map, Value};

use super::FileReader;

/// The tags of a file in the log: the checksum of the whole file, that of its footer, and the length of the footer.
const FILE_TAGS: [&str; 3] = ["halfmove.crc32", "halfmove.footer.crc32", "halfmove.footer.bytes"];

/// The field of an entry of the log that names the checksum method. With two fields, damage to one does not make
/// the entry look like one without a checksum.
const METHOD: (&str, &str) = ("halfmove.checksum", "crc32");
const ENTRY: &str = "halfmove.entry.crc32";

/// The field with the entry's version, so that a copy of another entry is not taken for it.
const VERSION: &str = "halfmove.version";

/// The field with the checksum of the entry before, so that an entry of another archive is not taken for one of this.
const BEFORE: &str = "halfmove.before.crc32";

/// The checksums of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    /// The checksum of the whole file.
    pub(crate) file: u32,
    /// The checksum of everything after the last page.
    pub(crate) footer: u32,
    /// The length of the footer in bytes.
    pub(crate) footer_bytes: u64,
}

impl Sums {
    fn tags(self) -> Value {
        let values = [hex(self.file), hex(self.footer), self.footer_bytes.to_string()];
        let tags = FILE_TAGS.iter().zip(values);
        Value::Object(tags.map(|(name, value)| ((*name).to_owned(), value.into())).collect())
    }

    /// Reads the checksums from the tags of a file.
    pub(crate) fn from_tags<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let [file, footer, bytes] = FILE_TAGS.map(tag);
        Some(Self {
            file: from_hex(file?)?,
            footer: from_hex(footer?)?,
            footer_bytes: bytes?.parse().ok()?,
        })
    }
}

pub(super) fn hex(sum: u32) -> String {
    format!("{sum:08x}")
}

pub(super) fn from_hex(text: &str) -> Option<u32> {
    (text.len() == 8).then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

/// The checksum of a file from an offset on.
pub(crate) fn sum_from(file: &FileReader, start: u64) -> std::io::Result<u32> {
    let mut file = file.stream(start)?;
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

/// The parts of an entry of the log that the kernel does not write.
#[derive(Debug, Default)]
pub(super) struct Extras {
    /// Properties that change with the schema. The kernel can set properties only when a table is created.
    pub(super) properties: Vec<(String, String)>,
    /// The checksums of the added files, by their names.
    pub(super) sums: HashMap<String, Sums>,
    /// Fields of `commitInfo`.
    pub(super) notes: Map<String, Value>,
    /// Further actions.
    pub(super) again: Vec<Value>,
}

/// Adds these parts to an entry of the log that is not yet in its place, with its version, the checksum of the entry
/// before it, if that exists, and its own checksum. Returns the entry's length.
pub(super) fn seal(
    entry: &Path,
    version: u64,
    before: Option<u32>,
    extras: &Extras,
) -> KernelResult<u64> {
    let text = std::fs::read_to_string(entry)?;
    let (mut changed, mut has_metadata, mut is_open) =
        (String::with_capacity(text.len()), false, false);
    for line in text.lines() {
        let mut action: Value = serde_json::from_str(line)?;
        if let Some(Value::Object(configuration)) = action.pointer_mut("/metaData/configuration") {
            has_metadata = true;
            for (name, value) in &extras.properties {
                configuration.insert(name.clone(), value.as_str().into());
            }
        }
        if let Some(Value::Object(add)) = action.get_mut("add")
            && let Some(name) = add.get("path").and_then(Value::as_str)
            && let Some(sums) = extras.sums.get(name)
        {
            add.insert("tags".to_owned(), sums.tags());
        }
        let info = action.get_mut("commitInfo").and_then(Value::as_object_mut);
        if let Some(info) = info.filter(|_| !is_open) {
            info.extend(extras.notes.clone());
            info.insert(VERSION.to_owned(), version.into());
            if let Some(before) = before {
                info.insert(BEFORE.to_owned(), hex(before).into());
            }
            info.extend(fields());
            is_open = true;
        }
        changed.push_str(&action.to_string());
        changed.push('\n');
    }
    for action in &extras.again {
        changed.push_str(&action.to_string());
        changed.push('\n');
    }
    if !extras.properties.is_empty() && !has_metadata {
        return Err(KernelError::generic("a change of the schema without metadata"));
    }
    let changed = sealed(changed).filter(|_| is_open);
    let changed =
        changed.ok_or_else(|| KernelError::generic("a change without information on it"))?;
    std::fs::write(entry, &changed)?;
    Ok(changed.len() as u64)
}

/// The offset of the checksum's value in an entry.
fn place(entry: &str) -> Option<usize> {
    let before = format!("\"{ENTRY}\":\"");
    entry.find(&before).map(|at| at + before.len())
}

/// Fills in the empty checksum field of a text; `None` if it has no such field.
pub(super) fn sealed(mut text: String) -> Option<String> {
    let at = place(&text)?;
    let sum = hex(crc32fast::hash(text.as_bytes()));
    text.insert_str(at, &sum);
    Some(text)
}

/// The fields of `commitInfo`, or of the tags of a checkpoint, for the checksum of the text and the checksum method.
pub(super) fn fields() -> [(String, Value); 2] {
    [(METHOD.0.to_owned(), METHOD.1.into()), (ENTRY.to_owned(), "".into())]
}

/// Compares an entry of the log with its checksum, its version, and the checksum of the entry before, if that was read.
/// Returns true if it has a checksum. The error describes the problem.
pub(crate) fn check_entry_of(
    version: u64,
    before: Option<u32>,
    entry: &[u8],
) -> Result<bool, String> {
    let is_checked = check_entry(entry)?;
    if is_checked && let Some(found) = version_in(entry).filter(|found| *found != version) {
        return Err(format!("it is a copy of the entry of version {found}"));
    }
    if is_checked
        && let Some((found, before)) = before_in(entry).zip(before)
        && found != before
    {
        return Err(
            "the entry before it is not the one that was there when it was written".to_owned()
        );
    }
    Ok(is_checked)
}

/// The version in an entry; `None` for entries of earlier library versions.
fn version_in(entry: &[u8]) -> Option<u64> {
    let rest = behind(entry, &format!("\"{VERSION}\":"))?;
    let end = rest.find(|char: char| !char.is_ascii_digit())?;
    rest[..end].parse().ok()
}

/// The checksum of the entry before; `None` for entries of earlier library versions.
fn before_in(entry: &[u8]) -> Option<u32> {
    from_hex(behind(entry, &format!("\"{BEFORE}\":\""))?.get(..8)?)
}

/// The text after a field's name in an entry.
fn behind<'a>(entry: &'a [u8], name: &str) -> Option<&'a str> {
    str::from_utf8(entry).ok()?.split_once(name).map(|(_, rest)| rest)
}

/// Compares a text of the log with its checksum. Returns true if it has one. The error describes the problem.
pub(super) fn check_entry(entry: &[u8]) -> Result<bool, String> {
    if entry.is_empty() {
        return Err("the entry is empty".to_owned());
    }
    let text = str::from_utf8(entry).map_err(|error| format!("not a text: {error}"))?;
    let Some(at) = place(text) else {
        let missing = Err("its checksum is missing".to_owned());
        return if text.contains(METHOD.0) { missing } else { check_lines(text).map(|()| false) };
    };
    let sum = text.get(at..at + 8).and_then(from_hex).ok_or("its checksum is missing")?;
    let mut hasher = Hasher::new();
    hasher.update(&entry[..at]);
    hasher.update(&entry[at + 8..]);
    let found = hasher.finalize();
    if found != sum || text[at..at + 8] != hex(sum) {
        return Err(mismatch(found, sum));
    }
    Ok(true)
}

/// The check of a text without a checksum: each line is an object.
fn check_lines(text: &str) -> Result<(), String> {
    for (number, line) in (1..).zip(text.lines()) {
        let object = serde_json::from_str::<Map<String, Value>>(line);
        if let Err(error) = object
            && !line.trim().is_empty()
        {
            return Err(format!("line {number} is no JSON object: {error}"));
        }
    }
    Ok(())
}

/// Describes a checksum that does not match.
pub(crate) fn mismatch(found: u32, expected: u32) -> String {
    format!("its checksum is {found:08x}, expected {expected:08x}")
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

    /// Returns the file, and the checksum of the bytes written.
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
