//! `comments(annotations)`: the text of all comments.

use std::ops::ControlFlow;

use halfmove_game::codec::{DecodeError, whole};

use crate::function::{ANNOTATIONS, Body, Example, Function, ResultKind};
use crate::rows::texts;

pub(crate) const FUNCTION: Function = Function::new(
    "comments",
    &[ANNOTATIONS],
    ResultKind::Text,
    Body::Rows(|arguments| {
        let annotations = arguments.bytes(0)?;
        texts(arguments, |row, text| {
            let Some(annotations) = annotations.at(row) else { return Ok(false) };
            comments(annotations, text).map_err(|error| arguments.invalid(0, error))
        })
    }),
)
.with_help(
    "the text of all comments",
    "The text of all comments, including those in variations, one per line; null if there are none. Clocks, evaluations, arrows and \
colored\nsquares are left out.",
    Example::new(&["comments(annotations)"], &[2], &[&["null"]]),
)
.with_notes(
    "\
```sql
select replace(comments(annotations), chr(10), ' | ') from games where id = 1
```

```text
Philidor's defense | Solid; José likes it
```",
);

/// Appends the comments. Returns true if there are any.
fn comments(annotations: &[u8], text: &mut String) -> Result<bool, DecodeError> {
    // The number of half-moves matters only for the places of comments.
    whole::comments(annotations, 0, |_, comment| {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(comment);
        ControlFlow::Continue(())
    })?;
    Ok(!text.is_empty())
}
