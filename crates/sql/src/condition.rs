//! A condition on games, evaluated to the ids of the games that meet it.

use std::ops::ControlFlow;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, col};
use datafusion::physical_plan::SendableRecordBatchStream as Batches;
use datafusion::prelude::DataFrame;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Query, SelectItem, SetExpr, Statement as SqlStatement, Visit, Visitor,
};
use futures::TryStreamExt;
use halfmove_archive::{ArchiveError, RoaringTreemap};

use crate::error::{SqlError, raise};
use crate::sql::TABLE;
use crate::statement::parse;

/// Rejects a condition with an aggregate or a window, except in a subquery.
pub(crate) fn check(condition: &Expr, state: &SessionState) -> Result<(), SqlError> {
    struct Groups<'a> {
        state: &'a SessionState,
        /// The number of enclosing queries.
        queries: usize,
    }

    impl Visitor for Groups<'_> {
        type Break = ();

        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries += 1;
            ControlFlow::Continue(())
        }

        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries -= 1;
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
            let name = function.name.to_string().to_lowercase();
            let is_of_groups =
                function.over.is_some() || self.state.aggregate_functions().contains_key(&name);
            match is_of_groups && self.queries == 0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    match condition.visit(&mut Groups { state, queries: 0 }) {
        ControlFlow::Break(()) => Err(SqlError::ConditionOnGroups),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The query `SELECT condition FROM games`. The condition becomes part of its syntax tree, never of its text, so the
/// condition cannot break out of it.
pub(crate) fn query_of(condition: Expr) -> Result<Statement, SqlError> {
    let mut query = parse(&format!("SELECT true FROM {TABLE}"))?;
    if let Statement::Statement(statement) = &mut query
        && let SqlStatement::Query(query) = statement.as_mut()
        && let SetExpr::Select(select) = query.body.as_mut()
    {
        select.projection = vec![SelectItem::UnnamedExpr(condition)];
    }
    Ok(query)
}

/// The plan that selects the ids of the games for which the condition of the planned query is true.
pub(crate) fn filter_of(planned: DataFrame) -> Result<DataFrame> {
    let (state, plan) = planned.into_parts();
    let LogicalPlan::Projection(projection) = &plan else {
        return Err(raise(SqlError::ConditionOnGroups));
    };
    // Any operation that produces other rows would be in between.
    let (LogicalPlan::TableScan(_), [condition]) = (&*projection.input, &*projection.expr) else {
        return Err(raise(SqlError::ConditionOnGroups));
    };
    match plan.schema().field(0).data_type() {
        DataType::Boolean | DataType::Null => {}
        kind => return Err(raise(SqlError::ConditionType { kind: kind.to_string() })),
    }
    let games = LogicalPlanBuilder::from(projection.input.as_ref().clone());
    let plan = games.filter(condition.clone())?.project([col("id")])?.build()?;
    Ok(DataFrame::new(state, plan))
}

/// The ids of all rows.
pub(crate) async fn ids_of(mut batches: Batches) -> Result<RoaringTreemap> {
    let mut ids = RoaringTreemap::new();
    while let Some(batch) = batches.try_next().await? {
        for id in batch.column(0).as_primitive::<Int64Type>().values() {
            let damage = || ArchiveError::Damaged(format!("game {id}: ids begin with 1"));
            let id = u64::try_from(*id).ok().filter(|id| *id > 0);
            ids.insert(id.ok_or_else(|| raise(damage()))?);
        }
    }
    Ok(ids)
}
