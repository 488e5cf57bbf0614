//! A condition that somebody has written in SQL.

use std::ops::ControlFlow;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::TreeNode;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, ExprSchemable};
use datafusion::prelude::DataFrame;
use datafusion::sql::sqlparser::ast::{Query, Visit, Visitor};

use crate::error::ArchiveError;
use crate::functions::raise;
use crate::limits::{check_size, check_text};
use crate::sql::{add_tag_columns, check_clauses};

/// Reads a condition over the columns of a table, and rejects what is no condition on one game.
pub(crate) fn parse(games: &DataFrame, sql: &str) -> Result<Expr> {
    check_text(sql).map_err(raise)?;
    let (state, plan) = games.clone().into_parts();
    let dialect = &state.config_options().sql_parser.dialect;
    let mut asked = state.sql_to_expr_with_alias(sql, dialect)?;
    add_tag_columns(&mut asked.expr);
    check_size(&asked.expr).map_err(raise)?;
    check_clauses(&asked.expr, &state).map_err(raise)?;
    if asked.expr.visit(&mut Queries).is_break() {
        return Err(refuse("the condition has a query in it: ask the whole question in SQL"));
    }
    let condition = state.create_logical_expr_from_sql_expr(asked, plan.schema())?;
    let is_of_many = |expr: &Expr| {
        Ok::<_, DataFusionError>(matches!(
            expr,
            Expr::AggregateFunction(_) | Expr::WindowFunction(_) | Expr::GroupingSet(_)
        ))
    };
    if condition.exists(is_of_many)? {
        return Err(refuse(
            "the condition is about many games, expected one that each game meets or not",
        ));
    }
    // What has no type is told by the engine.
    match condition.get_type(plan.schema()) {
        Ok(DataType::Boolean | DataType::Null) | Err(_) => Ok(condition),
        Ok(kind) => Err(refuse(&format!(
            "the condition is a value of the type {kind}, expected one that is true or false"
        ))),
    }
}

fn refuse(why: &str) -> DataFusionError {
    raise(ArchiveError::Query(why.to_owned()))
}

/// Ends at a query within an expression.
struct Queries;

impl Visitor for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
