//! `eco(moves)`: the ECO code of the opening.

use halfmove_game::openings;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts;

pub(crate) const FUNCTION: Function = Function::new(
    "eco",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let moves = arguments.bytes(0)?;
        texts(arguments, |row, text| {
            let Some(moves) = moves.at(row) else { return Ok(false) };
            let opening =
                openings::of_game(moves).map_err(|error| arguments.invalid(0, error))?;
            text.extend(opening.map(|opening| opening.eco()));
            Ok(opening.is_some())
        })
    }),
)
.with_help(
    "the ECO code of the opening, by its positions, or null",
    "\
The ECO code of the opening, by the positions of the game: that of the last position that the [list](../guide/searching.md#openings)
names, whatever the order of moves. Null if none is listed, in games from other starts and in other variants. The column `eco` is the tag.",
    Example::new(&["eco(moves)"], &[1, 2, 3], &[&["C41"], &["A00"], &["null"]]),
)
.with_notes(
    "\
```sql
select id, eco, eco(moves) from games where id < 4 order by id
```

```text
1  C41  C41
2  null  A00
3  null  null
```",
);
