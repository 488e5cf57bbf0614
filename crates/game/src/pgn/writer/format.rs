//! The format of written games.

use std::fmt::Write as _;

use halfmove_rules::makruk::{CountingPolicy, Dialect, Rules, SanStyle};
use halfmove_rules::{AnyPosition, Chess, Color, Makruk, Variant};
use thiserror::Error;

use super::super::class::is_tag_name;
use super::super::game_reader::parse_start;
use super::super::makruk;
use super::sheet::Sheet;
use crate::event::Event;
use crate::game::Game;
use crate::result::GameResult;

/// The format of written games. It converts a game to text, on any thread; [`Writer`](super::Writer) writes to a file.
///
/// By default the movetext is in the standard's export format, and the tags are those of the game, in their order.
/// [`in_standard_order`](Format::in_standard_order) also sorts the tags as in the export format:
///
/// - Lines have at most 80 columns. Comments in braces are broken at their spaces, because a single
///   line break between two words of a comment is [read](crate::Comment) as a space. A longer word,
///   a tag or a comment after a semicolon stays in one piece.
/// - A glyph is written as it was read: `!?` after its move, others after a space.
/// - A move number precedes each move of White, and each move of Black that does not directly follow one of White.
/// - `%` lines are written on their own lines.
/// - Words after a move that could not be played are written as they were read.
/// - A line break in a tag becomes a space. The movetext ends with the game's result, otherwise with that of the
///   `Result` tag if it is one of the four tokens, otherwise with `*`.
///
/// If the game does not begin at the standard starting position and has no `FEN` tag, `SetUp` and `FEN` are added after
/// the other tags; an empty `FEN` tag is filled in. In the same way, a game of anything but standard chess gets the tag
/// `Variant`, unless its `FEN` already shows that it is Chess960. A game of Makruk also gets `Counting`, unless
/// counting is automatic, and a comment at each claimed or stopped count, unless there is one already.
///
/// Reading the text back gives the same game, with that result and those tags and comments, with these exceptions: a
/// game without tags that has no moves, or begins with a glyph or a variation, is not recognized as a game; a line
/// break in a tag's value becomes a space; an empty tag that is needed for the start is filled in; and a second tag
/// `Event` before another repeated tag, or a tag `FEN` or `Variant` that contradicts the start, is written unchanged.
///
/// ```
/// use halfmove_game::pgn::{Format, read_game};
///
/// let game = read_game("[White \"a\"]\n[Annotator \"b\"]\n\n1.e4 {a pawn} e5 (1...c5) 1-0").unwrap();
/// let mut text = String::new();
/// Format::new().append(&game, &mut text)?;
/// let whole = "[White \"a\"]\n[Annotator \"b\"]\n\n1. e4 {a pawn} 1... e5 (1... c5) 1-0\n\n";
/// assert_eq!(text, whole);
///
/// text.clear();
/// Format::new().reduced().append(&game, &mut text)?;
/// assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"));
/// assert!(text.ends_with("[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"));
/// # Ok::<(), halfmove_game::pgn::TagNameError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Format {
    san_style: SanStyle,
    standard_order: bool,
    reduced: bool,
    all_counts: bool,
}

/// The error for an invalid tag name. A name must have 1 to 100 printable ASCII characters, without spaces, quotes or
/// brackets, and begin with a letter, a digit or `_`. (Games that were read have only valid names.)
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name:?} cannot be the name of a tag: expected letters, digits and _")]
pub struct TagNameError {
    name: String,
}

/// The seven tags that every game should have, with their values for unknown data.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

impl Default for Format {
    fn default() -> Format {
        Format::new()
    }
}

impl Format {
    /// The export format, with the tags in the order of the file.
    pub const fn new() -> Format {
        Format {
            san_style: SanStyle::Fairy,
            standard_order: false,
            reduced: false,
            all_counts: false,
        }
    }

