//! The faults of a game: the reason, the place and the expected text.

use std::fmt;

use halfmove_rules::makruk;
use halfmove_rules::{AnyFenError, Chess, Color, Piece, Role, San, SanError, Square};
use thiserror::Error;

use super::hint::{self, Hint};
use super::source::LineColumn;
use super::text::Text;
use crate::move_number::MoveNumber;

/// A move that could not be played, or a fault that makes the rest of the game unreadable. A
/// [faulty](super::Reading::Faulty) game has one in its main line;
/// [`GameReader::variation_faults`](super::GameReader::variation_faults) lists those in variations.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, {at}, move {number:#}: {kind}")]
pub struct PgnError {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// The line and column of the invalid move (or brace, or end of the game).
    pub at: LineColumn,
    /// The ply of the invalid move: the first move of a game is 1.
    pub ply: u32,
    /// The number of the invalid move.
    pub number: MoveNumber,
    /// The fault.
    pub kind: PgnErrorKind,
}

/// The fault of a game. Quotations from the file are cut to 40 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A word that is not a move.
    Unreadable {
        /// The word.
        found: String,
        /// A description of a valid move here.
        expected: &'static str,
        /// The likely intended move, or the reason.
        hint: Option<Hint>,
    },
    /// A null move (`--`, `Z0`) in check.
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
        /// The reason why the move is not possible, or the likely intended move.
        hint: Option<Hint>,
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
    /// A `(` without its `)`. It may contain moves of the main line.
    UnclosedVariation,
    /// The tags of the game, or its moves and annotations, exceed the memory limit. The rest of the game was lost.
    TooLong {
        /// The limit in bytes.
        max_bytes: usize,
    },
}

