//! Reading games from the archive.

mod blocks;

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, ListArray, RecordBatch};
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Int32Type, Int64Type,
};
use datafusion::logical_expr::{col, lit};
use futures::FutureExt;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use halfmove_game::codec::whole::Parts;
use halfmove_game::codec::{Codec, halfmove::Halfmove};
use halfmove_game::{Game, GameResult};
use halfmove_rules::Variant;

use self::blocks::Blocks;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::kernel::FileOrder;
use crate::row::{Row, Tag};
use crate::schema::{COLUMNS, Format};
use crate::session::Order;
use crate::store::{Archive, DataFile};
use crate::variants;

/// A game of the archive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StoredGame {
    /// Its id.
    pub id: i64,
    /// Its tags, moves and result.
    pub game: Game,
    /// Why its moves end early, if there was a fault in its source file.
    pub fault: Option<String>,
}

impl Archive {
    /// One game.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchGame`] if no game has that id.
    pub fn game(&self, id: i64) -> BoxFuture<'_, Result<StoredGame, ArchiveError>> {
        self.fetch(id).boxed()
    }

    async fn fetch(&self, id: i64) -> Result<StoredGame, ArchiveError> {
        let batches = match self.format() {
            Format::One => {
                self.off_thread(move |archive| {
                    archive
                        .rows(&[id], &COLUMNS.iter().map(|column| column.name).collect::<Vec<_>>())
                })
                .await?
            }
            Format::Zero => {
                let make =
                    move |archive: &Self| archive.table(Order::Any)?.filter(col("id").eq(lit(id)));
                self.rows_of(make).await?.try_collect().await?
            }
        };
        for batch in batches {
            let rows = Rows::of(&batch);
            if batch.num_rows() > 0 {
                return rows.game(0);
            }
        }
        Err(ArchiveError::NoSuchGame { id, games: self.len(), last_id: self.last_id_in_use() })
    }

    /// The games that meet a filter, one after another, in the order of their ids. However many there are, only a few
    /// tens of thousands are in memory at a time, or 128 MiB of them after a [compaction](Archive::compact). Games
    /// are decoded on all threads.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid.
    pub fn games<'a>(
        &'a self,
        filter: &'a Filter,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Result<StoredGame, ArchiveError>>, ArchiveError>>
    {
        let games = async move {
            let batches = match self.is_in_order()? {
                true => {
                    let filter = filter.clone();
                    let make = move |archive: &Self| filter.apply(archive.table(Order::ById)?);
                    self.rows_of(make).await?.map(|batch| Ok(batch?)).boxed()
                }
                false => self.ordered(filter).await?,
            };
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let decoded = batches.map(|batch: Result<RecordBatch, ArchiveError>| async {
                let batch = batch?;
                let decoded = tokio::task::spawn_blocking(move || decode(&batch));
                decoded
                    .await
                    .unwrap_or_else(|_| Err(ArchiveError::damaged("games could not be decoded")))
            });
            let games = decoded
                .buffered(threads)
                .flat_map(|games| stream::iter(games.unwrap_or_else(|error| vec![Err(error)])));
            Ok(games.boxed())
        };
        games.boxed()
    }
}

impl Archive {
    /// Whether the games of each file are in the order of their ids, or nothing else can be known.
    fn is_in_order(&self) -> Result<bool, ArchiveError> {
        self.fetch_footers()?;
        for file in self.files() {
            let order = self.cache().footer(file)?.order();
            if self.format() == Format::One && order != FileOrder::Ids {
                return Ok(false);
            }
        }
        let overlap = |pair: &[DataFile]| pair[0].last_id >= pair[1].first_id;
        Ok(self.format() == Format::Zero || !self.files().windows(2).any(overlap))
    }

