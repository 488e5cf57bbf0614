//! The description of a function: its name, arguments, result, help and example, and its code.

use arrow_array::ArrayRef;
use arrow_schema::DataType;

use crate::aggregate::Aggregate;
use crate::arguments::Arguments;
use crate::error::FunctionError;
use crate::literals;
use crate::table::{explore, positions};

/// A function: an entry of [`FUNCTIONS`](crate::FUNCTIONS).
#[derive(Debug)]
#[non_exhaustive]
pub struct Function {
    /// The name, in lower case.
    pub name: &'static str,
    /// The arguments, optional ones last.
    pub arguments: &'static [Argument],
    /// The type of the result, which can always be null.
    pub result: ResultKind,
    /// One line of help.
    pub help: &'static str,
    /// The description, in Markdown.
    pub about: &'static str,
    /// An example.
    pub example: Example,
    /// The description after the example, in Markdown; often empty.
    pub notes: &'static str,
    /// The code.
    pub body: Body,
    /// The forms of calls that differ from the arguments above.
    pub(crate) forms: Option<Forms>,
}

/// An argument of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument {
    /// The name, as in descriptions.
    pub name: &'static str,
    /// The kind of argument.
    pub kind: Kind,
    /// True if it is optional.
    pub is_optional: bool,
}

impl Argument {
    pub(crate) const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, is_optional: false }
    }

    pub(crate) const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }
}

/// The column `moves`.
pub(crate) const MOVES: Argument = Argument::new("moves", Kind::Moves);
/// The column `annotations`.
pub(crate) const ANNOTATIONS: Argument = Argument::new("annotations", Kind::Annotations);
/// The column `clocks`.
pub(crate) const CLOCKS: Argument = Argument::new("clocks", Kind::Clocks);
/// The column `evaluations`.
pub(crate) const EVALUATIONS: Argument = Argument::new("evaluations", Kind::Evaluations);
/// The number of a half-move.
pub(crate) const N: Argument = Argument::new("n", Kind::Number);
/// A position.
pub(crate) const FEN: Argument = Argument::new("fen", Kind::Fen);
/// The variant of the FEN before it.
pub(crate) const VARIANT: Argument = Argument::new("variant", Kind::Variant).optional();
/// White or Black.
pub(crate) const SIDE: Argument = Argument::new("side", Kind::Side);
/// Conditions on a board.
pub(crate) const CONDITIONS: Argument = Argument::new("conditions", Kind::Conditions);
/// A sequence of moves.
pub(crate) const SEQUENCE: Argument = Argument::new("sequence", Kind::Sequence);

/// The kind of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes of moves.
    Moves,
    /// Bytes of clocks.
    Clocks,
    /// Bytes of evaluations.
    Evaluations,
    /// Bytes of annotations.
    Annotations,
    /// A whole number.
    Number,
    /// The text of a position.
    Fen,
    /// The name of a variant.
    Variant,
    /// The text of conditions on a board.
    Conditions,
    /// The text of a sequence of moves.
    Sequence,
    /// Words to search for.
    Words,
    /// The name of a side.
    Side,
    /// The letter of a piece.
    Piece,
    /// Any text.
    Text,
    /// A text, or any bytes.
    TextOrBytes,
}

impl Kind {
    /// The column that has bytes of this kind.
    pub fn column(self) -> Option<&'static str> {
        match self {
            Self::Moves => Some("moves"),
            Self::Clocks => Some("clocks"),
            Self::Evaluations => Some("evaluations"),
            Self::Annotations => Some("annotations"),
            _ => None,
        }
    }

    /// The type to which values of the given type are converted before the call; `None` if they are not of this kind.
    ///
    /// Texts and bytes keep their layout.
    pub fn coerced(self, given: &DataType) -> Option<DataType> {
        let is_bytes = self.column().is_some() || self == Self::TextOrBytes;
        let is_text = self != Self::Number && self.column().is_none();
        match given {
            DataType::Null if self == Self::Number => Some(DataType::Int64),
            DataType::Null if is_text => Some(DataType::Utf8),
            DataType::Null => Some(DataType::Binary),
            given if given.is_integer() && self == Self::Number => Some(DataType::Int64),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if is_text => {
                Some(given.clone())
            }
            DataType::Dictionary(_, value) if is_text && is_plain_text(value) => {
                Some(given.clone())
            }
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView if is_bytes => {
                Some(given.clone())
            }
            DataType::FixedSizeBinary(_) if is_bytes => Some(DataType::Binary),
            _ => None,
        }
    }

    /// The kind in words, for messages.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Moves => "bytes (the column moves)",
            Self::Clocks => "bytes (the column clocks)",
            Self::Evaluations => "bytes (the column evaluations)",
            Self::Annotations => "bytes (the column annotations)",
            Self::TextOrBytes => "a text or bytes",
            Self::Number => "a whole number",
            _ => "a text",
        }
    }

    /// A literal of this kind, for messages; `None` if the name of the argument is clearer.
    fn sample(self) -> Option<&'static str> {
        match self {
            Self::Conditions => Some("'material:KRPvKR'"),
            Self::Sequence => Some("'Bxh7+ Kxh7 Ng5+'"),
            Self::Words => Some("'novelty'"),
            Self::Side => Some("'white'"),
            Self::Piece => Some("'N'"),
            _ => None,
        }
    }
}

