//! `tag('Opening')` in a query: a function sees only its arguments, so the columns that hold tags are added.
//!
//! They are added by name, so they belong to the table at that place in the query, as if typed there.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
    ObjectNamePart, Value, VisitMut, visit_expressions_mut,
};
use halfmove_functions::tags::columns;

/// Adds the columns to every call `tag(name)`.
pub(super) fn add_tag_columns(statement: &mut impl VisitMut) {
    let _: ControlFlow<()> = visit_expressions_mut(statement, |expr| {
        if let Expr::Function(function) = expr {
            add_to(function);
        }
        ControlFlow::Continue(())
    });
}

fn add_to(function: &mut Function) {
    let Function { name, args: FunctionArguments::List(FunctionArgumentList { args, .. }), .. } =
        function
    else {
        return;
    };
    let [ObjectNamePart::Identifier(name)] = name.0.as_slice() else { return };
    let is_tag = match name.quote_style {
        Some(_) => name.value == "tag",
        None => name.value.eq_ignore_ascii_case("tag"),
    };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(tag))] = args.as_slice() else { return };
    if !is_tag {
        return;
    }
    let columns = columns(literal(tag));
    args.extend(columns.into_iter().map(|column| {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(Ident::new(column))))
    }));
}

/// The literal name of a tag in a call.
fn literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}
