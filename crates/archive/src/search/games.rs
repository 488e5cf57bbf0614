//! Whole games, one after another: as values, and as PGN.

mod arrow;
mod batches;
mod blocks;
mod lichess;
mod training;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use arrow_array::RecordBatch;
use halfmove_game::pgn::Writer;
use roaring::RoaringTreemap;

pub(crate) use self::arrow::stream_of;
pub use self::arrow::{ArrowPieces, ArrowWriter};
pub use self::batches::Batches;
pub(crate) use self::batches::games_schema;
use self::blocks::Blocks;
pub use self::training::{Shard, TrainingBatches, TrainingCursor, TrainingOptions};
use super::matching::Matcher;
use crate::columns::{Columns, Rows, StoredGame};
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::snapshot::schema::column_names;

/// One game.
pub(crate) fn game(columns: &Columns, id: i64) -> Result<StoredGame, ArchiveError> {
    for batch in columns.rows(&[id], &column_names())? {
        if batch.num_rows() > 0 {
            return Rows::of(&batch).game(0).map_err(|error| in_file(columns, id, error));
        }
    }
    Err(no_such_game(columns, id))
}

fn no_such_game(columns: &Columns, id: i64) -> ArchiveError {
    let snapshot = columns.snapshot();
    ArchiveError::NoSuchGame { id, games: snapshot.len(), last_id: snapshot.last_id_in_use() }
}

/// Some games, in the order of these ids.
pub(crate) fn games_of(columns: &Columns, ids: &[i64]) -> Result<Vec<StoredGame>, ArchiveError> {
    let mut games = HashMap::with_capacity(ids.len());
    for batch in columns.rows(ids, &column_names())? {
        for game in decode(columns, &batch) {
            let game = game?;
            games.insert(game.id, game);
        }
    }
    let game = |id: &i64| games.get(id).cloned().ok_or_else(|| no_such_game(columns, *id));
    ids.iter().map(game).collect()
}

/// Iterates over games in the order of their ids. They are read and decoded ahead, on threads that end when this value
/// is dropped.
#[derive(Debug)]
pub struct Games {
    games: u64,
    batches: Receiver<Result<Vec<Result<StoredGame, ArchiveError>>, ArchiveError>>,
    /// The next games, in reverse order.
    next: Vec<Result<StoredGame, ArchiveError>>,
}

impl Games {
    /// The games that match a filter.
    pub(crate) fn of(columns: &Columns, filter: &Filter) -> Result<Self, ArchiveError> {
        let (games, blocks) = ordered(columns, filter, game_columns())?;
        let batches = read_ahead(columns, blocks, |columns, batch| Ok(decode(columns, batch)));
        Ok(Self { games, batches: batches?, next: Vec::new() })
    }

    /// The number of all games, returned or to come.
    pub fn games(&self) -> u64 {
        self.games
    }
}

impl Iterator for Games {
    type Item = Result<StoredGame, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next.is_empty() {
            match self.batches.recv().ok()? {
                Ok(mut games) => {
                    games.reverse();
                    self.next = games;
                }
                Err(error) => return Some(Err(error)),
            }
        }
        self.next.pop()
    }
}

/// Iterates over games as PGN: the texts of some games at a time, in the order of their ids. They are read and written
/// ahead, on threads that end when this value is dropped.
#[derive(Debug)]
pub struct PgnTexts {
    games: u64,
    texts: Receiver<Result<PgnText, ArchiveError>>,
}

/// The text of some games, which ends with a blank line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PgnText {
    /// The number of games.
    pub games: u64,
    /// The text, in UTF-8.
    pub text: Vec<u8>,
}

impl PgnTexts {
    /// The games that match a filter.
    pub(crate) fn of(columns: &Columns, filter: &Filter) -> Result<Self, ArchiveError> {
        let (games, blocks) = ordered(columns, filter, game_columns())?;
        Ok(Self { games, texts: read_ahead(columns, blocks, text_of)? })
    }

