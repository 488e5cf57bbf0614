//! Finds every fault in a file of games.

mod fault;
mod values;

use std::io::{self, Read};

use halfmove_rules::makruk::SanStyle;
use halfmove_rules::{AnyPosition, CastlingMode, Move, Variant};

pub use self::fault::{Fault, FaultKind};
use super::Nag;
use super::error::{PgnErrorKind, SkipReason, quote, quote_line};
use super::game_reader::{MAX_BYTES, Player, Step, parse_start};
use super::reader::Reader;
use super::source::{LineColumn, Place};
use super::text::Text;
use super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::word::Word;
use crate::annotations::clocks::{Clocks, Meaning};
use crate::annotations::command::{Command, visit_commands};
use crate::annotations::entry::Entry;
use crate::move_number::MoveNumber;
use crate::result::GameResult;
use crate::tags::Tags;
use crate::variants::{demanded_mode, is_no_variant, variant_named};

/// The maximum number of errors, and of warnings, kept per game; the others are only counted. Only text that is not PGN
/// exceeds it.
const MAX_FAULTS: usize = 1000;

/// A [`Visitor`] that plays every move of a file, in main lines and variations, and lists all faults: illegal moves,
/// violations of the format, results that contradict their tags.
///
/// After each [`Checker::read_game`], [`Checker::faults`] has the faults of that game, and those in the text before it.
///
/// ```
/// use halfmove_game::pgn::{Checker, Reader};
///
/// let text = "[Result \"1-0\"]\n\n1. e4 e5 (1... e6 2. Ke3) 2. Nf3 0-1\n";
/// let mut reader = Reader::new(text.as_bytes());
/// let mut checker = Checker::new();
/// assert!(checker.read_game(&mut reader)?);
/// let faults: Vec<String> = checker.faults().iter().map(ToString::to_string).collect();
/// assert_eq!(faults, [
///     "game 1, line 3, column 22, move 2, in a variation: illegal move \"Ke3\": \
///      no king can go there, expected Ke2",
///     "game 1, line 3, column 34, move 2...: the result is 0-1, but the tag says 1-0",
/// ]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker {
    /// The variant of games without the tag `Variant`.
    usual_variant: Variant,
    faults: Vec<Fault>,
    /// Faults beyond [`MAX_FAULTS`].
    more_faults: u64,
    /// The number of errors among the kept faults.
    errors: usize,
    outside_lines: u64,
    /// The number of lines after the comments before the tags, which belong to the text of the game.
    included_lines: u64,
    game: u64,
    words: u64,
    main_words: u64,
    deepest: u64,
    tags: Tags,
    state: State,
    variant: Variant,
    /// The castling mode that the tags give, if any.
    castling_mode: Option<CastlingMode>,
    has_own_start: bool,
    /// The place of the first `FEN` tag that is not empty, and its value.
    fen_tag: Option<(Spot, String)>,
    unchecked: Option<(Spot, SkipReason)>,
    result_tag: Option<(Spot, String)>,
    result: Option<(Spot, GameResult)>,
    clocks: Clocks,
    /// The first clock of two numbers.
    short_clock: Option<(Spot, String)>,
    player: Player,
    /// The number of the first move.
    first: MoveNumber,
    /// The main line.
    moves: Vec<Move>,
    /// The number of open variations, and the place where the outermost begins.
    depth: u64,
    opened: Spot,
    /// The memory that a reader needs for the annotations so far, excluding the text of comments with commands.
    annotated: usize,
    /// True if the game is too long; no more of its moves are played.
    is_full: bool,
    begins: Spot,
    /// The offset of the comments before the tags.
    lead: Option<u64>,
    /// The offset of the text of this game.
    start: u64,
    /// The offset of the first token after the previous game.
    next: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    Tags,
    Moves,
}

/// The place of a token, as a value.
#[derive(Debug, Clone, Copy)]
struct Spot {
    offset: u64,
    at: LineColumn,
    bytes: usize,
}

impl Spot {
    const START: Spot = Spot { offset: 0, at: LineColumn { line: 1, column: 1 }, bytes: 0 };

