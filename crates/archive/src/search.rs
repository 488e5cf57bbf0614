//! Searching games: their headers and the ply of the match.

use std::collections::HashMap;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use halfmove_game::codec::DecodeError;
use halfmove_game::openings;
use halfmove_rules::Variant;
use roaring::RoaringTreemap;

use crate::error::ArchiveError;
use crate::filter::{Filter, FilterError};
use crate::kernel::{Order, Place, Wanted};
use crate::read::Rows;
use crate::score::Score;
use crate::store::Archive;

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// How many games meet the filter.
    pub count: u64,
    /// Those of them that were asked for, in the order that was asked for.
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
    /// What [`SearchOptions::columns`] asks for, in this order; `None` where a game has none.
    pub more: Vec<Option<String>>,
}

/// Which of the games that a search finds are listed, in which order, and what is said of each.
///
/// ```
/// use halfmove_archive::SearchOptions;
///
/// // The second ten of the newest games, with their time controls.
/// let mut options = SearchOptions::first(10);
/// options.offset = 10;
/// options.sort = "-date".parse()?;
/// options.columns = vec!["tag:TimeControl".to_owned()];
/// # Ok::<(), halfmove_archive::SortError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// At most so many games are listed.
    pub limit: usize,
    /// So many games are left out before the first one that is listed.
    pub offset: usize,
    /// The order.
    pub sort: Sort,
    /// What is said of each game in [`GameSummary::more`]: a column of [`MORE_COLUMNS`], or a tag as in `tag:TimeControl`.
    pub columns: Vec<String>,
}

impl SearchOptions {
    /// So many games, those with the lowest ids.
    pub fn first(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// The tag or the column of the schema behind each name.
    fn more(&self) -> Result<Vec<More<'_>>, FilterError> {
        let more = self.columns.iter().map(|name| {
            if let Some(tag) = name.strip_prefix("tag:").filter(|tag| !tag.is_empty()) {
                return Ok(More::Tag(tag));
            }
            let known = MORE_COLUMNS.iter().find(|known| *known == name);
            let expected = || MORE_COLUMNS.join(", ");
            known
                .map(|column| More::Column(column))
                .ok_or_else(|| FilterError::NoColumn { name: name.clone(), expected: expected() })
        });
        more.collect()
    }
}

/// What else can be said of a game in a list.
#[derive(Debug, Clone, Copy)]
enum More<'a> {
    Column(&'static str),
    Tag(&'a str),
}

/// The columns that [`SearchOptions::columns`] may name. What else a game has is in [`GameSummary`], or is no text. `opening` is the
/// name that its positions have.
pub const MORE_COLUMNS: &[&str] = &["year", OPENING, "start_fen", "fault", "source", "tag_order"];

const OPENING: &str = "opening";

/// An order of games. Games about which it says nothing come last; of two that are equal, the one with the lower id comes
/// first.
///
/// ```
/// use halfmove_archive::{Sort, SortBy};
///
/// // The newest first.
/// let sort: Sort = "-date".parse()?;
/// assert_eq!(sort, Sort { by: SortBy::Date, is_descending: true });
/// assert_eq!(sort.to_string(), "-date");
/// # Ok::<(), halfmove_archive::SortError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sort {
    /// By what.
    pub by: SortBy,
    /// Whether the largest come first.
    pub is_descending: bool,
}

/// By what games are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// By id.
    #[default]
    Id,
    /// By date; a year without a day comes before its first day.
    Date,
    /// By the mean of both ratings, if both are known. As a text, `elo` is the same.
    Rating,
    /// By the number of half-moves.
    Plies,
}

impl SortBy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Id, Self::Date, Self::Rating, Self::Plies];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Date => "date",
            Self::Rating => "rating",
            Self::Plies => "plies",
        }
    }
}

/// The text is no order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "games are not sorted by \"{text}\": expected id, date, rating or plies, or the same after a - for the largest first"
)]
pub struct SortError {
    text: String,
}

impl std::str::FromStr for Sort {
    type Err = SortError;

    fn from_str(text: &str) -> Result<Self, SortError> {
        let name = text.strip_prefix('-');
        let is_descending = name.is_some();
        let name = match name.unwrap_or(text) {
            "elo" => SortBy::Rating.name(),
            name => name,
        };
        let by = SortBy::ALL.into_iter().find(|by| by.name() == name);
        let by = by.ok_or_else(|| SortError { text: text.to_owned() })?;
        Ok(Self { by, is_descending })
    }
}

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_descending { "-" } else { "" }, self.by.name())
    }
}

