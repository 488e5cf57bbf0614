//! Unknown names of functions and tables.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::TableReference;
use datafusion::error::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArguments, Ident, ObjectName, Query, TableFactor, Visit, Visitor,
};
use halfmove_functions::FUNCTIONS;
use strsim::osa_distance;

use super::{of_sql, place};
use crate::error::SqlError;

/// The error of a statement that the engine cannot plan, if it contains the name of an unknown function or table: the
/// engine reports that only as text.
pub(crate) fn unknown_name(
    statement: &Statement,
    session: &SessionContext,
    error: &DataFusionError,
) -> Option<SqlError> {
    let DataFusionError::Plan(_) = error.find_root() else { return None };
    let mut statement = statement.clone();
    let state = session.state();
    let mut names = Names { session, state: &state, queries: HashSet::new() };
    match of_sql(&mut statement)?.visit(&mut names) {
        ControlFlow::Break(error) => Some(error),
        ControlFlow::Continue(()) => None,
    }
}

/// Stops at an unknown name.
struct Names<'a> {
    session: &'a SessionContext,
    state: &'a SessionState,
    /// The names of the queries of `WITH`.
    queries: HashSet<String>,
}

impl Visitor for Names<'_> {
    type Break = SqlError;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<SqlError> {
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.queries.extend(tables.map(|table| normal(&table.alias.name)));
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<SqlError> {
        match table {
            TableFactor::Table { name, args: None, .. } => self.check_table(name),
            TableFactor::Table { name, args: Some(_), .. } => {
                check_function(name, self.state.table_functions().keys())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<SqlError> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        if matches!(function.args, FunctionArguments::None) {
            // It may be the name of a column.
            return ControlFlow::Continue(());
        }
        let ours = FUNCTIONS.iter().map(|function| function.name);
        // Functions of the planner itself.
        let planned = ["unnest", "unnest_outer", "make_map", "map"].into_iter();
        let scalar = self.state.scalar_functions().keys();
        let registered = scalar
            .chain(self.state.higher_order_functions().keys())
            .chain(self.state.aggregate_functions().keys())
            .chain(self.state.window_functions().keys());
        check_function(&function.name, ours.chain(planned).chain(registered.map(String::as_str)))
    }
}

impl Names<'_> {
    fn check_table(&self, name: &ObjectName) -> ControlFlow<SqlError> {
        let idents: Option<Vec<&Ident>> = name.0.iter().map(|part| part.as_ident()).collect();
        let Some(idents) = idents else { return ControlFlow::Continue(()) };
        let names: Vec<String> = idents.iter().map(|ident| normal(ident)).collect();
        let reference = match names.as_slice() {
            [table] if self.queries.contains(table) => return ControlFlow::Continue(()),
            [table] => TableReference::bare(table.as_str()),
            [schema, table] => TableReference::partial(schema.as_str(), table.as_str()),
            [catalog, schema, table] => {
                TableReference::full(catalog.as_str(), schema.as_str(), table.as_str())
            }
            _ => return ControlFlow::Continue(()),
        };
        if self.session.table_exist(reference).unwrap_or(false) {
            return ControlFlow::Continue(());
        }
        let place = idents.first().and_then(|ident| place(ident.span.start));
        ControlFlow::Break(SqlError::UnknownTable { name: names.join("."), place })
    }
}

/// Breaks if a function name is unknown. Of equally similar known names, the first is suggested.
fn check_function<'a>(
    name: &ObjectName,
    known: impl Iterator<Item = &'a (impl AsRef<str> + ?Sized + 'a)>,
) -> ControlFlow<SqlError> {
    let [part] = name.0.as_slice() else { return ControlFlow::Continue(()) };
    let Some(ident) = part.as_ident() else { return ControlFlow::Continue(()) };
    let name = normal(ident);
    let distance = |known: &str| osa_distance(known, &name);
    let Some(near) = known.map(AsRef::as_ref).min_by_key(|known| distance(known)) else {
        return ControlFlow::Continue(());
    };
    if near == name {
        return ControlFlow::Continue(());
    }
    let is_near = 2 * distance(near) <= near.len().max(name.len());
    let near = is_near.then(|| near.to_owned());
    ControlFlow::Break(SqlError::UnknownFunction { name, near, place: place(ident.span.start) })
}

/// A name in the engine's normal form.
fn normal(ident: &Ident) -> String {
    match ident.quote_style {
        None => ident.value.to_lowercase(),
        Some(_) => ident.value.clone(),
    }
}