    fn new(place: Place<'_>, bytes: usize) -> Spot {
        Spot { offset: place.offset(), at: place.line_column(), bytes }
    }
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// A checker for games of any variant. Games without the tag `Variant` are chess.
    pub fn new() -> Checker {
        Checker {
            usual_variant: Variant::Chess,
            faults: Vec::new(),
            more_faults: 0,
            errors: 0,
            outside_lines: 0,
            included_lines: 0,
            game: 0,
            words: 0,
            main_words: 0,
            deepest: 0,
            tags: Tags::new(),
            state: State::Between,
            variant: Variant::Chess,
            castling_mode: None,
            has_own_start: false,
            fen_tag: None,
            unchecked: None,
            result_tag: None,
            result: None,
            clocks: Clocks::default(),
            short_clock: None,
            player: Player::new(SanStyle::Fairy),
            first: MoveNumber::of(&AnyPosition::start(Variant::Chess)),
            moves: Vec::new(),
            depth: 0,
            opened: Spot::START,
            annotated: 0,
            is_full: false,
            begins: Spot::START,
            lead: None,
            start: 0,
            next: None,
        }
    }

    /// Assumes `variant`, rather than chess, for games without the tag `Variant`.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> Checker {
        self.usual_variant = variant;
        self
    }

    /// Reads moves of Makruk in `style` rather than Fairy-Stockfish's.
    #[must_use]
    pub fn with_san_style(mut self, style: SanStyle) -> Checker {
        self.player.style = style;
        self
    }

    /// Reads to the end of the next game. Returns false if there are no more games; there may still be faults after the
    /// last one.
    ///
    /// # Errors
    ///
    /// Only I/O errors of the source.
    pub fn read_game<R: Read>(&mut self, reader: &mut Reader<R>) -> io::Result<bool> {
        self.check_game(reader)
    }

    fn check_game(&mut self, reader: &mut Reader<dyn Read + '_>) -> io::Result<bool> {
        self.clear();
        reader.visit_game(self)
    }

    /// Counts games from 1 again, for the next input.
    pub fn begin_input(&mut self) {
        self.clear();
        self.game = 0;
    }

    /// Clears the state of the last game.
    pub(super) fn clear(&mut self) {
        self.faults.clear();
        (self.more_faults, self.deepest) = (0, 0);
        (self.errors, self.outside_lines, self.included_lines) = (0, 0, 0);
        (self.words, self.main_words) = (0, 0);
        self.tags.clear();
        self.state = State::Between;
        (self.next, self.lead) = (None, None);
        self.variant = self.usual_variant;
        self.castling_mode = demanded_mode(self.variant);
        (self.fen_tag, self.unchecked, self.result_tag, self.result) = (None, None, None, None);
        (self.clocks, self.short_clock) = (Clocks::default(), None);
        self.moves.clear();
        (self.depth, self.annotated, self.is_full) = (0, 0, false);
    }

    /// The faults found by the last [`Checker::read_game`], in the order of the file: at most a
    /// thousand errors and a thousand warnings; see [`Checker::more_faults`].
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The number of further faults in the same game.
    pub fn more_faults(&self) -> u64 {
        self.more_faults
    }

    /// Returns true if there are errors among the faults of the last [`Checker::read_game`].
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of lines of text outside any game between the current game and the previous one.
    pub fn outside_lines(&self) -> u64 {
        self.outside_lines
    }

    /// The number of those lines that the text of the current game includes, because they follow its first comment.
    pub fn included_lines(&self) -> u64 {
        self.included_lines
    }

    /// The number of the current game, from 1.
    pub fn game(&self) -> u64 {
        self.game
    }

    /// The tags of the current game.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The variant of the current game; `None` if its moves could not be checked.
    pub fn variant(&self) -> Option<Variant> {
        self.unchecked.is_none().then_some(self.variant)
    }

    /// The number of legal half-moves in the current game's main line.
    pub fn half_moves(&self) -> u64 {
        self.moves.len() as u64
    }

    /// The number of words in place of a move in the current game, including its variations.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// The number of such words in its main line.
    pub(super) fn main_words(&self) -> u64 {
        self.main_words
    }

    /// Returns true if the tags of the current game give a custom start position.
    pub(super) fn has_own_start(&self) -> bool {
        self.has_own_start
    }

    /// The maximum nesting depth of variations in the current game.
    pub fn deepest(&self) -> u64 {
        self.deepest
    }

    /// The result token of the current game.
    pub fn result_token(&self) -> Option<GameResult> {
        self.result.map(|(_, result)| result)
    }

    /// The offset in the input at which the text of the current game begins, with the comments
    /// before its tags.
    pub fn start_offset(&self) -> u64 {
        self.start
    }

    /// The offset of the comments after the last game, when there are no more games.
    pub fn pending_offset(&self) -> Option<u64> {
        self.lead.filter(|_| self.state == State::Between)
    }

    /// The offset of the first token after the game before the current one, where the text of that game ends. `None` if
    /// nothing follows it.
    pub fn next_offset(&self) -> Option<u64> {
        self.next
    }
}

