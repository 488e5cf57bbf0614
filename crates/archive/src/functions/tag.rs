//! `tag(name) -> VARCHAR`: the text of a tag as the game has it, null if it has no such tag.
//!
//! `tag('TimeControl')` is `300+3`, `tag('Date')` is `1924.??.??`. A tag of exactly this name comes first, else one whose
//! name differs only in the case of its letters. In queries, [`sql`](crate::sql) adds the columns that hold tags; a
//! query that has several tables names the list of one: `tag(g.other_tags, 'TimeControl')`.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, StringArray, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Date32Type, Int32Type};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

use super::args::Texts;
use crate::row::{TYPED, date_text};

const USAGE: &str = "tag('NAME') or tag(other_tags, 'NAME')";

/// Where the text of a tag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the column of this tag of [`TYPED`].
    Column(usize),
    /// In `other_tags`, at this index.
    Others(usize),
}

/// Where the text of a tag is, in a game whose tags have these names and order.
pub(crate) fn place<'a>(
    name: &str,
    order: &str,
    others: impl Iterator<Item = &'a str> + Clone,
) -> Option<Place> {
    let typed = TYPED.iter().position(|typed| typed.eq_ignore_ascii_case(name));
    // Of several tags of a name, the first is in the column, unless all are in the list.
    let column = typed.filter(|typed| {
        let names = order.split(' ').filter(|name| *name == TYPED[*typed]).count();
        names > others.clone().filter(|name| *name == TYPED[*typed]).count()
    });
    let exact = column.filter(|typed| TYPED[*typed] == name).map(Place::Column);
    let among = |matches: fn(&str, &str) -> bool| {
        others.clone().position(|other| matches(other, name)).map(Place::Others)
    };
    exact
        .or_else(|| among(|a, b| a == b))
        .or_else(|| column.map(Place::Column))
        .or_else(|| among(|a, b| a.eq_ignore_ascii_case(b)))
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct TagOf {
    signature: Signature,
}

impl Default for TagOf {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

/// The form of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `tag(other_tags, name)`, as people write it.
    List,
    /// `tag(name, other_tags)`, of a name that has no column.
    Untyped,
    /// `tag(name, other_tags, tag_order, …)` with one column or with all of them.
    Typed,
}

fn form(types: &[DataType]) -> Option<Form> {
    let is_text = |kind: &DataType| kind.is_string() || kind.is_null();
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

impl ScalarUDFImpl for TagOf {
    fn name(&self) -> &str {
        "tag"
    }

    /// The columns that were added are not shown.
    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        let name = |expr: &Expr| match expr {
            Expr::Literal(text, _) => {
                text.try_as_str().flatten().map(|name| format!("tag('{name}')"))
            }
            _ => None,
        };
        match args {
            [first, ..] if name(first).is_some() => Ok(name(first).unwrap_or_default()),
            [first, _] => Ok(format!("tag({},{})", first.schema_name(), args[1].schema_name())),
            [first, ..] => Ok(format!("tag({})", first.schema_name())),
            [] => Ok("tag()".to_owned()),
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let mut types = given.to_vec();
        for kind in &mut types {
            if let DataType::Dictionary(_, value) = kind {
                *kind = value.as_ref().clone();
            }
        }
        match form(&types) {
            Some(_) => Ok(types),
            None => plan_err!("tag was called in an unknown way, expected {USAGE}"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let types: Vec<DataType> = args.args.iter().map(ColumnarValue::data_type).collect();
        let mut arrays = Vec::with_capacity(types.len());
        for value in &args.args {
            arrays.push(value.to_array(rows)?);
        }
        let (names, lists) = match form(&types) {
            Some(Form::List) => (&arrays[1], &arrays[0]),
            Some(_) => (&arrays[0], &arrays[1]),
            None => return plan_err!("tag was called in an unknown way, expected {USAGE}"),
        };
        let mut answers = StringBuilder::new();
        let Some(lists) = lists.as_list_opt::<i32>().filter(|_| names.data_type().is_string())
        else {
            // The name or the list is null.
            return Ok(ColumnarValue::Array(Arc::new(StringArray::new_null(rows))));
        };
        let (names, others) = (Texts::of(names)?, Others::of(lists)?);
        let order = arrays.get(2).map(|order| Texts::of(order)).transpose()?;
        let columns = arrays.get(3..).unwrap_or_default();
        for row in 0..rows {
            let (Some(name), true) = (names.at(row), lists.is_valid(row)) else {
                answers.append_null();
                continue;
            };
            let range = others.range(row);
            let order = order.as_ref().and_then(|order| order.at(row)).unwrap_or_default();
            let there = range.clone().map(|index| others.names.at(index).unwrap_or_default());
            match place(name, order, there) {
                None => answers.append_null(),
                Some(Place::Others(index)) => {
                    answers.append_option(others.values.at(range.start + index));
                }
                Some(Place::Column(typed)) => {
                    // One column is that of the name.
                    let column = if columns.len() == 1 { &columns[0] } else { &columns[typed] };
                    answers.append_option(text_of(column, row)?);
                }
            }
        }
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}

/// The lists of `other_tags`.
struct Others<'a> {
    lists: &'a ListArray,
    names: Texts<'a>,
    values: Texts<'a>,
}

impl<'a> Others<'a> {
    fn of(lists: &'a ListArray) -> Result<Self> {
        let tags = lists.values().as_struct_opt().map(|tags| tags.columns());
        let Some([names, values]) = tags else {
            return plan_err!("argument of tag holds no tags, expected {USAGE}");
        };
        Ok(Self { lists, names: Texts::of(names)?, values: Texts::of(values)? })
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        let offsets = self.lists.value_offsets();
        offsets[row] as usize..offsets[row + 1] as usize
    }
}

/// The text of a tag that has no column, in each list of `other_tags`.
pub(crate) fn untyped<'a>(
    lists: &'a ListArray,
    name: &'a str,
) -> Result<impl Iterator<Item = Option<&'a str>>> {
    let others = Others::of(lists)?;
    Ok((0..lists.len()).map(move |row| {
        let range = others.range(row);
        let there = range.clone().map(|index| others.names.at(index).unwrap_or_default());
        match place(name, "", there) {
            Some(Place::Others(index)) => others.values.at(range.start + index),
            Some(Place::Column(_)) | None => None,
        }
    }))
}

/// The text that a tag had whose value is in a column.
fn text_of(column: &ArrayRef, row: usize) -> Result<Option<String>> {
    if column.is_null(row) {
        return Ok(None);
    }
    Ok(match column.data_type() {
        DataType::Date32 => Some(date_text(column.as_primitive::<Date32Type>().value(row))),
        DataType::Int32 => Some(column.as_primitive::<Int32Type>().value(row).to_string()),
        _ => Texts::of(column)?.at(row).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_where_rows_put_them() {
        let order = "Event White white TimeControl WhiteElo Date Date";
        let others = ["white", "TimeControl", "WhiteElo", "Date", "timecontrol"];
        let at = |name| place(name, order, others.into_iter());
        assert_eq!(at("Event"), Some(Place::Column(0)));
        assert_eq!(at("EVENT"), Some(Place::Column(0)));
        assert_eq!(at("White"), Some(Place::Column(4)));
        // Exactly this name comes first.
        assert_eq!(at("white"), Some(Place::Others(0)));
        assert_eq!(at("WHITE"), Some(Place::Column(4)));
        assert_eq!(at("timecontrol"), Some(Place::Others(4)));
        assert_eq!(at("TIMECONTROL"), Some(Place::Others(1)));
        // All tags of the name are in the list.
        assert_eq!(at("WhiteElo"), Some(Place::Others(2)));
        // The first of two is in the column.
        assert_eq!(at("Date"), Some(Place::Column(2)));
        assert_eq!(at("ECO"), None);
        assert_eq!(at(""), None);
    }
}
