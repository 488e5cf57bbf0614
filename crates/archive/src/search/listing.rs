//! Lists of games: the games of a filter in some order, with some of their columns.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use chrono::{DateTime, SecondsFormat};
use halfmove_game::codec::DecodeError;
use halfmove_game::replay::move_after;
use halfmove_game::{MoveNumber, openings};
use halfmove_rules::Variant;

use super::matching::Matcher;
use super::order::Order;
use super::score::Score;
use crate::columns::{Columns, GamePlace, Rows, facts_of};
use crate::error::{ArchiveError, FilterError};
use crate::filter::{Filter, Sort};
use crate::snapshot::schema::is_of_tags;

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// The number of games that match the filter.
    pub count: u64,
    /// The requested games, in the requested order.
    pub games: Vec<GameSummary>,
    /// The score of the player; `None` if the filter names none.
    pub score: Option<Score>,
}

/// A game in a list of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameSummary {
    /// Its id.
    pub id: i64,
    /// The variant.
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
    /// The number of half-moves.
    pub plies: u32,
    /// The ply at which the position first arises, or, if the filter has no position, at which the first of its
    /// conditions first matches; `None` if it has neither.
    pub ply: Option<u32>,
    /// The values of [`SearchOptions::columns`], in this order; `None` where a game has none.
    pub more: Vec<Option<String>>,
}

/// The options of a search: which of the matching games to list, in which order, and with which columns.
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
    /// The maximum number of games to list.
    pub limit: usize,
    /// The number of games to skip before the first one in the list.
    pub offset: usize,
    /// The order.
    pub sort: Sort,
    /// The columns of [`GameSummary::more`]: a column of [`MORE_COLUMNS`], or a tag as in `tag:TimeControl`.
    pub columns: Vec<String>,
}

impl SearchOptions {
    /// The first `limit` games by id.
    pub fn first(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// The tag or the column of the schema for each name.
    fn more(&self) -> Result<Vec<More<'_>>, FilterError> {
        let more = self.columns.iter().map(|name| {
            if let Some(tag) = name.strip_prefix("tag:").filter(|tag| !tag.is_empty()) {
                return Ok(More::Tag(tag));
            }
            let known = MORE_COLUMNS.iter().find(|known| *known == name);
            let expected = || format!("{}, or tag:NAME", MORE_COLUMNS.join(", "));
            known
                .map(|column| More::Column(column))
                .ok_or_else(|| FilterError::NoColumn { name: name.clone(), expected: expected() })
        });
        more.collect()
    }
}

