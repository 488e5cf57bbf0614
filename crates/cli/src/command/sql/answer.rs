//! The result of a query in all formats.

use crate::args::{self, Format, SqlFormat};
use crate::output::{self, Advised, counted, grouped};
use crate::query;
use crate::table::{self, Page};
use anyhow::anyhow;
use futures::TryStreamExt;
use halfmove_sql::{QueryResult, ResultBatch};
use std::collections::VecDeque;
use std::io::{BufWriter, Write};
use std::time::Instant;

/// The options for writing a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) format: SqlFormat,
    pub(super) cap: Cap,
    /// The hint that shows all rows of a table.
    pub(super) more: &'static str,
    /// The maximum memory of the rows of a table, in bytes.
    pub(super) memory: usize,
    pub(super) page: Page,
}

/// The number of rows of a table to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cap {
    None,
    /// At most this many, half of them from the beginning, half from the end.
    Rows(usize),
}

/// Writes a result to a file. Returns the number of rows, as do all functions here that write a result.
pub(super) async fn write(
    answer: QueryResult,
    manner: &Manner,
    started: Instant,
    out: &mut (impl Write + Send),
) -> anyhow::Result<u64> {
    let answer = answer.with_metadata("halfmove.program", args::program());
    match manner.format {
        SqlFormat::Parquet => {
            refuse_repeated(&answer, manner.format)?;
            Ok(answer.write_parquet(&mut *out).await?)
        }
        SqlFormat::Arrow => {
            refuse_repeated(&answer, manner.format)?;
            Ok(answer.write_arrow_file(&mut *out).await?)
        }
        _ => print(answer, manner, started, out).await,
    }
}

/// Writes a result as text or as a stream. Its query was started at `started`.
pub(super) async fn print(
    answer: QueryResult,
    manner: &Manner,
    started: Instant,
    out: &mut dyn Write,
) -> anyhow::Result<u64> {
    let count = match manner.format {
        SqlFormat::Table => table(answer, manner, started, out).await?,
        SqlFormat::Csv => rows(Format::Csv, answer, out).await?,
        SqlFormat::Tsv => rows(Format::Tsv, answer, out).await?,
        SqlFormat::Json | SqlFormat::Ndjson => {
            refuse_repeated(&answer, manner.format)?;
            match manner.format {
                SqlFormat::Json => json(answer, out).await?,
                _ => ndjson(answer, out).await?,
            }
        }
        SqlFormat::Arrow => {
            refuse_repeated(&answer, manner.format)?;
            let answer = answer.with_metadata("halfmove.program", args::program());
            answer.write_arrow_stream(BufWriter::new(&mut *out)).await?
        }
        SqlFormat::Parquet => return Err(anyhow!("Parquet is written to a file")),
    };
    out.flush()?;
    Ok(count)
}

/// Refuses two columns with the same name, since a reader finds columns by their names.
fn refuse_repeated(answer: &QueryResult, format: SqlFormat) -> anyhow::Result<()> {
    let Some((message, hint)) = query::repeated(answer) else { return Ok(()) };
    let error = anyhow!("{message}, expected different names for {}", format.name());
    Err(Advised::new(error, hint).into())
}

/// Writes a table. Its column widths depend on all rows to show, so nothing is written before they are known.
async fn table(
    mut answer: QueryResult,
    manner: &Manner,
    started: Instant,
    out: &mut dyn Write,
) -> anyhow::Result<u64> {
    let heading: Vec<String> = answer.columns().iter().map(|column| column.name.clone()).collect();
    let numeric: Vec<bool> = answer.columns().iter().map(|column| column.numeric).collect();
    let mut kept = Kept::new(manner.cap);
    while let Some(batch) = answer.try_next().await? {
        kept.take(&batch)?;
        if kept.bytes > manner.memory {
            let rows = counted(kept.count, "row");
            let error = anyhow!("the table exceeds its memory limit after {rows}");
            let hint = "--format csv writes row by row, as do all formats but table; --memory 4G sets the limit to 4 GiB";
            return Err(Advised::new(error, hint).into());
        }
    }
    let (count, rows, shown) = kept.finish(heading.len());
    write!(out, "{}", table::draw(&heading, &rows, |column| numeric[column], manner.page))?;
    let milliseconds = started.elapsed().as_millis();
    write!(out, "{} in {milliseconds} ms", counted(count, "row"))?;
    if shown < count {
        write!(out, ", {} shown ({})", grouped(shown), manner.more)?;
    }
    writeln!(out)?;
    Ok(count)
}

