//! The feeder: a thread that opens the inputs one after the other, splits them into segments, and passes these to the
//! pool.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use halfmove_game::pgn::Segments;

use super::PgnInput;
use super::builders::Builders;
use super::parse::{Part, Segment};
use super::pool::{Pool, Task};
use crate::snapshot::ContentSum;

/// The number of blocks of text per thread: one being parsed, one being filled or waiting.
const BLOCKS_PER_THREAD: usize = 2;

/// The number of segments per thread in flight: the receiver writes files and reports to the user, so it may be
/// delayed.
const SEGMENTS_PER_THREAD: usize = 4;

/// The maximum number of waiting parts of a segment. A segment of one block has at most a few parts, so its thread
/// never waits; a longer one has to, to bound memory.
const PARTS_OF_ONE_BLOCK: usize = 256;
const PARTS_OF_MANY: usize = 1;

/// The output of the feeder, in the order of the inputs.
pub(super) enum FeedItem {
    /// The beginning of an input, with its name and the checksum of its content, if known.
    Input(Option<Arc<str>>, Option<ContentSum>),
    /// A segment; its parts follow.
    Segment(Receiver<Part>),
    /// The end of an input.
    End,
    /// An input could not be opened or read to its end.
    Failure(std::io::Error),
}

/// Starts the thread. It ends after the last input, after a failure, or when the receiver is gone.
pub(super) fn begin(
    inputs: Box<dyn Iterator<Item = std::io::Result<PgnInput>> + Send>,
    pool: &Pool,
    threads: usize,
    is_strict: bool,
) -> std::io::Result<Receiver<FeedItem>> {
    let (found, receiver) = sync_channel(SEGMENTS_PER_THREAD * threads);
    let (used, free) = channel();
    for _ in 0..BLOCKS_PER_THREAD * threads + 1 {
        // The receiver still exists, so this cannot fail.
        let _ = used.send(Vec::new());
    }
    let (tasks, stopped) = (pool.tasks(), pool.stopped());
    let feeder = Feeder { tasks, stopped, found, used, free, is_strict };
    thread::Builder::new().name("halfmove-feed".to_owned()).spawn(move || feeder.run(inputs))?;
    Ok(receiver)
}

struct Feeder {
    tasks: Sender<Task>,
    stopped: Arc<AtomicBool>,
    found: SyncSender<FeedItem>,
    used: Sender<Vec<u8>>,
    free: Receiver<Vec<u8>>,
    /// True to skip games whose FEN needs repairs.
    is_strict: bool,
}

impl Feeder {
    fn run(&self, inputs: Box<dyn Iterator<Item = std::io::Result<PgnInput>> + Send>) {
        for input in inputs {
            let fed = input.map_err(Some).and_then(|input| self.feed(input));
            let sent = match fed {
                Ok(()) => self.found.send(FeedItem::End),
                Err(Some(error)) => {
                    // The rest is not needed. If the receiver has been dropped too, the import was abandoned.
                    let _ = self.found.send(FeedItem::Failure(error));
                    return;
                }
                Err(None) => return,
            };
            if sent.is_err() {
                return;
            }
        }
    }

    /// Parses a segment of many blocks on a separate thread, because it has to wait for its receiver, and threads of
    /// the pool must never wait.
    fn parse_long(&self, segment: Segment) -> std::io::Result<()> {
        let stopped = Arc::clone(&self.stopped);
        thread::Builder::new()
            .name("halfmove-long".to_owned())
            .spawn(move || segment.parse(&mut Builders::new(), &stopped))?;
        Ok(())
    }

    /// Fails with `None` if the import has been abandoned.
    fn feed(&self, input: PgnInput) -> Result<(), Option<std::io::Error>> {
        self.found.send(FeedItem::Input(input.name, input.sum)).map_err(|_| None)?;
        let mut segments = Segments::new(input.reader);
        let mut current: Option<(Sender<Vec<u8>>, Receiver<()>)> = None;
        loop {
            let memory = self.free.recv().map_err(|_| None)?;
            let Some(block) = segments.next_block(memory).map_err(Some)? else {
                // The number of blocks stays the same.
                let _ = self.used.send(Vec::new());
                return Ok(());
            };
            match &current {
                Some((segment, _)) if !block.begins => {
                    segment.send(block.bytes).map_err(|_| None)?;
                }
                _ => {
                    let waiting = if block.ends { PARTS_OF_ONE_BLOCK } else { PARTS_OF_MANY };
                    let (parts, receiver) = sync_channel(waiting);
                    // The number of blocks is limited, so this channel needs no limit.
                    let (sender, more) = channel();
                    let (alive, done) = channel();
                    let more = (!block.ends).then_some((more, alive));
                    let segment = Segment::new(block.bytes, more, self.used.clone(), parts)
                        .strict(self.is_strict);
                    current = (!block.ends).then_some((sender, done));
                    self.found.send(FeedItem::Segment(receiver)).map_err(|_| None)?;
                    if block.ends {
                        self.tasks.send(Task::Parse(segment)).map_err(|_| None)?;
                    } else {
                        self.parse_long(segment).map_err(Some)?;
                    }
                }
            }
            if block.ends
                && let Some((segment, done)) = current.take()
            {
                drop(segment);
                // A long segment may contain very long games, so there is only one at a time. This waits until it has
                // been parsed or dropped.
                let _ = done.recv();
            }
        }
    }
}
