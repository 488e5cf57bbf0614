//! Rejects values that the engine would silently read as something else: columns of bytes as texts (for `length(moves)`, it
//! would fail at the first game whose bytes are not UTF-8), and numbers as dates (for `date > 2020`, it would compare with
//! the 2020th day since 1970).

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, ExprSchema, Result};
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator};
use datafusion::optimizer::AnalyzerRule;

use crate::error::{SqlError, raise};

/// Rejects expressions that read a column of bytes as a text, or a number as a date.
#[derive(Debug)]
pub(crate) struct CheckReadings;

impl AnalyzerRule for CheckReadings {
    fn name(&self) -> &str {
        "check_readings"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|plan| {
            plan.apply_expressions(|expr| {
                expr.apply(|expr| {
                    if let Some(column) =
                        texts_of(expr).find_map(|text| column_of_bytes(text, plan))
                    {
                        return Err(raise(SqlError::BytesAsText {
                            column: column.name().to_owned(),
                        }));
                    }
                    match number_as_date(expr, plan) {
                        Some(number) => Err(raise(SqlError::NumberAsDate { number })),
                        None => Ok(TreeNodeRecursion::Continue),
                    }
                })
            })
        })?;
        Ok(plan)
    }
}

/// The parts of an expression that it reads as texts.
fn texts_of(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let parts: Vec<&Expr> = match expr {
        Expr::Cast(cast) if is_text(cast.field.data_type()) => vec![&cast.expr],
        Expr::TryCast(cast) if is_text(cast.field.data_type()) => vec![&cast.expr],
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::StringConcat, right }) => {
            vec![left, right]
        }
        // These take bytes, and fail on bytes that are not text.
        Expr::ScalarFunction(call) if call.func.name() == "concat" => call.args.iter().collect(),
        Expr::AggregateFunction(call) if call.func.name() == "string_agg" => {
            call.params.args.iter().collect()
        }
        _ => Vec::new(),
    };
    parts.into_iter()
}

/// The column of bytes that an expression consists of.
fn column_of_bytes<'a>(expr: &'a Expr, plan: &LogicalPlan) -> Option<&'a Column> {
    let Expr::Column(column) = expr else { return None };
    let is_bytes = plan.inputs().into_iter().any(|input| {
        let field = input.schema().field_from_column(column);
        field.is_ok_and(|field| is_bytes(field.data_type()))
    });
    is_bytes.then_some(column)
}

/// The number that an expression reads as a date or a time, by the days or microseconds since 1970.
fn number_as_date(expr: &Expr, plan: &LogicalPlan) -> Option<String> {
    let (field, inner) = match expr {
        Expr::Cast(cast) => (&cast.field, &cast.expr),
        Expr::TryCast(cast) => (&cast.field, &cast.expr),
        _ => return None,
    };
    let is_number = match inner.as_ref() {
        Expr::Literal(value, _) => value.data_type().is_numeric(),
        Expr::Column(column) => plan.inputs().into_iter().any(|input| {
            let field = input.schema().field_from_column(column);
            field.is_ok_and(|field| field.data_type().is_numeric())
        }),
        _ => false,
    };
    (is_number && field.data_type().is_temporal()).then(|| inner.human_display().to_string())
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_bytes(kind: &DataType) -> bool {
    matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}
