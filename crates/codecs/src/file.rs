//! Files of games in one codec.
//!
//! A codec handles the bytes of one game. A file contains many games, each with the tags and the result that the codec
//! does not hold. So every game that a codec accepts round-trips with all its tags and its result.
//! `docs/reference/coded-files.md` specifies the format.
//!
//! ```
//! use halfmove_codecs::{file, named};
//! use halfmove_game::pgn::{read_game, write_game};
//!
//! let game = read_game("[White \"Morphy, Paul\"]\n\n1. e4 e5 2. Nf3 1-0").unwrap();
//! let mut writer = file::Writer::new(named("numbered-11").unwrap(), Vec::new())?;
//! assert_eq!(writer.write(&game)?, 5);
//! let bytes = writer.finish()?;
//!
//! let mut reader = file::Reader::new(&bytes[..])?;
//! assert_eq!(reader.codec().name(), "numbered-11");
//! let same = reader.next()?.expect("a game").game()?;
//! assert_eq!(write_game(&same)?, "[White \"Morphy, Paul\"]\n\n1. e4 e5 2. Nf3 1-0\n\n");
//! assert!(reader.next()?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contradiction;
mod error;
#[cfg(test)]
mod tests;

use std::io::{self, BufReader, Read, Write};

use halfmove_game::codec::number::{push_number, read_number};
use halfmove_game::pgn::{Format, GameReader, TagNameError};
use halfmove_game::{Game, GameResult, Tags};
use thiserror::Error;

pub use self::contradiction::Contradiction;
pub use self::error::{CodecName, FileError, FileErrorKind};
use crate::{Codec, EncodeError, named};

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"\x89HMG\r\n\x1a\n";

/// The version of the format.
pub const VERSION: u8 = 1;

/// The maximum number of bytes of one game, and also of its tags.
pub const MAX_GAME_BYTES: usize = 64 << 20;

const END: u8 = 0;
const GAME: u8 = 1;

/// The results, whose marks follow [`GAME`].
const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

/// A writer of games to a file.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    codec: &'static dyn Codec,
    games: u64,
    bytes: Vec<u8>,
    record: Vec<u8>,
}

/// The reason why a game is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The codec cannot hold the game.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The name of a tag cannot be written.
    #[error(transparent)]
    TagName(#[from] TagNameError),
    /// A tag contradicts the start, so a reader would reject the game.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The game or its tags are longer than [`MAX_GAME_BYTES`].
    #[error("too long: expected at most {} MiB in one game", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl<W: Write> Writer<W> {
    /// Begins a file in `out`.
    ///
    /// # Errors
    ///
    /// Errors of `out`.
    pub fn new(codec: &'static dyn Codec, mut out: W) -> io::Result<Self> {
        let name = codec.name().as_bytes();
        let mut head = [&MAGIC[..], &[VERSION, name.len() as u8], name].concat();
        push_number(u64::from(codec.version()), &mut head);
        out.write_all(&head)?;
        Ok(Self { out, codec, games: 0, bytes: Vec::new(), record: Vec::new() })
    }

    /// The codec of the games.
    pub const fn codec(&self) -> &'static dyn Codec {
        self.codec
    }

    /// Adds a game. Returns the length of the codec's bytes.
    ///
    /// # Errors
    ///
    /// If the codec cannot hold the game, or it is too long, nothing is written, and other games can follow.
    pub fn write(&mut self, game: &Game) -> Result<usize, WriteError> {
        let holds = self.codec.holds();
        self.bytes.clear();
        self.codec.encode(game, &mut self.bytes)?;
        if let Some(contradiction) = Contradiction::of(game) {
            return Err(contradiction.into());
        }
        let others = game.tags.iter().filter(|(name, _)| !holds.tag(name));
        let tags = tag_section(others.collect())?;
        if self.bytes.len().max(tags.len()) > MAX_GAME_BYTES {
            return Err(WriteError::TooLong);
        }
        let result = game.result.filter(|_| !holds.result);
        self.record.clear();
        self.record.push(GAME + result.map_or(0, |result| 1 + index(result)));
        push_number(tags.len() as u64, &mut self.record);
        self.record.extend(tags.bytes());
        push_number(self.bytes.len() as u64, &mut self.record);
        self.record.extend(&self.bytes);
        self.out.write_all(&self.record)?;
        self.games += 1;
        Ok(self.bytes.len())
    }

    /// Ends the file. A reader rejects a file without an end.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        let mut end = vec![END];
        push_number(self.games, &mut end);
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn index(result: GameResult) -> u8 {
    RESULTS.iter().position(|known| *known == result).unwrap_or(3) as u8
}