/// Returns true if a type is that of texts, without a dictionary.
pub(crate) fn is_plain_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The type of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultKind {
    /// True or false.
    Boolean,
    /// A 32-bit integer.
    Int,
    /// A floating-point number.
    Double,
    /// A text.
    Text,
    /// The key of a position: an unsigned 64-bit integer.
    Key,
    /// A list of 32-bit integers.
    Ints,
    /// A list of floating-point numbers.
    Doubles,
    /// A list of texts.
    Texts,
    /// The positions of a game.
    Positions,
    /// The results and next moves of a position.
    Explored,
}

impl ResultKind {
    /// The type in SQL.
    pub fn sql(self) -> &'static str {
        match self {
            Self::Boolean => "BOOLEAN",
            Self::Int => "INT",
            Self::Double => "DOUBLE",
            Self::Text => "VARCHAR",
            Self::Key => "BIGINT UNSIGNED",
            Self::Ints | Self::Doubles | Self::Texts | Self::Positions => "LIST",
            Self::Explored => "STRUCT",
        }
    }

    /// The type of the array of results.
    pub fn data_type(self) -> DataType {
        match self {
            Self::Boolean => DataType::Boolean,
            Self::Int => DataType::Int32,
            Self::Double => DataType::Float64,
            Self::Text => DataType::Utf8,
            Self::Key => DataType::UInt64,
            Self::Ints => DataType::new_list(DataType::Int32, true),
            Self::Doubles => DataType::new_list(DataType::Float64, true),
            Self::Texts => DataType::new_list(DataType::Utf8, true),
            Self::Positions => DataType::List(positions::element()),
            Self::Explored => DataType::Struct(explore::fields()),
        }
    }
}

/// The code of a function.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Body {
    /// A result for each row of a batch.
    Rows(fn(&Arguments<'_>) -> Result<ArrayRef, FunctionError>),
    /// A result for each group of rows: an aggregate, with a new state for each group.
    Groups(fn() -> Box<dyn Aggregate>),
}

/// Calls on a small set of games, and their results: `crates/functions/tests/games.pgn`, with ids from 1.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Example {
    /// The calls, in SQL.
    pub calls: &'static [&'static str],
    /// The ids of the games; none for an aggregate over all of them.
    pub games: &'static [i64],
    /// A row of results for each game, one for each call; one row for an aggregate.
    pub answers: &'static [&'static [&'static str]],
}

impl Example {
    pub(crate) const fn new(
        calls: &'static [&'static str],
        games: &'static [i64],
        answers: &'static [&'static [&'static str]],
    ) -> Self {
        Self { calls, games, answers }
    }

    /// The query in SQL.
    pub fn query(&self) -> String {
        let calls = self.calls.join(", ");
        let (columns, rest) = match self.games {
            [] => (calls, "from games".to_owned()),
            [id] => (calls, format!("from games where id = {id}")),
            ids => {
                let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
                let ids = ids.join(", ");
                (format!("id, {calls}"), format!("from games where id in ({ids}) order by id"))
            }
        };
        let separator = if columns.len() + rest.len() < 100 { ' ' } else { '\n' };
        format!("select {columns}{separator}{rest}")
    }

