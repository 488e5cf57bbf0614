//! Statistics of a file of games.

use std::collections::BTreeMap;
use std::io::{self, Read};

use halfmove_rules::Variant;
use memchr::memchr_iter;

use super::check::Checker;
use super::nag::Nag;
use super::reader::Reader;
use super::source::Place;
use super::text::Text;
use super::visitor::{CommentStyle, Flow, Problem, Visitor};
use super::word::Word;
use crate::annotations::command::values_in;
use crate::date::Date;
use crate::result::GameResult;
use crate::variants::is_no_variant;

/// The maximum number of variants counted by name, since names come from the file.
const MAX_VARIANTS: usize = 100;

/// The statistics of one or more files of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// All games.
    pub games: u64,
    /// Games with at least one fault.
    pub faulty_games: u64,
    /// Games without a move in their main line.
    pub without_moves: u64,
    /// Games with a comment, glyph or variation.
    pub annotated_games: u64,
    /// Games with a custom start position.
    pub own_starts: u64,
    /// Legal half-moves of main lines.
    pub half_moves: u64,
    /// Variations, including nested ones.
    pub variations: u64,
    /// Words in variations that stand in place of a move.
    pub variation_moves: u64,
    /// The maximum nesting depth of variations.
    pub deepest: u64,
    /// Comments, including those between games.
    pub comments: u64,
    /// Bytes in comments.
    pub comment_bytes: u64,
    /// Comments with a clock time (`%clk`).
    pub clocks: u64,
    /// Comments with an evaluation (`%eval`).
    pub evaluations: u64,
    /// Glyphs: `$14`, `!?` and the like.
    pub nags: u64,
    /// Lines that begin with `%`.
    pub escapes: u64,
    /// Tag values and comments that are ASCII.
    pub ascii_texts: u64,
    /// Tag values and comments that are UTF-8, but not ASCII.
    pub utf8_texts: u64,
    /// Tag values and comments that are not UTF-8 and are read as Windows-1252.
    pub windows_1252_texts: u64,
    /// Faults by their [name](super::FaultKind::name).
    pub faults: BTreeMap<&'static str, u64>,
    /// Games by the token after their moves, in the order of [`GameResult::ALL`].
    pub results: [u64; 4],
    /// Games without such a token.
    pub without_result: u64,
    /// Games by variant; unknown variants have the name in the file. After a hundred names, all others are counted as
    /// `others`.
    pub variants: BTreeMap<String, u64>,
    /// The first and the last date in the tags `Date`, among those with a year.
    pub dates: Option<(Date, Date)>,
    /// The game with the most half-moves.
    pub longest: Option<Longest>,
}

/// The longest game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Longest {
    /// The index of the input, counted by [`Survey::begin_input`], from 0.
    pub input: usize,
    /// The game's number in its input, from 1.
    pub game: u64,
    /// The number of its half-moves.
    pub half_moves: u64,
    /// The player with the white pieces.
    pub white: String,
    /// The player with the black pieces.
    pub black: String,
}

impl Statistics {
    /// The number of all faults.
    pub fn all_faults(&self) -> u64 {
        self.faults.values().sum()
    }
}

/// A [`Visitor`] that counts everything in a file, and checks it like a [`Checker`].
///
/// ```
/// use halfmove_game::pgn::{Reader, Survey};
///
/// let text = "[White \"A\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5!?) 2. Nf3 1-0\n";
/// let mut reader = Reader::new(text.as_bytes());
/// let mut survey = Survey::new();
/// while survey.read_game(&mut reader)? {}
/// let found = survey.statistics();
/// assert_eq!((found.games, found.half_moves, found.clocks, found.nags), (1, 3, 1, 1));
/// assert_eq!((found.variations, found.deepest, found.results), (1, 1, [1, 0, 0, 0]));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Survey {
    checker: Checker,
    statistics: Statistics,
    input: usize,
    in_game: bool,
    is_annotated: bool,
}

