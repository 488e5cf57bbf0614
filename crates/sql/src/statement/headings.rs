//! The names of the columns of an answer: what stands in the query, `move_at(moves, 1)`, and not what the engine makes of it,
//! `move_at(games.moves,Int64(1))`.
//!
//! An expression without a name gets its own text as its name, as if somebody had written `AS` after it; so do those of queries
//! within the query, whose columns the query outside may name. The engine takes no name twice; the second `count(*)` becomes
//! `count(*)_2`.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, ObjectNamePart, OrderByKind, Query, Select, SelectItem, SetExpr,
    VisitMut, VisitorMut,
};

/// Names the columns of a query, and of those within it, that have no name.
pub(super) fn name_columns(query: &mut Query) {
    struct Namer;

    impl VisitorMut for Namer {
        type Break = ();

        // The query outside comes first: its columns are called what was typed, before anything within changes.
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
    // Behind DISTINCT, the engine orders only by what is selected, and takes an expression for another than that with a name.
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

/// Names what a SELECT selects. Returns what has got a name.
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
            // Of a struct, it becomes several columns.
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
