//! A single fault of a game.

use std::fmt;

use halfmove_rules::Repair;

use super::super::error::{PgnErrorKind, SkipReason};
use super::super::source::LineColumn;
use super::super::visitor::Problem;
use crate::move_number::MoveNumber;
use crate::result::GameResult;

/// A fault of a game, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The game's number in the input, from 1. For text between games, that of the previous game.
    pub game: u64,
    /// The line and column of the fault.
    pub at: LineColumn,
    /// The offset of its first byte in the (decompressed) input.
    pub offset: u64,
    /// The length of the fault in bytes; 0 if unknown.
    pub bytes: usize,
    /// The ply of the faulty move, or of the next move: the first move of a game is 1.
    pub ply: u32,
    /// The number of that move; `None` if `ply` is 0, outside the moves.
    pub number: Option<MoveNumber>,
    /// The nesting depth of the variation with the fault: 0 is the main line.
    pub depth: u32,
    /// The fault.
    pub kind: FaultKind,
}

/// The kinds of faults of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// A move cannot be played. The rest of this line was not checked.
    Move(PgnErrorKind),
    /// The moves were not checked, because the rules or the start position are unknown.
    Unchecked(SkipReason),
    /// The tag `FEN` was read with a repair.
    RepairedPosition {
        /// Its value, cut to 100 characters.
        fen: String,
        /// The repair.
        repair: Repair,
    },
    /// A violation of the format.
    Format(Problem),
    /// A line between games that is neither a tag nor movetext.
    Outside {
        /// The beginning of the line.
        found: String,
    },
    /// The tag `Result` and the end of the moves contradict each other.
    DifferingResults {
        /// The result of the tag.
        tag: GameResult,
        /// The result after the moves.
        token: GameResult,
    },
    /// The tag `Result` is not one of the four results.
    UnknownResult {
        /// Its value.
        found: String,
    },
    /// The moves end without a result.
    MissingResult,
    /// The value of a tag, such as a date or a rating, or of a command in a comment, cannot be used in
    /// searches.
    UnusableValue {
        /// The kind of value.
        kind: &'static str,
        /// The name of the tag, or of the command with a `%`.
        name: String,
        /// Its value.
        found: String,
        /// The reason, and what was expected.
        reason: String,
    },
}

impl FaultKind {
    /// Advice on a faulty move: the hint, and the legal moves nearest to it.
    pub fn advice(&self) -> Option<String> {
        match self {
            FaultKind::Move(kind) => kind.advice(),
            _ => None,
        }
    }

    /// Returns true if moves are lost or could not be checked. All other faults are warnings.
    pub fn is_error(&self) -> bool {
        match self {
            FaultKind::Move(_) | FaultKind::Unchecked(_) => true,
            FaultKind::Format(problem) => {
                matches!(problem, Problem::UnclosedComment | Problem::UnclosedVariation)
            }
            _ => false,
        }
    }

    /// A short name for lists and counts: `illegal_move`.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Move(kind) => kind.name(),
            FaultKind::Unchecked(
                SkipReason::Position { .. } | SkipReason::TooManyPieces { .. },
            ) => "invalid_position",
            FaultKind::Unchecked(_) => "unknown_variant",
            FaultKind::RepairedPosition { .. } => "repaired_position",
            FaultKind::Format(problem) => match problem {
                Problem::MalformedTag => "malformed_tag",
                Problem::StrayCharacter => "stray_character",
                Problem::StrayParenthesis => "stray_parenthesis",
                Problem::UnclosedComment => "unclosed_comment",
                Problem::UnclosedVariation => "unclosed_variation",
                Problem::LongToken => "long_token",
            },
            FaultKind::Outside { .. } => "outside_text",
            FaultKind::DifferingResults { .. } => "differing_results",
            FaultKind::UnknownResult { .. } => "unknown_result",
            FaultKind::MissingResult => "missing_result",
            FaultKind::UnusableValue { kind, .. } => kind,
        }
    }

    /// The fault without the reason: `illegal move "Ke3"`.
    pub fn title(&self) -> String {
        match self {
            FaultKind::Move(kind) => kind.title(),
            FaultKind::Unchecked(
                SkipReason::Position { .. } | SkipReason::TooManyPieces { .. },
            ) => "the game cannot start from this position".to_owned(),
            FaultKind::Unchecked(SkipReason::Variant(name) | SkipReason::UnknownVariant(name)) => {
                format!("the variant \"{name}\" is not known")
            }
            FaultKind::Format(problem) => {
                let text = problem.to_string();
                text.split_once(", expected").map_or(text.as_str(), |(title, _)| title).to_owned()
            }
            FaultKind::RepairedPosition { fen, .. } => format!("the tag FEN says \"{fen}\""),
            FaultKind::Outside { .. } => "text outside any game".to_owned(),
            FaultKind::DifferingResults { tag, token } => {
                format!("the result is {token}, but the tag says {tag}")
            }
            FaultKind::UnknownResult { found } => format!("the tag Result says \"{found}\""),
            FaultKind::MissingResult => "the game ends without a result".to_owned(),
            FaultKind::UnusableValue { name, found, .. } => {
                let what = if name.starts_with('%') { "command" } else { "tag" };
                format!("the {what} {name} says \"{found}\"")
            }
        }
    }

    /// The reason, or the expected text. Empty if the title is enough.
    pub fn reason(&self) -> String {
        match self {
            FaultKind::Move(kind) => kind.reason(),
            FaultKind::Unchecked(SkipReason::Position { error, .. }) => error.to_string(),
            FaultKind::Unchecked(reason) => {
                let text = reason.to_string();
                text.split_once(", ").map(|(_, expected)| expected.to_owned()).unwrap_or_default()
            }
            FaultKind::Format(problem) => {
                let text = problem.to_string();
                text.split_once(", ").map(|(_, expected)| expected.to_owned()).unwrap_or_default()
            }
            FaultKind::RepairedPosition { repair, .. } => repair.to_string(),
            FaultKind::Outside { .. } => "expected a tag or a move".to_owned(),
            FaultKind::UnknownResult { .. } | FaultKind::MissingResult => {
                "expected 1-0, 0-1, 1/2-1/2 or *".to_owned()
            }
            FaultKind::DifferingResults { .. } => String::new(),
            FaultKind::UnusableValue { reason, .. } => reason.clone(),
        }
    }
}

impl fmt::Display for FaultKind {
    /// Writes the title, the reason and the expected moves; not the hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Move(kind) => kind.fmt(f),
            _ => {
                f.write_str(&self.title())?;
                let reason = self.reason();
                if reason.is_empty() { Ok(()) } else { write!(f, ": {reason}") }
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.game > 0 {
            write!(f, "game {}, ", self.game)?;
        }
        write!(f, "{}", self.at)?;
        if let Some(number) = self.number {
            write!(f, ", move {number:#}")?;
        }
        if self.depth > 0 {
            f.write_str(", in a variation")?;
        }
        write!(f, ": {}", self.kind)
    }
}
