//! Counts of the games and tokens that were read and skipped.

use std::collections::BTreeMap;

use super::error::{PgnErrorKind, Skip, SkipReason, quote_line};
use super::source::{LineColumn, Place};
use super::text::Text;
use super::visitor::Problem;
use crate::annotations::command::values_in;
use crate::result::GameResult;
use crate::tags::Tags;

/// The counts of a [`GameReader`](super::GameReader).
///
/// Skipped text is not counted: with [`Keep::MainLine`](super::Keep::MainLine), comments, clocks, evaluations, glyphs
/// and variations are zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All games, including faulty and skipped ones.
    pub games: u64,
    /// Half-moves of main lines that were returned.
    pub half_moves: u64,
    /// Moves of main lines that were not returned as moves: those of faulty games from the first fault on. With
    /// [`Keep::Everything`](super::Keep), the game has them as words.
    pub lost_half_moves: u64,
    /// Moves of the main lines of skipped games.
    pub skipped_half_moves: u64,
    /// Games cut off at a fault.
    pub faulty: u64,
    /// Skipped games by the value of their `Variant` tag. After a hundred values, all others are counted under `…`.
    pub skipped_variants: BTreeMap<String, u64>,
    /// Games skipped because of their `FEN` tag.
    pub skipped_positions: u64,
    /// Games whose `FEN` tag was read with [repairs](super::GameReader::repairs).
    pub repaired_positions: u64,
    /// Games without moves, except skipped games.
    pub without_moves: u64,
    /// Games whose `Result` tag contradicts the movetext.
    pub differing_results: u64,
    /// Comments, including those in variations and between games.
    pub comments: u64,
    /// Comments with a clock time (`%clk`).
    pub clocks: u64,
    /// Comments with an evaluation (`%eval`).
    pub evaluations: u64,
    /// Ignored counts of Makruk, in comments (`%count`) or the tag `Counting`, that are invalid or contradict the
    /// rules or the moves.
    pub unusable_counts: u64,
    /// Glyphs: `$n`, `!?` and the like.
    pub nags: u64,
    /// Variations, including nested ones.
    pub variations: u64,
    /// Words in variations that stand in place of a move.
    pub variation_moves: u64,
    /// Moves in variations that could not be played, the first of each variation. Only
    /// [`Keep::Everything`](super::Keep) plays variations.
    pub variation_faults: u64,
    /// Null moves, in variations or in main lines.
    pub null_moves: u64,
    /// Tag values and comments that are not UTF-8 and were read as Windows-1252.
    pub latin1_texts: u64,
    /// Tags without a name, quotes or bracket.
    pub malformed_tags: u64,
    /// Characters in movetext that have no meaning there.
    pub stray_characters: u64,
    /// Comments, tags and words that were too long and were split.
    pub long_tokens: u64,
    /// Games cut off because their tags, or their moves and annotations, exceed the memory limit.
    pub long_games: u64,
    /// Text outside any game.
    pub outside: Outside,
}

/// The maximum number of distinct values of the tag `Variant` that are counted.
const MAX_VARIANTS: usize = 100;

/// Text between games that is neither tag nor movetext.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    /// The number of lines; an unclosed comment counts as one.
    pub lines: u64,
    /// The place of the first line, and its beginning.
    pub first: Option<(LineColumn, String)>,
}

impl Counts {
    /// All skipped games.
    pub fn skipped(&self) -> u64 {
        self.skipped_positions + self.skipped_variants.values().sum::<u64>()
    }

