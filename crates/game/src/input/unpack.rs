//! Decompression in a separate thread.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// The size of a block of decompressed text.
const BLOCK: usize = 256 * 1024;

/// The maximum number of decompressed blocks waiting for the reader. Together with the block being written and the one
/// being read, that is 1 MiB of text.
const WAITING: usize = 2;

/// A decoder with its decompressed text.
///
/// The reader decompresses the first block itself. A thread takes over only if there is more, so small files need no
/// threads.
pub(super) struct Unpacked {
    /// The text being read, from `at` on.
    block: Block,
    at: usize,
    state: State,
}

enum State {
    /// Nothing has been read yet.
    Packed(Box<dyn Read + Send>),
    /// A thread decompresses.
    Thread { blocks: Receiver<Block>, used: Sender<Vec<u8>> },
    /// No thread could be started, so the reader decompresses.
    Alone(Box<dyn Read + Send>),
    /// There are no more blocks.
    Ended,
}

/// A block of decompressed text, and the state after it.
struct Block {
    bytes: Vec<u8>,
    then: Then,
}

enum Then {
    /// Another block.
    More,
    End,
    Failure(io::Error),
}

impl Unpacked {
    pub(super) fn new(decoder: Box<dyn Read + Send>) -> Unpacked {
        let block = Block { bytes: Vec::new(), then: Then::More };
        Unpacked { block, at: 0, state: State::Packed(decoder) }
    }

    /// Replaces the finished block with the next one.
    fn next(&mut self) {
        let bytes = std::mem::take(&mut self.block.bytes);
        self.at = 0;
        self.block = match std::mem::replace(&mut self.state, State::Ended) {
            State::Packed(mut decoder) => {
                let first = unpack(decoder.as_mut(), bytes);
                if let Then::More = first.then {
                    self.state = begin(decoder);
                }
                first
            }
            State::Thread { blocks, used } => {
                // The thread may have ended already; then the memory is not needed.
                let _ = used.send(bytes);
                let next = blocks.recv().unwrap_or_else(|_| Block {
                    bytes: Vec::new(),
                    then: Then::Failure(io::Error::other("the unpacking thread has ended early")),
                });
                self.state = State::Thread { blocks, used };
                next
            }
            State::Alone(mut decoder) => {
                let next = unpack(decoder.as_mut(), bytes);
                self.state = State::Alone(decoder);
                next
            }
            State::Ended => Block { bytes, then: Then::End },
        };
    }
}

impl Read for Unpacked {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let rest = &self.block.bytes[self.at..];
            if !rest.is_empty() || bytes.is_empty() {
                let count = rest.len().min(bytes.len());
                bytes[..count].copy_from_slice(&rest[..count]);
                self.at += count;
                return Ok(count);
            }
            match std::mem::replace(&mut self.block.then, Then::End) {
                Then::More => self.next(),
                Then::End => {
                    self.state = State::Ended;
                    return Ok(0);
                }
                Then::Failure(error) => {
                    self.state = State::Ended;
                    // A reader that continues after an error must not mistake the text so far for the whole file.
                    let again =
                        io::Error::new(error.kind(), "the file could not be read to its end");
                    self.block.then = Then::Failure(again);
                    return Err(error);
                }
            }
        }
    }
}

/// Starts the thread that decompresses the rest.
fn begin(decoder: Box<dyn Read + Send>) -> State {
    let (sender, blocks) = sync_channel::<Block>(WAITING);
    let (used, recycled) = channel::<Vec<u8>>();
    // The decoder is sent separately, so that it is not lost if no thread can be started.
    let (give, take) = sync_channel::<Box<dyn Read + Send>>(1);
    let thread = thread::Builder::new().name("halfmove-unpack".to_owned()).spawn(move || {
        if let Ok(mut decoder) = take.recv() {
            run(decoder.as_mut(), &sender, &recycled);
        }
    });
    if thread.is_err() {
        return State::Alone(decoder);
    }
    match give.send(decoder) {
        Ok(()) => State::Thread { blocks, used },
        Err(unsent) => State::Alone(unsent.0),
    }
}

/// Decompresses until the end, a failure, or until the receiver is dropped.
fn run(decoder: &mut dyn Read, blocks: &SyncSender<Block>, used: &Receiver<Vec<u8>>) {
    loop {
        let block = unpack(decoder, used.try_recv().unwrap_or_default());
        let more = matches!(block.then, Then::More);
        if blocks.send(block).is_err() || !more {
            return;
        }
    }
}

/// Fills a block, in the memory of an earlier one.
fn unpack(decoder: &mut dyn Read, mut bytes: Vec<u8>) -> Block {
    bytes.resize(BLOCK, 0);
    let mut end = 0;
    let then = loop {
        if end == BLOCK {
            break Then::More;
        }
        match decoder.read(&mut bytes[end..]) {
            Ok(0) => break Then::End,
            Ok(count) => end += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Then::Failure(error),
        }
    };
    bytes.truncate(end);
    Block { bytes, then }
}
