//! Searching games: their headers and the ply of the match.

use std::collections::BinaryHeap;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::functions_aggregate::count::count_all;
use datafusion::logical_expr::{Expr, col, lit};
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, TryStreamExt};
use halfmove_game::replay::Query;
use halfmove_rules::Variant;
use roaring::RoaringTreemap;

use crate::error::ArchiveError;
use crate::filter::{Filter, ply_of};
use crate::kernel::{Place, Wanted};
use crate::read::Rows;
use crate::schema::Format;
use crate::session::Order;
use crate::store::Archive;

/// The most games that are fetched by id; for more, the filter is applied again.
const BY_ID: usize = 256;

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// How many games meet the filter.
    pub count: u64,
    /// The first of them, in the order of their ids.
    pub games: Vec<GameSummary>,
}

/// A game in a list of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameSummary {
    /// Its id.
    pub id: i64,
    /// Which game it is.
    pub variant: Variant,
    /// Tag `White`.
    pub white: Option<String>,
    /// Tag `Black`.
    pub black: Option<String>,
    /// Rating of White.
    pub white_elo: Option<i32>,
    /// Rating of Black.
    pub black_elo: Option<i32>,
    /// Tag `Date` as it was written, even if incomplete: `1924.??.??`.
    pub date: Option<String>,
    /// One of the four result tokens: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Tag `Event`.
    pub event: Option<String>,
    /// Tag `Site`.
    pub site: Option<String>,
    /// Tag `Round`.
    pub round: Option<String>,
    /// Tag `ECO`.
    pub eco: Option<String>,
    /// How many half-moves the game has.
    pub plies: u32,
    /// The number of half-moves after which the position first arises; `None` if the filter has no position.
    pub ply: Option<u32>,
}

