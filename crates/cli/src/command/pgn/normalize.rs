//! `halfmove pgn normalize`: rewrites PGN files in the export format.

use super::texts::Texts;
use super::{Files, Opened, decoded};
use crate::args::Normalize;
use crate::new_file::NewFile;
use crate::output::{self, Unwritable, counted, input_name};
use crate::{Done, screen};
use anyhow::{Context, anyhow};
use halfmove_game::Game;
use halfmove_game::pgn::{Checker, Format, GameReader, Reading};
use std::io::{BufWriter, Write};
use std::path::Path;

pub(crate) fn run(args: Normalize) -> anyhow::Result<Done> {
    let mut files = Files::new(&args.files.files)?;
    let style = Style::new(&args);
    let mut report = Report::default();
    match args.to.file() {
        None => {
            let mut out = Texts::new(BufWriter::with_capacity(1 << 16, screen::stdout()));
            files.for_each(|path, opened| file(path, opened, style, &mut out, &mut report))?;
            out.into_inner().flush()?;
        }
        Some(path) => {
            let out = NewFile::create(path, &files.paths, args.to.force).context("--output")?;
            let mut out = Texts::new(out);
            files.for_each(|path, opened| file(path, opened, style, &mut out, &mut report))?;
            // An incomplete file is not kept.
            if files.failed {
                output::note(format_args!("{} was not written", path.display()));
                return Ok(Done::Failed);
            }
            out.into_inner().finish()?;
            let games = counted(files.games, "game");
            output::note(format_args!("{games} written to {}", path.display()));
        }
    }
    if report.faulty > 0 {
        let games = counted(report.faulty, "game");
        output::note(format_args!("{games} with errors copied unchanged (see halfmove pgn check)"));
    }
    if report.large > 0 {
        let games = counted(report.large, "game");
        output::note(format_args!("{games} that could not be rewritten copied unchanged"));
    }
    if report.outside > 0 {
        let lines = counted(report.outside, "line");
        output::note(format_args!("{lines} of text outside any game left out"));
    }
    Ok(if files.failed { Done::Failed } else { Done::Found })
}

/// The options of rewriting.
#[derive(Clone, Copy)]
struct Style {
    format: Format,
    no_comments: bool,
    no_nags: bool,
    no_variations: bool,
}

impl Style {
    fn new(args: &Normalize) -> Self {
        let format = Format::new();
        Self {
            format: if args.reduced { format.reduced() } else { format.in_standard_order() },
            no_comments: args.no_comments,
            no_nags: args.no_nags,
            no_variations: args.no_variations,
        }
    }

    /// Removes the parts of a game that are to be left out.
    fn strip(self, game: &mut Game) {
        if self.no_comments {
            game.annotations.remove_comments();
        }
        if self.no_nags {
            game.annotations.remove_nags();
        }
        if self.no_variations {
            game.annotations.remove_variations();
        }
    }
}

/// Counts of what was not rewritten.
#[derive(Default)]
struct Report {
    /// Games with errors.
    faulty: u64,
    /// Games without errors that could not be rewritten: too large, or nothing but an annotation.
    large: u64,
    outside: u64,
}

/// A game that was read, but not yet written, with the offset of its text.
struct Pending {
    from: u64,
    is_faulty: bool,
    /// The lines of text before it that belong to no game, and those of them that are in its text.
    outside: u64,
    included: u64,
}

fn file(
    path: &Path,
    opened: &mut Opened<'_>,
    style: Style,
    out: &mut Texts<impl Write>,
    report: &mut Report,
) -> anyhow::Result<u64> {
    let mut checker = Checker::new();
    let mut pending: Option<Pending> = None;
    let mut text = String::new();
    loop {
        let more = checker.read_game(&mut opened.reader)?;
        if let Some(Pending { from, is_faulty, outside, included }) = pending.take() {
            let bytes = opened.tape.text(from, checker.next_offset()).ok_or_else(|| {
                anyhow!("{}: the game at byte {from} is too long to be rewritten", input_name(path))
            })?;
            text.clear();
            if !is_faulty && rewrite(&bytes, style, &mut text).is_some() {
                out.write(&text).map_err(Unwritable::from)?;
                report.outside += outside;
            } else {
                report.faulty += u64::from(is_faulty);
                report.large += u64::from(!is_faulty);
                report.outside += outside - included;
                out.copy(decoded(&bytes).as_bytes()).map_err(Unwritable::from)?;
            }
        }
        if !more {
            break;
        }
        opened.tick();
        let (from, is_faulty) = (checker.start_offset(), checker.has_errors());
        let (outside, included) = (checker.outside_lines(), checker.included_lines());
        pending = Some(Pending { from, is_faulty, outside, included });
        opened.tape.forget(checker.start_offset());
    }
    // Comments after the last game.
    let rest = checker.pending_offset().and_then(|from| opened.tape.text(from, None));
    if let Some(bytes) = &rest {
        out.copy(decoded(bytes).as_bytes()).map_err(Unwritable::from)?;
    }
    let included = if rest.is_some() { checker.included_lines() } else { 0 };
    report.outside += checker.outside_lines() - included;
    Ok(checker.game())
}

/// Reads the one game of a text and appends it in the format; `None` if that is not possible.
fn rewrite(bytes: &[u8], style: Style, text: &mut String) -> Option<()> {
    let mut reader = GameReader::new(bytes);
    let mut game = Game::default();
    // A text in memory has no errors of the source.
    let Ok(Some(Reading::Whole)) = reader.read(&mut game) else { return None };
    if game.tags.is_empty() && game.moves.is_empty() {
        // Such a game would not be read back.
        return None;
    }
    style.strip(&mut game);
    game.standardize_tags();
    style.format.append(&game, text).ok()?;
    // Anything after the game would be lost.
    let mut rest = Game::default();
    matches!(reader.read(&mut rest), Ok(None) if rest.annotations.is_empty()).then_some(())
}