    /// Writes moves of Makruk in `style` rather than Fairy-Stockfish's. With makruk-js's style, an added `FEN` tag also
    /// uses its dialect (which has no half-move clock). Thai text can be ambiguous: `คxง๓` may be the khon or the bia
    /// on the c-file.
    ///
    /// ```
    /// use halfmove_game::pgn::{Format, read_game};
    /// use halfmove_rules::makruk::SanStyle;
    ///
    /// let game = read_game("[Variant \"Makruk\"]\n\n1. Sc2 Mc7 *\n").unwrap();
    /// let mut text = String::new();
    /// Format::new().with_san_style(SanStyle::Thai).append(&game, &mut text)?;
    /// assert_eq!(text, "[Variant \"Makruk\"]\n\n1. ค-ค๒ ม็-ค๗ *\n\n");
    /// # Ok::<(), halfmove_game::pgn::TagNameError>(())
    /// ```
    #[must_use]
    pub const fn with_san_style(self, style: SanStyle) -> Format {
        Format { san_style: style, ..self }
    }

    /// Writes the tags in the order of section 8.1 of the standard: first the Seven Tag Roster, with `?` for missing
    /// tags, then the others in the order of their names, a second `Event` last. Tags with the same name keep their
    /// order. Comments between tags are moved before all tags.
    ///
    /// ```
    /// use halfmove_game::pgn::{Format, read_game};
    ///
    /// let game = read_game("[White \"a\"]\n[ECO \"C20\"]\n[Annotator \"b\"]\n\n1. e4 *").unwrap();
    /// let mut text = String::new();
    /// Format::new().in_standard_order().append(&game, &mut text)?;
    /// let names: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    /// let expected = ["[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result"];
    /// assert_eq!(names[..7], expected);
    /// assert_eq!(names[7..9], ["[Annotator", "[ECO"]);
    /// # Ok::<(), halfmove_game::pgn::TagNameError>(())
    /// ```
    #[must_use]
    pub const fn in_standard_order(self) -> Format {
        Format { standard_order: true, ..self }
    }

    /// Writes only the Seven Tag Roster, the main line and the result, and tags that are needed to read the main line.
    #[must_use]
    pub const fn reduced(self) -> Format {
        Format { reduced: true, ..self }
    }

    /// In games of Makruk, writes a comment wherever a count begins, changes or ends, even if the moves imply it.
    #[must_use]
    pub const fn with_all_counts(self) -> Format {
        Format { all_counts: true, ..self }
    }

    /// The text of a game, with a blank line at the end.
    ///
    /// ```
    /// use halfmove_game::pgn::{Format, read_game};
    ///
    /// let game = read_game("1. e4 {a pawn} e5 *").unwrap();
    /// let text = Format::new().reduced().write(&game)?;
    /// assert!(text.ends_with("[Result \"*\"]\n\n1. e4 e5 *\n\n"));
    /// # Ok::<(), halfmove_game::pgn::TagNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TagNameError`].
    ///
    /// For a game with illegal moves, the text is unspecified.
    pub fn write(&self, game: &Game) -> Result<String, TagNameError> {
        let mut text = String::new();
        self.append(game, &mut text)?;
        Ok(text)
    }

    /// Appends the text of a game to `out`, and a blank line.
    ///
    /// # Errors
    ///
    /// [`TagNameError`]; the text is then incomplete.
    ///
    /// For a game with illegal moves, the text is unspecified.
    pub fn append(&self, game: &Game, out: &mut String) -> Result<(), TagNameError> {
        let mut text = GameText {
            format: self,
            game,
            sheet: Sheet::new(out),
            around: Vec::new(),
            line: LineNumbers { half_moves: 0, moved: false },
            interrupted: true,
            at_move: false,
            has_moved: false,
            count: makruk::announced(&game.start),
            scratch: String::new(),
        };
        text.write_tags()?;
        text.write_moves();
        Ok(())
    }
}

