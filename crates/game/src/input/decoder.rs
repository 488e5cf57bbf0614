//! The formats of compressed files, and their decoders.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::InputErrorKind;

/// The largest window that zstd supports (`--long=31`): 2 GiB. Decoders with the default limit of
/// 128 MiB reject dumps that were compressed with a long window.
#[cfg(feature = "zstd")]
const WINDOW_LOG_MAX: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

const BUFFER: usize = 128 * 1024;

/// The format detected from the first bytes of a file.
pub(super) enum Head {
    Plain,
    Packed(Format),
}

/// A format of compressed files.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Zstd,
    Gzip,
    Bzip2,
}

impl Head {
    pub(super) fn of(head: &[u8]) -> Result<Head, InputErrorKind> {
        let (unpack, save) = ("unpack it first", "save it as UTF-8");
        let are_ascii = |one: u8, two: u8| one.is_ascii_graphic() && (1..0x80).contains(&two);
        let (found, advice) = match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => return Ok(Head::Packed(Format::Zstd)),
            // A skippable frame, which some compressors write first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => return Ok(Head::Packed(Format::Zstd)),
            [0x1f, 0x8b, ..] => return Ok(Head::Packed(Format::Gzip)),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => return Ok(Head::Packed(Format::Bzip2)),
            [b'P', b'K', 3, 4, ..] => ("a zip archive", unpack),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("compressed with xz", unpack),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => ("a 7-Zip archive", unpack),
            [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => ("a RAR archive", unpack),
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => ("UTF-32 text", save),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("UTF-16 text", save),
            // UTF-16 or UTF-32 without a byte order mark: two ASCII characters, as at the beginning of every PGN file.
            [one, 0, 0, 0, two, 0, 0, 0] | [0, 0, 0, one, 0, 0, 0, two]
                if are_ascii(*one, *two) =>
            {
                ("UTF-32 text", save)
            }
            [one, 0, two, 0, ..] | [0, one, 0, two, ..] if are_ascii(*one, *two) => {
                ("UTF-16 text", save)
            }
            [b'P', b'A', b'R', b'1', ..] => ("a Parquet file", "import the PGN it was made from"),
            _ => return Ok(Head::Plain),
        };
        Err(InputErrorKind::Unsupported { found, advice })
    }
}

impl Format {
    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Zstd => "zstd",
            Format::Gzip => "gzip",
            Format::Bzip2 => "bzip2",
        }
    }

    /// Decompresses `source`.
    ///
    /// Several frames, members or streams are decompressed one after the other. Parallel decompression would need parts
    /// that record their length, which few files have; without it, a part may be as large as the file, so memory would
    /// be unbounded.
    pub(super) fn decoder(self, source: Counted) -> Unpacking {
        match self {
            Format::Zstd => zstd(source),
            Format::Gzip => gzip(source),
            Format::Bzip2 => bzip2(source),
        }
    }
}

type Unpacking = Result<Box<dyn Read + Send>, InputErrorKind>;

#[cfg(feature = "zstd")]
fn zstd(source: Counted) -> Unpacking {
    let mut decoder =
        zstd::stream::read::Decoder::with_buffer(source).map_err(InputErrorKind::Io)?;
    decoder.window_log_max(WINDOW_LOG_MAX).map_err(InputErrorKind::Io)?;
    Ok(Box::new(decoder))
}

#[cfg(not(feature = "zstd"))]
fn zstd(_: Counted) -> Unpacking {
    Err(InputErrorKind::MissingFeature { format: "zstd" })
}

#[cfg(feature = "gzip")]
fn gzip(source: Counted) -> Unpacking {
    Ok(Box::new(Members::<flate2::bufread::GzDecoder<Counted>>::new(source)))
}

#[cfg(not(feature = "gzip"))]
fn gzip(_: Counted) -> Unpacking {
    Err(InputErrorKind::MissingFeature { format: "gzip" })
}

#[cfg(feature = "bzip2")]
fn bzip2(source: Counted) -> Unpacking {
    Ok(Box::new(Members::<bzip2::bufread::BzDecoder<Counted>>::new(source)))
}

#[cfg(not(feature = "bzip2"))]
fn bzip2(_: Counted) -> Unpacking {
    Err(InputErrorKind::MissingFeature { format: "bzip2" })
}

/// A source that counts the bytes consumed by the decoder, not those in the buffer.
pub(super) struct Counted {
    inner: BufReader<Box<dyn Read + Send>>,
    consumed: Arc<AtomicU64>,
}

impl Counted {
    pub(super) fn new(inner: Box<dyn Read + Send>, consumed: &Arc<AtomicU64>) -> Counted {
        Counted { inner: BufReader::with_capacity(BUFFER, inner), consumed: Arc::clone(consumed) }
    }
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

/// A decoder of one gzip member, or of one bzip2 stream.
#[cfg(any(feature = "gzip", feature = "bzip2"))]
trait Member: Read + Sized {
    /// The first bytes of a member.
    const MAGIC: &'static [u8];

    fn begin(source: Counted) -> Self;

    fn into_source(self) -> Counted;
}

#[cfg(feature = "gzip")]
impl Member for flate2::bufread::GzDecoder<Counted> {
    const MAGIC: &'static [u8] = &[0x1f, 0x8b];

    fn begin(source: Counted) -> Self {
        Self::new(source)
    }

    fn into_source(self) -> Counted {
        self.into_inner()
    }
}

#[cfg(feature = "bzip2")]
impl Member for bzip2::bufread::BzDecoder<Counted> {
    const MAGIC: &'static [u8] = b"BZh";

    fn begin(source: Counted) -> Self {
        Self::new(source)
    }

    fn into_source(self) -> Counted {
        self.into_inner()
    }
}

/// Reads the members of a file one after the other, and zeros after the last.
///
/// Tapes and some copying programs pad a file with zeros. `gzip` and `bzip2` ignore these, and any other trailing data;
/// here other data is an error, because it may be games.
#[cfg(any(feature = "gzip", feature = "bzip2"))]
struct Members<D> {
    /// `None` after the end, or after an error.
    member: Option<D>,
}

#[cfg(any(feature = "gzip", feature = "bzip2"))]
impl<D: Member> Members<D> {
    fn new(source: Counted) -> Members<D> {
        Members { member: Some(D::begin(source)) }
    }
}

#[cfg(any(feature = "gzip", feature = "bzip2"))]
impl<D: Member> Read for Members<D> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(bytes)?;
            if count > 0 || bytes.is_empty() {
                return Ok(count);
            }
            // The member has ended.
            let Some(mut source) = self.member.take().map(D::into_source) else { break };
            let zeros = skip_zeros(&mut source)?;
            let next = source.fill_buf()?;
            let magic = &D::MAGIC[..D::MAGIC.len().min(next.len())];
            if next.is_empty() {
                break;
            } else if zeros || !next.starts_with(magic) {
                let why = "something else follows the compressed data";
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            self.member = Some(D::begin(source));
        }
        Ok(0)
    }
}

/// Skips zeros, and returns true if there were any.
#[cfg(any(feature = "gzip", feature = "bzip2"))]
fn skip_zeros(source: &mut Counted) -> io::Result<bool> {
    let mut any = false;
    loop {
        let buffer = source.fill_buf()?;
        let zeros = buffer.iter().take_while(|&&byte| byte == 0).count();
        let more = zeros > 0 && zeros == buffer.len();
        any |= zeros > 0;
        source.consume(zeros);
        if !more {
            return Ok(any);
        }
    }
}
