//! Lenient parsing of FEN and EPD: accepts every text with an unambiguous position, and reports the repairs.
//!
//! PGN, EPD, UCI and the command line all read positions by these rules.

use super::epd::{EpdError, parse_operations};
use super::fen::{Fields, parse_board, parse_ep_square, parse_number, parse_right};
use crate::{
    AnyFenError, AnyPosition, CastlingMode, CastlingRights, Chess, Color, Epd, FenError, FenField,
    FenSyntaxError, Flaws, Makruk, Setup, Variant,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A change that a lenient reader of [FEN](AnyPosition::from_fen_lenient) or [EPD](Epd::parse_lenient) has made.
/// `Display` writes a warning for it.
///
/// ```
/// use halfmove_rules::{Chess, Repair};
///
/// let fen = "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b KQkq - 0 1";
/// let (position, repairs) = Chess::from_fen_lenient(fen, None)?;
/// assert_eq!(position.to_string(), "2r5/5p1k/6p1/8/8/8/5PPP/2R3K1 b - - 0 1");
/// assert_eq!(repairs, [Repair::Castling("KQkq".into())]);
/// assert_eq!(
///     repairs[0].to_string(),
///     "castling rights \"KQkq\" dropped: their king or rook is not at home"
/// );
/// # Ok::<(), halfmove_rules::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// The FEN ends before this field (other than the counters). The defaults are White to move, no castling rights,
    /// and no en passant square.
    Missing(FenField),
    /// These castling rights were dropped, because their king or rook is not in place, or because they are unreadable.
    Castling(String),
    /// This en passant square was dropped, because no pawn can have skipped it.
    EnPassant(String),
    /// This counter was replaced by its default, because it is not a number from 0 to 65535.
    Counter {
        /// The field of the counter.
        field: FenField,
        /// Its text.
        found: String,
    },
    /// This text after the fields was ignored, because it is not a list of EPD operations.
    Rest(String),
    /// The count of Makruk was dropped, because it is impossible with these pieces.
    Count,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(FenField::SideToMove) => {
                f.write_str("no side to move: White, without castling rights")
            }
            Self::Missing(field) => write!(f, "no {field}: none assumed"),
            Self::Castling(letters) => {
                write!(f, "castling rights {letters:?} dropped: their king or rook is not at home")
            }
            Self::EnPassant(square) => {
                write!(f, "en passant square {square:?} dropped: no pawn can have skipped it")
            }
            Self::Counter { field, found } => {
                let default = u8::from(*field == FenField::FullmoveNumber);
                write!(f, "{field} {found:?} is not a number from 0 to 65535: {default} assumed")
            }
            Self::Rest(text) => write!(f, "{text:?} behind the position ignored"),
            Self::Count => f.write_str("the count dropped: it cannot stand beside these pieces"),
        }
    }
}

/// The beginning of a text that may be long and may contain any bytes.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut excerpt: String = text.chars().take(40).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

impl Setup {
    /// Reads a FEN or an EPD leniently: fields may be missing at the end, and impossible castling rights, en passant
    /// squares and counters are dropped, each with a [`Repair`]. Only the pieces and the side to move must be valid.
    ///
    /// ```
    /// use halfmove_rules::{FenField, Repair, Setup};
    /// let (setup, repairs) = Setup::parse_lenient("8/8/8/4k3/8/8/4K3/8 b")?;
    /// assert_eq!(setup.to_string(), "8/8/8/4k3/8/8/4K3/8 b - - 0 1");
    /// assert_eq!(repairs, [Repair::Missing(FenField::Castling)]);
    /// assert!("8/8/8/4k3/8/8/4K3/8 b".parse::<Setup>().is_err());
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenSyntaxError`], if pieces or side to move are invalid.
    pub fn parse_lenient(text: &str) -> Result<(Self, Vec<Repair>), FenSyntaxError> {
        Epd::parse_lenient(text).map(|(epd, repairs)| (epd.setup, repairs))
    }
}

impl Epd {
    /// Reads an EPD, or a FEN, as [`Setup::parse_lenient`] does, with its operations.
    ///
    /// ```
    /// use halfmove_rules::{Epd, Repair};
    /// let (epd, repairs) = Epd::parse_lenient("8/8/8/8/8/k7/p7/K6R w KQ - hmvc 12; fmvn 70;")?;
    /// assert_eq!(epd.setup.to_string(), "8/8/8/8/8/k7/p7/K6R w - - 12 70");
    /// assert_eq!(repairs, [Repair::Castling("KQ".into())]);
    /// # Ok::<(), halfmove_rules::FenSyntaxError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenSyntaxError`], if pieces or side to move are invalid.
    pub fn parse_lenient(text: &str) -> Result<(Self, Vec<Repair>), FenSyntaxError> {
        Self::parse_lenient_in(text, None)
    }