impl Archive {
    /// Counts the games that meet a filter, and returns the first `limit` of them, in the order of their ids.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the condition of the filter is invalid, [`ArchiveError::Filter`] if the rest makes no sense.
    pub fn search<'a>(
        &'a self,
        filter: &'a Filter,
        limit: usize,
    ) -> BoxFuture<'a, Result<Found, ArchiveError>> {
        async move { self.find(filter, &SearchOptions::first(limit)).await }.boxed()
    }

    /// Counts the games that meet a filter, and returns some of them, in any order.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use halfmove_archive::{Archive, Filter, SearchOptions};
    /// use halfmove_game::Game;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = Archive::create(folder.path().join("games"))?;
    /// # let mut importer = archive.importer();
    /// for date in ["1997.05.11", "2021.12.03", "1985.11.09"] {
    ///     let mut game = Game::default();
    ///     game.tags.push("Date", date);
    ///     importer.push(&game, None)?;
    /// }
    /// # importer.commit()?;
    /// # let archive = archive.refresh()?;
    /// let mut options = SearchOptions::first(2);
    /// options.sort = "-date".parse()?;
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let filter = Filter::default();
    /// let found = archive.search_with(&filter, &options).await?;
    /// let ids: Vec<i64> = found.games.iter().map(|game| game.id).collect();
    /// assert_eq!((found.count, ids), (3, vec![2, 1]));
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Query`] if the condition of the filter is invalid, [`ArchiveError::Filter`] if the rest makes no sense,
    /// or if a column cannot be listed.
    pub fn search_with<'a>(
        &'a self,
        filter: &'a Filter,
        options: &'a SearchOptions,
    ) -> BoxFuture<'a, Result<Found, ArchiveError>> {
        self.find(filter, options).boxed()
    }

    async fn find(&self, filter: &Filter, options: &SearchOptions) -> Result<Found, ArchiveError> {
        let more = options.more()?;
        let mut columns = HEADERS.to_vec();
        let extra = more.iter().filter_map(|more| match more {
            More::Column(OPENING) => Some("moves"),
            More::Column(name) if !HEADERS.contains(name) => Some(*name),
            _ => None,
        });
        columns.extend(extra);
        let (asks, wanted) = (filter.asks(), self.wanted(filter).await?);
        let SearchOptions { limit, offset, sort, .. } = *options;
        let order =
            Order { sort, limit: if limit == 0 { 0 } else { limit.saturating_add(offset) } };
        let search = move |archive: &Self| {
            let mut matches = archive.matches(&asks, &wanted, order, true)?;
            matches.first.drain(..offset.min(matches.first.len()));
            let places: Vec<Place> = matches.first.iter().map(|found| found.place).collect();
            let batches = archive.rows_at(&places, &columns)?;
            let score = wanted.player.is_some().then_some(matches.score);
            Ok((matches.count, score, matches.first, batches))
        };
        let (count, score, first, batches) = self.off_thread(search).await?;
        let numbers: HashMap<i64, usize> =
            first.iter().enumerate().map(|(number, found)| (found.id, number)).collect();
        let mut games = Vec::with_capacity(first.len());
        for batch in &batches {
            let rows = Rows::of(batch);
            for row in 0..batch.num_rows() {
                games.push(summary(&rows, row, &more)?);
            }
        }
        games.sort_by_key(|game| numbers.get(&game.id));
        for game in &mut games {
            let number = numbers.get(&game.id).copied();
            game.ply = number.and_then(|number| first.get(number)?.ply);
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
                    games.push(summary(&rows, row, &[])?);
                }
            }
            games.sort_by_key(|game| game.id);
            Ok(games)
        });
        read.boxed()
    }

    /// What lists say of the games in some places.
    pub(crate) fn summaries_at(
        &self,
        places: &[Place],
    ) -> Result<HashMap<i64, GameSummary>, ArchiveError> {
        let mut games = HashMap::with_capacity(places.len());
        for batch in &self.rows_at(places, HEADERS)? {
            let rows = Rows::of(batch);
            for row in 0..batch.num_rows() {
                let game = summary(&rows, row, &[])?;
                games.insert(game.id, game);
            }
        }
        Ok(games)
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
            let count =
                move |archive: &Self| archive.matches(&asks, &wanted, Order::default(), false);
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

fn summary(rows: &Rows<'_>, row: usize, more: &[More<'_>]) -> Result<GameSummary, ArchiveError> {
    let header = rows.row(row)?;
    let more = more.iter().map(|more| match more {
        More::Tag(name) => Ok(header.tag(name)),
        More::Column(OPENING) => {
            let damaged = |error: DecodeError| {
                ArchiveError::damaged(format!("game {}: {error}", rows.id(row).unwrap_or(0)))
            };
            let opening = openings::of_game(rows.bytes("moves", row)?).map_err(damaged)?;
            Ok(opening.map(|opening| opening.name().to_owned()))
        }
        More::Column("year") => Ok(header.year.map(|year| year.to_string())),
        More::Column(name) => Ok(rows.text(name, row)?.map(str::to_owned)),
    });
    let more = more.collect::<Result<_, ArchiveError>>()?;
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
        more,
    })
}
