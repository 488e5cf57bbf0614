//! `ended(moves)`: the way in which the last position ends the game.

use halfmove_game::codec::DecodeError;
use halfmove_game::replay;
use halfmove_rules::Outcome;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts_of_games;

pub(crate) const FUNCTION: Function = Function::new(
    "ended",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_games(arguments, |moves, text| {
            let outcome = outcome(moves)?;
            text.extend(outcome.map(Outcome::name));
            Ok(outcome.is_some())
        })
    }),
)
.with_help(
    "`checkmate`, `stalemate`, `insufficient_material`, `counting` or null",
    "\
The way in which the last position ends the game: `checkmate`, `stalemate`, `insufficient_material`, or `counting` if a count of Makruk has
run out. Null if the position does not end it: resignations, time forfeits, agreements and repetitions do not show in the position.",
    Example::new(
        &["ended(moves)"],
        &[1, 3, 4, 10],
        &[&["checkmate"], &["null"], &["insufficient_material"], &["stalemate"]],
    ),
)
.with_notes(
    "\
```sql
select ended(moves), count(*) from games group by 1 order by 1 nulls last
```

```text
checkmate  2
insufficient_material  1
stalemate  1
null  6
```",
);

/// The way in which the last position of a game ends it; `None` if it does not.
///
/// ```
/// assert_eq!(halfmove_functions::outcome(&[])?, None);
/// # Ok::<(), halfmove_game::codec::DecodeError>(())
/// ```
///
/// # Errors
///
/// The first invalid byte of the moves.
pub fn outcome(moves: &[u8]) -> Result<Option<Outcome>, DecodeError> {
    Ok(replay::final_position(moves)?.outcome())
}