impl Visitor for Checker {
    fn begin_game(&mut self, place: Place<'_>) {
        let spot = Spot::new(place, 0);
        self.next.get_or_insert(spot.offset);
        self.start = self.lead.take().unwrap_or(spot.offset);
        self.begins = spot;
        self.game += 1;
        self.state = State::Tags;
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        let text = value.to_str();
        // Brackets, space and quotes.
        let bytes = name.as_bytes().len() + value.as_bytes().len() + 5;
        if self.is_full {
            return;
        }
        if self.tags.bytes_with(bytes, 1) > MAX_BYTES {
            return self.too_long(Spot::new(place, bytes));
        }
        self.tags.push(&name.to_str(), &text);
        let text = text.trim();
        match name.as_bytes() {
            b"FEN" if self.fen_tag.is_none() && !text.is_empty() => {
                self.fen_tag = Some((Spot::new(place, bytes), text.to_owned()));
            }
            b"Variant" if !is_no_variant(text) => {
                self.tag_of_variant(text, Spot::new(place, bytes))
            }
            b"Result" if self.result_tag.is_none() && !text.is_empty() => {
                self.result_tag = Some((Spot::new(place, bytes), text.to_owned()));
            }
            name => {
                if let Some((kind, reason)) = values::check(name, text) {
                    let (name, found) = (quote(&String::from_utf8_lossy(name)), quote(text));
                    let kind = FaultKind::UnusableValue { kind, name, found, reason };
                    self.fault(Spot::new(place, bytes), kind);
                }
            }
        }
    }

    fn end_tags(&mut self) -> Flow {
        self.state = State::Moves;
        let start = self.find_start();
        self.has_own_start = self.fen_tag.is_some() && start != AnyPosition::start(start.variant());
        self.variant = start.variant();
        self.first = MoveNumber::of(&start);
        self.player.start(&start);
        if let Some((spot, reason)) = &self.unchecked {
            let (spot, reason) = (*spot, reason.clone());
            // Neither the first word nor a variation that replaces it can be played.
            self.player.push_unplayed();
            self.player.push_unplayed();
            self.fault(spot, FaultKind::Unchecked(reason));
        }
        Flow::Read
    }

