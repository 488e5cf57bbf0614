//! Arguments that name a side or a piece.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;
use halfmove_game::codec::DecodeError;
use halfmove_rules::{Color, Role};

use super::args::{Call, Texts, raise};
use super::function::ints;
use crate::error::ArchiveError;

/// The side of each row, from an argument that may be left out.
pub(super) struct Sides<'a>(Option<Texts<'a>>);

impl<'a> Sides<'a> {
    pub(super) fn of(call: &'a Call, index: usize) -> Result<Self> {
        Ok(Self(call.optional_texts(index)?))
    }

    /// The sides that count in a row: both if none is named. `None` for null.
    pub(super) fn at(&self, row: usize) -> Result<Option<&'static [Color]>> {
        let Some(texts) = &self.0 else { return Ok(Some(&[Color::White, Color::Black])) };
        texts.at(row).map(parse_side).transpose().map_err(raise)
    }
}

/// How many of something there were, row by row, for a function that takes moves and, if not for both, a side.
pub(super) fn counts_of_sides(
    call: &Call,
    name: &str,
    count: impl Fn(&[u8], &[Color]) -> std::result::Result<i32, DecodeError>,
) -> Result<ArrayRef> {
    let (moves, sides) = (call.bytes(0)?, Sides::of(call, 1)?);
    ints(call, |row| {
        let (Some(moves), Some(sides)) = (moves.at(row), sides.at(row)?) else { return Ok(None) };
        count(moves, sides).map(Some).map_err(|error| call.bad_moves(name, error))
    })
}

fn parse_side(name: &str) -> std::result::Result<&'static [Color], ArchiveError> {
    match name.trim().to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(&[Color::White]),
        "black" | "b" => Ok(&[Color::Black]),
        _ => Err(ArchiveError::Query(format!(
            "the side \"{name}\" is not known: expected white or black"
        ))),
    }
}

/// The roles of a letter: those of the same place in chess and in Makruk are one.
pub(super) fn parse_piece(name: &str) -> std::result::Result<&'static [Role], ArchiveError> {
    Ok(match name.trim().to_ascii_uppercase().as_str() {
        "P" => &[Role::Pawn],
        "N" => &[Role::Knight],
        "B" | "S" => &[Role::Bishop, Role::Khon],
        "R" => &[Role::Rook],
        "Q" | "M" => &[Role::Queen, Role::Met],
        "K" => &[Role::King],
        _ => {
            return Err(ArchiveError::Query(format!(
                "the piece \"{name}\" is not known: expected P, N, B, R, Q or K, or in Makruk S or M"
            )));
        }
    })
}
