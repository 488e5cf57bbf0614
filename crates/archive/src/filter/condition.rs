//! A condition that somebody has written in SQL.

use std::ops::ControlFlow;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::TreeNode;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan};
use datafusion::prelude::DataFrame;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr as SqlExpr, Query, SetExpr, Statement as SqlStatement, Visit, Visitor,
    visit_expressions_mut,
};

use crate::error::{ArchiveError, of_kind};
use crate::functions::raise;
use crate::limits::{check_size, check_text};
use crate::session::TABLE;
use crate::sql::{add_tag_columns, check_clauses};

/// A condition on one game.
pub(crate) enum Condition {
    /// Over its columns.
    OfColumns(Box<Expr>),
    /// With a query in it, to be planned where there are tables.
    WithQueries(Box<SqlExpr>),
}

/// Reads a condition over the columns of a table, and rejects what is no condition on one game. One with queries is
/// [checked](check) when it is planned.
pub(crate) fn parse(games: &DataFrame, sql: &str) -> Result<Condition> {
    check_text(sql).map_err(raise)?;
    let (state, plan) = games.clone().into_parts();
    let dialect = &state.config_options().sql_parser.dialect;
    let mut asked = state.sql_to_expr_with_alias(sql, dialect)?;
    add_tag_columns(&mut asked.expr);
    check_size(&asked.expr).map_err(raise)?;
    check_clauses(&asked.expr, &state).map_err(raise)?;
    if asked.expr.visit(&mut Queries).is_break() {
        return Ok(Condition::WithQueries(Box::new(asked.expr)));
    }
    unqualify(&mut asked.expr);
    let condition = state.create_logical_expr_from_sql_expr(asked, plan.schema())?;
    check(&condition, plan.schema())?;
    Ok(Condition::OfColumns(Box::new(condition)))
}

/// Columns may be written with the name of the table, as in a query: `games.id`.
fn unqualify(condition: &mut SqlExpr) {
    let _: ControlFlow<()> = visit_expressions_mut(condition, |expr| {
        if let SqlExpr::CompoundIdentifier(parts) = expr
            && let [table, column] = parts.as_slice()
            && table.value.eq_ignore_ascii_case(TABLE)
        {
            *expr = SqlExpr::Identifier(column.clone());
        }
        ControlFlow::Continue(())
    });
}

/// Puts a condition into a query that has `true` in its place: as a part of it, never as text, so it cannot end before its end.
pub(crate) fn insert(condition: SqlExpr, query: &mut Statement) -> Result<()> {
    let Statement::Statement(statement) = query else { return Err(refuse("no query")) };
    let SqlStatement::Query(query) = &mut **statement else { return Err(refuse("no query")) };
    let SetExpr::Select(select) = &mut *query.body else { return Err(refuse("no query")) };
    select.selection = Some(condition);
    Ok(())
}

/// Checks the condition of a planned query.
pub(crate) fn check_planned(plan: &LogicalPlan) -> Result<()> {
    let LogicalPlan::Projection(projection) = plan else { return Err(refuse("no condition")) };
    match &*projection.input {
        LogicalPlan::Filter(filter) => check(&filter.predicate, filter.input.schema()),
        _ => Err(refuse(OF_MANY)),
    }
}

const OF_MANY: &str = "the condition is about many games, expected one that each game meets or not";

fn check(condition: &Expr, columns: &DFSchema) -> Result<()> {
    let is_of_many = |expr: &Expr| {
        Ok::<_, DataFusionError>(matches!(
            expr,
            Expr::AggregateFunction(_) | Expr::WindowFunction(_) | Expr::GroupingSet(_)
        ))
    };
    if condition.exists(is_of_many)? {
        return Err(refuse(OF_MANY));
    }
    // What has no type is told by the engine.
    match condition.get_type(columns) {
        Ok(DataType::Boolean | DataType::Null) | Err(_) => Ok(()),
        Ok(kind) => Err(refuse(&of_kind(&kind.to_string()))),
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