    /// The reason why a file has no games; `None` if it has some.
    ///
    /// ```
    /// use halfmove_game::pgn::GameReader;
    ///
    /// let mut reader = GameReader::new("hello".as_bytes());
    /// while reader.read(&mut Default::default())?.is_some() {}
    /// let why = "no games, this does not look like PGN (line 1, column 1: \"hello\")";
    /// assert_eq!(reader.counts().why_no_games().as_deref(), Some(why));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn why_no_games(&self) -> Option<String> {
        if self.games > 0 {
            return None;
        }
        Some(match &self.outside.first {
            Some((at, text)) => {
                format!("no games, this does not look like PGN ({at}: \"{text}\")")
            }
            None if self.comments > 0 => "no games, only comments".to_owned(),
            None => "no games, the file is empty".to_owned(),
        })
    }

    fn add_variant(&mut self, name: &str, games: u64) {
        let variants = &mut self.skipped_variants;
        let is_kept = variants.len() < MAX_VARIANTS || variants.contains_key(name);
        *variants.entry(if is_kept { name } else { "…" }.to_owned()).or_default() += games;
    }

    fn add_skip(&mut self, skip: &Skip) {
        match &skip.reason {
            SkipReason::Variant(name) | SkipReason::UnknownVariant(name) => {
                self.add_variant(name, 1);
            }
            SkipReason::Position { .. } | SkipReason::TooManyPieces { .. } => {
                self.skipped_positions += 1;
            }
        }
    }

    /// Counts a game by its outcome.
    pub(super) fn add_game(
        &mut self,
        half_moves: usize,
        skip: Option<&Skip>,
        is_faulty: bool,
        has_moves: bool,
    ) {
        self.half_moves += half_moves as u64;
        match skip {
            Some(skip) => self.add_skip(skip),
            None => {
                self.faulty += u64::from(is_faulty);
                self.without_moves += u64::from(!has_moves);
            }
        }
    }

    /// Counts a move of a main line that is not returned.
    pub(super) fn add_unplayed(&mut self, is_skipped: bool, is_null: bool) {
        let lost =
            if is_skipped { &mut self.skipped_half_moves } else { &mut self.lost_half_moves };
        *lost += 1;
        self.null_moves += u64::from(is_null);
    }

    /// Counts a problem. Returns the game's fault if the problem is one.
    pub(super) fn add_problem(&mut self, problem: Problem) -> Option<PgnErrorKind> {
        let count = match problem {
            Problem::MalformedTag => &mut self.malformed_tags,
            Problem::LongToken => &mut self.long_tokens,
            Problem::StrayCharacter | Problem::StrayParenthesis => &mut self.stray_characters,
            Problem::UnclosedComment => return Some(PgnErrorKind::UnclosedComment),
            Problem::UnclosedVariation => return Some(PgnErrorKind::UnclosedVariation),
        };
        *count += 1;
        None
    }

    /// Counts a result that contradicts the `Result` tag.
    pub(super) fn add_result(&mut self, tags: &Tags, result: Option<GameResult>) {
        let tag_result = tags.value("Result");
        let tag_result = tag_result.and_then(|value| GameResult::from_token(value.as_bytes()));
        if let (Some(tag_result), Some(result)) = (tag_result, result) {
            self.differing_results += u64::from(tag_result != result);
        }
    }

    /// Counts a comment, its clock and its evaluation.
    pub(super) fn add_comment(&mut self, text: Text<'_>) {
        self.comments += 1;
        let bytes = text.as_bytes();
        let found = values_in(&text.to_str());
        self.clocks += u64::from(found.clock);
        self.evaluations += u64::from(found.evaluation);
        self.latin1_texts += u64::from(!bytes.is_ascii() && !text.is_utf8());
    }

    pub(super) fn add_outside(&mut self, text: &[u8], place: Place<'_>) {
        self.outside.lines += 1;
        if self.outside.first.is_none() {
            self.outside.first = Some((place.line_column(), quote_line(text)));
        }
    }

    /// Adds the counts of another input. The first text outside games is kept, if there is one.
    pub fn add(&mut self, other: &Counts) {
        let Counts {
            games,
            half_moves,
            lost_half_moves,
            skipped_half_moves,
            faulty,
            skipped_variants,
            skipped_positions,
            repaired_positions,
            without_moves,
            differing_results,
            comments,
            clocks,
            evaluations,
            unusable_counts,
            nags,
            variations,
            variation_moves,
            variation_faults,
            null_moves,
            latin1_texts,
            malformed_tags,
            stray_characters,
            long_tokens,
            long_games,
            outside,
        } = other;
        for (sum, count) in [
            (&mut self.games, games),
            (&mut self.half_moves, half_moves),
            (&mut self.lost_half_moves, lost_half_moves),
            (&mut self.skipped_half_moves, skipped_half_moves),
            (&mut self.faulty, faulty),
            (&mut self.skipped_positions, skipped_positions),
            (&mut self.repaired_positions, repaired_positions),
            (&mut self.without_moves, without_moves),
            (&mut self.differing_results, differing_results),
            (&mut self.comments, comments),
            (&mut self.clocks, clocks),
            (&mut self.evaluations, evaluations),
            (&mut self.unusable_counts, unusable_counts),
            (&mut self.nags, nags),
            (&mut self.variations, variations),
            (&mut self.variation_moves, variation_moves),
            (&mut self.variation_faults, variation_faults),
            (&mut self.null_moves, null_moves),
            (&mut self.latin1_texts, latin1_texts),
            (&mut self.malformed_tags, malformed_tags),
            (&mut self.stray_characters, stray_characters),
            (&mut self.long_tokens, long_tokens),
            (&mut self.long_games, long_games),
            (&mut self.outside.lines, &outside.lines),
        ] {
            *sum += count;
        }
        for (name, count) in skipped_variants {
            self.add_variant(name, *count);
        }
        if self.outside.first.is_none() {
            self.outside.first.clone_from(&outside.first);
        }
    }
}