impl PgnErrorKind {
    /// The fault without the reason: `illegal move "Ke3"`.
    ///
    /// ```
    /// use halfmove_game::Game;
    /// use halfmove_game::pgn::{GameReader, Reading};
    ///
    /// let mut game = Game::default();
    /// let reading = GameReader::new("1. e4 e5 2. Ke3 *".as_bytes()).read(&mut game)?;
    /// let Some(Reading::Faulty(error)) = reading else { panic!() };
    /// assert_eq!(error.kind.title(), "illegal move \"Ke3\"");
    /// assert_eq!(error.kind.reason(), "no king can go there");
    /// assert_eq!(error.kind.expected(), ["Ke2"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn title(&self) -> String {
        let of = |what: &str, found: &str| format!("{what} move \"{found}\"");
        match self {
            PgnErrorKind::Unreadable { found, .. } => of("unreadable", found),
            PgnErrorKind::NullMove { found } => of("null", found),
            PgnErrorKind::Illegal { found, .. } => of("illegal", found),
            PgnErrorKind::Ambiguous { found, .. } => of("ambiguous", found),
            PgnErrorKind::MissingPromotion { found } => of("incomplete", found),
            PgnErrorKind::UnclosedComment => "comment is not closed".to_owned(),
            PgnErrorKind::UnclosedVariation => "variation is not closed".to_owned(),
            PgnErrorKind::TooLong { .. } => "game is too long".to_owned(),
        }
    }

    /// The reason, or the expected text: `no king can go there`.
    pub fn reason(&self) -> String {
        match self {
            PgnErrorKind::Unreadable { expected, .. } => format!("expected {expected}"),
            PgnErrorKind::NullMove { .. } => "expected a legal move".to_owned(),
            PgnErrorKind::Illegal { found, role, .. } => match role {
                Some(role) => format!("no {role} can go there"),
                None if matches!(San::parse(found.as_bytes()), Ok(San::Castle(_))) => {
                    "castling is not possible here".to_owned()
                }
                None => "no such piece can move".to_owned(),
            },
            PgnErrorKind::Ambiguous { expected, .. } => {
                format!("{} pieces can go there", expected.len())
            }
            PgnErrorKind::MissingPromotion { found } => {
                format!("expected a promotion such as {found}=Q")
            }
            PgnErrorKind::UnclosedComment => "expected \"}\"".to_owned(),
            PgnErrorKind::UnclosedVariation => "expected \")\"".to_owned(),
            PgnErrorKind::TooLong { max_bytes } => {
                format!(
                    "expected at most {max_bytes} bytes of tags, or of moves and annotations; the rest is lost"
                )
            }
        }
    }

    /// The legal moves in the position, nearest first, as far as they are known.
    pub fn expected(&self) -> &[String] {
        match self {
            PgnErrorKind::Illegal { expected, .. } | PgnErrorKind::Ambiguous { expected, .. } => {
                expected
            }
            _ => &[],
        }
    }

    /// The word of the file that is not a legal move.
    pub fn found(&self) -> Option<&str> {
        match self {
            PgnErrorKind::Unreadable { found, .. }
            | PgnErrorKind::NullMove { found }
            | PgnErrorKind::Illegal { found, .. }
            | PgnErrorKind::Ambiguous { found, .. }
            | PgnErrorKind::MissingPromotion { found } => Some(found),
            PgnErrorKind::UnclosedComment
            | PgnErrorKind::UnclosedVariation
            | PgnErrorKind::TooLong { .. } => None,
        }
    }

    /// The reason why the move is not possible, or the likely intended move.
    pub fn hint(&self) -> Option<&Hint> {
        match self {
            PgnErrorKind::Unreadable { hint, .. } | PgnErrorKind::Illegal { hint, .. } => {
                hint.as_ref()
            }
            _ => None,
        }
    }

    /// The hint, and the legal moves nearest to the faulty one: `did you mean Nf3?`.
    pub fn advice(&self) -> Option<String> {
        let moves = match (self, self.expected()) {
            (_, []) => None,
            (PgnErrorKind::Ambiguous { .. }, expected) => {
                Some(format!("did you mean {}?", expected.join(" or ")))
            }
            (_, expected) => Some(legal_here(expected)),
        };
        match (self.hint(), moves) {
            // This hint already lists the nearest moves.
            (Some(hint @ Hint::Similar { .. }), _) => Some(hint.to_string()),
            (Some(hint), Some(moves)) => Some(format!("{hint}; {moves}")),
            (Some(hint), None) => Some(hint.to_string()),
            (None, moves) => moves,
        }
    }

    /// A short name for lists and counts: `illegal_move`.
    pub fn name(&self) -> &'static str {
        match self {
            PgnErrorKind::Unreadable { .. } => "unreadable_move",
            PgnErrorKind::NullMove { .. } => "null_move",
            PgnErrorKind::Illegal { .. } => "illegal_move",
            PgnErrorKind::Ambiguous { .. } => "ambiguous_move",
            PgnErrorKind::MissingPromotion { .. } => "missing_promotion",
            PgnErrorKind::UnclosedComment => "unclosed_comment",
            PgnErrorKind::UnclosedVariation => "unclosed_variation",
            PgnErrorKind::TooLong { .. } => "long_game",
        }
    }
}

/// The maximum number of legal moves to list.
const MAX_LISTED: usize = 8;

/// A list of legal moves, the first eight: `legal here: Nc3, Nf3`.
pub(crate) fn legal_here(moves: &[String]) -> String {
    match moves.get(..MAX_LISTED) {
        Some(first) if moves.len() > MAX_LISTED => format!("legal here: {}, …", first.join(", ")),
        _ => format!("legal here: {}", moves.join(", ")),
    }
}

impl fmt::Display for PgnErrorKind {
    /// Writes the title, the reason and the expected moves; not the hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.title())?;
        match self {
            PgnErrorKind::Illegal { expected, .. } if !expected.is_empty() => {
                write!(f, "{}, expected {}", self.reason(), expected.join(" or "))
            }
            PgnErrorKind::Ambiguous { expected, .. } => {
                write!(f, "expected {}", expected.join(" or "))
            }
            _ => f.write_str(&self.reason()),
        }
    }
}

