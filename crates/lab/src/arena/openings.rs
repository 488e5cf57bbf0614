//! Openings: the start position, those of a file, or random ones.
//!
//! Each opening is played twice, with colors swapped, so that it favors neither engine.

mod file;
mod generate;

pub(super) use generate::Recipe;

use file::{FileError, Found, Warning};
use generate::Generator;
use halfmove_engine::Random;
use halfmove_rules::{AnyPosition, History, Move, Variant};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The standard starting position, for each pair.
    Start,
    /// Positions after random moves.
    Random(Recipe),
    /// The openings of a file, in order or shuffled.
    File { path: PathBuf, shuffle: bool },
}

/// The start of a game, and the moves that are played before the engines take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) start: AnyPosition,
    pub(super) moves: Vec<Move>,
}

impl Opening {
    /// Returns true if the game would be over before the engines move: by the rules, or by a repetition or a counter
    /// that a player may claim.
    fn is_over(&self) -> bool {
        let mut history = History::new(self.start.clone());
        for mv in &self.moves {
            history.play_unchecked(*mv);
        }
        history.outcome().or_else(|| history.claim()).is_some()
    }

    /// The position in which the engines begin.
    pub(super) fn position(&self) -> AnyPosition {
        let mut position = self.start.clone();
        for mv in &self.moves {
            position.play_unchecked(*mv);
        }
        position
    }
}

/// An error that leaves a match without openings.
#[derive(Debug, Error)]
pub(super) enum OpeningsError {
    // It names the file.
    #[error("{0}")]
    Unreadable(#[from] FileError),
    #[error("{}: no opening of {variant} in it, expected a FEN a line, or PGN{}", path.display(), reason(.first))]
    Empty { path: PathBuf, variant: Variant, first: Option<Box<Warning>> },
    #[error(
        "only {found} different openings of {plies} plies within {bound} centipawns were found; try more --random-plies, or a larger --balance"
    )]
    TooFew { found: usize, plies: u32, bound: i32 },
}

/// The first opening that was left out, for the end of a sentence.
fn reason(first: &Option<Box<Warning>>) -> String {
    first.as_ref().map_or_else(String::new, |first| format!(" ({first})"))
}

/// An endless sequence of openings.
#[derive(Debug)]
pub(super) enum Openings {
    Listed { openings: Vec<Opening>, next: usize, warnings: Vec<String> },
    Made(Box<Generator>),
}

impl Openings {
    pub(super) fn new(source: &Source, variant: Variant, seed: u64) -> Result<Self, OpeningsError> {
        Ok(match source {
            Source::Start => {
                let start = AnyPosition::start(variant);
                let openings = vec![Opening { start, moves: Vec::new() }];
                Self::Listed { openings, next: 0, warnings: Vec::new() }
            }
            Source::Random(recipe) => {
                Self::Made(Box::new(Generator::new(*recipe, variant, Random::new(seed))))
            }
            Source::File { path, shuffle } => {
                let (mut openings, warnings) = read(path, variant)?;
                if *shuffle {
                    Random::new(seed).shuffle(&mut openings);
                }
                let name = |warning: &Warning| format!("{}: {warning}", path.display());
                let warnings = warnings.iter().map(name).collect();
                Self::Listed { openings, next: 0, warnings }
            }
        })
    }

    /// Warnings about the openings of a file that were left out or changed.
    pub(super) fn warnings(&self) -> &[String] {
        match self {
            Self::Listed { warnings, .. } => warnings,
            Self::Made(_) => &[],
        }
    }

    /// The openings of one of many matches, each with `pairs` pairs: those of a list continue where the match before
    /// ended, random ones begin with a separate seed.
    pub(super) fn for_match(&mut self, number: u64, pairs: u64, seed: u64) {
        match self {
            Self::Listed { openings, next, .. } => {
                let taken = number.wrapping_mul(pairs) % openings.len() as u64;
                *next = taken as usize;
            }
            Self::Made(generator) => generator.restart(Random::new(seed.wrapping_add(number))),
        }
    }

    pub(super) fn next(&mut self) -> Result<Opening, OpeningsError> {
        match self {
            Self::Listed { openings, next, .. } => {
                let opening = openings[*next % openings.len()].clone();
                *next += 1;
                Ok(opening)
            }
            Self::Made(generator) => generator.next(),
        }
    }
}

/// The openings of a file without duplicates, and without those in which the game is already over.
fn read(path: &Path, variant: Variant) -> Result<(Vec<Opening>, Vec<Warning>), OpeningsError> {
    let Found { mut openings, mut warnings } = file::read(path, variant)?;
    let mut seen = HashSet::new();
    openings.retain(|opening| !opening.is_over() && seen.insert(opening.position().to_string()));
    if openings.is_empty() {
        let first = (!warnings.is_empty()).then(|| Box::new(warnings.swap_remove(0)));
        return Err(OpeningsError::Empty { path: path.to_owned(), variant, first });
    }
    Ok((openings, warnings))
}

/// A file of `testdata/field`.
#[cfg(test)]
fn shipped(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/field");
    std::fs::read_to_string(folder.join(name)).expect("a file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn openings_that_are_over_are_left_out() {
        let folder = std::env::temp_dir().join(format!("halfmove-openings-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let over = [
            ("pgn", shipped("30-rep.pgn")),
            ("epd", shipped("30-over.epd")),
            ("epd", "8/5k2/8/8/8/8/R4K2/8 w - - 100 90\n".to_owned()),
            ("epd", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n8/5k2/8/8/8/8/5K2/8 w - - 0 1\n".to_owned()),
        ];
        for (number, (ending, text)) in over.iter().enumerate() {
            let path = folder.join(format!("{number}.{ending}"));
            fs::write(&path, text).expect("a file");
            let error = read(&path, Variant::Chess).expect_err("no opening is left");
            assert!(matches!(error, OpeningsError::Empty { .. }), "{text}: {error}");
        }
        let path = folder.join("open.epd");
        fs::write(&path, "8/5k2/8/8/8/8/R4K2/8 w - - 99 90\n").expect("a file");
        assert_eq!(read(&path, Variant::Chess).map(|(openings, _)| openings.len()).ok(), Some(1));
        // The reason why nothing is left.
        fs::write(&path, "8/8 w - -\n").expect("a file");
        let error = read(&path, Variant::Chess).expect_err("no opening is left").to_string();
        assert!(error.contains("expected a FEN a line, or PGN (line 1: left out: "), "{error}");
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
