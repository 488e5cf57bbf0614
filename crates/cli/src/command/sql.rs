//! `halfmove sql`: queries in SQL, one, several, or at a prompt.

mod answer;
#[cfg_attr(
    not(all(unix, feature = "prompt")),
    allow(dead_code, reason = "only an editor completes")
)]
mod complete;
#[cfg_attr(not(all(unix, feature = "prompt")), path = "sql/lines.rs")]
mod editor;
mod prompt;
mod shell;

use self::answer::{Cap, Manner};
use crate::args::{Sql, SqlFormat};
use crate::new_file::NewFile;
use crate::output::{self, Advised};
use crate::query::{Queries, explain_any};
use crate::table::Page;
use crate::{Done, archive, quote, screen};
use anyhow::{Context, anyhow, bail};
use halfmove_sql::{SqlOptions, statements};
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

/// The maximum number of rows of a table on a terminal.
const SHOWN: usize = 40;

pub(crate) fn run(args: Sql) -> anyhow::Result<Done> {
    let format = args.to.format(args.format)?.unwrap_or(SqlFormat::Table);
    check(&args, format)?;
    args.to.check(&args.archive)?;
    let is_file = archive::is_file(&args.archive);
    if is_file && args.archive_version.is_some() {
        let name = args.archive.display();
        let error = anyhow!("--archive-version: {name} is a file, and only archives have versions");
        let name = quote::path(&args.archive);
        let hint = format!("to make an archive: halfmove import ARCHIVE {name}");
        return Err(Advised::new(error, hint).into());
    }
    let mut archive = archive::open(&args.archive)?;
    if let Some(version) = args.archive_version {
        archive = archive.at_version(version)?;
    }
    let mut options = SqlOptions::default();
    options.memory_bytes = args.memory;
    if is_file {
        let name = args.archive.file_name().unwrap_or_default();
        options.archive_name = Some(name.to_string_lossy().into_owned());
    }
    let queries = Queries::of(&archive, &options)?;
    let Some(text) = typed(&args)? else {
        if args.to.file().is_some() {
            bail!("--output: expected a query, or --file with one");
        }
        return prompt::run(&queries, &args, format);
    };
    let texts = texts(&text, format)?;
    match args.to.file() {
        None => {
            let page = Page::stdout();
            for (index, query) in texts.iter().enumerate() {
                if index > 0 {
                    writeln!(io::stdout())?;
                }
                print(&queries, query, &manner(&args, format, page))?;
            }
        }
        Some(path) => {
            let inputs = args.file.clone();
            let mut file = NewFile::create(path, inputs.as_slice(), args.to.force)?;
            let manner = manner(&args, format, Page::FILE);
            let mut rows = 0;
            for (index, query) in texts.iter().enumerate() {
                if index > 0 {
                    writeln!(file)?;
                }
                let started = Instant::now();
                let written = queries.wait(async {
                    let answer = queries.sql().query(query).await?;
                    answer::write(answer, &manner, started, &mut file).await
                });
                rows += written.map_err(|error| explain_any(error, query))?;
            }
            file.finish()?;
            output::written(rows, "row", path);
        }
    }
    Ok(Done::Found)
}

/// Refuses options that contradict each other.
fn check(args: &Sql, format: SqlFormat) -> anyhow::Result<()> {
    if format == SqlFormat::Parquet && args.to.file().is_none() {
        bail!("--format parquet: a file is needed, expected --output FILE");
    }
    if format == SqlFormat::Arrow && args.to.file().is_none() && io::stdout().is_terminal() {
        bail!("--format arrow: a terminal cannot show it, expected --output FILE or a pipe");
    }
    if format != SqlFormat::Table && args.limit.is_some_and(|limit| limit > 0) {
        let error = anyhow!("--limit: only a table leaves out rows");
        return Err(Advised::new(error, "to get fewer rows, write limit 10 in the query").into());
    }
    Ok(())
}

fn manner(args: &Sql, format: SqlFormat, page: Page) -> Manner {
    let is_screen = page.is_terminal();
    let cap = match args.limit {
        Some(0) => Cap::None,
        Some(limit) => Cap::Rows(limit),
        None if is_screen => Cap::Rows(SHOWN),
        None => Cap::None,
    };
    Manner { format, cap, more: "all: --limit 0", memory: args.memory, page }
}

/// The text of the queries; `None` if they are typed at the prompt.
fn typed(args: &Sql) -> anyhow::Result<Option<String>> {
    let text = match (&args.query, &args.file) {
        (None, Some(path)) if path != Path::new("-") => {
            let cannot = || format!("cannot read {}", path.display());
            let bytes = fs::read(path).with_context(cannot)?;
            text(bytes, &path.display().to_string())?
        }
        (None, None) if io::stdin().is_terminal() && io::stdout().is_terminal() => return Ok(None),
        (Some(query), _) if query != "-" => query.clone(),
        _ => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
            text(bytes, "standard input")?
        }
    };
    Ok(Some(text))
}

fn text(bytes: Vec<u8>, name: &str) -> anyhow::Result<String> {
    let text = String::from_utf8(bytes);
    let mut text = text.map_err(|error| {
        anyhow!("{name}: byte {} is not UTF-8, expected a query", error.utf8_error().valid_up_to())
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The queries of a text. Only tables can follow one another.
fn texts(text: &str, format: SqlFormat) -> anyhow::Result<Vec<&str>> {
    let found = statements(text);
    let mut queries = found.ended;
    queries.extend(Some(found.rest).filter(|rest| !rest.is_empty()));
    match (queries.len(), format) {
        (0, _) => {
            let error = anyhow!("there is no query");
            Err(Advised::new(error, "such as: select count(*) from games").into())
        }
        (1, _) | (_, SqlFormat::Table) => Ok(queries),
        (count, format) => {
            let format = format.name();
            let error = anyhow!("there are {count} queries, expected one with --format {format}");
            Err(Advised::new(error, "several queries print tables").into())
        }
    }
}

/// Runs a query and prints its result.
fn print(queries: &Queries, query: &str, manner: &Manner) -> anyhow::Result<()> {
    let started = Instant::now();
    let printed = queries.wait(async {
        let answer = queries.sql().query(query).await?;
        let mut out = stdout(manner.format);
        answer::print(answer, manner, started, &mut out).await
    });
    printed.map(drop).map_err(|error| explain_any(error, query))
}

/// Standard output. A table is safe for a terminal already, and has color.
fn stdout(format: SqlFormat) -> Box<dyn Write> {
    match format {
        SqlFormat::Table => Box::new(io::stdout().lock()),
        _ => screen::stdout(),
    }
}
