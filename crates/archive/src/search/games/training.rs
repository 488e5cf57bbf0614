//! Rows for training: shuffled with bounded memory, in shards, resumable.
//!
//! The games of a filter, in the order of their ids, are cut into blocks. The blocks are shuffled and dealt to the shards;
//! the rows of some blocks at a time, a window, are shuffled:
//!
//! ```text
//!  games   0 1 2 3 | 4 5 6 7 | 8 9 … | …          blocks of up to 1,024 games
//!  blocks  7 2 | 0 5 | 3 1 | 6 4                  shuffled; shard 0 of 2 gets 7 0 3 6
//!  windows [rows of 7 and 0] [rows of 3 and 6]    the rows of each shuffled, then cut into batches
//! ```
//!
//! A block is read at once, so large blocks are fast. All shards get the same number of blocks, as few as possible, and
//! the sizes of blocks differ by at most one game. The larger ones are dealt first, so the shards differ by at most one
//! game, too.

use std::num::{NonZero, NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::sync::Arc;
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

/// The maximum number of games in a block, which stay together in a window.
const GAMES_OF_BLOCK: u64 = 1_024;

/// One of several disjoint shares of the games, which together are all of them. Their sizes differ by at most one game.
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

    /// The share with a number, from 0; `None` if it is not less than the number of shares.
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
    /// The number of games whose rows are in memory, and shuffled, together, rounded up to blocks of up to 1,024.
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
    ids: Arc<RoaringTreemap>,
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
        let (ids, schema) = (Arc::new(ids), training.schema().clone());
        let (sender, receiver) = sync_channel(0);
        let (columns, first, seed) = (columns.clone(), options.from.window, options.seed);
        let games = Arc::clone(&ids);
        let run = move || {
            for number in first.. {
                let Some(blocks) = windows.blocks(number) else { return };
                let rows = rows_of(&columns, &games, blocks, &training);
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
            ids,
            schema,
            batch_rows: options.batch_rows.get(),
            windows: receiver,
            window: None,
            place: options.from,
        })
    }

    /// The number of games of all shards.
    pub fn games(&self) -> u64 {
        self.ids.len()
    }

    /// The digest of the ids of these games: another one if a condition selects other games.
    pub fn digest(&self) -> u64 {
        Self::digest_of(&self.ids)
    }

    /// The digest of a set of ids.
    pub fn digest_of(ids: &RoaringTreemap) -> u64 {
        ids.iter().fold(ids.len(), |digest, id| mixed(digest ^ id))
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
    /// The games of the blocks, by their rank among all.
    blocks: Vec<Range<u64>>,
    /// The number of blocks of a window.
    width: usize,
}

impl Windows {
    fn of(ids: &RoaringTreemap, options: &TrainingOptions) -> Self {
        let (games, shards) = (ids.len(), options.shard.of);
        // Beyond one shard for each game, shards are empty.
        let step = shards.min(games.max(1));
        let count = games.div_ceil(GAMES_OF_BLOCK).next_multiple_of(step);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..count).collect();
        if let Some(seed) = options.seed {
            // No window has this number.
            shuffle(&mut order, mixed(seed) ^ u64::MAX);
        }
        let (size, larger) = (games / u64::from(count.max(1)), games % u64::from(count.max(1)));
        let mut sizes = vec![size; order.len()];
        for block in order.iter().zip(0..larger).map(|(block, _)| *block as usize) {
            sizes[block] += 1;
        }
        let starts = sizes.iter().scan(0, |start, size| {
            *start += size;
            Some(*start - size)
        });
        let all: Vec<Range<u64>> =
            starts.zip(&sizes).map(|(start, size)| start..start + size).collect();
        let dealt = order.iter().zip((0..step).cycle());
        let mine = dealt.filter(|(_, shard)| *shard == options.shard.number);
        let blocks = mine.map(|(block, _)| all[*block as usize].clone()).collect();
        let width =
            options.window_games.get().div_ceil(games.div_ceil(u64::from(count.max(1))).max(1));
        Self { blocks, width: usize::try_from(width).unwrap_or(usize::MAX) }
    }

    /// The games of each block of a window, by their rank among all; `None` after the last window.
    fn blocks(&self, number: u64) -> Option<Vec<Range<u64>>> {
        let start = usize::try_from(number).ok()?.checked_mul(self.width)?;
        let blocks = self.blocks.get(start..).filter(|blocks| !blocks.is_empty())?;
        Some(blocks.iter().take(self.width).cloned().collect())
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

    /// Whatever the number of games and of shards: each game is in one shard, and the shards are of one size.
    #[test]
    fn shards_share_the_games() -> Result<(), Box<dyn std::error::Error>> {
        for games in [0, 1, 2, 7, 100, 1_023, 1_024, 1_025, 2_049, 10_000] {
            let ids: RoaringTreemap = (1..=games).collect();
            for (of, seed) in (1..9).flat_map(|of| [(of, None), (of, Some(1)), (of, Some(2))]) {
                let mut seen = Vec::new();
                for number in 0..of {
                    let shard = Shard::new(number, of).ok_or("a shard")?;
                    let window_games = NonZero::new(2_048).ok_or("games")?;
                    let options =
                        TrainingOptions { seed, shard, window_games, ..Default::default() };
                    let windows = Windows::of(&ids, &options);
                    let before = seen.len() as u64;
                    for blocks in (0..).map_while(|number| windows.blocks(number)) {
                        let sizes = blocks.iter().map(|block| block.end - block.start);
                        assert!(sizes.clone().all(|size| (1..=GAMES_OF_BLOCK).contains(&size)));
                        assert!(sizes.sum::<u64>() < 2_048 + GAMES_OF_BLOCK);
                        seen.extend(blocks.into_iter().flatten());
                    }
                    let size = seen.len() as u64 - before;
                    assert!(size == games / of || size == games / of + 1, "{games} {of}: {size}");
                }
                if games == 10_000 {
                    let is_sorted = seen.is_sorted();
                    assert_eq!(is_sorted, seed.is_none() && of == 1);
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..games).collect::<Vec<u64>>());
            }
        }
        Ok(())
    }

    /// States hold digests, so these stay the same, too.
    #[test]
    fn digests_tell_sets_apart() {
        let digest = |ids: &[u64]| TrainingBatches::digest_of(&ids.iter().copied().collect());
        let digests = [digest(&[]), digest(&[1]), digest(&[2]), digest(&[1, 2]), digest(&[1, 3])];
        for (at, one) in digests.iter().enumerate() {
            assert!(!digests[..at].contains(one), "{digests:?}");
        }
        assert_eq!(digest(&[1, 3]), 0xbca4_02f6_74dd_d08d);
    }
}
