//! Building games step by step.

use std::borrow::Cow;

use halfmove_rules::{AnyPosition, Move, San, SanError};
use thiserror::Error;

use crate::annotations::entry::{Entry, Kind, RESULT, after_moves, after_tags};
use crate::annotations::normal::normal;
use crate::annotations::{Annotations, USUAL_NULL};
use crate::count_call::CountCall;
use crate::event::Event;
use crate::game::Game;
use crate::levels::Levels;
use crate::pgn::class::tag_name_fault;
use crate::pgn::{CommentStyle, Nag, Place, Problem, Reader, Visitor, Word};
use crate::result::GameResult;
use crate::tags::Tags;

/// The parts that may follow a word that is not a move.
const AFTER_WORD: &str = "only words after a word that could not be played, in the same line";

/// Builds a game from its parts, in the order of the text.
///
/// Every move is checked, including those in variations, and text that PGN cannot represent is rejected. So any game
/// that is built can be written as PGN and read back, with the exceptions listed in [`Format`](crate::pgn::Format). The
/// tags `FEN` and `Variant` are not compared with the start. Omit them: the writer adds them if needed.
///
/// Clocks and evaluations are commands in a comment, as in PGN.
///
/// ```
/// use halfmove_game::GameBuilder;
/// use halfmove_game::pgn::{self, Nag};
/// use halfmove_game::rules::Chess;
///
/// let mut builder = GameBuilder::new(Chess::default());
/// builder.tag("White", "Morphy")?;
/// builder.san("e4")?;
/// builder.nag(Nag::GOOD_MOVE)?;
/// builder.comment("[%clk 0:03:00] best by test")?;
/// builder.begin_variation()?;
/// builder.san("d4")?;
/// builder.end_variation()?;
/// let game = builder.finish();
/// let text = "[White \"Morphy\"]\n\n1. e4! {[%clk 0:03:00] best by test} (1. d4) *\n\n";
/// assert_eq!(pgn::write_game(&game)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameBuilder {
    game: Game,
    levels: Levels<AnyPosition>,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Tags,
    Moves,
    After,
}

/// The reason why a part cannot be added to a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The move is not legal in its position.
    #[error("{0} is not legal in {1}")]
    IllegalMove(Move, Box<AnyPosition>),
    /// The text is not a legal move in its position.
    #[error("\"{found}\" in {position}: {error}")]
    San {
        /// The text, cut to 40 characters.
        found: String,
        /// The error of the SAN parser.
        error: SanError,
        /// The position in which it was to be played.
        position: Box<AnyPosition>,
    },
    /// A null move while in check.
    #[error("a null move is not possible in check: expected a legal move")]
    NullMove,
    /// The part is in the wrong place.
    #[error("{what} cannot stand here: expected {expected}")]
    Order {
        /// The part that is not allowed there.
        what: &'static str,
        /// The parts that are allowed there.
        expected: &'static str,
    },
    /// PGN cannot represent this text.
    #[error("{what} cannot be written, see byte {offset}: expected {expected}")]
    Text {
        /// The part of the game with this text.
        what: &'static str,
        /// The offset of the offending byte.
        offset: usize,
        /// A description of the texts that can be written.
        expected: &'static str,
    },
    /// The annotations of one game may hold 4 GiB of text.
    #[error("too much text: expected less than 4 GiB in one game")]
    TooLong,
}

impl GameBuilder {
    /// An empty game from this start.
    pub fn new(start: impl Into<AnyPosition>) -> GameBuilder {
        let game = Game { start: start.into(), ..Game::default() };
        let levels = Levels::new(game.start.clone());
        GameBuilder { game, levels, stage: Stage::Tags }
    }

    /// The position in the current line.
    pub fn position(&self) -> &AnyPosition {
        &self.levels.position
    }

    /// The tags so far.
    pub(crate) fn tags(&self) -> &Tags {
        &self.game.tags
    }

    /// Returns true if the current line is the main line.
    pub(crate) fn is_main(&self) -> bool {
        self.levels.is_main()
    }

    /// Returns true if the next move of the current line can be played: the line has no words in place of moves.
    pub fn can_play(&self) -> bool {
        self.levels.can_play()
    }

    /// The memory that the moves, the annotations and the open variations would take with another variation, in bytes,
    /// by the rules of the PGN reader.
    pub(crate) fn bytes_with_variation(&self) -> usize {
        let Game { moves, annotations, .. } = &self.game;
        annotations.bytes() + size_of::<Entry>() + 2 * moves.len() + self.levels.bytes()
    }

