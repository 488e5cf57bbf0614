//! What an import says when it is done.

use crate::output::{counted, grouped, input_name};
use anyhow::anyhow;
use halfmove_archive::ImportReport;
use halfmove_game::pgn::Counts;
use halfmove_rules::Variant;
use std::path::{Path, PathBuf};

pub(super) fn no_games(path: &Path, counts: &Counts) -> String {
    let file = input_name(path);
    match &counts.outside.first {
        Some((at, text)) => {
            format!("{file}: no games, this does not look like PGN ({at}: \"{text}\")")
        }
        None => format!("{file}: no games, the file is empty"),
    }
}

pub(super) fn nothing_to_import(files: &[PathBuf], counts: &Counts) -> anyhow::Error {
    match (counts.games, files) {
        (0, [file]) => anyhow!("{}; nothing was imported", no_games(file, counts)),
        (0, _) => anyhow!("no games in these files; nothing was imported"),
        _ => anyhow!("{}; nothing was imported", skipped(counts).unwrap_or_default()),
    }
}

pub(super) fn faulty(counts: &Counts) -> Option<String> {
    (counts.faulty > 0).then(|| {
        format!(
            "{} with a fault (column fault): moves end there, {} from there on kept as text",
            counted(counts.faulty, "game"),
            counted(counts.lost_half_moves, "half-move"),
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

/// The games of each variant, if there are others than those of chess.
pub(super) fn variants(report: &ImportReport) -> Option<String> {
    let variants: Vec<String> = report
        .variants
        .iter()
        .map(|(variant, games)| format!("{variant} {}", grouped(games)))
        .collect();
    (report.variants.of(Variant::Chess) < report.games).then(|| variants.join(", "))
}

/// What the files contain but the archive does not keep, in one line.
pub(super) fn outside(counts: &Counts) -> Option<String> {
    let (at, text) = counts.outside.first.as_ref()?;
    let lines = counted(counts.outside.lines, "line");
    Some(format!("{lines} outside any game, the first at {at}: \"{text}\""))
}
