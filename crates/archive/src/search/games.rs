//! Reading games from the archive.

mod blocks;

use std::borrow::Cow;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use datafusion::arrow::array::{Array, AsArray, ListArray, RecordBatch};
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Int32Type, Int64Type,
};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};
use futures::{FutureExt, Stream};
use halfmove_game::codec::whole::Parts;
use halfmove_game::codec::{Codec, halfmove::Halfmove};
use halfmove_game::pgn::Writer;
use halfmove_game::{Game, GameResult};
use halfmove_rules::Variant;
use roaring::RoaringTreemap;

use self::blocks::Blocks;
use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::row::{Row, Tag};
use crate::schema::column_names;
use crate::store::Archive;
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
        let batches = self.off_thread(move |archive| archive.rows(&[id], &column_names())).await?;
        for batch in batches {
            let rows = Rows::of(&batch);
            if batch.num_rows() > 0 {
                return rows.game(0).map_err(|error| self.in_file(id, error));
            }
        }
        Err(self.no_such_game(id))
    }

    fn no_such_game(&self, id: i64) -> ArchiveError {
        ArchiveError::NoSuchGame { id, games: self.len(), last_id: self.last_id_in_use() }
    }

    /// Some games, in the order of these ids. All of them are in memory at a time.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::NoSuchGame`] for the first id that no game has.
    pub fn games_of<'a>(
        &'a self,
        ids: &'a [i64],
    ) -> BoxFuture<'a, Result<Vec<StoredGame>, ArchiveError>> {
        let games = async move {
            let wanted = ids.to_vec();
            let read = move |archive: &Self| {
                let mut games = HashMap::with_capacity(wanted.len());
                for batch in archive.rows(&wanted, &column_names())? {
                    for game in archive.decode(&batch)? {
                        let game = game?;
                        games.insert(game.id, game);
                    }
                }
                Ok(games)
            };
            let games = self.off_thread(read).await?;
            let game = |id: &i64| games.get(id).cloned().ok_or_else(|| self.no_such_game(*id));
            ids.iter().map(game).collect()
        };
        games.boxed()
    }

    /// The games that meet a filter, one after another, in the order of their ids. However many there are, only a few
    /// tens of thousands are in memory at a time; after a [compaction](Archive::compact), as many as an eighth of
    /// [`ArchiveOptions::query_bytes`](crate::ArchiveOptions::query_bytes) holds. Games are decoded on
    /// [all threads](crate::ArchiveOptions::threads).
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn games<'a>(
        &'a self,
        filter: &'a Filter,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Result<StoredGame, ArchiveError>>, ArchiveError>>
    {
        let games = async move {
            let (_, batches) = self.ordered(filter).await?;
            let (archive, threads) = (self.clone(), self.threads());
            let decoded = batches.map(move |batch: Result<RecordBatch, ArchiveError>| {
                let archive = archive.clone();
                async move {
                    let batch = batch?;
                    let decoded = tokio::task::spawn_blocking(move || archive.decode(&batch));
                    decoded.await.unwrap_or(Err(ArchiveError::ThreadLost))
                }
            });
            let games = decoded
                .buffered(threads)
                .flat_map(|games| stream::iter(games.unwrap_or_else(|error| vec![Err(error)])));
            Ok(games.boxed())
        };
        games.boxed()
    }
}

/// Games as PGN.
///
/// It gives the texts of some games at a time, in the order of their ids.
pub struct PgnTexts {
    games: u64,
    texts: BoxStream<'static, Result<PgnText, ArchiveError>>,
}

/// The text of some games, which ends with a blank line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PgnText {
    /// How many games there are.
    pub games: u64,
    /// The text, in UTF-8.
    pub text: Vec<u8>,
}

impl PgnTexts {
    /// How many games there are in all.
    pub fn games(&self) -> u64 {
        self.games
    }
}

impl std::fmt::Debug for PgnTexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PgnTexts").field("games", &self.games).finish_non_exhaustive()
    }
}

impl Stream for PgnTexts {
    type Item = Result<PgnText, ArchiveError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.texts.poll_next_unpin(context)
    }
}

