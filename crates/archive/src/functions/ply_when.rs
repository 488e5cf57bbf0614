//! `ply_when(moves, conditions) -> INT`: after how many half-moves the board of the game first meets the conditions,
//! null if never.
//!
//! Conditions are words, as in `'material:KRPvKR either-color for:10'`:
//! see [`BoardQuestion`](halfmove_game::replay::BoardQuestion).

use std::sync::Arc;

use datafusion::arrow::array::Int32Builder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use halfmove_game::replay::{BoardQuery, BoardQuestion, Material, Pattern};

use super::args::{Call, Kind, coerce, raise};
use crate::error::ArchiveError;

/// The question of a text.
fn parse_conditions(text: &str) -> Result<BoardQuestion, ArchiveError> {
    let question: Result<BoardQuestion, _> = text.parse();
    question.map_err(|error| {
        // The value without its name.
        let name = match (text.parse::<Material>(), text.parse::<Pattern>()) {
            (Ok(_), _) => Some("material"),
            (_, Ok(_)) => Some("pattern"),
            _ => None,
        };
        let near = name.map_or_else(String::new, |name| format!(": did you mean '{name}:{text}'?"));
        ArchiveError::Query(format!("the conditions \"{text}\": {error}{near}"))
    })
}

/// The question of the last argument of a call, if it is a literal.
pub(crate) fn literal_conditions(arguments: &[Expr]) -> Option<BoardQuestion> {
    match arguments {
        [Expr::Literal(text, _)] => text.try_as_str().flatten()?.parse().ok(),
        _ => None,
    }
}

/// Checks literal conditions, the second argument, before anything is read.
pub(super) fn check_literal_conditions(args: &ReturnFieldArgs<'_>) -> Result<()> {
    let literal = args.scalar_arguments.get(1).copied().flatten();
    match literal.and_then(|literal| literal.try_as_str().flatten()) {
        Some(text) => parse_conditions(text).map(drop).map_err(raise),
        None => Ok(()),
    }
}

/// Calls `answer` for each row with the ply at which its conditions are met; null where an argument is null.
pub(super) fn for_each_row(
    name: &str,
    args: ScalarFunctionArgs,
    mut answer: impl FnMut(Option<Option<u32>>),
) -> Result<()> {
    let call = Call::new(args)?;
    let (moves, texts) = (call.bytes(0)?, call.texts(1)?);
    // Most often all rows have the same conditions.
    let mut last: Option<(&str, BoardQuery)> = None;
    for row in 0..call.rows() {
        let (Some(moves), Some(text)) = (moves.at(row), texts.at(row)) else {
            answer(None);
            continue;
        };
        let query = match &last {
            Some((of, query)) if *of == text => query,
            _ => {
                let question = parse_conditions(text).map_err(raise)?;
                &last.insert((text, BoardQuery::new(&question))).1
            }
        };
        answer(Some(query.find(moves).map_err(|error| call.bad_moves(name, error))?));
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PlyWhen {
    signature: Signature,
}

impl Default for PlyWhen {
    fn default() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for PlyWhen {
    fn name(&self) -> &str {
        "ply_when"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        check_literal_conditions(&args)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Int32, true)))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce("ply_when", "ply_when(moves, 'material:KRPvKR')", &[Kind::Moves, Kind::Text], given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut answers = Int32Builder::with_capacity(args.number_rows);
        for_each_row(self.name(), args, |ply| {
            answers.append_option(ply.flatten().map(|ply| i32::try_from(ply).unwrap_or(i32::MAX)));
        })?;
        Ok(ColumnarValue::Array(Arc::new(answers.finish())))
    }
}
