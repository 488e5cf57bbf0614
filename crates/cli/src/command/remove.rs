//! `halfmove remove`: removes the games that meet conditions.

use crate::archive::{self, Conditions, Spellings};
use crate::args::Remove;
use crate::listing::{Column, Listing};
use crate::output::{self, Advised, Answer, counted};
use crate::watch::{Watch, explain};
use crate::{Done, quote};
use anyhow::anyhow;
use std::env;
use std::path::Path;
use std::slice;

pub(crate) fn run(args: Remove) -> anyhow::Result<Done> {
    let conditions = Conditions::new(args.filter, &args.position)?.with_ids(&args.ids.id);
    if conditions.is_empty() {
        let error = anyhow!("no condition says which games to remove");
        let hint = "give a condition, such as --event or --fen; all games: --min-plies 0";
        return Err(Advised::new(error, hint).into());
    }
    let archive = archive::open(&args.archive)?;
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
        let removed = remover.because(typed(&args.archive)).commit(&mut watch);
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

/// The number of characters of the command line that the history keeps.
const MOST_TYPED: usize = 500;

/// The conditions as they were typed.
fn typed(archive: &Path) -> String {
    let mut args = env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let mut words: Vec<String> = Vec::new();
    let mut is_named = false;
    args.find(|arg| arg == "remove");
    while let Some(arg) = args.next() {
        let name = arg.split('=').next().unwrap_or_default();
        match name {
            "--dry-run" => {}
            "--format" | "--color" => {
                if name == arg {
                    args.next();
                }
            }
            _ if !is_named && Path::new(&arg) == archive => is_named = true,
            _ => words.push(quote::word(&arg).into_owned()),
        }
    }
    let text = words.join(" ");
    match text.char_indices().nth(MOST_TYPED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
