//! Everything in the text of a game except its tags, main line and result.

pub(crate) mod clocks;
pub(crate) mod command;
mod comment;
pub(crate) mod edit;
pub(crate) mod entry;
pub(crate) mod normal;

use std::fmt;
use std::hash::{Hash, Hasher};

use halfmove_rules::Move;

pub use self::comment::{Comment, Part, SpelledPart};
use self::entry::{Entry, Kind, MOVES};
use crate::event::Event;
use crate::pgn::{CommentStyle, Nag};

/// The comments, glyphs and variations of a game, its `%` lines, and the words that could not be played.
///
/// They are one flat list in the order of the text. A comment with a clock is one entry of 16 bytes; texts are stored
/// in one string. So nesting needs no recursion, and a game with only a main line has an empty list.
///
/// Read them with [`Game::node`](crate::Game::node) or [`Game::events`](crate::Game::events), change them with
/// [`Game::edit`](crate::Game::edit), and build them with [`GameBuilder`](crate::GameBuilder).
///
/// ```
/// use halfmove_game::pgn::read_game;
///
/// let game = read_game("1. e4 $1 {best by test} (1. d4 {solid}) e5 *").unwrap();
/// let annotations = &game.annotations;
/// assert_eq!((annotations.comments().count(), annotations.variations()), (2, 1));
/// assert!(read_game("1. e4 e5 *").unwrap().annotations.is_empty());
/// ```
#[derive(Clone, Default)]
pub struct Annotations {
    pub(crate) entries: Vec<Entry>,
    pub(crate) text: String,
    /// One more than the index of the innermost open variation; 0 if none is open.
    open: u64,
    /// Incremented whenever entries are replaced or removed. An index from an earlier revision is stale.
    pub(crate) revision: u32,
    /// True if a clock may have been added whose meaning depends on the whole game: see [`clocks`].
    has_spelled_clocks: bool,
}

impl Annotations {
    /// No annotations.
    pub const fn new() -> Annotations {
        Annotations {
            entries: Vec::new(),
            text: String::new(),
            open: 0,
            revision: 0,
            has_spelled_clocks: false,
        }
    }

