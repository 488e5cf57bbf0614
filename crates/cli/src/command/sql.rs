//! `halfmove sql`: queries in SQL.

use crate::args::{Format, Sql};
use crate::output::{self, Advised, counted};
use crate::{Done, archive, screen};
use futures::TryStreamExt;
use halfmove_archive::{Answer, ArchiveError, ArchiveOptions};
use std::io::{self, Write};
use std::time::Instant;

pub(crate) fn run(args: Sql) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let mut options = ArchiveOptions::default();
    options.query_bytes = args.memory;
    let archive = archive::open_with(&args.archive, &options)?;
    let answered = archive::wait(async {
        let answer = archive.sql(&args.query).await?;
        let mut out: Box<dyn Write> = match args.output.format {
            Format::Csv | Format::Tsv => screen::stdout(),
            Format::Table | Format::Json | Format::Ndjson => Box::new(io::stdout().lock()),
        };
        match args.output.format {
            Format::Table => {
                let rows = table(answer, args.memory, &mut out).await?;
                let milliseconds = clock.elapsed().as_millis();
                writeln!(out, "{} in {milliseconds} ms", counted(rows, "row"))?;
            }
            format @ (Format::Csv | Format::Tsv) => rows(format, answer, &mut out).await?,
            Format::Json => json(answer, &mut out).await?,
            Format::Ndjson => ndjson(answer, &mut out).await?,
        }
        out.flush()?;
        anyhow::Ok(())
    });
    answered.map(|()| Done::Found).map_err(advised)
}

/// Adds what can be done about a query that needs too much memory.
fn advised(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(ArchiveError::Limit(text)) if MEMORY.iter().any(|words| text.contains(words)) => {
            let hint =
                "--memory 4G lets it take more, 4 GiB; LIMIT, or conditions, make it take less";
            Advised::new(error, hint).into()
        }
        _ => error,
    }
}

/// What stands in the errors that more memory helps against.
const MEMORY: [&str; 2] = ["more memory", "at once"];

/// What a cell takes besides its text.
const CELL: usize = 64;

/// A table's column widths depend on all rows, so nothing is printed until they are known.
async fn table(mut answer: Answer, memory: usize, out: &mut dyn Write) -> anyhow::Result<u64> {
    let heading: Vec<String> = answer.columns().iter().map(|column| column.name.clone()).collect();
    let numeric: Vec<bool> = answer.columns().iter().map(|column| column.numeric).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut bytes = 0;
    while let Some(batch) = answer.try_next().await? {
        for row in batch.cells()? {
            let row: Vec<String> = row.into_iter().map(Option::unwrap_or_default).collect();
            // A row is kept twice until it is printed.
            bytes += 2 * row.iter().map(|cell| CELL + cell.len()).sum::<usize>();
            rows.push(row);
        }
        if bytes > memory {
            let rows = counted(rows.len() as u64, "row");
            let error = anyhow::anyhow!("the table takes more memory than it may, after {rows}");
            let hint = "--format csv, tsv, json or ndjson writes rows as they come; --memory 4G lets it take 4 GiB";
            return Err(Advised::new(error, hint).into());
        }
    }
    write!(out, "{}", output::table(&heading, &rows, |column| numeric[column]))?;
    Ok(rows.len() as u64)
}

async fn rows(format: Format, mut answer: Answer, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut writer = output::row_writer(format, out);
    writer.write_record(answer.columns().iter().map(|column| &column.name))?;
    while let Some(batch) = answer.try_next().await? {
        for row in batch.cells()? {
            writer.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or("")))?;
        }
    }
    writer.flush()?;
    Ok(())
}

/// An array of objects, one per line.
async fn json(mut answer: Answer, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut before = "[";
    while let Some(batch) = answer.try_next().await? {
        for line in batch.json_lines()?.lines() {
            write!(out, "{before}\n{}", output::ascii_controls(line))?;
            before = ",";
        }
    }
    let end = if before == "[" { "[]" } else { "\n]" };
    writeln!(out, "{end}")?;
    Ok(())
}

/// An object a line.
async fn ndjson(mut answer: Answer, out: &mut dyn Write) -> anyhow::Result<()> {
    while let Some(batch) = answer.try_next().await? {
        for line in batch.json_lines()?.lines() {
            writeln!(out, "{}", output::ascii_controls(line))?;
        }
    }
    Ok(())
}
