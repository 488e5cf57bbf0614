//! Searches for the same positions in Scid, which also has its index in memory.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, ensure};
use halfmove_game::Input;

use super::ROUNDS;
use crate::process;
use crate::table::median;

/// Scid's result for a position.
pub(super) struct Answer {
    pub(super) games: u64,
    /// Milliseconds.
    pub(super) search: f64,
    pub(super) tree: f64,
}

/// The results for positions in the games of some files; `None` if Scid is not installed.
pub(super) fn answers(files: &[String], fens: &[String]) -> anyhow::Result<Option<Vec<Answer>>> {
    let Some(scid) = process::find("tkscid") else {
        eprintln!("Scid: not installed, passed over");
        return Ok(None);
    };
    let temp = tempfile::tempdir()?;
    let at = |name: String| temp.path().join(name).display().to_string();
    let mut words = vec![scid, "bench/peers/scid_positions.tcl".to_owned(), at("games".to_owned())];
    words.push(ROUNDS.to_string());
    for (number, file) in files.iter().enumerate() {
        let pgn = at(format!("{number}.pgn"));
        std::io::copy(&mut Input::open(Path::new(file))?, &mut File::create(&pgn)?)?;
        words.push(pgn);
    }
    let printed = process::run_with(&words, &fens.join("\n"))?.stdout;
    let lines: Vec<&str> = std::str::from_utf8(&printed)?.lines().collect();
    ensure!(lines.len() == fens.len(), "Scid answers {} times", lines.len());
    let answers = lines.iter().map(|line| {
        let numbers: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == 1 + 2 * ROUNDS);
        let numbers = numbers.with_context(|| format!("Scid answers {line}"))?;
        let (searches, trees) = numbers[1..].split_at(ROUNDS);
        let milliseconds = |times: &[f64]| median(times.to_vec()) / 1e3;
        Ok(Answer {
            games: numbers[0] as u64,
            search: milliseconds(searches),
            tree: milliseconds(trees),
        })
    });
    answers.collect::<anyhow::Result<_>>().map(Some)
}
