//! Clauses that the parser accepts and the engine ignores, so that the result would be that of
//! another query.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{GroupByExpr, Select, TableFactor, Visit, Visitor};

use crate::error::SqlError;

/// Rejects clauses of other databases that would have no effect.
pub(super) fn check_clauses(statement: &impl Visit) -> Result<(), SqlError> {
    match statement.visit(&mut Clauses) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break((clause, instead)) => {
            Err(SqlError::Unsupported { clause: clause.to_owned(), instead: instead.to_owned() })
        }
    }
}

struct Clauses;

/// A clause, and the supported form.
type Found = (&'static str, &'static str);

impl Visitor for Clauses {
    type Break = Found;

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<Found> {
        let (GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers)) =
            &select.group_by;
        if select.top.is_some() {
            return ControlFlow::Break(("TOP", "LIMIT at the end of the query"));
        }
        if select.prewhere.is_some() {
            return ControlFlow::Break(("PREWHERE", "WHERE"));
        }
        if !modifiers.is_empty() {
            return ControlFlow::Break(("WITH after GROUP BY", "GROUP BY ROLLUP (…)"));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<Found> {
        match table {
            TableFactor::Table { sample: Some(_), .. } => {
                ControlFlow::Break(("TABLESAMPLE", "WHERE random() < 0.1"))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
