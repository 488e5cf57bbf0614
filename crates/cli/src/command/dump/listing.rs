//! Lists of codes in all formats, written as the codes are read, since a game may have millions.

use crate::args::Format;
use crate::output::{ascii_controls, row_writer};
use crate::screen;
use crate::visible::visible;
use halfmove_codecs::{Codec, DecodeError, Dumped};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

/// The maximum number of bytes of a code that a table shows. A code may be a long text.
const MAX_BYTES: usize = 8;

/// The number of rows of a table that have the same widths, unless their texts are long.
const PORTION: usize = 4096;

/// The number of bytes of text after which rows are written early.
const PORTION_BYTES: usize = 1 << 20;

const HEADING: [&str; 4] = ["offset", "bytes", "fields", "meaning"];

/// The codes of a game, on standard output.
pub(super) struct Listing<'a> {
    bytes: &'a [u8],
    out: Out,
}

enum Out {
    Table(Table<Box<dyn Write>>),
    Rows(Box<csv::Writer<Box<dyn Write>>>),
    Json { out: Box<dyn Write>, is_first: bool },
    Ndjson(Box<dyn Write>),
}

impl<'a> Listing<'a> {
    /// Begins a listing of these bytes.
    pub(super) fn new(
        format: Format,
        codec: &dyn Codec,
        bytes: &'a [u8],
    ) -> anyhow::Result<Listing<'a>> {
        let stdout =
            || -> Box<dyn Write> { Box::new(BufWriter::with_capacity(1 << 16, screen::stdout())) };
        let out = match format {
            Format::Table => Out::Table(Table::new(stdout())),
            Format::Csv | Format::Tsv => {
                let mut writer = row_writer(format, screen::stdout());
                writer.write_record(HEADING)?;
                Out::Rows(Box::new(writer))
            }
            Format::Ndjson => Out::Ndjson(stdout()),
            Format::Json => {
                let mut out = stdout();
                let (name, version) = (Value::from(codec.name()), codec.version());
                write!(
                    out,
                    "{{\"codec\":{name},\"version\":{version},\"bytes\":{},\"codes\":[",
                    bytes.len()
                )?;
                Out::Json { out, is_first: true }
            }
        };
        Ok(Listing { bytes, out })
    }

    /// Adds a code.
    pub(super) fn add(&mut self, code: &Dumped) -> anyhow::Result<()> {
        let bytes = self.bytes.get(code.bytes.clone()).unwrap_or_default();
        let offset = code.bytes.start;
        match &mut self.out {
            Out::Table(table) => {
                let shown = bytes.get(..MAX_BYTES).unwrap_or(bytes);
                let more = if bytes.len() > MAX_BYTES { " …" } else { "" };
                table.add([
                    offset.to_string(),
                    hex(shown) + more,
                    visible(&code.fields).into(),
                    visible(&code.meaning).into(),
                ])?;
            }
            Out::Rows(writer) => {
                writer.write_record([
                    offset.to_string().as_str(),
                    &hex(bytes),
                    &code.fields,
                    &code.meaning,
                ])?;
            }
            Out::Json { out, is_first } => {
                let comma = if std::mem::take(is_first) { "" } else { "," };
                write!(out, "{comma}{}", object(code, bytes))?;
            }
            Out::Ndjson(out) => writeln!(out, "{}", object(code, bytes))?,
        }
        Ok(())
    }

    /// Ends the listing with the error that ended the bytes, if there is one, or with a closing line below a table.
    pub(super) fn finish(self, error: Option<DecodeError>, closing: &str) -> anyhow::Result<()> {
        match self.out {
            Out::Table(mut table) => {
                table.flush()?;
                writeln!(table.out, "{}", visible(closing))?;
                table.out.flush()?;
            }
            Out::Rows(mut writer) => writer.flush()?,
            Out::Ndjson(mut out) => out.flush()?,
            Out::Json { mut out, .. } => {
                let error = error.map(
                    |error| json!({ "offset": error.offset, "message": error.kind.to_string() }),
                );
                writeln!(out, "],\"error\":{}}}", ascii_controls(&Value::from(error).to_string()))?;
                out.flush()?;
            }
        }
        Ok(())
    }
}

/// A code as JSON.
fn object(code: &Dumped, bytes: &[u8]) -> String {
    let value = json!({
        "offset": code.bytes.start,
        "bytes": hex(bytes),
        "fields": code.fields,
        "meaning": code.meaning,
    });
    ascii_controls(&value.to_string()).into_owned()
}

/// Bytes in hexadecimal, with spaces.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * bytes.len());
    for byte in bytes {
        let space = if text.is_empty() { "" } else { " " };
        // Writing to a string does not fail.
        let _ = write!(text, "{space}{byte:02x}");
    }
    text
}

/// A table that is written in portions, each with its own widths. The last column is not padded.
struct Table<W> {
    out: W,
    rows: Vec<[String; 4]>,
    /// The length of the text in the rows, in bytes.
    bytes: usize,
}

impl<W: Write> Table<W> {
    fn new(out: W) -> Self {
        Self { out, rows: vec![HEADING.map(str::to_owned)], bytes: 0 }
    }

    fn add(&mut self, row: [String; 4]) -> io::Result<()> {
        self.bytes += row.iter().map(String::len).sum::<usize>();
        self.rows.push(row);
        if self.rows.len() > PORTION || self.bytes > PORTION_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the rows. A heading without codes is left out.
    fn flush(&mut self) -> io::Result<()> {
        let length = |text: &String| text.chars().count();
        let [first, second, third] = [0, 1, 2].map(|column: usize| {
            let widths = self.rows.iter().map(|row| length(&row[column]));
            widths.fold(HEADING[column].len(), usize::max)
        });
        if self.bytes > 0 {
            for [offset, bytes, fields, meaning] in self.rows.drain(..) {
                let line =
                    format!("{offset:>first$}  {bytes:<second$}  {fields:<third$}  {meaning}");
                writeln!(self.out, "{}", line.trim_end())?;
            }
        }
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that wait stay few, however many there are.
    #[test]
    fn rows_are_written_as_they_come() {
        let mut table = Table::new(Vec::new());
        for row in 0..20_000 {
            let text = if row == 9_000 { "x".repeat(PORTION_BYTES) } else { "y".to_owned() };
            table.add([row.to_string(), "00".to_owned(), String::new(), text]).unwrap();
            assert!(table.rows.len() <= PORTION && table.bytes <= PORTION_BYTES);
        }
        table.flush().unwrap();
        let text = String::from_utf8(table.out).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (20_001, "offset  bytes  fields  meaning"));
        assert!(lines[1..].iter().zip(0..).all(|(line, row)| {
            let mut words = line.split_whitespace();
            words.next() == Some(row.to_string().as_str()) && words.next() == Some("00")
        }));
        // One long text widens no other line.
        assert!(text.len() < 2 * PORTION_BYTES, "{}", text.len());
        let mut empty = Table::new(Vec::new());
        empty.flush().unwrap();
        assert!(empty.out.is_empty());
    }
}
