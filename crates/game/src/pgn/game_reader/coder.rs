//! Reads main lines as bytes.

use halfmove_rules::{AnyPosition, SanError, Variant};

use super::super::counts::Counts;
use super::super::error::{PgnError, PgnErrorKind, Skip, explain};
use super::super::nag::Nag;
use super::super::source::{Lines, Place};
use super::super::tag_lines::TagLines;
use super::super::text::Text;
use super::super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::super::word::Word;
use super::player::is_null;
use super::start::Start;
use crate::codec::halfmove::chess::OTHER_MOVE;
use crate::codec::halfmove::start::write_chess;
use crate::coded::CodedGame;
use crate::numbered::{Coded, NumberedBoard};
use crate::result::GameResult;

/// Fills in a [`CodedGame`]. Comments, glyphs and variations are counted, not read.
pub(super) struct Coder<'a> {
    pub(super) game: &'a mut CodedGame,
    pub(super) board: &'a mut NumberedBoard,
    pub(super) counts: &'a mut Counts,
    pub(super) fault: Option<PgnError>,
    pub(super) skip: Option<Skip>,
    start: Start,
    most_bytes: usize,
    in_game: bool,
    /// The game is too long; the rest of it is dropped.
    is_full: bool,
    has_lost_moves: bool,
    /// Whether words are moves to play: there was neither a fault nor a reason to skip the game.
    plays: bool,
}

impl<'a> Coder<'a> {
    pub(super) fn new(
        game: &'a mut CodedGame,
        board: &'a mut NumberedBoard,
        counts: &'a mut Counts,
        most_bytes: usize,
    ) -> Coder<'a> {
        Coder {
            game,
            board,
            counts,
            fault: None,
            skip: None,
            start: Start::new(Variant::Chess, true),
            most_bytes,
            in_game: false,
            is_full: false,
            has_lost_moves: false,
            plays: false,
        }
    }
}

impl Visitor for Coder<'_> {
    const COMMENTS: bool = false;

    fn begin_game(&mut self, _: Place<'_>) {
        self.in_game = true;
        self.counts.games += 1;
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        if self.holds_tags(name.as_bytes().len() + value.as_bytes().len(), 1) {
            self.start.push(&mut self.game.tags, (name, value), place, self.counts);
        } else {
            self.too_long(place);
        }
    }

    fn tags(&mut self, tags: TagLines<'_>, place: Place<'_>) {
        if self.holds_tags(tags.as_bytes().len(), tags.len()) {
            self.start.push_lines(&mut self.game.tags, tags, place, self.counts);
        } else {
            self.too_long(place);
        }
    }

    fn end_tags(&mut self) -> Flow {
        match self.start.find(self.counts.games) {
            Ok(Some(AnyPosition::Chess(start))) => {
                self.board.clone_from(&NumberedBoard::new(&start));
                write_chess(&start, &mut self.game.bytes);
                self.game.start = start;
            }
            Err(skip) => self.skip = Some(skip),
            _ => self.board.clone_from(NumberedBoard::usual()),
        }
        self.plays = self.skip.is_none() && self.fault.is_none();
        Flow::Read
    }

    // Inlined, so that it is compiled for the CPU at hand together with its caller.
    #[inline(always)]
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        if self.plays
            && let Some(coded) = self.board.play_usual(san)
        {
            self.push(coded);
            if self.game.bytes.len() > self.most_bytes {
                self.too_long(place);
            }
        } else {
            // In parts, so that a usual move leaves them in registers.
            let Place { lines, buffer, at } = place;
            self.read_unusual(san.as_bytes(), san.packed(), lines, buffer, at);
        }
    }

    fn nag(&mut self, _: Nag, _: Place<'_>) {
        self.counts.nags += 1;
    }

    fn comment(&mut self, _: Text<'_>, _: CommentStyle, _: Place<'_>) {
        self.counts.comments += 1;
    }

    fn skipped_comments(&mut self, count: u64) {
        self.counts.comments += count;
    }

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        self.counts.variations += 1;
        Flow::Skip
    }

    fn result(&mut self, result: GameResult, _: Place<'_>) {
        self.game.result = Some(result);
    }

    fn end_game(&mut self) {
        let CodedGame { tags, plies, result, .. } = &*self.game;
        let has_moves = *plies > 0 || self.has_lost_moves;
        self.counts.add_game(*plies, self.skip.as_ref(), self.fault.is_some(), has_moves);
        self.counts.add_result(tags, *result);
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        if problem == Problem::UnclosedComment && !self.in_game {
            self.outside(b"{", place);
        } else if let Some(kind) = self.counts.add_problem(problem) {
            self.fault(kind, place);
        }
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.counts.add_outside(text, place);
    }
}

impl Coder<'_> {
    #[inline(always)]
    fn push(&mut self, coded: Coded) {
        self.game.bytes.push(coded.code);
        if coded.code == OTHER_MOVE {
            self.game.bytes.extend(coded.mv.to_bits().to_le_bytes());
        }
        self.game.plies += 1;
    }

    /// A move in an unusual form, or none.
    #[inline(never)]
    fn read_unusual(
        &mut self,
        text: &[u8],
        packed: u64,
        lines: &mut Lines,
        buffer: &[u8],
        at: usize,
    ) {
        if !self.plays {
            self.has_lost_moves = true;
            return self.counts.add_unplayed(self.skip.is_some(), is_null(text));
        }
        let place = Place { lines, buffer, at };
        if self.game.bytes.len() >= self.most_bytes {
            return self.too_long(place);
        }
        if let Some(coded) = self.board.play_unusual(Word::from_parts(text, packed)) {
            return self.push(coded);
        }
        // A word that is not UTF-8 may still be a move: e×d4.
        let text = Text::plain(text).to_str();
        match self.board.play_rare(text.as_bytes()) {
            Ok((coded, nag)) => {
                self.counts.nags += u64::from(nag.is_some());
                self.push(coded);
            }
            Err(failed) => {
                let (error, position) = *failed;
                self.has_lost_moves = true;
                self.counts.add_unplayed(false, error == SanError::Null);
                self.fault(explain(&text, error, &position), place);
            }
        }
    }

    /// Whether there is room for so many more tags with so much text.
    fn holds_tags(&self, text: usize, tags: usize) -> bool {
        !self.is_full && self.game.tags.bytes_with(text, tags) <= self.most_bytes
    }

    #[cold]
    fn too_long(&mut self, place: Place<'_>) {
        self.counts.long_games += u64::from(!self.is_full);
        self.is_full = true;
        self.fault(PgnErrorKind::TooLong { most_bytes: self.most_bytes }, place);
    }

    fn fault(&mut self, kind: PgnErrorKind, place: Place<'_>) {
        if self.fault.is_none() {
            let ply = u32::try_from(self.game.plies + 1).unwrap_or(u32::MAX);
            let at = place.line_column();
            self.fault = Some(PgnError { game: self.counts.games, at, ply, kind });
            self.plays = false;
        }
    }
}
