//! `halfmove compact`: merges the files of an archive and orders their games, or deletes files that only old versions need.

mod vacuum;

use crate::args::{Compact, Format};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, Rows, counted, grouped};
use crate::watch::Watch;
use crate::{Done, archive};
use halfmove_archive::CompactReport;
use std::path::Path;
use std::slice;

pub(crate) fn run(args: Compact) -> anyhow::Result<Done> {
    let archive = archive::open_itself(&args.archive)?;
    if args.vacuum {
        return vacuum::run(&archive, &args);
    }
    let mut watch = Watch::begin(Some(archive.len()))?;
    let compacted = archive.compact(&mut watch);
    let report = watch.end(&args.archive, compacted)?;
    let (closing, listing) = (closing(&args.archive, &report), Listing::new(&[COLUMNS]));
    let rows = match args.output.format {
        Format::Table => Rows::default(),
        format => listing.rows(format, slice::from_ref(&report)),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    let printed = output::print(args.output.format, &answer, || listing.object(&report));
    output::reported(report.games > 0, printed)?;
    Ok(Done::Found)
}

const COLUMNS: &[Column<CompactReport>] = &[
    Column::<CompactReport>::field("games", |report| report.games.into()),
    Column::<CompactReport>::field("files_before", |report| report.files_before.into()),
    Column::<CompactReport>::field("files", |report| report.files.into()),
    Column::<CompactReport>::field("bytes_before", |report| report.bytes_before.into()),
    Column::<CompactReport>::field("bytes", |report| report.bytes.into()),
];

/// The text output.
fn closing(archive: &Path, report: &CompactReport) -> String {
    let name = archive.display();
    if report.games == 0 {
        return format!("{name} is compact already");
    }
    let files = counted(report.files as u64, "file");
    let files = match report.files_before == report.files {
        true => files,
        false => format!("{} → {files}", grouped(report.files_before as u64)),
    };
    format!(
        "{name}: {} → {}, {files}, {} rewritten",
        grouped(report.bytes_before),
        counted(report.bytes, "byte"),
        counted(report.games, "game"),
    )
}
