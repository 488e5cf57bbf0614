//! The texts of the report of an import.

use super::session::{Session, name};
use crate::command::pgn::NONE;
use crate::output::{counted, grouped, input_name};
use crate::quote;
use anyhow::anyhow;
use halfmove_archive::ImportReport;
use halfmove_game::pgn::Counts;
use halfmove_rules::Variant;
use std::path::{Path, PathBuf};

pub(super) fn no_games(path: &Path, counts: &Counts) -> String {
    format!("{}: {}", input_name(path), counts.why_no_games().unwrap_or_default())
}

pub(super) fn nothing_to_import(files: &[PathBuf], counts: &Counts) -> anyhow::Error {
    match (counts.games, files) {
        (0, [file]) => anyhow!("{}; nothing was imported", no_games(file, counts)),
        (0, _) => anyhow!("{NONE}; nothing was imported"),
        _ => anyhow!("{}; nothing was imported", skipped(counts).unwrap_or_default()),
    }
}

/// The line on games with a fault, `left_out` of which are left out as duplicates.
pub(super) fn faulty(counts: &Counts, left_out: u64) -> Option<String> {
    let there = counts.faulty.saturating_sub(left_out);
    let games = counted(there, "game");
    Some(match (there, left_out) {
        (0, 0) => return None,
        (0, _) => format!("{} with a fault left out", counted(left_out, "game")),
        (_, 0) => format!(
            "{games} with a fault (column fault): moves end there, {}",
            match counts.long_games {
                0 => format!(
                    "{} from there on kept as text",
                    counted(counts.lost_half_moves, "half-move")
                ),
                _ => "what is kept of the rest is text".to_owned(),
            }
        ),
        _ => format!(
            "{games} with a fault (column fault): moves end there, the rest is kept as text; {} more left out",
            grouped(left_out)
        ),
    })
}

/// The line on games that are larger than a reader's memory.
pub(super) fn long(counts: &Counts) -> Option<String> {
    (counts.long_games > 0).then(|| {
        format!(
            "{} with more than 32 MiB of moves and annotations, or of tags: cut there, and the rest is lost",
            counted(counts.long_games, "game")
        )
    })
}

/// The line on games whose FEN was read with a change.
pub(super) fn repaired(counts: &Counts) -> Option<String> {
    let games = counts.repaired_positions;
    (games > 0).then(|| {
        format!(
            "{} whose FEN has fields that are missing or cannot be: read without them (halfmove pgn check names each)",
            counted(games, "game")
        )
    })
}

pub(super) fn skipped(counts: &Counts) -> Option<String> {
    (counts.skipped() > 0).then(|| {
        let mut reasons: Vec<String> = counts
            .skipped_variants
            .iter()
            .map(|(variant, games)| format!("{variant} {}", grouped(*games)))
            .collect();
        if counts.skipped_positions > 0 {
            reasons.push(format!("unusable FEN {}", grouped(counts.skipped_positions)));
        }
        format!(
            "{} with {} skipped: {}",
            counted(counts.skipped(), "game"),
            counted(counts.skipped_half_moves, "half-move"),
            reasons.join(", ")
        )
    })
}

/// The line on the games of each variant, if any game is not chess.
pub(super) fn variants(report: &ImportReport) -> Option<String> {
    let variants: Vec<String> = report
        .variants
        .iter()
        .map(|(variant, games)| format!("{variant} {}", grouped(games)))
        .collect();
    (report.variants.of(Variant::Chess) < report.games).then(|| variants.join(", "))
}

/// The line on text outside of games, which the archive does not keep.
pub(super) fn outside(session: &Session<'_>) -> Option<String> {
    let outside = &session.counts.outside;
    let (at, text) = outside.first.as_ref()?;
    let file = session.outside_in.map_or_else(String::new, |input| name(session.files, input));
    let lines = counted(outside.lines, "line");
    Some(format!("{lines} outside any game, the first in {file}, {at}: \"{text}\""))
}

/// The lines on duplicates: the first of them, their number, and advice.
pub(super) fn duplicates(session: &Session<'_>, archive: &Path) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for duplicate in &session.duplicates {
        let file = duplicate.input.map_or_else(String::new, |input| name(session.files, input));
        let id = duplicate.original;
        let original = match duplicate.place {
            Some((input, number)) => {
                let other = input.filter(|_| input != duplicate.input);
                let other = other.map(|input| format!(" of {}", name(session.files, input)));
                format!("game {number}{}, id {id}", other.unwrap_or_default())
            }
            None => format!("id {id} of the archive"),
        };
        let number = duplicate.number;
        lines.push(match duplicate.id {
            Some(new) => {
                format!("{file}: game {number}, now id {new}, is a duplicate of {original}")
            }
            None => format!("{file}: game {number} is left out, it is a duplicate of {original}"),
        });
    }
    let (left_out, repeated) = (session.left_out, session.repeated);
    let more = (left_out + repeated).saturating_sub(session.duplicates.len() as u64);
    if more > 0 {
        lines.push(format!("… and {} more", grouped(more)));
    }
    if left_out > 0 {
        lines.push(format!("{} left out", counted(left_out, "duplicate")));
    }
    if repeated > 0 {
        let (games, name) = (counted(repeated, "duplicate"), quote::path(archive));
        let advice = format!("to keep the best of each: halfmove duplicates {name} --remove");
        lines.push(format!("{games} imported ({advice})"));
    }
    lines
}

/// The text for an import of nothing but duplicates.
pub(super) fn nothing_but_duplicates(report: &ImportReport) -> String {
    format!("{} read, all duplicates: nothing is imported", counted(report.duplicates, "game"))
}

/// The text for an import of which no game meets the conditions.
pub(super) fn nothing_chosen(report: &ImportReport) -> String {
    let games = counted(report.left_out, "game");
    format!("{games} read, none meets the conditions: nothing is imported")
}

/// The line on the games that do not meet the conditions.
pub(super) fn left_out(report: &ImportReport) -> Option<String> {
    let games = || counted(report.left_out, "game");
    (report.left_out > 0).then(|| format!("{} left out by the conditions", games()))
}
