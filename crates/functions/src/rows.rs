//! Arrays of results, built row by row.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int32Array};
use halfmove_game::codec::DecodeError;
use halfmove_rules::{AnyPosition, Color};

use crate::arguments::{Arguments, Texts, Variants};
use crate::error::FunctionError;
use crate::literals::{self, Last};

/// True or false for each row.
pub(crate) fn booleans(
    arguments: &Arguments<'_>,
    answer: impl FnMut(usize) -> Result<Option<bool>, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    answers::<BooleanArray, _>(arguments, answer)
}

/// A number for each row.
pub(crate) fn ints(
    arguments: &Arguments<'_>,
    answer: impl FnMut(usize) -> Result<Option<i32>, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    answers::<Int32Array, _>(arguments, answer)
}

/// A number of half-moves for each row.
pub(crate) fn plies(
    arguments: &Arguments<'_>,
    mut answer: impl FnMut(usize) -> Result<Option<u32>, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    ints(arguments, |row| Ok(answer(row)?.map(|ply| i32::try_from(ply).unwrap_or(i32::MAX))))
}

/// A number with decimals for each row.
pub(crate) fn doubles(
    arguments: &Arguments<'_>,
    answer: impl FnMut(usize) -> Result<Option<f64>, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    answers::<Float64Array, _>(arguments, answer)
}

fn answers<A: Array + FromIterator<Option<T>> + 'static, T>(
    arguments: &Arguments<'_>,
    answer: impl FnMut(usize) -> Result<Option<T>, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    let answers: A = (0..arguments.rows()).map(answer).collect::<Result<_, _>>()?;
    Ok(Arc::new(answers))
}

/// A text for each row: `answer` appends it, and returns true if there is one.
pub(crate) fn texts(
    arguments: &Arguments<'_>,
    mut answer: impl FnMut(usize, &mut String) -> Result<bool, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    let mut answers = StringBuilder::with_capacity(arguments.rows(), 8 * arguments.rows());
    let mut text = String::new();
    for row in 0..arguments.rows() {
        text.clear();
        match answer(row, &mut text)? {
            true => append(&mut answers, &text, arguments)?,
            false => answers.append_null(),
        }
    }
    Ok(Arc::new(answers.finish()))
}

/// A text for each game, from its moves: `answer` appends it, and returns true if there is one.
pub(crate) fn texts_of_games(
    arguments: &Arguments<'_>,
    mut answer: impl FnMut(&[u8], &mut String) -> Result<bool, DecodeError>,
) -> Result<ArrayRef, FunctionError> {
    let moves = arguments.bytes(0)?;
    texts(arguments, |row, text| {
        let Some(moves) = moves.at(row) else { return Ok(false) };
        answer(moves, text).map_err(|error| arguments.invalid(0, error))
    })
}

/// Appends a text, unless the texts would exceed the capacity of an array.
pub(crate) fn append(
    answers: &mut StringBuilder,
    text: impl std::fmt::Display,
    arguments: &Arguments<'_>,
) -> Result<(), FunctionError> {
    // Writing into a builder cannot fail.
    let _ = write!(answers, "{text}");
    if i32::try_from(answers.values_slice().len()).is_err() {
        return Err(arguments.too_large());
    }
    answers.append_value("");
    Ok(())
}

/// A text for each row, for a function that takes moves and, optionally, the maximum number of half-moves.
pub(crate) fn texts_of_moves(
    arguments: &Arguments<'_>,
    mut write: impl FnMut(&[u8], usize, &mut String) -> Result<(), DecodeError>,
) -> Result<ArrayRef, FunctionError> {
    let (moves, most) = (arguments.bytes(0)?, arguments.counts(1)?);
    texts(arguments, |row, text| {
        let (Some(moves), Some(most)) = (moves.at(row), most.at(row)) else { return Ok(false) };
        write(moves, most, text).map_err(|error| arguments.invalid(0, error))?;
        Ok(true)
    })
}

/// The positions of the rows, from a FEN and, optionally, its variant.
#[derive(Debug)]
pub(crate) struct Positions<'a> {
    fens: Texts<'a>,
    variants: Variants<'a>,
    last: Last<(&'a str, Option<&'a str>), AnyPosition>,
}

impl<'a> Positions<'a> {
    /// The FENs of an argument; the next argument has the variants.
    pub(crate) fn of(arguments: &Arguments<'a>, index: usize) -> Result<Self, FunctionError> {
        let (fens, variants) = (arguments.texts(index)?, arguments.variants(index + 1)?);
        Ok(Self { fens, variants, last: Last::new() })
    }

    /// `None` for null.
    pub(crate) fn at(&mut self, row: usize) -> Result<Option<&AnyPosition>, FunctionError> {
        let (Some(fen), Some(variant)) = (self.fens.at(row), self.variants.at(row)) else {
            return Ok(None);
        };
        let position = |(fen, variant)| literals::position(fen, variant);
        self.last.of((fen, variant), position).map(Some)
    }
}

/// A text for each position, for a function that takes a FEN and, optionally, its variant: `answer` appends it.
pub(crate) fn texts_of_positions(
    arguments: &Arguments<'_>,
    mut answer: impl FnMut(&AnyPosition, &mut String),
) -> Result<ArrayRef, FunctionError> {
    let mut positions = Positions::of(arguments, 0)?;
    texts(arguments, |row, text| {
        let Some(position) = positions.at(row)? else { return Ok(false) };
        answer(position, text);
        Ok(true)
    })
}

/// The sides that count in each row, from an optional argument.
#[derive(Debug)]
pub(crate) struct Sides<'a> {
    texts: Option<Texts<'a>>,
    last: Last<&'a str, Color>,
}

impl<'a> Sides<'a> {
    pub(crate) fn of(arguments: &Arguments<'a>, index: usize) -> Result<Self, FunctionError> {
        Ok(Self { texts: arguments.optional_texts(index)?, last: Last::new() })
    }

    /// Both sides if the argument was left out; `None` for null.
    pub(crate) fn at(&mut self, row: usize) -> Result<Option<&[Color]>, FunctionError> {
        let Some(texts) = &self.texts else { return Ok(Some(&[Color::White, Color::Black])) };
        let Some(text) = texts.at(row) else { return Ok(None) };
        self.last.of(text, literals::side).map(|side| Some(std::slice::from_ref(side)))
    }
}

/// A number for each row, for a function that takes moves and, optionally, a side.
pub(crate) fn counts_of_sides(
    arguments: &Arguments<'_>,
    mut count: impl FnMut(&[u8], &[Color]) -> Result<i32, DecodeError>,
) -> Result<ArrayRef, FunctionError> {
    let (moves, mut sides) = (arguments.bytes(0)?, Sides::of(arguments, 1)?);
    ints(arguments, |row| {
        let (Some(moves), Some(sides)) = (moves.at(row), sides.at(row)?) else { return Ok(None) };
        count(moves, sides).map(Some).map_err(|error| arguments.invalid(0, error))
    })
}
