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
        _ => {
            let mut rows = rows(&history, true);
            // It cannot be restored because it is there.
            if let Some(cell) = rows.rows.last_mut().and_then(|row| row.last_mut()) {
                "current".clone_into(cell);
            }
            rows
        }
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
    "games_changed",
    "games",
    "first_id",
    "last_id",
    "merged_to",
    "reason",
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

const HEADING: [&str; 9] = [
    "version",
    "time",
    "change",
    "games added",
    "games removed",
    "games",
    "ids",
    "details",
    "restorable",
];

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
        details(entry),
        if entry.is_restorable { "yes" } else { "no" }.to_owned(),
    ]
}

/// Which files were imported, by what games were removed, or which names were merged.
fn details(entry: &HistoryEntry) -> String {
    if let Some((from, to)) = &entry.merged {
        let games = counted(entry.games_changed, "game");
        return format!(
            "{} now \"{to}\", in {games}",
            some(from.iter().map(|name| format!("\"{name}\"")))
        );
    }
    if let Some(reason) = &entry.reason {
        return reason.clone();
    }
    some(entry.sources.iter().filter_map(|source| source.name.clone()))
}

/// The first three of some names, and how many there are besides.
fn some(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let (first, more) = names.split_at(names.len().min(3));
    match more.len() {
        0 => first.join(", "),
        more => format!("{} and {} more", first.join(", "), grouped(more as u64)),
    }
}

/// A change as JSON.
pub(crate) fn object(entry: &HistoryEntry) -> Value {
    let sources = entry.sources.iter();
    let sources = sources.map(|source| json!({ "name": source.name, "games": source.games }));
    json!({
        "version": entry.version,
        "time": entry.time(),
        "change": entry.what,
        "program": entry.by,
        "restored": entry.restored,
        "games_added": entry.games_added,
        "games_removed": entry.games_removed,
        "games_changed": entry.games_changed,
        "games": entry.games,
        "first_id": entry.ids.map(|ids| ids.0),
        "last_id": entry.ids.map(|ids| ids.1),
        "sources": sources.collect::<Vec<_>>(),
        "merged_from": entry.merged.as_ref().map_or(&[][..], |(from, _)| from.as_slice()),
        "merged_to": entry.merged.as_ref().map(|(_, to)| to),
        "reason": entry.reason,
        "files_added": entry.files_added,
        "files_removed": entry.files_removed,
        "restorable": entry.is_restorable,
    })
}
