//! Games compared with others: duplicates and novelties.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray};
use halfmove_archive::{ArchiveError, CancelToken, Duplicates, GameSummary, Novelty, StoredGame};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::lists::{count, ints, longs, summaries, texts};
use super::{PyArchive, filter_of};
use crate::error::of_archive;
use crate::rows::Rows;
use crate::work::{self, interruptible};

/// The kinds of duplicates.
const KINDS: [&str; 3] = ["exact", "twin", "near"];

/// A group of duplicates.
struct Group<'a> {
    kind: &'static str,
    differs: String,
    best: Option<i64>,
    ids: &'a [i64],
}

/// The groups of a kind, or all.
fn groups<'a>(found: &'a Duplicates, kind: Option<&str>) -> Vec<Group<'a>> {
    let exact = found.exact.iter().map(|it| Group {
        kind: "exact",
        differs: String::new(),
        best: Some(it.best),
        ids: &it.ids,
    });
    let twins = found.twins.iter().map(|it| Group {
        kind: "twin",
        differs: it.differences.names().join(", "),
        best: Some(it.best),
        ids: &it.ids,
    });
    let near = found.near.iter().map(|it| Group {
        kind: "near",
        differs: it.differences.names().join(", "),
        best: None,
        ids: &it.ids,
    });
    exact.chain(twins).chain(near).filter(|it| kind.is_none_or(|kind| kind == it.kind)).collect()
}

/// The columns of a game in a list of duplicates.
const OF_GAME: [&str; 9] =
    ["id", "white", "black", "date", "result", "plies", "event", "site", "round"];

#[pymethods]
impl PyArchive {
    /// The games that are in the archive more than once, a row for each game: the number of its `group`, the `kind` of the group (`exact`,
    /// `twin`, or `near`, which only a person can decide), the facts in which its games differ, and whether the game is the `best` one,
    /// which `remove_duplicates` keeps. `limit` is a number of groups.
    ///
    /// >>> import halfmove
    /// >>> twice = halfmove.open(copy)
    /// >>> twice.import_pgn(season, again=True)["games"]
    /// 3
    /// >>> twice.duplicates(kind="exact")["id"]
    /// [1, 4, 2, 5, 3, 6]
    #[pyo3(signature = (*, kind=None, limit=None))]
    fn duplicates(
        &self,
        py: Python<'_>,
        kind: Option<&str>,
        limit: Option<usize>,
    ) -> PyResult<Rows> {
        if let Some(kind) = kind.filter(|kind| !KINDS.contains(kind)) {
            let expected = KINDS.join(", ");
            return Err(PyValueError::new_err(format!("kind=\"{kind}\": expected {expected}")));
        }
        let archive = self.now();
        let found = work::on(py, &archive, |archive| archive.duplicates())?;
        let mut groups = groups(&found, kind);
        groups.truncate(limit.unwrap_or(usize::MAX));
        let ids: Vec<i64> = groups.iter().flat_map(|group| group.ids.iter().copied()).collect();
        let games = work::on(py, &archive, |archive| archive.summaries(&ids))?;
        let mut by_id: HashMap<i64, GameSummary> =
            games.into_iter().map(|game| (game.id, game)).collect();
        let numbered = groups.iter().zip(1..);
        let copies = numbered
            .flat_map(|(group, number)| group.ids.iter().map(move |id| (number, group, *id)));
        let copies: Vec<(i64, &Group<'_>, GameSummary)> = copies
            .filter_map(|(number, group, id)| Some((number, group, by_id.remove(&id)?)))
            .collect();
        let best = copies.iter().map(|(_, group, game)| group.best.map(|best| best == game.id));
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("group", longs(copies.iter().map(|(number, ..)| Some(*number)))),
            ("kind", texts(copies.iter().map(|(_, group, _)| Some(group.kind)))),
            ("differs", texts(copies.iter().map(|(_, group, _)| Some(&group.differs)))),
            ("best", Arc::new(best.collect::<BooleanArray>())),
        ];
        let games: Vec<GameSummary> = copies.into_iter().map(|(.., game)| game).collect();
        let table = summaries(&games, &[])?;
        columns.extend(OF_GAME.into_iter().filter_map(|name| {
            table.iter().find(|(known, _)| known == name).map(|(_, it)| (name, Arc::clone(it)))
        }));
        Rows::of_columns(columns)
    }

    /// Where each game that meets conditions leaves the earlier games of this archive, or of another one: the number of the first
    /// half-move after which no earlier game has the position, the move, the number of earlier `games` with the position before it, and the
    /// id of the last of these. If nothing is new, `ply` is null; `games` is then 0 if no earlier game has even the start.
    ///
    /// >>> import halfmove
    /// >>> halfmove.open(folder).novelties(id=2).to_pylist()[0]["san"]
    /// 'c5'
    #[pyo3(signature = (*, against=None, **conditions))]
    fn novelties(
        &self,
        py: Python<'_>,
        against: Option<&Bound<'_, PyArchive>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rows> {
        let archive = self.now();
        let filter = filter_of(py, &archive, conditions)?;
        let token = CancelToken::default();
        let is_own = against.is_none();
        let earlier = against.map_or_else(|| archive.clone(), |other| other.get().now());
        let (archive, earlier) = (archive.with_cancel(&token), earlier.with_cancel(&token));
        let compare = || {
            let novelties = archive.games(&filter)?.map(|stored| {
                let StoredGame { id, game, .. } = stored?;
                let novelty = earlier.novelty(&game, is_own.then_some(id))?;
                let new = novelty.new_move();
                let san = new.and_then(|new| {
                    let index = new.ply.checked_sub(1)?;
                    Some(game.position(index).san(*game.moves.get(index)?).to_string())
                });
                Ok((id, novelty, san))
            });
            novelties.collect::<Result<Vec<_>, ArchiveError>>()
        };
        let found = interruptible(py, compare, || token.cancel())?.map_err(of_archive)?;
        let new = |(_, novelty, _): &(i64, Novelty, Option<String>)| novelty.new_move().cloned();
        let games = found.iter().map(|it| match &it.1 {
            Novelty::New(new) => count(new.games),
            Novelty::AllKnown => None,
            Novelty::NoGame => Some(0),
        });
        Rows::of_columns(vec![
            ("id", longs(found.iter().map(|(id, ..)| Some(*id)))),
            ("ply", ints(found.iter().map(|it| i32::try_from(new(it)?.ply).ok()))),
            ("san", texts(found.iter().map(|(.., san)| san.as_deref()))),
            ("games", longs(games)),
            ("last_id", longs(found.iter().map(|it| Some(new(it)?.last?.id)))),
        ])
    }
}
