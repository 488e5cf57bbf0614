//! Packed games: many games with all that they contain, in as few bytes as we know how to.
//!
//! ```text
//! head │ block │ block │ … │ index
//!        └─ up to 4,096 games: texts, compressed with zstd; then all else, from one range coder:
//!           tags ── half-moves ── clocks ── evaluations, game by game
//! ```
//!
//! **Idea.** The half-moves are those of [`dense`](mod@crate::dense), without padding between games, and its model goes on
//! learning from game to game. A tag repeats a value that its column had before, continues a row of numbers, or is new; a
//! clock follows from the one before. Whatever was more frequent so far takes fewer bits. Only new texts are left for zstd.
//! **Lossless.** A game comes back with everything that [`Whole`](crate::Whole) holds. **Exact.** All numbers are integers.
//! **Random access.** The index gives the block of a game; only the games before it in its block are decoded. **Checked.**
//! Each block has a checksum.
//!
//! `docs/reference/pack.md` specifies the format.
//!
//! ```
//! use halfmove_codecs::pack::{Reader, Writer};
//! use halfmove_game::pgn::read_game;
//!
//! let game = read_game("[White \"Morphy, Paul\"]\n\n1. e4 {best} e5 2. Nf3 1-0").unwrap();
//! let mut writer = Writer::new(Vec::new())?;
//! writer.write(&game)?;
//! let bytes = writer.finish()?;
//!
//! let mut reader = Reader::new(&bytes[..])?;
//! assert_eq!(reader.next()?, Some(game));
//! assert_eq!(reader.next()?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod error;
mod index;
mod numbers;
mod tags;
mod texts;
mod values;

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use halfmove_game::Game;
use halfmove_game::codec::halfmove;
use halfmove_game::codec::number::{push_number, read_number};
use halfmove_game::codec::whole::Parts;
use thiserror::Error;

pub use self::block::MAX_GAMES;
pub use self::error::{PackError, PackErrorKind};
pub use self::index::Packed;
use self::index::{Entry, Index};
pub use self::texts::{MAX_PLIES, MAX_TAGS, MAX_TEXT};
use crate::EncodeError;
use crate::dense::Model;

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"\x89HMZ\r\n\x1a\n";

/// The version of the format.
pub const VERSION: u8 = 1;

/// The number of bytes before the first block.
const HEAD: usize = MAGIC.len() + 1 + 8;

/// The maximum number of bytes of a block.
const MAX_BLOCK: u64 = 256 << 20;

const END: u8 = 0;
const BLOCK: u8 = 1;

/// The head of a file.
fn head() -> Vec<u8> {
    [&MAGIC[..], &[VERSION], &Model::shipped().hash().to_le_bytes()].concat()
}

/// Computes results of some values, each on its own thread.
fn in_parallel<T: Sync, R: Send>(values: &[T], compute: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if let [value] = values {
        return vec![compute(value)];
    }
    let compute = &compute;
    thread::scope(|scope| {
        let threads: Vec<_> =
            values.iter().map(|value| scope.spawn(move || compute(value))).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// The reason why a game is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The byte code cannot hold its moves.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// It has more half-moves, tags or text than a block may have.
    #[error(
        "too long: expected at most {MAX_PLIES} half-moves, {MAX_TAGS} tags and {} MiB of text in one game",
        MAX_TEXT >> 20
    )]
    TooLong,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A writer of games to a file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    threads: usize,
    full: Vec<Vec<Game>>,
    games: Vec<Game>,
    size: Size,
    bytes: Vec<u8>,
    index: Index,
}

/// The size of some games in a block.
#[derive(Copy, Clone, Debug, Default)]
struct Size {
    plies: usize,
    tags: usize,
    text: usize,
}