/// The rows of a table to show.
struct Kept {
    /// The numbers of rows to keep from the beginning and from the end.
    most: Option<(usize, usize)>,
    first: Vec<Vec<String>>,
    last: VecDeque<Vec<String>>,
    /// The number of all rows.
    count: u64,
    bytes: usize,
}

/// The memory of a cell in addition to its text, in bytes.
const CELL: usize = 64;

impl Kept {
    fn new(cap: Cap) -> Self {
        let most = match cap {
            Cap::None => None,
            Cap::Rows(rows) => Some((rows.div_ceil(2), rows / 2)),
        };
        Self { most, first: Vec::new(), last: VecDeque::new(), count: 0, bytes: 0 }
    }

    fn take(&mut self, batch: &ResultBatch) -> anyhow::Result<()> {
        let all = batch.rows();
        self.count += all as u64;
        let head = self.most.map_or(all, |(first, _)| all.min(first - self.first.len()));
        for row in batch.slice(0, head).cells()? {
            let row = text(row);
            self.bytes += size(&row);
            self.first.push(row);
        }
        let Some((_, most)) = self.most else { return Ok(()) };
        // Only the last of the remaining rows can be among those kept from the end.
        let tail = (all - head).min(most);
        for row in batch.slice(all - tail, tail).cells()? {
            if self.last.len() == most
                && let Some(gone) = self.last.pop_front()
            {
                self.bytes -= size(&gone);
            }
            let row = text(row);
            self.bytes += size(&row);
            self.last.push_back(row);
        }
        Ok(())
    }

    /// Returns the number of all rows, the rows to show with a mark where some are left out, and the number of rows shown.
    fn finish(self, columns: usize) -> (u64, Vec<Vec<String>>, u64) {
        let Self { mut first, last, count, .. } = self;
        let shown = (first.len() + last.len()) as u64;
        if shown < count && shown > 0 {
            first.push(vec!["⋯".to_owned(); columns]);
        }
        first.extend(last);
        (count, first, shown)
    }
}

fn text(row: Vec<Option<String>>) -> Vec<String> {
    row.into_iter().map(Option::unwrap_or_default).collect()
}

/// The memory of a row, which is kept twice until it is printed.
fn size(row: &[String]) -> usize {
    2 * row.iter().map(|cell| CELL + cell.len()).sum::<usize>()
}

async fn rows(format: Format, mut answer: QueryResult, out: &mut dyn Write) -> anyhow::Result<u64> {
    let mut count = 0;
    let mut writer = output::row_writer(format, out);
    writer.write_record(answer.columns().iter().map(|column| &column.name))?;
    while let Some(batch) = answer.try_next().await? {
        count += batch.rows() as u64;
        for row in batch.cells()? {
            writer.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or("")))?;
        }
    }
    writer.flush()?;
    Ok(count)
}

/// An array of objects, one per line.
async fn json(mut answer: QueryResult, out: &mut dyn Write) -> anyhow::Result<u64> {
    let mut count = 0;
    let mut before = "[";
    while let Some(batch) = answer.try_next().await? {
        count += batch.rows() as u64;
        for line in batch.json_lines()?.lines() {
            write!(out, "{before}\n{}", output::ascii_controls(line))?;
            before = ",";
        }
    }
    let end = if before == "[" { "[]" } else { "\n]" };
    writeln!(out, "{end}")?;
    Ok(count)
}

/// One object per line.
async fn ndjson(mut answer: QueryResult, out: &mut dyn Write) -> anyhow::Result<u64> {
    let mut count = 0;
    while let Some(batch) = answer.try_next().await? {
        count += batch.rows() as u64;
        for line in batch.json_lines()?.lines() {
            writeln!(out, "{}", output::ascii_controls(line))?;
        }
    }
    Ok(count)
}
