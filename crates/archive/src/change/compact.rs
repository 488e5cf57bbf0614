//! Compaction: merges files, and sorts their games by opening.
//!
//! ```text
//!  games 1 … 300      e4 c5 Nf3 d6 …  17, 203, 1, …
//!  games 301 … 310 ──▶ e4 c5 Nf3 Nc6 … 305, 44, …
//!  games 311 … 900    e4 e5 …         12, 899, …
//! ```
//!
//! Games that begin alike become adjacent, so their moves and signatures compress better, and the bounds of a row
//! group's signatures rule out more positions. Games keep their ids.
//!
//! Columns are rewritten one after the other, so only one is in memory uncompressed at a time.

mod plan;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_select::interleave::interleave;

use self::plan::Part;
use super::ATTEMPTS;
use super::derived::{plies, signatures};
use super::encode::{BYTES_PER_ROW_GROUP, ColumnEncoders, Encoders, LONG_GAME, LONG_GROUP};
use super::progress::{Progress, watched};
use super::publish::publish;
use super::watch::{ChangeWatch, lock_watched};
use super::writer::{OpenFile, Written};
use crate::columns::{Columns, FileOrder, Group};
use crate::error::ArchiveError;
use crate::snapshot::schema::{ORDER_BY_OPENING, file_schema};
use crate::snapshot::{DataFile, notes_of, sweep};

/// The maximum number of games in a file.
const GAMES_PER_FILE: u64 = 1_000_000;

/// The maximum number of games in a row group: more than in an import, because names repeat less often in this order.
const GAMES_PER_ROW_GROUP: usize = 32_768;

/// The size of a full file in bytes, before compression.
const BYTES_PER_FILE: u64 = 512 << 20;

/// The outcome of a compaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactReport {
    /// The number of games that were rewritten; 0 if there was nothing to do.
    pub games: u64,
    /// The number of files that held them.
    pub files_before: usize,
    /// The number of files that hold them now.
    pub files: usize,
    /// The total size of the files before, in bytes.
    pub bytes_before: u64,
    /// The total size of the files now, in bytes.
    pub bytes: u64,
}

/// Merges small files, and orders the games of each file by their moves.
pub(crate) fn compact(
    columns: &Columns,
    watch: &mut dyn ChangeWatch,
) -> Result<CompactReport, ArchiveError> {
    let folder = columns.snapshot().folder()?;
    let before = columns.refresh()?;
    before.snapshot().check_changeable()?;
    let parts = parts_of(&before)?;
    let plan = plan::of(&parts);
    let mut report = CompactReport::default();
    let mut old: Vec<DataFile> = Vec::new();
    for range in &plan {
        old.extend_from_slice(&before.files()[range.clone()]);
    }
    report.games = old.iter().map(|file| file.games).sum();
    report.files_before = old.len();
    report.bytes_before = old.iter().map(|file| file.bytes).sum();
    if old.is_empty() {
        return Ok(report);
    }
    if watch.tick(0).is_break() {
        return Err(ArchiveError::Stopped);
    }
    let mut files = watched(watch, |progress| rewrite_all(&before, &plan, progress))?;
    report.files = files.len();
    report.bytes = files.iter().map(|file| file.bytes).sum();
    // Imports have to wait only from here on.
    let lock = lock_watched(folder, watch, report.games)?;
    for attempt in 0..ATTEMPTS {
        let now = before.snapshot().refresh()?;
        now.check_rewritable()?;
        if attempt == 0 {
            sweep(&now, &lock);
        }
        if !old.iter().all(|file| now.files().contains(file)) {
            return Err(ArchiveError::Overtaken { path: columns.path().to_owned() });
        }
        if watch.tick(report.games).is_break() {
            return Err(ArchiveError::Stopped);
        }
        let notes = notes_of("compact", 0, 0);
        let done = publish(&now, &mut files, |new| now.replace_files(&old, new, notes))?;
        if done.is_some() {
            return Ok(report);
        }
    }
    Err(ArchiveError::Conflict { path: columns.path().to_owned() })
}

/// The files in the form that the plan needs.
fn parts_of(columns: &Columns) -> Result<Vec<Part>, ArchiveError> {
    let parts = columns.files().iter().map(|file| {
        let footer = columns.cache().footer(file)?;
        let is_done =
            footer.order() == FileOrder::Opening && !footer.is_stale() && file.deleted.is_none();
        Ok(Part { weight: weight(file.games, footer.unpacked_bytes()), is_done })
    });
    parts.collect()
}

/// Rewrites the games of each range of files.
fn rewrite_all(
    columns: &Columns,
    plan: &[Range<usize>],
    progress: &Progress,
) -> Result<Vec<Written>, ArchiveError> {
    let mut files = Vec::new();
    for range in plan {
        let mut groups = Vec::new();
        for number in range.clone() {
            groups.extend(columns.groups_of(number)?);
        }
        // A file of another writer may be larger.
        let mut rest = groups.as_slice();
        while !rest.is_empty() {
            let (mut count, mut games, mut bytes) = (0, 0, 0);
            for group in rest {
                games += group.rows() as u64;
                bytes += group.unpacked_bytes();
                if count > 0 && weight(games, bytes) > GAMES_PER_FILE {
                    break;
                }
                count += 1;
            }
            let (some, others) = rest.split_at(count);
            files.extend(rewrite(columns, some, progress)?);
            rest = others;
        }
    }
    Ok(files)
}

