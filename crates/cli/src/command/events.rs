//! `halfmove events`: the events of an archive.

use super::players::{ending, years};
use crate::args::{EventSort, Events, Format};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, counted};
use crate::score::tenth;
use crate::{Done, archive};
use halfmove_archive::EventSummary;
use serde_json::json;
use std::time::Instant;

pub(crate) fn run(args: Events) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let archive = archive::open(&args.archive)?;
    let name = args.name.as_deref();
    if name.is_some_and(|name| !name.contains(char::is_alphanumeric)) {
        return Err(archive::no_word("NAME", name.unwrap_or_default()));
    }
    let mut events = archive.events(name)?;
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
    let format = args.output.format;
    events.truncate(args.limit.most(format == Format::Table));
    let listing = Listing::new(&[COLUMNS]);
    let rows = listing.rows(format, &events);
    let closing = counted(all as u64, "event") + &ending(clock, events.len(), all);
    let answer = Answer { rows: &rows, closing: &closing, list: Some("events") };
    output::print(format, &answer, || json!({ "count": all, "events": listing.objects(&events) }))?;
    Ok(if all > 0 { Done::Found } else { Done::Nothing })
}

const COLUMNS: &[Column<EventSummary>] = &[
    Column::<EventSummary>::field("event", |event| event.event.clone().into()).titled("event"),
    Column::<EventSummary>::field("site", |event| event.site.clone().into()).titled("site"),
    Column::<EventSummary>::field("first_year", |event| event.first_year.into()),
    Column::<EventSummary>::field("last_year", |event| event.last_year.into()),
    Column::<EventSummary>::table("years", |event| years(event.first_year, event.last_year)),
    Column::<EventSummary>::field("games", |event| event.games.into()).titled("games").number(),
    Column::<EventSummary>::field("players", |event| event.players.into())
        .titled("players")
        .number(),
    Column::<EventSummary>::field("average_elo", |event| tenth(event.average_elo))
        .shown("elo", |event| event.average_elo.map_or_else(String::new, |elo| format!("{elo:.0}")))
        .number(),
];
