//! Builds a game from the tokens of the tokenizer.

use halfmove_rules::{Move, Repair, SanError};

use super::super::class::without_blanks;
use super::super::counts::Counts;
use super::super::error::{PgnError, PgnErrorKind, Skip};
use super::super::makruk;
use super::super::nag::{Glued, Nag, cut_marks, glued};
use super::super::source::{LineColumn, Lines, Place};
use super::super::tag_lines::TagLines;
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::super::word::Word;
use super::player::{Player, Step, is_null};
use super::start::Start;
use crate::annotations::command;
use crate::annotations::entry::{Entry, Kind, RESULT, after_moves, after_tags};
use crate::annotations::normal::normal;
use crate::codec::halfmove::chess::{NULL_MOVE, OTHER_MOVE};
use crate::game::Game;
use crate::move_number::MoveNumber;
use crate::result::GameResult;

/// The maximum number of faults in the variations of one game that are described.
const MAX_VARIATION_FAULTS: usize = 64;

/// A visitor that builds a game: all of it if `WHOLE`, otherwise its main line; and its codes if `CODED`.
pub(super) struct Builder<'a, const WHOLE: bool, const CODED: bool> {
    pub(super) game: &'a mut Game,
    pub(super) player: &'a mut Player,
    pub(super) counts: &'a mut Counts,
    pub(super) variation_faults: &'a mut Vec<PgnError>,
    pub(super) repairs: &'a mut Vec<Repair>,
    /// The codes of the main line, if `CODED`.
    pub(super) codes: &'a mut Codes,
    pub(super) state: ReadState,
    pub(super) max_bytes: usize,
}

/// The codes of a main line, as in [`halfmove`](crate::codec::halfmove).
#[derive(Debug, Default)]
pub(super) struct Codes {
    pub(super) bytes: Vec<u8>,
    /// True if a code is missing; the moves then have to be encoded separately.
    pub(super) are_lost: bool,
}

impl Codes {
    #[inline(always)]
    fn push(&mut self, mv: Move, code: Option<u8>) {
        let Some(code) = code else { return self.are_lost = true };
        self.bytes.push(code);
        if code == OTHER_MOVE {
            self.bytes.extend(mv.to_bits().to_le_bytes());
        }
    }
}

/// The state of the game being read.
pub(super) struct ReadState {
    start: Start,
    /// Comments between the tags and the first move that may contain counts.
    early_comments: Vec<u8>,
    pub(super) fault: Option<PgnError>,
    pub(super) skip: Option<Skip>,
    stage: Stage,
    /// The cached result of [`Builder::is_usual`], which each move needs.
    is_usual: bool,
    has_lost_moves: bool,
    /// True if the game is too long; the rest of it is dropped.
    is_full: bool,
    depth: u64,
    /// The depth of the outermost variation that is not kept; 0 if there is none.
    dropped: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Before,
    Tags,
    Moves,
    After,
}

impl ReadState {
    pub(super) fn new(start: Start) -> ReadState {
        ReadState {
            start,
            early_comments: Vec::new(),
            fault: None,
            skip: None,
            stage: Stage::Before,
            is_usual: false,
            has_lost_moves: false,
            is_full: false,
            depth: 0,
            dropped: 0,
        }
    }
}

