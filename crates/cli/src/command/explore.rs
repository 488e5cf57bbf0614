//! `halfmove explore`: the moves played in a position, and their results.

use crate::args::{Explore, Format};
use crate::output::{self, Rows, counted};
use crate::{Done, archive};
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

    let moves: Vec<Value> = explorer.moves.iter().map(object).collect();
    let rows = match args.output.format {
        Format::Csv => {
            Rows::of_objects(&["uci", "san", "white", "draws", "black", "other"], &moves)
        }
        _ => Rows {
            heading: &["move", "games", "share", "white", "draws", "black", "other"],
            numbers: &["games", "share", "white", "draws", "black", "other"],
            rows: explorer.moves.iter().map(|mv| row(&mv.san, mv.results, total)).collect(),
        },
    };
    let all = explorer.results;
    let milliseconds = clock.elapsed().as_millis();
    let closing = format!(
        "{}: White won {}, drawn {}, Black won {}; in {milliseconds} ms",
        counted(total, "game"),
        percent(all.white, total),
        percent(all.draws, total),
        percent(all.black, total),
    );
    output::print(args.output.format, &rows, &closing, || {
        let mut answer = results(explorer.results);
        answer["moves"] = moves.into();
        answer
    })?;
    Ok(if total > 0 { Done::Found } else { Done::Nothing })
}

fn row(san: &str, results: Results, all: u64) -> Vec<String> {
    let total = results.games();
    let Results { white, draws, black, other, .. } = results;
    let mut row = vec![san.to_owned(), total.to_string(), percent(total, all)];
    row.extend([white, draws, black, other].map(|count| percent(count, total)));
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
    json!({
        "uci": mv.uci,
        "san": mv.san,
        "white": mv.results.white,
        "draws": mv.results.draws,
        "black": mv.results.black,
        "other": mv.results.other,
    })
}