impl Size {
    /// The sum of two, if a block may have it.
    fn plus(self, other: Self) -> Option<Self> {
        let sum = Self {
            plies: self.plies + other.plies,
            tags: self.tags + other.tags,
            text: self.text + other.text,
        };
        let fits = sum.plies <= MAX_PLIES && sum.tags <= MAX_TAGS && sum.text <= MAX_TEXT;
        fits.then_some(sum)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a file in `out`.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&head())?;
        let (full, games, size, bytes) = Default::default();
        Ok(Self { out, threads: 1, full, games, size, bytes, index: Index::new() })
    }

    /// The same writer, which encodes this number of blocks at a time. The bytes do not depend on it.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Self { threads: threads.get(), ..self }
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If the game cannot be held, nothing is added, and other games can follow.
    pub fn write(&mut self, game: &Game) -> Result<(), WriteError> {
        self.bytes.clear();
        halfmove::encode(game, &mut self.bytes).map_err(EncodeError::from)?;
        let tags = game.tags.iter().map(|(name, value)| name.len() + value.len());
        let size = Size {
            plies: game.moves.len(),
            tags: game.tags.len(),
            text: tags.sum::<usize>() + Parts::of(game).annotations.len() + self.bytes.len(),
        };
        let size = Size::default().plus(size).ok_or(WriteError::TooLong)?;
        let sum = self.size.plus(size).filter(|_| self.games.len() < MAX_GAMES);
        if sum.is_none() {
            self.full.push(std::mem::take(&mut self.games));
            if self.full.len() == self.threads {
                self.write_blocks()?;
            }
        }
        self.size = sum.unwrap_or(size);
        self.games.push(game.clone());
        Ok(())
    }

    fn write_blocks(&mut self) -> io::Result<()> {
        let full = std::mem::take(&mut self.full);
        for (games, bytes) in full.iter().zip(in_parallel(&full, |games| block::encode(games))) {
            let mut head = vec![BLOCK];
            push_number(bytes.len() as u64, &mut head);
            let sum = crc32fast::hash(&bytes).to_le_bytes();
            for part in [&head, &bytes, &sum[..]] {
                self.out.write_all(part)?;
            }
            let bytes = (head.len() + bytes.len() + sum.len()) as u64;
            self.index.push(Entry { games: games.len() as u64, bytes });
        }
        Ok(())
    }

    /// Ends the file. A reader rejects a file without an end.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.games.is_empty() {
            self.full.push(std::mem::take(&mut self.games));
        }
        self.write_blocks()?;
        self.out.write_all(&self.index.to_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A reader that returns the games of a file one by one.
#[derive(Debug)]
pub struct Reader<R> {
    source: BufReader<R>,
    threads: usize,
    /// The number of bytes read.
    offset: u64,
    games: VecDeque<Game>,
    index: Index,
    at_end: bool,
    /// The error after the games that were read.
    error: Option<PackError>,
}

/// A block that was read, with its offset.
struct Block {
    offset: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// Opens a file. The source needs no buffer.
    ///
    /// # Errors
    ///
    /// If it is not such a file, or if its version or its model is not known.
    pub fn new(source: R) -> Result<Self, PackError> {
        let mut reader = Self::at(source, 0);
        let mut bytes = Vec::new();
        let read = reader.fill(HEAD as u64, &mut bytes);
        check_head(&bytes)?;
        read.map(|()| reader)
    }

    /// A reader of a source that begins at an offset of a file.
    fn at(source: R, offset: u64) -> Self {
        Self {
            source: BufReader::with_capacity(1 << 16, source),
            threads: 1,
            offset,
            games: VecDeque::new(),
            index: Index::new(),
            at_end: false,
            error: None,
        }
    }

    /// The same reader, which decodes this number of blocks at a time.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Self { threads: threads.get(), ..self }
    }

    /// The next game; `None` after the last.
    ///
    /// # Errors
    ///
    /// The first fault. The games before it were returned, apart from those of the same block, and nothing can be read after it.
    #[expect(clippy::should_implement_trait, reason = "an error ends the games")]
    pub fn next(&mut self) -> Result<Option<Game>, PackError> {
        while self.games.is_empty() && !self.at_end {
            self.read_blocks();
        }
        match self.games.pop_front() {
            Some(game) => Ok(Some(game)),
            None => self.error.take().map_or(Ok(None), Err),
        }
    }

    /// Reads and decodes as many blocks as there are threads.
    fn read_blocks(&mut self) {
        let mut blocks = Vec::new();
        while blocks.len() < self.threads && !self.at_end {
            match self.block() {
                Ok(block) => blocks.extend(block),
                Err(error) => self.error = Some(error),
            }
            self.at_end |= self.error.is_some();
        }
        for games in in_parallel(&blocks, |block| decode(block, MAX_GAMES)) {
            match games {
                Ok(games) => self.games.extend(games),
                Err(error) => {
                    self.error = Some(error);
                    self.at_end = true;
                    return;
                }
            }
        }
    }

    /// Reads a block, or the index and the end of the file.
    fn block(&mut self) -> Result<Option<Block>, PackError> {
        let begin = self.offset;
        match self.byte()? {
            END => {
                self.at_end = true;
                let mut bytes = vec![END];
                let expected = self.index.to_bytes();
                let read = self.fill(expected.len() as u64 - 1, &mut bytes);
                if bytes != expected[..bytes.len()] {
                    return Err(PackError { offset: begin, kind: PackErrorKind::Index });
                }
                read?;
                let offset = self.offset;
                return match self.byte() {
                    Ok(_) => Err(PackError { offset, kind: PackErrorKind::Surplus }),
                    Err(PackError { kind: PackErrorKind::Truncated, .. }) => Ok(None),
                    Err(error) => Err(error),
                };
            }
            BLOCK => {}
            mark => return Err(PackError { offset: begin, kind: PackErrorKind::Mark(mark) }),
        }
        let length = read_number(|| self.byte())?.filter(|length| *length <= MAX_BLOCK);
        let Some(length) = length else {
            return Err(PackError { offset: begin + 1, kind: PackErrorKind::TooLong });
        };
        let block = self.checked(length)?;
        let games = block.games()?;
        self.index.push(Entry { games, bytes: self.offset - begin });
        Ok(Some(block))
    }

    /// Reads the bytes of a block, and their checksum.
    fn checked(&mut self, length: u64) -> Result<Block, PackError> {
        let (offset, mut bytes, mut sum) = (self.offset, Vec::new(), Vec::new());
        self.fill(length, &mut bytes)?;
        self.fill(4, &mut sum)?;
        if sum != crc32fast::hash(&bytes).to_le_bytes() {
            return Err(PackError { offset, kind: PackErrorKind::Checksum });
        }
        Ok(Block { offset, bytes })
    }

    fn fill(&mut self, length: u64, bytes: &mut Vec<u8>) -> Result<(), PackError> {
        let read = self.source.by_ref().take(length).read_to_end(bytes);
        let offset = self.offset;
        let read = read.map_err(|error| PackError { offset, kind: PackErrorKind::Read(error) })?;
        self.offset += read as u64;
        match read as u64 == length {
            true => Ok(()),
            false => Err(PackError { offset: self.offset, kind: PackErrorKind::Truncated }),
        }
    }

    fn byte(&mut self) -> Result<u8, PackError> {
        let mut byte = Vec::with_capacity(1);
        self.fill(1, &mut byte)?;
        Ok(byte[0])
    }
}

