//! A thread that opens one input after the other, cuts their text and gives the segments to the threads of the pool.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use halfmove_game::pgn::Segments;

use super::Source;
use super::parse::{Part, Segment};
use super::pool::Task;

/// The blocks of text that exist for each thread: one is parsed, one is being filled or waits.
const BLOCKS_PER_THREAD: usize = 2;

/// How many parts of a segment may wait. A segment of one block becomes a few parts at most, so its thread never waits;
/// one that goes on and on has to, or memory would have no bounds.
const PARTS_OF_A_BLOCK: usize = 256;
const PARTS_OF_MANY: usize = 2;

/// What the feeder has found, in the order of the inputs.
pub(super) enum Found {
    /// A segment; its parts follow.
    Segment(Receiver<Part>),
    /// The end of an input.
    End,
    /// An input could not be opened or read to its end.
    Failure(std::io::Error),
}

/// Starts the thread. It ends after the last input, after a failure, or when nobody waits for segments any longer.
pub(super) fn begin(
    inputs: Box<dyn Iterator<Item = std::io::Result<Source>> + Send>,
    tasks: Sender<Task>,
    threads: usize,
) -> std::io::Result<Receiver<Found>> {
    let (found, receiver) = channel();
    let (used, free) = channel();
    for _ in 0..BLOCKS_PER_THREAD * threads + 1 {
        // The receiver is here, so this cannot fail.
        let _ = used.send(Vec::new());
    }
    let feeder = Feeder { tasks, found, used, free };
    thread::Builder::new().name("halfmove-feed".to_owned()).spawn(move || feeder.run(inputs))?;
    Ok(receiver)
}

struct Feeder {
    tasks: Sender<Task>,
    found: Sender<Found>,
    used: Sender<Vec<u8>>,
    free: Receiver<Vec<u8>>,
}

impl Feeder {
    fn run(&self, inputs: Box<dyn Iterator<Item = std::io::Result<Source>> + Send>) {
        for input in inputs {
            let fed = input.map_err(Some).and_then(|input| self.feed(input));
            let told = match fed {
                Ok(()) => self.found.send(Found::End),
                Err(Some(error)) => {
                    // Nobody needs the rest. If nobody needs this either, the import has been given up.
                    let _ = self.found.send(Found::Failure(error));
                    return;
                }
                Err(None) => return,
            };
            if told.is_err() {
                return;
            }
        }
    }

    /// Fails with `None` if the import has been given up.
    fn feed(&self, input: Source) -> Result<(), Option<std::io::Error>> {
        let mut segments = Segments::new(input);
        let mut current: Option<SyncSender<Vec<u8>>> = None;
        loop {
            let memory = self.free.recv().map_err(|_| None)?;
            let Some(block) = segments.next_block(memory).map_err(Some)? else {
                // As many blocks as before.
                let _ = self.used.send(Vec::new());
                return Ok(());
            };
            match &current {
                Some(segment) if !block.begins => segment.send(block.bytes).map_err(|_| None)?,
                _ => {
                    let waiting = if block.ends { PARTS_OF_A_BLOCK } else { PARTS_OF_MANY };
                    let (parts, receiver) = sync_channel(waiting);
                    // As many blocks as may exist at all, so sending one never waits.
                    let (sender, more) = sync_channel(64);
                    current = Some(sender);
                    let more = (!block.ends).then_some(more);
                    let segment = Segment::new(block.bytes, more, self.used.clone(), parts);
                    self.found.send(Found::Segment(receiver)).map_err(|_| None)?;
                    self.tasks.send(Task::Parse(segment)).map_err(|_| None)?;
                }
            }
            if block.ends {
                current = None;
            }
        }
    }
}
