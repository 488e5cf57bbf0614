//! `octet_length(value)`: the number of bytes of a text or of bytes. Engines often have a function of that name for
//! texts only.

use crate::arguments::{Bytes, Texts};
use crate::function::{Argument, Body, Example, Function, Kind, ResultKind};
use crate::rows::ints;

pub(crate) const FUNCTION: Function = Function::new(
    "octet_length",
    &[Argument::new("value", Kind::TextOrBytes)],
    ResultKind::Int,
    Body::Rows(|arguments| {
        let array = arguments.array(0)?;
        let length = |length| Some(i32::try_from(length).unwrap_or(i32::MAX));
        let (texts, bytes) = (Texts::of(array), Bytes::of(array));
        ints(arguments, |row| {
            let row = arguments.index(0, row);
            Ok(match (&texts, &bytes) {
                (Some(texts), _) => texts.at(row).and_then(|text| length(text.len())),
                (None, Some(bytes)) => bytes.at(row).and_then(|bytes| length(bytes.len())),
                (None, None) => return Err(arguments.wrong(0)),
            })
        })
    }),
)
.with_help(
    "the number of bytes",
    "\
The number of bytes of a text or of a value of bytes. `length` counts the characters of a text: `length(moves)` is an error, and so is every other
use of a column of bytes as a text.",
    Example::new(
        &["octet_length(moves)", "octet_length(clocks)"],
        &[1, 9],
        &[&["33", "null"], &["0", "null"]],
    ),
)
.with_notes(
    "\
```sql
select octet_length('Ståhlberg'), length('Ståhlberg'), octet_length(moves) from games where id = 1
```

```text
10  9  33
```",
);