impl Survey {
    /// An empty survey.
    pub fn new() -> Survey {
        Survey::default()
    }

    /// Begins the next input.
    pub fn begin_input(&mut self) {
        self.checker.begin_input();
        self.input += 1;
    }

    /// Reads to the end of the next game. Returns false if there are no more games.
    ///
    /// # Errors
    ///
    /// Only errors of the source.
    pub fn read_game<R: Read>(&mut self, reader: &mut Reader<R>) -> io::Result<bool> {
        self.survey_game(reader)
    }

    fn survey_game(&mut self, reader: &mut Reader<dyn Read + '_>) -> io::Result<bool> {
        self.checker.clear();
        let more = reader.visit_game(self)?;
        for fault in self.checker.faults() {
            *self.statistics.faults.entry(fault.kind.name()).or_default() += 1;
        }
        if self.checker.more_faults() > 0 {
            *self.statistics.faults.entry("more_faults").or_default() += self.checker.more_faults();
        }
        Ok(more)
    }

    /// The statistics so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The checker, with the faults of the last game.
    pub fn checker(&self) -> &Checker {
        &self.checker
    }

    fn text(&mut self, text: Text<'_>) {
        let texts = &mut self.statistics;
        *match text.as_bytes() {
            bytes if bytes.is_ascii() => &mut texts.ascii_texts,
            _ if text.is_utf8() => &mut texts.utf8_texts,
            _ => &mut texts.windows_1252_texts,
        } += 1;
    }
}

impl Visitor for Survey {
    fn begin_game(&mut self, place: Place<'_>) {
        self.in_game = true;
        self.is_annotated = false;
        self.checker.begin_game(place);
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>, place: Place<'_>) {
        self.text(value);
        self.checker.tag(name, value, place);
    }

    fn end_tags(&mut self) -> Flow {
        self.checker.end_tags()
    }

    #[inline]
    fn san(&mut self, san: Word<'_>, place: Place<'_>) {
        self.checker.san(san, place);
    }

    fn nag(&mut self, nag: Nag, place: Place<'_>) {
        self.statistics.nags += 1;
        self.is_annotated = true;
        self.checker.nag(nag, place);
    }

    fn comment(&mut self, text: Text<'_>, style: CommentStyle, place: Place<'_>) {
        self.text(text);
        let statistics = &mut self.statistics;
        let bytes = text.as_bytes();
        statistics.comments += 1;
        statistics.comment_bytes += bytes.len() as u64;
        let found = values_in(&text.to_str());
        statistics.clocks += u64::from(found.clock);
        statistics.evaluations += u64::from(found.evaluation);
        self.is_annotated |= self.in_game;
        self.checker.comment(text, style, place);
    }

    fn escape(&mut self, text: Text<'_>, place: Place<'_>) {
        self.statistics.escapes += 1;
        self.checker.escape(text, place);
    }

    fn begin_variation(&mut self, place: Place<'_>) -> Flow {
        self.statistics.variations += 1;
        self.is_annotated = true;
        self.checker.begin_variation(place)
    }

    fn end_variation(&mut self) {
        self.checker.end_variation();
    }

    fn result(&mut self, result: GameResult, place: Place<'_>) {
        self.checker.result(result, place);
    }

    fn variation_result(&mut self, result: GameResult, place: Place<'_>) {
        self.checker.variation_result(result, place);
    }

