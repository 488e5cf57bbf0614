//! Moves in the notation of the Universal Chess Interface.
//!
//! Source: Stefan Meyer-Kahlen and Rudolf Huber, *UCI protocol* (2006).

use crate::{CastlingMode, CastlingSide, Chess, File, Move, Rank, Role, Square};
use arrayvec::ArrayString;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;
use thiserror::Error;

/// The way castling is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CastlingStyle {
    /// The king's target: `e1g1`. UCI uses it in standard chess; in Chess960 it may be an ordinary king move.
    KingToTarget,
    /// The rook's square: `e1h1`. UCI uses it in Chess960; it is the only unambiguous form.
    KingTakesRook,
}

/// A move in UCI notation: origin, target, and the [letter](Role::letter) of a promotion, `s` for a khon and `m` for a
/// met. Parsing accepts any move written by [`Move`]'s `Display`.
///
/// ```
/// use halfmove_rules::{CastlingStyle, Chess, UciMove};
///
/// let position: Chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// for text in ["e1g1", "e1h1"] {
///     let castle = text.parse::<UciMove>()?.resolve(&position)?;
///     assert!(castle.is_castle());
///     assert_eq!(castle.uci(CastlingStyle::KingToTarget).to_string(), "e1g1");
///     assert_eq!(castle.uci(CastlingStyle::KingTakesRook).to_string(), "e1h1");
/// }
/// # Ok::<(), halfmove_rules::UciError>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it moves to.
    pub to: Square,
    /// The role that a pawn promotes to.
    pub promotion: Option<Role>,
}

/// The reason why a text or a [`UciMove`] does not name a legal move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not a UCI move.
    #[error(
        "unreadable at byte {offset}: expected two squares and perhaps a promotion, such as e2e4 or e7e8q"
    )]
    Syntax {
        /// The offset of the first invalid byte; the length of the text if it ends too early.
        offset: usize,
    },
    /// The null move `0000`, which engines send if they have no move.
    #[error("a null move: expected a legal move")]
    Null,
    /// The move is not legal here.
    #[error("not a legal move here")]
    Illegal,
}

impl Move {
    /// The move in UCI notation.
    #[inline]
    pub fn uci(self, style: CastlingStyle) -> UciMove {
        let to = match style {
            CastlingStyle::KingToTarget if self.is_castle() => {
                Chess::castling_targets(self.from(), self.to()).0
            }
            _ => self.to(),
        };
        UciMove { from: self.from(), to, promotion: self.promotion() }
    }
}

impl Chess {
    /// Writes a move in UCI notation. Castling is the king's target in standard chess (`e1g1`) and
    /// the king taking its own rook in Chess960 (`e1h1`).
    ///
    /// ```
    /// use halfmove_rules::{CastlingMode, Chess};
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /// for (mode, text) in [(CastlingMode::Standard, "e1g1"), (CastlingMode::Chess960, "e1h1")] {
    ///     let position = Chess::from_fen(fen, Some(mode)).unwrap();
    ///     let castle = position.castlings()[0];
    ///     assert_eq!(position.uci(castle).to_string(), text);
    /// }
    /// ```
    pub fn uci(&self, mv: Move) -> UciMove {
        mv.uci(match self.castling_mode() {
            CastlingMode::Standard => CastlingStyle::KingToTarget,
            CastlingMode::Chess960 => CastlingStyle::KingTakesRook,
        })
    }

    /// Reads a move in UCI notation, with castling in either style, and finds the legal move. If the text is also an
    /// ordinary king move, that takes precedence: in Chess960 the king's target alone is ambiguous.
    ///
    /// ```
    /// use halfmove_rules::{Chess, Move, Square};
    /// let mv = Chess::default().parse_uci("g1f3")?;
    /// assert_eq!(mv, Move::normal(Square::G1, Square::F3));
    /// # Ok::<(), halfmove_rules::UciError>(())
    /// ```
    ///
    /// # Errors
    /// [`UciError`] if the text is not a move in UCI notation, or no legal one.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        text.parse::<UciMove>()?.resolve(self)
    }
}

impl UciMove {
    /// Finds the legal move; castling may be in either style. An ordinary king move takes precedence.
    ///
    /// # Errors
    /// [`UciError::Illegal`].
    pub fn resolve(self, position: &Chess) -> Result<Move, UciError> {
        let Some(role) = self.promotion else {
            let normal = Move::normal(self.from, self.to);
            if position.is_legal(normal) {
                return Ok(normal);
            }
            return self.resolve_castling(position);
        };
        Move::promote(self.from, self.to, role)
            .filter(|mv| position.is_legal(*mv))
            .ok_or(UciError::Illegal)
    }

    /// Finds the castling move, in either style.
    fn resolve_castling(self, position: &Chess) -> Result<Move, UciError> {
        CastlingSide::ALL
            .into_iter()
            .filter_map(|side| position.castle(side))
            .find(|castle| {
                [CastlingStyle::KingToTarget, CastlingStyle::KingTakesRook]
                    .into_iter()
                    .any(|style| castle.uci(style) == self)
            })
            .ok_or(UciError::Illegal)
    }
}

impl FromStr for UciMove {
    type Err = UciError;

    /// Reads two squares in lower case, and an optional promotion in either case.
    ///
    /// # Errors
    /// [`UciError::Syntax`] or [`UciError::Null`].
    fn from_str(text: &str) -> Result<Self, UciError> {
        if text == "0000" {
            return Err(UciError::Null);
        }
        let bytes = text.as_bytes();
        let error = |offset| UciError::Syntax { offset };
        let square = |at: usize| {
            let letter = bytes.get(at).copied().and_then(File::from_letter).ok_or(error(at))?;
            let digit = bytes.get(at + 1).copied().and_then(Rank::from_digit);
            Ok(Square::new(letter, digit.ok_or(error(at + 1))?))
        };
        let (from, to) = (square(0)?, square(2)?);
        let promotion = match &bytes[4..] {
            [] => None,
            [b'n' | b'N'] => Some(Role::Knight),
            [b'b' | b'B'] => Some(Role::Bishop),
            [b'r' | b'R'] => Some(Role::Rook),
            [b'q' | b'Q'] => Some(Role::Queen),
            [b's' | b'S'] => Some(Role::Khon),
            [b'm' | b'M'] => Some(Role::Met),
            [letter, ..] if b"nbrqsm".contains(&letter.to_ascii_lowercase()) => {
                return Err(error(5));
            }
            _ => return Err(error(4)),
        };
        Ok(Self { from, to, promotion })
    }
}

/// [`Move::NULL`].
const NULL: UciMove = UciMove { from: Square::A1, to: Square::A1, promotion: None };

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The text of a move in UCI notation: four or five letters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct UciText(ArrayString<5>);

impl Deref for UciText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UciText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl UciMove {
    /// The text that `Display` writes, without the overhead of formatting.
    ///
    /// ```
    /// use halfmove_rules::UciMove;
    ///
    /// let promotion: UciMove = "e7e8q".parse()?;
    /// assert_eq!(&*promotion.text(), "e7e8q");
    /// # Ok::<(), halfmove_rules::UciError>(())
    /// ```
    #[inline]
    pub fn text(self) -> UciText {
        let mut text = ArrayString::new();
        if self == NULL {
            text.push_str("0000");
            return UciText(text);
        }
        text.push_str(self.from.name());
        text.push_str(self.to.name());
        if let Some(role) = self.promotion {
            text.push(role.letter().to_ascii_lowercase());
        }
        UciText(text)
    }
}
