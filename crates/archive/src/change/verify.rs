//! Verification: reads a whole archive and compares it with checksums and derived values.

use std::path::{Path, PathBuf};

use halfmove_game::GameResult;
use halfmove_game::replay::{Signature, SignatureBounds};
use roaring::RoaringTreemap;

use super::progress::{Progress, watched};
use super::watch::ChangeWatch;
use crate::columns::{Columns, Group, Rows};
use crate::error::{ArchiveError, caught, of_file};
use crate::snapshot::schema::column_names;
use crate::snapshot::{DataFile, LOG_FOLDER, Location, Log, Replay, Snapshot, mismatch, sum_from};

/// The result of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The problems: first those of the log, then those of the files, in the order of their games.
    pub problems: Vec<Problem>,
    /// The number of entries of the log.
    pub entries: u64,
    /// The number of entries without checksums, written by another program or an earlier version of this library.
    pub unchecked_entries: u64,
    /// The number of data files.
    pub files: u64,
    /// The number of data files without checksums.
    pub unchecked_files: u64,
    /// The total size of the data files in bytes, according to the log.
    pub bytes: u64,
    /// The number of games that could be read.
    pub games: u64,
    /// The number of half-moves in these games.
    pub plies: u64,
}

/// A problem in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The file in which it was found.
    pub file: PathBuf,
    /// The id of the game in which it was found.
    pub game: Option<i64>,
    /// A description of the problem.
    pub what: String,
}

impl Problem {
    fn of_file(file: &Path, error: &ArchiveError) -> Self {
        let what = match error {
            ArchiveError::Damaged(what) => what.clone(),
            other => other.to_string(),
        };
        // The message already has the file.
        let what = match what.strip_prefix(&format!("{}: ", file.display())) {
            Some(rest) => rest.to_owned(),
            None => what,
        };
        Self { file: file.to_owned(), game: None, what }
    }

    fn of_game(file: &Path, id: i64, what: impl ToString) -> Self {
        Self { file: file.to_owned(), game: Some(id), what: what.to_string() }
    }
}

/// The result for a row group.
#[derive(Default)]
struct Checked {
    problems: Vec<Problem>,
    ids: RoaringTreemap,
    plies: u64,
    /// The bounds of the signatures that were read.
    bounds: SignatureBounds,
}

/// Reads a whole archive, and reports everything that was altered or is invalid.
pub(crate) fn verify(
    columns: &Columns,
    watch: &mut dyn ChangeWatch,
) -> Result<VerifyReport, ArchiveError> {
    // Cached columns were valid when they were read; only the disk matters here.
    let columns = columns.with_empty_cache();
    watched(watch, |progress| verify_all(&columns, progress))
}

fn verify_all(columns: &Columns, progress: &Progress) -> Result<VerifyReport, ArchiveError> {
    let snapshot = columns.snapshot();
    let mut verified = VerifyReport {
        files: snapshot.files().len() as u64,
        unchecked_files: snapshot.files().iter().filter(|file| file.sums.is_none()).count() as u64,
        bytes: snapshot.files().iter().map(|file| file.bytes).sum(),
        ..VerifyReport::default()
    };
    verify_log(snapshot, &mut verified)?;
    let numbers: Vec<usize> = (0..snapshot.files().len()).collect();
    let files = columns.each(&numbers, |number| {
        progress.check()?;
        let file = &snapshot.files()[*number].path;
        let found = caught(file, || Ok(verify_file(columns, *number)));
        Ok(found.unwrap_or_else(|error| (vec![Problem::of_file(file, &error)], Vec::new())))
    })?;
    let mut groups = Vec::new();
    for (problems, some) in files {
        verified.problems.extend(problems);
        groups.extend(some);
    }
    let found = columns.each(&groups, |group| {
        match caught(group.path(), || verify_group(columns, group, progress)) {
            Err(error @ ArchiveError::Damaged(_)) => {
                let problems = vec![Problem::of_file(group.path(), &error)];
                Ok(Checked { problems, ..Checked::default() })
            }
            found => found,
        }
    })?;
    let mut ids = RoaringTreemap::new();
    for (group, mut found) in groups.iter().zip(found) {
        verified.plies += found.plies;
        verified.problems.append(&mut found.problems);
        for twice in &found.ids & &ids {
            let id = i64::try_from(twice).unwrap_or(i64::MAX);
            let what = "another game has the same id";
            verified.problems.push(Problem::of_game(group.path(), id, what));
        }
        ids |= found.ids;
    }
    verified.games = progress.games();
    Ok(verified)
}

fn verify_log(snapshot: &Snapshot, verified: &mut VerifyReport) -> Result<(), ArchiveError> {
    let log = Log::read(snapshot.location(), |entry, what| {
        let file = snapshot.path().join(LOG_FOLDER).join(entry);
        verified.problems.push(Problem { file, game: None, what });
        Ok(())
    })?;
    verified.entries = log.entries;
    verified.unchecked_entries = log.unchecked;
    if let Some(missing) = log.lacks(snapshot.version()) {
        let file = snapshot.path().join(LOG_FOLDER).join(missing);
        verified.problems.push(Problem { file, game: None, what: Log::MISSING.to_owned() });
    }
    if !verified.problems.is_empty() {
        return Ok(());
    }
    // Opening reads the last checkpoint, and not all entries.
    let folder = snapshot.path().join(LOG_FOLDER);
    if let Err(error) = Replay::of(snapshot).and_then(|replay| replay.check_files(snapshot.files()))
    {
        verified.problems.push(Problem::of_file(&folder, &error));
    }
    // Earlier versions need them.
    for (checkpoint, error) in snapshot.damaged_checkpoints()? {
        verified.problems.push(Problem::of_file(&checkpoint, &error));
    }
    Ok(())
}

