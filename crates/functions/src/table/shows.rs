//! `shows(moves, conditions)`: true if the board meets conditions.

use super::ply_when::plies_when;
use crate::function::{Body, CONDITIONS, Example, Function, MOVES, ResultKind};
use crate::rows::booleans;

pub(crate) const FUNCTION: Function = Function::new(
    "shows",
    &[MOVES, CONDITIONS],
    ResultKind::Boolean,
    Body::Rows(|arguments| {
        let mut ply = plies_when(arguments)?;
        booleans(arguments, |row| Ok(ply(row)?.map(|ply| ply.is_some())))
    }),
)
.with_help(
    "true if the board of the game meets conditions",
    "\
True if the board of the game meets all of the conditions in one position. Conditions are words, separated by spaces:

| word | condition |
| --- | --- |
| `pattern:BOARD` | the contents of squares, as in a FEN; but a digit is a number of squares with any contents, `A` and `a` are any piece of White and of Black, `_` is an empty square, `[Bq_]` one of these |
| `material:PIECES` | the pieces of White and Black: `KRPvKR`. `P2` is two pawns, `P2+` two or more, `P1-3` one to three, `P+` one or more, `P?` one or none, `P*` any number, and `A*` any other pieces; kings may be left out |
| `imbalance:PIECES` | the additional pieces of White and those of Black: `QvRR`. The numbers of all other pieces are equal, except that pawns may differ unless they are named; `P0` means equal pawns |
| `opposite-bishops` | each side has one bishop, on squares of different colors |
| `pawns:PAWNS` | exactly these pawns: squares of White and of Black, `d4f2ve6f7`, or a board as in a FEN |
| `structure:NAME` | a pawn structure with a name, in either color: `carlsbad`, `hedgehog`, `iqp`, `maroczy` and others |
| `isolated:FILE`, `doubled:FILE`, `passed:FILE` | White has such a pawn on this file: `d`. Black: `black:d` |
| `either-color` | or the same with the colors exchanged |
| `mirrored` | or the same mirrored left to right |
| `for:N` | while at least N half-moves are played: in N + 1 positions in a row |
| `final` | still at the end of the game |

With literal conditions in `where`, [signatures](signature.md) reject most games before their moves are read.",
    Example::new(
        &["shows(moves, 'imbalance:Pv')"],
        &[1, 2, 6],
        &[&["true"], &["false"], &["true"]],
    ),
);
