//! Rows for training: shuffled with bounded memory, in shards, resumable.
//!
//! The games of a filter, in the order of their ids, are cut into blocks. The blocks are shuffled and dealt to the shards;
//! the rows of some blocks at a time, a window, are shuffled:
//!
//! ```text
//!  games   0 1 2 3 | 4 5 6 7 | 8 9 … | …          blocks of 1,024 games
//!  blocks  7 2 | 0 5 | 3 1 | 6 4                  shuffled; shard 0 of 2 gets 7 0 3 6
//!  windows [rows of 7 and 0] [rows of 3 and 6]    the rows of each shuffled, then cut into batches
//! ```

use std::num::{NonZero, NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use halfmove_functions::halfmoves::Plies;
use halfmove_functions::training::{PositionForm, Training, TrainingRules};
use roaring::RoaringTreemap;

use super::Blocks;
use crate::columns::Columns;
use crate::error::ArchiveError;
use crate::filter::{Filter, mixed};
use crate::search::Matcher;

/// The number of games in a block, which stay together in a window.
const GAMES_OF_BLOCK: u64 = 1_024;

/// One of several disjoint shares of the games, which together are all of them.
///
/// ```
/// use halfmove_archive::Shard;
///
/// assert!(Shard::new(3, 4).is_some());
/// assert_eq!(Shard::new(4, 4), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// All games.
    pub const ALL: Self = Self { number: 0, of: 1 };

    /// The share with a number, from 0; `None` if there are not so many.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        (number < of).then_some(Self { number, of })
    }
}

/// The place of the next row: the number of its window, and the number of rows of the window before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingCursor {
    /// The number of the window.
    pub window: u64,
    /// The number of its rows that are over.
    pub row: u64,
}

/// The form and the order of rows for training.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrainingOptions {
    /// The form of the positions.
    pub form: PositionForm,
    /// The half-moves that have a row.
    pub plies: Plies,
    /// The number of rows of each batch but the last.
    pub batch_rows: NonZeroUsize,
    /// The seed of the order; without one, rows are in the order of `id` and `ply`.
    pub seed: Option<u64>,
    /// The number of games whose rows are in memory, and shuffled, together, rounded up to a multiple of 1,024.
    pub window_games: NonZeroU64,
    /// The share of the games.
    pub shard: Shard,
    /// The place of the first row.
    pub from: TrainingCursor,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self {
            form: PositionForm::Packed,
            plies: Plies::all(),
            batch_rows: const { NonZero::new(8_192).unwrap() },
            seed: None,
            window_games: const { NonZero::new(16_384).unwrap() },
            shard: Shard::ALL,
            from: TrainingCursor::default(),
        }
    }
}

/// Iterates over rows for training as Arrow batches. Windows are read and decoded ahead, on threads that end when this value is
/// dropped: two windows are in memory, and a third while it is made.
#[derive(Debug)]
pub struct TrainingBatches {
    games: u64,
    schema: SchemaRef,
    batch_rows: usize,
    windows: Receiver<Result<Window, ArchiveError>>,
    window: Option<Window>,
    place: TrainingCursor,
}

/// The rows of some blocks, and their order.
#[derive(Debug)]
struct Window {
    rows: RecordBatch,
    order: UInt32Array,
}