impl Archive {
    /// Counts the games that meet a filter, and returns the first `limit` of them.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the condition of the filter is no good.
    pub fn search<'a>(
        &'a self,
        filter: &'a Filter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Found, ArchiveError>> {
        self.find(filter, limit).boxed()
    }

    async fn find(&self, filter: &Filter, limit: usize) -> Result<Found, ArchiveError> {
        let (count, first, batches) = if self.format() == Format::One {
            let (query, wanted) = (self.query(filter), self.wanted(filter).await?);
            let search = move |archive: &Self| {
                let matches = archive.matches(query.as_ref(), &wanted, limit)?;
                let places: Vec<Place> = matches.first.iter().map(|(_, place, _)| *place).collect();
                let batches = archive.rows_at(&places, HEADERS)?;
                let first = matches.first.into_iter().map(|(id, _, ply)| (id, ply));
                Ok((matches.count, first.collect::<Vec<_>>(), batches))
            };
            self.off_thread(search).await?
        } else {
            let (count, ids) = self.matching_ids(filter, limit).await?;
            let first = ids.iter().map(|id| (*id, None)).collect();
            (count, first, self.headers(filter, ids).await?)
        };
        let mut games = Vec::with_capacity(first.len());
        for batch in &batches {
            let rows = Rows::of(batch);
            for row in 0..batch.num_rows() {
                games.push(summary(&rows, row)?);
            }
        }
        games.sort_by_key(|game| game.id);
        for game in &mut games {
            if let Ok(at) = first.binary_search_by_key(&game.id, |(id, _)| *id)
                && game.ply.is_none()
            {
                game.ply = first[at].1;
            }
        }
        Ok(Found { count, games })
    }

    /// The rows of a list of games of format 0.
    async fn headers(
        &self,
        filter: &Filter,
        ids: Vec<i64>,
    ) -> Result<Vec<RecordBatch>, ArchiveError> {
        let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return Ok(Vec::new()) };
        let (first, last, filter) = (*first, *last, filter.clone());
        let make = move |archive: &Self| {
            let games = archive.table(Order::Any)?;
            // The range allows skipping whole row groups and pages.
            let games = games.filter(col("id").between(lit(first), lit(last)))?;
            let games = if ids.len() <= BY_ID {
                games.filter(col("id").in_list(ids.iter().map(|id| lit(*id)).collect(), false))?
            } else {
                filter.apply(games)?
            };
            let mut columns: Vec<Expr> = HEADERS.iter().map(|name| col(*name)).collect();
            if let Some(position) = &filter.position {
                columns.push(ply_of(position).alias("ply"));
            }
            games.select(columns)
        };
        Ok(self.rows_of(make).await?.try_collect().await?)
    }

    /// The question about a position that the kernel answers.
    pub(crate) fn query(&self, filter: &Filter) -> Option<Query> {
        let position = filter.position.as_ref().filter(|_| self.format() == Format::One)?;
        Some(Query::new(position))
    }

    /// What a filter wants beside a position. A condition in SQL is answered here, by the engine.
    pub(crate) async fn wanted(&self, filter: &Filter) -> Result<Wanted, ArchiveError> {
        let tags = filter.conditions();
        let Some(condition) = &filter.condition else { return Ok(Wanted { tags, ids: None }) };
        let condition = Filter { condition: Some(condition.clone()), ..Filter::default() };
        let mut batches = self.ids(condition).await?;
        let mut ids = RoaringTreemap::new();
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            ids.extend(ids_of(&batch)?.iter().filter_map(|id| u64::try_from(*id).ok()));
        }
        Ok(Wanted { tags, ids: Some(ids) })
    }

    /// Runs work that takes a while beside the threads that answer. It stops soon after nobody waits for it any longer.
    pub(crate) async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, ArchiveError> + Send + 'static,
    ) -> Result<T, ArchiveError> {
        let (archive, _guard) = self.stoppable();
        let done = tokio::task::spawn_blocking(move || work(&archive)).await;
        done.unwrap_or_else(|_| Err(ArchiveError::ThreadLost))
    }

    /// How many games meet a filter.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the condition of the filter is no good.
    pub fn count<'a>(&'a self, filter: &'a Filter) -> BoxFuture<'a, Result<u64, ArchiveError>> {
        let count = async move {
            if self.format() == Format::One {
                let (query, wanted) = (self.query(filter), self.wanted(filter).await?);
                let count = move |archive: &Self| archive.matches(query.as_ref(), &wanted, 0);
                return Ok(self.off_thread(count).await?.count);
            }
            let filter = filter.clone();
            let make = move |archive: &Self| {
                let games = filter.apply(archive.table(Order::Any)?)?;
                games.aggregate(vec![], vec![count_all()])
            };
            let mut batches = self.rows_of(make).await?;
            let wrong = || ArchiveError::damaged("the aggregate count has answered something else");
            let batch = batches.next().await.transpose()?.ok_or_else(wrong)?;
            let count = ids_of(&batch)?.first().and_then(|count| u64::try_from(*count).ok());
            count.ok_or_else(wrong)
        };
        count.boxed()
    }

    /// The ids of the games that meet a filter.
    async fn ids(&self, filter: Filter) -> Result<SendableRecordBatchStream, ArchiveError> {
        let make =
            move |archive: &Self| filter.apply(archive.table(Order::Any)?)?.select(vec![col("id")]);
        self.rows_of(make).await
    }

    /// How many games meet a filter, and the lowest ids of them in order.
    async fn matching_ids(
        &self,
        filter: &Filter,
        limit: usize,
    ) -> Result<(u64, Vec<i64>), ArchiveError> {
        if limit == 0 {
            return Ok((self.count(filter).await?, Vec::new()));
        }
        let mut batches = self.ids(filter.clone()).await?;
        let mut count = 0;
        let mut lowest: BinaryHeap<i64> = BinaryHeap::new();
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            count += batch.num_rows() as u64;
            for id in ids_of(&batch)? {
                if lowest.len() < limit {
                    lowest.push(*id);
                } else if let Some(mut highest) = lowest.peek_mut()
                    && *id < *highest
                {
                    *highest = *id;
                }
            }
        }
        Ok((count, lowest.into_sorted_vec()))
    }
}

/// The ids of a batch that has only these.
fn ids_of(batch: &RecordBatch) -> Result<&[i64], ArchiveError> {
    let ids = batch.column(0).as_primitive_opt::<Int64Type>();
    let ids = ids.ok_or_else(|| ArchiveError::damaged("the column id holds no numbers"))?;
    Ok(ids.values())
}

/// The columns of a list of games.
const HEADERS: &[&str] = &[
    "id",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "date",
    "result",
    "event",
    "site",
    "round",
    "eco",
    "plies",
    "year",
    "variant",
    "start_fen",
    "tag_order",
    "other_tags",
];

fn summary(rows: &Rows<'_>, row: usize) -> Result<GameSummary, ArchiveError> {
    let header = rows.row(row)?;
    let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let unsigned = |number: Option<i32>| number.and_then(|number| u32::try_from(number).ok());
    Ok(GameSummary {
        id: rows.id(row)?,
        variant: header.variant,
        white: text(&header.white),
        black: text(&header.black),
        white_elo: header.white_elo,
        black_elo: header.black_elo,
        date: text(&header.date_text()),
        result: header.result.into_owned(),
        event: text(&header.event),
        site: text(&header.site),
        round: text(&header.round),
        eco: text(&header.eco),
        plies: unsigned(rows.int("plies", row)?).unwrap_or(0),
        ply: if rows.has("ply") { unsigned(rows.int("ply", row)?) } else { None },
    })
}