impl Block {
    /// The number of games, with which a block begins.
    fn games(&self) -> Result<u64, PackError> {
        let games = halfmove_game::codec::number::Cursor::new(&self.bytes).number();
        games.map_err(|error| error::of_block(self.offset, error))
    }
}

/// The first games of a block.
fn decode(block: &Block, most: usize) -> Result<Vec<Game>, PackError> {
    let mut games = Vec::new();
    let decoded = block::decode(&block.bytes, |game| {
        games.push(game);
        games.len() < most
    });
    decoded.map_err(|error| error::of_block(block.offset, error))?;
    Ok(games)
}

/// Checks the first bytes of a file.
fn check_head(bytes: &[u8]) -> Result<(), PackError> {
    let failed = |offset, kind| Err(PackError { offset, kind });
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) || magic.is_empty() {
        return failed(0, PackErrorKind::NotPacked);
    }
    match bytes.get(MAGIC.len()) {
        Some(&VERSION) | None => {}
        Some(version) => return failed(MAGIC.len() as u64, PackErrorKind::Version(*version)),
    }
    let expected = Model::shipped().hash();
    match bytes.get(MAGIC.len() + 1..HEAD) {
        Some(found) if found != expected.to_le_bytes() => {
            let found = found.iter().rev().fold(0, |hash, byte| hash << 8 | u64::from(*byte));
            failed(MAGIC.len() as u64 + 1, PackErrorKind::Model { found, expected })
        }
        _ => Ok(()),
    }
}
