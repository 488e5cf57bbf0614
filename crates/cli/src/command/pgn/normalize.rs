//! `halfmove pgn normalize`: rewrites PGN files in the export format.

use super::{Files, Opened};
use crate::Done;
use crate::args::Normalize;
use crate::new_file::NewFile;
use crate::output::{self, counted, input_name};
use anyhow::{Context, anyhow};
use halfmove_game::Game;
use halfmove_game::pgn::{Checker, Fault, Format, GameReader, Reading, Text};
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(crate) fn run(args: Normalize) -> anyhow::Result<Done> {
    let mut files = Files::new(&args.files.files)?;
    let format =
        if args.reduced { Format::new().reduced() } else { Format::new().in_standard_order() };
    let mut report = Report::default();
    match &args.output {
        None => {
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            files.for_each(|path, opened| file(path, opened, format, &mut out, &mut report))?;
            out.flush()?;
        }
        Some(path) => {
            let mut out = NewFile::create(path, &files.paths).context("--output")?;
            files.for_each(|path, opened| file(path, opened, format, &mut out, &mut report))?;
            // What is not whole gets no name.
            if !files.failed {
                out.finish()?;
                output::note(format_args!(
                    "{} written to {}",
                    counted(files.games, "game"),
                    path.display()
                ));
            }
        }
    }
    let what =
        if report.copied == 1 { "a fault copied as it is" } else { "faults copied as they are" };
    if report.copied > 0 {
        let games = counted(report.copied, "game");
        output::note(format_args!("{games} with {what} (halfmove pgn check shows the faults)"));
    }
    if report.outside > 0 {
        let lines = counted(report.outside, "line");
        output::note(format_args!("{lines} of text outside any game left out"));
    }
    Ok(if files.failed { Done::Failed } else { Done::Found })
}

/// What was not rewritten.
#[derive(Default)]
struct Report {
    copied: u64,
    outside: u64,
}

/// A game that was read, but not yet written: where its text begins, and whether it has errors.
struct Pending {
    from: u64,
    is_faulty: bool,
}

fn file(
    path: &Path,
    opened: &mut Opened<'_>,
    format: Format,
    out: &mut impl Write,
    report: &mut Report,
) -> anyhow::Result<u64> {
    let mut checker = Checker::new();
    let mut pending: Option<Pending> = None;
    let mut text = String::new();
    loop {
        let more = checker.read_game(&mut opened.reader)?;
        if let Some(Pending { from, is_faulty }) = pending.take() {
            let bytes = opened.tape.text(from, checker.next_offset()).ok_or_else(|| {
                anyhow!("{}: the game at byte {from} is too long to be rewritten", input_name(path))
            })?;
            text.clear();
            if !is_faulty && rewrite(&bytes, format, &mut text).is_some() {
                out.write_all(text.as_bytes())?;
            } else {
                report.copied += 1;
                copy(&bytes, out)?;
            }
        }
        let outside = checker.faults().iter().filter(|fault| fault.kind.name() == "outside_text");
        report.outside += outside.count() as u64;
        if !more {
            break;
        }
        opened.tick();
        let is_faulty = checker.faults().iter().any(is_error);
        pending = Some(Pending { from: checker.start_offset(), is_faulty });
        opened.tape.forget(checker.start_offset());
    }
    // Comments behind the last game.
    if let Some(from) = checker.pending_offset()
        && let Some(bytes) = opened.tape.text(from, None)
    {
        copy(&bytes, out)?;
    }
    Ok(checker.game())
}

/// Writes a text as it is, but in UTF-8 like everything else.
fn copy(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    for line in bytes.trim_ascii().split_inclusive(|byte| *byte == b'\n') {
        out.write_all(Text::plain(line).to_str().as_bytes())?;
    }
    out.write_all(b"\n\n")
}

fn is_error(fault: &Fault) -> bool {
    fault.kind.is_error()
}

/// Reads the one game of a text and appends it in the format; `None` if that is not possible.
fn rewrite(bytes: &[u8], format: Format, text: &mut String) -> Option<()> {
    let mut reader = GameReader::new(bytes);
    let mut game = Game::default();
    // A text in memory has no errors of the source.
    let Ok(Some(Reading::Whole)) = reader.read(&mut game) else { return None };
    if game.tags.is_empty() && game.moves.is_empty() {
        // Such a game would not be read back.
        return None;
    }
    format.append(&game, text).ok()?;
    // There must be nothing else that would be lost.
    let mut rest = Game::default();
    matches!(reader.read(&mut rest), Ok(None) if rest.annotations.is_empty()).then_some(())
}
