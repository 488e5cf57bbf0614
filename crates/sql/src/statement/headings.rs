//! The names of the columns of a result: the text of the query, `move_at(moves, 1)`, instead of the engine's
//! `move_at(games.moves,Int64(1))`.
//!
//! An expression without a name gets its text as its name, as if followed by `AS`; so do those of subqueries,
//! whose columns the outer query may name. The engine rejects duplicate names, so the second `count(*)` becomes
//! `count(*)_2`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, ObjectNamePart, OrderByKind, Query, Select, SelectItem, SetExpr,
    VisitMut, VisitorMut,
};

/// Names the unnamed columns of a query and of its subqueries.
pub(super) fn name_columns(query: &mut Query) {
    struct Namer;

    impl VisitorMut for Namer {
        type Break = ();

        // The outer query comes first: its columns are named as typed, before any subquery changes.
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            name_own_columns(query);
            ControlFlow::Continue(())
        }
    }

    let _ = query.visit(&mut Namer);
}

fn name_own_columns(query: &mut Query) {
    let mut body = query.body.as_mut();
    let mut is_union = false;
    // The columns of the first SELECT name those of all.
    let select = loop {
        body = match body {
            SetExpr::Select(select) => break select,
            SetExpr::SetOperation { left, .. } => {
                is_union = true;
                left.as_mut()
            }
            SetExpr::Query(query) => query.body.as_mut(),
            _ => return,
        };
    };
    let named = name_items(select);
    // With DISTINCT, the engine orders only by selected expressions, and distinguishes an expression from the same one
    // with a name.
    if select.distinct.is_some()
        && !is_union
        && let Some(order_by) = &mut query.order_by
        && let OrderByKind::Expressions(keys) = &mut order_by.kind
    {
        for key in keys {
            if let Some((_, name)) = named.iter().find(|(expr, _)| *expr == key.expr) {
                key.expr = Expr::Identifier(name.clone());
            }
        }
    }
}

/// Names the items of a SELECT. Returns the named expressions.
fn name_items(select: &mut Select) -> Vec<(Expr, Ident)> {
    let mut names = HashSet::new();
    let mut named = Vec::new();
    for item in &mut select.projection {
        let expr = match item {
            SelectItem::UnnamedExpr(expr) => expr,
            SelectItem::ExprWithAlias { alias, .. } => {
                names.insert(alias.value.clone());
                continue;
            }
            _ => continue,
        };
        let (name, is_column) = match &*expr {
            // A struct becomes several columns.
            Expr::Function(function) if is_unnest(function) => continue,
            Expr::Identifier(name) => (name.value.clone(), true),
            Expr::CompoundIdentifier(parts) => match parts.last() {
                Some(name) => (name.value.clone(), true),
                None => continue,
            },
            expr => (expr.to_string(), false),
        };
        let mut free = name.clone();
        let mut number = 1;
        while !names.insert(free.clone()) {
            number += 1;
            free = format!("{name}_{number}");
        }
        if is_column && number == 1 {
            continue;
        }
        let alias = Ident::with_quote('"', free);
        named.push((expr.clone(), alias.clone()));
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
    }
    named
}

fn is_unnest(function: &Function) -> bool {
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.eq_ignore_ascii_case("unnest"),
        _ => false,
    }
}
