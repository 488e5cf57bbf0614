//! `halfmove pgn check`: reports all faults of PGN files.

use super::draw::draw;
use super::rejects::Rejects;
use super::tape::Tape;
use super::{Files, Opened, by_kind};
use crate::args::{Check, Format};
use crate::output::{self, Unwritable, counted, input_name};
use crate::visible::visible;
use crate::{Done, screen};
use halfmove_game::Tags;
use halfmove_game::pgn::{Checker, Fault, FaultKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

const COLUMNS: [&str; 12] = [
    "file", "game", "line", "column", "offset", "ply", "depth", "severity", "kind", "message",
    "found", "hint",
];

pub(crate) fn run(args: Check) -> anyhow::Result<Done> {
    let mut files = Files::new(&args.files.files)?;
    let rejects =
        args.rejects.as_deref().map(|path| Rejects::create(path, &files.paths, args.force));
    let mut rejects = rejects.transpose()?;
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let mut report = Report::new(args.output.format, limit, rejects.is_some());
    report.begin()?;
    match files.for_each(|path, opened| report.file(path, opened, rejects.as_mut())) {
        // The output was closed, but the exit code still reports the faults.
        Err(error) if output::is_closed_pipe(&error) && report.faults > 0 => {
            return Ok(Done::Nothing);
        }
        read => read?,
    }
    let rejected = rejects.map(Rejects::finish).transpose()?;
    report.end(files.games)?;
    if let (Some(games), Some(path)) = (rejected, &args.rejects) {
        output::note(format_args!("{} written to {}", counted(games, "game"), path.display()));
    }
    Ok(match (files.failed, report.faults) {
        (true, _) => Done::Failed,
        (false, 0) => Done::Found,
        (false, _) => Done::Nothing,
    })
}

/// The number of further places that are listed for warnings of a kind.
const PLACES: usize = 3;

/// The warnings of a kind.
struct Warnings {
    kind: &'static str,
    count: u64,
    /// The first warning, drawn.
    first: String,
    /// The places of the next ones.
    places: Vec<String>,
}

impl Warnings {
    /// The first warning, and a line on the others.
    fn text(&self) -> String {
        let more = self.count - 1;
        if more == 0 {
            return self.first.clone();
        }
        let places = self.places.join(", ");
        let dots = if more > self.places.len() as u64 { ", …" } else { "" };
        let more = output::grouped(more);
        format!("{}  = {more} more of this kind: {places}{dots} (all with --limit 0)\n", self.first)
    }
}

/// The report, printed fault by fault.
struct Report {
    format: Format,
    limit: usize,
    faults: u64,
    shown: usize,
    /// The errors so far, and those that were shown.
    errors: (u64, u64),
    /// In a table, warnings come after all errors, those of a kind together.
    warnings: Vec<Warnings>,
    faulty_games: u64,
    kinds: BTreeMap<&'static str, u64>,
    has_rejects: bool,
    /// True after the reader of the output has closed it.
    is_silent: bool,
}

impl Report {
    fn new(format: Format, limit: usize, has_rejects: bool) -> Self {
        Self {
            format,
            limit,
            faults: 0,
            shown: 0,
            errors: (0, 0),
            warnings: Vec::new(),
            faulty_games: 0,
            kinds: BTreeMap::new(),
            has_rejects,
            is_silent: false,
        }
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        let printed = match self.format {
            Format::Table | Format::Ndjson => Ok(()),
            Format::Json => {
                let mut out = screen::stdout();
                write!(out, "{{\"faults\":[").and_then(|()| out.flush())
            }
            Format::Csv | Format::Tsv => write_row(self.format, COLUMNS),
        };
        self.is_silent = Self::is_unread(printed)?;
        Ok(())
    }

    /// Checks a file, and returns the number of its games.
    fn file(
        &mut self,
        path: &Path,
        opened: &mut Opened<'_>,
        mut rejects: Option<&mut Rejects>,
    ) -> anyhow::Result<u64> {
        let file = input_name(path);
        let mut checker = Checker::new();
        // The end of a faulty game is known only after the next game is read.
        let mut faulty_from = None;
        loop {
            let more = checker.read_game(&mut opened.reader)?;
            if checker.game() == 0 {
                // Every line is outside of a game; the caller reports that there is none.
                return Ok(0);
            }
            if let (Some(rejects), Some(from)) = (&mut rejects, faulty_from.take()) {
                rejects.push(&file, &opened.tape, from, checker.next_offset())?;
            }
            if !checker.faults().is_empty() {
                let tape = &opened.tape;
                opened.progress.suspend(|| {
                    let mut faults = checker.faults().iter();
                    faults.try_for_each(|fault| self.fault(&file, fault, checker.tags(), tape))
                })?;
            }
            if checker.more_faults() > 0 {
                self.faults += checker.more_faults();
                *self.kinds.entry("more_faults").or_default() += checker.more_faults();
            }
            if !more {
                break;
            }
            opened.tick();
            if !checker.faults().is_empty() {
                self.faulty_games += 1;
                faulty_from = Some(checker.start_offset());
            }
            opened.tape.forget(checker.start_offset());
        }
        Ok(checker.game())
    }

    fn fault(&mut self, file: &str, fault: &Fault, tags: &Tags, tape: &Tape) -> anyhow::Result<()> {
        self.faults += 1;
        *self.kinds.entry(fault.kind.name()).or_default() += 1;
        let is_error = fault.kind.is_error();
        self.errors.0 += u64::from(is_error);
        if self.format == Format::Table && self.limit != usize::MAX && !is_error {
            self.warn(file, fault, tags, tape);
            return Ok(());
        }
        if self.format == Format::Table && self.shown == self.limit {
            return Ok(());
        }
        self.shown += 1;
        self.errors.1 += u64::from(is_error);
        if !self.is_silent {
            let printed = self.print(file, fault, tags, tape);
            self.is_silent = Self::is_unread(printed)?;
        }
        // The rejects are written even after the output is closed.
        if self.is_silent && !self.has_rejects {
            return Err(Unwritable::from(io::Error::from(io::ErrorKind::BrokenPipe)).into());
        }
        Ok(())
    }

    /// Keeps a warning for the end of the table.
    fn warn(&mut self, file: &str, fault: &Fault, tags: &Tags, tape: &Tape) {
        let kind = fault.kind.name();
        match self.warnings.iter_mut().find(|warnings| warnings.kind == kind) {
            Some(warnings) => {
                warnings.count += 1;
                if warnings.places.len() < PLACES {
                    warnings.places.push(format!("{}:{}", visible(file), fault.at.line));
                }
            }
            None => {
                let first = draw(file, fault, tags, tape.line(fault.offset, fault.bytes));
                self.warnings.push(Warnings { kind, count: 1, first, places: Vec::new() });
            }
        }
    }

    /// Returns true if the reader of the output has closed it.
    fn is_unread(printed: io::Result<()>) -> Result<bool, Unwritable> {
        match printed {
            Ok(()) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn print(&self, file: &str, fault: &Fault, tags: &Tags, tape: &Tape) -> io::Result<()> {
        // A table has no escape sequences except our own colors.
        let mut out: Box<dyn Write> = match self.format {
            Format::Table => Box::new(io::stdout().lock()),
            _ => screen::stdout(),
        };
        match self.format {
            Format::Table => {
                let line = tape.line(fault.offset, fault.bytes);
                writeln!(out, "{}", draw(file, fault, tags, line))?;
            }
            Format::Json => {
                let comma = if self.faults > 1 { "," } else { "" };
                write!(out, "{comma}\n{}", object(file, fault))?;
                out.flush()?;
            }
            Format::Ndjson => writeln!(out, "{}", object(file, fault))?,
            Format::Csv | Format::Tsv => {
                drop(out);
                let severity = severity(fault);
                let [line, column] = [fault.at.line, fault.at.column].map(|n| n.to_string());
                write_row(
                    self.format,
                    [
                        file,
                        &fault.game.to_string(),
                        &line,
                        &column,
                        &fault.offset.to_string(),
                        &fault.ply.to_string(),
                        &fault.depth.to_string(),
                        severity,
                        fault.kind.name(),
                        &fault.kind.to_string(),
                        found(fault).unwrap_or_default(),
                        &fault.kind.advice().unwrap_or_default(),
                    ],
                )?;
            }
        }
        Ok(())
    }

    fn end(&self, games: u64) -> io::Result<()> {
        if self.is_silent {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        match self.format {
            Format::Csv | Format::Tsv | Format::Ndjson => {}
            Format::Json => {
                let rest = json!({
                    "games": games,
                    "faulty_games": self.faulty_games,
                    "kinds": self.kinds,
                });
                let rest = rest.to_string();
                writeln!(out, "\n],{}", rest.trim_start_matches('{'))?;
            }
            // The errors have been printed already.
            Format::Table if games == 0 => {}
            Format::Table if self.faults == 0 => {
                writeln!(out, "{}, no faults", counted(games, "game"))?;
            }
            Format::Table => {
                for warnings in &self.warnings {
                    writeln!(out, "{}", warnings.text())?;
                }
                let (errors, shown) = self.errors;
                let shown = match shown == errors {
                    true => String::new(),
                    false => format!(", the first {} shown (--limit)", counted(shown, "error")),
                };
                writeln!(
                    out,
                    "{} in {} of {}{shown}: {}",
                    counted(self.faults, "fault"),
                    output::grouped(self.faulty_games),
                    counted(games, "game"),
                    by_kind(&self.kinds),
                )?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn write_row(format: Format, cells: [&str; COLUMNS.len()]) -> io::Result<()> {
    let mut writer = output::row_writer(format, screen::stdout());
    writer.write_record(cells)?;
    writer.flush()?;
    Ok(())
}

fn severity(fault: &Fault) -> &'static str {
    if fault.kind.is_error() { "error" } else { "warning" }
}

/// The invalid word of the file.
fn found(fault: &Fault) -> Option<&str> {
    match &fault.kind {
        FaultKind::Move(kind) => kind.found(),
        FaultKind::Outside { found }
        | FaultKind::UnknownResult { found }
        | FaultKind::RepairedPosition { fen: found, .. }
        | FaultKind::UnusableValue { found, .. } => Some(found),
        _ => None,
    }
}

fn object(file: &str, fault: &Fault) -> Value {
    let expected = match &fault.kind {
        FaultKind::Move(kind) => kind.expected(),
        _ => &[],
    };
    json!({
        "file": file,
        "game": fault.game,
        "line": fault.at.line,
        "column": fault.at.column,
        "offset": fault.offset,
        "bytes": fault.bytes,
        "ply": fault.ply,
        "depth": fault.depth,
        "severity": severity(fault),
        "kind": fault.kind.name(),
        "message": fault.kind.to_string(),
        "found": found(fault),
        "expected": expected,
        "hint": fault.kind.advice(),
    })
}
