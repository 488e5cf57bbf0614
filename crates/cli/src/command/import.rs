//! `halfmove import`: imports PGN files into an archive, all or nothing.

pub(crate) mod files;
mod report;
mod session;

use self::files::Files;
use self::session::{Session, Stop};
use crate::args::Import;
use crate::interrupt::Interrupt;
use crate::output::{self, counted, grouped};
use crate::{Done, watch};
use anyhow::{Context, anyhow};
use halfmove_archive::{ArchiveError, ImportReport, Importer, PgnInput};
use halfmove_game::Input;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: Import) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let files = Files::find(&args.files.files)?;
    let total = files.check()?;
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let mut importer = open(&args.archive)?;
    if let Some(threads) = args.threads {
        importer = importer.threads(threads);
    }
    if !args.quiet {
        for path in &files.repeated {
            output::note(format_args!("{}: named twice, read once", path.display()));
        }
    }

    let flags = (args.strict, args.quiet);
    let mut session = Session::new(&files.paths, total, interrupt, flags);
    let imported = import(importer, &files, &args.archive, &mut session);
    session.bar.finish();
    let report = imported?;
    if args.quiet {
        return Ok(Done::Found);
    }

    session.unreported().into_iter().for_each(output::note);
    let seconds = clock.elapsed().as_secs_f64();
    output::line(format_args!(
        "{} with {} from {} in {seconds:.2} s ({} games/s), {:.1} bytes a game, ids {} to {}",
        counted(report.games, "game"),
        counted(report.plies, "half-move"),
        counted(files.paths.len() as u64, "file"),
        grouped((report.games as f64 / seconds) as u64),
        report.bytes as f64 / report.games as f64,
        report.first_id,
        report.last_id,
    ))?;
    let counts = &session.counts;
    let lines = [
        report::variants(&report),
        report::faulty(counts),
        report::skipped(counts),
        report::outside(counts),
    ];
    lines.into_iter().flatten().for_each(output::note);
    Ok(Done::Found)
}

fn import(
    mut importer: Importer,
    files: &Files,
    archive: &Path,
    session: &mut Session<'_>,
) -> anyhow::Result<ImportReport> {
    let consumed = session.consumed.clone();
    let inputs = files.paths.clone().into_iter().map(move |path| {
        let name = path.file_name().filter(|_| path != Path::new(files::STDIN));
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let input = Input::open(path)?;
        consumed.next(&input);
        Ok(match name {
            Some(name) => PgnInput::named(name, input),
            None => input.into(),
        })
    });
    let read = importer.read_pgn(inputs, session);
    read.map_err(|error| explain(error, archive, session))?;
    if importer.games() == 0 {
        return Err(report::nothing_to_import(&files.paths, &session.counts));
    }
    session.bar.say("writing");
    importer.commit_watched(session).map_err(|error| explain(error, archive, session))
}

/// Says what a failure means for the archive.
fn explain(error: ArchiveError, archive: &Path, session: &mut Session<'_>) -> anyhow::Error {
    let unchanged = || "nothing was imported".to_owned();
    match (error, session.stop.take()) {
        (ArchiveError::Stopped, Some(Stop::Strict(fault))) => {
            anyhow!("{fault} (--strict: nothing was imported)")
        }
        (ArchiveError::Input(error), _) => anyhow::Error::new(error).context(unchanged()),
        (error, stop) => {
            let interrupted = match stop {
                Some(Stop::Interrupted(interrupted)) => Some(interrupted),
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
        error @ ArchiveError::OldFormat { .. } => {
            watch::explain_as(error, path, None, "nothing was imported".to_owned())
        }
        error => error.into(),
    })
}