    /// Adds one of the [events](Game::events) of a game.
    ///
    /// # Errors
    ///
    /// See the methods for each.
    pub fn push(&mut self, event: Event<'_>) -> Result<(), BuildError> {
        match event {
            Event::Tag(name, value) => self.tag(name, value),
            Event::EndTags => {
                self.end_tags();
                Ok(())
            }
            Event::Move(mv) => self.play(mv),
            Event::CountCall(call) => self.count_call(call),
            Event::NullMove(text) => self.null_move(text),
            Event::Word(text) => self.word(text),
            Event::Nag(nag) => self.nag(nag),
            Event::Comment(comment) => self.styled_comment(comment.style(), &comment.to_string()),
            Event::Escape(text) => self.escape(text),
            Event::BeginVariation => self.begin_variation(),
            Event::EndVariation => self.end_variation(),
            Event::Result(result) => self.result(result),
        }
    }

    /// Adds a tag.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for a name that is not one word; [`BuildError::Order`] after the first
    /// move, variation, glyph or word.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<(), BuildError> {
        if self.stage > Stage::Tags {
            return Err(BuildError::Order { what: "a tag", expected: "all tags before the moves" });
        }
        if let Some(offset) = tag_name_fault(name.as_bytes()) {
            let expected = "letters, digits and _";
            return Err(BuildError::Text { what: "the name of a tag", offset, expected });
        }
        self.game.tags.push(name, value);
        Ok(())
    }

    /// Ends the tags: comments from here on follow the tags.
    pub fn end_tags(&mut self) {
        if self.stage == Stage::Tags {
            self.stage = Stage::Moves;
            self.game.annotations.end_tags(self.game.tags.len());
        }
    }

    /// Plays a move in the current line; [`Move::NULL`] is the [null move](GameBuilder::null_move) `--`.
    ///
    /// # Errors
    ///
    /// [`BuildError::IllegalMove`]; [`BuildError::Order`] after the result, or after a word that is not a move in the
    /// same line.
    pub fn play(&mut self, mv: Move) -> Result<(), BuildError> {
        if mv.is_null() {
            return self.null_move(USUAL_NULL);
        }
        self.moves("a move")?;
        if !self.levels.can_play() {
            return Err(BuildError::Order { what: "a move", expected: AFTER_WORD });
        }
        if !self.levels.position.is_legal(mv) {
            return Err(BuildError::IllegalMove(mv, Box::new(self.levels.position.clone())));
        }
        self.levels.play(mv);
        if self.levels.is_main() {
            self.game.moves.push(mv);
        } else {
            let at = self.at();
            self.game.annotations.push_move(at, mv);
        }
        Ok(())
    }

    /// Plays a move in the current line, given as SAN; for Makruk, in Fairy-Stockfish's style. For other styles, parse
    /// the move with [`GameBuilder::position`] and [play](GameBuilder::play) it.
    ///
    /// ```
    /// use halfmove_game::GameBuilder;
    /// use halfmove_game::rules::Chess;
    ///
    /// let mut builder = GameBuilder::new(Chess::default());
    /// for san in ["e4", "e5", "Nf3"] {
    ///     builder.san(san)?;
    /// }
    /// assert_eq!(
    ///     builder.san("Ke6").unwrap_err().to_string(),
    ///     "\"Ke6\" in rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2: \
    ///      illegal: no such piece can go there"
    /// );
    /// # Ok::<(), halfmove_game::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError::San`], and [`BuildError::Order`] as for [`GameBuilder::play`].
    pub fn san(&mut self, san: &str) -> Result<(), BuildError> {
        let mv = read_san(&self.levels.position, san)?;
        self.play(mv)
    }

    /// Claims or stops a count of Makruk, in the main line.
    ///
    /// # Errors
    ///
    /// [`BuildError::Order`] in a variation, after the result, for a ply other than the number of half-moves played so
    /// far, or if the rules do not allow the call.
    pub fn count_call(&mut self, call: CountCall) -> Result<(), BuildError> {
        self.moves("a call of a count")?;
        let mut position = self.levels.position.clone();
        let here = self.levels.is_main() && call.ply() == self.game.moves.len();
        if !(here && call.apply(&mut position)) {
            let expected = "one that the rules allow, after the last move of the main line";
            return Err(BuildError::Order { what: "this call of a count", expected });
        }
        self.levels.position = position;
        self.game.count_calls.push(call);
        Ok(())
    }

    /// Adds a null move to the current line. `text` is its spelling: `--`, `Z0` … Variations keep the spelling; in the
    /// main line it becomes `--`.
    ///
    /// # Errors
    ///
    /// [`BuildError::NullMove`], [`BuildError::Text`], and as for [`GameBuilder::play`].
    pub fn null_move(&mut self, text: &str) -> Result<(), BuildError> {
        self.moves("a null move")?;
        if !self.levels.can_play() {
            return Err(BuildError::Order { what: "a null move", expected: AFTER_WORD });
        }
        let is_null = San::parse(text.as_bytes()) == Err(SanError::Null);
        if !is_null || not_a_word(text).is_some() {
            let expected = "a null move such as -- or Z0";
            return Err(BuildError::Text { what: "a null move", offset: 0, expected });
        }
        if !self.levels.pass() {
            return Err(BuildError::NullMove);
        }
        if self.levels.is_main() {
            self.game.moves.push(Move::NULL);
        } else {
            let at = self.at();
            self.game.annotations.push_null(at, text);
        }
        Ok(())
    }

    /// Adds a word in place of a move that cannot be played, or a result in a variation. All later moves of this line
    /// are words too. When the game is written and read back, a word that is a legal move becomes that move.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for text that is not one word, or is a number, a glyph, or a result in the main line;
    /// [`BuildError::Order`] after the result.
    pub fn word(&mut self, text: &str) -> Result<(), BuildError> {
        self.moves("a word")?;
        let is_result = GameResult::from_token(text.as_bytes()).is_some();
        let fault = match is_result {
            _ if self.levels.can_play() && San::is_remark(text.as_bytes()) => Some(0),
            true => (self.levels.is_main() || !is_token(text)).then_some(0),
            false => not_a_word(text),
        };
        if let Some(offset) = fault {
            let expected = "one word such as a move, and not a number, a glyph or a result";
            return Err(BuildError::Text { what: "a word", offset, expected });
        }
        self.levels.push_unplayed();
        let at = self.at();
        self.game.annotations.push_text(at, Kind::Word, text);
        Ok(())
    }

    /// Adds a glyph to the last move.
    ///
    /// # Errors
    ///
    /// [`BuildError::Order`] after the result.
    pub fn nag(&mut self, nag: Nag) -> Result<(), BuildError> {
        self.moves("a glyph")?;
        let at = self.at();
        self.game.annotations.push_nag(at, nag);
        Ok(())
    }

    /// Adds a comment: before or between the tags, to the last move, or after the result. It is written in braces, or
    /// after a semicolon if it contains a `}`.
    ///
    /// In a game of Makruk, `[%count …]` in a comment is read back as a [call](GameBuilder::count_call), if the rules
    /// allow one there.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for a text with both a `}` and a line break.
    pub fn comment(&mut self, text: &str) -> Result<(), BuildError> {
        self.styled_comment(usual_style(text)?, text)
    }

    /// Adds a comment in this style.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for a `}` in braces or a line break after a semicolon.
    pub fn styled_comment(&mut self, style: CommentStyle, text: &str) -> Result<(), BuildError> {
        let text = writable_comment(&self.game.annotations, style, text)?;
        let at = self.at();
        self.game.annotations.push_comment(at, style, &text);
        Ok(())
    }

    /// Adds a comment with any text, for decoders of other formats. PGN cannot represent a comment with both a `}` and
    /// a line break, so it is written after a semicolon, with spaces for line breaks.
    ///
    /// # Errors
    ///
    /// [`BuildError::TooLong`].
    pub fn decoded_comment(&mut self, style: CommentStyle, text: &str) -> Result<(), BuildError> {
        if style == CommentStyle::Braces && !text.contains('}') {
            return self.styled_comment(style, text);
        }
        self.styled_comment(CommentStyle::Line, &one_line(text))
    }

    /// Adds a line that begins with `%`; `text` is the rest of it.
    ///
    /// # Errors
    ///
    /// [`BuildError::Text`] for a text with a line break; [`BuildError::Order`] after the result.
    pub fn escape(&mut self, text: &str) -> Result<(), BuildError> {
        if self.stage == Stage::After {
            return Err(BuildError::Order {
                what: "a line that begins with %",
                expected: "only comments after the result",
            });
        }
        let expected = "one line";
        if let Some(offset) = text.find(['\n', '\r']) {
            return Err(BuildError::Text { what: "a line that begins with %", offset, expected });
        }
        self.fits(text.len())?;
        let at = self.at();
        self.game.annotations.push_text(at, Kind::Escape, text);
        Ok(())
    }

    /// Begins a variation: an alternative to the last move.
    ///
    /// # Errors
    ///
    /// [`BuildError::Order`] after the result.
    pub fn begin_variation(&mut self) -> Result<(), BuildError> {
        self.moves("a variation")?;
        let at = self.at();
        self.game.annotations.begin_variation(at);
        self.levels.begin(&self.game.moves);
        Ok(())
    }

    /// Ends a variation.
    ///
    /// # Errors
    ///
    /// [`BuildError::Order`] if none is open.
    pub fn end_variation(&mut self) -> Result<(), BuildError> {
        if self.levels.is_main() {
            let expected = "the beginning of a variation before it";
            return Err(BuildError::Order { what: "the end of a variation", expected });
        }
        self.levels.end();
        self.game.annotations.end_variation();
        Ok(())
    }

    /// Adds the result, and closes all variations.
    ///
    /// # Errors
    ///
    /// [`BuildError::Order`] if there already is a result.
    pub fn result(&mut self, result: GameResult) -> Result<(), BuildError> {
        self.moves("a result")?;
        self.close();
        self.game.result = Some(result);
        self.stage = Stage::After;
        Ok(())
    }

    /// Returns the finished game.
    pub fn finish(mut self) -> Game {
        self.end_tags();
        self.close();
        self.game.annotations.settle_clocks(&self.game.tags);
        self.game
    }

    fn close(&mut self) {
        while self.end_variation().is_ok() {}
    }

    /// Checks that movetext may follow here.
    fn moves(&mut self, what: &'static str) -> Result<(), BuildError> {
        if self.stage == Stage::After {
            return Err(BuildError::Order { what, expected: "only comments after the result" });
        }
        self.end_tags();
        self.fits(0)
    }

    fn fits(&self, more: usize) -> Result<(), BuildError> {
        if self.game.annotations.fits(more) { Ok(()) } else { Err(BuildError::TooLong) }
    }

    /// The position of the next part.
    fn at(&self) -> u32 {
        match self.stage {
            Stage::Tags => after_tags(self.game.tags.len()),
            Stage::Moves => after_moves(self.game.moves.len()),
            Stage::After => RESULT,
        }
    }
}

