//! `halfmove history`: the changes of an archive.

use crate::args::{Format, History};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, counted, grouped};
use crate::{Done, archive};
use halfmove_archive::{HistoryEntry, ImportedSource};
use serde_json::json;

pub(crate) fn run(args: History) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    let history = archive.history()?;
    let closing = format!(
        "{} in version {}, with {}",
        counted(archive.len(), "game"),
        grouped(archive.version()),
        counted(history.iter().filter(|entry| entry.is_restorable).count() as u64, "version")
            + " that can be restored (halfmove undo --to)",
    );
    let format = args.output.format;
    let listing = Listing::new(&[COLUMNS, RESTORABLE]);
    let mut rows = listing.rows(format, &history);
    // The last version is the current one.
    if let Some(cell) = rows.rows.last_mut().and_then(|row| row.last_mut())
        && format == Format::Table
    {
        "current".clone_into(cell);
    }
    let answer = Answer { rows: &rows, closing: &closing, list: Some("changes") };
    output::print(format, &answer, || json!({ "changes": listing.objects(&history) }))?;
    Ok(Done::Found)
}

/// A change.
pub(super) const COLUMNS: &[Column<HistoryEntry>] = &[
    Column::<HistoryEntry>::field("version", |entry| entry.version.into())
        .titled("version")
        .number(),
    Column::<HistoryEntry>::field("time", |entry| entry.time().into()).titled("time"),
    Column::<HistoryEntry>::field("change", |entry| entry.what.clone().into()).shown(
        "change",
        |entry| match entry.restored {
            Some(version) => format!("{} to {version}", entry.what),
            None => entry.what.clone(),
        },
    ),
    Column::<HistoryEntry>::field("program", |entry| entry.by.clone().into()),
    Column::<HistoryEntry>::field("restored", |entry| entry.restored.into()),
    Column::<HistoryEntry>::field("games_added", |entry| entry.games_added.into())
        .titled("games added")
        .number(),
    Column::<HistoryEntry>::field("games_removed", |entry| entry.games_removed.into())
        .titled("games removed")
        .number(),
    Column::<HistoryEntry>::field("games_changed", |entry| entry.games_changed.into()),
    Column::<HistoryEntry>::field("games", |entry| entry.games.into()).titled("games").number(),
    Column::<HistoryEntry>::field("first_id", |entry| entry.ids.map(|ids| ids.0).into()),
    Column::<HistoryEntry>::field("last_id", |entry| entry.ids.map(|ids| ids.1).into()),
    Column::<HistoryEntry>::table("ids", |entry| {
        entry.ids.map_or_else(String::new, |(first, last)| format!("{first} to {last}"))
    }),
    Column::<HistoryEntry>::json("sources", |entry| {
        let sources = entry.sources.iter();
        let object = |source: &ImportedSource| {
            json!({
                "name": source.name,
                "games": source.games,
                "bytes": source.sum.bytes(),
                "xxh64": source.sum.to_string(),
            })
        };
        sources.map(object).collect()
    }),
    Column::<HistoryEntry>::json("merged_from", |entry| {
        entry.merged.as_ref().map_or(&[][..], |(from, _)| from.as_slice()).into()
    }),
    Column::<HistoryEntry>::field("merged_to", |entry| {
        entry.merged.as_ref().map(|(_, to)| to.as_str()).into()
    }),
    Column::<HistoryEntry>::field("reason", |entry| entry.reason.clone().into()),
    Column::<HistoryEntry>::table("details", details),
    Column::<HistoryEntry>::field("files_added", |entry| entry.files_added.into()),
    Column::<HistoryEntry>::field("files_removed", |entry| entry.files_removed.into()),
];

/// The column that shows if `undo` can go back to the version.
pub(super) const RESTORABLE: &[Column<HistoryEntry>] =
    &[Column::<HistoryEntry>::field("restorable", |entry| entry.is_restorable.into())
        .shown("restorable", |entry| if entry.is_restorable { "yes" } else { "no" }.to_owned())];

/// The imported files, the conditions of a removal, or the merged names.
fn details(entry: &HistoryEntry) -> String {
    if let Some((from, to)) = &entry.merged {
        let games = counted(entry.games_changed, "game");
        return format!(
            "{} now \"{to}\", in {games}",
            some(from.iter().map(|name| format!("\"{name}\"")))
        );
    }
    let sources = some(entry.sources.iter().filter_map(|source| source.name.clone()));
    match &entry.reason {
        None => sources,
        Some(reason) if sources.is_empty() => reason.clone(),
        Some(reason) => format!("{sources}: {reason}"),
    }
}

/// The first three names, and the number of the others.
fn some(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let (first, more) = names.split_at(names.len().min(3));
    match more.len() {
        0 => first.join(", "),
        more => format!("{} and {} more", first.join(", "), grouped(more as u64)),
    }
}
