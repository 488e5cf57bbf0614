//! Results in all formats, on standard output or in a file; errors on standard error.

use crate::args::{Format, ToFile};
use crate::color::{self, ERROR, HINT, paint};
use crate::new_file::NewFile;
use crate::screen;
use crate::table::{self, Page};
use crate::visible::visible;
use anstyle::Style;
use anyhow::Context as _;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// Returns true if an error only means that the reader of our output has closed it.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = match cause.downcast_ref::<csv::Error>().map(csv::Error::kind) {
            Some(csv::ErrorKind::Io(cause)) => Some(cause),
            _ => cause.downcast_ref::<io::Error>(),
        };
        cause.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
    })
}

/// An error of the output, after which further input is of no use.
#[derive(Debug)]
pub(crate) struct Unwritable(io::Error);

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for Unwritable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl From<io::Error> for Unwritable {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

/// Returns true if an error is one of the output.
pub(crate) fn is_unwritable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Unwritable>().is_some() || is_closed_pipe(error)
}

/// An error with a hint on what the user can do.
#[derive(Debug)]
pub(crate) struct Advised {
    error: anyhow::Error,
    /// The lines with the error, ready to print.
    excerpt: Option<String>,
    hint: Option<String>,
}

impl Advised {
    pub(crate) fn new(error: impl Into<anyhow::Error>, hint: impl Into<String>) -> Self {
        Self { error: error.into(), excerpt: None, hint: Some(hint.into()) }
    }

    /// An error with advice, if there is any.
    pub(crate) fn maybe(error: impl Into<anyhow::Error>, hint: Option<String>) -> anyhow::Error {
        match hint {
            Some(hint) => Self::new(error, hint).into(),
            None => error.into(),
        }
    }

    /// An error with its place in the text, and advice if there is any.
    #[cfg(feature = "sql")]
    pub(crate) fn at(
        error: impl Into<anyhow::Error>,
        excerpt: Option<String>,
        hint: Option<String>,
    ) -> Self {
        Self { error: error.into(), excerpt, hint }
    }
}

impl std::fmt::Display for Advised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Advised {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

/// Prints an error, with advice.
pub(crate) fn report(error: &anyhow::Error) {
    let mut chain = error.chain().map(ToString::to_string).peekable();
    let mut line = String::new();
    // Print a cause only once if its effect repeats it.
    while let Some(cause) = chain.next() {
        if chain.peek().is_none_or(|deeper| !cause.ends_with(deeper.as_str())) || cause.len() < 2 {
            separate(&mut line);
            line.push_str(&cause);
        } else if let Some(deeper) = chain.peek() {
            let head = &cause[..cause.len() - deeper.len()];
            let head = head.trim_end_matches([':', ' ']);
            if !head.is_empty() {
                separate(&mut line);
                line.push_str(head);
            }
        }
    }
    labeled("error", ERROR, &line);
    let advised = error.chain().find_map(|cause| cause.downcast_ref::<Advised>());
    let Some(Advised { excerpt, hint, .. }) = advised else { return };
    if let Some(excerpt) = excerpt {
        let _ = write!(io::stderr().lock(), "{excerpt}");
    }
    if let Some(hint) = hint {
        self::hint(hint);
    }
}

/// Prints a hint.
pub(crate) fn hint(text: &str) {
    labeled("hint", HINT, text);
}

fn separate(line: &mut String) {
    if !line.is_empty() {
        line.push_str(": ");
    }
}

/// Prints a note that begins with a word in color.
fn labeled(label: &str, style: Style, text: &str) {
    let label = paint(label, style, color::on_stderr());
    let _ = writeln!(io::stderr().lock(), "{label}: {}", visible_lines(text));
}

/// Escapes the control characters beyond ASCII, which JSON allows.
pub(crate) fn ascii_controls(json: &str) -> Cow<'_, str> {
    if !json.contains(|char: char| matches!(char, '\u{7f}'..='\u{9f}')) {
        return Cow::Borrowed(json);
    }
    let escaped = json.chars().map(|char| match char {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(char)),
        char => char.to_string(),
    });
    Cow::Owned(escaped.collect())
}

/// Escapes a text for a terminal, except its line breaks, which are our own.
fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Prints a note on standard error. A closed pipe is not an error.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{}", visible_lines(&text.to_string()));
}

/// Prints a note that a file has been written, with the number of entries in it.
pub(crate) fn written(number: u64, noun: &str, path: &Path) {
    note(format_args!("{} written to {}", counted(number, noun), path.display()));
}

/// Rows under a heading, ready to print in any format.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) heading: Vec<String>,
    /// The columns that are aligned to the right.
    pub(crate) is_number: Vec<bool>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Rows {
    /// Rows of texts; `numbers` are the headings of numbers.
    pub(crate) fn new(heading: &[&str], numbers: &[&str], rows: Vec<Vec<String>>) -> Self {
        let is_number = heading.iter().map(|name| numbers.contains(name)).collect();
        Self { heading: heading.iter().map(|name| (*name).to_owned()).collect(), is_number, rows }
    }

    /// Writes the rows as CSV or TSV.
    fn write(&self, format: Format, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut writer = row_writer(format, out);
        writer.write_record(&self.heading)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.flush()?;
        Ok(())
    }
}

/// A writer of rows as CSV or TSV. A cell is quoted if it contains a separator, a line break or a quote.
pub(crate) fn row_writer<W: Write>(format: Format, out: W) -> csv::Writer<W> {
    let delimiter = if format == Format::Tsv { b'\t' } else { b',' };
    csv::WriterBuilder::new().delimiter(delimiter).from_writer(out)
}

