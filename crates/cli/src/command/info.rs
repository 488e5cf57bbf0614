//! `halfmove info`: a summary of an archive.

use crate::args::{Format, Info as Args};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, Rows, grouped};
use crate::{Done, archive};
use halfmove_archive::Info;
use serde_json::{Map, Value};
use std::path::Path;
use std::slice;

pub(crate) fn run(args: Args) -> anyhow::Result<Done> {
    print(&args.archive, args.output.format)
}

/// Prints the summary of an archive.
pub(crate) fn print(archive: &Path, format: Format) -> anyhow::Result<Done> {
    let info = archive::open(archive)?.info()?;
    let listing = Listing::new(&[GAMES, VARIANTS, FILES]);
    let rows = match format {
        Format::Table => {
            let mut lines = Listing::new(&[GAMES]).lines(&info);
            let variants = info.variants.iter();
            lines.extend(
                variants.map(|(variant, games)| vec![variant.name().to_owned(), grouped(games)]),
            );
            lines.extend(Listing::new(&[FILES]).lines(&info));
            Rows::new(&["what", "value"], &["value"], lines)
        }
        format => listing.rows(format, slice::from_ref(&info)),
    };
    let answer = Answer { rows: &rows, closing: "", list: None };
    output::print(format, &answer, || listing.object(&info))?;
    Ok(Done::Found)
}

const GAMES: &[Column<Info>] = &[
    Column::<Info>::field("games", |info| info.games.into())
        .shown("games", |info| grouped(info.games)),
    Column::<Info>::field("plies", |info| info.plies.into())
        .shown("half-moves", |info| grouped(info.plies)),
    Column::<Info>::field("white", |info| info.results.white.into())
        .shown("White won", |info| grouped(info.results.white)),
    Column::<Info>::field("draws", |info| info.results.draws.into())
        .shown("drawn", |info| grouped(info.results.draws)),
    Column::<Info>::field("black", |info| info.results.black.into())
        .shown("Black won", |info| grouped(info.results.black)),
    Column::<Info>::field("other", |info| info.results.other.into())
        .shown("other results", |info| grouped(info.results.other)),
    Column::<Info>::field("first_year", |info| info.years.map(|years| years.0).into()),
    Column::<Info>::field("last_year", |info| info.years.map(|years| years.1).into()),
    Column::<Info>::table("years", |info| {
        info.years.map_or_else(String::new, |(first, last)| format!("{first} to {last}"))
    }),
];

/// The numbers of games of each variant that occurs.
const VARIANTS: &[Column<Info>] = &[Column::<Info>::json("variants", |info| {
    let variants = info.variants.iter();
    let variants = variants.map(|(variant, games)| (variant.name().to_owned(), games.into()));
    Value::Object(variants.collect::<Map<_, _>>())
})];

const FILES: &[Column<Info>] = &[
    Column::<Info>::field("own_starts", |info| info.own_starts.into())
        .shown("custom starting positions", |info| grouped(info.own_starts)),
    Column::<Info>::field("faulty", |info| info.faulty.into())
        .shown("games with a fault", |info| grouped(info.faulty)),
    Column::<Info>::field("sources", |info| info.sources.into())
        .shown("sources", |info| grouped(info.sources)),
    Column::<Info>::field("files", |info| info.files.into())
        .shown("files", |info| grouped(info.files)),
    Column::<Info>::field("bytes", |info| info.bytes.into())
        .shown("bytes", |info| grouped(info.bytes)),
    Column::<Info>::table("bytes a game", |info| {
        format!("{:.1}", info.bytes as f64 / info.games.max(1) as f64)
    }),
    Column::<Info>::field("format", |info| info.format.clone().into()).titled("format"),
    Column::<Info>::field("version", |info| info.version.into())
        .shown("version", |info| grouped(info.version)),
];
