//! Names for subqueries in `FROM` that have none.
//!
//! The engine takes an expression for a column of the rows below if these were computed by the same expression, even if its columns
//! have another meaning there: `plies + 1 AS plies` of `(SELECT plies + 1 AS plies …)`. Names tell both apart.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Ident, TableAlias, TableFactor, VisitMut, VisitorMut};

/// The beginning of the names; no name that someone types begins like that.
pub(crate) const DERIVED: &str = "(subquery) ";

/// Gives each subquery in `FROM` a name of its own.
pub(super) fn name_subqueries(statement: &mut impl VisitMut) {
    struct Namer(usize);

    impl VisitorMut for Namer {
        type Break = ();

        fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
            if let TableFactor::Derived { alias: alias @ None, .. } = table {
                self.0 += 1;
                let name = Ident::with_quote('"', format!("{DERIVED}{}", self.0));
                *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
            }
            ControlFlow::Continue(())
        }
    }

    let _ = statement.visit(&mut Namer(0));
}
