//! A file of an archive that is being read: a local open file, or a remote file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// The number of bytes of a remote file per request when it is read to its end.
const STEP: u64 = 8 << 20;

/// A file that is being read.
#[derive(Debug, Clone)]
pub(crate) enum FileReader {
    Local(Arc<File>),
    // Only object stores create these.
    #[cfg_attr(not(feature = "object-store"), allow(dead_code))]
    Remote(Arc<dyn RemoteFile>),
}

/// A file that is read by requests.
pub(crate) trait RemoteFile: std::fmt::Debug + Send + Sync {
    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;

    /// Fetches some ranges now, in few requests, for the reads that follow.
    fn fetch(&self, ranges: Vec<Range<u64>>) -> io::Result<()>;

    /// The bytes from an offset on that have been fetched already, if any.
    fn fetched(&self, start: u64) -> Option<Bytes>;

    /// The bytes of a range.
    fn bytes(&self, range: Range<u64>) -> io::Result<Bytes>;
}

impl From<File> for FileReader {
    fn from(file: File) -> Self {
        Self::Local(Arc::new(file))
    }
}

impl FileReader {
    /// The length in bytes.
    pub(crate) fn length(&self) -> io::Result<u64> {
        match self {
            Self::Local(file) => Ok(file.metadata()?.len()),
            Self::Remote(file) => file.length(),
        }
    }

    /// Announces reads. A remote file fetches the ranges now, in few requests; for a local file it does nothing.
    pub(crate) fn fetch(&self, ranges: impl FnOnce() -> Vec<Range<u64>>) -> io::Result<()> {
        match self {
            Self::Local(_) => Ok(()),
            Self::Remote(file) => file.fetch(ranges()),
        }
    }

    /// The bytes from an offset to the end.
    pub(crate) fn stream(&self, start: u64) -> io::Result<FileStream> {
        Ok(match self {
            Self::Local(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                FileStream::Local(BufReader::new(file))
            }
            Self::Remote(file) => FileStream::Remote(RemoteStream {
                file: Arc::clone(file),
                next: start,
                buffer: Bytes::new(),
            }),
        })
    }

    /// The bytes of a range.
    pub(crate) fn bytes(&self, range: Range<u64>) -> io::Result<Bytes> {
        match self {
            Self::Local(file) => {
                let length = usize::try_from(range.end.saturating_sub(range.start))
                    .map_err(io::Error::other)?;
                // A damaged footer may request more than there is memory.
                if range.end > file.metadata()?.len() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                let mut bytes = vec![0; length];
                read_exact_at(file, &mut bytes, range.start)?;
                Ok(bytes.into())
            }
            Self::Remote(file) => file.bytes(range),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

impl Length for FileReader {
    fn len(&self) -> u64 {
        self.length().unwrap_or(0)
    }
}

impl ChunkReader for FileReader {
    type T = FileStream;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(self.stream(start)?)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.saturating_add(length as u64);
        self.bytes(start..end).map_err(|error| ParquetError::External(Box::new(error)))
    }
}

/// The bytes of a file, one after another.
#[derive(Debug)]
pub(crate) enum FileStream {
    Local(BufReader<File>),
    Remote(RemoteStream),
}

impl Read for FileStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Local(file) => file.read(buffer),
            Self::Remote(file) => file.read(buffer),
        }
    }
}

/// The bytes of a remote file, one after another.
#[derive(Debug)]
pub(crate) struct RemoteStream {
    file: Arc<dyn RemoteFile>,
    /// The offset of the end of the buffer.
    next: u64,
    buffer: Bytes,
}

impl Read for RemoteStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.buffer.is_empty() {
            self.buffer = match self.file.fetched(self.next) {
                Some(bytes) => bytes,
                None => {
                    let end = self.file.length()?.min(self.next.saturating_add(STEP));
                    self.file.bytes(self.next..end)?
                }
            };
            self.next += self.buffer.len() as u64;
        }
        let length = buffer.len().min(self.buffer.len());
        self.buffer.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}