/// Checks a file as a whole; returns its row groups if they can be read.
fn verify_file(columns: &Columns, number: usize) -> (Vec<Problem>, Vec<Group>) {
    let file = &columns.files()[number];
    let mut problems = Vec::new();
    if let Err(error) = verify_bytes(columns.snapshot().location(), file) {
        problems.push(Problem::of_file(&file.path, &error));
    }
    let groups = columns.groups_of(number).unwrap_or_else(|error| {
        let problem = Problem::of_file(&file.path, &error);
        if !problems.contains(&problem) {
            problems.push(problem);
        }
        Vec::new()
    });
    (problems, groups)
}

fn verify_group(
    columns: &Columns,
    group: &Group,
    progress: &Progress,
) -> Result<Checked, ArchiveError> {
    let mut found = Checked::default();
    let path = group.path();
    group.each_damaged_page(|error| found.problems.push(Problem::of_file(path, &error)));
    let mut is_reported = !found.problems.is_empty();
    // Valid pages are read at once. If one is damaged, the games of other pages are still checked.
    let mut done = 0;
    while done < group.rows() {
        let to = if is_reported { (done + STEP).min(group.rows()) } else { group.rows() };
        let read = group.each_batch(&column_names(), done..to, STEP, |batch| {
            progress.check()?;
            verify_games(columns, group, done, &Rows::of(batch), &mut found);
            let live = (done..done + batch.num_rows()).filter(|row| !group.is_deleted(*row));
            progress.add(live.count() as u64);
            done += batch.num_rows();
            Ok(())
        });
        match read {
            Ok(()) if done < to => done = to,
            Ok(()) => {}
            Err(ArchiveError::Stopped) => return Err(ArchiveError::Stopped),
            Err(error) => {
                let problem = Problem::of_file(path, &error);
                if !is_reported || !found.problems.contains(&problem) {
                    found.problems.push(problem);
                }
                if is_reported {
                    done = to;
                }
                is_reported = true;
            }
        }
    }
    // The bounds include games that were deleted later.
    if found.problems.is_empty()
        && !group.has_deleted()
        && group.bounds().is_some_and(|bounds| *bounds != found.bounds)
    {
        let what =
            format!("the bounds of the signatures of row group {} do not match", group.index);
        found.problems.push(Problem { file: path.to_owned(), game: None, what });
    }
    Ok(found)
}

/// Checks some games of a row group, from a given row on.
fn verify_games(
    columns: &Columns,
    group: &Group,
    first: usize,
    rows: &Rows<'_>,
    found: &mut Checked,
) {
    let (path, file) = (group.path(), &columns.files()[group.file]);
    for row in (0..rows.len()).filter(|row| !group.is_deleted(first + row)) {
        let id = match rows.id(row) {
            Ok(id) => id,
            Err(error) => {
                found.problems.push(Problem::of_file(path, &error));
                continue;
            }
        };
        let mut report = |what: String| found.problems.push(Problem::of_game(path, id, what));
        if !(file.first_id..=file.last_id).contains(&id) {
            report(format!("the log says {} to {} for the ids", file.first_id, file.last_id));
        } else if group.id_in_order(first + row).is_some_and(|expected| expected != id) {
            report("the ids are not consecutive, as the file says".to_owned());
        }
        let what = match u64::try_from(id) {
            Ok(0) | Err(_) => Some("ids begin with 1"),
            Ok(id) if !found.ids.insert(id) => Some("another game has the same id"),
            Ok(_) => None,
        };
        found.problems.extend(what.map(|what| Problem::of_game(path, id, what)));
        match verify_game(rows, row, group.is_signed()) {
            Ok((plies, signature)) => {
                found.plies += plies;
                signature.iter().for_each(|signature| found.bounds.add(signature));
            }
            Err(error) => {
                let mut problem = Problem::of_file(path, &error);
                let what = problem.what.strip_prefix(&format!("game {id}: "));
                problem.what = what.unwrap_or(&problem.what).to_owned();
                problem.game = Some(id);
                found.problems.push(problem);
            }
        }
    }
}

/// The number of games read at a time.
const STEP: usize = 1024;

/// Checks the length and the checksum of a file.
fn verify_bytes(location: &Location, file: &DataFile) -> Result<(), ArchiveError> {
    let opened = file.open(location)?;
    file.check_size(&opened)?;
    let Some(sums) = file.sums else { return Ok(()) };
    let found = sum_from(&opened, 0).map_err(|error| of_file(&file.path, &error))?;
    if found == sums.file { Ok(()) } else { Err(ArchiveError::damaged(mismatch(found, sums.file))) }
}

/// Decodes a game, and returns the number of its half-moves and its signature, if the file has one.
fn verify_game(
    rows: &Rows<'_>,
    row: usize,
    is_signed: bool,
) -> Result<(u64, Option<Signature>), ArchiveError> {
    let game = rows.game(row)?.game;
    let plies = game.moves.len() as u64;
    let noted = rows.int("plies", row)?;
    if noted.map(i64::from) != i64::try_from(plies).ok() {
        let noted = noted.map_or("nothing".to_owned(), |noted| noted.to_string());
        return Err(ArchiveError::damaged(format!(
            "it has {plies} half-moves, plies says {noted}"
        )));
    }
    let result = rows.row(row)?.result;
    if result.parse::<GameResult>().is_err() {
        return Err(ArchiveError::damaged(format!("{result:?} is no result")));
    }
    if is_signed {
        let signature = Signature::of(rows.bytes("moves", row)?).map_err(ArchiveError::damaged)?;
        if rows.bytes("signature", row)? != signature.to_bytes() {
            return Err(ArchiveError::damaged("the signature is not that of the moves"));
        }
        return Ok((plies, Some(signature)));
    }
    Ok((plies, None))
}
