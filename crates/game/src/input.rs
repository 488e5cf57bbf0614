//! Files of games, compressed or not.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

/// The largest window that zstd supports (`--long=31`): 2 GiB. Decoders with the default limit of
/// 128 MiB reject dumps that were compressed with a long window.
const WINDOW_LOG_MAX: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

const BUFFER: usize = 128 * 1024;

/// A file, or standard input, opened for reading and decompressed on the fly.
///
/// The format is detected from the first bytes, never from the name: zstd (any window, several
/// frames), gzip (several members), bzip2 (several streams), or uncompressed. A truncated
/// compressed file gives an error: [`Read::read`] then fails with an [`InputError`] inside.
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
    decoder: Decoder,
    consumed: Arc<AtomicU64>,
    total: Option<u64>,
}

enum Decoder {
    Plain(Counted),
    Zstd(zstd::stream::read::Decoder<'static, Counted>),
    Gzip(Box<flate2::bufread::MultiGzDecoder<Counted>>),
    Bzip2(bzip2::bufread::MultiBzDecoder<Counted>),
}

/// An input that cannot be read.
#[derive(Debug, Error)]
#[error("{}: {kind}", display(path))]
pub struct InputError {
    /// The file; `-` is standard input.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: InputErrorKind,
}

/// Why an input cannot be read.
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
        /// What the user can do about it.
        advice: &'static str,
    },
    /// A compressed file is truncated.
    #[error("truncated {format} file: it ends within the compressed data, after {bytes} bytes")]
    Truncated {
        /// The name of the format.
        format: &'static str,
        /// How many compressed bytes there were.
        bytes: u64,
    },
    /// The decoder rejects a compressed file.
    #[error("damaged {format} file, about {bytes} bytes in: {error}")]
    Damaged {
        /// The name of the format.
        format: &'static str,
        /// How many compressed bytes had been read.
        bytes: u64,
        /// The decoder's error.
        error: io::Error,
    },
    /// The operating system reports an error.
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
            InputErrorKind::Unsupported { .. } | InputErrorKind::Damaged { .. } => {
                ErrorKind::InvalidData
            }
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
    /// unsupported (zip, xz, 7-Zip, RAR, UTF-16).
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
        Input::from_reader(source, path.to_owned(), total)
    }

    fn from_reader(
        mut source: Box<dyn Read + Send>,
        path: PathBuf,
        total: Option<u64>,
    ) -> Result<Input, InputErrorKind> {
        let mut head = Vec::new();
        source.by_ref().take(8).read_to_end(&mut head).map_err(InputErrorKind::Io)?;
        let format = Format::of(&head)?;
        let consumed = Arc::new(AtomicU64::new(0));
        let source: Box<dyn Read + Send> = Box::new(io::Cursor::new(head).chain(source));
        let counted = Counted {
            inner: BufReader::with_capacity(BUFFER, source),
            consumed: Arc::clone(&consumed),
        };
        let decoder = match format {
            Format::Plain => Decoder::Plain(counted),
            Format::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(counted)
                    .map_err(InputErrorKind::Io)?;
                decoder.window_log_max(WINDOW_LOG_MAX).map_err(InputErrorKind::Io)?;
                Decoder::Zstd(decoder)
            }
            Format::Gzip => Decoder::Gzip(Box::new(flate2::bufread::MultiGzDecoder::new(counted))),
            Format::Bzip2 => Decoder::Bzip2(bzip2::bufread::MultiBzDecoder::new(counted)),
        };
        Ok(Input { path, decoder, consumed, total })
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of bytes of the file (compressed, if it is) consumed so far. It is updated while
    /// another thread reads, so it can drive a progress bar.
    pub fn consumed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.consumed)
    }

    /// The length of the file in bytes; `None` for standard input, pipes and devices.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    fn explain(&self, error: io::Error) -> InputErrorKind {
        let bytes = self.consumed.load(Ordering::Relaxed);
        let format = match self.decoder {
            Decoder::Plain(_) => return InputErrorKind::Io(error),
            Decoder::Zstd(_) => "zstd",
            Decoder::Gzip(_) => "gzip",
            Decoder::Bzip2(_) => "bzip2",
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
        let read = match &mut self.decoder {
            Decoder::Plain(decoder) => decoder.read(bytes),
            Decoder::Zstd(decoder) => decoder.read(bytes),
            Decoder::Gzip(decoder) => decoder.read(bytes),
            Decoder::Bzip2(decoder) => decoder.read(bytes),
        };
        read.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            _ => InputError { path: self.path.clone(), kind: self.explain(error) }.into(),
        })
    }
}

enum Format {
    Plain,
    Zstd,
    Gzip,
    Bzip2,
}

impl Format {
    fn of(head: &[u8]) -> Result<Format, InputErrorKind> {
        let unpack = "unpack it first";
        let (found, advice) = match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => return Ok(Format::Zstd),
            // A skippable frame, which some compressors write first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => return Ok(Format::Zstd),
            [0x1f, 0x8b, ..] => return Ok(Format::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => return Ok(Format::Bzip2),
            [b'P', b'K', 3, 4, ..] => ("a zip archive", unpack),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("compressed with xz", unpack),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => ("a 7-Zip archive", unpack),
            [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => ("a RAR archive", unpack),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("UTF-16 text", "save it as UTF-8"),
            [b'P', b'A', b'R', b'1', ..] => ("a Parquet file", "import the PGN it was made from"),
            _ => return Ok(Format::Plain),
        };
        Err(InputErrorKind::Unsupported { found, advice })
    }
}

/// Counts what the decoder consumes, not what the buffer holds.
struct Counted {
    inner: BufReader<Box<dyn Read + Send>>,
    consumed: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
    }
}
