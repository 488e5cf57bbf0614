//! `reaches(moves, fen [, variant])`: true if a position arises.

use super::ply_of::plies_of;
use crate::function::{Body, Example, FEN, Function, MOVES, ResultKind, VARIANT};
use crate::rows::booleans;

pub(crate) const FUNCTION: Function = Function::new(
    "reaches",
    &[MOVES, FEN, VARIANT],
    ResultKind::Boolean,
    Body::Rows(|arguments| {
        let mut ply = plies_of(arguments)?;
        booleans(arguments, |row| Ok(ply(row)?.map(|ply| ply.is_some())))
    }),
)
.with_help(
    "true if the game reaches the position",
    "\
True if the game reaches the position. With a literal position in `where`, [signatures](signature.md) speed it up.",
    Example::new(
        &["reaches(moves, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')"],
        &[1, 2],
        &[&["true"], &["false"]],
    ),
)
.with_notes(
    "\
```sql
select id from games
where reaches(moves, 'rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - - 0 2', 'makpong')
```

```text
7
```",
);
