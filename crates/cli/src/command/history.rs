//! `halfmove history`: what has been done to an archive.

use crate::args::History;
use crate::output::{self, Answer, Rows, counted, grouped};
use crate::{Done, archive};
use halfmove_archive::HistoryEntry;
use serde_json::{Value, json};

pub(crate) fn run(args: History) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let history = archive.history()?;
    let closing = format!(
        "{} in version {}, with {}",
        counted(archive.len(), "game"),
        grouped(archive.version()),
        counted(history.iter().filter(|entry| entry.is_restorable).count() as u64, "version")
            + " that can be restored (halfmove undo --to)",
    );
    let changes: Vec<Value> = history.iter().map(object).collect();
    let rows = match args.output.format {
        format if format.is_rows() => Rows::of_objects(FIELDS, &changes),
        _ => rows(&history, true),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("changes") };
    output::print(args.output.format, &answer, || json!({ "changes": changes }))?;
    Ok(Done::Found)
}

/// What CSV has of a change.
const FIELDS: &[&str] = &[
    "version",
    "time",
    "change",
    "program",
    "restored",
    "games_added",
    "games_removed",
    "games",
    "first_id",
    "last_id",
    "files_added",
    "files_removed",
    "restorable",
];

/// Changes as a table, with or without a column that says which versions can be restored.
pub(crate) fn rows(history: &[HistoryEntry], with_restorable: bool) -> Rows<'static> {
    let heading: &[&str] = match with_restorable {
        true => &HEADING,
        false => &HEADING[..HEADING.len() - 1],
    };
    let row = |entry| row(entry).into_iter().take(heading.len()).collect();
    let numbers = &["version", "games added", "games removed", "games"];
    Rows { heading, numbers, rows: history.iter().map(row).collect() }
}

const HEADING: [&str; 8] =
    ["version", "time", "change", "games added", "games removed", "games", "ids", "restorable"];

fn row(entry: &HistoryEntry) -> [String; HEADING.len()] {
    let what = match entry.restored {
        Some(version) => format!("{} to {version}", entry.what),
        None => entry.what.clone(),
    };
    [
        entry.version.to_string(),
        entry.time().unwrap_or_default(),
        what,
        entry.games_added.to_string(),
        entry.games_removed.to_string(),
        entry.games.to_string(),
        entry.ids.map_or_else(String::new, |(first, last)| format!("{first} to {last}")),
        if entry.is_restorable { "yes" } else { "no" }.to_owned(),
    ]
}

/// A change as JSON.
pub(crate) fn object(entry: &HistoryEntry) -> Value {
    json!({
        "version": entry.version,
        "time": entry.time(),
        "change": entry.what,
        "program": entry.by,
        "restored": entry.restored,
        "games_added": entry.games_added,
        "games_removed": entry.games_removed,
        "games": entry.games,
        "first_id": entry.ids.map(|ids| ids.0),
        "last_id": entry.ids.map(|ids| ids.1),
        "files_added": entry.files_added,
        "files_removed": entry.files_removed,
        "restorable": entry.is_restorable,
    })
}