impl Archive {
    /// The games that meet a filter as PGN, in the order of their ids. It reads as [`games`](Self::games) does, and also
    /// writes the texts on all threads.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use futures::TryStreamExt;
    /// use halfmove_archive::{Archive, Filter};
    /// use halfmove_game::pgn::read_game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// let text = "[White \"Morphy, Paul\"]\n\n1. e4 e5 *\n\n";
    /// let mut importer = archive.importer();
    /// importer.push(&read_game(text)?, None)?;
    /// importer.commit()?;
    ///
    /// let archive = archive.refresh()?;
    /// tokio::runtime::Runtime::new()?.block_on(async {
    ///     let mut texts = archive.pgn(&Filter::default()).await?;
    ///     assert_eq!(texts.games(), 1);
    ///     assert_eq!(texts.try_next().await?.ok_or("no text")?.text, text.as_bytes());
    ///     Ok(())
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the filter's SQL condition is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn pgn<'a>(&'a self, filter: &'a Filter) -> BoxFuture<'a, Result<PgnTexts, ArchiveError>> {
        let texts = async move {
            let (games, batches) = self.ordered(filter).await?;
            let (archive, threads) = (self.clone(), self.threads());
            let written = batches.map(move |batch: Result<RecordBatch, ArchiveError>| {
                let archive = archive.clone();
                async move {
                    let batch = batch?;
                    let written = tokio::task::spawn_blocking(move || archive.text_of(&batch));
                    written.await.unwrap_or(Err(ArchiveError::ThreadLost))
                }
            });
            Ok(PgnTexts { games, texts: written.buffered(threads).boxed() })
        };
        texts.boxed()
    }

    fn text_of(&self, batch: &RecordBatch) -> Result<PgnText, ArchiveError> {
        let mut writer = Writer::new(Vec::new());
        let mut games = 0;
        for game in self.decode(batch)? {
            let StoredGame { id, game, .. } = game?;
            // In memory, only tags can be a reason.
            let wrong = |error| ArchiveError::Damaged(format!("game {id}: {error}"));
            writer.write(&game).map_err(wrong)?;
            games += 1;
        }
        Ok(PgnText { games, text: writer.into_inner() })
    }
}

impl Archive {
    /// The games that meet a filter, in the order of their ids, whatever that of the files is, and how many there are.
    async fn ordered(&self, filter: &Filter) -> Result<(u64, Batches), ArchiveError> {
        let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
        let wanted = match asks.is_empty() && wanted.is_all() {
            true => None,
            false => {
                let search = move |archive: &Self| archive.ids_with(&asks, &wanted);
                Some(self.off_thread(search).await?)
            }
        };
        let games = wanted.as_ref().map_or_else(|| self.len(), RoaringTreemap::len);
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
        Ok((games, batches.boxed()))
    }
}

/// Rows of games.
type Batches = BoxStream<'static, Result<RecordBatch, ArchiveError>>;

type Decoded = Vec<Result<StoredGame, ArchiveError>>;

impl Archive {
    fn decode(&self, batch: &RecordBatch) -> Result<Decoded, ArchiveError> {
        let rows = Rows::of(batch);
        let games = (0..batch.num_rows()).map(|row| {
            rows.game(row).map_err(|error| self.in_file(rows.id(row).unwrap_or(0), error))
        });
        Ok(games.collect())
    }

    /// Says in which file a damaged game is, if it can be in only one.
    fn in_file(&self, id: i64, error: ArchiveError) -> ArchiveError {
        let ArchiveError::Damaged(what) = error else { return error };
        let mut files =
            self.files().iter().filter(|file| (file.first_id..=file.last_id).contains(&id));
        match (files.next(), files.next()) {
            (Some(file), None) => ArchiveError::Damaged(format!("{}: {what}", file.path.display())),
            _ => ArchiveError::Damaged(what),
        }
    }
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

    pub(crate) fn other_tags(&self, row: usize) -> Result<Vec<Tag<'a>>, ArchiveError> {
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
