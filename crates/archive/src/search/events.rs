//! The events of an archive.

use std::cmp::Reverse;
use std::collections::HashMap;

use halfmove_functions::words::{Words, write_words};

use super::facts::rating;
use crate::columns::{Columns, Distinct, Group, value};
use crate::error::{ArchiveError, FilterError};

/// Games with the same event and site.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct EventSummary {
    /// Tag `Event`; empty for games that have none.
    pub event: String,
    /// Tag `Site`. Empty for games that have none, and if it is a link, because online each game has a different one.
    pub site: String,
    /// The year of the earliest game that has one.
    pub first_year: Option<i32>,
    /// The year of the latest game that has one.
    pub last_year: Option<i32>,
    /// The number of games.
    pub games: u64,
    /// The number of different names of players.
    pub players: u64,
    /// The mean of all ratings of White and Black.
    pub average_elo: Option<f64>,
}

/// The statistics of an event.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    games: u64,
    years: Option<(i32, i32)>,
    /// The number and the sum of the ratings.
    elos: (u64, i64),
}

impl Record {
    fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.years = match (self.years, more.years) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
        self.elos = (self.elos.0 + more.elos.0, self.elos.1 + more.elos.1);
    }
}

/// The events of a row group.
struct Events {
    /// Event, site and statistics.
    events: Vec<(String, String, Record)>,
    names: Vec<String>,
    /// Pairs of an event and a player, by their numbers.
    played: Vec<(u32, u32)>,
}

/// The events with the most games first; with a text, only those whose names have its words.
pub(crate) fn events(
    columns: &Columns,
    name: Option<&str>,
) -> Result<Vec<EventSummary>, ArchiveError> {
    let words = name.map(|text| {
        Words::of_text(text)
            .ok_or_else(|| FilterError::NoWord { field: "event", text: text.to_owned() })
    });
    let words = words.transpose()?;
    let mut numbers: HashMap<(String, String), u32> = HashMap::new();
    let mut names: HashMap<String, u32> = HashMap::new();
    let (mut records, mut played): (Vec<Record>, Vec<(u32, u32)>) = Default::default();
    for some in columns.each_group(|group| events_of(columns, group, words.as_ref()))? {
        let mut events_here = Vec::with_capacity(some.events.len());
        for (event, site, record) in some.events {
            let next = records.len() as u32;
            let number = *numbers.entry((event, site)).or_insert(next);
            if number == next {
                records.push(Record::default());
            }
            records[number as usize].add(&record);
            events_here.push(number);
        }
        let mut names_here = Vec::with_capacity(some.names.len());
        for name in some.names {
            let next = names.len() as u32;
            names_here.push(*names.entry(name).or_insert(next));
        }
        let here = some.played.into_iter();
        played.extend(
            here.map(|(event, name)| (events_here[event as usize], names_here[name as usize])),
        );
    }
    played.sort_unstable();
    played.dedup();
    let mut players = vec![0_u64; records.len()];
    played.into_iter().for_each(|(event, _)| players[event as usize] += 1);
    let summary = |((event, site), number): ((String, String), u32)| {
        let Record { games, years, elos: (count, sum) } = records[number as usize];
        EventSummary {
            event,
            site,
            first_year: years.map(|years| years.0),
            last_year: years.map(|years| years.1),
            games,
            players: players[number as usize],
            average_elo: (count > 0).then(|| sum as f64 / count as f64),
        }
    };
    let mut events: Vec<EventSummary> = numbers.into_iter().map(summary).collect();
    events.sort_unstable_by(|one, two| {
        let by_games = Reverse(one.games).cmp(&Reverse(two.games));
        by_games.then_with(|| (&one.event, &one.site).cmp(&(&two.event, &two.site)))
    });
    Ok(events)
}

/// Numbers texts from 0, the same text once.
fn numbered<'a>(
    texts: &'a Distinct,
    known: &mut HashMap<&'a str, u32>,
    change: impl Fn(&'a str) -> &'a str,
) -> Vec<u32> {
    let numbers = texts.texts().iter().map(|text| {
        let next = known.len() as u32;
        *known.entry(change(text.unwrap_or_default())).or_insert(next)
    });
    numbers.collect()
}

/// The site, or an empty text if it is a link.
fn without_link(site: &str) -> &str {
    if site.starts_with("http:") || site.starts_with("https:") { "" } else { site }
}

fn events_of(
    columns: &Columns,
    group: &Group,
    words: Option<&Words>,
) -> Result<Events, ArchiveError> {
    let cache = columns.cache();
    let [events, sites] = [group.distinct("event")?, group.distinct("site")?];
    let [white, black] = [group.distinct("white")?, group.distinct("black")?];
    let elos = [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
    let years = group.numbers("year", cache)?;
    let mut folded = String::new();
    let is_match: Vec<bool> = events
        .texts()
        .iter()
        .map(|text| {
            folded.clear();
            write_words(text.unwrap_or_default(), &mut folded);
            words.is_none_or(|words| words.are_in(&folded))
        })
        .collect();
    // Number 0 is the empty text.
    let mut texts: HashMap<&str, u32> = HashMap::from([("", 0)]);
    let events_here = numbered(&events, &mut texts, |text| text);
    let sites_here = numbered(&sites, &mut texts, without_link);
    let mut names: HashMap<&str, u32> = HashMap::new();
    let names_here =
        [numbered(&white, &mut names, |text| text), numbered(&black, &mut names, |text| text)];
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
    let (mut records, mut played): (Vec<Record>, Vec<(u32, u32)>) = Default::default();
    for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
        let event = events.number(row);
        if !event.map_or(words.is_none(), |event| is_match[event]) {
            continue;
        }
        let event = event.map_or(0, |event| events_here[event]);
        let site = sites.number(row).map_or(0, |site| sites_here[site]);
        let next = records.len() as u32;
        let number = *numbers.entry((event, site)).or_insert(next);
        if number == next {
            records.push(Record::default());
        }
        let here = elos.each_ref().map(|elos| rating(elos, row)).into_iter().flatten();
        let (count, sum) = here.fold((0, 0), |(count, sum), elo| (count + 1, sum + i64::from(elo)));
        let years = value(&years, row).map(|year| (year, year));
        records[number as usize].add(&Record { games: 1, years, elos: (count, sum) });
        for (names, here) in [&white, &black].into_iter().zip(&names_here) {
            played.extend(names.number(row).map(|name| (number, here[name])));
        }
    }
    played.sort_unstable();
    played.dedup();
    let mut of_text = vec![""; texts.len()];
    texts.into_iter().for_each(|(text, number)| of_text[number as usize] = text);
    let mut of_name = vec![String::new(); names.len()];
    names.into_iter().for_each(|(name, number)| of_name[number as usize] = name.to_owned());
    let mut all = vec![(String::new(), String::new(), Record::default()); records.len()];
    for ((event, site), number) in numbers {
        let [event, site] = [event, site].map(|text| of_text[text as usize].to_owned());
        all[number as usize] = (event, site, records[number as usize]);
    }
    Ok(Events { events: all, names: of_name, played })
}