    /// The result of [`query`](Self::query): a line for each row, with two spaces between cells.
    pub fn answer(&self) -> String {
        let line = |(number, answers): (usize, &&[&str])| {
            let answers = answers.join("  ");
            match self.games {
                [] | [_] => answers,
                ids => format!("{}  {answers}", ids[number]),
            }
        };
        self.answers.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Ways to call a function that its arguments do not describe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forms {
    /// The ways to call it, for messages.
    pub(crate) usage: &'static str,
    /// The types to which the arguments are converted; `None` if they match no form.
    pub(crate) coerce: fn(&[DataType]) -> Option<Vec<DataType>>,
}

impl Function {
    /// A function whose code is `body`, called as its arguments describe.
    pub(crate) const fn new(
        name: &'static str,
        arguments: &'static [Argument],
        result: ResultKind,
        body: Body,
    ) -> Self {
        let example = Example::new(&[], &[], &[]);
        let (help, about, notes) = ("", "", "");
        Self { name, arguments, result, help, about, example, notes, body, forms: None }
    }

    /// The function with its description.
    pub(crate) const fn with_help(
        self,
        help: &'static str,
        about: &'static str,
        example: Example,
    ) -> Self {
        Self { help, about, example, ..self }
    }

    /// The function with more examples for the reference.
    pub(crate) const fn with_notes(self, notes: &'static str) -> Self {
        Self { notes, ..self }
    }

    /// Returns true if it is an aggregate.
    pub fn is_aggregate(&self) -> bool {
        matches!(self.body, Body::Groups(_))
    }

    /// The name with the names of the arguments: `san(moves [, n])`.
    ///
    /// ```
    /// let function = halfmove_functions::function("san").unwrap();
    /// assert_eq!(function.signature(), "san(moves [, n])");
    /// ```
    pub fn signature(&self) -> String {
        let mut text = format!("{}(", self.name);
        for (index, argument) in self.arguments.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            text += &match argument.is_optional {
                true => format!(" [{comma}{}]", argument.name),
                false => format!("{comma}{}", argument.name),
            };
        }
        text + ")"
    }

    /// The ways to call the function, for messages: `san(moves) or san(moves, n)`.
    pub fn usage(&self) -> String {
        if let Some(forms) = self.forms {
            return forms.usage.to_owned();
        }
        let call = |arguments: &[Argument]| {
            let sample = |argument: &Argument| argument.kind.sample().unwrap_or(argument.name);
            let samples: Vec<&str> = arguments.iter().map(sample).collect();
            format!("{}({})", self.name, samples.join(", "))
        };
        let fewest = self.fewest();
        let calls: Vec<String> =
            (fewest..=self.arguments.len()).map(|count| call(&self.arguments[..count])).collect();
        calls.join(" or ")
    }

    /// The number of required arguments.
    fn fewest(&self) -> usize {
        self.arguments.iter().filter(|argument| !argument.is_optional).count()
    }

    /// The types to which arguments of the given types have to be converted before a call.
    ///
    /// ```
    /// use arrow_schema::DataType;
    ///
    /// let function = halfmove_functions::function("san").unwrap();
    /// let types = function.coerce(&[DataType::BinaryView, DataType::UInt8])?;
    /// assert_eq!(types, [DataType::BinaryView, DataType::Int64]);
    /// let error = function.coerce(&[DataType::Utf8]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "argument 1 of san is Utf8, expected bytes (the column moves): san(moves) or san(moves, n)"
    /// );
    /// # Ok::<(), halfmove_functions::FunctionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A wrong number of arguments, or an argument of a wrong type.
    pub fn coerce(&self, given: &[DataType]) -> Result<Vec<DataType>, FunctionError> {
        let function = self.name;
        if let Some(forms) = self.forms {
            let unknown = || FunctionError::Form { function, usage: self.usage() };
            return (forms.coerce)(given).ok_or_else(unknown);
        }
        if !(self.fewest()..=self.arguments.len()).contains(&given.len()) {
            let (given, usage) = (given.len(), self.usage());
            return Err(FunctionError::ArgumentCount { function, given, usage });
        }
        let coerced =
            self.arguments.iter().zip(given).enumerate().map(|(index, (argument, given))| {
                argument.kind.coerced(given).ok_or_else(|| FunctionError::Argument {
                    function,
                    number: index + 1,
                    expected: argument.kind.expected(),
                    found: given.to_string(),
                    usage: self.usage(),
                })
            });
        coerced.collect()
    }

    /// Checks arguments that are literals, before any row is read. `literals` has an entry for each argument of the
    /// call: the text, or `None` if the argument is not a literal text.
    ///
    /// ```
    /// let function = halfmove_functions::function("moved").unwrap();
    /// assert!(function.check_literals(&[None, Some("N")]).is_ok());
    /// let error = function.check_literals(&[None, Some("X")]).unwrap_err();
    /// assert!(error.to_string().starts_with("the piece \"X\" is not known"));
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the first invalid literal, such as an invalid FEN.
    pub fn check_literals(&self, literals: &[Option<&str>]) -> Result<(), FunctionError> {
        let literals =
            || self.arguments.iter().map(|argument| argument.kind).zip(literals.iter().copied());
        // Absent, or given but not as a literal.
        let variant = literals().find(|(kind, _)| *kind == Kind::Variant).map(|(_, text)| text);
        for (kind, text) in literals() {
            let Some(text) = text else { continue };
            match kind {
                Kind::Fen => match variant {
                    None => literals::position(text, None).map(drop)?,
                    Some(Some(variant)) => literals::position(text, Some(variant)).map(drop)?,
                    Some(None) => {}
                },
                Kind::Variant => literals::variant(text).map(drop)?,
                Kind::Conditions => literals::conditions(text).map(drop)?,
                Kind::Sequence => literals::sequence(text).map(drop)?,
                Kind::Words => literals::words(text).map(drop)?,
                Kind::Side => literals::side(text).map(drop)?,
                Kind::Piece => literals::piece(text).map(drop)?,
                _ => {}
            }
        }
        Ok(())
    }
}
