//! `reaches_anywhere(moves, annotations, fen [, variant])`: true if a position arises in the game or in a variation.

use halfmove_game::codec::whole::{self, PartError};
use halfmove_game::replay::{self, Target};

use crate::function::{ANNOTATIONS, Body, Example, FEN, Function, MOVES, ResultKind, VARIANT};
use crate::literals::{self, Last};
use crate::rows::booleans;

pub(crate) const FUNCTION: Function = Function::new(
    "reaches_anywhere",
    &[MOVES, ANNOTATIONS, FEN, VARIANT],
    ResultKind::Boolean,
    Body::Rows(|arguments| {
        let (moves, annotations) = (arguments.bytes(0)?, arguments.bytes(1)?);
        let (fens, variants) = (arguments.texts(2)?, arguments.variants(3)?);
        let mut last = Last::new();
        booleans(arguments, |row| {
            let (Some(moves), Some(fen), Some(variant)) =
                (moves.at(row), fens.at(row), variants.at(row))
            else {
                return Ok(None);
            };
            let (position, target) = last.of((fen, variant), |(fen, variant)| {
                let position = literals::position(fen, variant)?;
                let target = Target::new(&position);
                Ok((position, target))
            })?;
            let ply = replay::find(moves, target);
            if ply.map_err(|error| arguments.invalid(0, error))?.is_some() {
                return Ok(Some(true));
            }
            let Some(annotations) = annotations.at(row) else { return Ok(Some(false)) };
            let found = whole::find_in_variations(moves, annotations, position);
            let found = found.map_err(|PartError { part, error }| {
                arguments.invalid(usize::from(part != "moves"), error)
            });
            Ok(Some(found?.is_some()))
        })
    }),
)
.with_help(
    "true if it arises, variations included",
    "True if the position arises in the game or in one of its variations. Only games with annotations have variations.",
    Example::new(
        &[
            "reaches_anywhere(moves, annotations, 'rnbqkbnr/ppp2ppp/3p4/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 0 4')",
        ],
        &[1, 2],
        &[&["true"], &["false"]],
    ),
);
