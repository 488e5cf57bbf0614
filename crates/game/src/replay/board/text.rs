//! The text form of conditions on the board.

use std::str::FromStr;

use thiserror::Error;

use super::super::pattern::{Pattern, PatternError};
use super::super::structures::Structure;
use super::{BoardCondition, PawnFeature, PawnFile, PawnsError, PieceCountsError};

/// The error for an invalid text of conditions on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[error("character {} of the conditions: expected {expected}", .offset + 1)]
pub struct BoardConditionError {
    /// The offset of the byte, from 0.
    pub offset: usize,
    /// The text that was expected there.
    pub expected: &'static str,
}

const WORDS: &str = "pattern:, structure:, material:, imbalance:, opposite-bishops, pawns:, isolated:, doubled:, passed:, \
    either-color, mirrored, for: or final";

impl FromStr for BoardCondition {
    type Err = BoardConditionError;

    fn from_str(text: &str) -> Result<Self, BoardConditionError> {
        let mut question = Self::default();
        // The words that may occur only once.
        let mut seen: Vec<&str> = Vec::new();
        let (mut at, mut structure) = (0, Pattern::new());
        for word in text.split(' ') {
            let offset = at;
            at += word.len() + 1;
            if word.is_empty() {
                continue;
            }
            let (name, value) =
                word.split_once(':').map_or((word, None), |(name, value)| (name, Some(value)));
            let error = |offset, expected| BoardConditionError { offset, expected };
            let value_at = offset + name.len() + 1;
            if !matches!(name, "isolated" | "doubled" | "passed") {
                if seen.contains(&name) {
                    return Err(error(offset, "each of these words only once"));
                }
                seen.push(name);
            }
            let feature = |feature: fn(PawnFile) -> PawnFeature, value: &str| {
                value
                    .parse()
                    .map(feature)
                    .map_err(|PawnsError { offset, expected }| error(value_at + offset, expected))
            };
            match (name, value) {
                ("pattern", Some(value)) => {
                    let pattern: Result<Pattern, PatternError> = value.parse();
                    question.pattern = pattern.map_err(|PatternError { offset, expected }| {
                        error(value_at + offset, expected)
                    })?;
                }
                ("structure", Some(value)) => {
                    let found: Result<Structure, _> = value.parse();
                    let found = found.map_err(|_| error(value_at, "the name of a structure"))?;
                    structure = structure.and(&found.pattern());
                    question.either_color |= found.side.is_none();
                }
                ("material", Some(value)) => {
                    let material =
                        value.parse().map_err(|PieceCountsError { offset, expected }| {
                            error(value_at + offset, expected)
                        });
                    question.material = Some(material?);
                }
                ("imbalance", Some(value)) => {
                    let imbalance =
                        value.parse().map_err(|PieceCountsError { offset, expected }| {
                            error(value_at + offset, expected)
                        });
                    question.imbalance = Some(imbalance?);
                }
                ("pawns", Some(value)) => {
                    let pawns = value.parse().map_err(|PawnsError { offset, expected }| {
                        error(value_at + offset, expected)
                    });
                    question.pawns = Some(pawns?);
                }
                ("isolated", Some(value)) => {
                    question.features.push(feature(PawnFeature::Isolated, value)?)
                }
                ("doubled", Some(value)) => {
                    question.features.push(feature(PawnFeature::Doubled, value)?)
                }
                ("passed", Some(value)) => {
                    question.features.push(feature(PawnFeature::Passed, value)?)
                }
                ("for", Some(value)) => {
                    question.at_least =
                        value.parse().map_err(|_| error(value_at, "a number of half-moves"))?;
                }
                ("opposite-bishops", None) => question.opposite_bishops = true,
                ("either-color", None) => question.either_color = true,
                ("mirrored", None) => question.mirrored = true,
                ("final", None) => question.is_final = true,
                _ => return Err(error(offset, WORDS)),
            }
        }
        question.pattern = question.pattern.and(&structure);
        Ok(question)
    }
}