/// The tags as PGN, one per line.
fn tag_section(tags: Tags) -> Result<String, TagNameError> {
    if tags.is_empty() {
        return Ok(String::new());
    }
    let mut text = Format::new().write(&Game { tags, ..Game::default() })?;
    // A blank line and a result follow; a tag has no line breaks.
    let end = text.find("\n\n").map_or(text.len(), |end| end + 1);
    text.truncate(end);
    Ok(text)
}

/// Reads a [`tag_section`]; `None` for any other text.
fn read_tags(text: &str) -> Option<Tags> {
    if text.is_empty() {
        return Some(Tags::default());
    }
    let mut game = Game::default();
    GameReader::new(text.as_bytes()).with_max_bytes(MAX_GAME_BYTES).read(&mut game).ok()??;
    (tag_section(game.tags.clone()).ok()? == text).then_some(game.tags)
}

/// A reader that returns the games of a file one by one.
#[derive(Debug)]
pub struct Reader<R> {
    source: BufReader<R>,
    codec: &'static dyn Codec,
    /// The number of bytes read.
    offset: u64,
    games: u64,
    at_end: bool,
    tags: Vec<u8>,
    bytes: Vec<u8>,
}

/// A game in a file, not yet decoded.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The offset of the codec's bytes in the file.
    pub offset: u64,
    /// The codec's bytes.
    pub bytes: &'a [u8],
    codec: &'static dyn Codec,
    tags: &'a str,
    tags_offset: u64,
    result: Option<GameResult>,
}

impl<R: Read> Reader<R> {
    /// Opens a file. The source needs no buffer.
    ///
    /// # Errors
    ///
    /// If it is not such a file, or if its codec or its version is not known.
    pub fn new(source: R) -> Result<Self, FileError> {
        let mut reader = Self {
            source: BufReader::with_capacity(1 << 16, source),
            codec: crate::CODECS[0],
            offset: 0,
            games: 0,
            at_end: false,
            tags: Vec::new(),
            bytes: Vec::new(),
        };
        let failed = |offset, kind| Err(FileError { game: 0, offset, kind });
        let mut magic = Vec::new();
        reader.fill(MAGIC.len(), &mut magic).map_err(|error| match error.kind {
            FileErrorKind::Truncated if !MAGIC.starts_with(&magic) || magic.is_empty() => {
                FileError { offset: 0, kind: FileErrorKind::NotCodedGames, ..error }
            }
            _ => error,
        })?;
        if magic != MAGIC {
            return failed(0, FileErrorKind::NotCodedGames);
        }
        let version = reader.byte()?;
        if version != VERSION {
            return failed(8, FileErrorKind::Version(version));
        }
        let length = reader.byte()?;
        let mut name = Vec::new();
        reader.fill(usize::from(length), &mut name)?;
        let name = String::from_utf8_lossy(&name);
        let Some(codec) = named(&name) else {
            return failed(10, FileErrorKind::Codec(name.into_owned()));
        };
        reader.codec = codec;
        let offset = reader.offset;
        let found = reader.number()?;
        if found != u64::from(codec.version()) {
            let codec = CodecName(codec);
            return failed(offset, FileErrorKind::CodecVersion { codec, found });
        }
        Ok(reader)
    }

