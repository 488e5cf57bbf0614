//! Names similar to a text, for a search without matches.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow_array::Array;
use halfmove_functions::words::{Words, write_words};

use crate::columns::{Columns, Group};
use crate::error::{ArchiveError, FilterError};

/// A name of a player in the archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearName {
    /// The name.
    pub name: String,
    /// The number of games with this name.
    pub games: u64,
    /// True if a filter with this text matches the name; false if the name is only similar.
    pub is_match: bool,
}

/// The names of players that match a text, or nearly match it, the nearest first.
pub(crate) fn names_near(
    columns: &Columns,
    text: &str,
    limit: usize,
) -> Result<Vec<NearName>, ArchiveError> {
    let words = Words::of_name(text)
        .ok_or_else(|| FilterError::NoWord { field: "player", text: text.to_owned() })?;
    let groups = columns.each_group(names_of)?;
    let mut games = HashMap::<String, u64>::new();
    for (name, more) in groups.into_iter().flatten() {
        *games.entry(name).or_default() += more;
    }
    let mut near = Vec::new();
    let mut folded = String::new();
    for (name, games) in games {
        folded.clear();
        write_words(&name, &mut folded);
        if let Some(distance) = words.distance(&folded) {
            near.push((distance, NearName { name, games, is_match: distance == 0 }));
        }
    }
    near.sort_unstable_by(|(distance, one), (other_distance, other)| {
        let order = |distance, name: &NearName| (distance, Reverse(name.games));
        let by_games = order(*distance, one).cmp(&order(*other_distance, other));
        by_games.then_with(|| one.name.cmp(&other.name))
    });
    Ok(near.into_iter().take(limit).map(|(_, name)| name).collect())
}

/// The names of the players in a row group, with the number of their games.
fn names_of(group: &Group) -> Result<HashMap<String, u64>, ArchiveError> {
    let mut all = HashMap::new();
    for column in ["white", "black"] {
        let names = group.distinct(column)?;
        let mut games = vec![0; names.texts().len()];
        for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
            if let Some(games) = names.number(row).and_then(|number| games.get_mut(number)) {
                *games += 1;
            }
        }
        for (name, games) in names.texts().iter().zip(games) {
            if let Some(name) = name.filter(|_| games > 0) {
                *all.entry(name.to_owned()).or_default() += games;
            }
        }
    }
    Ok(all)
}
