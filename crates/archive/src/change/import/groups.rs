//! Gathering chunks of games into row groups, in order.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use arrow_array::RecordBatch;

use super::builders::Chunk;
use super::pool::{Pool, Task};
use crate::change::encode::{
    BYTES_PER_ROW_GROUP, Encoded, Encoders, LONG_GAME, LONG_GROUP, RowGroup,
};
use crate::change::writer::{DataFiles, Written};
use crate::error::ArchiveError;
use crate::snapshot::schema::ORDER_BY_ID;

/// The maximum number of games in a row group.
const GAMES_PER_ROW_GROUP: usize = 16_384;

/// Gathers chunks, passes their row groups to the encoders, and writes the results to files.
pub(super) struct Groups {
    files: DataFiles,
    encoders: Option<Encoders>,
    gathered: Vec<RecordBatch>,
    games: usize,
    bytes: usize,
    games_per_file: u64,
    /// The number of games of the current file, including the gathered ones.
    in_file: u64,
    next_id: i64,
    /// Row groups that are being encoded.
    pending: VecDeque<Pending>,
}

enum Pending {
    Done(Result<Encoded, ArchiveError>),
    Waiting(Receiver<Result<Encoded, ArchiveError>>),
}

impl std::fmt::Debug for Groups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Groups").field("next_id", &self.next_id).finish_non_exhaustive()
    }
}

/// The pool that may encode, if any, and the number of its threads.
pub(super) type Threads<'a> = Option<(&'a Pool, usize)>;

impl Groups {
    pub(super) fn new(folder: &Path, first_id: i64, games_per_file: u64) -> Self {
        Self {
            files: DataFiles::new(folder),
            encoders: None,
            gathered: Vec::new(),
            games: 0,
            bytes: 0,
            games_per_file,
            in_file: 0,
            next_id: first_id,
            pending: VecDeque::new(),
        }
    }

    pub(super) fn set_games_per_file(&mut self, games: u64) {
        self.games_per_file = games.max(1);
    }

    /// Adds games after those that were added before.
    pub(super) fn add(&mut self, chunk: Chunk, threads: Threads<'_>) -> Result<(), ArchiveError> {
        let (games, bytes) = (chunk.games, chunk.bytes);
        let mut batch = chunk.into_batch(self.next_id)?;
        self.next_id += games as i64;
        while batch.num_rows() > 0 {
            let in_file = self.games_per_file.saturating_sub(self.in_file).max(1);
            let room = usize::try_from(in_file).unwrap_or(usize::MAX);
            let room = room.min(GAMES_PER_ROW_GROUP - self.games);
            let taken = batch.num_rows().min(room);
            self.gathered.push(batch.slice(0, taken));
            batch = batch.slice(taken, batch.num_rows() - taken);
            self.games += taken;
            self.in_file += taken as u64;
            self.bytes += bytes * taken / games.max(1);
            let file_is_full = self.in_file >= self.games_per_file;
            let max_bytes = if self.is_long() { LONG_GROUP } else { BYTES_PER_ROW_GROUP };
            if file_is_full || self.games == GAMES_PER_ROW_GROUP || self.bytes >= max_bytes {
                self.close(file_is_full, threads)?;
            }
        }
        self.write_done()
    }

    /// Returns true if the gathered games are very long.
    fn is_long(&self) -> bool {
        self.bytes / self.games.max(1) > LONG_GAME
    }

    /// Encodes the gathered games as a row group; with `ends_file` they are the last ones of their file.
    fn close(&mut self, ends_file: bool, threads: Threads<'_>) -> Result<(), ArchiveError> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let is_long = self.is_long();
        (self.games, self.bytes) = (0, 0);
        let encoders = match &self.encoders {
            Some(encoders) => encoders.clone(),
            None => self.encoders.insert(Encoders::new(ORDER_BY_ID)?).clone(),
        };
        if ends_file {
            self.in_file = 0;
        }
        let batches = std::mem::take(&mut self.gathered);
        let group = RowGroup { encoders, batches, ends_file, is_long };
        // If all threads are busy encoding, this thread encodes, too, so that row groups do not pile up.
        let waiting =
            self.pending.iter().filter(|pending| matches!(pending, Pending::Waiting(_))).count();
        let pending = match threads {
            Some((pool, threads)) if waiting + 1 < threads.max(2) && !is_long => {
                let (sender, receiver) = sync_channel(1);
                match pool.give(Task::Encode(group, sender)) {
                    Ok(()) => Pending::Waiting(receiver),
                    Err(Task::Encode(group, _)) => Pending::Done(group.encode()),
                    Err(Task::Parse(_)) => return Err(ArchiveError::ThreadLost),
                }
            }
            _ => Pending::Done(group.encode()),
        };
        self.pending.push_back(pending);
        Ok(())
    }

    /// Writes the row groups at the front that are encoded.
    pub(super) fn write_done(&mut self) -> Result<(), ArchiveError> {
        while let Some(first) = self.pending.pop_front() {
            let encoded = match first {
                Pending::Done(encoded) => encoded,
                Pending::Waiting(receiver) => match receiver.try_recv() {
                    Ok(encoded) => encoded,
                    Err(TryRecvError::Empty) => {
                        self.pending.push_front(Pending::Waiting(receiver));
                        return Ok(());
                    }
                    Err(TryRecvError::Disconnected) => Err(ArchiveError::ThreadLost),
                },
            };
            self.files.write(encoded?)?;
        }
        Ok(())
    }

    /// Writes everything, and returns the finished files.
    pub(super) fn finish(&mut self, threads: Threads<'_>) -> Result<Vec<Written>, ArchiveError> {
        self.close(true, threads)?;
        for pending in std::mem::take(&mut self.pending) {
            let encoded = match pending {
                Pending::Done(encoded) => encoded,
                Pending::Waiting(receiver) => {
                    receiver.recv().unwrap_or_else(|_| Err(ArchiveError::ThreadLost))
                }
            };
            self.files.write(encoded?)?;
        }
        self.files.finish()
    }
}
