//! `halfmove import`: imports PGN files into an archive, all or nothing.

use crate::Done;
use crate::args::Import;
use crate::output::{self, counted, grouped};
use crate::progress::Progress;
use anyhow::{Context, anyhow, bail};
use halfmove_archive::{Archive, ArchiveError, Importer};
use halfmove_game::pgn::{Counts, GameReader, Keep, Reading};
use halfmove_game::{Game, Input};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How many faulty or skipped games are printed; the others are only counted.
const MOST_REPORTS: u64 = 10;

/// The progress bar is updated after this many games.
const GAMES_PER_TICK: u64 = 512;

pub(crate) fn run(args: Import) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let files = files(&args.files)?;
    let inputs: Vec<Input> = files.iter().map(Input::open).collect::<Result<_, _>>()?;
    let archive = open_or_create(&args.archive)?;

    let mut session = Session {
        importer: archive.importer(),
        counts: Counts::default(),
        bar: progress(&inputs, args.quiet),
        strict: args.strict,
        several: inputs.len() > 1,
        reported: 0,
    };
    for input in inputs {
        session.read(input)?;
    }
    let Session { importer, counts, bar, reported, .. } = session;
    if importer.games() == 0 {
        bar.finish();
        return Err(nothing_to_import(&files, &counts));
    }
    bar.say("writing");
    let report = importer.commit().context("nothing was imported")?;
    bar.finish();
    if args.quiet {
        return Ok(Done::Found);
    }

    let seconds = clock.elapsed().as_secs_f64();
    output::line(format_args!(
        "{} with {} from {} in {seconds:.2} s ({} games/s), {:.1} bytes a game, ids {} to {}",
        counted(report.games, "game"),
        counted(report.plies, "half-move"),
        counted(files.len() as u64, "file"),
        grouped((report.games as f64 / seconds) as u64),
        report.bytes as f64 / report.games as f64,
        report.first_id,
        report.last_id,
    ))?;
    let problems = counts.faulty + counts.skipped();
    if problems > reported {
        output::note(format_args!("… and {} more such games", grouped(problems - reported)));
    }
    let lines = [faulty(&counts), skipped(&counts), not_kept(&counts), outside(&counts)];
    lines.into_iter().flatten().for_each(output::note);
    Ok(Done::Found)
}

