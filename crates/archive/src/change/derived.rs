//! Rewriting an archive of an older format.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryBuilder, Int32Array, Int64Array, RecordBatch,
};
use datafusion::arrow::datatypes::Int64Type;
use halfmove_game::codec::{Codec, halfmove::Halfmove};
use halfmove_game::replay::Signature;

use super::publish::publish;
use super::remove::without_deleted;
use super::watch::{ImportWatch, lock_watched};
use super::writer::rewrite;
use crate::error::{ArchiveError, of_file};
use crate::functions::{Texts, Upgrade};
use crate::history::told;
use crate::schema::{COLUMNS, FORMAT, Format, ORDER_BY_ID, column_names, conform, file_schema};
use crate::store::{Archive, sweep};

/// What an upgrade has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpgradeReport {
    /// The format before.
    pub from: &'static str,
    /// The format now, which may be the same.
    pub to: &'static str,
    /// How many games were rewritten; none if the archive needed nothing.
    pub games: u64,
    /// The number of files that hold them.
    pub files: usize,
    /// The total size of these files in bytes.
    pub bytes: u64,
}

impl Archive {
    /// Rewrites an archive of an older format in the current one, in a single change: readers see the archive as it was
    /// or as it is then. Games and ids stay the same. The old files stay on the disk, since earlier versions of the
    /// table consist of them.
    ///
    /// What an older format did not keep, such as comments, is not there afterwards: that takes a new import. Of an
    /// archive of the current format, those files are rewritten that lack columns which can be computed, or have them
    /// from an earlier version of this library; there may be none.
    ///
    /// `watch` hears of each file, and may stop it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::ReadOnly`], [`ArchiveError::Damaged`] if its moves cannot be read, [`ArchiveError::Io`], [`ArchiveError::Delta`],
    /// [`ArchiveError::Conflict`] if another program writes to it at the same time, and [`ArchiveError::Stopped`].
    pub fn upgrade(&self, watch: &mut dyn ImportWatch) -> Result<UpgradeReport, ArchiveError> {
        let lock = lock_watched(self.folder()?, watch, 0)?;
        let now = self.refresh()?;
        let from = now.format().name();
        let mut old = Vec::new();
        for file in now.files() {
            if now.format() == Format::Zero || now.cache().footer(file)?.is_stale() {
                old.push(file.clone());
            }
        }
        if now.format() == Format::One && old.is_empty() {
            return Ok(UpgradeReport { from, to: FORMAT, games: 0, files: 0, bytes: 0 });
        }
        now.check_rewritable()?;
        sweep(&now, &lock);
        let (mut files, mut games) = (Vec::new(), 0);
        for file in &old {
            let order = match now.format() {
                Format::Zero => ORDER_BY_ID,
                Format::One => now.cache().footer(file)?.order().name(),
            };
            if file.deleted.is_some() {
                let number = now.files().iter().position(|other| other == file).unwrap_or_default();
                files.extend(without_deleted(&now, number, file, order)?);
            } else {
                let opened = File::open(&file.path).map_err(|error| of_file(&file.path, &error))?;
                let change = |batch: &RecordBatch| current(batch, now.format(), &file.path);
                files.extend(rewrite(&opened, now.path(), order, change)?);
            }
            games += file.games;
            if watch.tick(games).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
        let mut report = UpgradeReport { from, to: FORMAT, games, files: files.len(), bytes: 0 };
        report.bytes = files.iter().map(|file| file.bytes).sum();
        let told = told("upgrade", 0, 0);
        match publish(&now, &mut files, |new| now.replace_files(&old, new, told))? {
            Some(_) => Ok(report),
            None => Err(ArchiveError::Conflict { path: now.path().to_owned() }),
        }
    }
}

/// A batch of the current format, from one of format 0.
pub(crate) fn upgraded(batch: &RecordBatch, path: &Path) -> Result<RecordBatch, ArchiveError> {
    Ok(RecordBatch::try_new(file_schema(), current(batch, Format::Zero, path)?)?)
}

/// All columns as they are now, from those of a file: those that can be computed are computed.
pub(super) fn current(
    batch: &RecordBatch,
    format: Format,
    path: &Path,
) -> Result<Vec<ArrayRef>, ArchiveError> {
    let batch = &conform(batch, &column_names())?;
    let column = |name: &str| {
        let what = || format!("{} has no column {name}", path.display());
        batch.column_by_name(name).ok_or_else(|| ArchiveError::Damaged(what()))
    };
    let (ids, variants) = (column("id")?, Texts::of(column("variant")?)?);
    let ids = ids.as_primitive_opt::<Int64Type>();
    let mut line = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(COLUMNS.len());
    for wanted in COLUMNS {
        columns.push(match wanted.name {
            "moves" if format == Format::Zero => {
                let moves = Upgrade::default().batch(
                    column("moves")?,
                    column("start_fen")?,
                    column("variant")?,
                )?;
                for (row, bytes) in moves.iter().enumerate() {
                    let damaged = |what: String| {
                        let id = ids.map_or(0, |ids| ids.value(row));
                        ArchiveError::Damaged(format!("{}: game {id}: {what}", path.display()))
                    };
                    if !matches!(variants.at(row), Some("chess" | "chess960")) {
                        return Err(damaged("a variant other than chess and chess960".to_owned()));
                    }
                    if column("moves")?.is_null(row) {
                        return Err(damaged("no moves".to_owned()));
                    }
                    line.clear();
                    let read = Halfmove.decode_moves(bytes, &mut line);
                    read.map(drop).map_err(|error| damaged(format!("moves, {error}")))?;
                }
                Arc::new(BinaryArray::from_iter_values(moves))
            }
            "signature" => {
                let moves = COLUMNS
                    .iter()
                    .position(|column| column.name == "moves")
                    .and_then(|at| columns.get(at));
                let moves = moves.and_then(|moves| moves.as_binary_opt::<i32>());
                let moves = moves.ok_or_else(|| ArchiveError::damaged("the moves are no bytes"))?;
                let mut signatures = BinaryBuilder::new();
                for bytes in moves.iter().flatten() {
                    let signature = Signature::of(bytes).map_err(ArchiveError::damaged)?;
                    signatures.append_value(signature.to_bytes());
                }
                Arc::new(signatures.finish())
            }
            "plies" if format == Format::One => Arc::new(plies(column("moves")?, ids)?),
            name => Arc::clone(column(name)?),
        });
    }
    Ok(columns)
}

/// The numbers of half-moves.
pub(super) fn plies(
    moves: &ArrayRef,
    ids: Option<&Int64Array>,
) -> Result<Int32Array, ArchiveError> {
    let damaged = |row: usize, what: &dyn std::fmt::Display| {
        let id = ids.map_or(0, |ids| ids.value(row));
        ArchiveError::Damaged(format!("game {id}: {what}"))
    };
    let moves = moves.as_binary_opt::<i32>();
    let moves = moves.ok_or_else(|| ArchiveError::damaged("the moves are no bytes"))?;
    let mut line = Vec::new();
    let mut plies = Vec::with_capacity(moves.len());
    for (row, bytes) in moves.iter().enumerate() {
        line.clear();
        let read = Halfmove.decode_moves(bytes.unwrap_or_default(), &mut line);
        read.map(drop).map_err(|error| damaged(row, &format!("moves, {error}")))?;
        plies.push(i32::try_from(line.len()).map_err(|error| damaged(row, &error))?);
    }
    Ok(Int32Array::from(plies))
}
