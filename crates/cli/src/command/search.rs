//! `halfmove search`: the games that reach a position or match filters.

use crate::args::{Format, Search};
use crate::output::{self, Answer, Rows, counted, grouped};
use crate::{Done, archive, score};
use halfmove_archive::{Archive, Filter, GameSummary};
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn run(args: Search) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let filter = archive::filter(args.filter, &args.position)?;
    let archive = archive::open(&args.archive)?;
    if args.count {
        let count = archive::wait(archive.count(&filter))?;
        let done = told(&archive, &filter, count)?;
        let rows =
            Rows { heading: &["count"], numbers: &["count"], rows: vec![vec![count.to_string()]] };
        if args.output.format == Format::Table {
            output::line(count)?;
        } else {
            let answer = Answer { rows: &rows, closing: "", list: None };
            output::print(args.output.format, &answer, || json!({ "count": count }))?;
        }
        return Ok(done);
    }
    let found = archive::wait(archive.search(&filter, args.limit))?;
    let done = told(&archive, &filter, found.count)?;
    let games: Vec<Value> = found.games.iter().map(object).collect();
    let rows = match args.output.format {
        format if format.is_rows() => Rows::of_objects(FIELDS, &games),
        _ => Rows {
            heading: &["id", "white", "black", "date", "result", "event", "eco", "plies", "ply"],
            numbers: &["id", "plies", "ply"],
            rows: found.games.iter().map(row).collect(),
        },
    };
    let shown = found.games.len() as u64;
    let milliseconds = clock.elapsed().as_millis();
    let mut closing = counted(found.count, "game");
    if let Some(score) = found.score.filter(|_| found.count > 0) {
        closing += &format!(": {};", score::line(&score));
    }
    closing += &format!(" in {milliseconds} ms");
    if shown < found.count {
        closing += &format!(", the first {} shown (--limit)", grouped(shown));
    }
    let answer = Answer { rows: &rows, closing: &closing, list: Some("games") };
    output::print(args.output.format, &answer, || {
        let mut answer = json!({ "count": found.count });
        score::add(&mut answer, found.score);
        answer["games"] = games.into();
        answer
    })?;
    Ok(done)
}

/// Whether any games were found. If there are none because of a name that nobody has, says so.
fn told(archive: &Archive, filter: &Filter, count: u64) -> anyhow::Result<Done> {
    if count > 0 {
        return Ok(Done::Found);
    }
    archive::wait(archive::tell_near_names(archive, filter))?;
    Ok(Done::Nothing)
}

/// What CSV has of a game.
const FIELDS: &[&str] = &[
    "id",
    "variant",
    "white",
    "black",
    "date",
    "result",
    "ply",
    "event",
    "site",
    "round",
    "eco",
    "white_elo",
    "black_elo",
    "plies",
];

fn row(game: &GameSummary) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    vec![
        game.id.to_string(),
        text(&game.white),
        text(&game.black),
        text(&game.date),
        game.result.clone(),
        text(&game.event),
        text(&game.eco),
        game.plies.to_string(),
        game.ply.map_or_else(String::new, |ply| ply.to_string()),
    ]
}

fn object(game: &GameSummary) -> Value {
    json!({
        "id": game.id,
        "variant": game.variant.name(),
        "white": game.white,
        "black": game.black,
        "date": game.date,
        "result": game.result,
        "ply": game.ply,
        "event": game.event,
        "site": game.site,
        "round": game.round,
        "eco": game.eco,
        "white_elo": game.white_elo,
        "black_elo": game.black_elo,
        "plies": game.plies,
    })
}
