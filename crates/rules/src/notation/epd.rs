//! Extended Position Description.
//!
//! Steven J. Edwards, *PGN Specification* (1994), section 16.2.

use super::fen::{Fields, only_where_needed, parse_counters, parse_position, write_position};
use crate::{Chess, FenSyntaxError, Flaws, Move, PositionError, San, SanError, Setup, UciMove};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// A position with operations: the first four fields of a FEN, then operations such as `bm Nf3; id
/// "test 1";`.
///
/// The operations `hmvc` and `fmvn` give the half-move clock and the full-move number; the defaults
/// are 0 and 1.
///
/// `parse` also accepts what test suites add to the standard: FEN's two counters before the
/// operations (they take precedence over `hmvc` and `fmvn`), a missing `;` after the last
/// operation, empty operations, and control characters at the end. `Display` writes the standard
/// form, with FEN's counters only if the operations do not give them. All operations are kept, in
/// order.
///
/// ```
/// use halfmove_rules::{Epd, Move, Square};
///
/// let epd: Epd = "8/8/8/8/8/k7/p7/K6R w - - bm Rh3+ Rg1; id \"one of two\"; ce +120".parse()?;
/// let position = epd.position()?;
///
/// let best = epd.operation("bm").unwrap().moves(&position);
/// assert_eq!(best.collect::<Result<Vec<_>, _>>()?, [
///     Move::normal(Square::H1, Square::H3),
///     Move::normal(Square::H1, Square::G1),
/// ]);
/// assert_eq!(epd.operation("id").unwrap().operands()[0].as_str(), "one of two");
/// assert_eq!(epd.operation("ce").unwrap().operands()[0].to_integer(), Some(120));
///
/// let epd: Epd = "8/8/8/8/8/k7/p7/K6R w - - hmvc 12; fmvn 70;".parse()?;
/// assert_eq!((epd.setup.halfmove_clock, epd.setup.fullmove_number), (12, 70));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position, not validated.
    pub setup: Setup,
    /// The operations, in order.
    pub operations: Vec<Operation>,
}

/// One operation: an opcode, such as `bm`, with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// An operand of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A quoted text, without the quotes. It contains no quotes and no line breaks, because EPD has
    /// no escapes.
    Text(String),
    /// Anything else, verbatim: a move, a number, a name. It is not empty, contains no white space
    /// and no `;`, and does not begin with a quote.
    Word(String),
}

/// The reason why a text is not EPD.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EpdError {
    /// One of the four fields of the position is invalid.
    #[error("EPD: {0}")]
    Position(#[from] FenSyntaxError),
    /// An operation is invalid.
    #[error("EPD, operations, byte {offset}: expected {expected}")]
    Operation {
        /// The offset of the first invalid byte, from 0.
        offset: usize,
        /// The text expected there.
        expected: &'static str,
    },
}

/// The reason why an opcode and operands do not form an operation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The opcode is invalid.
    #[error("expected an opcode: {OPCODE}")]
    Opcode,
    /// The operand with this index is invalid.
    #[error(
        "operand {0}: expected a text without quotes or line ends, or a word without spaces, ';' \
         or a leading quote"
    )]
    Operand(usize),
}

const OPCODE: &str = "a letter and up to fourteen letters, digits and '_'";

impl Epd {
    /// Sets the counters to those that the operations give.
    pub(super) fn take_counters(&mut self) {
        (self.setup.halfmove_clock, self.setup.fullmove_number) = counters_of(&self.operations);
    }

    /// The position, validated like a FEN by `parse::<Chess>()`.
    ///
    /// # Errors
    /// [`PositionError`], if the position is not legal.
    pub fn position(&self) -> Result<Chess, PositionError> {
        Chess::from_setup(self.setup.clone(), Flaws::UNREACHABLE)
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }
}

impl Operation {
    /// Creates an operation that round-trips through `Display` and `parse`.
    ///
    /// ```
    /// use halfmove_rules::{Operand, Operation};
    /// let id = Operation::new("id", [Operand::Text("test 1".into())])?;
    /// assert_eq!(id.to_string(), "id \"test 1\";");
    /// assert!(Operation::new("1st", []).is_err());
    /// assert!(Operation::new("bm", [Operand::Word("e4 d4".into())]).is_err());
    /// # Ok::<(), halfmove_rules::OperationError>(())
    /// ```
    ///
    /// # Errors
    /// [`OperationError`], if EPD cannot express the opcode or an operand.
    pub fn new(
        opcode: &str,
        operands: impl IntoIterator<Item = Operand>,
    ) -> Result<Self, OperationError> {
        let operands: Vec<Operand> = operands.into_iter().collect();
        if !is_opcode(opcode) {
            return Err(OperationError::Opcode);
        }
        let can_be_written = |operand: &Operand| match operand {
            Operand::Text(text) => !text.contains(['"', '\n', '\r']),
            Operand::Word(word) => {
                !word.is_empty() && !word.starts_with('"') && !word.contains(ends_word)
            }
        };
        match operands.iter().position(|operand| !can_be_written(operand)) {
            Some(index) => Err(OperationError::Operand(index)),
            None => Ok(Self { opcode: opcode.into(), operands }),
        }
    }

