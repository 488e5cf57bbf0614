//! `halfmove events`: where the games of an archive were played.

use super::players::{ending, years};
use crate::args::{EventSort, Events, Format, most};
use crate::output::{self, Answer, Rows, counted};
use crate::{Done, archive};
use halfmove_archive::EventSummary;
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn run(args: Events) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let archive = archive::open(&args.archive)?;
    let name = args.name.as_deref();
    if name.is_some_and(|name| !name.contains(char::is_alphanumeric)) {
        return Err(archive::no_word("NAME", name.unwrap_or_default()));
    }
    let mut events = archive::wait(archive.events(name))?;
    let sort = args.sort;
    match sort.by {
        EventSort::Games => sort.sort(&mut events, |event| Some(event.games)),
        EventSort::Name => {
            sort.sort(&mut events, |event| Some((event.event.clone(), event.site.clone())));
        }
        EventSort::Elo => sort.sort(&mut events, |event| event.average_elo),
        EventSort::Players => sort.sort(&mut events, |event| Some(event.players)),
        EventSort::Year => sort.sort(&mut events, |event| event.last_year),
    }
    let all = events.len();
    events.truncate(most(args.limit, args.output.format == Format::Table));
    let objects: Vec<Value> = events.iter().map(object).collect();
    let rows = match args.output.format {
        Format::Csv | Format::Tsv => Rows::of_objects(FIELDS, &objects),
        _ => Rows {
            heading: &["event", "site", "years", "games", "players", "elo"],
            numbers: &["games", "players", "elo"],
            rows: events.iter().map(row).collect(),
        },
    };
    let closing = counted(all as u64, "event") + &ending(clock, events.len(), all);
    let answer = Answer { rows: &rows, closing: &closing, list: Some("events") };
    output::print(args.output.format, &answer, || json!({ "count": all, "events": objects }))?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

/// What CSV has of an event.
const FIELDS: &[&str] =
    &["event", "site", "first_year", "last_year", "games", "players", "average_elo"];

fn object(event: &EventSummary) -> Value {
    json!({
        "event": event.event,
        "site": event.site,
        "first_year": event.first_year,
        "last_year": event.last_year,
        "games": event.games,
        "players": event.players,
        "average_elo": event.average_elo.map(|elo| (elo * 10.0).round() / 10.0),
    })
}

fn row(event: &EventSummary) -> Vec<String> {
    vec![
        event.event.clone(),
        event.site.clone(),
        years(event.first_year, event.last_year),
        event.games.to_string(),
        event.players.to_string(),
        event.average_elo.map_or_else(String::new, |elo| format!("{elo:.0}")),
    ]
}
