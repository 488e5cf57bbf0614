//! What keeps a query from taking more than it may.
//!
//! | danger | limit |
//! |---|---|
//! | a long or deep text, whose plan overflows the stack | [`check_text`], before anything is parsed; plans are made on a [large stack](on_large_stack) |
//! | sorts, groups and joins of many rows | the engine's memory pool: [`QueryPool`] |
//! | functions that make long values from short ones: `repeat('x', 2000000000)` | [`LimitGrowth`] compares what a call will make before it does |
//! | a long value that is copied into every row | [`batch_rows`] makes batches shorter |
//!
//! The pool counts what operators keep from batch to batch. Batches on their way are beside it, and bounded by the other
//! limits.

mod bounded;
mod growth;
mod literals;
mod pool;
mod rule;
mod stack;
mod text;

pub(crate) use self::literals::batch_rows;
pub(crate) use self::pool::QueryPool;
pub(crate) use self::rule::LimitGrowth;
pub(crate) use self::stack::on_large_stack;
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
