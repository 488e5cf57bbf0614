//! Results that are small tables: lists of games, opening trees, statistics, players, events, changes.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use halfmove_archive::{
    Archive, ExploreOptions, GameSummary, HistoryEntry, Period, Results, Score, ScoresBy,
    SearchOptions, Sort,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{PyArchive, filter_of, on};
use crate::error::of_archive;
use crate::filter::Selection;
use crate::rows::{Rows, failed};
use crate::work;

pub(super) fn texts<'a, T: AsRef<str> + 'a>(
    values: impl IntoIterator<Item = Option<T>>,
) -> ArrayRef {
    Arc::new(values.into_iter().collect::<StringArray>())
}

pub(super) fn ints(values: impl IntoIterator<Item = Option<i32>>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<Int32Array>())
}

pub(super) fn longs(values: impl IntoIterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<Int64Array>())
}

pub(super) fn count(number: u64) -> Option<i64> {
    i64::try_from(number).ok()
}

/// The columns of results.
fn results(of: &[Results]) -> Vec<(&'static str, ArrayRef)> {
    let column = |value: fn(&Results) -> u64| longs(of.iter().map(|it| count(value(it))));
    vec![
        ("games", column(|it| it.games())),
        ("white", column(|it| it.white)),
        ("draws", column(|it| it.draws)),
        ("black", column(|it| it.black)),
        ("other", column(|it| it.other)),
    ]
}

/// The columns of the score of a player, if there is one.
fn scores(of: &[Option<Score>]) -> Vec<(&'static str, ArrayRef)> {
    if of.iter().all(Option::is_none) {
        return Vec::new();
    }
    let column = |value: fn(&Score) -> u64| {
        longs(of.iter().map(|it| it.as_ref().and_then(|it| count(value(it)))))
    };
    let percent = of.iter().map(|it| it.as_ref().and_then(Score::percent));
    vec![
        ("wins", column(|it| it.wins)),
        ("losses", column(|it| it.losses)),
        ("score", Arc::new(percent.collect::<Float64Array>())),
    ]
}

fn day(period: Option<Period>) -> Option<String> {
    period.map(|period| period.to_string())
}

/// Texts as values of another type; null where a text is not such a value.
fn parsed(values: ArrayRef, kind: &DataType) -> PyResult<ArrayRef> {
    cast(&values, kind).map_err(failed)
}

/// The table of a list of games: the columns of search, with the types that they have in `games`.
pub(super) fn summaries(
    games: &[GameSummary],
    more: &[String],
) -> PyResult<Vec<(String, ArrayRef)>> {
    let text = |value: fn(&GameSummary) -> Option<&str>| texts(games.iter().map(value));
    let number = |value: fn(&GameSummary) -> Option<i32>| ints(games.iter().map(value));
    let small = |number: u32| i32::try_from(number).ok();
    // A date with `?` is incomplete, and becomes null.
    let days = games.iter().map(|game| game.date.as_ref().map(|date| date.replace('.', "-")));
    let mut columns: Vec<(String, ArrayRef)> = [
        ("id", longs(games.iter().map(|game| Some(game.id)))),
        ("variant", text(|game| Some(game.variant.name()))),
        ("white", text(|game| game.white.as_deref())),
        ("black", text(|game| game.black.as_deref())),
        ("white_elo", number(|game| game.white_elo)),
        ("black_elo", number(|game| game.black_elo)),
        ("date", parsed(texts(days), &DataType::Date32)?),
        ("result", text(|game| Some(&game.result))),
        ("event", text(|game| game.event.as_deref())),
        ("site", text(|game| game.site.as_deref())),
        ("round", text(|game| game.round.as_deref())),
        ("eco", text(|game| game.eco.as_deref())),
        ("plies", ints(games.iter().map(|game| small(game.plies)))),
        ("ply", ints(games.iter().map(|game| game.ply.and_then(small)))),
    ]
    .map(|(name, array)| (name.to_owned(), array))
    .into();
    for (index, name) in more.iter().enumerate() {
        let cells = games.iter().map(|game| game.more.get(index).and_then(Option::as_deref));
        let mut cells = texts(cells);
        if let Ok(schema) = Archive::columns_schema(&[name])
            && let Some(field) = schema.fields().first()
            && field.data_type().is_primitive()
        {
            cells = parsed(cells, field.data_type())?;
        }
        columns.push((name.clone(), cells));
    }
    Ok(columns)
}

/// The columns of an explorer, and those of ratings and dates.
const RESULTS: [&str; 9] =
    ["line", "ply", "uci", "san", "games", "white", "draws", "black", "other"];
const DETAILS: [&str; 3] = ["average_rating", "performance", "last_played"];
/// The columns of the score of a player, with their names in an explorer.
const SCORES: [(&str, &str); 3] =
    [("wins", "player_wins"), ("losses", "player_losses"), ("score", "player_score")];