    fn end_game(&mut self) {
        self.checker.end_game();
        self.in_game = false;
        let (checker, statistics) = (&self.checker, &mut self.statistics);
        statistics.games += 1;
        statistics.faulty_games += u64::from(!checker.faults().is_empty());
        statistics.annotated_games += u64::from(self.is_annotated);
        statistics.own_starts += u64::from(checker.has_own_start());
        statistics.half_moves += checker.half_moves();
        statistics.without_moves += u64::from(checker.main_words() == 0);
        statistics.variation_moves += checker.words() - checker.main_words();
        statistics.deepest = statistics.deepest.max(checker.deepest());
        match checker.result_token() {
            Some(result) => statistics.results[result as usize] += 1,
            None => statistics.without_result += 1,
        }
        let tags = checker.tags();
        let variant = match checker.variant() {
            Some(variant) => variant.name().to_owned(),
            None => match tags.value("Variant").map(str::trim) {
                Some(name) if !is_no_variant(name) => name.chars().take(40).collect(),
                _ => Variant::Chess.name().to_owned(),
            },
        };
        let is_new = !statistics.variants.contains_key(&variant);
        let full = is_new && statistics.variants.len() >= MAX_VARIANTS;
        let variant = if full { "others".to_owned() } else { variant };
        *statistics.variants.entry(variant).or_default() += 1;
        if let Some(date) = Date::of_game(tags) {
            let (first, last) = statistics.dates.get_or_insert((date, date));
            (*first, *last) = (date.min(*first), date.max(*last));
        }
        let half_moves = checker.half_moves();
        if statistics.longest.as_ref().is_none_or(|longest| longest.half_moves < half_moves) {
            let player = |tag| tags.value(tag).unwrap_or("?").to_owned();
            statistics.longest = Some(Longest {
                input: self.input.saturating_sub(1),
                game: checker.game(),
                half_moves,
                white: player("White"),
                black: player("Black"),
            });
        }
    }

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        self.checker.problem(problem, place);
    }

    fn outside(&mut self, text: &[u8], place: Place<'_>) {
        self.checker.outside(text, place);
    }
}

/// Counts of the kinds of line ends in a file, with detection of a byte order mark. Feed it the bytes in pieces of any
/// size.
///
/// ```
/// use halfmove_game::pgn::LineEnds;
///
/// let mut ends = LineEnds::default();
/// for piece in [b"\xef\xbb\xbf1. e4\r".as_slice(), b"\n*\n"] {
///     ends.feed(piece);
/// }
/// ends.finish();
/// assert_eq!((ends.lf, ends.crlf, ends.cr, ends.byte_order_mark), (1, 1, 0, true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// Lines that end with a line feed, as on Unix.
    pub lf: u64,
    /// Lines that end with a carriage return and a line feed, as on Windows and as the standard's import format allows.
    pub crlf: u64,
    /// Lines that end with a carriage return, as on old Macs.
    pub cr: u64,
    /// True if the file begins with the byte order mark of UTF-8.
    pub byte_order_mark: bool,
    /// The number of bytes, decompressed.
    pub bytes: u64,
    /// True if the last byte was a carriage return.
    after_cr: bool,
    /// The number of bytes of a byte order mark seen so far.
    mark: usize,
}

impl LineEnds {
    /// Counts the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let start = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        if start < MARK.len() {
            let rest = bytes.iter().zip(&MARK[start..]).take_while(|(found, mark)| found == mark);
            self.mark += rest.count();
            self.byte_order_mark = self.mark == MARK.len();
        }
        self.bytes += bytes.len() as u64;
        let feeds = memchr_iter(b'\n', bytes).count() as u64;
        let mut pairs = 0;
        let Some(&last) = bytes.last() else { return };
        if self.after_cr {
            match bytes[0] {
                b'\n' => pairs += 1,
                _ => self.cr += 1,
            }
        }
        for at in memchr_iter(b'\r', &bytes[..bytes.len() - 1]) {
            match bytes[at + 1] {
                b'\n' => pairs += 1,
                _ => self.cr += 1,
            }
        }
        self.after_cr = last == b'\r';
        self.crlf += pairs;
        self.lf += feeds - pairs;
    }

    /// Finishes after the last byte.
    pub fn finish(&mut self) {
        self.cr += u64::from(std::mem::take(&mut self.after_cr));
    }
}