/// The named files, and the PGN files in the named folders.
pub(crate) fn files(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            collect(path, &mut files)
                .with_context(|| format!("cannot read the folder {}", path.display()))?;
            if files.len() == before {
                bail!(
                    "{}: no PGN files in this folder (*.pgn, also .zst, .gz, .bz2)",
                    path.display()
                );
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_pgn(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let unpacked = [".zst", ".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end));
    unpacked.unwrap_or(&name).ends_with(".pgn")
}

fn open_or_create(path: &Path) -> anyhow::Result<Archive> {
    Archive::open_or_create(path).map_err(|error| match error {
        ArchiveError::CannotCreate { .. } => anyhow::Error::new(error)
            .context("name an existing archive, or a folder that does not exist yet"),
        error => error.into(),
    })
}

/// A bar over the bytes of all files if their lengths are known, else a count.
fn progress(inputs: &[Input], quiet: bool) -> Progress {
    if quiet {
        Progress::hidden()
    } else {
        Progress::new(inputs.iter().map(Input::total).sum(), "game")
    }
}

/// An import in progress.
struct Session {
    importer: Importer,
    counts: Counts,
    bar: Progress,
    strict: bool,
    /// Whether there is more than one file: only then is a file without games reported separately.
    several: bool,
    reported: u64,
}

impl Session {
    fn read(&mut self, input: Input) -> anyhow::Result<()> {
        let path = input.path().to_owned();
        let (consumed, before) = (input.consumed(), self.bar.position());
        let mut reader = GameReader::new(input).chess_only().keeping(Keep::MainLineAndCounts);
        let mut game = Game::default();
        loop {
            let reading = reader.read(&mut game).context("nothing was imported")?;
            let Some(reading) = reading else { break };
            let fault = match reading {
                Reading::Whole => None,
                Reading::Faulty(error) => {
                    self.report(&path, &error)?;
                    Some(error.to_string())
                }
                Reading::Skipped(skip) => {
                    self.report(&path, &skip)?;
                    continue;
                }
            };
            self.importer.push(&game, fault.as_deref()).context("nothing was imported")?;
            if self.importer.games().is_multiple_of(GAMES_PER_TICK) {
                self.tick(before, &consumed);
            }
        }
        self.tick(before, &consumed);
        let counts = reader.counts();
        if counts.games == 0 && self.several {
            self.bar.suspend(|| output::note(format_args!("warning: {}", no_games(&path, counts))));
        }
        self.counts.add(counts);
        Ok(())
    }

    fn tick(&self, before: u64, consumed: &AtomicU64) {
        self.bar.show(before + consumed.load(Ordering::Relaxed), self.importer.games());
    }

    /// Reports what is wrong with a game, or gives up with `--strict`.
    fn report(
        &mut self,
        path: &Path,
        error: &(impl std::fmt::Display + ?Sized),
    ) -> anyhow::Result<()> {
        if self.strict {
            bail!("{}: {error} (--strict: nothing was imported)", path.display());
        }
        if self.reported < MOST_REPORTS {
            self.reported += 1;
            self.bar.suspend(|| output::note(format_args!("{}: {error}", path.display())));
        }
        Ok(())
    }
}

fn no_games(path: &Path, counts: &Counts) -> String {
    match &counts.outside.first {
        Some((at, text)) => {
            format!("{}: no games, this does not look like PGN ({at}: \"{text}\")", path.display())
        }
        None => format!("{}: no games, the file is empty", path.display()),
    }
}

fn nothing_to_import(files: &[PathBuf], counts: &Counts) -> anyhow::Error {
    match (counts.games, files) {
        (0, [file]) => anyhow!("{}; nothing was imported", no_games(file, counts)),
        (0, _) => anyhow!("no games in these files; nothing was imported"),
        (games, _) => anyhow!("none of {} is chess; nothing was imported", counted(games, "game")),
    }
}

fn faulty(counts: &Counts) -> Option<String> {
    (counts.faulty > 0).then(|| {
        format!(
            "{} kept up to a fault (column fault); {} lost after it",
            counted(counts.faulty, "game"),
            counted(counts.lost_half_moves, "half-move"),
        )
    })
}

fn skipped(counts: &Counts) -> Option<String> {
    (counts.skipped() > 0).then(|| {
        let mut reasons: Vec<String> = counts
            .skipped_variants
            .iter()
            .map(|(variant, games)| format!("{variant} {}", grouped(*games)))
            .collect();
        if counts.skipped_positions > 0 {
            reasons.push(format!("unusable FEN {}", grouped(counts.skipped_positions)));
        }
        format!("{} skipped: {}", counted(counts.skipped(), "game"), reasons.join(", "))
    })
}

/// What the files contain but the archive does not keep, in one line.
fn not_kept(counts: &Counts) -> Option<String> {
    let kinds = [
        (counts.comments, "comment"),
        (counts.clocks, "clock"),
        (counts.evaluations, "evaluation"),
        (counts.nags, "glyph"),
        (counts.variations, "variation"),
        (counts.differing_results, "result that differs from its tag"),
    ];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| match noun.split_once(' ') {
            Some((noun, rest)) => format!("{} {rest}", counted(count, noun)),
            None => counted(count, noun),
        })
        .collect();
    (!kinds.is_empty())
        .then(|| format!("not kept: {} (this version keeps tags and main lines)", kinds.join(", ")))
}

fn outside(counts: &Counts) -> Option<String> {
    let (at, text) = counts.outside.first.as_ref()?;
    let lines = counted(counts.outside.lines, "line");
    Some(format!("{lines} outside any game, the first at {at}: \"{text}\""))
}