#[pymethods]
impl PyArchive {
    /// The games that meet conditions, as a table: at most `limit` of them from `offset` on, sorted by `id`, `date`, `rating`,
    /// `plies`, `white`, `black`, `result`, `eco` or `event` (`-date` for the latest first).
    ///
    /// Without `columns`, these are `id`, `variant`, `white`, `black`, `white_elo`, `black_elo`, `date`, `result`, `event`, `site`, `round`,
    /// `eco`, `plies` and `ply`. `columns` chooses among these, among the other columns of `games` that are not bytes, `opening`, the name by
    /// the positions, `move`, the last half-move up to `ply`, and tags, as in `tag:TimeControl`. Columns of `games` have the same values and
    /// types as there: `date` is null where the date is incomplete, `tag:Date` is the text. `ply` is the ply of the position, or at which the
    /// first of the conditions on the board or the moves holds.
    ///
    #[doc = include_str!("conditions.txt")]
    ///
    /// >>> import halfmove
    /// >>> club = halfmove.open(folder)
    /// >>> club.search(player="morphy", result="win", columns=["id", "date", "opening"])[0]
    /// {'id': 1, 'date': datetime.date(1858, 11, 2), 'opening': 'Philidor Defense'}
    /// >>> club.search(year=range(1850, 1860), eco=["C4", "B20-B99"])["id"]
    /// [1, 2]
    #[pyo3(signature = (*, limit=None, offset=0, sort=None, columns=None, **conditions))]
    fn search(
        &self,
        py: Python<'_>,
        limit: Option<usize>,
        offset: usize,
        sort: Option<&str>,
        columns: Option<Vec<String>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rows> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let mut options = SearchOptions::first(limit.unwrap_or(usize::MAX));
        options.offset = offset;
        if let Some(sort) = sort {
            options.sort =
                sort.parse::<Sort>().map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        let usual = summaries(&[], &[])?;
        let is_usual = |name: &String| usual.iter().any(|(known, _)| known == name);
        let more = columns.iter().flatten().filter(|name| !is_usual(name));
        options.columns = more.cloned().collect();
        let found = work::on(py, &archive, |archive| archive.search_with(&filter, &options))?;
        let mut table = summaries(&found.games, &options.columns)?;
        if let Some(columns) = columns {
            let of_name = |name: &String| table.iter().find(|(known, _)| known == name).cloned();
            table = columns.iter().filter_map(of_name).collect();
        }
        Rows::of_columns(table.iter().map(|(name, it)| (name.as_str(), Arc::clone(it))).collect())
    }

    /// The moves from a position in the games that meet conditions: a row for each move, with the number of games and
    /// their results, ratings and performance. In a deeper tree, the replies to a move follow it; `line` is the whole line.
    ///
    /// >>> import halfmove
    /// >>> tree = halfmove.open(folder).explore()
    /// >>> tree["san"], tree["games"]
    /// (['e4'], [3])
    #[pyo3(signature = (*, depth=1, min_games=0, details=true, **conditions))]
    fn explore(
        &self,
        py: Python<'_>,
        depth: usize,
        min_games: u64,
        details: bool,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rows> {
        if !(1..=ExploreOptions::MAX_DEPTH).contains(&depth) {
            let most = ExploreOptions::MAX_DEPTH;
            return Err(PyValueError::new_err(format!("depth={depth}: expected 1 to {most}")));
        }
        let archive = self.now();
        let selection = Selection::of(conditions)?;
        selection.check_for_explorer()?;
        let mut filter = on(py, &archive, &selection)?;
        // The explorer counts the games that reach it.
        filter.position = None;
        let position = selection.position;
        let mut options = ExploreOptions::default();
        (options.details, options.depth, options.min_games) = (details, depth, min_games);
        let tree =
            work::on(py, &archive, |archive| archive.explore_with(&filter, position, &options))?;
        let moves = tree.to_batch().map_err(of_archive)?;
        let mut columns = RESULTS.map(|name| (name, name)).to_vec();
        if tree.score.is_some() {
            columns.extend(SCORES);
        }
        if details {
            columns.extend(DETAILS.map(|name| (name, name)));
        }
        let column = |(name, of_batch): (&'static str, &str)| {
            moves.column_by_name(of_batch).map(|column| (name, Arc::clone(column)))
        };
        Rows::of_columns(columns.into_iter().filter_map(column).collect())
    }

    /// The results of the games that meet conditions in groups: by `opening`, `variation`, `eco`, `color`, `opponent`,
    /// `year`, `month`, `event`, `time_control` or `speed`, with the score of `player`; without `by` in those of decades,
    /// letters of ECO codes and ratings.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).stats(by="year", player="morphy")["score"]
    /// [100.0]
    #[pyo3(signature = (*, by=None, **conditions))]
    fn stats(
        &self,
        py: Python<'_>,
        by: Option<&str>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rows> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let Some(by) = by else {
            let stats = work::on(py, &archive, |archive| archive.stats(&filter))?;
            let mut groups: Vec<(&str, Option<String>, Results)> = Vec::new();
            let text = |value: &Option<i32>| value.map(|value| value.to_string());
            groups.extend(stats.decades.iter().map(|(it, of)| ("decade", text(it), *of)));
            groups.extend(stats.eco.iter().map(|(it, of)| ("eco", it.map(String::from), *of)));
            groups.extend(stats.ratings.iter().map(|(it, of)| ("rating", text(it), *of)));
            let mut columns = vec![
                ("by", texts(groups.iter().map(|(by, ..)| Some(*by)))),
                ("value", texts(groups.iter().map(|(_, value, _)| value.as_deref()))),
            ];
            columns.extend(results(&groups.iter().map(|(.., of)| *of).collect::<Vec<_>>()));
            return Rows::of_columns(columns);
        };
        let by = scores_by(by)?;
        let groups = work::on(py, &archive, |archive| archive.scores(&filter, by))?;
        let mut columns = vec![("value", texts(groups.iter().map(|it| it.value.as_deref())))];
        columns.extend(results(&groups.iter().map(|it| it.results).collect::<Vec<_>>()));
        columns.extend(scores(&groups.iter().map(|it| it.score).collect::<Vec<_>>()));
        columns.extend([
            ("opponents", ints(groups.iter().map(|it| it.average_opponent_rating))),
            ("performance", ints(groups.iter().map(|it| it.performance))),
            ("last_played", texts(groups.iter().map(|it| day(it.last_played)))),
        ]);
        Rows::of_columns(columns)
    }

    /// The players, or those whose names have these words, those with the most games first. Wins, draws and losses are the
    /// player's; `score` is points of these games in percent.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).players("morphy")[0]["games"]
    /// 2
    #[pyo3(signature = (name=None))]
    fn players(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Rows> {
        let players = work::on(py, &self.now(), |archive| archive.players(name))?;
        let mut columns = vec![
            ("name", texts(players.iter().map(|it| Some(&it.name)))),
            ("games", longs(players.iter().map(|it| count(it.games)))),
            ("first_year", ints(players.iter().map(|it| it.first_year))),
            ("last_year", ints(players.iter().map(|it| it.last_year))),
            ("highest_elo", ints(players.iter().map(|it| it.highest_elo))),
        ];
        columns.push(("draws", longs(players.iter().map(|it| count(it.score.draws)))));
        columns.extend(scores(&players.iter().map(|it| Some(it.score)).collect::<Vec<_>>()));
        Rows::of_columns(columns)
    }

    /// The events, or those whose names have these words, those with the most games first.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).events("paris")["event"]
    /// ['Paris']
    #[pyo3(signature = (name=None))]
    fn events(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Rows> {
        let events = work::on(py, &self.now(), |archive| archive.events(name))?;
        let elo: Float64Array = events.iter().map(|it| it.average_elo).collect();
        Rows::of_columns(vec![
            ("event", texts(events.iter().map(|it| Some(&it.event)))),
            ("site", texts(events.iter().map(|it| Some(&it.site)))),
            ("first_year", ints(events.iter().map(|it| it.first_year))),
            ("last_year", ints(events.iter().map(|it| it.last_year))),
            ("games", longs(events.iter().map(|it| count(it.games)))),
            ("players", longs(events.iter().map(|it| count(it.players)))),
            ("average_elo", Arc::new(elo)),
        ])
    }

    /// The changes of the archive, the first one first: the table `history` of SQL.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).history()["change"]
    /// ['create', 'import']
    fn history(&self, py: Python<'_>) -> PyResult<Rows> {
        let entries = work::on(py, &self.now(), |archive| archive.history())?;
        let batch = HistoryEntry::to_batch(&entries).map_err(of_archive)?;
        Ok(Rows::new(batch.schema(), vec![batch]))
    }

    /// Numbers of the archive: games, half-moves, files, bytes, years.
    ///
    /// >>> import halfmove
    /// >>> info = halfmove.open(folder).info()
    /// >>> info["games"], info["plies"], info["years"]
    /// (3, 9, (1858, 1886))
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = work::on(py, &self.now(), |archive| archive.info())?;
        let dict = PyDict::new(py);
        dict.set_item("version", info.version)?;
        dict.set_item("games", info.games)?;
        dict.set_item("plies", info.plies)?;
        dict.set_item("files", info.files)?;
        dict.set_item("bytes", info.bytes)?;
        dict.set_item("years", info.years)?;
        dict.set_item("faulty", info.faulty)?;
        Ok(dict)
    }
}

/// The groups with a name.
fn scores_by(name: &str) -> PyResult<ScoresBy> {
    Ok(match name.replace('-', "_").as_str() {
        "opening" => ScoresBy::Opening,
        "variation" => ScoresBy::Variation,
        "eco" => ScoresBy::Eco,
        "color" => ScoresBy::Color,
        "opponent" => ScoresBy::Opponent,
        "year" => ScoresBy::Year,
        "month" => ScoresBy::Month,
        "event" => ScoresBy::Event,
        "time_control" => ScoresBy::TimeControl,
        "speed" => ScoresBy::Speed,
        _ => {
            return Err(PyValueError::new_err(format!(
                "by=\"{name}\": expected opening, variation, eco, color, opponent, year, month, event, time_control or speed"
            )));
        }
    })
}