impl<const WHOLE: bool, const CODED: bool> Visitor for Builder<'_, WHOLE, CODED> {
    const COMMENTS: bool = WHOLE;

    fn begin_game(&mut self, _: Place<'_>) {
        self.state.stage = Stage::Tags;
        self.counts.games += 1;
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        self.state.early_comments.clear();
        if self.holds_tags(name.as_bytes().len() + value.as_bytes().len(), 1) {
            self.state.start.push(&mut self.game.tags, (name, value), place, self.counts);
        } else {
            self.too_long(place.line_column());
        }
    }

    fn tags(&mut self, tags: TagLines<'_>, place: Place<'_>) {
        self.state.early_comments.clear();
        if self.holds_tags(tags.as_bytes().len(), tags.len()) {
            self.state.start.push_lines(&mut self.game.tags, tags, place, self.counts);
        } else {
            self.too_long(place.line_column());
        }
    }

    fn end_tags(&mut self) -> Flow {
        self.state.stage = Stage::Moves;
        if WHOLE {
            self.game.annotations.end_tags(self.game.tags.len());
        }
        match self.state.start.find(self.counts.games) {
            Ok(Some(start)) => {
                start.write_fen(&mut self.game.tags);
                self.counts.repaired_positions += u64::from(!start.repairs.is_empty());
                self.repairs.extend(start.repairs);
                self.game.start = start.position;
            }
            Ok(None) => {}
            Err(skip) => self.state.skip = Some(skip),
        }
        self.player.start(&self.game.start);
        self.state.is_usual = self.is_usual();
        if !self.state.early_comments.is_empty() {
            let comments = std::mem::take(&mut self.state.early_comments);
            self.take_counts(&comments);
        }
        Flow::Read
    }

    // Inlined, so that it is compiled for the CPU level of its caller.
    #[inline(always)]
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        if self.state.is_usual
            && let Some(coded) = self.player.play_usual(san)
        {
            self.push_code(coded.mv, Some(coded.code));
            self.push_move(coded.mv, || place.line_column());
        } else {
            // Passed separately, so that the common path keeps them in registers.
            let Place { lines, buffer, at } = place;
            self.unusual_word(san.as_bytes(), san.packed(), lines, buffer, at);
        }
    }

    fn nag(&mut self, nag: Nag, place: Place<'_>) {
        self.push_nag(nag, || place.line_column());
    }

    fn comment(&mut self, text: Text<'_>, style: CommentStyle, place: Place<'_>) {
        if !WHOLE {
            return;
        }
        let bytes = text.as_bytes();
        let keeps = self.keeps(bytes.len(), || place.line_column());
        if keeps {
            let at = self.at();
            if let Some(found) = command::push_values(&mut self.game.annotations, at, style, bytes)
            {
                self.counts.comments += 1;
                self.counts.clocks += u64::from(found.clock);
                self.counts.evaluations += u64::from(found.evaluation);
                return;
            }
        }
        self.counts.add_comment(text);
        let may_count = self.state.stage == Stage::Tags || self.player.makruk().is_some();
        if may_count && self.state.depth == 0 {
            self.take_counts(normal(&text.to_str()).as_bytes());
        }
        if keeps {
            let at = self.at();
            self.game.annotations.push_comment(at, style, &normal(&text.to_str()));
        }
    }

    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        if self.keeps(text.as_bytes().len(), || place.line_column()) {
            let at = self.at();
            self.game.annotations.push_text(at, Kind::Escape, &text.to_str());
        }
    }

    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        self.state.depth += 1;
        self.state.is_usual = false;
        if !WHOLE {
            return Flow::Skip;
        }
        self.counts.variations += 1;
        if self.state.dropped == 0 {
            if self.keeps(0, || place.line_column()) {
                let at = self.at();
                self.game.annotations.begin_variation(at);
                self.player.begin(&self.game.moves);
            } else {
                self.state.dropped = self.state.depth;
            }
        }
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.state.depth -= 1;
        self.state.is_usual = self.is_usual();
        if !WHOLE {
            return;
        }
        if self.state.dropped == 0 {
            self.player.end();
            self.game.annotations.end_variation();
        } else if self.state.dropped > self.state.depth {
            self.state.dropped = 0;
        }
    }

    fn result(&mut self, result: GameResult, _: Place<'_>) {
        self.game.result = Some(result);
        self.state.stage = Stage::After;
    }

    fn variation_result(&mut self, result: GameResult, place: Place<'_>) {
        if WHOLE {
            self.player.push_unplayed();
            self.keep_word(result.as_str().as_bytes(), || place.line_column());
        }
    }

    fn end_game(&mut self) {
        let Game { tags, moves, result, .. } = &*self.game;
        let ReadState { skip, fault, has_lost_moves, .. } = &self.state;
        let has_moves = !moves.is_empty() || *has_lost_moves;
        self.counts.add_game(moves.len(), skip.as_ref(), fault.is_some(), has_moves);
        self.counts.add_result(tags, *result);
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        if problem == Problem::UnclosedComment && self.state.stage == Stage::Before {
            self.outside(b"{", place);
        } else if let Some(kind) = self.counts.add_problem(problem) {
            self.fault(kind, || place.line_column());
        }
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.counts.add_outside(text, place);
    }
}

