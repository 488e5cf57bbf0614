//! Conditions on comments and variations, for which only games with annotations need to be read.

use arrow_array::cast::AsArray;
use halfmove_game::codec::whole::PartError;
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_game::replay::Candidate;

use super::{UNCHECKED, evaluate};
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;
use crate::search::prepared::{Anywhere, Rejects};

/// The candidates of a row group in whose annotations `find` finds something, in order, and the number of half-moves before it.
/// `find` is called with the annotations and the number of half-moves of the game.
pub(super) fn with_annotation(
    columns: &Columns,
    group: &Group,
    candidates: &[Candidate],
    find: impl Fn(&[u8], u32) -> Result<Option<u32>, DecodeError>,
) -> Result<Vec<(u32, u32)>, ArchiveError> {
    let mut all = Vec::new();
    let rows: Vec<u32> = candidates.iter().map(|candidate| candidate.row).collect();
    each_annotated(columns, group, &rows, |row, annotations, moves| {
        let found = find(annotations, halfmove::plies(moves));
        let found = found.map_err(|error| PartError { part: "annotations", error })?;
        all.extend(found.map(|ply| (row, ply)));
        Ok(())
    })?;
    Ok(all)
}

/// The candidates of a row group that meet a condition, in the game or in a variation, in order; and its ply in the
/// game, or else that of the position from which the first such variation branches off.
pub(super) fn anywhere(
    columns: &Columns,
    anywhere: &Anywhere,
    group: &Group,
    candidates: &[Candidate],
) -> Result<Vec<(u32, u32)>, ArchiveError> {
    let is_candidate =
        |row: u32| candidates.binary_search_by_key(&row, |candidate| candidate.row).is_ok();
    let (mut found, mut some) = (Vec::new(), Vec::new());
    if group.bounds().is_none_or(|bounds| anywhere.played.may_be_in(bounds)) {
        anywhere.played.candidates(&*group.signatures(columns.cache())?, &mut some);
        some.retain(|candidate| is_candidate(candidate.row));
        evaluate(columns, &anywhere.played, group, &some, |row, ply| found.push((row, ply)))?;
    }
    let has_it = |row: u32| found.binary_search_by_key(&row, |(row, _)| *row).is_ok();
    let rows = candidates.iter().map(|candidate| candidate.row);
    let rows: Vec<u32> = rows.filter(|row| !has_it(*row)).collect();
    let mut others = Vec::new();
    each_annotated(columns, group, &rows, |row, annotations, moves| {
        let ply = anywhere.find_in_variations(moves, annotations)?;
        others.extend(ply.map(|ply| (row, ply)));
        Ok(())
    })?;
    found.extend(others);
    found.sort_unstable();
    Ok(found)
}

/// Calls `visit` with the annotations and the moves of those rows, in ascending order, that have annotations.
fn each_annotated(
    columns: &Columns,
    group: &Group,
    rows: &[u32],
    mut visit: impl FnMut(u32, &[u8], &[u8]) -> Result<(), PartError>,
) -> Result<(), ArchiveError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut rest = rows.iter().copied();
    for batch in group.select(rows, &["annotations"])? {
        columns.check()?;
        let annotations = batch.column(0).as_binary_opt::<i32>();
        let annotations = annotations.ok_or_else(|| group.wrong("annotations"))?;
        let with_row = annotations.iter().zip(rest.by_ref());
        let some: Vec<(&[u8], u32)> =
            with_row.filter_map(|(bytes, row)| Some((bytes?, row))).collect();
        let moves = group.moves(columns.cache(), some.iter().map(|(_, row)| *row))?;
        for (number, (annotations, row)) in some.into_iter().enumerate() {
            if number % UNCHECKED == 0 {
                columns.check()?;
            }
            visit(row, annotations, moves.of(row))
                .map_err(|error| group.damaged(columns.cache(), row, &error))?;
        }
    }
    Ok(())
}
