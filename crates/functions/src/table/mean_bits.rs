//! `mean_bits(moves [, side])`: how unexpected the half-moves of a game are.

use halfmove_codecs::dense::Model;
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::{Color, Move};

use crate::function::{Body, Example, Function, MOVES, ResultKind, SIDE};
use crate::rows::{Sides, doubles};

pub(crate) const FUNCTION: Function = Function::new(
    "mean_bits",
    &[MOVES, SIDE.optional()],
    ResultKind::Double,
    Body::Rows(|arguments| {
        let (games, mut sides) = (arguments.bytes(0)?, Sides::of(arguments, 1)?);
        let mut moves = Vec::new();
        doubles(arguments, |row| match (games.at(row), sides.at(row)?) {
            (Some(game), Some(sides)) => {
                mean_bits(game, sides, &mut moves).map_err(|error| arguments.invalid(0, error))
            }
            _ => Ok(None),
        })
    }),
)
.with_help(
    "how unexpected the half-moves are: their mean bits",
    "\
The mean of `bits_at` over the half-moves of a game, of both sides or of one: the less, the more predictable the game. Between masters, it is about 2.8; a
short game is mostly theory and has less. Null for a game without moves, and in Makruk.",
    Example::new(
        &["mean_bits(moves)", "mean_bits(moves, 'white')"],
        &[1],
        &[&["2.506", "2.726"]],
    ),
);

/// The mean bits of the half-moves of the sides. `moves` is scratch space.
fn mean_bits(
    game: &[u8],
    sides: &[Color],
    moves: &mut Vec<Move>,
) -> Result<Option<f64>, DecodeError> {
    moves.clear();
    let start = halfmove::decode_moves(game, moves)?;
    let (first, step) = match sides {
        [side] => (usize::from(*side != start.side_to_move()), 2),
        _ => (0, 1),
    };
    let bits = Model::shipped().bits(&start, moves, 0).skip(first).step_by(step).flatten();
    let (sum, count) = bits.fold((0.0, 0_u32), |(sum, count), bits| (sum + bits, count + 1));
    // In thousandths, as the bits of each.
    let mean = (sum / f64::from(count) * 1_000.0).round() / 1_000.0;
    Ok((count > 0).then_some(mean))
}
