//! What keeps a query from taking more than it may.
//!
//! | danger | limit |
//! |---|---|
//! | a long or deep text, whose plan overflows the stack | [`check_text`], before anything is parsed; plans are made on a [large stack](on_large_stack) |
//! | sorts, groups and joins of many rows | the engine's memory pool: [`QueryPool`] |
//! | functions that make long values from short ones: `repeat('x', 2000000000)` | [`LimitGrowth`] compares what a call will make before it does |
//! | aggregates that make a long value for each row, and types whose values are long even where they are null | rejected, also by [`LimitGrowth`] |
//! | a long value that is copied into every row | [`batch_rows`] makes batches shorter |
//! | a short text with a large plan: names of `WITH` that stand for two of the one before, `CUBE` over many columns | [`check_size`] counts before anything is planned, and [`check_operations`] after it |
//! | conditions that become longer when they are moved down through subqueries | [`LimitGrowth`] counts what they would become |
//! | a mistake of the engine that ends its thread | [`on_large_stack`] and [`without_panics`] make an error of it |
//!
//! The pool counts what operators keep from batch to batch. Batches on their way are beside it, and bounded by the other
//! limits.

mod bounded;
mod growth;
mod literals;
mod plan;
mod pool;
mod query;
mod rule;
mod stack;
mod text;
mod value;

pub(crate) use self::literals::batch_rows;
pub(crate) use self::plan::check_operations;
pub(crate) use self::pool::QueryPool;
pub(crate) use self::query::check_size;
pub(crate) use self::rule::LimitGrowth;
pub(crate) use self::stack::{on_large_stack, without_panics};
pub(crate) use self::text::check_text;

/// A number of bytes, for people.
fn size(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut scaled = bytes / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while scaled >= 1024.0 && units.len() > 0 {
        scaled /= 1024.0;
        unit = units.next();
    }
    format!("{scaled:.1} {}", unit.copied().unwrap_or_default())
}
