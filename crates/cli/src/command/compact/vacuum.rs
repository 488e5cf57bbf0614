//! `halfmove compact --vacuum`: deletes the files that only old versions need.

use crate::Done;
use crate::args::Compact;
use crate::output::{self, Answer, Rows, counted};
use crate::watch::Watch;
use halfmove_archive::{Archive, VacuumReport};
use serde_json::json;
use std::time::SystemTime;

pub(super) fn run(archive: &Archive, args: &Compact) -> anyhow::Result<Done> {
    let before = SystemTime::now().checked_sub(args.keep).unwrap_or(SystemTime::UNIX_EPOCH);
    let dry_run = args.plan.dry_run;
    let vacuumed = if dry_run {
        archive.vacuum_plan(before)?
    } else {
        let mut watch = Watch::begin(None)?;
        let vacuumed = archive.vacuum(before, &mut watch);
        watch.end(&args.archive, vacuumed)?
    };
    let files = vacuumed.files.iter().map(|name| vec![name.clone()]);
    let rows = Rows::new(&["file"], &[], files.collect());
    let closing = closing(&vacuumed, args);
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "files": vacuumed.files,
            "bytes": vacuumed.bytes,
            "kept": vacuumed.kept,
            "foreign": vacuumed.foreign,
            "dry_run": dry_run,
        })
    });
    output::reported(!dry_run && !vacuumed.files.is_empty(), printed)?;
    Ok(Done::Found)
}

/// The text output.
fn closing(vacuumed: &VacuumReport, args: &Compact) -> String {
    let deleted = if args.plan.dry_run { "would be deleted" } else { "deleted" };
    let mut closing = match vacuumed.files.len() as u64 {
        0 => format!("no files {deleted}"),
        files => {
            format!("{} ({}) {deleted}", counted(files, "file"), counted(vacuumed.bytes, "byte"))
        }
    };
    if vacuumed.kept > 0 {
        closing += &format!("; {} kept so that undo works", counted(vacuumed.kept, "file"));
    }
    if vacuumed.foreign > 0 {
        let files = counted(vacuumed.foreign, "file");
        closing += &format!("; {files} of other programs left alone");
    }
    if let Some(day) = vacuumed.next_day(args.keep) {
        closing += &format!(
            "\nthe oldest can be deleted on {day}; `--keep 0s` deletes all now, and gives up `undo`"
        );
    }
    closing
}
