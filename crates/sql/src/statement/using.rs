//! The columns of `USING (id)` in `WHERE`. The engine takes them as one column everywhere but in `WHERE`, where it
//! reports them as ambiguous, so they are qualified with the first table.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, Query, Select, TableFactor, VisitMut,
    VisitorMut,
};

/// Names the table of each column of `USING` in the conditions of a statement.
pub(super) fn qualify_columns(statement: &mut impl VisitMut) {
    let _: ControlFlow<()> = statement.visit(&mut Selects);
}

struct Selects;

impl VisitorMut for Selects {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let [tables] = select.from.as_slice() else { return ControlFlow::Continue(()) };
        // In other joins, the first table may lack the row.
        let columns: Option<Vec<Vec<Ident>>> = tables.joins.iter().map(columns_of).collect();
        let columns = columns.unwrap_or_default().concat();
        if let (Some(table), Some(condition)) = (name_of(&tables.relation), &mut select.selection) {
            let _ = condition.visit(&mut Qualifier { table, columns, depth: 0 });
        }
        ControlFlow::Continue(())
    }
}

/// The columns of `USING` of an inner or left join; `None` for other joins.
fn columns_of(join: &Join) -> Option<Vec<Ident>> {
    let (JoinOperator::Join(constraint)
    | JoinOperator::Inner(constraint)
    | JoinOperator::Left(constraint)
    | JoinOperator::LeftOuter(constraint)) = &join.join_operator
    else {
        return None;
    };
    Some(match constraint {
        JoinConstraint::Using(columns) => {
            columns.iter().filter_map(|name| name.0.last()?.as_ident().cloned()).collect()
        }
        _ => Vec::new(),
    })
}

/// The name by which a query knows a table.
fn name_of(table: &TableFactor) -> Option<Ident> {
    match table {
        TableFactor::Table { alias: Some(alias), .. }
        | TableFactor::Derived { alias: Some(alias), .. } => Some(alias.name.clone()),
        TableFactor::Table { name, .. } => name.0.last()?.as_ident().cloned(),
        _ => None,
    }
}

/// Names the table of some columns in a condition, but not in its subqueries, which have other tables.
struct Qualifier {
    table: Ident,
    columns: Vec<Ident>,
    depth: usize,
}

impl VisitorMut for Qualifier {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.depth == 0
            && let Expr::Identifier(name) = expr
            && self.columns.iter().any(|column| column.value.eq_ignore_ascii_case(&name.value))
        {
            *expr = Expr::CompoundIdentifier(vec![self.table.clone(), name.clone()]);
        }
        ControlFlow::Continue(())
    }
}
