//! Clauses that the parser knows and the engine's planner passes over without a word: the answer would be that to another
//! question. `FROM games SAMPLE 10`, for instance, would be answered for all games.
//!
//! Structures are taken apart in full where the planner leaves something out, so that a later version of the parser that
//! knows more clauses has to be looked at here.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::ast::{
    Cte, Expr, Function, FunctionArg, GroupByExpr, NamedWindowDefinition, NamedWindowExpr,
    PipeOperator, Query, Select, SelectFlavor, SetExpr, SetOperator, TableAlias, TableFactor,
    TableWithJoins, Visit, Visitor, WindowSpec, WindowType,
};

use super::functions::check_function;
use crate::error::ArchiveError;

/// Rejects a question with a clause that would be passed over.
pub(crate) fn check_clauses(asked: &impl Visit, state: &SessionState) -> Result<(), ArchiveError> {
    match asked.visit(&mut Clauses { state }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(clause) => Err(ArchiveError::Query(format!("not supported: {clause}"))),
    }
}

/// What names a clause that is passed over, if there is one.
pub(super) type Found = ControlFlow<String>;

/// Breaks with the name of a clause that is there.
pub(super) fn reject(is_there: bool, clause: &str) -> Found {
    match is_there {
        true => ControlFlow::Break(clause.to_owned()),
        false => ControlFlow::Continue(()),
    }
}

struct Clauses<'a> {
    state: &'a SessionState,
}