/// A result in the forms of all formats.
pub(crate) struct Answer<'a> {
    /// The rows of tables, CSV and TSV.
    pub(crate) rows: &'a Rows,
    /// The lines below a table.
    pub(crate) closing: &'a str,
    /// The name of the list in the JSON whose objects are the lines of NDJSON. Without a list, the result is one line.
    pub(crate) list: Option<&'static str>,
}

/// Prints a text and a line break.
pub(crate) fn line(text: impl std::fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", visible_lines(&text.to_string()))?;
    out.flush()?;
    Ok(())
}

/// Prints a result; `json` returns its JSON.
pub(crate) fn print(
    format: Format,
    answer: &Answer<'_>,
    json: impl FnOnce() -> Value,
) -> anyhow::Result<()> {
    // A table has no escape sequences except our own colors.
    match format {
        Format::Table => write_on(Page::stdout(), format, answer, json, &mut io::stdout().lock()),
        _ => write(format, answer, json, &mut screen::stdout()),
    }
}

/// Adds to an error of printing a report that the change was made.
pub(crate) fn reported(is_changed: bool, printed: anyhow::Result<()>) -> anyhow::Result<()> {
    match is_changed {
        true => printed.context("the archive has been changed, but the report cannot be printed"),
        false => printed,
    }
}

/// Writes a result to the file of `--output`, or prints it.
pub(crate) fn deliver(
    to: &ToFile,
    format: Format,
    answer: &Answer<'_>,
    json: impl FnOnce() -> Value,
) -> anyhow::Result<()> {
    let Some(path) = to.file() else { return print(format, answer, json) };
    let mut file = NewFile::create(path, &[], to.force)?;
    write(format, answer, json, &mut file)?;
    file.finish()
}

/// A list that may be too long to hold as text. Its objects are written one by one.
pub(crate) struct Listed<'a> {
    /// The fields of the rows.
    pub(crate) columns: &'a [String],
    /// The fields of the JSON before the list: an object with at least one field.
    pub(crate) head: Value,
    /// The name of the list in JSON.
    pub(crate) name: &'a str,
}

/// Writes a list in a format for programs to the file of `--output`, or prints it.
pub(crate) fn deliver_list(
    to: &ToFile,
    format: Format,
    list: &Listed<'_>,
    objects: &mut dyn Iterator<Item = Value>,
) -> anyhow::Result<()> {
    let Some(path) = to.file() else {
        return write_list(format, list, objects, &mut screen::stdout());
    };
    let mut file = NewFile::create(path, &[], to.force)?;
    write_list(format, list, objects, &mut file)?;
    file.finish()
}

fn write_list(
    format: Format,
    list: &Listed<'_>,
    objects: &mut dyn Iterator<Item = Value>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    // Standard output alone flushes every line.
    let mut out = BufWriter::new(out);
    match format {
        Format::Csv | Format::Tsv => {
            let mut writer = row_writer(format, &mut out);
            writer.write_record(list.columns)?;
            for object in objects {
                writer.write_record(list.columns.iter().map(|name| cell(&object[name])))?;
            }
            writer.flush()?;
        }
        Format::Ndjson => {
            for object in objects {
                writeln!(out, "{}", ascii_controls(&object.to_string()))?;
            }
        }
        Format::Json | Format::Table => {
            let head = list.head.to_string();
            let head = head.strip_suffix('}').unwrap_or(&head);
            write!(out, "{},\"{}\":[", ascii_controls(head), list.name)?;
            for (number, object) in objects.enumerate() {
                let comma = if number > 0 { "," } else { "" };
                write!(out, "{comma}{}", ascii_controls(&object.to_string()))?;
            }
            writeln!(out, "]}}")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A value as the text of a cell.
pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes a result; `json` returns its JSON.
pub(crate) fn write(
    format: Format,
    answer: &Answer<'_>,
    json: impl FnOnce() -> Value,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    write_on(Page::FILE, format, answer, json, out)
}

fn write_on(
    page: Page,
    format: Format,
    answer: &Answer<'_>,
    json: impl FnOnce() -> Value,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Answer { rows, closing, list } = answer;
    match format {
        Format::Json => writeln!(out, "{}", ascii_controls(&json().to_string()))?,
        Format::Ndjson => {
            let mut json = json();
            let lines = match list {
                Some(name) => json[name].take(),
                None => json,
            };
            match lines {
                Value::Array(lines) => write_lines(&lines, out)?,
                line => write_lines(&[line], out)?,
            }
        }
        Format::Csv | Format::Tsv => rows.write(format, out)?,
        Format::Table => {
            if !rows.rows.is_empty() {
                let is_number = |column: usize| rows.is_number[column];
                write!(out, "{}", table::draw(&rows.heading, &rows.rows, is_number, page))?;
            }
            if !closing.is_empty() {
                writeln!(out, "{closing}")?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// NDJSON: one value per line.
fn write_lines(values: &[Value], out: &mut dyn Write) -> io::Result<()> {
    values.iter().try_for_each(|value| writeln!(out, "{}", ascii_controls(&value.to_string())))
}

/// A number with thousands separators: 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The name of an input in messages.
pub(crate) fn input_name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => visible(&path.to_string_lossy()).into_owned(),
    }
}

/// A count and its noun: "1 game", "2,000 games".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}
