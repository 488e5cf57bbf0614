//! Counts without playing.

use std::io::{self, Read};

use super::counts::Counts;
use super::game_reader::is_null;
use super::nag::Nag;
use super::reader::Reader;
use super::source::Place;
use super::text::Text;
use super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::word::Word;
use crate::result::GameResult;

/// Counts what is in a PGN file without playing its moves: see [`count`].
///
/// It knows no chess. Each word of a main line counts as a half-move; no game is faulty or skipped.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    counts: Counts,
    depth: u64,
    in_game: bool,
    has_moves: bool,
    told: Option<GameResult>,
}

/// Counts what is in a PGN file, as fast as it can be read: games, half-moves, comments, clocks,
/// evaluations, glyphs, variations, and what violates the format. To know which moves are legal,
/// [read](super::GameReader) the games.
///
/// ```
/// let counts = halfmove_game::pgn::count("1. e4 {[%clk 0:01:00]} e5 $1 (1... c5) *".as_bytes())?;
/// assert_eq!((counts.games, counts.half_moves, counts.variation_moves), (1, 2, 1));
/// assert_eq!((counts.comments, counts.clocks, counts.nags), (1, 1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Only errors of the source.
pub fn count(source: impl Read) -> io::Result<Counts> {
    let (mut reader, mut counter) = (Reader::new(source), Counter::default());
    while reader.read_game(&mut counter)? {}
    Ok(counter.counts)
}

impl Counter {
    /// What has been found so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

impl Visitor for Counter {
    fn begin_game(&mut self, _: Place<'_>) {
        self.counts.games += 1;
        (self.in_game, self.has_moves, self.told) = (true, false, None);
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, _: Place<'_>) {
        self.counts.latin1_texts += u64::from(!value.is_utf8());
        if name.as_bytes() == b"Result" && self.told.is_none() {
            self.told = GameResult::from_token(value.as_bytes());
        }
    }

    fn san(&mut self, san: Word<'_>, _: Place<'_>) {
        if self.depth == 0 {
            self.has_moves = true;
            self.counts.half_moves += 1;
        } else {
            self.counts.variation_moves += 1;
        }
        self.counts.null_moves += u64::from(is_null(san.as_bytes()));
    }

    fn nag(&mut self, _: Nag, _: Place<'_>) {
        self.counts.nags += 1;
    }

    fn comment(&mut self, text: Text<'_>, _: CommentStyle, _: Place<'_>) {
        self.counts.add_comment(text);
    }

    fn begin_variation(&mut self, _: Place<'_>) -> Flow {
        self.depth += 1;
        self.counts.variations += 1;
        Flow::Read
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn result(&mut self, result: GameResult, _: Place<'_>) {
        self.counts.differing_results += u64::from(self.told.is_some_and(|told| told != result));
    }

    fn end_game(&mut self) {
        self.in_game = false;
        self.counts.without_moves += u64::from(!self.has_moves);
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        match problem {
            Problem::MalformedTag => self.counts.malformed_tags += 1,
            Problem::LongToken => self.counts.long_tokens += 1,
            Problem::UnclosedComment if !self.in_game => self.counts.add_outside(b"{", place),
            Problem::UnclosedComment | Problem::UnclosedVariation => {}
            Problem::StrayCharacter | Problem::StrayParenthesis => {
                self.counts.stray_characters += 1;
            }
        }
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.counts.add_outside(text, place);
    }
}