/// Writes the games of some row groups into one file, in the order of their moves. `None` if all are deleted.
fn rewrite(
    columns: &Columns,
    groups: &[Group],
    progress: &Progress,
) -> Result<Option<Written>, ArchiveError> {
    let order = order_of(columns, groups, progress)?;
    if order.is_empty() {
        return Ok(None);
    }
    let done = progress.games();
    let encoders = Encoders::new(ORDER_BY_OPENING)?;
    let mut outs = Vec::new();
    for rows in portions(groups, &order) {
        let bytes: usize = rows.iter().map(|(group, _)| mean(&groups[*group])).sum();
        let is_long = bytes / rows.len().max(1) > LONG_GAME;
        outs.push((rows, Mutex::new(ColumnEncoders::new(&encoders, is_long)?)));
    }
    let schema = file_schema();
    for (number, field) in schema.fields().iter().enumerate() {
        let load = |group: &Group| {
            progress.check()?;
            column(group, field.name())
        };
        let arrays = columns.each(groups, load)?;
        let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        columns.each(&outs, |(rows, encoders)| {
            progress.check()?;
            let array = interleave(&arrays, rows)?;
            let mut encoders = encoders.lock().unwrap_or_else(PoisonError::into_inner);
            encoders.write_all(field, std::iter::once(&array))
        })?;
        let so_far = order.len() * (number + 1) / schema.fields().len();
        progress.set(done + so_far as u64);
    }
    let mut file = OpenFile::new(columns.path(), ORDER_BY_OPENING)?;
    for (_, encoders) in outs {
        progress.check()?;
        file.write(encoders.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?)?;
    }
    file.finish().map(Some)
}

/// The games of some row groups in the order of their moves, then of their ids, as row groups and rows.
fn order_of(
    columns: &Columns,
    groups: &[Group],
    progress: &Progress,
) -> Result<Vec<(usize, usize)>, ArchiveError> {
    let moves = columns.each(groups, |group| {
        progress.check()?;
        let moves = group.read_bytes("moves", 0..group.rows())?;
        Ok((moves, group.ids(columns.cache())?))
    })?;
    let mut keys: Vec<(u64, u32, u32)> = Vec::new();
    for (number, (moves, _)) in (0_u32..).zip(&moves) {
        let group = &groups[number as usize];
        let rows = (0_u32..).zip(moves.iter());
        let rows = rows.filter(|(row, _)| !group.is_deleted(*row as usize));
        keys.extend(rows.map(|(row, bytes)| (beginning(bytes.unwrap_or_default()), number, row)));
    }
    let of = |(_, group, row): &(u64, u32, u32)| {
        let (moves, ids) = &moves[*group as usize];
        (moves.value(*row as usize), ids.of(*row))
    };
    keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| of(a).cmp(&of(b))));
    Ok(keys.into_iter().map(|(_, group, row)| (group as usize, row as usize)).collect())
}

/// The first bytes as a number with the same order.
fn beginning(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let count = bytes.len().min(8);
    first[..count].copy_from_slice(&bytes[..count]);
    u64::from_be_bytes(first)
}

/// The weight of a file in games: a full file has the weight of the maximum number of games.
fn weight(games: u64, bytes: u64) -> u64 {
    games.max(bytes / (BYTES_PER_FILE / GAMES_PER_FILE))
}

/// The mean size of a game of a row group in bytes.
fn mean(group: &Group) -> usize {
    let bytes = usize::try_from(group.unpacked_bytes()).unwrap_or(usize::MAX);
    bytes / group.rows().max(1)
}

/// Cuts games into row groups.
fn portions<'a>(groups: &[Group], mut order: &'a [(usize, usize)]) -> Vec<&'a [(usize, usize)]> {
    let mut portions = Vec::new();
    while !order.is_empty() {
        let (mut count, mut bytes) = (0, 0_usize);
        for (group, _) in order.iter().take(GAMES_PER_ROW_GROUP) {
            bytes = bytes.saturating_add(mean(&groups[*group]));
            count += 1;
            let most = if bytes / count > LONG_GAME { LONG_GROUP } else { BYTES_PER_ROW_GROUP };
            if bytes >= most {
                break;
            }
        }
        let (portion, rest) = order.split_at(count);
        portions.push(portion);
        order = rest;
    }
    portions
}

/// A column of a row group; a derived column is recomputed if it is missing or outdated.
fn column(group: &Group, name: &str) -> Result<ArrayRef, ArchiveError> {
    let all = 0..group.rows();
    match name {
        "signature" if !group.is_signed() => {
            let moves: ArrayRef = Arc::new(group.read_bytes("moves", all)?);
            Ok(Arc::new(signatures(&moves)?))
        }
        "plies" if group.is_stale_in("plies") => {
            let ids = group.read("id", all.clone())?;
            let moves: ArrayRef = Arc::new(group.read_bytes("moves", all)?);
            Ok(Arc::new(plies(&moves, ids.as_primitive_opt::<Int64Type>())?))
        }
        name => group.read(name, all),
    }
}
