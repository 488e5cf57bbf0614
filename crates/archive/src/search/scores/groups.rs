//! Sums up the games of a row group by a common value.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use arrow_array::Array;
use halfmove_game::openings::{self, Opening};
use halfmove_game::tally::Results;
use halfmove_rules::Color;

use super::ScoresBy;
use crate::columns::{Columns, Distinct, Group};
use crate::error::ArchiveError;
use crate::search::eco::Codes;
use crate::search::facts::Facts;
use crate::search::matching::Matcher;
use crate::search::ratings::{RatingSums, Seen};
use crate::search::score::Side;
use crate::search::sides::Sides;

/// Games with a common value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scored {
    /// The results by the side of the player. Without a player, all games are in the first entry.
    pub(crate) of_sides: [Results; Side::COUNT],
    /// The ratings from the side of the player.
    pub(crate) sums: RatingSums,
}

impl Scored {
    pub(crate) fn add(&mut self, more: &Self) {
        self.of_sides.iter_mut().zip(&more.of_sides).for_each(|(all, more)| all.add(more));
        self.sums.add(&more.sums);
    }

    pub(crate) fn results(&self) -> Results {
        let mut all = Results::default();
        self.of_sides.iter().for_each(|some| all.add(some));
        all
    }
}

/// Those games of a row group that match, in groups. A name may occur more than once.
pub(super) fn scored_in(
    columns: &Columns,
    group: &Group,
    by: ScoresBy,
    matcher: &Matcher,
) -> Result<Vec<(Option<String>, Scored)>, ArchiveError> {
    let (rows, sides) = matcher.rows(columns, group)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let cache = columns.cache();
    let (results, facts) = (group.results(cache)?, Facts::of(group, cache)?);
    let games = Games { rows, sides, results, facts };
    Ok(match by {
        ScoresBy::Opening | ScoresBy::Variation | ScoresBy::PositionEco => {
            let named = group.openings_of(&games.rows, cache)?;
            let number = |game: &Game| named[game.number].map(Opening::index);
            games.grouped(number, |number| {
                openings::all().get(number).map(|opening| name_of(opening, by).to_owned())
            })
        }
        ScoresBy::Eco => {
            let codes = Codes::of(group, cache, games.rows.iter().copied())?;
            games.grouped(|game| codes.code(game.row), |code| Some(code.to_string()))
        }
        ScoresBy::Color => games.grouped(
            |game| game.side.map(|side| side as usize),
            |side| ["white", "black", "both"].get(side).copied().map(str::to_owned),
        ),
        ScoresBy::Opponent => {
            let (white, black) = (group.distinct("white")?, group.distinct("black")?);
            let opponent = |game: &Game| {
                let (names, side) = match game.side? {
                    Side::White => (&black, Side::Black),
                    Side::Black => (&white, Side::White),
                    Side::Both => return None,
                };
                Some((side as usize, names.number(game.row as usize)?))
            };
            games.grouped(opponent, |(side, number)| {
                let names = if side == Side::White as usize { &white } else { &black };
                text(names, number)
            })
        }
        ScoresBy::Year => games.grouped(
            |game| Some(game.seen.when?.period()?.year()),
            |year| Some(format!("{year:04}")),
        ),
        ScoresBy::Month => games.grouped(
            |game| {
                let period = game.seen.when?.period()?;
                Some((period.year(), period.month()?))
            },
            |(year, month)| Some(format!("{year:04}-{month:02}")),
        ),
        ScoresBy::Event | ScoresBy::TimeControl | ScoresBy::Speed => {
            let texts = group.distinct(match by {
                ScoresBy::Event => "event",
                ScoresBy::Speed => "speed",
                _ => "time_control",
            })?;
            games.grouped(
                |game| texts.number(game.row as usize),
                |number| text(&texts, number).filter(|text| is_known(text)),
            )
        }
    })
}

/// The games of a row group that are summed up.
struct Games {
    rows: Vec<u32>,
    sides: Option<Sides>,
    results: Arc<[u8]>,
    facts: Facts,
}

/// One of them.
struct Game {
    /// The index in the rows.
    number: usize,
    row: u32,
    side: Option<Side>,
    seen: Seen,
}

impl Games {
    /// The games by some keys, and then by the names of these.
    fn grouped<K: Eq + Hash>(
        &self,
        key: impl Fn(&Game) -> Option<K>,
        name: impl Fn(K) -> Option<String>,
    ) -> Vec<(Option<String>, Scored)> {
        let mut all: HashMap<Option<K>, Scored> = HashMap::new();
        for (number, row) in self.rows.iter().copied().enumerate() {
            let side = self.sides.as_ref().and_then(|sides| sides.of(row as usize));
            let result = self.results[row as usize];
            let color = match side {
                Some(Side::White) => Some(Color::White),
                Some(Side::Black) => Some(Color::Black),
                Some(Side::Both) | None => None,
            };
            let seen = Seen::of(&self.facts, row, result, color);
            let game = Game { number, row, side, seen };
            let scored = all.entry(key(&game)).or_default();
            scored.of_sides[side.map_or(0, |side| side as usize)].count(result);
            scored.sums.count(&game.seen);
        }
        all.into_iter().map(|(key, scored)| (key.and_then(&name), scored)).collect()
    }
}

/// The name of a group of openings.
fn name_of(opening: &'static Opening, by: ScoresBy) -> &'static str {
    let parts = match by {
        ScoresBy::PositionEco => return opening.eco(),
        ScoresBy::Variation => 2,
        _ => 1,
    };
    let name = opening.name();
    let end = name.match_indices([':', ',']).nth(parts - 1);
    end.map_or(name, |(end, _)| &name[..end])
}

fn text(texts: &Distinct, number: usize) -> Option<String> {
    let texts = texts.texts();
    texts.is_valid(number).then(|| texts.value(number).to_owned())
}

/// Returns true if a text is not `?`, which PGN writes for unknown values.
fn is_known(text: &str) -> bool {
    !matches!(text.trim(), "" | "?")
}