/// A game being written.
struct GameText<'a> {
    format: &'a Format,
    game: &'a Game,
    sheet: Sheet<'a>,
    around: Vec<LineNumbers>,
    line: LineNumbers,
    /// True if a move of Black needs a number.
    interrupted: bool,
    /// True if the last token is a move, to which `!` can be attached.
    at_move: bool,
    has_moved: bool,
    count: makruk::Announced,
    scratch: String,
}

/// The number of the next half-move of a line: twice the move number, plus one for Black.
#[derive(Clone, Copy)]
struct LineNumbers {
    half_moves: u64,
    /// True if the line has a move.
    moved: bool,
}

impl GameText<'_> {
    fn write_tags(&mut self) -> Result<(), TagNameError> {
        let tags = &self.game.tags;
        let roster = ROSTER.iter().map(|(name, unknown)| {
            let value = match *name {
                "Result" => self.result().as_str(),
                _ => unknown,
            };
            (*name, tags.value(name).unwrap_or(value))
        });
        let missing = self.missing_tags();
        let mut missing: Vec<_> =
            missing.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if self.format.reduced || self.format.standard_order {
            // The first tag of each name belongs to the roster.
            let mut seen = [false; ROSTER.len()];
            let mut is_other =
                |name: &str| match ROSTER.iter().position(|(known, _)| *known == name) {
                    Some(index) => std::mem::replace(&mut seen[index], true),
                    None => true,
                };
            let mut others: Vec<_> = tags.iter().collect();
            others.retain(|(name, _)| is_other(name));
            for (name, value) in &mut others {
                *value = fill(&mut missing, name, value);
            }
            let needed = ["FEN", "SetUp", "Variant", "Counting"];
            others.retain(|(name, _)| !self.format.reduced || needed.contains(name));
            others.extend(missing);
            // After a second `Event`, a repeated tag would begin another game.
            others.sort_by_key(|(name, _)| (*name == "Event", *name));
            let all: Vec<_> = roster.chain(others).collect();
            if !self.format.reduced {
                self.write_early_comments();
            }
            for (name, value) in all {
                write_tag(self.sheet.text(), name, value)?;
            }
        } else {
            for event in self.game.events() {
                match event {
                    Event::Tag(name, value) => {
                        let value = fill(&mut missing, name, value);
                        write_tag(self.sheet.text(), name, value)?;
                        self.sheet.restart();
                    }
                    Event::Comment(comment) => {
                        self.sheet.comment(comment);
                        self.sheet.end_line();
                    }
                    Event::Escape(text) => self.sheet.escape(text),
                    _ => break,
                }
            }
            for (name, value) in missing {
                write_tag(self.sheet.text(), name, value)?;
            }
        }
        let text = self.sheet.text();
        if text.ends_with("]\n") {
            text.push('\n');
        }
        self.sheet.restart();
        Ok(())
    }

    /// The comments before and between the tags.
    fn write_early_comments(&mut self) {
        for event in self.game.events() {
            match event {
                Event::Tag(..) => {}
                Event::Comment(comment) => {
                    self.sheet.comment(comment);
                    self.sheet.end_line();
                }
                Event::Escape(text) => self.sheet.escape(text),
                _ => break,
            }
        }
    }

    /// The missing tags that are needed to read the moves. An empty tag counts as missing.
    fn missing_tags(&self) -> Vec<(&'static str, String)> {
        let Game { tags, start, .. } = self.game;
        let has = |name: &str| {
            tags.iter().any(|(found, value)| found == name && !value.trim().is_empty())
        };
        let mut missing = Vec::new();
        if !has("Variant") && start.variant() != Variant::Chess && !self.fen_shows_variant() {
            let name = start.variant().name();
            missing.push(("Variant", format!("{}{}", name[..1].to_uppercase(), &name[1..])));
        }
        let (fen, usual) = match start {
            AnyPosition::Chess(start) => {
                let is_usual = start.fullmove_number() == 1
                    && start.halfmove_clock() == 0
                    && *start == Chess::default();
                (if is_usual { String::new() } else { start.to_string() }, String::new())
            }
            AnyPosition::Makruk(start) => {
                if start.policy() != CountingPolicy::Auto && !has("Counting") {
                    let policy = makruk::policy_name(start.policy());
                    missing.push(("Counting", policy.to_owned()));
                }
                // ASEAN chess has only one dialect.
                let dialect = match (self.format.san_style, start.rules()) {
                    (_, Rules::Asean) => Dialect::Fairy,
                    (SanStyle::MakrukJs, _) => Dialect::MakrukJs,
                    _ => Dialect::Fairy,
                };
                let fen = |position: &Makruk| position.to_setup().fen(dialect).to_string();
                (fen(start), fen(&Makruk::start(start.rules())))
            }
        };
        if fen != usual && !has("FEN") {
            if !has("SetUp") {
                missing.push(("SetUp", "1".to_owned()));
            }
            missing.push(("FEN", fen));
        }
        missing
    }

    /// Returns true if the tag `FEN` alone shows that this is Chess960: a king or rook that may castle is not on its
    /// standard square.
    fn fen_shows_variant(&self) -> bool {
        let fens = self.game.tags.iter().filter(|(name, _)| *name == "FEN");
        let fen = fens.map(|(_, value)| value.trim()).find(|value| !value.is_empty());
        let start = fen.and_then(|fen| parse_start(Variant::Chess, None, fen, false).ok());
        start.is_some_and(|start| start.position.variant() == self.game.start.variant())
    }

    fn result(&self) -> GameResult {
        let tag = self.game.tags.value("Result");
        let tag_result = tag.and_then(|value| GameResult::from_token(value.as_bytes()));
        self.game.result.or(tag_result).unwrap_or(GameResult::Unknown)
    }

    fn write_moves(&mut self) {
        let black = self.game.start.side_to_move() == Color::Black;
        self.line.half_moves = 2 * u64::from(self.game.start.fullmove_number()) + u64::from(black);
        let mut walk = self.game.walk();
        let (mut in_moves, mut plies, mut written) = (false, 0, None);
        let mut has_result = false;
        while let Some((event, position)) = walk.step() {
            let is_call = matches!(event, Event::CountCall(_));
            if in_moves && !is_call && written != Some(plies) {
                self.write_count(plies, position);
                written = Some(plies);
            }
            match event {
                // The comment for a call is written together with the count that it changes.
                Event::Tag(..) | Event::CountCall(_) => continue,
                Event::EndTags => {
                    in_moves = true;
                    continue;
                }
                _ if !in_moves => continue,
                Event::Move(mv) => {
                    let outer = self.around.is_empty();
                    plies += usize::from(outer);
                    if !outer && self.format.reduced {
                        continue;
                    }
                    match position {
                        AnyPosition::Chess(position) => self.write_move(&position.san(mv)),
                        AnyPosition::Makruk(position) => {
                            self.write_move(&position.san_in(mv, self.format.san_style));
                        }
                    }
                }
                Event::BeginVariation => self.begin(),
                Event::EndVariation => self.end(),
                Event::Result(result) => {
                    has_result = true;
                    self.sheet.token(result.as_str());
                }
                _ if self.format.reduced => {}
                Event::NullMove(text) => self.write_move(text),
                Event::Word(text) => {
                    if is_like_a_move(text) {
                        self.write_move(text);
                    } else {
                        self.sheet.token(text);
                        self.interrupted = true;
                        self.at_move = true;
                    }
                }
                Event::Nag(nag) => {
                    self.scratch.clear();
                    let _ = write!(self.scratch, "{nag}");
                    match nag.is_suffix() && self.at_move {
                        true => self.sheet.attach(&self.scratch),
                        false => self.sheet.token(&self.scratch),
                    }
                    self.at_move = false;
                }
                Event::Comment(comment) => {
                    self.sheet.comment(comment);
                    self.interrupt();
                }
                Event::Escape(text) => {
                    self.sheet.escape(text);
                    self.interrupt();
                }
            }
        }
        if !has_result {
            if written != Some(plies) {
                self.write_count(plies, &self.game.final_position());
            }
            let result = self.result().as_str();
            self.sheet.token(result);
        }
        self.sheet.end_line();
        self.sheet.text().push('\n');
    }

    fn begin(&mut self) {
        self.around.push(self.line);
        // It replaces the last move of the enclosing line.
        self.line.half_moves -= u64::from(self.line.moved);
        self.line.moved = false;
        if !self.format.reduced {
            self.sheet.token("(");
            self.sheet.glue();
            self.interrupt();
        }
    }

    fn end(&mut self) {
        if let Some(line) = self.around.pop() {
            self.line = line;
        }
        if !self.format.reduced {
            self.sheet.attach(")");
            self.interrupt();
        }
    }

    fn interrupt(&mut self) {
        self.interrupted = true;
        self.at_move = false;
    }

    /// Writes a move, or a word in place of one, and its number if it needs one.
    fn write_move(&mut self, text: &str) {
        let LineNumbers { half_moves, .. } = self.line;
        let dots = match half_moves % 2 {
            0 => ".",
            _ if self.interrupted => "...",
            _ => "",
        };
        self.scratch.clear();
        if !dots.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(self.scratch, "{}{dots}", half_moves / 2);
            self.sheet.token(&self.scratch);
        }
        // Without tags, a reader recognizes a game by a line that begins with a move number and a move.
        if self.game.tags.is_empty() && !self.has_moved && !dots.is_empty() {
            self.scratch.clear();
            self.scratch.push(' ');
            self.scratch.push_str(text);
            self.sheet.attach(&self.scratch);
        } else {
            self.sheet.token(text);
        }
        self.has_moved = true;
        self.line = LineNumbers { half_moves: self.line.half_moves + 1, moved: true };
        self.interrupted = false;
        self.at_move = true;
    }

    /// Writes a claimed or stopped count, unless a comment already has it.
    fn write_count(&mut self, plies: usize, position: &AnyPosition) {
        if matches!(position, AnyPosition::Chess(_)) {
            return;
        }
        let before = std::mem::replace(&mut self.count, makruk::announced(position));
        let kind = |count: makruk::Announced| count.map(|(honor, color, _)| (honor, color));
        let called = self.game.count_calls.iter().any(|call| call.ply() == plies);
        let changed = self.format.all_counts && kind(before) != kind(self.count);
        let node = self.game.node(plies);
        let in_comment = !self.format.reduced
            && node.is_some_and(|node| node.comments().any(|comment| makruk::has_count(comment)));
        if (called || changed) && !in_comment {
            self.scratch.clear();
            makruk::write_count(self.count, &mut self.scratch);
            self.sheet.token(&self.scratch);
            self.interrupt();
        }
    }
}

/// The value of a tag. An empty value is replaced by that of the missing tag with its name, which is then removed from
/// `missing`.
fn fill<'a>(missing: &mut Vec<(&str, &'a str)>, name: &str, value: &'a str) -> &'a str {
    if !value.trim().is_empty() {
        return value;
    }
    let found = missing.iter().position(|(other, _)| *other == name);
    found.map_or(value, |index| missing.remove(index).1)
}

fn write_tag(text: &mut String, name: &str, value: &str) -> Result<(), TagNameError> {
    if !is_tag_name(name.as_bytes()) {
        return Err(TagNameError { name: name.to_owned() });
    }
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for char in value.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' | '\r' => text.push(' '),
            _ => text.push(char),
        }
    }
    text.push_str("\"]\n");
    Ok(())
}

/// Returns true if a word that could not be played gets a move number.
fn is_like_a_move(word: &str) -> bool {
    let is_result = GameResult::from_token(word.as_bytes()).is_some();
    word.starts_with("O-O")
        || word == "--"
        || !is_result && word.contains(|char: char| char.is_numeric())
}
