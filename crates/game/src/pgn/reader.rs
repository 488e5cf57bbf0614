//! The tokenizer: turns bytes into calls of a [`Visitor`].

mod comment;
mod movetext;
mod names;
mod tag_lines;
mod token;
mod window;

use std::io::{self, Read};

use halfmove_rules::bitboard::cpu::{self, Cpu, Task};

use self::comment::{comment, line_comment};
use self::names::{Names, hash};
use self::tag_lines::{usual_tag, usual_tags};
use super::class::{is_blank, is_line_end, is_part_of_blank, wide_blank_at};
use super::scan;
use super::source::{Place, Source};
use super::tag_lines::{Cut, TagLines};
use super::text::Text;
use super::visitor::{CommentStyle, Flow, Problem, Visitor};

/// The maximum length of comments, tags and words. Longer ones are split, so that hostile input cannot exhaust memory.
const LONGEST_TOKEN: usize = 16 * 1024 * 1024;

/// A streaming tokenizer of PGN. It handles the format but not the rules of chess.
///
/// It never stops at a fault: [`Reader::read_game`] reads any input to its end, in linear time, without recursion, and
/// with memory bounded by the longest token. Where the standard leaves it open, it behaves as follows:
///
/// * A game ends with its result, before a line that begins with a tag (outside a comment), or at
///   the end of the input. Blank lines inside the movetext have no meaning.
/// * A tag after a blank line belongs to the same game if there were no moves yet, unless it is `Event` or repeats a
///   name; in that case the previous game has no movetext. Without the blank line, a repeated `Event` begins a new
///   game only if the tag after it repeats a name too.
/// * A tag whose value cannot be read is reported, and has no effect.
/// * An unclosed comment ends before a line that begins with `[Event "`, or before any tag that
///   follows a blank line. An unclosed variation ends with its game.
/// * Between games, a line that looks like neither a tag nor movetext is passed to
///   [`Visitor::outside`]. A result on its own is such a line.
/// * `%` in the first column hides the rest of the line.
/// * No-break and typographic spaces, characters without width and byte order marks between tokens are white space; A0 alone
///   is the no-break space of Windows-1252.
///
/// ```
/// use halfmove_game::pgn::{Place, Reader, Visitor, Word};
///
/// #[derive(Default)]
/// struct Moves(Vec<String>);
///
/// impl Visitor for Moves {
///     fn san(&mut self, san: Word<'_>, _: Place<'_>) {
///         self.0.push(san.to_string());
///     }
/// }
///
/// let mut moves = Moves::default();
/// let mut reader = Reader::new("1.e4 e5! {the old way} 2. Nf3 *".as_bytes());
/// while reader.read_game(&mut moves)? {}
/// assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<R: ?Sized> {
    state: State,
    /// The number of open variations.
    depth: u64,
    /// The depth of the variation being skipped, 0 for a whole game.
    skipped: Option<u64>,
    /// The number of line ends since the result or the comment after it.
    line_ends: u32,
    /// True if a comment that was too long continues at the current position.
    in_comment: bool,
    /// True if the rest of the line is outside any game.
    in_outside: bool,
    names: Names,
    /// Tags to report in one piece.
    cuts: Vec<Cut>,
    source: Source<R>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    Tags,
    Moves,
    /// After the result.
    After,
}

/// Reads a game, compiled for a CPU level.
struct ReadGame<'a, V> {
    reader: &'a mut Reader<dyn Read + 'a>,
    visitor: &'a mut V,
}

impl<V: Visitor> Task for ReadGame<'_, V> {
    type Output = io::Result<bool>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> io::Result<bool> {
        self.reader.read_game_on(cpu, self.visitor)
    }
}

/// A visitor for skipped text. For a skipped variation it reports only an unclosed comment, which is a fault of the
/// game; for a skipped game, nothing.
struct Skipped<'a, V> {
    visitor: &'a mut V,
    in_variation: bool,
}

impl<V: Visitor> Visitor for Skipped<'_, V> {
    const COMMENTS: bool = false;

    fn problem(&mut self, problem: Problem, place: Place<'_>) {
        if self.in_variation && problem == Problem::UnclosedComment {
            self.visitor.problem(problem, place);
        }
    }
}

/// The result of scanning the buffer.
enum Scan {
    /// The token at the current position needs more bytes.
    More,
    /// Continue in this state.
    Next(State),
    EndOfGame,
    EndOfInput,
}

impl<R: Read> Reader<R> {
    /// Creates a reader of PGN from any source of bytes. It has its own buffer; a `BufReader` is not needed.
    pub fn new(source: R) -> Reader<R> {
        Reader::with_longest_token(source, LONGEST_TOKEN)
    }

