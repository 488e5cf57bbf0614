//! `halfmove remove`: removes the games that meet conditions.

use crate::args::Remove;
use crate::output::{self, Advised, Answer, Rows, counted};
use crate::watch::{Watch, explain};
use crate::{Done, archive, quote};
use anyhow::anyhow;
use serde_json::json;
use std::env;
use std::path::Path;

pub(crate) fn run(args: Remove) -> anyhow::Result<Done> {
    let filter = archive::filter(args.filter.with_ids(&args.id), &args.position)?;
    if filter.is_empty() {
        let error = anyhow!("nothing says which games to remove");
        let hint = "give a condition, such as --event or --fen; all games: --where true";
        return Err(Advised::new(error, hint).into());
    }
    let archive = archive::open(&args.archive)?;
    archive::wait(archive::tell_unknown_ids(&archive, &args.id))?;
    let unchanged = |error: anyhow::Error| match error.downcast() {
        Ok(error) => explain(error, &args.archive, None),
        Err(error) => error,
    };
    let remover = archive::wait(archive.remover(&filter)).map_err(unchanged)?;
    let found = remover.games();
    if found == 0 {
        archive::wait(archive::tell_near_names(&archive, &filter))?;
    }
    let (games, version) = if args.dry_run || found == 0 {
        (found, None)
    } else {
        let mut watch = Watch::begin(Some(archive.len()))?;
        let removed = remover.because(typed(&args.archive)).commit(&mut watch);
        let report = watch.end(&args.archive, removed)?;
        (report.games, report.version)
    };
    let changed = if version.is_some() { archive.refresh()? } else { archive.clone() };
    let now = changed.len();
    let left = if args.dry_run { now.saturating_sub(games) } else { now };
    let rows = Rows {
        heading: &["removed", "left", "version"],
        numbers: &["removed", "left", "version"],
        rows: vec![vec![
            games.to_string(),
            left.to_string(),
            version.map_or_else(String::new, |version| version.to_string()),
        ]],
    };
    let closing = match version {
        Some(version) => {
            let hint = archive::undo_hint(&changed, &args.archive, version);
            format!("{} removed{hint}", counted(games, "game"))
        }
        None if games == 0 => "no game matches, nothing is removed".to_owned(),
        None => format!("{} would be removed", counted(games, "game")),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(
        args.output.format,
        &answer,
        || json!({ "removed": games, "left": left, "version": version, "dry_run": args.dry_run }),
    );
    output::told(version.is_some(), printed)?;
    Ok(if games > 0 { Done::Found } else { Done::Nothing })
}

/// How much of the command line the history keeps.
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