    fn parse_lenient_in(
        text: &str,
        mode: Option<CastlingMode>,
    ) -> Result<(Self, Vec<Repair>), FenSyntaxError> {
        let text = text.trim_end_matches(|end: char| end.is_whitespace() || end.is_control());
        let mut fields = Fields::new(text);
        let (board, side_to_move) = parse_board(&mut fields)?;
        let mut reader = Reader { fields, repairs: Vec::new() };
        let mut setup = Setup {
            board,
            side_to_move: side_to_move.unwrap_or(Color::White),
            castling: CastlingRights::NONE,
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        if side_to_move.is_none() {
            reader.missing(FenField::SideToMove);
        }
        reader.castling(&mut setup, mode);
        reader.ep_square(&mut setup);
        let mut has_counters = false;
        for (field, default) in [(FenField::HalfmoveClock, 0), (FenField::FullmoveNumber, 1)] {
            let found = reader.counter(field, default);
            has_counters |= found.is_some();
            let counter = match field {
                FenField::HalfmoveClock => &mut setup.halfmove_clock,
                _ => &mut setup.fullmove_number,
            };
            *counter = found.unwrap_or(default);
        }
        setup.fullmove_number = setup.fullmove_number.max(1);
        let Reader { mut fields, mut repairs } = reader;
        let offset = fields.offset();
        let operations = parse_operations(text, offset).unwrap_or_else(|_: EpdError| {
            repairs.push(Repair::Rest(excerpt(&text.as_bytes()[offset..])));
            Vec::new()
        });
        let mut epd = Self { setup, operations };
        if !has_counters {
            epd.take_counters();
        }
        Ok((epd, repairs))
    }
}

/// The fields after the side to move, and the repairs so far.
struct Reader<'a> {
    fields: Fields<'a>,
    repairs: Vec<Repair>,
}

impl<'a> Reader<'a> {
    /// Records the first field that is missing.
    fn missing(&mut self, field: FenField) {
        if !self.repairs.iter().any(|repair| matches!(repair, Repair::Missing(_))) {
            self.repairs.push(Repair::Missing(field));
        }
    }

    /// The next field, unless it begins the counters or the operations: some programs omit fields that are `-`.
    fn next(&mut self, field: FenField) -> Option<(usize, &'a [u8])> {
        let start = self.fields.offset();
        let found = self.fields.next();
        if found.is_some_and(|(_, text)| !text.iter().all(u8::is_ascii_digit)) {
            return found;
        }
        self.fields.back_to(start);
        self.missing(field);
        None
    }

    /// Reads the castling rights and drops those that contradict the board. Without a mode, rights that exist only in
    /// Chess960 are kept for a side if all of its rights are in place: some programs leave `KQkq` after castling.
    fn castling(&mut self, setup: &mut Setup, mode: Option<CastlingMode>) {
        let Some((_, letters)) = self.next(FenField::Castling).filter(|(_, text)| *text != b"-")
        else {
            return;
        };
        let claims: Vec<_> =
            letters.iter().map(|letter| (*letter, parse_right(&setup.board, *letter))).collect();
        let allows = |mode, (color, side, rook)| setup.allows_castling(mode, color, side, rook);
        let in_chess960 =
            |claim: Option<_>| claim.is_some_and(|right| allows(CastlingMode::Chess960, right));
        let all_in_place = Color::ALL.map(|side| {
            let is_of = |letter: &u8| letter.is_ascii_uppercase() == (side == Color::White);
            claims.iter().all(|(letter, claim)| !is_of(letter) || in_chess960(*claim))
        });
        let (mut rights, mut dropped) = (CastlingRights::NONE, Vec::new());
        for (letter, claim) in claims {
            let kept = claim.filter(|right| {
                let keeps = match mode {
                    Some(mode) => allows(mode, *right),
                    None => {
                        let (color, ..) = *right;
                        allows(CastlingMode::Standard, *right)
                            || all_in_place[color as usize]
                                && allows(CastlingMode::Chess960, *right)
                    }
                };
                keeps && rights.rook(right.0, right.1).is_none()
            });
            match kept {
                Some((color, side, rook)) => rights.set(color, side, Some(rook)),
                None => dropped.push(letter),
            }
        }
        setup.castling = rights;
        if !dropped.is_empty() {
            self.repairs.push(Repair::Castling(excerpt(&dropped)));
        }
    }

