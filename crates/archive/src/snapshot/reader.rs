//! A file of an archive that is being read: an open file, or an object.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::{Buf, Bytes};
use datafusion::parquet::errors::{ParquetError, Result};
use datafusion::parquet::file::reader::{ChunkReader, Length};
use delta_kernel::object_store::path::Path as StorePath;

use super::objects::Objects;

/// How many bytes of an object that is read to its end are asked for at a time.
const STEP: u64 = 8 << 20;

/// A file that is being read.
#[derive(Debug)]
pub(crate) enum FileReader {
    Local(File),
    Object(ObjectReader),
}

impl FileReader {
    /// How many bytes it has.
    pub(crate) fn length(&self) -> io::Result<u64> {
        match self {
            Self::Local(file) => Ok(file.metadata()?.len()),
            Self::Object(object) => object.length(),
        }
    }

    /// What is going to be read. From a store it is fetched now, in few requests; an open file has nothing to gain.
    pub(crate) fn fetch(&mut self, ranges: impl FnOnce() -> Vec<Range<u64>>) -> io::Result<()> {
        match self {
            Self::Local(_) => Ok(()),
            Self::Object(object) => object.fetch(ranges()),
        }
    }

    /// The bytes from some place to the end.
    pub(crate) fn stream(&self, start: u64) -> io::Result<FileStream> {
        Ok(match self {
            Self::Local(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                FileStream::Local(BufReader::new(file))
            }
            Self::Object(object) => FileStream::Object(ObjectStream {
                object: object.clone(),
                next: start,
                buffer: Bytes::new(),
            }),
        })
    }
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
        match self {
            Self::Local(file) => file.get_bytes(start, length),
            Self::Object(object) => {
                let end = start.saturating_add(length as u64);
                object.bytes(start..end).map_err(|error| ParquetError::External(Box::new(error)))
            }
        }
    }
}

/// An object that is being read.
#[derive(Debug, Clone)]
pub(crate) struct ObjectReader {
    objects: Arc<Objects>,
    at: StorePath,
    length: OnceLock<u64>,
    /// What has been fetched, and where it begins.
    fetched: Vec<(u64, Bytes)>,
}

impl ObjectReader {
    pub(super) fn new(objects: Arc<Objects>, at: StorePath) -> Self {
        Self { objects, at, length: OnceLock::new(), fetched: Vec::new() }
    }

    fn length(&self) -> io::Result<u64> {
        if let Some(length) = self.length.get() {
            return Ok(*length);
        }
        let length = self.objects.length(&self.at)?;
        Ok(*self.length.get_or_init(|| length))
    }

    fn fetch(&mut self, mut ranges: Vec<Range<u64>>) -> io::Result<()> {
        ranges.retain(|range| range.start < range.end);
        let all = self.objects.ranges(&self.at, ranges.clone())?;
        self.fetched.extend(ranges.iter().map(|range| range.start).zip(all));
        Ok(())
    }

    /// What has been fetched from some byte on, if that has.
    fn fetched(&self, start: u64) -> Option<Bytes> {
        self.fetched.iter().find_map(|(from, bytes)| {
            let skipped = usize::try_from(start.checked_sub(*from)?).ok()?;
            (skipped < bytes.len()).then(|| bytes.slice(skipped..))
        })
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        match self.fetched(range.start) {
            Some(bytes) if bytes.len() >= length => Ok(bytes.slice(..length)),
            _ => {
                let mut all = self.objects.ranges(&self.at, vec![range])?;
                all.pop().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        }
    }
}

/// The bytes of a file, one after another.
#[derive(Debug)]
pub(crate) enum FileStream {
    Local(BufReader<File>),
    Object(ObjectStream),
}

impl Read for FileStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Local(file) => file.read(buffer),
            Self::Object(object) => object.read(buffer),
        }
    }
}

/// The bytes of an object, one after another.
#[derive(Debug)]
pub(crate) struct ObjectStream {
    object: ObjectReader,
    /// Where the buffer ends.
    next: u64,
    buffer: Bytes,
}

impl Read for ObjectStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.buffer.is_empty() {
            self.buffer = match self.object.fetched(self.next) {
                Some(bytes) => bytes,
                None => {
                    let end = self.object.length()?.min(self.next.saturating_add(STEP));
                    self.object.bytes(self.next..end)?
                }
            };
            self.next += self.buffer.len() as u64;
        }
        let length = buffer.len().min(self.buffer.len());
        self.buffer.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}