    /// The games that meet a filter, in the order of their ids, whatever that of the files is.
    async fn ordered(&self, filter: &Filter) -> Result<Batches, ArchiveError> {
        let (query, wanted) = (self.query(filter), self.wanted(filter).await?);
        let wanted = match query.is_none() && wanted.is_all() {
            true => None,
            false => {
                let search = move |archive: &Self| archive.ids_with(query.as_ref(), &wanted);
                Some(self.off_thread(search).await?)
            }
        };
        // They are read as long as the games are wanted, and not only while this waits.
        let archive = self.clone();
        let blocks = self.off_thread(move |_| Blocks::new(&archive, wanted)).await?;
        let batches = stream::try_unfold(blocks, |mut blocks| async {
            let read = tokio::task::spawn_blocking(move || {
                let games = blocks.next()?;
                Ok(games.map(|games| (games, blocks)))
            });
            read.await.unwrap_or(Err(ArchiveError::ThreadLost))
        });
        Ok(batches.boxed())
    }
}

/// Rows of games.
type Batches = BoxStream<'static, Result<RecordBatch, ArchiveError>>;

type Decoded = Vec<Result<StoredGame, ArchiveError>>;

fn decode(batch: &RecordBatch) -> Result<Decoded, ArchiveError> {
    let rows = Rows::of(batch);
    Ok((0..batch.num_rows()).map(|row| rows.game(row)).collect())
}

