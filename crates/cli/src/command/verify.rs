//! `halfmove verify`: reads all of an archive, and reports damage.

use crate::args::{Format, Verify};
use crate::listing::{Column, Listing};
use crate::output::{self, Answer, counted};
use crate::watch::Watch;
use crate::{Done, archive};
use halfmove_archive::{ArchiveError, Problem, VerifyReport};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(args: Verify) -> anyhow::Result<Done> {
    let opened = archive::open_itself(&args.archive);
    let archive = match opened {
        Ok(archive) => archive,
        Err(error) => {
            return match error.downcast_ref() {
                // A damaged log is a result, not a failure.
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
    let found: Vec<Finding> = verified
        .problems
        .iter()
        .map(|problem| Finding {
            file: name(problem),
            game: problem.game,
            problem: problem.what.clone(),
        })
        .collect();
    let listing = Listing::new(&[COLUMNS]);
    let rows = listing.rows(format, &found);
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
        json!({
            "problems": listing.objects(&found),
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

/// Prints the reason why an archive cannot be opened.
fn print_unopened(format: Format, archive: &Path, what: &str) -> anyhow::Result<()> {
    let full = std::fs::canonicalize(archive)?;
    let prefix = format!("{}{}", full.display(), std::path::MAIN_SEPARATOR);
    let what = what.strip_prefix(&prefix).unwrap_or(what);
    let (file, what) = what.split_once(": ").unwrap_or(("", what));
    let found = [Finding { file: file.to_owned(), game: None, problem: what.to_owned() }];
    let listing = Listing::new(&[COLUMNS]);
    let rows = listing.rows(format, &found);
    let closing = "the archive cannot be opened, so nothing else was read";
    let answer = Answer { rows: &rows, closing, list: Some("problems") };
    output::print(format, &answer, || json!({ "problems": listing.objects(&found) }))
}

/// A problem, with the name of the file to show.
struct Finding {
    file: String,
    game: Option<i64>,
    problem: String,
}

const COLUMNS: &[Column<Finding>] = &[
    Column::<Finding>::field("file", |found| found.file.clone().into()).titled("file"),
    Column::<Finding>::field("game", |found| found.game.into()).titled("game").number(),
    Column::<Finding>::field("problem", |found| found.problem.clone().into()).titled("problem"),
];

fn entries(number: u64) -> String {
    format!("{} {}", output::grouped(number), if number == 1 { "entry" } else { "entries" })
}