    /// The opcode: `bm` best moves, `am` moves to avoid, `id` a name, `ce` an
    /// evaluation in centipawns, `dm` a distance to mate …
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands, in order.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Reads the operands as moves in a position, in SAN or UCI. Separate check marks and
    /// [remarks](San::is_remark), as in `Qd1 +` or `Qd1 ch`, are skipped.
    pub fn moves<'a>(
        &'a self,
        position: &'a Chess,
    ) -> impl Iterator<Item = Result<Move, SanError>> + 'a {
        self.operands
            .iter()
            .map(Operand::as_str)
            .filter(|text| !text.bytes().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')))
            .filter(|text| !San::is_remark(text.as_bytes()))
            .map(|text| {
                San::parse(text.as_bytes()).and_then(|san| san.resolve(position)).or_else(|error| {
                    let uci = text.parse::<UciMove>().map_err(|_| error)?;
                    uci.resolve(position).map_err(|_| error)
                })
            })
    }
}

impl Operand {
    /// The text without quotes, or the word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Word(text) => text,
        }
    }

    /// The operand as an integer, with or without a sign.
    pub fn to_integer(&self) -> Option<i64> {
        match self {
            Self::Text(_) => None,
            Self::Word(word) => word.parse().ok(),
        }
    }

    /// The operand as a number, such as `0.75` or `-3`.
    ///
    /// ```
    /// use halfmove_rules::Operand;
    /// assert_eq!(Operand::Word("-1.5".into()).to_number(), Some(-1.5));
    /// assert_eq!(Operand::Word("Nf3".into()).to_number(), None);
    /// ```
    pub fn to_number(&self) -> Option<f64> {
        match self {
            // `inf` and `nan`, which Rust would accept, are rejected.
            Self::Word(word) if word.bytes().all(|byte| !byte.is_ascii_alphabetic()) => {
                word.parse().ok()
            }
            _ => None,
        }
    }
}

fn is_opcode(text: &str) -> bool {
    let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 15
        && text.bytes().all(name)
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
}

fn ends_word(char: char) -> bool {
    char.is_whitespace() || char == ';'
}

/// The half-move clock and the full-move number in the operations.
pub(crate) fn counters_of(operations: &[Operation]) -> (u16, u16) {
    let number = |opcode| {
        let operation = operations.iter().find(|operation| operation.opcode == opcode)?;
        u16::try_from(operation.operands.first()?.to_integer()?).ok()
    };
    (number("hmvc").unwrap_or(0), number("fmvn").map_or(1, |number| number.max(1)))
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        let text = text.trim_end_matches(|end: char| end.is_whitespace() || end.is_control());
        let mut fields = Fields::new(text);
        let mut setup = parse_position(&mut fields)?;
        let has_counters = parse_counters(&mut fields, &mut setup);
        let mut epd = Self { setup, operations: parse_operations(text, fields.offset())? };
        if !has_counters {
            epd.take_counters();
        }
        Ok(epd)
    }
}

/// Reads the operations from an offset on.
pub(crate) fn parse_operations(text: &str, at: usize) -> Result<Vec<Operation>, EpdError> {
    let mut rest = Rest { text, at };
    let mut operations = Vec::new();
    while let Some(operation) = rest.operation()? {
        operations.push(operation);
    }
    Ok(operations)
}

/// The unread text.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    /// The rest of the text, after skipping white space.
    fn ahead(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let ahead = rest.trim_start();
        self.at += rest.len() - ahead.len();
        ahead
    }

    fn word(&mut self) -> &'a str {
        let ahead = self.ahead();
        let word = &ahead[..ahead.find(ends_word).unwrap_or(ahead.len())];
        self.at += word.len();
        word
    }

    fn operation(&mut self) -> Result<Option<Operation>, EpdError> {
        while self.ahead().starts_with(';') {
            self.at += 1;
        }
        let offset = self.at;
        let opcode = self.word();
        if opcode.is_empty() {
            return Ok(None);
        }
        if !is_opcode(opcode) {
            return Err(EpdError::Operation { offset, expected: OPCODE });
        }
        let mut operands = Vec::new();
        loop {
            let ahead = self.ahead();
            if let Some(quoted) = ahead.strip_prefix('"') {
                let end = quoted.find('"').filter(|end| !quoted[..*end].contains(['\n', '\r']));
                let Some(end) = end else {
                    let offset = self.at;
                    return Err(EpdError::Operation { offset, expected: "a closing quote" });
                };
                self.at += end + 2;
                let after = &quoted[end + 1..];
                if !after.is_empty() && !after.starts_with(ends_word) {
                    let expected = "a space or ';' after the closing quote";
                    return Err(EpdError::Operation { offset: self.at, expected });
                }
                operands.push(Operand::Text(quoted[..end].into()));
            } else if ahead.is_empty() || ahead.starts_with(';') {
                self.at += usize::from(!ahead.is_empty());
                return Ok(Some(Operation { opcode: opcode.into(), operands }));
            } else {
                operands.push(Operand::Word(self.word().into()));
            }
        }
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = &self.setup;
        write_position(f, setup, only_where_needed)?;
        if (setup.halfmove_clock, setup.fullmove_number) != counters_of(&self.operations) {
            write!(f, " {} {}", setup.halfmove_clock, setup.fullmove_number)?;
        }
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Word(word) => f.write_str(word),
        }
    }
}