/// The columns of a batch of the whole table, by name.
pub(crate) struct Rows<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(batch: &'a RecordBatch) -> Self {
        Self { batch }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.batch.num_rows()
    }

    /// Whether there is such a column.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.batch.column_by_name(name).is_some()
    }

    fn column(&self, name: &str) -> Result<&'a Arc<dyn Array>, ArchiveError> {
        self.batch
            .column_by_name(name)
            .ok_or_else(|| ArchiveError::damaged(format!("there is no column {name}")))
    }

    /// The text in a column, `None` where it is null.
    pub(crate) fn text(&self, name: &str, row: usize) -> Result<Option<&'a str>, ArchiveError> {
        let column = self.column(name)?;
        let wrong = || ArchiveError::damaged(format!("the column {name} holds no texts"));
        if column.is_null(row) {
            return Ok(None);
        }
        Ok(Some(match column.data_type() {
            DataType::Utf8View => column.as_string_view_opt().ok_or_else(wrong)?.value(row),
            DataType::Utf8 => column.as_string_opt::<i32>().ok_or_else(wrong)?.value(row),
            _ => return Err(wrong()),
        }))
    }

    fn number<T: ArrowPrimitiveType>(
        &self,
        name: &str,
        row: usize,
    ) -> Result<Option<T::Native>, ArchiveError> {
        let wrong = || ArchiveError::damaged(format!("the column {name} holds no numbers"));
        let column = self.column(name)?.as_primitive_opt::<T>().ok_or_else(wrong)?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    /// The number in a column, `None` where it is null.
    pub(crate) fn int(&self, name: &str, row: usize) -> Result<Option<i32>, ArchiveError> {
        self.number::<Int32Type>(name, row)
    }

    /// The days since 1970-01-01 in a column, `None` where it is null.
    pub(crate) fn date(&self, name: &str, row: usize) -> Result<Option<i32>, ArchiveError> {
        self.number::<Date32Type>(name, row)
    }

    pub(crate) fn id(&self, row: usize) -> Result<i64, ArchiveError> {
        self.number::<Int64Type>("id", row)?
            .ok_or_else(|| ArchiveError::damaged("a game has no id"))
    }

    fn other_tags(&self, row: usize) -> Result<Vec<Tag<'a>>, ArchiveError> {
        let wrong = || ArchiveError::damaged("the column other_tags holds no tags");
        let lists: &ListArray = self.column("other_tags")?.as_list_opt().ok_or_else(wrong)?;
        let tags = lists.values().as_struct_opt().ok_or_else(wrong)?;
        let (names, values) = match tags.columns() {
            [names, values] => (names, values),
            _ => return Err(wrong()),
        };
        let text = |column: &'a Arc<dyn Array>,
                    index: usize|
         -> Result<Cow<'a, str>, ArchiveError> {
            Ok(Cow::Borrowed(match column.data_type() {
                DataType::Utf8View => column.as_string_view_opt().ok_or_else(wrong)?.value(index),
                DataType::Utf8 => column.as_string_opt::<i32>().ok_or_else(wrong)?.value(index),
                _ => return Err(wrong()),
            }))
        };
        let offsets = lists.value_offsets();
        let range = offsets[row] as usize..offsets[row + 1] as usize;
        range.map(|index| Ok((text(names, index)?, text(values, index)?))).collect()
    }

    fn variant(&self, row: usize) -> Result<Variant, ArchiveError> {
        let name = self.text("variant", row)?.unwrap_or_default();
        variants::named(name).ok_or_else(|| {
            let expected = variants::names();
            ArchiveError::Damaged(format!(
                "the column variant says \"{name}\", expected {expected}"
            ))
        })
    }

    /// The header columns of a game.
    pub(crate) fn row(&self, row: usize) -> Result<Row<'a>, ArchiveError> {
        let text = |name| Ok::<_, ArchiveError>(self.text(name, row)?.map(Cow::Borrowed));
        Ok(Row {
            event: text("event")?,
            site: text("site")?,
            round: text("round")?,
            white: text("white")?,
            black: text("black")?,
            date: self.date("date", row)?,
            year: self.int("year", row)?,
            result: text("result")?.unwrap_or(Cow::Borrowed("*")),
            white_elo: self.int("white_elo", row)?,
            black_elo: self.int("black_elo", row)?,
            eco: text("eco")?,
            variant: self.variant(row)?,
            start_fen: text("start_fen")?,
            tag_order: text("tag_order")?.unwrap_or_default(),
            other_tags: self.other_tags(row)?,
        })
    }

    /// Bytes; none for null.
    pub(crate) fn bytes(&self, name: &str, row: usize) -> Result<&'a [u8], ArchiveError> {
        let column = self.column(name)?;
        let bytes = match column.data_type() {
            _ if column.is_null(row) => Some(&[][..]),
            DataType::BinaryView => column.as_binary_view_opt().map(|bytes| bytes.value(row)),
            DataType::Binary => column.as_binary_opt::<i32>().map(|bytes| bytes.value(row)),
            _ => None,
        };
        bytes.ok_or_else(|| ArchiveError::Damaged(format!("the column {name} holds no bytes")))
    }

    /// The whole game.
    pub(crate) fn game(&self, row: usize) -> Result<StoredGame, ArchiveError> {
        let id = self.id(row)?;
        let broken =
            |what: &dyn std::fmt::Display| ArchiveError::Damaged(format!("game {id}: {what}"));
        let header = self.row(row)?;
        let bytes = self.bytes("moves", row)?;
        let mut moves = Vec::new();
        let start = Halfmove.decode_moves(bytes, &mut moves).map_err(|error| broken(&error))?;
        if start.variant() != header.variant {
            return Err(broken(&"its moves are those of another variant"));
        }
        let fault = self.text("fault", row)?.map(str::to_owned);
        let parts = Parts {
            annotations: self.bytes("annotations", row)?.to_vec(),
            clocks: self.bytes("clocks", row)?.to_vec(),
            evaluations: self.bytes("evaluations", row)?.to_vec(),
        };
        let game = parts.game(&header.join(), start, &moves);
        let mut game = game.map_err(|error| broken(&error))?;
        // Format 0 kept a result that no tag gives only here.
        if parts.annotations.is_empty() && game.result.is_none() {
            let result: Option<GameResult> = header.result.parse().ok();
            game.result = result.filter(|result| *result != GameResult::Unknown);
        }
        Ok(StoredGame { id, game, fault })
    }
}
