//! `halfmove upgrade`: rewrites an archive of an older format.

use crate::args::Upgrade;
use crate::output::{self, counted};
use crate::watch::Watch;
use crate::{Done, archive};

pub(crate) fn run(args: Upgrade) -> anyhow::Result<Done> {
    let archive = archive::open(&args.archive)?;
    let mut watch = Watch::begin(Some(archive.len()))?;
    let upgraded = archive.upgrade(&mut watch);
    let report = watch.end(&args.archive, upgraded)?;
    let name = args.archive.display();
    if report.from == report.to && report.files == 0 {
        output::line(format_args!("{name} has format {} already", report.to))?;
        return Ok(Done::Found);
    }
    let change = if report.from == report.to {
        format!("with what was missing in format {}", report.to)
    } else {
        format!("from format {} to format {}", report.from, report.to)
    };
    let printed = output::line(format_args!(
        "{name}: {} in {} with {}, {change}",
        counted(report.games, "game"),
        counted(report.files as u64, "file"),
        counted(report.bytes, "byte"),
    ));
    output::told(true, printed)?;
    Ok(Done::Found)
}
