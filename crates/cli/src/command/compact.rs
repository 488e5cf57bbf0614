//! `halfmove compact`: merges the files of an archive and orders their games.

use crate::args::Compact;
use crate::output::{self, counted, grouped};
use crate::watch::Watch;
use crate::{Done, archive};

pub(crate) fn run(args: Compact) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let mut watch = Watch::begin(Some(archive.len()))?;
    let compacted = archive.compact(&mut watch);
    let report = watch.end(&args.archive, compacted)?;
    let name = args.archive.display();
    if report.games == 0 {
        output::line(format_args!("{name} is compact already"))?;
        return Ok(Done::Found);
    }
    let files = counted(report.files as u64, "file");
    let files = match report.files_before == report.files {
        true => files,
        false => format!("{} → {files}", grouped(report.files_before as u64)),
    };
    let printed = output::line(format_args!(
        "{name}: {} → {}, {files}, {} rewritten",
        grouped(report.bytes_before),
        counted(report.bytes, "byte"),
        counted(report.games, "game"),
    ));
    output::told(true, printed)?;
    Ok(Done::Found)
}
