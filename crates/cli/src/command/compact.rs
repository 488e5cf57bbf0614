//! `halfmove compact`: merges the files of an archive and orders their games.

use crate::args::Compact;
use crate::output::{self, counted};
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
    output::line(format_args!(
        "{name}: {} rewritten, {} with {} are now {} with {}",
        counted(report.games, "game"),
        counted(report.files_before as u64, "file"),
        counted(report.bytes_before, "byte"),
        counted(report.files as u64, "file"),
        counted(report.bytes, "byte"),
    ))?;
    Ok(Done::Found)
}
