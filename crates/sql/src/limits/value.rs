//! Values that take far more room than what they are made from, and that no call can be asked about.

use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, WindowFunctionDefinition};

use crate::error::ArchiveError;
use crate::functions::raise;

/// Aggregates whose value is longer the more rows there are. Behind `OVER`, each row has such a value.
const GROW: [&str; 3] = ["array_agg", "string_agg", "explore"];

/// Rejects expressions with such values.
pub(super) fn check_value(expr: &Expr) -> Result<()> {
    let refuse = |what: String| Err(raise(ArchiveError::Limit(what)));
    match expr {
        Expr::WindowFunction(call) => match &call.fun {
            WindowFunctionDefinition::AggregateUDF(fun) if GROW.contains(&fun.name()) => {
                let name = fun.name();
                refuse(format!(
                    "{name} with OVER would make a long value for each row, which is not allowed: use GROUP BY"
                ))
            }
            _ => Ok(()),
        },
        Expr::Cast(cast) if is_fixed(cast.field.data_type()) => refuse(fixed()),
        Expr::TryCast(cast) if is_fixed(cast.field.data_type()) => refuse(fixed()),
        Expr::ScalarFunction(call)
            if matches!(call.func.name(), "arrow_cast" | "arrow_try_cast")
                && call.args.get(1).is_some_and(names_fixed) =>
        {
            refuse(fixed())
        }
        _ => Ok(()),
    }
}

/// What the name of such a type begins with.
const FIXED: &str = "FixedSize";

/// Whether values of a type take room even where they are null.
fn is_fixed(kind: &DataType) -> bool {
    kind.to_string().contains(FIXED)
}

/// Whether a text names such a type.
fn names_fixed(argument: &Expr) -> bool {
    let text = argument.as_literal().and_then(|text| text.try_as_str().flatten());
    text.is_some_and(|text| text.contains(FIXED))
}

fn fixed() -> String {
    "a cast to a type of a fixed size is not allowed, since each value takes all of that size: cast to List or Binary"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use datafusion::functions_aggregate::all_default_aggregate_functions;

    use super::GROW;

    /// Whoever takes a later version of the engine has to look at its new aggregates.
    #[test]
    fn all_aggregates_have_been_looked_at() {
        let functions = all_default_aggregate_functions();
        let mut names: Vec<&str> = functions.iter().map(|function| function.name()).collect();
        names.sort_unstable();
        names.retain(|name| !GROW.contains(name));
        // Their values are numbers, or values of a row.
        let others = [
            "any_value",
            "approx_distinct",
            "approx_median",
            "approx_percentile_cont",
            "approx_percentile_cont_with_weight",
            "avg",
            "bit_and",
            "bit_or",
            "bit_xor",
            "bool_and",
            "bool_or",
            "corr",
            "count",
            "covar_pop",
            "covar_samp",
            "first_value",
            "grouping",
            "last_value",
            "max",
            "median",
            "min",
            "nth_value",
            "percentile_cont",
            "regr_avgx",
            "regr_avgy",
            "regr_count",
            "regr_intercept",
            "regr_r2",
            "regr_slope",
            "regr_sxx",
            "regr_sxy",
            "regr_syy",
            "stddev",
            "stddev_pop",
            "sum",
            "var",
            "var_pop",
        ];
        assert_eq!(names, others);
    }
}
