//! `halfmove undo`: goes back to an earlier version of an archive.

use super::history::{COLUMNS, RESTORABLE};
use crate::args::{Format, Undo};
use crate::listing::Listing;
use crate::output::{self, Answer, counted};
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote};
use serde_json::json;

pub(crate) fn run(args: Undo) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    let undo = if args.plan.dry_run {
        archive.undo_plan(args.to).map_err(|error| explain(error, &args.archive, None))?
    } else {
        let mut watch = Watch::begin(None)?;
        let undone = archive.undo(args.to, &mut watch);
        watch.end(&args.archive, undone)?
    };
    // The undo is complete, even if this fails.
    let now = archive.refresh();
    let back = now.as_ref().ok().and_then(|now| now.undo_plan(None).ok());
    let can_return = back.is_some_and(|back| back.to == undo.from);
    let mut history = now.as_ref().unwrap_or(&archive).history()?;
    history.retain(|entry| (undo.to + 1..=undo.from).contains(&entry.version));
    let changed = match undo.version {
        Some(version) => format!("version {version} is version {} again", undo.to),
        None => format!("this would go back to version {}", undo.to),
    };
    let (name, games) = (args.archive.display(), counted(undo.games_after, "game"));
    let games = match undo.games_after == undo.games_before {
        true => format!("the same {games}"),
        false => format!("{games} instead of {}", output::grouped(undo.games_before)),
    };
    let mut closing = format!("{name}: {changed}, with {games}");
    if undo.version.is_some() && can_return {
        closing.push_str(&format!(
            "\n`halfmove undo {}` would now restore version {}; to go further back: --to",
            quote::path(&args.archive),
            undo.from
        ));
    }
    let listing = Listing::new(&[COLUMNS, RESTORABLE]);
    // The last line of a table names the versions that can be restored now.
    let rows = match args.output.format {
        Format::Table => Listing::new(&[COLUMNS]).rows(Format::Table, &history),
        format => listing.rows(format, &history),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("undone") };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "undone": listing.objects(&history),
            "from": undo.from,
            "to": undo.to,
            "version": undo.version,
            "games_before": undo.games_before,
            "games_after": undo.games_after,
            "files_added": undo.files_added,
            "files_removed": undo.files_removed,
        })
    });
    output::reported(undo.version.is_some(), printed)?;
    Ok(Done::Found)
}
