//! Searching games: their headers and the ply of the match.

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use halfmove_rules::Variant;
use roaring::RoaringTreemap;

use crate::error::ArchiveError;
use crate::filter::Filter;
use crate::kernel::{Place, Wanted};
use crate::read::Rows;
use crate::score::Score;
use crate::store::Archive;

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// How many games meet the filter.
    pub count: u64,
    /// The first of them, in the order of their ids.
    pub games: Vec<GameSummary>,
    /// How they ended for the player; `None` if the filter names none.
    pub score: Option<Score>,
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
    /// The number of half-moves after which the position first arises, or, if the filter has no position, the first of its
    /// questions is first answered with yes; `None` if it has neither.
    pub ply: Option<u32>,
}

impl Archive {
    /// Counts the games that meet a filter, and returns the first `limit` of them.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the condition of the filter is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn search<'a>(
        &'a self,
        filter: &'a Filter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Found, ArchiveError>> {
        self.find(filter, limit).boxed()
    }

    async fn find(&self, filter: &Filter, limit: usize) -> Result<Found, ArchiveError> {
        let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
        let search = move |archive: &Self| {
            let matches = archive.matches(&asks, &wanted, limit, true)?;
            let places: Vec<Place> = matches.first.iter().map(|(_, place, _)| *place).collect();
            let batches = archive.rows_at(&places, HEADERS)?;
            let first = matches.first.into_iter().map(|(id, _, ply)| (id, ply));
            let score = wanted.player.is_some().then_some(matches.score);
            Ok((matches.count, score, first.collect::<Vec<_>>(), batches))
        };
        let (count, score, first, batches) = self.off_thread(search).await?;
        let mut games = Vec::with_capacity(first.len());
        for batch in &batches {
            let rows = Rows::of(batch);
            for row in 0..batch.num_rows() {
                games.push(summary(&rows, row)?);
            }
        }
        games.sort_by_key(|game| game.id);
        for game in &mut games {
            if let Ok(at) = first.binary_search_by_key(&game.id, |(id, _)| *id) {
                game.ply = first[at].1;
            }
        }
        Ok(Found { count, games, score })
    }

    /// Some games as [`search`](Archive::search) lists them, in the order of their ids; those that there are not are left out.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games");
    /// use halfmove_archive::{Archive, Importer};
    ///
    /// let mut importer = Importer::open(&path)?;
    /// importer.read_pgn([Ok("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n".as_bytes())], &mut ())?;
    /// importer.commit()?;
    /// let archive = Archive::open(&path)?;
    /// let games = tokio::runtime::Runtime::new()?.block_on(archive.summaries(&[2, 7]))?;
    /// assert_eq!((games.len(), games[0].white.as_deref()), (1, Some("B")));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Damaged`] and [`ArchiveError::Io`] if they cannot be read.
    pub fn summaries(&self, ids: &[i64]) -> BoxFuture<'_, Result<Vec<GameSummary>, ArchiveError>> {
        let ids = ids.to_vec();
        let read = self.off_thread(move |archive| {
            let mut games = Vec::with_capacity(ids.len());
            for batch in archive.rows(&ids, HEADERS)? {
                let rows = Rows::of(&batch);
                for row in 0..batch.num_rows() {
                    games.push(summary(&rows, row)?);
                }
            }
            games.sort_by_key(|game| game.id);
            Ok(games)
        });
        read.boxed()
    }

    /// What a filter wants beside a position and questions. A condition in SQL is answered here, by the engine.
    pub(crate) async fn wanted(&self, filter: &Filter) -> Result<Wanted, ArchiveError> {
        filter.check()?;
        let (tags, player) = (filter.conditions(), filter.wanted_player());
        let Some(condition) = &filter.condition else {
            return Ok(Wanted { tags, player, ids: None });
        };
        let mut batches = self.ids_where(condition).await?;
        let mut ids = RoaringTreemap::new();
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            for id in ids_of(&batch)? {
                let is_id = u64::try_from(*id).ok().filter(|id| *id > 0);
                let damage = || ArchiveError::damaged(format!("game {id}: ids begin with 1"));
                ids.insert(is_id.ok_or_else(damage)?);
            }
        }
        Ok(Wanted { tags, player, ids: Some(ids) })
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
    /// [`ArchiveError::Query`] if the condition of the filter is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn count<'a>(&'a self, filter: &'a Filter) -> BoxFuture<'a, Result<u64, ArchiveError>> {
        let count = async move {
            let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
            let count = move |archive: &Self| archive.matches(&asks, &wanted, 0, false);
            Ok(self.off_thread(count).await?.count)
        };
        count.boxed()
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
        ply: None,
    })
}
