//! What is wrong with a game, where, and what was expected.

use std::fmt;

use halfmove_rules::makruk;
use halfmove_rules::{AnyFenError, Chess, Role, San, SanError};
use thiserror::Error;

use super::source::LineColumn;

/// A fault in the main line of a game, or one that hides the rest of the main line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, {at}, ply {ply}: {kind}")]
pub struct PgnError {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// The line and column of the invalid move (or brace, or end of the game).
    pub at: LineColumn,
    /// The ply of the invalid move: the first move of a game is 1.
    pub ply: u32,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What is wrong with a game. Quotations from the file are cut to 40 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A word that is not a move.
    Unreadable {
        /// The word.
        found: String,
        /// What a move looks like here.
        expected: &'static str,
    },
    /// A null move (`--`, `Z0`), which is not legal.
    NullMove {
        /// The text.
        found: String,
    },
    /// A move that is not legal in the position.
    Illegal {
        /// The text.
        found: String,
        /// The role that moves; `None` for castling, and in Makruk if no such piece can move at
        /// all.
        role: Option<Role>,
        /// The legal moves of such pieces (for pawns, those to the same file; for castling, the
        /// castling moves).
        expected: Vec<String>,
    },
    /// A move that several pieces can make.
    Ambiguous {
        /// The text.
        found: String,
        /// The legal moves it could mean.
        expected: Vec<String>,
    },
    /// A pawn move to the last rank without a promotion.
    MissingPromotion {
        /// The text.
        found: String,
    },
    /// A `{` without its `}`. The rest of this game was lost.
    UnclosedComment,
    /// A `(` without its `)`. It may hide moves of the main line.
    UnclosedVariation,
    /// The moves and annotations of the game need more memory than they may.
    TooLong {
        /// How many bytes they may occupy.
        most_bytes: usize,
    },
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnErrorKind::Unreadable { found, expected } => {
                write!(f, "unreadable move \"{found}\": expected {expected}")
            }
            PgnErrorKind::NullMove { found } => {
                write!(f, "null move \"{found}\": expected a legal move")
            }
            PgnErrorKind::Illegal { found, role, expected } => {
                write!(f, "illegal move \"{found}\": ")?;
                match role {
                    Some(role) => write!(f, "no {role} can go there")?,
                    None if matches!(San::parse(found.as_bytes()), Ok(San::Castle(_))) => {
                        f.write_str("castling is not possible here")?;
                    }
                    None => f.write_str("no such piece can move")?,
                }
                if !expected.is_empty() {
                    write!(f, ", expected {}", expected.join(" or "))?;
                }
                Ok(())
            }
            PgnErrorKind::Ambiguous { found, expected } => {
                write!(f, "ambiguous move \"{found}\": expected {}", expected.join(" or "))
            }
            PgnErrorKind::MissingPromotion { found } => {
                write!(f, "incomplete move \"{found}\": expected a promotion such as {found}=Q")
            }
            PgnErrorKind::UnclosedComment => f.write_str("comment is not closed: expected \"}\""),
            PgnErrorKind::UnclosedVariation => {
                f.write_str("variation is not closed: expected \")\"")
            }
            PgnErrorKind::TooLong { most_bytes } => {
                write!(
                    f,
                    "game is too long: expected at most {most_bytes} bytes of moves and annotations"
                )
            }
        }
    }
}

/// How many characters of the file an error quotes.
const QUOTED: usize = 40;

pub(super) fn quote(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * QUOTED)]);
    text.chars().take(QUOTED).collect()
}

/// Describes what is wrong with a move that could not be resolved. Only called on a fault, so it
/// need not be fast.
pub(super) fn explain(text: &[u8], error: SanError, position: &Chess) -> PgnErrorKind {
    let found = quote(text);
    let san = San::parse(text);
    match error {
        SanError::Null => PgnErrorKind::NullMove { found },
        SanError::MissingPromotion => PgnErrorKind::MissingPromotion { found },
        SanError::Ambiguous => {
            PgnErrorKind::Ambiguous { found, expected: candidates(san, position, true) }
        }
        SanError::Illegal => {
            let role = match san {
                Ok(San::Normal { role, .. }) => Some(role),
                _ => None,
            };
            PgnErrorKind::Illegal { found, role, expected: candidates(san, position, false) }
        }
        _ => PgnErrorKind::Unreadable { found, expected: "a move such as e4, Nf3 or O-O" },
    }
}

/// The legal moves closest to the text, as SAN.
fn candidates(san: Result<San, SanError>, position: &Chess, same_target: bool) -> Vec<String> {
    let fits = |mv: halfmove_rules::Move| match san {
        Ok(San::Castle(_)) => mv.is_castle(),
        Ok(San::Normal { role, to, .. }) => {
            let file = role != Role::Pawn || mv.to().file() == to.file();
            position.board().role_at(mv.from()) == Some(role)
                && !mv.is_castle()
                && file
                && (!same_target || mv.to() == to)
        }
        Err(_) => false,
    };
    let legal = position.legal_moves();
    legal.iter().filter(|mv| fits(**mv)).map(|&mv| position.san(mv).to_string()).collect()
}

/// A game that was skipped because this version cannot play it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, {at}: skipped, {reason}")]
pub struct Skip {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// The line and column of the tag that caused it.
    pub at: LineColumn,
    /// The reason.
    pub reason: SkipReason,
}

/// Why a game was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// The `Variant` tag names a game other than chess and Chess960.
    #[error("variant \"{0}\" is not supported, expected chess or Chess960")]
    Variant(String),
    /// The `Variant` tag names an unknown game.
    #[error("variant \"{0}\" is not known, expected chess, chess960{others}", others = makruk_variants())]
    UnknownVariant(String),
    /// The `FEN` tag is not a position that a game can start from.
    #[error("cannot start from \"{fen}\": {error}")]
    Position {
        /// The tag's value, cut to 100 characters.
        fen: String,
        /// What is wrong with it.
        error: AnyFenError,
    },
}

fn makruk_variants() -> String {
    makruk::Rules::ALL.map(|variant| format!(", {variant}")).concat()
}
