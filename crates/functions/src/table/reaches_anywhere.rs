//! `reaches_anywhere(moves, annotations, fen [, variant])`: true if a position arises in the game or in a variation.

use std::ops::ControlFlow;

use halfmove_game::codec::whole::{self, PartError};
use halfmove_game::replay::{self, Target};
use halfmove_rules::AnyPosition;

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
            let found = variation_with(moves, annotations, position);
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

/// The ply at which the first variation with the position branches off; `None` if no variation has it.
///
/// ```
/// use halfmove_functions::{literals, variation_with};
/// use halfmove_game::codec::whole::Parts;
/// use halfmove_game::codec::halfmove;
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")?;
/// let (mut moves, parts) = (Vec::new(), Parts::of(&game));
/// halfmove::encode_moves(&game.start, &game.moves, &mut moves)?;
/// let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
/// let position = literals::position(sicilian, None)?;
/// assert_eq!(variation_with(&moves, &parts.annotations, &position)?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first invalid byte of the moves or of the annotations.
pub fn variation_with(
    moves: &[u8],
    annotations: &[u8],
    position: &AnyPosition,
) -> Result<Option<u32>, PartError> {
    let mut found = None;
    whole::variations(moves, annotations, |ply, other| {
        if other == position {
            found = Some(ply);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