    /// The codec of the games.
    pub const fn codec(&self) -> &'static dyn Codec {
        self.codec
    }

    /// The next game; `None` after the last.
    ///
    /// # Errors
    ///
    /// The first invalid byte. Nothing can be read after an error.
    #[expect(clippy::should_implement_trait, reason = "a game is lent from the reader")]
    pub fn next(&mut self) -> Result<Option<Record<'_>>, FileError> {
        if self.at_end {
            return Ok(None);
        }
        self.at_end = true;
        self.games += 1;
        let at = self.offset;
        let result = match self.byte()? {
            END => return self.end().map(|()| None),
            GAME => None,
            mark => match RESULTS.get(usize::from(mark - GAME) - 1) {
                Some(_) if self.codec.holds().result => {
                    return Err(self.error(at, FileErrorKind::HeldResult(CodecName(self.codec))));
                }
                Some(result) => Some(*result),
                None => return Err(self.error(at, FileErrorKind::Mark(mark))),
            },
        };
        let mut tags = std::mem::take(&mut self.tags);
        let tags_offset = self.part(&mut tags)?;
        self.tags = tags;
        let mut bytes = std::mem::take(&mut self.bytes);
        let offset = self.part(&mut bytes)?;
        self.bytes = bytes;
        let Ok(tags) = std::str::from_utf8(&self.tags) else {
            return Err(self.error(tags_offset, FileErrorKind::Tags));
        };
        self.at_end = false;
        Ok(Some(Record {
            number: self.games,
            offset,
            bytes: &self.bytes,
            codec: self.codec,
            tags,
            tags_offset,
            result,
        }))
    }

    /// Reads the end of the file, after the last game.
    fn end(&mut self) -> Result<(), FileError> {
        self.games -= 1;
        let at = self.offset;
        let expected = self.number()?;
        if expected != self.games {
            return Err(self.error(at, FileErrorKind::Count { found: self.games, expected }));
        }
        let at = self.offset;
        match self.byte() {
            Ok(_) => Err(self.error(at, FileErrorKind::Surplus)),
            Err(FileError { kind: FileErrorKind::Truncated, .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn error(&self, offset: u64, kind: FileErrorKind) -> FileError {
        FileError { game: self.games, offset, kind }
    }

    /// Reads a length, then as many bytes. Returns the offset of the first.
    fn part(&mut self, bytes: &mut Vec<u8>) -> Result<u64, FileError> {
        let at = self.offset;
        let length =
            usize::try_from(self.number()?).ok().filter(|length| *length <= MAX_GAME_BYTES);
        let length = length.ok_or_else(|| self.error(at, FileErrorKind::TooLong))?;
        let offset = self.offset;
        bytes.clear();
        self.fill(length, bytes)?;
        Ok(offset)
    }

    fn number(&mut self) -> Result<u64, FileError> {
        let at = self.offset;
        let number = read_number(|| self.byte())?;
        number.ok_or_else(|| self.error(at, FileErrorKind::TooLong))
    }

    fn byte(&mut self) -> Result<u8, FileError> {
        let byte = match self.source.by_ref().bytes().next() {
            Some(Ok(byte)) => byte,
            Some(Err(error)) => return Err(self.unreadable(error)),
            None => return Err(self.error(self.offset, FileErrorKind::Truncated)),
        };
        self.offset += 1;
        Ok(byte)
    }

    /// Appends `length` bytes, using no more memory than there are bytes in the file.
    fn fill(&mut self, length: usize, bytes: &mut Vec<u8>) -> Result<(), FileError> {
        let read = self.source.by_ref().take(length as u64).read_to_end(bytes);
        let read = read.map_err(|error| self.unreadable(error))?;
        self.offset += read as u64;
        if read < length {
            return Err(self.error(self.offset, FileErrorKind::Truncated));
        }
        Ok(())
    }

    fn unreadable(&self, error: io::Error) -> FileError {
        self.error(self.offset, FileErrorKind::Read(error))
    }
}

impl Record<'_> {
    /// Decodes the game with all its tags: first those of the codec.
    ///
    /// # Errors
    ///
    /// The first invalid byte.
    pub fn game(&self) -> Result<Game, FileError> {
        let failed = |offset, kind| FileError { game: self.number, offset, kind };
        let mut game = self.codec.decode(self.bytes).map_err(|error| {
            failed(self.offset + error.offset as u64, FileErrorKind::Decode(error.kind))
        })?;
        let tags =
            read_tags(self.tags).ok_or_else(|| failed(self.tags_offset, FileErrorKind::Tags))?;
        let holds = self.codec.holds();
        for (name, value) in tags.iter() {
            if holds.tag(name) {
                let kind =
                    FileErrorKind::HeldTag { codec: CodecName(self.codec), name: name.to_owned() };
                return Err(failed(self.tag_offset(name), kind));
            }
            game.tags.push(name, value);
        }
        if let Some(contradiction) = Contradiction::of(&game) {
            let offset = self.tag_offset(contradiction.name);
            return Err(failed(offset, FileErrorKind::Contradiction(contradiction)));
        }
        game.result = game.result.or(self.result);
        Ok(game)
    }

    /// The offset of the first tag with this name outside the codec's bytes, or of these bytes if they hold it.
    fn tag_offset(&self, name: &str) -> u64 {
        let mut lines = self.tags.split_inclusive('\n').scan(0, |end, line| {
            let from = *end;
            *end += line.len() as u64;
            Some((from, line))
        });
        let is_named = |line: &str| {
            let rest = line.strip_prefix('[').and_then(|line| line.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with(' '))
        };
        let line = lines.find(|(_, line)| is_named(line));
        line.map_or(self.offset, |(from, _)| self.tags_offset + from)
    }
}
