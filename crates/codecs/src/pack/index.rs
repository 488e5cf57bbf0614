//! The index of a file, and single games.

use std::io::{Read, Seek, SeekFrom};

use halfmove_game::Game;
use halfmove_game::codec::number::{Cursor, push_number};

use super::{END, HEAD, MAX_BLOCK, PackError, PackErrorKind, Reader, decode};

/// A block: its games, and all of its bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) games: u64,
    pub(super) bytes: u64,
}

/// The blocks of a file.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// The offset of the index.
    offset: u64,
}

impl Index {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), offset: HEAD as u64 }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.offset += entry.bytes;
        self.entries.push(entry);
    }

    /// The mark, the blocks, a checksum of both, and the offset.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![END];
        push_number(self.entries.len() as u64, &mut bytes);
        for entry in &self.entries {
            push_number(entry.games, &mut bytes);
            push_number(entry.bytes, &mut bytes);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(self.offset.to_le_bytes());
        bytes
    }

    /// Reads an index; `None` for other bytes.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes.strip_prefix(&[END])?);
        let mut index = Self::new();
        for _ in 0..cursor.number().ok()? {
            let (games, bytes) = (cursor.number().ok()?, cursor.number().ok()?);
            index.offset.checked_add(bytes)?;
            index.push(Entry { games, bytes });
        }
        (index.to_bytes() == bytes).then_some(index)
    }
}

/// A file whose games are read by their numbers.
///
/// ```
/// use std::io::Cursor;
/// use halfmove_codecs::pack::{Packed, Writer};
/// use halfmove_game::pgn::read_game;
///
/// let mut writer = Writer::new(Vec::new())?;
/// for text in ["1. e4 *", "1. d4 *", "1. c4 *"] {
///     writer.write(&read_game(text)?)?;
/// }
/// let mut packed = Packed::open(Cursor::new(writer.finish()?))?;
/// assert_eq!(packed.games(), 3);
/// assert_eq!(packed.game(2)?, read_game("1. d4 *")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Packed<R> {
    source: R,
    index: Index,
    games: u64,
}

impl<R: Read + Seek> Packed<R> {
    /// Opens a file, and reads its index.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::new`], or if the index is damaged.
    pub fn open(mut source: R) -> Result<Self, PackError> {
        Reader::new(&mut source)?;
        let length = source.seek(SeekFrom::End(0)).map_err(read_error)?;
        let damaged = PackError { offset: length, kind: PackErrorKind::Index };
        let offset = match length.checked_sub(8) {
            None => return Err(damaged),
            Some(at) => {
                let bytes = bytes_at(&mut source, at, 8)?;
                bytes.iter().rev().fold(0, |offset, byte| offset << 8 | u64::from(*byte))
            }
        };
        let size = length.checked_sub(offset).filter(|_| offset >= HEAD as u64);
        // An entry takes two bytes at least, and stands for a block of more.
        let Some(size) = size.filter(|size| *size <= MAX_BLOCK) else { return Err(damaged) };
        let index = Index::from_bytes(&bytes_at(&mut source, offset, size)?);
        let Some(index) = index.filter(|index| index.offset == offset) else { return Err(damaged) };
        let games = index.entries.iter().fold(0u64, |sum, one| sum.saturating_add(one.games));
        Ok(Self { source, index, games })
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The game with a number, from 1.
    ///
    /// # Errors
    ///
    /// If there is no such game, or if its block is damaged.
    pub fn game(&mut self, number: u64) -> Result<Game, PackError> {
        let mut offset = HEAD as u64;
        let no_such = PackErrorKind::NoSuchGame { number, games: self.games };
        let mut before = number.checked_sub(1);
        for Entry { games, bytes } in &self.index.entries {
            let Some(rest) = before else { break };
            if rest < *games {
                let block = bytes_at(&mut self.source, offset, *bytes)?;
                let block = Reader::at(&block[..], offset).block()?;
                let games =
                    block.map_or(Ok(Vec::new()), |block| decode(&block, rest as usize + 1))?;
                let game = games.into_iter().nth(rest as usize);
                return game.ok_or(PackError { offset, kind: PackErrorKind::Index });
            }
            before = Some(rest - games);
            offset += bytes;
        }
        Err(PackError { offset: 0, kind: no_such })
    }
}

fn read_error(error: std::io::Error) -> PackError {
    PackError { offset: 0, kind: PackErrorKind::Read(error) }
}

/// Reads bytes at an offset.
fn bytes_at<R: Read + Seek>(source: &mut R, at: u64, length: u64) -> Result<Vec<u8>, PackError> {
    source.seek(SeekFrom::Start(at)).map_err(read_error)?;
    let mut bytes = Vec::new();
    let read = source.by_ref().take(length).read_to_end(&mut bytes).map_err(read_error)?;
    match read as u64 == length {
        true => Ok(bytes),
        false => Err(PackError { offset: at + read as u64, kind: PackErrorKind::Truncated }),
    }
}
