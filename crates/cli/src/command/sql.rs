//! `halfmove sql`: queries in SQL.

use crate::args::{Format, Sql};
use crate::output::{self, counted};
use crate::{Done, archive, screen};
use halfmove_archive::Answer;
use std::io::{self, Write};
use std::time::Instant;

pub(crate) fn run(args: Sql) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let archive = archive::open(&args.archive)?;
    archive::wait(async {
        let answer = archive.sql(&args.query).await?;
        let mut out: Box<dyn Write> = match args.output.format {
            Format::Csv => screen::stdout(),
            Format::Table | Format::Json => Box::new(io::stdout().lock()),
        };
        match args.output.format {
            Format::Table => {
                let rows = table(answer, &mut out).await?;
                let milliseconds = clock.elapsed().as_millis();
                writeln!(out, "{} in {milliseconds} ms", counted(rows, "row"))?;
            }
            Format::Csv => csv(answer, &mut out).await?,
            Format::Json => json(answer, &mut out).await?,
        }
        out.flush()?;
        anyhow::Ok(())
    })?;
    Ok(Done::Found)
}

/// A table's column widths depend on all rows, so nothing is printed until they are known.
async fn table(mut answer: Answer, out: &mut dyn Write) -> anyhow::Result<u64> {
    let heading: Vec<String> = answer.columns().iter().map(|column| column.name.clone()).collect();
    let numeric: Vec<bool> = answer.columns().iter().map(|column| column.numeric).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    while let Some(batch) = answer.next().await? {
        let cells = batch.cells()?.into_iter();
        rows.extend(cells.map(|row| row.into_iter().map(Option::unwrap_or_default).collect()));
    }
    write!(out, "{}", output::table(&heading, &rows, |column| numeric[column]))?;
    Ok(rows.len() as u64)
}

async fn csv(mut answer: Answer, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(answer.columns().iter().map(|column| &column.name))?;
    while let Some(batch) = answer.next().await? {
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
    while let Some(batch) = answer.next().await? {
        for line in batch.json_lines()?.lines() {
            write!(out, "{before}\n{}", output::ascii_controls(line))?;
            before = ",";
        }
    }
    let end = if before == "[" { "[]" } else { "\n]" };
    writeln!(out, "{end}")?;
    Ok(())
}
