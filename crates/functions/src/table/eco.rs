//! `eco(moves)`: the ECO code of the opening.

use halfmove_game::openings;

use crate::function::{Body, Example, Function, MOVES, ResultKind};
use crate::rows::texts_of_games;

pub(crate) const FUNCTION: Function = Function::new(
    "eco",
    &[MOVES],
    ResultKind::Text,
    Body::Rows(|arguments| {
        texts_of_games(arguments, |moves, text| {
            let opening = openings::of_game(moves)?;
            text.extend(opening.map(|opening| opening.eco()));
            Ok(opening.is_some())
        })
    }),
)
.with_help(
    "the ECO code of the opening, by its positions, or null",
    "\
The ECO code of the opening, by the positions of the game: that of the last position in the [list](../guide/searching.md#openings),
by any order of moves. Null if no position is listed, in games from other starts and in other variants. The column `eco` is the tag.",
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