    fn ep_square(&mut self, setup: &mut Setup) {
        let Some(found) = self.next(FenField::EnPassant) else { return };
        match parse_ep_square(&mut self.fields, found) {
            Some(None) => {}
            Some(Some(square)) if setup.allows_en_passant(square) => {
                setup.ep_square = Some(square);
            }
            _ => self.repairs.push(Repair::EnPassant(excerpt(found.1))),
        }
    }

    /// A counter; `None` at the end of the fields, or where the operations of EPD begin.
    fn counter(&mut self, field: FenField, default: u16) -> Option<u16> {
        let start = self.fields.offset();
        let (_, text) = self.fields.next()?;
        if text.first().is_some_and(u8::is_ascii_alphabetic) {
            self.fields.back_to(start);
            return None;
        }
        Some(parse_number(text).unwrap_or_else(|| {
            self.repairs.push(Repair::Counter { field, found: excerpt(text) });
            default
        }))
    }
}

impl Chess {
    /// Reads a FEN or an EPD leniently, in a castling mode; `None` means infer it. Fields may be missing at the end,
    /// and impossible castling rights, en passant squares and counters are dropped. The [repairs](Repair) list the
    /// changes, so that the caller can warn. To reject such input, use [`Chess::from_fen`].
    ///
    /// Positions that [no game can reach](Flaws::UNREACHABLE) are accepted, as in `from_fen`.
    ///
    /// # Errors
    /// [`FenError`], if pieces or side to move are invalid, or the position is not playable: without exactly one king
    /// per side, with a pawn on the first or last rank, or with a king that can be captured. In standard chess, also
    /// if the castling rights are those of Chess960: without them it would be a different game.
    pub fn from_fen_lenient(
        fen: &str,
        mode: Option<CastlingMode>,
    ) -> Result<(Self, Vec<Repair>), FenError> {
        // Rights that exist only in Chess960 are kept, so that validation rejects them.
        let reading_mode = mode.filter(|mode| *mode == CastlingMode::Chess960);
        let (epd, repairs) = Epd::parse_lenient_in(fen, reading_mode)?;
        Ok((Self::from_setup_in(epd.setup, mode, Flaws::UNREACHABLE)?, repairs))
    }
}

impl AnyPosition {
    /// Reads a FEN of the given game leniently: [`Chess::from_fen_lenient`] or [`Makruk::from_fen_lenient`]. For
    /// strict parsing, use [`AnyPosition::from_fen`].
    ///
    /// ```
    /// use halfmove_rules::{AnyPosition, Variant};
    ///
    /// let fen = "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk e3 -5 15";
    /// let (position, repairs) = AnyPosition::from_fen_lenient(fen, Variant::Chess)?;
    /// assert!(position.to_string().ends_with(" w Q - 0 15"));
    /// let warnings: Vec<_> = repairs.iter().map(|repair| repair.to_string()).collect();
    /// assert_eq!(warnings, [
    ///     "castling rights \"k\" dropped: their king or rook is not at home",
    ///     "en passant square \"e3\" dropped: no pawn can have skipped it",
    ///     "half-move clock \"-5\" is not a number from 0 to 65535: 0 assumed",
    /// ]);
    /// # Ok::<(), halfmove_rules::AnyFenError>(())
    /// ```
    ///
    /// # Errors
    /// [`AnyFenError`], if pieces or side to move are invalid, or the position is not playable.
    pub fn from_fen_lenient(
        fen: &str,
        variant: Variant,
    ) -> Result<(Self, Vec<Repair>), AnyFenError> {
        match variant.makruk_rules() {
            None => {
                let (position, repairs) = Chess::from_fen_lenient(fen, variant.castling_mode())?;
                Ok((position.into(), repairs))
            }
            Some(rules) => {
                let (position, repairs) = Makruk::from_fen_lenient(fen, rules, None)?;
                Ok((position.into(), repairs))
            }
        }
    }
}