    /// Like [`Reader::new`], but splits comments, tags and words longer than `bytes` (the default
    /// is 16 MiB).
    pub fn with_longest_token(source: R, bytes: usize) -> Reader<R> {
        Reader::on(Source::new(Vec::new(), source, bytes))
    }

    /// Reads `text`, and then `source`.
    pub(super) fn with_text(text: Vec<u8>, source: R) -> Reader<R> {
        Reader::on(Source::new(text, source, LONGEST_TOKEN))
    }

    fn on(source: Source<R>) -> Reader<R> {
        Reader {
            state: State::Between,
            depth: 0,
            skipped: None,
            line_ends: 0,
            in_comment: false,
            in_outside: false,
            names: Names::default(),
            cuts: Vec::new(),
            source,
        }
    }

    /// The offset in the input of the first byte that does not belong to the games read so far.
    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// The number of line ends in the text read, and the memory of the buffer.
    pub(super) fn into_lines(self) -> (u64, Vec<u8>) {
        self.source.into_lines()
    }

    /// Reads to the end of the next game. Returns false if there are no more games.
    ///
    /// # Errors
    ///
    /// Only errors of the source. After an error, the current game is incomplete.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        let reader: &mut Reader<dyn Read + '_> = self;
        reader.visit_game(visitor)
    }
}

