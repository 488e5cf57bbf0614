//! `halfmove remove`: removes the games that meet conditions.

use crate::archive::{self, Selection, Spellings};
use crate::args::Remove;
use crate::listing::{Column, Listing};
use crate::output::{self, Advised, Answer, counted};
use crate::watch::{Watch, explain};
use crate::{Done, typed};
use anyhow::anyhow;
use std::path::Path;
use std::slice;

pub(crate) fn run(args: Remove) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    let conditions = Selection::new(args.filter, &args.position)?.with_ids(&args.ids.id);
    if conditions.is_empty() {
        let error = anyhow!("no condition says which games to remove");
        let hint = "give a condition, such as --event or --fen; all games: --min-plies 0";
        return Err(Advised::new(error, hint).into());
    }
    archive::note_unknown_ids(&archive, &args.ids.id)?;
    let filter = conditions.on(&archive)?;
    Spellings::noted(&archive, &filter)?;
    let remover = archive.remover(&filter).map_err(|error| explain(error, &args.archive, None))?;
    let found = remover.games();
    if found == 0 {
        archive::note_near_names(&archive, &filter)?;
    }
    let dry_run = args.plan.dry_run;
    let (games, version) = if dry_run || found == 0 {
        (found, None)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let removed = remover.with_reason(conditions_of(&args.archive)).commit(&mut watch);
        let report = watch.end(&args.archive, removed)?;
        (report.games, report.version)
    };
    let changed = if version.is_some() { archive.refresh()? } else { archive.clone() };
    let now = changed.len();
    let left = if dry_run { now.saturating_sub(games) } else { now };
    let removal = Removal { groups: None, removed: games, left, version, dry_run };
    let rows = Listing::new(&[REMOVAL]).rows(args.output.format, slice::from_ref(&removal));
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&changed, &args.archive, version);
            format!("{} removed{hint}", counted(games, "game"))
        }
        None if games == 0 => "no game matches, nothing is removed".to_owned(),
        None => format!("{} would be removed", counted(games, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed =
        output::print(args.output.format, &answer, || Listing::new(&[REMOVAL]).object(&removal));
    output::reported(version.is_some(), printed)?;
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

/// Games that were removed, or would be.
pub(super) struct Removal {
    /// The number of groups of duplicates.
    pub(super) groups: Option<usize>,
    pub(super) removed: u64,
    pub(super) left: u64,
    pub(super) version: Option<u64>,
    pub(super) dry_run: bool,
}

pub(super) const REMOVAL: &[Column<Removal>] = &[
    Column::<Removal>::field("removed", |removal| removal.removed.into())
        .titled("removed")
        .number(),
    Column::<Removal>::field("left", |removal| removal.left.into()).titled("left").number(),
    Column::<Removal>::field("version", |removal| removal.version.into())
        .titled("version")
        .number(),
    Column::<Removal>::json("dry_run", |removal| removal.dry_run.into()),
];

/// The conditions as they were typed.
fn conditions_of(archive: &Path) -> String {
    typed::words(
        "remove",
        &[archive],
        &[("--dry-run", false), ("--format", true), ("--color", true)],
    )
}