impl Visitor for Clauses<'_> {
    type Break = String;

    fn pre_visit_query(&mut self, query: &Query) -> Found {
        let Query {
            with,
            body: _,
            order_by,
            limit_clause: _,
            fetch: _,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        reject(!locks.is_empty(), "FOR UPDATE and FOR SHARE")?;
        reject(for_clause.is_some(), "FOR XML, FOR JSON and FOR BROWSE")?;
        reject(settings.is_some(), "SETTINGS")?;
        reject(format_clause.is_some(), "FORMAT")?;
        if let Some(order_by) = order_by {
            named_windows(order_by)?;
        }
        if let Some(with) = with {
            for cte in &with.cte_tables {
                of_cte(cte, with.recursive)?;
            }
        }
        for operator in pipe_operators {
            if let PipeOperator::Aggregate { full_table_exprs, group_by_expr } = operator {
                let mut exprs = full_table_exprs.iter().chain(group_by_expr);
                let is_ordered = exprs
                    .any(|expr| expr.order_by.asc.is_some() || expr.order_by.nulls_first.is_some());
                reject(is_ordered, "an order (ASC, DESC, NULLS) in AGGREGATE")?;
            }
            if let PipeOperator::OrderBy { exprs } = operator {
                named_windows(exprs)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> Found {
        let Select {
            select_token: _,
            // Comments.
            optimizer_hints: _,
            distinct: _,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection: _,
            exclude,
            into: _,
            from,
            lateral_views: _,
            prewhere,
            selection: _,
            connect_by,
            group_by,
            cluster_by: _,
            distribute_by: _,
            sort_by: _,
            having: _,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        reject(*flavor != SelectFlavor::Standard, "FROM before SELECT, or without it")?;
        reject(top.is_some(), "TOP; LIMIT behind the query says how many rows")?;
        reject(select_modifiers.is_some(), "a modifier behind SELECT, such as HIGH_PRIORITY")?;
        reject(exclude.is_some(), "EXCLUDE behind columns")?;
        reject(prewhere.is_some(), "PREWHERE")?;
        reject(!connect_by.is_empty(), "CONNECT BY and START WITH")?;
        reject(value_table_mode.is_some(), "SELECT AS STRUCT and SELECT AS VALUE")?;
        let (GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers)) = group_by;
        let modifier = modifiers.first().map(ToString::to_string);
        reject(modifier.is_some(), &format!("{} behind GROUP BY", modifier.unwrap_or_default()))?;
        for NamedWindowDefinition(_, window) in named_window {
            if let NamedWindowExpr::WindowSpec(window) = window {
                of_window(window)?;
            }
        }
        if let Some(qualify) = qualify {
            named_windows(qualify)?;
        }
        from.iter().try_for_each(of_joins)
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> Found {
        match table {
            TableFactor::Table {
                name: _,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_hints,
            } => {
                let settings = args.as_ref().and_then(|args| args.settings.as_ref());
                reject(settings.is_some(), "SETTINGS")?;
                reject(!with_hints.is_empty(), "WITH (…) behind a table")?;
                reject(version.is_some(), "an earlier version of a table")?;
                reject(*with_ordinality, "WITH ORDINALITY")?;
                reject(!partitions.is_empty(), "PARTITION behind a table")?;
                reject(json_path.is_some(), "a path behind a table")?;
                reject(sample.is_some(), "TABLESAMPLE and SAMPLE")?;
                reject(!index_hints.is_empty(), "an index hint")?;
                // To the parser it is a name like any other.
                let is_final = alias.as_ref().is_some_and(|alias| {
                    !alias.explicit
                        && alias.name.quote_style.is_none()
                        && alias.name.value.eq_ignore_ascii_case("final")
                });
                reject(is_final, "FINAL")?;
                of_alias(alias.as_ref())
            }
            TableFactor::Derived { lateral: _, subquery: _, alias, sample } => {
                reject(sample.is_some(), "TABLESAMPLE and SAMPLE")?;
                of_alias(alias.as_ref())
            }
            TableFactor::Function { lateral: _, name: _, args, with_ordinality, alias } => {
                let is_named = |arg: &FunctionArg| !matches!(arg, FunctionArg::Unnamed(_));
                reject(args.iter().any(is_named), "a name of an argument behind LATERAL")?;
                reject(*with_ordinality, "WITH ORDINALITY")?;
                of_alias(alias.as_ref())
            }
            TableFactor::UNNEST { alias, .. } => of_alias(alias.as_ref()),
            TableFactor::NestedJoin { table_with_joins, alias } => {
                of_joins(table_with_joins)?;
                of_alias(alias.as_ref())
            }
            // The planner rejects all others.
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> Found {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        if let Some(WindowType::WindowSpec(window)) = &function.over {
            of_window(window)?;
        }
        check_function(function, self.state)
    }
}

fn of_cte(cte: &Cte, is_recursive: bool) -> Found {
    // Whether it is materialized does not change its rows.
    let Cte { alias, query, from, materialized: _, closing_paren_token: _ } = cte;
    reject(from.is_some(), "FROM behind a query of WITH")?;
    // Of a UNION in WITH RECURSIVE, only the two sides are planned.
    let is_union =
        matches!(query.body.as_ref(), SetExpr::SetOperation { op: SetOperator::Union, .. });
    if is_recursive && is_union {
        let Query { with, order_by, limit_clause, fetch, pipe_operators, .. } = query.as_ref();
        reject(with.is_some(), "WITH inside WITH RECURSIVE")?;
        reject(order_by.is_some(), "ORDER BY behind UNION in WITH RECURSIVE")?;
        let is_limited = limit_clause.is_some() || fetch.is_some();
        reject(is_limited, "LIMIT behind UNION in WITH RECURSIVE")?;
        reject(!pipe_operators.is_empty(), "|> behind UNION in WITH RECURSIVE")?;
    }
    of_alias(Some(alias))
}

fn of_joins(table: &TableWithJoins) -> Found {
    let mut joins = table.joins.iter();
    reject(joins.any(|join| join.global), "GLOBAL before a join")
}

fn of_alias(alias: Option<&TableAlias>) -> Found {
    let Some(TableAlias { explicit: _, name: _, columns, at }) = alias else {
        return ControlFlow::Continue(());
    };
    let is_typed = columns.iter().any(|column| column.data_type.is_some());
    reject(is_typed, "the type of a column in the alias of a table")?;
    reject(at.is_some(), "AT behind the alias of a table")
}

fn of_window(window: &WindowSpec) -> Found {
    let WindowSpec { window_name, partition_by: _, order_by: _, window_frame: _ } = window;
    reject(window_name.is_some(), "a window that extends another one")
}

/// Named windows count only in what is selected; elsewhere, their functions would become aggregates.
fn named_windows(part: &impl Visit) -> Found {
    struct Named;

    impl Visitor for Named {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(Function { over: Some(WindowType::NamedWindow(_)), .. }) => {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }

    reject(part.visit(&mut Named).is_break(), "the name of a window outside of what is selected")
}
