//! Completing the tags of remaining games from their removed copies.
//!
//! ```text
//!  stays    [White "Larsen, Bent"]  [Round "?"]  [Date "1989.??.??"]  {comments}
//!  removed  [White "Larsen B"]      [Round "4"]  [Date "1989.02.07"]  [ECO "B03"]
//!  result   [White "Larsen, Bent"]  [Round "4"]  [Date "1989.02.07"]  {comments}  [ECO "B03"]
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_select::interleave::interleave;
use halfmove_game::{Date, Tags};

use crate::change::import::Headers;
use crate::columns::{Columns, Rows};
use crate::error::ArchiveError;
use crate::search::{Duplicates, TEXT, letters};
use crate::snapshot::schema::file_schema;

/// The number of games whose copies are read together.
const STEP: usize = 4_096;

/// Tags about the moves or the clocks.
const OF_MOVES: [&str; 5] = ["Result", "FEN", "SetUp", "Variant", "TimeControl"];

/// The columns that are not computed from tags or moves.
const NOT_TAGS: [&str; 9] = [
    "id",
    "plies",
    "moves",
    "annotations",
    "clocks",
    "evaluations",
    "signature",
    "fault",
    "source",
];

/// The ids of the remaining games, each with the ids of its removed copies, in ascending order.
pub(super) type Heirs = BTreeMap<i64, Vec<i64>>;

/// The remaining games if exact copies and twins are removed.
pub(super) fn heirs_of(duplicates: &Duplicates, with_twins: bool) -> Heirs {
    let mut all: Heirs = BTreeMap::new();
    for group in &duplicates.exact {
        all.insert(group.best, others(&group.ids, group.best));
    }
    if with_twins {
        for group in &duplicates.twins {
            let mut gone = all.remove(&group.best).unwrap_or_default();
            for id in others(&group.ids, group.best) {
                gone.extend(all.remove(&id).unwrap_or_default());
                gone.push(id);
            }
            gone.sort_unstable();
            all.insert(group.best, gone);
        }
    }
    all
}

fn others(ids: &[i64], best: i64) -> Vec<i64> {
    ids.iter().copied().filter(|id| *id != best).collect()
}

/// A tag that a game gets from its copies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergedTag {
    /// The id of the game.
    pub id: i64,
    /// The name of the tag.
    pub name: String,
    /// Its value before; `None` if the game lacks the tag.
    pub old: Option<String>,
    /// Its new value.
    pub new: String,
}

/// The tags that change, in the order of the ids of their games.
pub(super) fn merged_tags(
    columns: &Columns,
    heirs: &Heirs,
) -> Result<Vec<MergedTag>, ArchiveError> {
    let mut all = Vec::new();
    each_merged(columns, heirs, |id, old, tags| {
        for (name, new) in tags.iter() {
            let old = old.value(name);
            if old != Some(new) && tags.value(name) == Some(new) {
                let (name, old, new) = (name.to_owned(), old.map(str::to_owned), new.to_owned());
                all.push(MergedTag { id, name, old, new });
            }
        }
    })?;
    Ok(all)
}

/// The new tags of the games whose tags change.
pub(super) fn merged(columns: &Columns, heirs: &Heirs) -> Result<HashMap<i64, Tags>, ArchiveError> {
    let mut all = HashMap::new();
    each_merged(columns, heirs, |id, _, new| {
        all.insert(id, new);
    })?;
    Ok(all)
}

/// Calls `change` with the id, the old and the new tags of each game whose tags change, in the order of the ids.
fn each_merged(
    columns: &Columns,
    heirs: &Heirs,
    mut change: impl FnMut(i64, &Tags, Tags),
) -> Result<(), ArchiveError> {
    let heirs: Vec<(&i64, &Vec<i64>)> = heirs.iter().collect();
    for some in heirs.chunks(STEP) {
        let ids = some.iter().flat_map(|(heir, gone)| std::iter::once(*heir).chain(gone.iter()));
        let ids: Vec<i64> = ids.copied().collect();
        let mut wanted = vec!["id"];
        wanted.extend(TEXT);
        let mut tags: HashMap<i64, Tags> = HashMap::new();
        for batch in columns.rows(&ids, &wanted)? {
            let rows = Rows::of(&batch);
            for row in 0..rows.len() {
                tags.insert(rows.id(row)?, rows.row(row)?.join());
            }
        }
        for (heir, gone) in some {
            let Some(old) = tags.get(*heir) else { continue };
            let mut new = old.clone();
            for tags in gone.iter().filter_map(|id| tags.get(id)) {
                merge(&mut new, tags);
            }
            if new != *old {
                change(**heir, old, new);
            }
        }
    }
    Ok(())
}

/// Adds the additional data of a copy: tags that are missing or unknown, names with more letters, dates with more
/// known parts.
fn merge(into: &mut Tags, copy: &Tags) {
    for (name, value) in copy.iter() {
        if OF_MOVES.contains(&name) || !is_known(value) {
            continue;
        }
        let parts =
            |date: Option<Date>| date.map(|date| (date.month().is_some(), date.day().is_some()));
        let is_better = match into.value(name) {
            // A game has a single date, from any of its date tags.
            _ if Date::TAGS.contains(&name) => {
                parts(Date::of_tag(value)) > parts(Date::of_game(into))
            }
            None => true,
            Some(old) if !is_known(old) => true,
            Some(old) => match name {
                "White" | "Black" => letters(value) > letters(old),
                _ => false,
            },
        };
        if is_better {
            into.set(name, value);
        }
    }
}

/// Returns true if a value is not empty and not a placeholder for unknown: `?`, `-`, `????.??.??`.
fn is_known(value: &str) -> bool {
    value.chars().any(|char| !matches!(char, '?' | '.' | '-' | ' '))
}

/// A batch with the new tags of its games.
pub(super) fn with_tags(
    batch: RecordBatch,
    tags: &HashMap<i64, Tags>,
) -> Result<RecordBatch, ArchiveError> {
    let rows = Rows::of(&batch);
    let (mut headers, mut places) = (Headers::default(), Vec::with_capacity(rows.len()));
    for row in 0..rows.len() {
        let Some(new) = tags.get(&rows.id(row)?) else {
            places.push((0, row));
            continue;
        };
        let mut game = rows.game(row)?.game;
        game.tags = new.clone();
        headers.push(&game)?;
        places.push((1, headers.games() - 1));
    }
    if headers.games() == 0 {
        return Ok(batch);
    }
    let new = headers.finish()?;
    let schema = file_schema();
    let arrays = schema.fields().iter().zip(batch.columns()).map(|(field, old)| {
        let new = new.column_by_name(field.name());
        match new.filter(|_| !NOT_TAGS.contains(&field.name().as_str())) {
            Some(new) => {
                let both: [&dyn Array; 2] = [old.as_ref(), new.as_ref()];
                Ok(interleave(&both, &places)?)
            }
            None => Ok(Arc::clone(old)),
        }
    });
    let arrays: Result<Vec<ArrayRef>, ArchiveError> = arrays.collect();
    Ok(RecordBatch::try_new(schema.clone(), arrays?)?)
}

/// Returns true if a batch has a game with new tags.
pub(super) fn has_any(batch: &RecordBatch, tags: &HashMap<i64, Tags>) -> bool {
    let ids = batch.column_by_name("id").and_then(|ids| ids.as_primitive_opt::<Int64Type>());
    ids.is_some_and(|ids| ids.values().iter().any(|id| tags.contains_key(id)))
}
