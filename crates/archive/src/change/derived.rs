//! Derived columns, computed from the moves or the tags. If a file lacks them, or has an earlier version of them, they
//! are recomputed when its games are rewritten.

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, Int64Array, RecordBatch};
use halfmove_game::codec::halfmove;
use halfmove_game::replay::Signature;

use crate::columns::{Group, facts_of};
use crate::error::ArchiveError;
use crate::snapshot::schema::{column_names, conform, file_schema, is_of_tags};

/// The games of a row group with current derived columns.
pub(super) fn current(batch: &RecordBatch, group: &Group) -> Result<RecordBatch, ArchiveError> {
    if !group.is_stale() {
        return Ok(RecordBatch::try_new(file_schema(), batch.columns().to_vec())?);
    }
    let batch = conform(batch, &column_names())?;
    let ids = column(&batch, "id", group.path())?.as_primitive_opt::<Int64Type>();
    let moves = column(&batch, "moves", group.path())?;
    let mut facts = facts_of(&batch)?;
    let columns = column_names().into_iter().map(|name| match name {
        "plies" => Ok(Arc::new(plies(moves, ids)?) as ArrayRef),
        "signature" => Ok(Arc::new(signatures(moves)?) as ArrayRef),
        name if is_of_tags(name) => {
            let missing =
                || ArchiveError::in_file(group.path(), format!("there is no column {name}"));
            facts.finish(name).ok_or_else(missing)
        }
        name => column(&batch, name, group.path()).cloned(),
    });
    let columns: Result<Vec<ArrayRef>, ArchiveError> = columns.collect();
    Ok(RecordBatch::try_new(file_schema(), columns?)?)
}

fn column<'a>(
    batch: &'a RecordBatch,
    name: &str,
    path: &Path,
) -> Result<&'a ArrayRef, ArchiveError> {
    let missing = || ArchiveError::in_file(path, format!("there is no column {name}"));
    batch.column_by_name(name).ok_or_else(missing)
}

/// The signatures of games.
pub(super) fn signatures(moves: &ArrayRef) -> Result<BinaryArray, ArchiveError> {
    let moves = moves.as_binary_opt::<i32>();
    let moves =
        moves.ok_or_else(|| ArchiveError::damaged("the column moves does not hold bytes"))?;
    let mut signatures = BinaryBuilder::new();
    for bytes in moves.iter().flatten() {
        let signature = Signature::of(bytes).map_err(ArchiveError::damaged)?;
        signatures.append_value(signature.to_bytes());
    }
    Ok(signatures.finish())
}

/// The numbers of half-moves.
pub(super) fn plies(
    moves: &ArrayRef,
    ids: Option<&Int64Array>,
) -> Result<Int32Array, ArchiveError> {
    let damaged = |row: usize, what: &dyn std::fmt::Display| {
        let id = ids.map_or(0, |ids| ids.value(row));
        ArchiveError::damaged(format!("game {id}: {what}"))
    };
    let moves = moves.as_binary_opt::<i32>();
    let moves =
        moves.ok_or_else(|| ArchiveError::damaged("the column moves does not hold bytes"))?;
    let mut line = Vec::new();
    let mut plies = Vec::with_capacity(moves.len());
    for (row, bytes) in moves.iter().enumerate() {
        line.clear();
        let read = halfmove::decode_moves(bytes.unwrap_or_default(), &mut line);
        read.map(drop).map_err(|error| damaged(row, &format!("moves, {error}")))?;
        plies.push(i32::try_from(line.len()).map_err(|error| damaged(row, &error))?);
    }
    Ok(Int32Array::from(plies))
}
