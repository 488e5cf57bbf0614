//! `halfmove import`: imports PGN files, and Parquet files of Lichess's data set, into an archive, all or nothing.

pub(crate) mod files;
mod known;
mod report;
mod session;

use self::files::Files;
use self::known::New;
use self::session::{Consumed, Session, StopReason};
use super::pack::{self, Unpacked};
use crate::archive::{Selection, Spellings};
use crate::args::{self, Import};
use crate::interrupt::Interrupt;
use crate::output::{self, Advised, counted, grouped};
use crate::{Done, archive, quote, typed, watch};
use anyhow::{Context, anyhow};
use halfmove_archive::{
    ArchiveError, ContentSum, Filter, ImportReport, Importer, LichessRows, OnDuplicates, PgnInput,
};
use halfmove_game::Input;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(args: Import) -> anyhow::Result<Done> {
    let clock = Instant::now();
    refuse_swapped(&args.archive, &args.files.files)?;
    let filter = Selection::new(args.filter, &args.position)?.of_new_games()?;
    let files = Files::find(&args.files.files)?;
    files.check()?;
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let mut importer = open(&args.archive)?;
    if let Some(threads) = args.threads {
        importer = importer.threads(threads);
    }
    importer = importer.strict_positions(args.position.strict);
    // With --quiet, duplicates would not be reported.
    importer = importer.on_duplicates(match args.duplicates {
        args::OnDuplicates::Skip => OnDuplicates::Skip,
        args::OnDuplicates::Report if !args.quiet => OnDuplicates::Report,
        args::OnDuplicates::Report | args::OnDuplicates::Keep => OnDuplicates::Keep,
    });
    let reason = (!filter.is_empty()).then(|| conditions(&args.archive, &args.files.files));
    if let Some(reason) = &reason {
        importer = importer.only(&filter)?.with_reason(reason);
    }
    let new = New::among(&files, &importer, args.again, reason.as_deref(), &interrupt)?;
    if !args.quiet {
        for path in &files.repeated {
            output::note(format_args!("{}: named twice, read once", path.display()));
        }
        files.passed_over().into_iter().for_each(output::note);
        new.notes.iter().for_each(output::note);
    }
    if new.files.is_empty() {
        if !args.quiet {
            output::line(new.nothing_new())?;
        }
        return Ok(Done::Found);
    }

    let paths = new.paths();
    let flags = (args.position.strict, args.quiet);
    let mut session = Session::new(&paths, new.total(), interrupt, flags);
    let imported = import(importer, &new, &args.archive, &mut session);
    session.bar.finish();
    let report = imported?;
    if args.quiet {
        return Ok(Done::Found);
    }

    session.unreported().into_iter().for_each(output::note);
    report::duplicates(&session, &args.archive).into_iter().for_each(output::note);
    if report.games == 0 {
        let is_chosen = report.duplicates > 0;
        output::line(match is_chosen {
            true => report::nothing_but_duplicates(&report),
            false => report::nothing_chosen(&report),
        })?;
        report::left_out(&report).filter(|_| is_chosen).into_iter().for_each(output::note);
        return Ok(if is_chosen { Done::Found } else { Done::Nothing });
    }
    let seconds = clock.elapsed().as_secs_f64();
    output::line(format_args!(
        "{} with {} from {} in {seconds:.2} s ({} games/s), {:.1} bytes a game, ids {} to {}",
        counted(report.games, "game"),
        counted(report.plies, "half-move"),
        counted(paths.len() as u64, "file"),
        grouped((report.games as f64 / seconds) as u64),
        report.bytes as f64 / report.games as f64,
        report.first_id,
        report.last_id,
    ))
    .context("the games are in the archive, but the report cannot be printed")?;
    let counts = &session.counts;
    let lines = [
        report::left_out(&report),
        report::variants(&report),
        report::faulty(counts, session.faulty_left_out + report.faulty_left_out),
        report::long(counts),
        report::repaired(counts),
        report::skipped(counts),
        report::outside(&session),
    ];
    lines.into_iter().flatten().for_each(output::note);
    note_spellings(&args.archive, &filter, &report)?;
    Ok(Done::Found)
}

/// Prints a note on each condition that has matched the names of several players in the new games.
fn note_spellings(path: &Path, filter: &Filter, report: &ImportReport) -> anyhow::Result<()> {
    if [&filter.player, &filter.opponent, &filter.white, &filter.black]
        .iter()
        .all(|it| it.is_none())
    {
        return Ok(());
    }
    let mut filter = filter.clone();
    filter.ids = Some((report.first_id.unsigned_abs()..=report.last_id.unsigned_abs()).collect());
    Spellings::noted(&archive::open(path)?, &filter)?;
    Ok(())
}

