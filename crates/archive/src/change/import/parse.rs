//! Parsing a segment of text into columns.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender};

use halfmove_game::Game;
use halfmove_game::pgn::{Counts, GameReader, Reading, SegmentStart, Skip};

use super::builders::{Builders, Chunk, Coder, Fault};
use crate::error::ArchiveError;

/// The maximum number of skipped games in a [`Part`].
const SKIPS: usize = 1_000;

/// A segment to be parsed.
pub(super) struct Segment {
    blocks: Blocks,
    /// Dropped last: the memory is then free, and another long segment may begin.
    alive: Option<Sender<()>>,
    parts: SyncSender<Part>,
    /// True if games are skipped whose FEN needs repairs.
    is_strict: bool,
}

/// A part of the result of a segment.
pub(super) enum Part {
    Games(Chunk, Vec<Skip>),
    End(Counts, SegmentStart),
    Failure(ArchiveError),
}

impl Segment {
    /// `first` is the first block of the segment, `more` the others, if there are any, and `alive` is dropped when they
    /// have been parsed. Blocks that have been read go back to `used`.
    pub(super) fn new(
        first: Vec<u8>,
        more: Option<(Receiver<Vec<u8>>, Sender<()>)>,
        used: Sender<Vec<u8>>,
        parts: SyncSender<Part>,
    ) -> Self {
        let (more, alive) = more.unzip();
        Self {
            blocks: Blocks { block: Some(first), at: 0, more, used },
            alive,
            parts,
            is_strict: false,
        }
    }

    /// Sets the flag to skip games whose FEN needs repairs.
    pub(super) fn strict(self, is_strict: bool) -> Self {
        Self { is_strict, ..self }
    }

    /// Sends the parts of the segment, as long as there is a receiver. The columns are empty before and after.
    pub(super) fn parse(self, columns: &mut Builders, stopped: &AtomicBool) {
        let Self { mut blocks, alive, parts, is_strict } = self;
        let (used, first) = (blocks.used.clone(), blocks.block.take().unwrap_or_default());
        let size = first.capacity();
        let mut reader = GameReader::with_text(first, blocks).strict_positions(is_strict);
        let parsed = parse(&mut reader, columns, &parts, stopped);
        let (counts, end, memory) = reader.finish();
        // A very long token has made the buffer larger than a block. The feeder may have ended.
        let _ = used.send(if memory.capacity() > size { Vec::new() } else { memory });
        if parsed.is_err() {
            *columns = Builders::new();
        }
        // The receiver may have been dropped.
        let _ = match parsed {
            Ok(()) => parts.send(Part::End(counts, end)),
            Err(Some(error)) => parts.send(Part::Failure(error)),
            Err(None) => Ok(()),
        };
        drop(alive);
    }
}

/// Fails with `None` if the receiver has been dropped.
fn parse(
    reader: &mut GameReader<Blocks>,
    columns: &mut Builders,
    parts: &SyncSender<Part>,
    stopped: &AtomicBool,
) -> Result<(), Option<ArchiveError>> {
    let mut skips = Vec::new();
    let (mut game, mut coder) = (Game::default(), Coder::default());
    // Reading from memory never fails.
    while let Some(reading) =
        reader.read_with_bytes(&mut game, &mut coder.moves).map_err(|_| None)?
    {
        let fault = match reading {
            Reading::Whole => None,
            Reading::Faulty(error) => Some(Fault::Error(Box::new(error))),
            Reading::Skipped(skip) => {
                skips.push(skip);
                continue;
            }
        };
        columns.push(coder.with_moves(&game), fault).map_err(Some)?;
        if columns.is_full() || skips.len() >= SKIPS {
            if stopped.load(Ordering::Relaxed) {
                return Err(None);
            }
            let part = Part::Games(columns.finish().map_err(Some)?, std::mem::take(&mut skips));
            parts.send(part).map_err(|_| None)?;
        }
    }
    if !columns.is_empty() || !skips.is_empty() {
        let part = Part::Games(columns.finish().map_err(Some)?, skips);
        parts.send(part).map_err(|_| None)?;
    }
    Ok(())
}

/// The blocks of a segment.
struct Blocks {
    /// The block that is being read, from `at` on; the first one becomes the buffer of the reader.
    block: Option<Vec<u8>>,
    at: usize,
    more: Option<Receiver<Vec<u8>>>,
    used: Sender<Vec<u8>>,
}

impl Read for Blocks {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(block) = &self.block {
                let count = bytes.len().min(block.len() - self.at);
                bytes[..count].copy_from_slice(&block[self.at..self.at + count]);
                self.at += count;
                if count > 0 || bytes.is_empty() {
                    return Ok(count);
                }
            }
            if let Some(block) = self.block.take() {
                // The feeder may have ended.
                let _ = self.used.send(block);
            }
            self.at = 0;
            match self.more.as_ref().and_then(|more| more.recv().ok()) {
                Some(block) => self.block = Some(block),
                None => return Ok(0),
            }
        }
    }
}

impl Drop for Blocks {
    /// Returns the block of a segment that is not read to its end.
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            let _ = self.used.send(block);
        }
    }
}
