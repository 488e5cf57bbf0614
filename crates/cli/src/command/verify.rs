//! `halfmove verify`: reads all of an archive, and reports damage.

use crate::args::{Format, Verify};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{self, Rows, counted};
use crate::progress::Progress;
use crate::{Done, archive};
use anyhow::Context;
use halfmove_archive::{ArchiveError, ImportWatch, Problem, Verified};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

pub(crate) fn run(args: Verify) -> anyhow::Result<Done> {
    let opened = archive::open(&args.archive);
    let archive = match opened {
        Ok(archive) => archive,
        Err(error) => {
            return match error.downcast_ref() {
                // The log is damaged: that is an answer.
                Some(ArchiveError::Damaged(what)) => {
                    print_unopened(args.output.format, &args.archive, what)?;
                    Ok(Done::Nothing)
                }
                _ => Err(error),
            };
        }
    };
    let interrupt = Interrupt::begin().context("cannot listen to signals")?;
    let progress = Progress::new(Some(archive.len()), "game");
    let mut watch = Watch { progress, interrupt, interrupted: None };
    let verified = archive.verify(&mut watch);
    watch.progress.finish();
    let verified = verified.map_err(|error| match (error, watch.interrupted) {
        (ArchiveError::Stopped, Some(interrupted)) => anyhow::Error::new(interrupted),
        (error, _) => anyhow::Error::new(error),
    })?;
    print(args.output.format, archive.path(), &verified)?;
    Ok(if verified.problems.is_empty() { Done::Found } else { Done::Nothing })
}

fn print(format: Format, archive: &Path, verified: &Verified) -> anyhow::Result<()> {
    let name = |problem: &Problem| {
        problem.file.strip_prefix(archive).unwrap_or(&problem.file).display().to_string()
    };
    let rows = Rows {
        heading: HEADING,
        numbers: &["game"],
        rows: verified
            .problems
            .iter()
            .map(|problem| {
                let game = problem.game.map_or_else(String::new, |game| game.to_string());
                vec![name(problem), game, problem.what.clone()]
            })
            .collect(),
    };
    let problems = match verified.problems.len() as u64 {
        0 => "no problems".to_owned(),
        number => counted(number, "problem"),
    };
    let mut closing = format!(
        "{problems} in {} with {}, {} with {} and {} of the log",
        counted(verified.games, "game"),
        counted(verified.plies, "half-move"),
        counted(verified.files, "file"),
        counted(verified.bytes, "byte"),
        entries(verified.entries),
    );
    if verified.unchecked_files + verified.unchecked_entries > 0 {
        closing.push_str(&format!(
            "\nwithout checksums: {}, {} of the log",
            counted(verified.unchecked_files, "file"),
            entries(verified.unchecked_entries),
        ));
    }
    output::print(format, &rows, &closing, || {
        let problems = verified.problems.iter();
        let problems = problems.map(|problem| object(&name(problem), problem.game, &problem.what));
        json!({
            "problems": problems.collect::<Vec<_>>(),
            "games": verified.games,
            "plies": verified.plies,
            "files": verified.files,
            "unchecked_files": verified.unchecked_files,
            "bytes": verified.bytes,
            "entries": verified.entries,
            "unchecked_entries": verified.unchecked_entries,
        })
    })
}

/// Prints why an archive cannot be opened.
fn print_unopened(format: Format, archive: &Path, what: &str) -> anyhow::Result<()> {
    let full = std::fs::canonicalize(archive)?;
    let prefix = format!("{}{}", full.display(), std::path::MAIN_SEPARATOR);
    let what = what.strip_prefix(&prefix).unwrap_or(what);
    let (file, what) = what.split_once(": ").unwrap_or(("", what));
    let rows = vec![vec![file.to_owned(), String::new(), what.to_owned()]];
    let rows = Rows { heading: HEADING, numbers: &["game"], rows };
    let closing = "the archive cannot be opened, so nothing else was read";
    output::print(format, &rows, closing, || json!({ "problems": [object(file, None, what)] }))
}

const HEADING: &[&str] = &["file", "game", "problem"];

fn object(file: &str, game: Option<i64>, what: &str) -> Value {
    json!({ "file": file, "game": game, "problem": what })
}

fn entries(number: u64) -> String {
    format!("{} {}", output::grouped(number), if number == 1 { "entry" } else { "entries" })
}

struct Watch {
    progress: Progress,
    interrupt: Interrupt,
    interrupted: Option<Interrupted>,
}

impl ImportWatch for Watch {
    fn tick(&mut self, games: u64) -> ControlFlow<()> {
        self.progress.show(games, games);
        self.interrupted = self.interrupt.check();
        match self.interrupted {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