/// The conditions as they were typed.
fn conditions(archive: &Path, files: &[PathBuf]) -> String {
    let names: Vec<&Path> =
        std::iter::once(archive).chain(files.iter().map(PathBuf::as_path)).collect();
    let others = [
        ("--strict", false),
        ("--again", false),
        ("--quiet", false),
        ("-q", false),
        ("--duplicates", true),
        ("--threads", true),
    ];
    typed::words("import", &names, &others)
}

fn import(
    mut importer: Importer,
    new: &New,
    archive: &Path,
    session: &mut Session<'_>,
) -> anyhow::Result<ImportReport> {
    // Files of PGN that follow each other are read together.
    for files in new
        .files
        .chunk_by(|(one, _), (other, _)| !files::is_parquet(one) && !files::is_parquet(other))
    {
        match files {
            [(path, sum)] if files::is_parquet(path) => {
                read_rows(&mut importer, path, *sum, session)
            }
            files => {
                let inputs = inputs(files.to_vec(), session.consumed.clone());
                importer.read_pgn(inputs, session)
            }
        }
        .map_err(|error| explain(error, archive, session))?;
    }
    if importer.games() == 0 {
        return Err(report::nothing_to_import(session.files, &session.counts));
    }
    session.bar.show_text("writing");
    importer.commit_watched(session).map_err(|error| explain(error, archive, session))
}

/// Reads the games of a Parquet file.
fn read_rows(
    importer: &mut Importer,
    path: &Path,
    sum: Option<ContentSum>,
    session: &mut Session<'_>,
) -> Result<(), ArchiveError> {
    let mut rows = LichessRows::open(path)?;
    if let Some(sum) = sum {
        rows = rows.with_sum(sum);
    }
    importer.read_lichess(rows, session)?;
    session.consumed.add(sum.map_or(0, |sum| sum.bytes()));
    Ok(())
}

/// Files of PGN as inputs, each of which is opened when its turn comes.
fn inputs(
    files: Vec<(PathBuf, Option<ContentSum>)>,
    consumed: Consumed,
) -> impl Iterator<Item = io::Result<PgnInput>> + Send + 'static {
    files.into_iter().map(move |(path, sum)| {
        let name = path.file_name().filter(|_| path != Path::new(files::STDIN));
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let input = Input::open(&path)?;
        consumed.next(&input);
        let input = match name {
            Some(name) if pack::is_packed(&path) => {
                PgnInput::named(name, Unpacked::new(&path, input)?)
            }
            Some(name) => PgnInput::named(name, input),
            None => input.into(),
        };
        Ok(match sum {
            Some(sum) => input.with_sum(sum),
            None => input,
        })
    })
}

/// Refuses files in place of the archive, before anything is read.
fn refuse_swapped(first: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let is_file = first.is_file();
    if !is_file && (first.exists() || !files::is_pgn(first)) {
        return Ok(());
    }
    let name = first.display();
    let error = match is_file {
        true => anyhow!("{name}: is a file, expected the folder of an archive"),
        false => anyhow!("{name}: is the name of a PGN file, expected the folder of an archive"),
    };
    let archive = files.first().filter(|path| !files::is_pgn(path) && !path.is_file());
    let archive = archive.map_or_else(|| "ARCHIVE".into(), |path| quote::path(path));
    let name = quote::path(first);
    let hint = format!("the archive comes first: halfmove import {archive} {name}");
    Err(Advised::new(error, hint).into())
}

/// Adds to an error what it means for the archive.
fn explain(error: ArchiveError, archive: &Path, session: &mut Session<'_>) -> anyhow::Error {
    let unchanged = || "nothing was imported".to_owned();
    match (error, session.stop.take()) {
        (ArchiveError::Stopped, Some(StopReason::Strict(fault))) => {
            anyhow!("{fault} (--strict: nothing was imported)")
        }
        (ArchiveError::Input(error), _) => anyhow::Error::new(error).context(unchanged()),
        (error, stop) => {
            let interrupted = match stop {
                Some(StopReason::Interrupted(interrupted)) => Some(interrupted),
                _ => None,
            };
            watch::explain_as(error, archive, interrupted, unchanged())
        }
    }
}

fn open(path: &Path) -> anyhow::Result<Importer> {
    Importer::open(path).map_err(|error| match error {
        ArchiveError::CannotCreate { .. } => anyhow::Error::new(error)
            .context("name an existing archive, or a folder that does not exist yet"),
        error => error.into(),
    })
}
