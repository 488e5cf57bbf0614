//! Conditions on some columns of `halfmoves`, for which the other columns need not be computed.
//!
//! ```text
//!  order by clock limit 10:   clock ─▶ less than the tenth so far? ─▶ id, ply, uci, fen, …
//!                                      (no row of most batches)
//! ```
//!
//! The plan above tests each row again, so a batch may have rows that do not meet them.

use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use halfmove_functions::halfmoves::{HalfmoveRows, Halfmoves};

use crate::error::raise;

/// Conditions, and the columns that they need.
#[derive(Debug)]
pub(super) struct Sieve {
    columns: Halfmoves,
    /// Conditions on these columns, all of which must hold. They may change while a query runs.
    conditions: Vec<Arc<dyn PhysicalExpr>>,
}

impl Sieve {
    /// The conditions that save work, and those of an earlier sieve. `None` if there are no new ones.
    pub(super) fn of<'a>(
        all: &Halfmoves,
        before: Option<&Self>,
        filters: impl Iterator<Item = &'a Arc<dyn PhysicalExpr>>,
    ) -> Result<Option<Self>> {
        let is_cheap = |name: &str| {
            let column = all.columns().iter().find(|column| column.name == name);
            column.is_some_and(|column| !column.is_of_positions())
        };
        let mut conditions: Vec<Arc<dyn PhysicalExpr>> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for filter in filters {
            let columns = collect_columns(filter);
            if !columns.is_empty() && columns.iter().all(|column| is_cheap(column.name())) {
                names.extend(columns.into_iter().map(|column| column.name().to_owned()));
                conditions.push(Arc::clone(filter));
            }
        }
        if conditions.is_empty() {
            return Ok(None);
        }
        if let Some(before) = before {
            conditions.extend(before.conditions.iter().cloned());
            names.extend(before.columns.columns().iter().map(|column| column.name.to_owned()));
        }
        let is_needed = |name: &str| names.iter().any(|needed| needed == name);
        let names = all.columns().iter().map(|column| column.name);
        let columns = Halfmoves::of_names(names.filter(|name| is_needed(name))).map_err(raise)?;
        if columns.columns().len() == all.columns().len() {
            return Ok(None);
        }
        let columns = columns.with_plies(all.plies().clone());
        let conditions = conditions
            .into_iter()
            .map(|condition| reassign_expr_columns(condition, columns.schema()))
            .collect::<Result<_>>()?;
        Ok(Some(Self { columns, conditions }))
    }

    /// The names of its columns.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.columns.columns().iter().map(|column| column.name).collect()
    }

    /// The rows of some games, without the batches in which no row meets the conditions.
    pub(super) fn rows(
        self: &Arc<Self>,
        all: &Halfmoves,
        games: RecordBatch,
        most: usize,
    ) -> Sifted {
        Sifted {
            sieve: Arc::clone(self),
            some: self.columns.rows_of(games.clone(), most),
            all: all.rows_of(games, most),
            untested: 0,
            pause: 0,
        }
    }

    /// Returns true if some row of a batch of its columns meets the conditions.
    fn passes(&self, batch: &RecordBatch) -> Result<bool> {
        for condition in &self.conditions {
            let met = condition.evaluate(batch)?.into_array(batch.num_rows())?;
            if met.data_type() == &DataType::Boolean && met.as_boolean().true_count() == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Iterates over batches of rows.
pub(super) struct Sifted {
    sieve: Arc<Sieve>,
    /// The columns of the sieve.
    some: HalfmoveRows,
    /// All columns of the same games.
    all: HalfmoveRows,
    /// The number of batches that follow untested, and that after the next batch that passes: if all pass, tests would
    /// only cost time.
    untested: u32,
    pause: u32,
}

/// The maximum number of batches between two that are tested.
const MAX_UNTESTED: u32 = 15;

impl Iterator for Sifted {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.untested > 0 {
            self.untested -= 1;
            let rows = self.all.next();
            self.some.skip_to(&self.all);
            return rows.map(|rows| rows.map_err(raise));
        }
        loop {
            let passes = match self.some.next()? {
                Ok(batch) => self.sieve.passes(&batch),
                Err(error) => Err(raise(error)),
            };
            match passes {
                Ok(true) => {
                    self.untested = self.pause;
                    self.pause = (2 * self.pause + 1).min(MAX_UNTESTED);
                    return self.all.next().map(|rows| rows.map_err(raise));
                }
                Ok(false) => {
                    self.pause = 0;
                    self.all.skip_to(&self.some);
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