/// A further column of a list of games.
#[derive(Debug, Clone, Copy)]
enum More<'a> {
    Column(&'static str),
    Tag(&'a str),
}

/// The columns that [`SearchOptions::columns`] may name. Other columns are fields of [`GameSummary`], or are bytes.
/// `opening` is the name of the opening by the positions of the game, `move` the last half-move up to
/// [`GameSummary::ply`], with its number: `18. Bxh7+`.
pub const MORE_COLUMNS: &[&str] = &[
    "year",
    OPENING,
    MOVE,
    "start_fen",
    "fault",
    "source",
    "tag_order",
    "utc_timestamp",
    "time_of_day",
    "time_control",
    "base_seconds",
    "increment_seconds",
    "period_moves",
    "speed",
    "termination",
    "opening_tag",
    "white_title",
    "black_title",
    "white_rating_diff",
    "black_rating_diff",
];

const OPENING: &str = "opening";
const MOVE: &str = "move";

/// Finds the games of a filter, and lists some of them.
pub(crate) fn search(
    columns: &Columns,
    filter: &Filter,
    options: &SearchOptions,
) -> Result<Matches, ArchiveError> {
    let more = options.more()?;
    let mut names = HEADERS.to_vec();
    let extra = more.iter().filter_map(|more| match more {
        More::Column(OPENING | MOVE) => Some("moves"),
        More::Column(name) if !HEADERS.contains(name) && !is_of_tags(name) => Some(*name),
        _ => None,
    });
    names.extend(extra);
    let SearchOptions { limit, offset, sort, .. } = *options;
    let order = Order { sort, limit: if limit == 0 { 0 } else { limit.saturating_add(offset) } };
    let mut matches = Matcher::of(filter)?.matches(columns, order, true)?;
    matches.first.drain(..offset.min(matches.first.len()));
    let first = matches.first;
    let places: Vec<GamePlace> = first.iter().map(|found| found.place).collect();
    let numbers: HashMap<i64, usize> =
        first.iter().enumerate().map(|(number, found)| (found.id, number)).collect();
    let mut games = Vec::with_capacity(first.len());
    for batch in &columns.rows_at(&places, &names)? {
        let rows = Rows::of(batch);
        let computed = computed(batch, &more)?;
        for row in 0..batch.num_rows() {
            let number = numbers.get(&rows.id(row)?);
            let ply = number.and_then(|number| first.get(*number)?.ply);
            games.push(summary(&rows, row, ply, &more, &computed)?);
        }
    }
    games.sort_by_key(|game| numbers.get(&game.id));
    let score = filter.player.is_some().then_some(matches.score);
    Ok(Matches { count: matches.count, games, score })
}

/// Counts the games of a filter.
pub(crate) fn count(columns: &Columns, filter: &Filter) -> Result<u64, ArchiveError> {
    Ok(Matcher::of(filter)?.matches(columns, Order::default(), false)?.count)
}

/// The list entries of some games, in the order of their ids; ids without a game are left out.
pub(crate) fn summaries(columns: &Columns, ids: &[i64]) -> Result<Vec<GameSummary>, ArchiveError> {
    let mut games = Vec::with_capacity(ids.len());
    for batch in columns.rows(ids, HEADERS)? {
        let rows = Rows::of(&batch);
        for row in 0..batch.num_rows() {
            games.push(summary(&rows, row, None, &[], &[])?);
        }
    }
    games.sort_by_key(|game| game.id);
    Ok(games)
}

/// The list entries of the games in some places, by their ids.
pub(crate) fn summaries_at(
    columns: &Columns,
    places: &[GamePlace],
) -> Result<HashMap<i64, GameSummary>, ArchiveError> {
    let mut games = HashMap::with_capacity(places.len());
    for batch in &columns.rows_at(places, HEADERS)? {
        let rows = Rows::of(batch);
        for row in 0..batch.num_rows() {
            let game = summary(&rows, row, None, &[], &[])?;
            games.insert(game.id, game);
        }
    }
    Ok(games)
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

/// The further columns that are computed from tags, in the order of `more`; `None` for the others.
fn computed(batch: &RecordBatch, more: &[More<'_>]) -> Result<Vec<Option<ArrayRef>>, ArchiveError> {
    let is_computed = |more: &More<'_>| matches!(more, More::Column(name) if is_of_tags(name));
    if !more.iter().any(is_computed) {
        return Ok(vec![None; more.len()]);
    }
    let mut facts = facts_of(batch)?;
    let arrays = more.iter().map(|more| match more {
        More::Column(name) => facts.finish(name),
        More::Tag(_) => None,
    });
    Ok(arrays.collect())
}

/// The text of a cell of a computed column.
fn cell(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Some(texts.value(row).to_owned());
    }
    if let Some(numbers) = array.as_primitive_opt::<Int32Type>() {
        return Some(numbers.value(row).to_string());
    }
    if let Some(numbers) = array.as_primitive_opt::<Float64Type>() {
        return Some(numbers.value(row).to_string());
    }
    let times = array.as_primitive_opt::<TimestampMicrosecondType>()?;
    let time = DateTime::from_timestamp_micros(times.value(row))?;
    Some(time.to_rfc3339_opts(SecondsFormat::Secs, true))
}

fn summary(
    rows: &Rows<'_>,
    row: usize,
    ply: Option<u32>,
    more: &[More<'_>],
    computed: &[Option<ArrayRef>],
) -> Result<GameSummary, ArchiveError> {
    let header = rows.row(row)?;
    let damaged = |error: DecodeError| {
        ArchiveError::damaged(format!("game {}: {error}", rows.id(row).unwrap_or(0)))
    };
    let computed = computed.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let more = more.iter().zip(computed).map(|(more, computed)| match more {
        More::Column(_) if let Some(array) = computed => Ok(cell(array, row)),
        More::Tag(name) => Ok(header.tag(name)),
        More::Column(OPENING) => {
            let opening = openings::of_game(rows.bytes("moves", row)?).map_err(damaged)?;
            Ok(opening.map(|opening| opening.name().to_owned()))
        }
        More::Column(MOVE) => {
            let Some(before) = ply.and_then(|ply| ply.checked_sub(1)) else { return Ok(None) };
            let last = move_after(rows.bytes("moves", row)?, before).map_err(damaged)?;
            Ok(last.map(|(position, mv)| {
                format!("{} {}", MoveNumber::of(&position), position.san(mv))
            }))
        }
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
        ply,
        more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::COLUMNS;

    #[test]
    fn every_column_of_tags_can_be_listed() {
        for column in COLUMNS.iter().filter(|column| is_of_tags(column.name)) {
            let is_listed = MORE_COLUMNS.contains(&column.name) || HEADERS.contains(&column.name);
            assert!(is_listed, "{}", column.name);
        }
    }
}