    #[inline]
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        let is_main = self.depth == 0;
        self.words += 1;
        self.main_words += u64::from(is_main);
        if self.is_full {
            return;
        }
        let text = match self.player.step(san) {
            Step::Move(mv, _) if is_main => return self.push_move(mv, san, place),
            Step::Null if is_main => return self.push_move(Move::NULL, san, place),
            Step::Move(..) | Step::Null => 0,
            Step::Remark => {
                self.words -= 1;
                self.main_words -= u64::from(is_main);
                return;
            }
            Step::Lost => san.as_bytes().len(),
            // Explaining a fault is slow.
            Step::Faulty(_) if self.errors == MAX_FAULTS => {
                self.more_faults += 1;
                san.as_bytes().len()
            }
            Step::Faulty(error) => {
                let kind = self.player.explain(san.as_bytes(), error);
                let spot = Spot::new(place, san.as_bytes().len());
                self.fault(spot, FaultKind::Move(kind));
                return self.annotate(san.as_bytes().len(), || spot);
            }
        };
        self.annotate(text, || Spot::new(place, san.as_bytes().len()));
    }

    fn nag(&mut self, _: Nag, place: Place<'_>) {
        self.annotate(0, || Spot::new(place, 1));
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, place: Place<'_>) {
        self.between(&place);
        let has_commands = memchr::memchr(b'[', text.as_bytes()).is_some();
        if has_commands && self.state != State::Between && !self.is_full {
            let spot = Spot::new(place, 1);
            self.check_commands(&text.to_str(), spot);
            return self.annotate(0, || spot);
        }
        let text = if has_commands { 0 } else { text.as_bytes().len() };
        self.annotate(text, || Spot::new(place, 1));
    }

    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        self.between(&place);
        self.annotate(text.as_bytes().len(), || Spot::new(place, 1));
    }

    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        let spot = Spot::new(place, 1);
        if self.depth == 0 {
            self.opened = spot;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.annotate(0, || spot);
        if !self.is_full {
            self.player.begin(&self.moves);
        }
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        if !self.is_full {
            self.player.end();
            self.annotated += size_of::<Entry>();
        }
    }

    fn result(&mut self, result: GameResult, place: Place<'_>) {
        self.result = Some((Spot::new(place, result.as_str().len()), result));
    }

    fn variation_result(&mut self, result: GameResult, place: Place<'_>) {
        if !self.is_full {
            self.player.push_unplayed();
        }
        let text = result.as_str().len();
        self.annotate(text, || Spot::new(place, text));
    }

    fn end_game(&mut self) {
        let tag = self.result_tag.take();
        match (tag.as_ref().map(|(spot, text)| (spot, text, token(text))), self.result) {
            (Some((_, _, Some(tag))), Some((spot, token))) if tag != token => {
                self.fault(spot, FaultKind::DifferingResults { tag, token });
            }
            (Some((spot, text, None)), _) => {
                let found = quote(text);
                self.fault_at(*spot, 0, FaultKind::UnknownResult { found });
            }
            _ => {}
        }
        self.check_clocks();
        // An unclosed comment includes the result.
        let swallowed = FaultKind::Format(Problem::UnclosedComment);
        if self.result.is_none() && self.faults.iter().all(|fault| fault.kind != swallowed) {
            self.fault(self.begins, FaultKind::MissingResult);
        }
        self.faults.sort_by_key(|fault| fault.offset);
        self.state = State::Between;
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        let spot = match problem {
            // The opening parenthesis is a better place to report than the one where the fault was detected.
            Problem::UnclosedVariation if self.depth > 0 => self.opened,
            _ => Spot::new(place, 1),
        };
        self.fault(spot, FaultKind::Format(problem));
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.next.get_or_insert(place.offset());
        self.outside_lines += 1;
        self.included_lines += u64::from(self.lead.is_some());
        let found = quote_line(text);
        self.fault(Spot::new(place, text.len()), FaultKind::Outside { found });
    }
}

impl Checker {
    /// Records the offset of a token between two games.
    fn between(&mut self, place: &Place<'_>) {
        if self.state == State::Between {
            self.next.get_or_insert(place.offset());
            self.lead.get_or_insert(place.offset());
        }
    }

