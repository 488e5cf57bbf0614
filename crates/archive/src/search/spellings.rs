//! The names that the texts of a filter match, with the number of games of each.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrow_array::Array;
use halfmove_functions::words::write_words;

use super::matching::Matcher;
use super::named::Named;
use super::players::are_several_players;
use super::score::Side;
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;
use crate::filter::Filter;

/// A text of a filter for a player, and the names that it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameSpellings {
    /// The field of the filter: `player`, `opponent`, `white` or `black`.
    pub field: &'static str,
    /// The text in that field.
    pub text: String,
    /// The names, those with the most games first.
    pub names: Vec<Spelling>,
    /// True if two of the names differ in more than initials and spelling, so they are those of several players.
    pub are_several_players: bool,
}

/// A name as it is spelled in some games.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spelling {
    /// The name.
    pub name: String,
    /// The number of games with this name that match the filter.
    pub games: u64,
}

/// The number of names of a text that are compared with each other.
const MAX_COMPARED: usize = 100;

/// The names that the texts of a filter match in the games that it matches.
pub(crate) fn spellings(
    columns: &Columns,
    filter: &Filter,
) -> Result<Vec<NameSpellings>, ArchiveError> {
    let matcher = Matcher::of(filter)?;
    let texts = [
        ("player", &filter.player),
        ("opponent", &filter.opponent),
        ("white", &filter.white),
        ("black", &filter.black),
    ];
    let mut all: Vec<NameSpellings> = Vec::new();
    let mut named = Vec::new();
    for (field, text) in texts {
        let Some(text) = text else { continue };
        let Some(of) = Named::of_player(text, filter.exact_names) else { continue };
        all.push(NameSpellings {
            field,
            text: text.clone(),
            names: Vec::new(),
            are_several_players: false,
        });
        named.push((field, of));
    }
    if all.is_empty() {
        return Ok(all);
    }
    let mut games = vec![HashMap::<String, u64>::new(); all.len()];
    for some in columns.each_group(|group| names_of(columns, &matcher, &named, group))? {
        for (sums, more) in games.iter_mut().zip(some) {
            for (name, games) in more {
                *sums.entry(name).or_default() += games;
            }
        }
    }
    for (spellings, games) in all.iter_mut().zip(games) {
        spellings.names = games.into_iter().map(|(name, games)| Spelling { name, games }).collect();
        spellings.names.sort_unstable_by(|one, two| {
            let by_games = Reverse(one.games).cmp(&Reverse(two.games));
            by_games.then_with(|| one.name.cmp(&two.name))
        });
        let names = spellings.names.iter().take(MAX_COMPARED).map(|name| name.name.as_str());
        spellings.are_several_players = are_several_players(names);
    }
    Ok(all)
}

/// The names in a row group that each of some texts matches, with the number of their games.
fn names_of(
    columns: &Columns,
    matcher: &Matcher,
    named: &[(&'static str, Named)],
    group: &Group,
) -> Result<Vec<HashMap<String, u64>>, ArchiveError> {
    let mut all = vec![HashMap::new(); named.len()];
    let (rows, sides) = matcher.rows(columns, group)?;
    if rows.is_empty() {
        return Ok(all);
    }
    let texts = [group.distinct("white")?, group.distinct("black")?];
    let mut folded = String::new();
    for ((field, named), sums) in named.iter().zip(&mut all) {
        let mut games = texts.each_ref().map(|texts| vec![0_u64; texts.texts().len()]);
        for row in &rows {
            let row = *row as usize;
            // A player of both sides, or an opponent of such a player, is a name on either side.
            let side = sides.as_ref().and_then(|sides| sides.of(row)).unwrap_or(Side::Both);
            let (is_white, is_black) = match (*field, side) {
                ("white", _) | ("player", Side::White) | ("opponent", Side::Black) => (true, false),
                ("black", _) | ("player", Side::Black) | ("opponent", Side::White) => (false, true),
                _ => (true, true),
            };
            let numbers = texts.each_ref().map(|texts| texts.number(row));
            let is_same = is_white
                && is_black
                && matches!(numbers, [Some(white), Some(black)]
                    if texts[0].texts().value(white) == texts[1].texts().value(black));
            for (seat, is_it) in [is_white, is_black && !is_same].into_iter().enumerate() {
                if let Some(number) = numbers[seat].filter(|_| is_it) {
                    games[seat][number] += 1;
                }
            }
        }
        for (texts, games) in texts.iter().zip(games) {
            for (name, games) in texts.texts().iter().zip(games) {
                let Some(name) = name.filter(|_| games > 0) else { continue };
                folded.clear();
                write_words(name, &mut folded);
                if named.is(&folded) {
                    *sums.entry(name.to_owned()).or_default() += games;
                }
            }
        }
    }
    Ok(all)
}