impl<const WHOLE: bool, const CODED: bool> Builder<'_, WHOLE, CODED> {
    /// Returns true if the fast path for common moves can be used: the main line of a chess game.
    fn is_usual(&self) -> bool {
        let ReadState { fault, skip, depth, .. } = &self.state;
        *depth == 0 && fault.is_none() && skip.is_none() && self.player.is_chess()
    }

    /// Handles any other word.
    #[inline(never)]
    fn unusual_word(
        &mut self,
        text: &[u8],
        packed: u64,
        lines: &mut Lines,
        buffer: &[u8],
        at: usize,
    ) {
        let (word, place) = (Word::from_parts(text, packed), Place { lines, buffer, at });
        if self.state.depth > 0 {
            return self.variation_word(word, place);
        }
        if self.state.fault.is_some() || self.state.skip.is_some() {
            return self.lost_word(text, place);
        }
        match self.player.step(word) {
            Step::Move(mv, None) => {
                self.push_code(mv, self.player.code);
                self.push_move(mv, || place.line_column());
            }
            Step::Move(mv, Some(marks)) => {
                let Place { lines, buffer, at } = place;
                let here = Place { lines: &mut *lines, buffer, at }.line_column();
                self.push_code(mv, None);
                self.push_move(mv, || here);
                self.push_glued(&marks, Place { lines, buffer, at });
            }
            Step::Remark => {}
            Step::Faulty(error) => self.push_unplayed(text, error, place),
            Step::Null => {
                self.counts.null_moves += 1;
                self.push_code(Move::NULL, self.player.is_chess().then_some(NULL_MOVE));
                self.push_move(Move::NULL, || place.line_column());
            }
            // Without a fault, the main line can continue.
            Step::Lost => self.lost_word(text, place),
        }
    }

    /// Records the marks that were attached to a move.
    #[cold]
    fn push_glued(&mut self, marks: &Glued, place: Place<'_>) {
        match marks {
            Glued::Nag(nag) => self.push_nag(*nag, || place.line_column()),
            Glued::Text(text) => {
                self.comment(Text::plain(text.as_bytes()), CommentStyle::Braces, place);
            }
        }
    }

    fn push_nag(&mut self, nag: Nag, at: impl FnOnce() -> LineColumn) {
        if !WHOLE {
            return;
        }
        self.counts.nags += 1;
        if self.keeps(0, at) {
            let at = self.at();
            self.game.annotations.push_nag(at, nag);
        }
    }

    /// The code of a move of the main line.
    #[inline(always)]
    fn push_code(&mut self, mv: Move, code: Option<u8>) {
        if CODED {
            self.codes.push(mv, code);
        }
    }

    #[inline(always)]
    fn push_move(&mut self, mv: Move, at: impl FnOnce() -> LineColumn) {
        self.game.moves.push(mv);
        if 2 * self.game.moves.len() > self.max_bytes {
            self.too_long(at());
        }
    }

    /// Returns true if there is room for this number of additional tags with `text` bytes.
    fn holds_tags(&self, text: usize, tags: usize) -> bool {
        !self.state.is_full && self.game.tags.bytes_with(text, tags) <= self.max_bytes
    }

    /// The current position, for an annotation.
    #[inline]
    fn at(&self) -> u32 {
        match self.state.stage {
            Stage::Moves => after_moves(self.game.moves.len()),
            Stage::Before | Stage::Tags => after_tags(self.game.tags.len()),
            Stage::After => RESULT,
        }
    }

    /// Returns true if an annotation with `text` bytes of text is kept.
    #[inline]
    fn keeps(&mut self, text: usize, at: impl FnOnce() -> LineColumn) -> bool {
        if !WHOLE || self.state.dropped > 0 || self.state.is_full {
            return false;
        }
        let lines = 2 * self.game.moves.len() + self.player.bytes();
        let bytes = self.game.annotations.bytes() + lines;
        if bytes + text + size_of::<Entry>() <= self.max_bytes {
            return true;
        }
        self.too_long(at());
        false
    }

    #[cold]
    fn too_long(&mut self, at: LineColumn) {
        self.counts.long_games += u64::from(!self.state.is_full);
        self.state.is_full = true;
        self.fault(PgnErrorKind::TooLong { max_bytes: self.max_bytes }, || at);
    }

    /// Records a word of the main line that cannot be played.
    #[cold]
    fn push_unplayed(&mut self, word: &[u8], error: SanError, place: Place<'_>) {
        let (kind, at) = (self.player.explain(word, error), place.line_column());
        self.fault(kind, || at);
        self.lose(error == SanError::Null);
        self.keep_word(word, || at);
    }

    #[cold]
    fn lost_word(&mut self, word: &[u8], place: Place<'_>) {
        self.lose(is_null(word));
        self.player.push_unplayed();
        self.keep_word(word, || place.line_column());
    }

    /// Counts a word of the main line that is not played.
    fn lose(&mut self, is_null: bool) {
        self.state.has_lost_moves = true;
        self.counts.add_unplayed(self.state.skip.is_some(), is_null);
    }

    fn keep_word(&mut self, word: &[u8], at: impl FnOnce() -> LineColumn) {
        if self.keeps(word.len(), at) {
            let at = self.at();
            let word = Text::plain(word).to_str();
            self.game.annotations.push_text(at, Kind::Word, &without_blanks(&word));
        }
    }

    fn variation_word(&mut self, word: Word<'_>, place: Place<'_>) {
        let text = word.as_bytes();
        self.counts.variation_moves += 1;
        self.counts.null_moves += u64::from(is_null(text));
        if self.state.is_full {
            // The word is not played, but a glyph attached to it is counted like any other.
            if let Some(marks) = glued(cut_marks(&Text::plain(text).to_str()).1) {
                self.push_glued(&marks, place);
            }
            return;
        }
        if self.state.skip.is_some() {
            return self.keep_word(text, || place.line_column());
        }
        let at = self.at();
        match self.player.step(word) {
            Step::Move(mv, None) => {
                if self.keeps(0, || place.line_column()) {
                    self.game.annotations.push_move(at, mv);
                }
            }
            Step::Move(mv, Some(marks)) => {
                let Place { lines, buffer, at: offset } = place;
                let here = Place { lines: &mut *lines, buffer, at: offset }.line_column();
                if self.keeps(0, || here) {
                    self.game.annotations.push_move(at, mv);
                    self.push_glued(&marks, Place { lines, buffer, at: offset });
                }
            }
            Step::Remark => self.counts.variation_moves -= 1,
            Step::Null => {
                if self.keeps(text.len(), || place.line_column()) {
                    self.game.annotations.push_null(at, &Text::plain(text).to_str());
                }
            }
            Step::Faulty(error) => self.variation_fault(text, error, place),
            Step::Lost => self.keep_word(text, || place.line_column()),
        }
    }

    /// Records a word of a variation that cannot be played.
    #[cold]
    fn variation_fault(&mut self, word: &[u8], error: SanError, place: Place<'_>) {
        self.counts.variation_faults += 1;
        let at = place.line_column();
        if self.variation_faults.len() < MAX_VARIATION_FAULTS {
            let kind = self.player.explain(word, error);
            let plies = self.player.variation_plies();
            let error = self.error(at, plies, kind);
            self.variation_faults.push(error);
        }
        self.keep_word(word, || at);
    }

    /// Reads the counts in a comment. Comments before the first move must wait for the start
    /// position.
    #[cold]
    fn take_counts(&mut self, comment: &[u8]) {
        match self.state.stage {
            Stage::Tags => {
                let early = &mut self.state.early_comments;
                if makruk::names_count(comment) && early.len() + comment.len() <= self.max_bytes {
                    early.extend_from_slice(comment);
                }
            }
            Stage::Moves if self.state.skip.is_none() && !self.is_cut_short() => {
                let ply = self.game.moves.len();
                if let Some(position) = self.player.makruk() {
                    let calls = &mut self.game.count_calls;
                    let usable = makruk::take_counts(comment, position, ply, calls);
                    self.counts.unusable_counts += u64::from(!usable);
                }
            }
            _ => {}
        }
    }

    /// Returns true if moves of the game are not played because of a fault. An unclosed comment is no such fault: it
    /// contains the rest of the game, and no moves follow.
    fn is_cut_short(&self) -> bool {
        let fault = self.state.fault.as_ref();
        fault.is_some_and(|fault| fault.kind != PgnErrorKind::UnclosedComment)
    }

    /// Creates the error for a fault after some half-moves.
    fn error(&self, at: LineColumn, plies: usize, kind: PgnErrorKind) -> PgnError {
        let ply = u32::try_from(plies + 1).unwrap_or(u32::MAX);
        let number = MoveNumber::of(&self.game.start).after(plies);
        PgnError { game: self.counts.games, at, ply, number, kind }
    }

    fn fault(&mut self, kind: PgnErrorKind, at: impl FnOnce() -> LineColumn) {
        if self.state.fault.is_none() {
            self.state.fault = Some(self.error(at(), self.game.moves.len(), kind));
            self.state.is_usual = false;
        }
    }
}