/// Parses a SAN and finds its legal move.
pub(crate) fn read_san(position: &AnyPosition, san: &str) -> Result<Move, BuildError> {
    position.parse_san(san).map_err(|error| BuildError::San {
        found: san.chars().take(40).collect(),
        error,
        position: Box::new(position.clone()),
    })
}

/// The text with each line break replaced by a space.
fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\r']) {
        true => text.replace("\r\n", " ").replace(['\n', '\r'], " ").into(),
        false => text.into(),
    }
}

/// The comment style that can represent this text.
pub(crate) fn usual_style(text: &str) -> Result<CommentStyle, BuildError> {
    if !text.contains('}') {
        return Ok(CommentStyle::Braces);
    }
    match text.find(['\n', '\r']) {
        None => Ok(CommentStyle::Line),
        Some(offset) => Err(BuildError::Text {
            what: "a comment with both \"}\" and a line break",
            offset,
            expected: "one without \"}\", or one line",
        }),
    }
}

/// The text in a form that a comment of this style can represent.
pub(crate) fn writable_comment<'a>(
    annotations: &Annotations,
    style: CommentStyle,
    text: &'a str,
) -> Result<Cow<'a, str>, BuildError> {
    let (what, expected) = match style {
        CommentStyle::Braces => ("a comment", "a text without \"}\""),
        CommentStyle::Line => ("a comment after a semicolon", "one line"),
    };
    let forbidden = match style {
        CommentStyle::Braces => text.find('}'),
        CommentStyle::Line => text.find(['\n', '\r']),
    };
    if let Some(offset) = forbidden {
        return Err(BuildError::Text { what, offset, expected });
    }
    if annotations.fits(2 * text.len()) { Ok(normal(text)) } else { Err(BuildError::TooLong) }
}

/// The offset of the first byte because of which a reader would not read the text as a single word.
fn not_a_word(text: &str) -> Option<usize> {
    /// Collects words, and an empty text for anything else.
    #[derive(Default)]
    struct Words(Vec<String>);
    impl Visitor for Words {
        fn san(&mut self, san: Word<'_>, _: Place<'_>) {
            self.0.push(san.to_string());
        }
        fn nag(&mut self, _: Nag, _: Place<'_>) {
            self.0.push(String::new());
        }
        fn problem(&mut self, _: Problem, _: Place<'_>) {
            self.0.push(String::new());
        }
    }
    let mut words = Words::default();
    // Reading from memory does not fail.
    let _ = Reader::new(format!("1. e4 {text} ").as_bytes()).read_game(&mut words);
    let first = words.0.get(1).filter(|word| text.starts_with(*word)).map_or(0, String::len);
    (words.0.len() != 2 || first < text.len()).then_some(first)
}

/// Returns true for a standard result token; `1/2` is not one.
fn is_token(text: &str) -> bool {
    GameResult::from_token(text.as_bytes()).is_some_and(|result| result.as_str() == text)
}
