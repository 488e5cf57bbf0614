//! The source files of an archive's games, identified by their content, so that the same file is not imported twice by
//! mistake, even under another name.

use std::fmt;
use std::hash::Hasher;
use std::io::{self, ErrorKind, Read};

use serde_json::{Value, json};
use twox_hash::XxHash64;

/// The number of bytes read at a time.
const STEP: usize = 1 << 20;

/// The content of a file in a few bytes: its length and a checksum, XXH64. Different files have different ones, unless
/// they were crafted to collide.
///
/// ```
/// use halfmove_archive::ContentSum;
///
/// let sum = ContentSum::of("1. e4 *\n".as_bytes())?;
/// assert_eq!(sum, ContentSum::of("1. e4 *\n".as_bytes())?);
/// assert_ne!(sum, ContentSum::of("1. d4 *\n".as_bytes())?);
/// assert_eq!(sum.bytes(), 8);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentSum {
    bytes: u64,
    hash: u64,
}

impl ContentSum {
    /// Reads everything; compressed data is not unpacked.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub fn of(mut reader: impl Read) -> io::Result<Self> {
        let mut hasher = XxHash64::with_seed(0);
        let mut block = vec![0; STEP];
        let mut bytes = 0;
        loop {
            match reader.read(&mut block) {
                Ok(0) => return Ok(Self { bytes, hash: hasher.finish() }),
                Ok(read) => {
                    hasher.write(&block[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The checksum in hexadecimal.
impl fmt::Display for ContentSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.hash)
    }
}

/// An input that an import has read, as the log records it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportedSource {
    /// Its name, if it had one.
    pub name: Option<String>,
    /// The checksum of its content.
    pub sum: ContentSum,
    /// The number of games that were imported from it.
    pub games: u64,
}

impl ImportedSource {
    pub(crate) fn new(name: Option<&str>, sum: ContentSum, games: u64) -> Self {
        Self { name: name.map(str::to_owned), sum, games }
    }

    pub(crate) fn to_json(&self) -> Value {
        let Self { name, sum, games } = self;
        json!({ "name": name, "bytes": sum.bytes, "xxh64": sum.to_string(), "games": games })
    }

    /// Ignores fields that another version may have written differently.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let hash = value.get("xxh64").and_then(Value::as_str)?;
        let hash = u64::from_str_radix(hash, 16).ok()?;
        let sum = ContentSum { bytes: number("bytes")?, hash };
        let name = value.get("name").and_then(Value::as_str);
        Some(Self::new(name, sum, number("games")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value is stored in logs, so it must never change. This is the reference implementation's for "abc", seed 0.
    #[test]
    fn the_checksum_is_that_of_the_standard() {
        let sum = ContentSum::of("abc".as_bytes()).expect("read");
        assert_eq!((sum.to_string().as_str(), sum.bytes()), ("44bc2cf5ad770999", 3));
    }
}
