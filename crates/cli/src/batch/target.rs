//! The final destination of the games.

use super::journal::part_of;
use crate::args;
use crate::new_file::NewFile;
use crate::output::{self, Advised, counted};
use crate::watch::{Watch, explain_as};
use anyhow::{Context, anyhow, bail};
use halfmove_archive::{ContentSum, Importer, OnDuplicates, PgnInput, is_url};
use halfmove_game::Input;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub(crate) enum Target {
    /// Standard output, which cannot be resumed.
    Shown,
    File {
        path: PathBuf,
        force: bool,
    },
    Archive(PathBuf),
}

impl Target {
    pub(crate) fn new(args: &args::Batch) -> Self {
        match (args.to.file(), &args.into) {
            (Some(path), _) => Self::File { path: path.to_owned(), force: args.to.force },
            (None, Some(path)) => Self::Archive(path.clone()),
            (None, None) => Self::Shown,
        }
    }

    /// The path next to which unfinished output is kept.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Shown => None,
            Self::File { path, .. } | Self::Archive(path) => Some(path),
        }
    }

    /// Checks that the target can be written, before hours of work.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        match self {
            Self::Shown => Ok(()),
            Self::File { path, force } => {
                if path.join("_delta_log").is_dir() {
                    let name = path.display();
                    let error = anyhow!("{name}: this folder is an archive, expected a file");
                    let hint = format!("to add the games to an archive: --into {name}");
                    return Err(Advised::new(error, hint).into());
                }
                if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
                    let name = path.display();
                    let error = anyhow!(
                        "{name}: not a regular file, so unfinished work could not be resumed"
                    );
                    let hint = "without --output, games go to standard output";
                    return Err(Advised::new(error, hint).into());
                }
                // A program that is killed at its very end leaves the part next to the complete
                // file.
                match !force && has_games_of(path, &part_of(path)) {
                    true => Ok(()),
                    false => NewFile::check(path, inputs, *force).context("--output"),
                }
            }
            Self::Archive(path) => {
                if is_url(path) {
                    bail!("--into {}: an archive at a URL is read-only", path.display());
                }
                if path.is_file() {
                    let name = path.display();
                    let error =
                        anyhow!("--into {name}: is a file, expected the folder of an archive");
                    return Err(Advised::new(error, "to write a file: --output FILE").into());
                }
                let same = |input: &PathBuf| match (input.canonicalize(), path.canonicalize()) {
                    (Ok(input), Ok(archive)) => input == archive,
                    _ => false,
                };
                if inputs.iter().any(same) {
                    let name = path.display();
                    let error = anyhow!("--into {name}: this archive is being read");
                    return Err(Advised::new(error, "give the name of another archive").into());
                }
                // The archive is created only with games.
                drop(Importer::open(path).with_context(|| format!("--into {}", path.display()))?);
                Ok(())
            }
        }
    }

    /// Turns the complete part into the target.
    pub(super) fn finish(
        &self,
        part: &Path,
        source: &str,
        games: u64,
        inputs: &[PathBuf],
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot read {}", part.display());
        match self {
            Self::Shown => Ok(()),
            Self::File { path, force } if !force && has_games_of(path, part) => {
                output::note(format_args!("{} already has these games", path.display()));
                Ok(())
            }
            Self::File { path, force } => {
                let mut file = NewFile::create(path, inputs, *force)?;
                let mut part = File::open(part).with_context(cannot)?;
                io::copy(&mut part, &mut file)?;
                file.finish()?;
                output::written(games, "game", path);
                Ok(())
            }
            Self::Archive(path) => import(path, part, source, games),
        }
    }
}

/// Returns true if a file, packed or not, has the content of the part.
fn has_games_of(path: &Path, part: &Path) -> bool {
    let sum = |path: &Path| ContentSum::of(Input::open(path).ok()?).ok();
    path.is_file() && sum(part).is_some_and(|part| sum(path) == Some(part))
}

/// Imports the games, unless they were imported just before the program was killed.
fn import(archive: &Path, part: &Path, source: &str, games: u64) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", part.display());
    let name = archive.display();
    let mut importer = Importer::open(archive)?.on_duplicates(OnDuplicates::Keep);
    let sum = ContentSum::of(File::open(part).with_context(cannot)?).with_context(cannot)?;
    let imports = importer.imports()?;
    let mut sources = imports.iter().flat_map(|import| &import.sources);
    if sources.any(|source| source.sum == sum) {
        output::note(format_args!("{name} already has these games"));
        return Ok(());
    }
    let mut watch = Watch::begin(Some(games))?;
    let input = Input::open(part)?;
    let input = PgnInput::named(source, input).with_sum(sum);
    let read = importer.read_pgn([Ok(input)], &mut watch);
    let imported = read.and_then(|()| importer.commit_watched(&mut watch));
    let report = watch.end_with(imported, |error, interrupted| {
        let kept = format!("{name} is unchanged, and the same command tries again");
        explain_as(error, archive, interrupted, kept)
    })?;
    if report.games > 0 {
        let (first, last) = (report.first_id, report.last_id);
        let imported = counted(report.games, "game");
        output::note(format_args!("{imported} imported into {name}, ids {first} to {last}"));
    }
    if report.games < games {
        let others = counted(games - report.games, "game");
        output::note(format_args!("{others} left out, of variants that an archive cannot hold"));
    }
    Ok(())
}
