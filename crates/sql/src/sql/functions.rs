//! Clauses of calls that the engine's planner passes over.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::ast::{
    DuplicateTreatment, Function, FunctionArgumentClause, FunctionArguments, ObjectNamePart,
};

use super::clauses::{Found, reject};

/// Functions that are windows, and not aggregates, behind `OVER`.
const WINDOWS: [&str; 3] = ["first_value", "last_value", "nth_value"];

/// Rejects a call with a clause that would be passed over.
pub(super) fn check_function(function: &Function, state: &SessionState) -> Found {
    let Function {
        name,
        uses_odbc_syntax: _,
        parameters,
        args,
        filter,
        null_treatment,
        over,
        within_group,
    } = function;
    reject(!matches!(parameters, FunctionArguments::None), "a second list of arguments")?;
    reject(
        matches!(args, FunctionArguments::Subquery(_)),
        "a query as an argument without parentheses of its own",
    )?;
    let name = match name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.to_lowercase(),
        _ => name.to_string(),
    };
    let (mut is_distinct, mut is_ordered, mut treats_nulls) =
        (false, !within_group.is_empty(), null_treatment.is_some());
    if let FunctionArguments::List(list) = args {
        is_distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        for clause in &list.clauses {
            is_ordered |= matches!(clause, FunctionArgumentClause::OrderBy(_));
            treats_nulls |= matches!(clause, FunctionArgumentClause::IgnoreOrRespectNulls(_));
        }
    }
    // Functions of one row come first, whatever stands behind them.
    let is_of_a_row = state.scalar_functions().contains_key(&name)
        || state.higher_order_functions().contains_key(&name)
        || ["unnest", "unnest_outer", "make_map", "map"].contains(&name.as_str());
    if is_of_a_row {
        let of = |clause: &str| format!("{clause} with {name}, which is no aggregate");
        reject(over.is_some(), &of("OVER"))?;
        reject(filter.is_some(), &of("FILTER"))?;
        reject(is_distinct, &of("DISTINCT"))?;
        reject(is_ordered, &of("ORDER BY"))?;
        return reject(treats_nulls, &of("IGNORE or RESPECT NULLS"));
    }
    let is_aggregate = state.aggregate_functions().contains_key(&name);
    let is_window = over.is_some() && (!is_aggregate || WINDOWS.contains(&name.as_str()));
    if is_window && state.window_functions().contains_key(&name) {
        let of = |clause: &str| format!("{clause} with {name}, which is no aggregate behind OVER");
        reject(filter.is_some(), &of("FILTER"))?;
        reject(is_distinct, &of("DISTINCT"))?;
    }
    ControlFlow::Continue(())
}
