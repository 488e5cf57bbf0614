//! How games are written.

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

/// How games are written. It turns a game into text, on any thread; [`Writer`](super::Writer)
/// writes that to a file.
///
/// By default the movetext is that of the standard's export format, and the tags are those of the
/// game, in its order; [`in_standard_order`](Format::in_standard_order) writes them too as the export
/// format asks for:
///
/// - Lines have at most 80 columns. Comments in braces are broken at their spaces, because a single
///   line break between two words of a comment is [read](crate::Comment) as a space. A longer word,
///   a tag or a comment after a semicolon stays in one piece.
/// - A glyph is written as it was read: `!?` after its move, others after a space.
/// - A move number stands before each move of White, and before a move of Black that does not
///   directly follow one of White.
/// - `%` lines stand on lines of their own.
/// - Words after a move that could not be played are written as they stood.
/// - A line break in a tag, which a tag cannot contain, becomes a space. The movetext ends with the
///   game's result, else with that of the `Result` tag if it is one of the four tokens, else with
///   `*`.
///
/// If the game does not begin at the usual start and has no `FEN` tag, `SetUp` and `FEN` are added
/// after the others; an empty one is filled in where it stands. A game of anything but standard chess gets the tag `Variant` in the same way,
/// unless its `FEN` already says that it is Chess960. A game of Makruk also gets `Counting`, unless counting
/// is automatic, and a comment wherever a side calls or stops a count, unless one stands there
/// already.
///
/// Reading the text back gives the same game, with that result and those tags and comments. There
/// are these exceptions: a game without tags that has no moves, or begins with a glyph or a
/// variation, looks like no game at all; a line break in a tag's value becomes a space; an empty tag
/// that must say something about the start does; and a second
/// tag `Event`, or a tag `FEN` or `Variant` that contradicts the start, is written as it is.
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

/// The name of a tag cannot be written, or not be read back: it must have 1 to 100 printable ASCII
/// characters, no spaces, quotes or brackets among them, and begin with a letter, a digit or `_`. (A
/// game that was read has only such tags.)
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name:?} cannot be the name of a tag: expected letters, digits and _")]
pub struct TagNameError {
    name: String,
}

/// The seven tags that every game should have, with their values if they are not known.
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

    /// Writes moves of Makruk in `style` rather than Fairy-Stockfish's. If the style is
    /// makruk-js's, an added `FEN` tag also uses its dialect (which has no half-move clock). Thai
    /// text can be ambiguous: `คxง๓` may be the khon or the bia on the c-file.
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

    /// Writes the tags as section 8.1 of the standard asks for: first the Seven Tag Roster, with `?`
    /// for those of its tags that are missing, then the others in the order of their names. Tags of one
    /// name keep their order. Comments between tags go before them all.
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

    /// Writes only the seven tags of the roster, the main line and the result; also the tags
    /// without which the main line could not be read.
    #[must_use]
    pub const fn reduced(self) -> Format {
        Format { reduced: true, ..self }
    }

    /// In games of Makruk, writes a comment wherever a count begins, changes or ends, also where
    /// that follows from the moves.
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

    /// Adds the text of a game to `out`, and a blank line.
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
            count: makruk::said(&game.start),
            scratch: String::new(),
        };
        text.write_tags()?;
        text.write_moves();
        Ok(())
    }
}

/// A game that is being written.
struct GameText<'a> {
    format: &'a Format,
    game: &'a Game,
    sheet: Sheet<'a>,
    around: Vec<LineNumbers>,
    line: LineNumbers,
    /// A move of Black needs a number.
    interrupted: bool,
    /// The last token is a move, to which `!` can be attached.
    at_move: bool,
    has_moved: bool,
    count: makruk::Said,
    scratch: String,
}

/// The number of the next half-move of a line: twice the move number, and one more for Black.
#[derive(Clone, Copy)]
struct LineNumbers {
    half_moves: u64,
    /// Whether the line has a move yet.
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
            // The first of each name has its place in the roster.
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
            others.sort_by_key(|(name, _)| *name);
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

    /// The tags that the game does not have, but without which its moves would not be understood. An
    /// empty tag says nothing.
    fn missing_tags(&self) -> Vec<(&'static str, String)> {
        let Game { tags, start, .. } = self.game;
        let has = |name: &str| {
            tags.iter().any(|(found, value)| found == name && !value.trim().is_empty())
        };
        let mut missing = Vec::new();
        if !has("Variant") && start.variant() != Variant::Chess && !self.fen_tells_variant() {
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

    /// Whether the tag `FEN` alone says that this is Chess960: a king or rook that may castle does not
    /// stand on its usual square.
    fn fen_tells_variant(&self) -> bool {
        let fens = self.game.tags.iter().filter(|(name, _)| *name == "FEN");
        let fen = fens.map(|(_, value)| value.trim()).find(|value| !value.is_empty());
        let start = fen.map(|fen| parse_start(Variant::Chess, None, fen));
        start.is_some_and(|start| {
            start.is_ok_and(|start| start.variant() == self.game.start.variant())
        })
    }

    fn result(&self) -> GameResult {
        let told = self.game.tags.value("Result").and_then(|value| value.parse().ok());
        self.game.result.or(told).unwrap_or(GameResult::Unknown)
    }

    fn write_moves(&mut self) {
        let black = self.game.start.side_to_move() == Color::Black;
        self.line.half_moves = 2 * u64::from(self.game.start.fullmove_number()) + u64::from(black);
        let mut walk = self.game.walk();
        let (mut in_moves, mut plies, mut told) = (false, 0, None);
        let mut has_result = false;
        while let Some((event, position)) = walk.step() {
            let is_call = matches!(event, Event::CountCall(_));
            if in_moves && !is_call && told != Some(plies) {
                self.write_count(plies, position);
                told = Some(plies);
            }
            match event {
                // The comment for a call is written with the count that it changes.
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
            if told != Some(plies) {
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
        // It replaces the last move of the line around it.
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

    /// A move, or what stands for one, and its number if it needs one.
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
        // Without tags, a game is known by a line that begins with a number and a move.
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

    /// Writes the count of Makruk, if a side has called it here and no comment says so already.
    fn write_count(&mut self, plies: usize, position: &AnyPosition) {
        if matches!(position, AnyPosition::Chess(_)) {
            return;
        }
        let before = std::mem::replace(&mut self.count, makruk::said(position));
        let kind = |count: makruk::Said| count.map(|(honor, color, _)| (honor, color));
        let called = self.game.count_calls.iter().any(|call| call.ply() == plies);
        let changed = self.format.all_counts && kind(before) != kind(self.count);
        let node = self.game.node(plies);
        let told = !self.format.reduced
            && node.is_some_and(|node| node.comments().any(|comment| makruk::has_count(comment)));
        if (called || changed) && !told {
            self.scratch.clear();
            makruk::write_count(self.count, &mut self.scratch);
            self.sheet.token(&self.scratch);
            self.interrupt();
        }
    }
}

/// The value of a tag: if it is empty, that of the missing tag of its name, which is missing no more.
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

/// Whether a word that could not be played gets a move number.
fn is_like_a_move(word: &str) -> bool {
    let is_result = GameResult::from_token(word.as_bytes()).is_some();
    word.starts_with("O-O")
        || word == "--"
        || !is_result && word.contains(|char: char| char.is_numeric())
}