impl TrainingBatches {
    /// The rows of the games that match a filter.
    pub(crate) fn of(
        columns: &Columns,
        filter: &Filter,
        options: &TrainingOptions,
    ) -> Result<Self, ArchiveError> {
        let training = Training::new(options.form, TrainingRules::of(filter.variant))
            .with_plies(options.plies.clone());
        let ids = Matcher::of(filter)?.ids(columns)?;
        let windows = Windows::of(&ids, options);
        let (games, schema) = (ids.len(), training.schema().clone());
        let (sender, receiver) = sync_channel(0);
        let (columns, first, seed) = (columns.clone(), options.from.window, options.seed);
        let run = move || {
            for number in first.. {
                let Some(blocks) = windows.blocks(number) else { return };
                let rows = rows_of(&columns, &ids, blocks, &training);
                let window = rows.and_then(|rows| Window::of(rows, seed, number));
                let is_last = window.is_err();
                if sender.send(window).is_err() || is_last {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("halfmove-training".to_owned());
        thread.spawn(run).map_err(|_| ArchiveError::ThreadLost)?;
        Ok(Self {
            games,
            schema,
            batch_rows: options.batch_rows.get(),
            windows: receiver,
            window: None,
            place: options.from,
        })
    }

    /// The number of games of all shards.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The place of the next row, from which [`TrainingOptions::from`] goes on.
    pub fn place(&self) -> TrainingCursor {
        self.place
    }

    /// The rows of the current window from its next one on, at most this number.
    fn some(&mut self, most: usize) -> Result<Option<RecordBatch>, ArchiveError> {
        loop {
            if self.window.is_none() {
                let Ok(window) = self.windows.recv() else { return Ok(None) };
                self.window = Some(window?);
            }
            let Some(Window { rows, order }) = &self.window else { return Ok(None) };
            let start = usize::try_from(self.place.row).unwrap_or(usize::MAX).min(order.len());
            let count = most.min(order.len() - start);
            if count > 0 {
                self.place.row += count as u64;
                return Ok(Some(take_record_batch(rows, &order.slice(start, count))?));
            }
            self.window = None;
            self.place = TrainingCursor { window: self.place.window + 1, row: 0 };
        }
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, ArchiveError> {
        let (mut parts, mut missing) = (Vec::new(), self.batch_rows);
        while missing > 0 {
            let Some(part) = self.some(missing)? else { break };
            missing -= part.num_rows();
            parts.push(part);
        }
        Ok(match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(concat_batches(&self.schema, &parts)?),
        })
    }
}

impl Iterator for TrainingBatches {
    type Item = Result<RecordBatch, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}

impl Window {
    fn of(rows: RecordBatch, seed: Option<u64>, number: u64) -> Result<Self, ArchiveError> {
        let count = u32::try_from(rows.num_rows())
            .map_err(|_| ArchiveError::damaged("a window of more than 4 billion rows"))?;
        let mut order: Vec<u32> = (0..count).collect();
        if let Some(seed) = seed {
            shuffle(&mut order, mixed(seed) ^ number);
        }
        Ok(Self { rows, order: UInt32Array::from(order) })
    }
}

/// The blocks of a shard, in windows.
struct Windows {
    /// The number of games.
    games: u64,
    /// The numbers of the blocks, in order.
    blocks: Vec<u32>,
    /// The number of blocks of a window.
    width: usize,
}

impl Windows {
    fn of(ids: &RoaringTreemap, options: &TrainingOptions) -> Self {
        let games = ids.len();
        let count = u32::try_from(games.div_ceil(GAMES_OF_BLOCK)).unwrap_or(u32::MAX);
        let mut blocks: Vec<u32> = (0..count).collect();
        if let Some(seed) = options.seed {
            // No window has this number.
            shuffle(&mut blocks, mixed(seed) ^ u64::MAX);
        }
        let step = usize::try_from(options.shard.of).unwrap_or(usize::MAX);
        let first = usize::try_from(options.shard.number).unwrap_or(usize::MAX);
        let blocks = blocks.into_iter().skip(first).step_by(step).collect();
        let width = options.window_games.get().div_ceil(GAMES_OF_BLOCK);
        Self { games, blocks, width: usize::try_from(width).unwrap_or(usize::MAX) }
    }

    /// The games of each block of a window, by their rank among all; `None` after the last window.
    fn blocks(&self, number: u64) -> Option<Vec<Range<u64>>> {
        let start = usize::try_from(number).ok()?.checked_mul(self.width)?;
        let blocks = self.blocks.get(start..).filter(|blocks| !blocks.is_empty())?;
        let games = |block: &u32| {
            let first = u64::from(*block) * GAMES_OF_BLOCK;
            first..(first + GAMES_OF_BLOCK).min(self.games)
        };
        Some(blocks.iter().take(self.width).map(games).collect())
    }
}

/// The rows of some blocks of games, in the order of `id` and `ply`.
fn rows_of(
    columns: &Columns,
    ids: &RoaringTreemap,
    blocks: Vec<Range<u64>>,
    training: &Training,
) -> Result<RecordBatch, ArchiveError> {
    let mut selected = RoaringTreemap::new();
    for block in blocks {
        if let (Some(first), Some(last)) = (ids.select(block.start), ids.select(block.end - 1)) {
            selected.insert_range(first..=last);
        }
    }
    selected &= ids;
    let mut blocks = Blocks::new(columns, Some(selected), training.sources().to_vec())?;
    let mut games = Vec::new();
    while let Some(batch) = blocks.next()? {
        games.push(batch);
    }
    let rows =
        columns.each(&games, |games| training.rows_of(games).map_err(ArchiveError::damaged))?;
    Ok(concat_batches(training.schema(), &rows)?)
}

/// Puts things into an order that depends on a key alone: Fisher and Yates's, with the numbers of SplitMix64.
fn shuffle<T>(things: &mut [T], key: u64) {
    let mut state = key;
    for last in (1..things.len()).rev() {
        let number = mixed(state);
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        // A number up to `last`.
        let other = (u128::from(number) * (last as u128 + 1)) >> 64;
        things.swap(last, other as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders have to stay the same in later versions: training goes on in them.
    #[test]
    fn the_order_is_frozen() {
        let mut things: Vec<u32> = (0..10).collect();
        shuffle(&mut things, 7);
        assert_eq!(things, [9, 5, 8, 6, 1, 2, 4, 7, 0, 3]);
    }

    #[test]
    fn shards_share_the_blocks() -> Result<(), Box<dyn std::error::Error>> {
        let ids: RoaringTreemap = (1..=10_000_u64).collect();
        let mut seen = Vec::new();
        for number in 0..3 {
            let shard = Shard::new(number, 3).ok_or("a shard")?;
            let window_games = NonZero::new(2_048).ok_or("games")?;
            let options =
                TrainingOptions { seed: Some(1), shard, window_games, ..Default::default() };
            let windows = Windows::of(&ids, &options);
            seen.extend((0..).map_while(|number| windows.blocks(number)).flatten().flatten());
        }
        assert_ne!(seen[0], 0);
        seen.sort_unstable();
        assert_eq!(seen, (0..10_000).collect::<Vec<u64>>());
        Ok(())
    }
}