/// Reading is compiled for a visitor, not for each source of bytes as well: a source is asked only for whole buffers.
impl Reader<dyn Read + '_> {
    pub(super) fn visit_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<bool> {
        cpu::run(ReadGame { reader: self, visitor })
    }

    #[inline(always)]
    fn read_game_on<C: Cpu, V: Visitor>(&mut self, cpu: C, visitor: &mut V) -> io::Result<bool> {
        loop {
            let scan = match self.state {
                _ if self.in_comment => self.resume_comment(visitor),
                State::Between => self.scan_between(visitor),
                State::Tags => self.scan_tags(cpu, visitor),
                State::Moves => self.scan_moves(cpu, visitor),
                State::After => self.scan_after(visitor),
            };
            match scan {
                Scan::More => self.source.more()?,
                Scan::Next(state) => self.state = state,
                Scan::EndOfInput => return Ok(false),
                Scan::EndOfGame => {
                    self.close_variations(visitor);
                    visitor.end_game();
                    self.skipped = None;
                    self.line_ends = 0;
                    self.state = State::Between;
                    return Ok(true);
                }
            }
        }
    }

    /// A comment that was too long continues at the start of the buffer.
    fn resume_comment<V: Visitor>(&mut self, visitor: &mut V) -> Scan {
        let pos = self.source.pos;
        let cut = self.source.is_cut(pos);
        let at_eof = self.source.at_eof;
        let (buffer, lines) = self.source.split();
        let inside = &mut self.in_comment;
        let after = match self.state {
            State::Between | State::Tags => {
                comment::<V, true>(buffer, lines, inside, pos, cut, at_eof, visitor)
            }
            State::Moves | State::After if let Some(depth) = self.skipped => {
                let mut skipped = Skipped { visitor, in_variation: depth > 0 };
                comment::<_, false>(buffer, lines, inside, pos, cut, at_eof, &mut skipped)
            }
            State::Moves | State::After => {
                comment::<V, false>(buffer, lines, inside, pos, cut, at_eof, visitor)
            }
        };
        let Some(after) = after else { return Scan::More };
        self.source.pos = after.end;
        match self.state {
            State::Tags if after.unclosed => {
                let _ = visitor.end_tags();
                Scan::EndOfGame
            }
            State::Moves | State::After if after.unclosed => Scan::EndOfGame,
            state => Scan::Next(state),
        }
    }

    fn close_variations<V: Visitor>(&mut self, visitor: &mut V) {
        if self.skipped == Some(0) {
            self.depth = 0;
        }
        if self.depth > 0 {
            let at = self.source.pos;
            let (buffer, lines) = self.source.split();
            visitor.problem(Problem::UnclosedVariation, Place { lines, buffer, at });
            let depth = std::mem::take(&mut self.depth);
            for _ in 0..self.skipped.map_or(depth, |skipped| skipped.min(depth)) {
                visitor.end_variation();
            }
        }
    }

    fn scan_between<V: Visitor>(&mut self, visitor: &mut V) -> Scan {
        let mut pos = self.source.pos;
        let scan = loop {
            let cut = self.source.is_cut(pos);
            let at_eof = self.source.at_eof;
            let (buffer, lines) = self.source.split();
            if self.in_outside {
                match scan::line_end(buffer, pos, false) {
                    Some(end) => {
                        pos = end;
                        self.in_outside = false;
                    }
                    None => {
                        pos = buffer.len();
                        break if at_eof { Scan::EndOfInput } else { Scan::More };
                    }
                }
            }
            if buffer.get(pos) == Some(&b'{') {
                match comment::<V, true>(
                    buffer,
                    lines,
                    &mut self.in_comment,
                    pos,
                    cut,
                    at_eof,
                    visitor,
                ) {
                    Some(after) => pos = after.end,
                    None => break Scan::More,
                }
                if self.in_comment {
                    break Scan::More;
                }
                continue;
            }
            let Some(&byte) = buffer.get(pos) else {
                break if at_eof { Scan::EndOfInput } else { Scan::More };
            };
            if is_blank(byte) {
                pos += 1;
                continue;
            }
            if !cut && buffer.len() - pos < scan::LOOK_AHEAD {
                break Scan::More;
            }
            let blank = wide_blank_at(buffer, pos);
            if blank > 0 {
                pos += blank;
                continue;
            }
            if byte == b';' || is_escape(buffer, pos) {
                let Some(end) = scan::line_end(buffer, pos, cut) else { break Scan::More };
                let text = Text::plain(&buffer[pos + 1..end]);
                let place = Place { lines, buffer, at: pos };
                if byte == b';' {
                    visitor.comment(text, CommentStyle::Line, place);
                } else {
                    visitor.escape(text, place);
                }
                pos = end;
                continue;
            }
            let is_tag =
                byte == b'[' && scan::tag_opening(buffer, pos, true, cut).flatten().is_some();
            let window = &buffer[pos..buffer.len().min(pos + scan::LOOK_AHEAD)];
            let end = window.iter().position(|&byte| is_line_end(byte));
            let line = &window[..end.unwrap_or(window.len())];
            if is_tag || (byte != b'[' && scan::begins_movetext(line)) {
                visitor.begin_game(Place { lines, buffer, at: pos });
                self.names.clear();
                if is_tag {
                    break Scan::Next(State::Tags);
                }
                self.skipped = skipped(visitor.end_tags());
                break Scan::Next(State::Moves);
            }
            visitor.outside(line, Place { lines, buffer, at: pos });
            pos += line.len();
            self.in_outside = end.is_none();
        };
        self.source.pos = pos;
        scan
    }

    /// Scans after the result: comments that come before a blank line belong to the game.
    fn scan_after<V: Visitor>(&mut self, visitor: &mut V) -> Scan {
        let mut pos = self.source.pos;
        let scan = loop {
            let cut = self.source.is_cut(pos);
            let at_eof = self.source.at_eof;
            let (buffer, lines) = self.source.split();
            match buffer.get(pos) {
                None if at_eof => break Scan::EndOfGame,
                None => break Scan::More,
                // The next byte decides if this is half of a CR LF.
                Some(b'\r') if pos + 1 == buffer.len() && !at_eof => break Scan::More,
                Some(&byte) if is_blank(byte) => {
                    pos += 1;
                    let is_half = byte == b'\r' && buffer.get(pos) == Some(&b'\n');
                    self.line_ends += u32::from(is_line_end(byte) && !is_half);
                    if self.line_ends == 2 {
                        break Scan::EndOfGame;
                    }
                }
                Some(0x80..) if !cut && is_part_of_blank(&buffer[pos..]) => break Scan::More,
                Some(0x80..) if wide_blank_at(buffer, pos) > 0 => {
                    pos += wide_blank_at(buffer, pos);
                }
                Some(b';') => {
                    let Some(end) = scan::line_end(buffer, pos, cut) else { break Scan::More };
                    if self.skipped.is_none() {
                        line_comment(buffer, lines, pos..end, visitor);
                    }
                    self.line_ends = 0;
                    pos = end;
                }
                Some(b'{') => {
                    let inside = &mut self.in_comment;
                    let after = if self.skipped.is_some() {
                        let mut skipped = Skipped { visitor: &mut *visitor, in_variation: false };
                        comment::<_, false>(buffer, lines, inside, pos, cut, at_eof, &mut skipped)
                    } else {
                        comment::<V, false>(buffer, lines, inside, pos, cut, at_eof, visitor)
                    };
                    let Some(after) = after else { break Scan::More };
                    pos = after.end;
                    self.line_ends = 0;
                    if after.unclosed {
                        break Scan::EndOfGame;
                    }
                    if self.in_comment {
                        break Scan::More;
                    }
                }
                Some(_) => break Scan::EndOfGame,
            }
        };
        self.source.pos = pos;
        scan
    }

    #[inline(always)]
    fn scan_tags<C: Cpu, V: Visitor>(&mut self, cpu: C, visitor: &mut V) -> Scan {
        let mut pos = self.source.pos;
        let scan = loop {
            let cut = self.source.is_cut(pos);
            let before = self.source.before;
            let at_eof = self.source.at_eof;
            let (buffer, lines) = self.source.split();
            if buffer.get(pos) == Some(&b'{') {
                match comment::<V, true>(
                    buffer,
                    lines,
                    &mut self.in_comment,
                    pos,
                    cut,
                    at_eof,
                    visitor,
                ) {
                    Some(after) if after.unclosed => {
                        pos = after.end;
                        let _ = visitor.end_tags();
                        break Scan::EndOfGame;
                    }
                    Some(after) => pos = after.end,
                    None => break Scan::More,
                }
                if self.in_comment {
                    break Scan::More;
                }
                continue;
            }
            let Some(&byte) = buffer.get(pos) else {
                if at_eof {
                    let _ = visitor.end_tags();
                    break Scan::EndOfGame;
                }
                break Scan::More;
            };
            if is_blank(byte) {
                pos += 1;
                continue;
            }
            if byte == b';' || is_escape(buffer, pos) {
                let Some(end) = scan::line_end(buffer, pos, cut) else { break Scan::More };
                let text = Text::plain(&buffer[pos + 1..end]);
                let place = Place { lines, buffer, at: pos };
                if byte == b';' {
                    visitor.comment(text, CommentStyle::Line, place);
                } else {
                    visitor.escape(text, place);
                }
                pos = end;
                continue;
            }
            if byte >= 0x80 {
                if !cut && is_part_of_blank(&buffer[pos..]) {
                    break Scan::More;
                }
                let blank = wide_blank_at(buffer, pos);
                if blank > 0 {
                    pos += blank;
                    continue;
                }
            }
            let bracket = byte == b'[';
            if !bracket {
                // A line such as `White "Morphy"]` lacks its bracket; movetext has no quotes.
                match scan::tag_opening(buffer, pos, false, cut) {
                    None => break Scan::More,
                    Some(Some(_)) => {}
                    Some(None) => {
                        self.skipped = skipped(visitor.end_tags());
                        break Scan::Next(State::Moves);
                    }
                }
            }
            let usual = usual_tag(cpu, buffer, pos);
            let tag = match usual {
                Some((cut, next)) => scan::Tag::usual(cut.shifted(pos), next),
                None => match scan::tag(buffer, pos, bracket, cut) {
                    Some(tag) => tag,
                    None => break Scan::More,
                },
            };
            let name = &buffer[tag.name];
            let event = name == b"Event";
            let apart = scan::follows_blank_line(buffer, pos, before);
            let repeats = |name: &[u8]| self.names.holds(name);
            let is_new = match (event, apart) {
                _ if tag.value.is_none() => false,
                (true, true) => !self.names.is_empty(),
                (false, true) => repeats(name),
                (true, false) if repeats(name) => match scan::next_name(buffer, tag.end, cut) {
                    Some(next) => next.is_some_and(|next| {
                        let next = &buffer[next];
                        next != name && repeats(next)
                    }),
                    None => break Scan::More,
                },
                _ => false,
            };
            if is_new {
                let _ = visitor.end_tags();
                break Scan::EndOfGame;
            }
            if let Some(first) = usual {
                let end = usual_tags(cpu, buffer, pos, first, &mut self.cuts, &mut self.names);
                let tags = TagLines { text: &buffer[pos..end], cuts: &self.cuts };
                visitor.tags(tags, Place { lines, buffer, at: pos });
                pos = end;
                continue;
            }
            if tag.malformed {
                let place = Place { lines, buffer, at: pos };
                visitor.problem(Problem::MalformedTag, place);
            }
            if let Some(value) = tag.value {
                self.names.push(hash(name));
                let place = Place { lines, buffer, at: pos };
                visitor.tag(Text::plain(name), Text::escaped(&buffer[value]), place);
            }
            pos = tag.end;
        };
        self.source.pos = pos;
        scan
    }
}

/// Returns true if a `%` is in the first column, or after a byte order mark.
fn is_escape(buffer: &[u8], at: usize) -> bool {
    let begins = |before: &[u8]| before.last().is_none_or(|&byte| is_line_end(byte));
    let before = &buffer[..at];
    buffer[at] == b'%' && (begins(before) || before.strip_suffix(MARK).is_some_and(begins))
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The depth at which movetext is skipped, given the visitor's decision for the whole game.
fn skipped(flow: Flow) -> Option<u64> {
    (flow == Flow::Skip).then_some(0)
}
