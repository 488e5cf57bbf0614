//! `halfmove vacuum`: deletes files that no version within some time needs.

use crate::args::Vacuum;
use crate::output::{self, Answer, Rows, counted};
use crate::watch::Watch;
use crate::{Done, archive};
use serde_json::json;
use std::time::SystemTime;

pub(crate) fn run(args: Vacuum) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let before = SystemTime::now().checked_sub(args.keep).unwrap_or(SystemTime::UNIX_EPOCH);
    let vacuumed = if args.dry_run {
        archive.vacuum_plan(before)?
    } else {
        let mut watch = Watch::begin(None)?;
        let vacuumed = archive.vacuum(before, &mut watch);
        watch.end(&args.archive, vacuumed)?
    };
    let rows = Rows {
        heading: &["file"],
        numbers: &[],
        rows: vacuumed.files.iter().map(|name| vec![name.clone()]).collect(),
    };
    let deleted = if args.dry_run { "would be deleted" } else { "deleted" };
    let mut closing = match vacuumed.files.len() as u64 {
        0 => format!("no files {deleted}"),
        files => {
            format!("{} ({}) {deleted}", counted(files, "file"), counted(vacuumed.bytes, "byte"))
        }
    };
    if vacuumed.kept > 0 {
        let files = counted(vacuumed.kept, "file");
        closing.push_str(&format!("; {files} kept so that undo works"));
    }
    if vacuumed.foreign > 0 {
        let files = counted(vacuumed.foreign, "file");
        closing.push_str(&format!("; {files} of other programs are theirs to delete"));
    }
    if let Some(day) = vacuumed.next_day(args.keep) {
        closing.push_str(&format!(
            "\nthe oldest can go on {day}; `--keep 0s` deletes them now and gives up `undo`"
        ));
    }
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || {
        json!({
            "files": vacuumed.files,
            "bytes": vacuumed.bytes,
            "kept": vacuumed.kept,
            "foreign": vacuumed.foreign,
            "dry_run": args.dry_run,
        })
    });
    output::told(!args.dry_run && !vacuumed.files.is_empty(), printed)?;
    Ok(Done::Found)
}
