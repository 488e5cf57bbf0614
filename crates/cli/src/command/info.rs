//! `halfmove info`: a summary of an archive.

use crate::args::Info;
use crate::output::{self, Answer, Rows, grouped};
use crate::{Done, archive};
use serde_json::json;

/// The numbers of games by variant, those of which there are any.
fn variants(info: &halfmove_archive::Info) -> serde_json::Map<String, serde_json::Value> {
    let variants = info.variants.iter();
    variants.map(|(variant, games)| (variant.name().to_owned(), games.into())).collect()
}

/// What CSV has of an archive: one line.
const FIELDS: &[&str] = &[
    "games",
    "plies",
    "white",
    "draws",
    "black",
    "other",
    "first_year",
    "last_year",
    "own_starts",
    "faulty",
    "sources",
    "files",
    "bytes",
    "format",
    "version",
];

pub(crate) fn run(args: Info) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let info = archive::wait(archive.info())?;
    let results = info.results;
    let mut lines = vec![
        ("games", grouped(info.games)),
        ("half-moves", grouped(info.plies)),
        ("White won", grouped(results.white)),
        ("drawn", grouped(results.draws)),
        ("Black won", grouped(results.black)),
        ("other results", grouped(results.other)),
    ];
    if let Some((first, last)) = info.years {
        lines.push(("years", format!("{first} to {last}")));
    }
    let games_of = info.variants.iter();
    lines.extend(games_of.map(|(variant, games)| (variant.name(), grouped(games))));
    lines.extend([
        ("custom starting positions", grouped(info.own_starts)),
        ("games with a fault", grouped(info.faulty)),
        ("sources", grouped(info.sources)),
        ("files", grouped(info.files)),
        ("bytes", grouped(info.bytes)),
        ("bytes a game", format!("{:.1}", info.bytes as f64 / info.games.max(1) as f64)),
        ("format", info.format.clone()),
        ("version", grouped(info.version)),
    ]);
    let object = json!({
        "games": info.games,
        "plies": info.plies,
        "white": results.white,
        "draws": results.draws,
        "black": results.black,
        "other": results.other,
        "first_year": info.years.map(|years| years.0),
        "last_year": info.years.map(|years| years.1),
        "variants": variants(&info),
        "own_starts": info.own_starts,
        "faulty": info.faulty,
        "sources": info.sources,
        "files": info.files,
        "bytes": info.bytes,
        "format": info.format,
        "version": info.version,
    });
    let rows = match args.output.format {
        format if format.is_rows() => Rows::of_objects(FIELDS, std::slice::from_ref(&object)),
        _ => Rows {
            heading: &["what", "value"],
            numbers: &["value"],
            rows: lines.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect(),
        },
    };
    let answer = Answer { rows: &rows, closing: "", list: None };
    output::print(args.output.format, &answer, || object)?;
    Ok(Done::Found)
}
