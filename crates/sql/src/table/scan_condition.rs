//! Conditions of a query that the archive evaluates by its signatures.

use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use halfmove_archive::scan::ScanCondition;
use halfmove_functions::literals;
use halfmove_rules::AnyPosition;

/// The archive's form of a condition `reaches(moves, '…')`, with or without a variant, or `shows(moves, '…')`.
pub(super) fn scan_condition(filter: &Expr) -> Option<ScanCondition> {
    of_call(["reaches", "shows"], filter)
}

/// A condition that all games meet which meet `filter`: it compares `ply_of(moves, '…')` or
/// `ply_when(moves, '…')`, which are null for all others.
pub(super) fn implied(filter: &Expr) -> Option<ScanCondition> {
    let functions = ["ply_of", "ply_when"];
    let scan_condition = |expr: &Expr| match expr {
        Expr::Cast(Cast { expr, .. }) | Expr::TryCast(TryCast { expr, .. }) => {
            of_call(functions, expr)
        }
        expr => of_call(functions, expr),
    };
    match filter {
        Expr::IsNotNull(expr) => scan_condition(expr),
        Expr::Between(between) => scan_condition(&between.expr),
        Expr::InList(list) => scan_condition(&list.expr),
        Expr::BinaryExpr(BinaryExpr {
            left,
            op:
                Operator::Eq
                | Operator::NotEq
                | Operator::Lt
                | Operator::LtEq
                | Operator::Gt
                | Operator::GtEq,
            right,
        }) => scan_condition(left).or_else(|| scan_condition(right)),
        _ => None,
    }
}

/// The condition of a call of one of two functions, with the column `moves` and literals: the first takes a position,
/// the second conditions on the board.
fn of_call([of_position, of_board]: [&str; 2], expr: &Expr) -> Option<ScanCondition> {
    let Expr::ScalarFunction(call) = expr else { return None };
    let [Expr::Column(column), arguments @ ..] = call.args.as_slice() else { return None };
    if column.name() != "moves" {
        return None;
    }
    match (call.name(), arguments) {
        (name, position) if name == of_position => {
            literal_position(position).map(ScanCondition::Position)
        }
        (name, [conditions]) if name == of_board => {
            literals::conditions(literal(conditions)?).ok().map(ScanCondition::Board)
        }
        _ => None,
    }
}

/// The position of the last arguments of a call, if they are literals: a FEN, and optionally a variant.
pub(crate) fn literal_position(arguments: &[Expr]) -> Option<AnyPosition> {
    match arguments {
        [fen] => literals::position(literal(fen)?, None).ok(),
        [fen, variant] => literals::position(literal(fen)?, Some(literal(variant)?)).ok(),
        _ => None,
    }
}

fn literal(argument: &Expr) -> Option<&str> {
    match argument {
        Expr::Literal(text, _) => text.try_as_str().flatten(),
        _ => None,
    }
}
