//! `bits_at(moves, n)`: how unexpected a half-move is.

use halfmove_codecs::dense::Model;
use halfmove_game::codec::{DecodeError, halfmove};
use halfmove_rules::Move;

use crate::function::{Body, Example, Function, MOVES, N, ResultKind};
use crate::rows::doubles;

pub(crate) const FUNCTION: Function = Function::new(
    "bits_at",
    &[MOVES, N],
    ResultKind::Double,
    Body::Rows(|arguments| {
        let (games, numbers) = (arguments.bytes(0)?, arguments.numbers(1)?);
        let mut moves = Vec::new();
        doubles(arguments, |row| match (games.at(row), numbers.at(row)) {
            (Some(game), Some(n)) => {
                bits_at(game, n, &mut moves).map_err(|error| arguments.invalid(0, error))
            }
            _ => Ok(None),
        })
    }),
)
.with_help(
    "how unexpected the n-th half-move is, in bits",
    "\
How unexpected the n-th half-move is: −log₂ of the probability that the model of the [codec dense](dense.md) gives it among the legal moves and
the end of the game. An obvious recapture has less than 1 bit, a blunder often more than 10; 16 at most. The model knows moves of people, not their strength: a
brilliant move is as unexpected as a blunder. Ratings and clocks are not taken into account. Null for a null move, and in Makruk, for which there is no model.
The column `bits` of the table [`halfmoves`](halfmoves.md) has the bits of each half-move.",
    Example::new(
        &["bits_at(moves, 9)", "bits_at(moves, 31)"],
        &[1],
        &[&["0.537", "8.492"]],
    ),
);

/// The bits of the n-th half-move. `moves` is scratch space.
fn bits_at(game: &[u8], n: i64, moves: &mut Vec<Move>) -> Result<Option<f64>, DecodeError> {
    let index = match n {
        1.. => n - 1,
        0 => return Ok(None),
        _ => i64::from(halfmove::plies(game)).saturating_add(n),
    };
    let Ok(index) = usize::try_from(index) else { return Ok(None) };
    moves.clear();
    let start = halfmove::first_moves(game, index.saturating_add(1), moves)?;
    Ok(Model::shipped().bits(&start, moves, 0).nth(index).flatten())
}
