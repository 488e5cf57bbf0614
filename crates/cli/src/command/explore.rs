//! `halfmove explore`: the moves played in a position, and their results.

use crate::args::{Explore, Format};
use crate::output::{self, Answer, Rows, counted};
use crate::{Done, archive, score};
use halfmove_archive::{ExplorerMove, Results};
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn run(args: Explore) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let mut filter = archive::filter(args.filter, &args.position)?;
    let position = match filter.position.take() {
        Some(position) => position,
        None => args.position.start()?,
    };
    let archive = archive::open(&args.archive)?;
    let explorer = archive::wait(archive.explore(&filter, position))?;
    let total = explorer.results.games();
    if total == 0 {
        archive::wait(archive::tell_near_names(&archive, &filter))?;
    }

    let moves: Vec<Value> = explorer.moves.iter().map(object).collect();
    // Without a player there is no score.
    let (fields, heading) = match explorer.score {
        Some(_) => (FIELDS, HEADING),
        None => (&FIELDS[..FIELDS.len() - score::FIELDS.len()], &HEADING[..HEADING.len() - 1]),
    };
    let rows = match args.output.format {
        format if format.is_rows() => Rows::of_objects(fields, &moves),
        _ => Rows {
            heading,
            numbers: &heading[1..],
            rows: explorer.moves.iter().map(|mv| row(mv, total)).collect(),
        },
    };
    let all = explorer.results;
    let milliseconds = clock.elapsed().as_millis();
    let mut closing = format!(
        "{}: White won {}, drawn {}, Black won {}",
        counted(total, "game"),
        percent(all.white, total),
        percent(all.draws, total),
        percent(all.black, total),
    );
    if let Some(score) = explorer.score {
        closing += &format!("; the player {}", score::line(&score));
    }
    closing += &format!("; in {milliseconds} ms");
    let answer = Answer { rows: &rows, closing: &closing, list: Some("moves") };
    output::print(args.output.format, &answer, || {
        let mut answer = results(explorer.results);
        score::add(&mut answer, explorer.score);
        answer["moves"] = moves.into();
        answer
    })?;
    Ok(if total > 0 { Done::Found } else { Done::Nothing })
}

/// What CSV has of a move, the score last.
const FIELDS: &[&str] = &[
    "uci",
    "san",
    "white",
    "draws",
    "black",
    "other",
    "player_wins",
    "player_draws",
    "player_losses",
    "player_other",
    "player_both",
    "player_percent",
];

const HEADING: &[&str] = &["move", "games", "share", "white", "draws", "black", "other", "score"];

fn row(mv: &ExplorerMove, all: u64) -> Vec<String> {
    let total = mv.results.games();
    let Results { white, draws, black, other, .. } = mv.results;
    let mut row = vec![mv.san.clone(), total.to_string(), percent(total, all)];
    row.extend([white, draws, black, other].map(|count| percent(count, total)));
    row.extend(mv.score.map(|score| score::percent(&score)));
    row
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The four counts under the names of the Lichess explorer, and `other`.
fn results(results: Results) -> Value {
    json!({
        "white": results.white,
        "draws": results.draws,
        "black": results.black,
        "other": results.other,
    })
}

fn object(mv: &ExplorerMove) -> Value {
    let mut object = json!({
        "uci": mv.uci,
        "san": mv.san,
        "white": mv.results.white,
        "draws": mv.results.draws,
        "black": mv.results.black,
        "other": mv.results.other,
    });
    score::add(&mut object, mv.score);
    object
}
