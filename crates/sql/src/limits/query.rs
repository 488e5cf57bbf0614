//! How large a query becomes when it is planned: its text may be short.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::ptr;

use datafusion::sql::sqlparser::ast::{
    Expr, GroupByExpr, ObjectName, Query, Select, TableFactor, Visit, Visitor,
};

use crate::error::ArchiveError;

/// The most parts of a query (operations, columns, tables), with what `WITH` names in each place where it is named. Without
/// `WITH`, a query has hardly more than words.
const PARTS: usize = 4_000;

/// The most numbers and texts, counted in the same way. Without `WITH`, the text is too short for more.
const VALUES: usize = 1 << 19;

/// The most sets of columns by which the rows of one query are grouped. The engine keeps all of a batch for each.
const SETS: usize = 64;

/// Rejects a query that becomes too large: because it names what `WITH` has named again and again, or groups by too many
/// sets of columns.
pub(crate) fn check_size(asked: &impl Visit) -> Result<(), ArchiveError> {
    let mut sizes = Sizes::default();
    match asked.visit(&mut sizes) {
        ControlFlow::Break(what) => Err(ArchiveError::Limit(what)),
        ControlFlow::Continue(()) => sizes.here.check().map_err(ArchiveError::Limit),
    }
}

/// How large a query is.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    parts: usize,
    values: usize,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.parts = self.parts.saturating_add(other.parts);
        self.values = self.values.saturating_add(other.values);
    }

    fn check(self) -> Result<(), String> {
        let too_many = |count: usize, what: &str, most: usize| {
            format!(
                "with what WITH names in each place where it is named, the query has {count} {what}, at most {most} are allowed"
            )
        };
        match self {
            Self { parts, .. } if parts > PARTS => Err(too_many(parts, "parts", PARTS)),
            Self { values, .. } if values > VALUES => Err(too_many(values, "values", VALUES)),
            _ => Ok(()),
        }
    }
}

#[derive(Default)]
struct Sizes {
    /// The size of the query that is being visited.
    here: Size,
    /// Those of the queries around it.
    around: Vec<Size>,
    /// What a name of `WITH` stands for. Of several with the same name, the largest.
    named: HashMap<String, Size>,
    /// The queries of `WITH` that have not been visited yet, and their names.
    waiting: Vec<(*const Query, String)>,
}

impl Sizes {
    fn part(&mut self) -> ControlFlow<String> {
        self.here.add(Size { parts: 1, values: 0 });
        ControlFlow::Continue(())
    }
}

impl Visitor for Sizes {
    type Break = String;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<String> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = cte.alias.name.value.to_lowercase();
            self.waiting.push((ptr::from_ref(cte.query.as_ref()), name));
        }
        self.around.push(std::mem::take(&mut self.here));
        self.part()
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<String> {
        let size = std::mem::replace(&mut self.here, self.around.pop().unwrap_or_default());
        let Some(at) = self.waiting.iter().position(|(waiting, _)| ptr::eq(*waiting, query)) else {
            self.here.add(size);
            return ControlFlow::Continue(());
        };
        let (_, name) = self.waiting.swap_remove(at);
        let known = self.named.entry(name).or_default();
        *known = Size { parts: known.parts.max(size.parts), values: known.values.max(size.values) };
        // It is planned even if nobody names it.
        match size.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(what) => ControlFlow::Break(what),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<String> {
        if let GroupByExpr::Expressions(exprs, _) = &select.group_by {
            check_sets(exprs)?;
        }
        self.part()
    }

    fn pre_visit_table_factor(&mut self, _: &TableFactor) -> ControlFlow<String> {
        self.part()
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<String> {
        let name = relation.0.last().and_then(|name| name.as_ident());
        let named = name.and_then(|name| self.named.get(&name.value.to_lowercase()));
        self.here.add(named.copied().unwrap_or_default());
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<String> {
        match expr {
            Expr::Value(_) => {
                self.here.add(Size { parts: 0, values: 1 });
                ControlFlow::Continue(())
            }
            _ => self.part(),
        }
    }
}

/// Several `CUBE`, `ROLLUP` and `GROUPING SETS` are multiplied.
fn check_sets(exprs: &[Expr]) -> ControlFlow<String> {
    match exprs.iter().map(sets).fold(1, usize::saturating_mul) > SETS {
        true => ControlFlow::Break(format!(
            "the query groups by more than {SETS} sets of columns: name those that it needs, as in GROUPING SETS ((white), (black))"
        )),
        false => ControlFlow::Continue(()),
    }
}

fn sets(expr: &Expr) -> usize {
    match expr {
        Expr::Cube(columns) if columns.len() < 16 => 1 << columns.len(),
        Expr::Cube(_) => usize::MAX,
        Expr::Rollup(columns) => columns.len() + 1,
        Expr::GroupingSets(sets) => sets.len(),
        _ => 1,
    }
}