    /// Returns true if the game has only tags, a main line and a result.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes everything, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        self.open = 0;
        self.has_spelled_clocks = false;
        self.revision = self.revision.wrapping_add(1);
    }

    /// Removes all comments, including those in variations, with their clocks and evaluations.
    ///
    /// ```
    /// use halfmove_game::pgn::{read_game, write_game};
    ///
    /// let text = "1. e4 $1 {best by test} (1. d4 {solid} d5) e5 {!} 1-0 {the end}";
    /// let mut game = read_game(text)?;
    /// game.annotations.remove_comments();
    /// assert_eq!(write_game(&game)?, "1. e4 $1 (1. d4 d5) 1... e5 1-0\n\n");
    /// game.annotations.remove_variations();
    /// assert_eq!(write_game(&game)?, "1. e4 $1 e5 1-0\n\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_comments(&mut self) {
        self.keep(|event| !matches!(event, Event::Comment(_)));
    }

    /// Removes all glyphs, including those in variations.
    pub fn remove_nags(&mut self) {
        self.keep(|event| !matches!(event, Event::Nag(_)));
    }

    /// Removes all variations with their contents.
    pub fn remove_variations(&mut self) {
        self.keep(|event| !matches!(event, Event::BeginVariation));
    }

    /// Keeps the events for which `test` returns true. A variation that fails is removed as a whole.
    fn keep(&mut self, test: impl Fn(&Event<'_>) -> bool) {
        let mut kept = Annotations { revision: self.revision.wrapping_add(1), ..Self::default() };
        let mut index = 0;
        while let Some((event, next)) = self.event(index) {
            if !test(&event) {
                index = self.skip(index);
                continue;
            }
            let at = self.entries[index].at;
            match event {
                Event::Move(mv) => kept.push_move(at, mv),
                Event::NullMove(text) => kept.push_null(at, text),
                Event::Word(text) => kept.push_text(at, Kind::Word, text),
                Event::Escape(text) => kept.push_text(at, Kind::Escape, text),
                Event::Nag(nag) => kept.push_nag(at, nag),
                Event::Comment(comment) => {
                    let first = kept.entries.len();
                    kept.push_comment(at, comment.style(), &comment.to_string());
                    // The meaning of clocks has been settled for the whole game.
                    let old =
                        self.entries[index..next].iter().map(|entry| (entry.flags, entry.word));
                    for (entry, (flags, word)) in kept.entries[first..].iter_mut().zip(old) {
                        if entry.kind == Kind::Clock {
                            (entry.flags, entry.word) = (flags, word);
                        }
                    }
                }
                Event::BeginVariation => kept.begin_variation(at),
                Event::EndVariation => kept.end_variation(),
                // These are stored in other fields of the game.
                Event::Tag(..) | Event::EndTags | Event::CountCall(_) | Event::Result(_) => {}
            }
            index = next;
        }
        *self = kept;
    }

    /// All comments in the order of the text, including those in variations.
    pub fn comments(&self) -> impl Iterator<Item = Comment<'_>> {
        let firsts = self.entries.iter().enumerate().filter(|(_, entry)| entry.has(entry::FIRST));
        firsts.map(|(index, _)| Comment::at(self, index).0)
    }

    /// The number of variations, including nested ones.
    pub fn variations(&self) -> usize {
        self.entries.iter().filter(|entry| entry.kind == Kind::Begin).count()
    }

    /// The number of bytes that the annotations occupy, not counting spare capacity.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice()) + self.text.len()
    }

    /// Returns true if `more` bytes of text can still be addressed.
    pub(crate) fn fits(&self, more: usize) -> bool {
        self.text.len().saturating_add(more) < u32::MAX as usize
            && self.entries.len() < u32::MAX as usize / 2
    }

    pub(crate) fn push_text(&mut self, at: u32, kind: Kind, text: &str) {
        let word = Entry::text_word(self.text.len(), text.len());
        self.text.push_str(text);
        self.entries.push(Entry::new(at, kind, 0, word));
    }

    pub(crate) fn push_nag(&mut self, at: u32, nag: Nag) {
        let (sign, number) = nag.to_parts();
        self.entries.push(Entry::new(at, Kind::Nag, sign.into(), number.into()));
    }

    pub(crate) fn push_move(&mut self, at: u32, mv: Move) {
        self.entries.push(Entry::new(at, Kind::Move, mv.to_bits(), 0));
    }

    pub(crate) fn push_null(&mut self, at: u32, text: &str) {
        self.push_text(at, Kind::Null, if text == USUAL_NULL { "" } else { text });
    }

    /// Adds a comment. The text must already be [normal](normal::normal).
    pub(crate) fn push_comment(&mut self, at: u32, style: CommentStyle, text: &str) {
        command::push_comment(self, at, style, text);
    }

    pub(crate) fn begin_variation(&mut self, at: u32) {
        self.entries.push(Entry::new(at, Kind::Begin, 0, self.open));
        self.open = self.entries.len() as u64;
    }

    /// Closes the innermost variation, if one is open.
    pub(crate) fn end_variation(&mut self) {
        let Some(begin) = (self.open as usize).checked_sub(1) else { return };
        let end = self.entries.len() as u64;
        let Some(entry) = self.entries.get_mut(begin) else { return };
        self.open = std::mem::replace(&mut entry.word, end);
        let at = entry.at;
        self.entries.push(Entry::new(at, Kind::End, 0, begin as u64));
    }

    /// Ends the tags: entries after the last tag move to the place before the first move.
    pub(crate) fn end_tags(&mut self, tags: usize) {
        let place = entry::after_tags(tags);
        for entry in self.entries.iter_mut().rev().take_while(|entry| entry.at == place) {
            entry.at = MOVES;
        }
    }

    /// The index of the first entry that is not before `at`.
    pub(crate) fn find(&self, at: u32) -> usize {
        self.entries.partition_point(|entry| entry.at < at)
    }

    /// The event that begins at `index`, and the index after it; the content of a variation is not skipped.
    pub(crate) fn event(&self, index: usize) -> Option<(Event<'_>, usize)> {
        let entry = self.entries.get(index)?;
        let text = |entry: &Entry| entry.text(&self.text);
        Some(match entry.kind {
            Kind::Begin => (Event::BeginVariation, index + 1),
            Kind::End => (Event::EndVariation, index + 1),
            Kind::Move => (move_of(entry).map_or(Event::Word(""), Event::Move), index + 1),
            Kind::Null => (Event::NullMove(null_text(entry, &self.text)), index + 1),
            Kind::Word => (Event::Word(text(entry)), index + 1),
            Kind::Escape => (Event::Escape(text(entry)), index + 1),
            Kind::Nag => (Event::Nag(nag_of(entry)), index + 1),
            _ => {
                let (comment, end) = Comment::at(self, index);
                (Event::Comment(comment), end)
            }
        })
    }

    /// The index after the event at `index`; variations are skipped as a whole.
    pub(crate) fn skip(&self, index: usize) -> usize {
        match self.entries.get(index) {
            Some(entry) if entry.kind == Kind::Begin => (entry.word as usize).max(index) + 1,
            Some(entry) if entry.has(entry::FIRST) => Comment::at(self, index).1,
            _ => index + 1,
        }
    }
}

/// The spelling of a null move in most files.
pub(crate) const USUAL_NULL: &str = "--";

pub(crate) fn move_of(entry: &Entry) -> Option<Move> {
    Move::from_bits(entry.half)
}

pub(crate) fn nag_of(entry: &Entry) -> Nag {
    Nag::from_parts(entry.half as u8, entry.word as u32)
}

pub(crate) fn null_text<'a>(entry: &Entry, all: &'a str) -> &'a str {
    match entry.text(all) {
        "" => USUAL_NULL,
        text => text,
    }
}

impl PartialEq for Annotations {
    fn eq(&self, other: &Annotations) -> bool {
        (&self.entries, &self.text) == (&other.entries, &other.text)
    }
}

impl Eq for Annotations {}

impl Hash for Annotations {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.entries, &self.text).hash(state);
    }
}

impl fmt::Debug for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        let mut index = 0;
        while let Some((event, next)) = self.event(index) {
            list.entry(&event);
            index = next;
        }
        list.finish()
    }
}
