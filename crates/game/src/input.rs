//! Input files, compressed or not.

mod decoder;
mod unpack;

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use self::decoder::{Counted, Format, Head};
use self::unpack::Unpacked;

/// A file, or standard input, opened for reading and decompressed on the fly.
///
/// The format is detected from the first bytes, never from the name: zstd (any window, several frames), gzip and bzip2
/// (several members or streams, and zeros after the last), or uncompressed. Each compressed format is a feature of
/// this crate, on by default. A truncated compressed file is an error: [`Read::read`] fails with an [`InputError`]
/// inside.
///
/// Files with more than 256 KiB of decompressed data are decompressed by a separate thread, a few blocks ahead of the
/// reader. The thread ends when the `Input` is dropped.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 *\n")?;
/// use std::io::Read;
/// use std::sync::atomic::Ordering;
/// use halfmove_game::Input;
///
/// let mut input = Input::open(&path)?;
/// let consumed = input.consumed();
/// let mut text = String::new();
/// input.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *\n");
/// assert_eq!(Some(consumed.load(Ordering::Relaxed)), input.total());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Input {
    path: PathBuf,
    source: Source,
    consumed: Arc<AtomicU64>,
    total: Option<u64>,
}

enum Source {
    Plain(Counted),
    Packed(Format, Unpacked),
}

/// An input that cannot be read.
#[derive(Debug, Error)]
#[error("{}: {kind}", display(path))]
pub struct InputError {
    /// The file; `-` is standard input.
    pub path: PathBuf,
    /// The reason.
    pub kind: InputErrorKind,
}

/// The reason why an input cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// There is no such file.
    #[error("no such file")]
    NotFound,
    /// The path is a folder.
    #[error("is a folder, expected a file")]
    Folder,
    /// The format is not supported.
    #[error("is {found}, expected PGN, plain or compressed with zstd, gzip or bzip2: {advice}")]
    Unsupported {
        /// The format found.
        found: &'static str,
        /// Advice to the user.
        advice: &'static str,
    },
    /// This build of the library does not support the format.
    #[error(
        "is compressed with {format}, which this build cannot read: unpack it first, or build halfmove-game with the feature {format}"
    )]
    MissingFeature {
        /// The format, which is also the name of the feature.
        format: &'static str,
    },
    /// A compressed file is truncated.
    #[error("truncated {format} file: it ends within the compressed data, after {bytes} bytes")]
    Truncated {
        /// The name of the format.
        format: &'static str,
        /// The number of compressed bytes in the file.
        bytes: u64,
    },
    /// A compressed file is damaged.
    #[error("damaged {format} file, about {bytes} bytes in: {error}")]
    Damaged {
        /// The name of the format.
        format: &'static str,
        /// The number of compressed bytes read so far.
        bytes: u64,
        /// The decoder's error.
        error: io::Error,
    },
    /// An error of the operating system.
    #[error("cannot be read: {0}")]
    Io(io::Error),
}

fn display(path: &Path) -> impl fmt::Display {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

impl From<InputError> for io::Error {
    fn from(error: InputError) -> io::Error {
        let kind = match &error.kind {
            InputErrorKind::NotFound => ErrorKind::NotFound,
            InputErrorKind::Folder => ErrorKind::IsADirectory,
            InputErrorKind::Truncated { .. } => ErrorKind::UnexpectedEof,
            InputErrorKind::Unsupported { .. } | InputErrorKind::MissingFeature { .. } => {
                ErrorKind::Unsupported
            }
            InputErrorKind::Damaged { .. } => ErrorKind::InvalidData,
            InputErrorKind::Io(error) => error.kind(),
        };
        io::Error::new(kind, error)
    }
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    ///
    /// If the file is missing, is a folder or cannot be read, or if its format is recognized as
    /// unsupported (zip, xz, 7-Zip, RAR, UTF-16, UTF-32).
    pub fn open(path: impl AsRef<Path>) -> Result<Input, InputError> {
        let path = path.as_ref();
        Input::open_raw(path).map_err(|kind| InputError { path: path.to_owned(), kind })
    }

    fn open_raw(path: &Path) -> Result<Input, InputErrorKind> {
        let (source, total): (Box<dyn Read + Send>, _) = if path == Path::new("-") {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => InputErrorKind::NotFound,
                ErrorKind::IsADirectory => InputErrorKind::Folder,
                _ => InputErrorKind::Io(error),
            })?;
            let metadata = file.metadata().map_err(InputErrorKind::Io)?;
            if metadata.is_dir() {
                return Err(InputErrorKind::Folder);
            }
            (Box::new(file), metadata.is_file().then_some(metadata.len()))
        };
        Input::from_source(source, path.to_owned(), total)
    }

    /// Reads possibly compressed data from any source, such as a part of a file or a response of a server. Errors call
    /// it `name`.
    ///
    /// ```
    /// use std::io::Read;
    /// use halfmove_game::Input;
    ///
    /// let mut input = Input::from_reader("1. e4 *\n".as_bytes(), "the answer")?;
    /// let mut text = String::new();
    /// input.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), input.total()), ("1. e4 *\n", None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Same as [`Input::open`].
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: impl Into<PathBuf>,
    ) -> Result<Input, InputError> {
        let path = name.into();
        Input::from_source(Box::new(reader), path.clone(), None)
            .map_err(|kind| InputError { path, kind })
    }

    fn from_source(
        mut source: Box<dyn Read + Send>,
        path: PathBuf,
        total: Option<u64>,
    ) -> Result<Input, InputErrorKind> {
        let mut head = Vec::new();
        source.by_ref().take(8).read_to_end(&mut head).map_err(InputErrorKind::Io)?;
        let found = Head::of(&head)?;
        let consumed = Arc::new(AtomicU64::new(0));
        let counted = Counted::new(Box::new(io::Cursor::new(head).chain(source)), &consumed);
        let source = match found {
            Head::Plain => Source::Plain(counted),
            Head::Packed(format) => Source::Packed(format, Unpacked::new(format.decoder(counted)?)),
        };
        Ok(Input { path, source, consumed, total })
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of bytes of the file, before decompression, consumed so far. It is updated while another thread
    /// reads, so it can drive a progress bar.
    pub fn consumed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.consumed)
    }

    /// The length of the file in bytes; `None` for standard input, pipes and devices.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    fn explain(&self, error: io::Error) -> InputErrorKind {
        let bytes = self.consumed.load(Ordering::Relaxed);
        let format = match self.source {
            Source::Plain(_) => return InputErrorKind::Io(error),
            Source::Packed(format, _) => format.name(),
        };
        match error.kind() {
            ErrorKind::UnexpectedEof => InputErrorKind::Truncated { format, bytes },
            _ if error.raw_os_error().is_some() => InputErrorKind::Io(error),
            _ => InputErrorKind::Damaged { format, bytes, error },
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.source {
            Source::Plain(file) => file.read(bytes),
            Source::Packed(_, unpacked) => unpacked.read(bytes),
        };
        read.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            _ => InputError { path: self.path.clone(), kind: self.explain(error) }.into(),
        })
    }
}