/// The maximum number of characters of the file in a quotation.
const QUOTED: usize = 40;

pub(super) fn quote(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// Quotes a line that was truncated, possibly within a character.
pub(super) fn quote_line(line: &[u8]) -> String {
    let line = match std::str::from_utf8(line) {
        Err(error) if error.error_len().is_none() && line.len() > 2 * QUOTED => {
            &line[..error.valid_up_to()]
        }
        _ => line,
    };
    quote(&Text::plain(line).to_str())
}

/// Describes the fault of a move that could not be resolved. Only called on faults, so it need not be fast.
pub(super) fn explain(text: &str, error: SanError, position: &Chess) -> PgnErrorKind {
    let found = quote(text);
    let san = San::parse(text.as_bytes()).ok().map(|san| with_piece(san, position));
    match (error, &san) {
        (SanError::Null, _) => PgnErrorKind::NullMove { found },
        (SanError::MissingPromotion, _) => PgnErrorKind::MissingPromotion { found },
        (SanError::Ambiguous, _) => {
            PgnErrorKind::Ambiguous { expected: hint::candidates(san, position, true), found }
        }
        (SanError::Illegal, Some(san)) => {
            let role = match *san {
                San::Normal { role, .. } => Some(role),
                San::Castle(_) => None,
            };
            PgnErrorKind::Illegal {
                role,
                expected: hint::candidates(Some(*san), position, false),
                hint: hint::of_illegal(&found, san, position),
                found,
            }
        }
        _ => PgnErrorKind::Unreadable {
            expected: "a move such as e4, Nf3 or O-O",
            hint: hint::similar(&found, hint::legal_moves(position)),
            found,
        },
    }
}

/// Adds the piece to a move given by two squares: `g1-f3` is a knight's move.
fn with_piece(san: San, position: &Chess) -> San {
    let San::Normal {
        role: Role::Pawn,
        file: Some(file),
        rank: Some(rank),
        to,
        capture,
        promotion,
    } = san
    else {
        return san;
    };
    let piece = position.board().piece_at(Square::new(file, rank));
    match piece.filter(|piece| piece.color == position.side_to_move()) {
        Some(Piece { role, .. }) => {
            San::Normal { role, file: Some(file), rank: Some(rank), to, capture, promotion }
        }
        None => san,
    }
}

/// A game that was skipped because this version cannot play it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, {at}: skipped, {reason}")]
pub struct Skip {
    /// The game's number in the input, from 1.
    pub game: u64,
    /// The line and column of the responsible tag.
    pub at: LineColumn,
    /// The reason.
    pub reason: SkipReason,
}

/// The reason why a game was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// The `Variant` tag names a game other than chess and Chess960. The name is cut to 40
    /// characters.
    #[error("variant \"{0}\" is not supported, expected chess or Chess960")]
    Variant(String),
    /// The `Variant` tag names an unknown game. The name is cut to 40 characters.
    #[error("variant \"{0}\" is not known, expected chess, chess960{others}", others = makruk_variants())]
    UnknownVariant(String),
    /// The `FEN` tag is not a position that a game can start from.
    #[error("cannot start from \"{fen}\": {error}")]
    Position {
        /// The tag's value, cut to 100 characters.
        fen: String,
        /// The error of the FEN parser.
        error: AnyFenError,
    },
    /// A side of Makruk starts with more pieces than the bytes of a main line can hold. Only
    /// [`GameReader::read_with_bytes`](super::GameReader::read_with_bytes) returns it.
    #[error("{color} starts with {found} pieces, expected at most 16")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of its pieces.
        found: u32,
    },
}

fn makruk_variants() -> String {
    makruk::Rules::ALL.map(|variant| format!(", {variant}")).concat()
}
