//! `tag(name)`: the text of any tag.
//!
//! A function sees only its arguments, so an adapter adds those of [`tags::columns`](crate::tags::columns) to the name. Users
//! may also write `tag(other_tags, name)`, which finds only tags without a column.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Date32Array, Int32Array, StringArray};
use arrow_schema::DataType;

use crate::arguments::{Arguments, Texts};
use crate::error::FunctionError;
use crate::function::{Argument, Body, Example, Forms, Function, Kind, ResultKind, is_plain_text};
use crate::rows::append;
use crate::tags::{OtherTags, TYPED, TagPlace, date_text};

pub(crate) const FUNCTION: Function = Function {
    forms: Some(Forms { usage: "tag('NAME') or tag(other_tags, 'NAME')", coerce }),
    notes: "\
```sql
select tag('TimeControl'), count(*) from games group by 1 order by 2 desc, 1
```

```text
null  8
-  1
180+2  1
```

It reads columns of the table in the query, above all `other_tags`. A query with several tables that have this column has to pass
the list of one of them. Then it finds only tags that have no column:

```sql
select tag(a.other_tags, 'Opening') from games a join games b on a.id = b.id where a.id = 1
```

```text
Philidor Defense
```",
    ..Function::new(
        "tag",
        &[Argument::new("name", Kind::Text)],
        ResultKind::Text,
        Body::Rows(tag),
    )
    .with_help(
        "the text of a tag, such as `TimeControl`, or null",
        "\
The exact text of a tag, including tags that have a column, such as `White`, and incomplete dates. Null if the game has no such tag. A
tag of exactly this name takes precedence over one whose name differs only in the case of the letters a to z.",
        Example::new(
            &["tag('White')", "tag('Date')", "tag('WhiteElo')", "tag('opening')"],
            &[1, 2],
            &[
                &["Morphy, Paul", "1858.??.??", "02600", "Philidor Defense"],
                &["Ann", "2024.02.29", "2400", "null"],
            ],
        ),
    )
};

/// The form of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The form that users write, `tag(other_tags, name)`, which finds tags without a column.
    List,
    /// The form for a name without a column, `tag(name, other_tags)`, which an adapter makes of `tag(name)`.
    Untyped,
    /// The form for any name, `tag(name, other_tags, tag_order, …)`, with the name's column or all columns of tags.
    Typed,
}

/// The form of a call with arguments of these types; `None` if it is none.
fn form(types: &[DataType]) -> Option<Form> {
    let is_text = |kind: &DataType| match kind {
        DataType::Dictionary(_, value) => is_plain_text(value),
        kind => kind.is_string() || kind.is_null(),
    };
    let is_list = |kind: &DataType| matches!(kind, DataType::List(_) | DataType::Null);
    match types {
        [list, name] if matches!(list, DataType::List(_)) && is_text(name) => Some(Form::List),
        [name, list] if is_text(name) && is_list(list) => Some(Form::Untyped),
        [name, list, order, typed @ ..]
            if is_text(name)
                && is_list(list)
                && is_text(order)
                && [1, TYPED.len()].contains(&typed.len()) =>
        {
            Some(Form::Typed)
        }
        _ => None,
    }
}

/// All types are accepted unchanged.
fn coerce(given: &[DataType]) -> Option<Vec<DataType>> {
    form(given).map(|_| given.to_vec())
}

fn tag(arguments: &Arguments<'_>) -> Result<ArrayRef, FunctionError> {
    let arrays = (0..arguments.count()).map(|index| arguments.array(index));
    let arrays: Vec<&ArrayRef> = arrays.collect::<Result<_, _>>()?;
    let types: Vec<DataType> = arrays.iter().map(|array| array.data_type().clone()).collect();
    let (name, list) = if form(&types) == Some(Form::List) { (1, 0) } else { (0, 1) };
    let rows = arguments.rows();
    let Some(lists) = arrays[list].as_list_opt::<i32>().filter(|_| !types[name].is_null()) else {
        // The name or the list is null.
        return Ok(Arc::new(StringArray::new_null(rows)));
    };
    let unknown = || FunctionError::Form { function: FUNCTION.name, usage: FUNCTION.usage() };
    let (names, others) = (arguments.texts(name)?, OtherTags::of(lists).ok_or_else(unknown)?);
    let order = match types.get(2) {
        None | Some(DataType::Null) => Texts::One(None),
        Some(_) => arguments.texts(2)?,
    };
    let columns = arrays.iter().enumerate().skip(3);
    let columns: Vec<Column<'_>> = columns
        .map(|(index, array)| Column::of(array, index, arguments))
        .collect::<Result<_, _>>()?;
    let mut answers = StringBuilder::new();
    for row in 0..rows {
        let list_row = arguments.index(list, row);
        let (Some(name), true) = (names.at(row), lists.is_valid(list_row)) else {
            answers.append_null();
            continue;
        };
        let text = match others.place(name, order.at(row).unwrap_or_default(), list_row) {
            None => None,
            Some(TagPlace::Others(index)) => others.value(list_row, index).map(Cow::Borrowed),
            // A single column is that of the name.
            Some(TagPlace::Column(typed)) => match columns.as_slice() {
                [column] => column.text(row),
                columns => columns.get(typed).and_then(|column| column.text(row)),
            },
        };
        match text {
            Some(text) => append(&mut answers, text, arguments)?,
            None => answers.append_null(),
        }
    }
    Ok(Arc::new(answers.finish()))
}

/// A column that holds tags.
struct Column<'a> {
    values: ColumnValues<'a>,
    is_literal: bool,
}

enum ColumnValues<'a> {
    Null,
    Dates(&'a Date32Array),
    Numbers(&'a Int32Array),
    Texts(Texts<'a>),
}

impl<'a> Column<'a> {
    fn of(
        array: &'a ArrayRef,
        index: usize,
        arguments: &Arguments<'a>,
    ) -> Result<Self, FunctionError> {
        let values = match array.data_type() {
            DataType::Null => ColumnValues::Null,
            DataType::Date32 => ColumnValues::Dates(array.as_primitive()),
            DataType::Int32 => ColumnValues::Numbers(array.as_primitive()),
            _ => ColumnValues::Texts(Texts::of(array).ok_or_else(|| arguments.wrong(index))?),
        };
        Ok(Self { values, is_literal: arguments.index(index, 1) == 0 })
    }

    /// The text of the tag whose value is in the column.
    fn text(&self, row: usize) -> Option<Cow<'a, str>> {
        let row = if self.is_literal { 0 } else { row };
        match &self.values {
            ColumnValues::Null => None,
            ColumnValues::Dates(days) => {
                days.is_valid(row).then(|| Cow::Owned(date_text(days.value(row))))
            }
            ColumnValues::Numbers(numbers) => {
                numbers.is_valid(row).then(|| Cow::Owned(numbers.value(row).to_string()))
            }
            ColumnValues::Texts(texts) => texts.at(row).map(Cow::Borrowed),
        }
    }
}
