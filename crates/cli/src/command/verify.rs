//! `halfmove verify`: reads all of an archive, and reports damage.

use crate::args::{Format, Verify};
use crate::output::{self, Answer, Rows, counted};
use crate::watch::Watch;
use crate::{Done, archive};
use halfmove_archive::{ArchiveError, Problem, VerifyReport};
use serde_json::{Value, json};
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
    let mut watch = Watch::begin(Some(archive.len()))?;
    let verified = archive.verify(&mut watch);
    let verified = watch.end_reading(verified)?;
    print(args.output.format, archive.path(), &verified)?;
    Ok(if verified.problems.is_empty() { Done::Found } else { Done::Nothing })
}

fn print(format: Format, archive: &Path, verified: &VerifyReport) -> anyhow::Result<()> {
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
    let answer = Answer { rows: &rows, closing: &closing, list: Some("problems") };
    output::print(format, &answer, || {
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
    let answer = Answer { rows: &rows, closing, list: Some("problems") };
    output::print(format, &answer, || json!({ "problems": [object(file, None, what)] }))
}

const HEADING: &[&str] = &["file", "game", "problem"];

fn object(file: &str, game: Option<i64>, what: &str) -> Value {
    json!({ "file": file, "game": game, "problem": what })
}

fn entries(number: u64) -> String {
    format!("{} {}", output::grouped(number), if number == 1 { "entry" } else { "entries" })
}
