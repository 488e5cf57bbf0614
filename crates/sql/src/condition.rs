//! A condition on games, as the ids of the games that meet it.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, col};
use datafusion::physical_plan::SendableRecordBatchStream as Batches;
use datafusion::prelude::DataFrame;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, SelectItem, SetExpr, Statement as SqlStatement};
use futures::TryStreamExt;
use halfmove_archive::{ArchiveError, RoaringTreemap};

use crate::error::{SqlError, raise};
use crate::sql::TABLE;
use crate::statement::parse;

/// The query `SELECT condition FROM games`. The condition becomes a part of it, never of its text, so it cannot end before its
/// end.
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

/// The ids of the games for which the planned query of a condition gives true.
pub(crate) fn filter_of(asked: DataFrame) -> Result<DataFrame> {
    let (state, plan) = asked.into_parts();
    let LogicalPlan::Projection(projection) = &plan else {
        return Err(raise(SqlError::ConditionOnGroups));
    };
    // Aggregates and windows are operations below.
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
