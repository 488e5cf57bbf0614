//! The options of output: its destination, format and length.

use super::help::RARE;
use crate::archive::local;
use crate::new_file::NewFile;
use crate::output::Advised;
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// A file to write to, instead of standard output.
#[derive(Debug, Args)]
pub(crate) struct ToFile {
    /// Write to this file, completely or not at all; - is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file of --output if it exists
    #[arg(long, requires = "output", help_heading = RARE)]
    pub(crate) force: bool,
}

impl ToFile {
    /// Returns the format of the output: the one that is typed, else that of the ending of the file's name.
    pub(crate) fn format<F: ValueEnum>(&self, typed: Option<F>) -> anyhow::Result<Option<F>> {
        let (Some(path), None) = (self.file(), &typed) else { return Ok(typed) };
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".zst").or(name.strip_suffix(".gz")).unwrap_or(&name);
        let ending = match name.rsplit_once('.') {
            Some((_, "jsonl")) => "ndjson",
            Some((_, ending)) => ending,
            None => return Ok(None),
        };
        match F::from_str(ending, false) {
            // Any text may be in a file of this ending.
            Err(_) if ending == "txt" => Ok(None),
            Err(_) => {
                let error = anyhow!("{}: this verb does not write {ending}", path.display());
                let hint = match ending {
                    "parquet" | "pq" => PARQUET,
                    _ => "expected another ending, such as .csv or .json, or --format",
                };
                Err(Advised::new(error, hint).into())
            }
            Ok(format) => Ok(Some(format)),
        }
    }

    /// Refuses a file that cannot be written, before `input` is read. It must not be that file.
    pub(crate) fn check(&self, input: &Path) -> anyhow::Result<()> {
        let inputs = [local(input).into_owned()];
        self.file().map_or(Ok(()), |path| NewFile::check(path, &inputs, self.force))
    }

    /// The file, if it is not standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

/// The hint for a verb that does not write Parquet.
pub(crate) const PARQUET: &str =
    "sql writes Parquet: halfmove sql ARCHIVE \"select … from games\" --output games.parquet";

#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Output format
    #[arg(long, default_value = "table", help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people
    Table,
    /// JSON: one object or array
    Json,
    /// One JSON object per line: the objects of a list, or the whole output
    Ndjson,
    /// CSV with a header line
    Csv,
    /// Like CSV, with tabs between the cells
    Tsv,
}

/// The length of a list.
#[derive(Debug, Args)]
pub(crate) struct Limit {
    /// Length of the list, 0 for all; the default is 20 in a table, else all
    #[arg(long, value_name = "N", help_heading = "Output")]
    limit: Option<usize>,
}

impl Limit {
    /// Returns the maximum number of entries to show. Other formats than tables have all by default, since a program would not
    /// notice that some are missing.
    pub(crate) fn most(&self, is_table: bool) -> usize {
        match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if is_table => 20,
            None => usize::MAX,
        }
    }
}

/// A change that is only planned.
#[derive(Debug, Args)]
pub(crate) struct DryRun {
    /// Show what would happen, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