    /// Checks the values of the commands in a comment.
    fn check_commands(&mut self, text: &str, spot: Spot) {
        let (mut clocks, mut short, mut faults) = (self.clocks, None, Vec::new());
        let note = |command: &Command<'_>| {
            if command.name == "clk" && clocks.note(&command.value) {
                short.get_or_insert_with(|| command.value.clone());
            } else if let Some(unusable) = values::check_command(command) {
                faults.push((command.name, quote(&command.value), unusable));
            }
        };
        let mut long = Clocks::default();
        visit_commands(text, note, |clock| long.note_long(clock));
        self.clocks = clocks.with(long);
        if let Some(value) = short
            && self.short_clock.is_none()
        {
            self.short_clock = Some((spot, value));
        }
        for (name, found, (kind, reason)) in faults {
            let name = format!("%{name}");
            self.fault(spot, FaultKind::UnusableValue { kind, name, found, reason });
        }
    }

    /// Warns of clocks that may be minutes or hours.
    fn check_clocks(&mut self) {
        let Some((spot, found)) = self.short_clock.take() else { return };
        if self.clocks.meaning(self.tags.value("TimeControl")) == Meaning::Unknown {
            let (kind, name) = ("unknown_clock", "%clk".to_owned());
            let reason = "it may be minutes and seconds, or hours and minutes: \
                          expected hours, minutes and seconds such as 0:01:05, or a tag TimeControl";
            let reason = reason.to_owned();
            self.fault_at(spot, 0, FaultKind::UnusableValue { kind, name, found, reason });
        }
    }

    fn fault(&mut self, spot: Spot, kind: FaultKind) {
        let plies = if self.depth == 0 { self.moves.len() } else { self.player.variation_plies() };
        let ply = u32::try_from(plies + 1).unwrap_or(u32::MAX);
        self.fault_at(spot, if self.state == State::Moves { ply } else { 0 }, kind);
    }

    /// Counts the memory that a reader needs for an annotation with `text` bytes of text.
    fn annotate(&mut self, text: usize, spot: impl FnOnce() -> Spot) {
        if self.is_full || self.state == State::Between {
            return;
        }
        let more = text + size_of::<Entry>();
        let lines = size_of_val(&*self.moves) + self.player.bytes();
        if self.annotated + lines + more > MAX_BYTES {
            self.too_long(spot());
        } else {
            self.annotated += more;
        }
    }

    /// Records a move of the main line.
    fn push_move(&mut self, mv: Move, san: Word<'_>, place: Place<'_>) {
        self.moves.push(mv);
        if size_of_val(&*self.moves) > MAX_BYTES {
            self.too_long(Spot::new(place, san.as_bytes().len()));
        }
    }

    #[cold]
    fn too_long(&mut self, spot: Spot) {
        self.is_full = true;
        let kind = PgnErrorKind::TooLong { max_bytes: MAX_BYTES };
        self.fault(spot, FaultKind::Move(kind));
    }

    fn fault_at(&mut self, Spot { offset, at, bytes }: Spot, ply: u32, kind: FaultKind) {
        let is_error = kind.is_error();
        let kept = if is_error { self.errors } else { self.faults.len() - self.errors };
        if kept == MAX_FAULTS {
            self.more_faults += 1;
            return;
        }
        self.errors += usize::from(is_error);
        let depth = u32::try_from(self.depth).unwrap_or(u32::MAX);
        let number = ply.checked_sub(1).map(|before| self.first.after(before as usize));
        let game = self.game;
        self.faults.push(Fault { game, at, offset, bytes, ply, number, depth, kind });
    }

    fn tag_of_variant(&mut self, name: &str, spot: Spot) {
        match variant_named(name) {
            Some(variant) => {
                self.castling_mode = demanded_mode(variant);
                self.variant = variant;
                self.unchecked = None;
            }
            None => self.unchecked = Some((spot, SkipReason::UnknownVariant(quote(name)))),
        }
    }

    /// The position of the `FEN` tag, or the standard starting position.
    fn find_start(&mut self) -> AnyPosition {
        match self.fen_tag.clone() {
            // An unknown variant takes precedence over an invalid FEN.
            Some((spot, fen)) if self.unchecked.is_none() => {
                let short: String = fen.chars().take(100).collect();
                match parse_start(self.variant, self.castling_mode, &fen, false) {
                    Ok(start) => {
                        start.write_fen(&mut self.tags);
                        for repair in start.repairs {
                            let fen = short.clone();
                            self.fault_at(spot, 0, FaultKind::RepairedPosition { fen, repair });
                        }
                        return start.position;
                    }
                    Err(error) => {
                        let reason = SkipReason::Position { fen: short, error };
                        self.unchecked = Some((spot, reason));
                    }
                }
            }
            _ => {}
        }
        AnyPosition::start(self.variant)
    }
}

/// The result in the value of a tag.
fn token(text: &str) -> Option<GameResult> {
    GameResult::from_token(text.as_bytes())
}