    /// The number of all games, returned or to come.
    pub fn games(&self) -> u64 {
        self.games
    }
}

impl Iterator for PgnTexts {
    type Item = Result<PgnText, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.texts.recv().ok()
    }
}

fn text_of(columns: &Columns, batch: &RecordBatch) -> Result<PgnText, ArchiveError> {
    let mut writer = Writer::new(Vec::new());
    let mut games = 0;
    for game in decode(columns, batch) {
        let StoredGame { id, game, .. } = game?;
        // In memory, only invalid tags can cause an error.
        let wrong = |error| ArchiveError::damaged(format!("game {id}: {error}"));
        writer.write(&game).map_err(wrong)?;
        games += 1;
    }
    Ok(PgnText { games, text: writer.into_inner() })
}

/// The columns of a whole game.
fn game_columns() -> Vec<&'static str> {
    column_names().into_iter().filter(|name| *name != "signature").collect()
}

/// The games that match a filter in the order of their ids, independent of the order in the files, with some columns,
/// and their number.
fn ordered(
    columns: &Columns,
    filter: &Filter,
    names: Vec<&'static str>,
) -> Result<(u64, Blocks), ArchiveError> {
    let matcher = Matcher::of(filter)?;
    let ids = if matcher.is_all() { None } else { Some(matcher.ids(columns)?) };
    let games = ids.as_ref().map_or_else(|| columns.snapshot().len(), RoaringTreemap::len);
    Ok((games, Blocks::new(columns, ids, names)?))
}

/// Reads blocks on a separate thread, and runs a function for each, on as many threads as the archive has. The results
/// come in order. Reading stops when they are no longer received.
fn read_ahead<T: Send + 'static>(
    columns: &Columns,
    mut blocks: Blocks,
    work: impl Fn(&Columns, &RecordBatch) -> Result<T, ArchiveError> + Send + Sync + 'static,
) -> Result<Receiver<Result<T, ArchiveError>>, ArchiveError> {
    let columns = columns.clone();
    let (sender, receiver) = sync_channel(columns.threads());
    let run = move || {
        loop {
            let (mut some, mut end) = (Vec::with_capacity(columns.threads()), None);
            while some.len() < columns.threads() && end.is_none() {
                match blocks.next() {
                    Ok(Some(batch)) => some.push(batch),
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            }
            match columns.each(&some, |batch| Ok(work(&columns, batch))) {
                Ok(done) => {
                    for result in done {
                        let is_last = result.is_err();
                        if sender.send(result).is_err() || is_last {
                            return;
                        }
                    }
                }
                Err(error) => end = Some(Err(error)),
            }
            // The receiver may be gone.
            match end {
                Some(Err(error)) => return drop(sender.send(Err(error))),
                Some(Ok(())) => return,
                None => {}
            }
        }
    };
    let thread = thread::Builder::new().name("halfmove-read".to_owned());
    thread.spawn(run).map_err(|_| ArchiveError::ThreadLost)?;
    Ok(receiver)
}

fn decode(columns: &Columns, batch: &RecordBatch) -> Vec<Result<StoredGame, ArchiveError>> {
    let rows = Rows::of(batch);
    let game = |row: usize| {
        let game = rows.game(row);
        game.map_err(|error| in_file(columns, rows.id(row).unwrap_or(0), error))
    };
    (0..batch.num_rows()).map(game).collect()
}

/// Adds the file to the error of a damaged game, if it can be in only one.
fn in_file(columns: &Columns, id: i64, error: ArchiveError) -> ArchiveError {
    let ArchiveError::Damaged(what) = error else { return error };
    let mut files =
        columns.files().iter().filter(|file| (file.first_id..=file.last_id).contains(&id));
    match (files.next(), files.next()) {
        (Some(file), None) => ArchiveError::in_file(&file.path, what),
        _ => ArchiveError::Damaged(what),
    }
}
