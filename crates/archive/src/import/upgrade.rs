//! Rewriting an archive of an older format.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryBuilder, RecordBatch, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use halfmove_game::codec::{Codec, halfmove::Halfmove};
use halfmove_game::replay::Signature;

use super::remove::without_deleted;
use super::watch::{ImportWatch, lock_watched};
use super::writer::{Written, rewrite};
use crate::error::ArchiveError;
use crate::functions::{Texts, Upgrade};
use crate::history::told;
use crate::schema::{ADDED, COLUMNS, FORMAT, Format, file_schema};
use crate::store::{Archive, NewFile, sweep, sync_folder};

/// What an upgrade has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpgradeReport {
    /// The format before.
    pub from: &'static str,
    /// The format now, which is the same if the archive needed nothing.
    pub to: &'static str,
    /// How many games were rewritten.
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
    /// What an older format did not keep, such as comments, is not there afterwards: that takes a new import. An
    /// archive of the current format is left as it is.
    ///
    /// `watch` hears of each file, and may stop it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::OutcomeUnknown`] if the very last step fails. After all other errors the archive is unchanged:
    /// [`ArchiveError::Damaged`] if its moves cannot be read, [`ArchiveError::Io`], [`ArchiveError::Delta`],
    /// [`ArchiveError::Conflict`] if another program writes to it at the same time, and [`ArchiveError::Stopped`].
    pub fn upgrade(&self, watch: &mut dyn ImportWatch) -> Result<UpgradeReport, ArchiveError> {
        let lock = lock_watched(self.path(), watch, 0)?;
        let now = self.refresh()?;
        let from = now.format().name();
        if now.format() == Format::One {
            return Ok(UpgradeReport { from, to: FORMAT, games: 0, files: 0, bytes: 0 });
        }
        sweep(&now, &lock);
        let (mut files, mut games) = (Vec::new(), 0);
        for (number, file) in now.files().iter().enumerate() {
            if file.deleted.is_some() {
                files.extend(without_deleted(&now, number, file)?);
            } else {
                let old =
                    File::open(&file.path).map_err(|error| ArchiveError::io(&file.path, error))?;
                files.push(rewrite(&old, now.path(), |batch| current(batch, &file.path))?);
            }
            games += file.games;
            if watch.tick(games).is_break() {
                return Err(ArchiveError::Stopped);
            }
        }
        for file in &mut files {
            file.publish(now.path())?;
        }
        sync_folder(now.path()).map_err(|error| ArchiveError::io(now.path(), error))?;
        let new: Vec<NewFile> = files.iter().map(Written::to_new_file).collect();
        files.iter_mut().for_each(|file| file.keep(true));
        match now.replace_files(&new, told("upgrade", 0, 0)) {
            Ok(Some(_)) => Ok(UpgradeReport {
                from,
                to: FORMAT,
                games,
                files: files.len(),
                bytes: files.iter().map(|file| file.bytes).sum(),
            }),
            Err(error @ ArchiveError::OutcomeUnknown { .. }) => Err(error),
            failed => {
                files.iter_mut().for_each(|file| file.keep(false));
                failed?;
                Err(ArchiveError::Conflict { path: now.path().to_owned(), attempts: 1 })
            }
        }
    }
}

/// A batch of the current format, from one of format 0.
pub(crate) fn upgraded(batch: &RecordBatch, path: &Path) -> Result<RecordBatch, ArchiveError> {
    Ok(RecordBatch::try_new(file_schema(), current(batch, path)?)?)
}

/// The columns of the current format, from those of format 0.
fn current(batch: &RecordBatch, path: &Path) -> Result<Vec<ArrayRef>, ArchiveError> {
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
            "moves" => {
                let moves = Upgrade::default().batch(
                    column("moves")?,
                    column("start_fen")?,
                    column("variant")?,
                )?;
                for (row, bytes) in moves.iter().enumerate() {
                    let damaged = |what: String| {
                        let id = ids.map_or(0, |ids| ids.value(row));
                        ArchiveError::Damaged(format!("game {id}: {what}"))
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
            added if ADDED.contains(&added) => new_null_array(&DataType::Binary, batch.num_rows()),
            name => Arc::clone(column(name)?),
        });
    }
    Ok(columns)
}
