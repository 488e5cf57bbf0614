//! Runs the same queries on an archive again and again, and prints how long each takes: a long-running program that
//! uses the library, with its columns in memory. The benchmarks use it.
//!
//! ```sh
//! echo 'select eco(moves) from games' | cargo run --release --example queries ARCHIVE THREADS ROUNDS
//! ```
//!
//! A line of input is a query. The lines of output are in the same order: the number of rows, and the microseconds of
//! each round. Every round runs each query once.

#![allow(clippy::print_stdout, reason = "a program prints")]

use std::error::Error;
use std::io::Read;
use std::time::Instant;

use futures::TryStreamExt;
use halfmove_archive::{Archive, ArchiveOptions};
use halfmove_sql::{Sql, SqlError, SqlOptions};
use tokio::runtime::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, threads, rounds] = arguments.as_slice() else {
        return Err("usage: queries ARCHIVE THREADS ROUNDS < QUERIES".into());
    };
    let mut options = ArchiveOptions::default();
    options.threads = threads.parse()?;
    let mut sql_options = SqlOptions::default();
    sql_options.threads = threads.parse()?;
    let sql = Sql::new(&Archive::open_with(path, &options)?, &sql_options)?;
    let runtime =
        Builder::new_multi_thread().worker_threads(threads.parse()?).enable_all().build()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut queries: Vec<(&str, usize, Vec<String>)> =
        text.lines().map(|query| (query, 0, Vec::new())).collect();
    // The first round loads the columns into memory.
    for round in 0..=rounds.parse::<u32>()? {
        for (query, rows, times) in &mut queries {
            let begun = Instant::now();
            *rows = runtime.block_on(count(&sql, query))?;
            if round > 0 {
                times.push(format!("{:.1}", begun.elapsed().as_nanos() as f64 / 1e3));
            }
        }
    }
    for (_, rows, times) in queries {
        println!("{rows} {}", times.join(" "));
    }
    Ok(())
}

/// The number of rows of a result.
async fn count(sql: &Sql, query: &str) -> Result<usize, SqlError> {
    let answer = sql.query(query).await?;
    answer.try_fold(0, |rows, batch| async move { Ok(rows + batch.rows()) }).await
}
