//! The entries of [`Annotations`](super::Annotations).

/// The first `at` of the movetext. Entries of the tag section have a smaller `at`: the number of tags before them.
/// Those of the movetext have this plus the number of half-moves of the main line before them.
pub(crate) const MOVES: u32 = 1 << 28;

/// The `at` of entries after the result.
pub(crate) const RESULT: u32 = u32::MAX;

/// The `at` of an entry in the tag section, after this number of tags.
pub(crate) fn after_tags(tags: usize) -> u32 {
    u32::try_from(tags).unwrap_or(u32::MAX).min(MOVES - 1)
}

/// The `at` of an entry in the movetext, after this number of half-moves of the main line.
pub(crate) fn after_moves(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX).saturating_add(MOVES).min(RESULT - 1)
}

/// The kind of an entry, which determines the meaning of `half` and `word`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// `(`. The word is the index of its [`Kind::End`]; while it is open, one more than the index
    /// of the variation around it, or 0.
    Begin,
    /// `)`. The word is the index of its [`Kind::Begin`].
    End,
    /// A legal move of a variation, in the half.
    Move,
    /// A null move of a variation: a text, empty for the standard `--`.
    Null,
    /// A word in place of a move: a text.
    Word,
    /// A line that begins with `%`: a text.
    Escape,
    /// A glyph: its sign in the half, its number in the word.
    Nag,
    /// The text of a comment or a part of it. This and the following kinds make up comments.
    Text,
    /// `%clk`: the decimals are the half, the milliseconds the word.
    Clock,
    /// `%emt`: as for [`Kind::Clock`].
    Elapsed,
    /// `%eval`: see [`Evaluation::to_parts`](crate::Evaluation).
    Evaluation,
    /// `%csl`: the list, a text.
    Squares,
    /// `%cal`: the list, a text.
    Arrows,
    /// The spelling of the value before it, a text.
    Spelling,
}

impl Kind {
    /// Returns true if the word of such an entry is a text.
    pub(crate) const fn has_text(self) -> bool {
        matches!(
            self,
            Kind::Null
                | Kind::Word
                | Kind::Escape
                | Kind::Text
                | Kind::Squares
                | Kind::Arrows
                | Kind::Spelling
        )
    }

    /// Returns true if the word of such an entry is the index of another.
    pub(crate) const fn has_index(self) -> bool {
        matches!(self, Kind::Begin | Kind::End)
    }
}

/// The first part of a comment.
pub(crate) const FIRST: u8 = 1;
/// The last part of a comment.
pub(crate) const LAST: u8 = 2;
/// The comment follows a semicolon.
pub(crate) const LINE: u8 = 4;
/// A space stands before this value.
pub(crate) const SPACE_BEFORE: u8 = 8;
/// A space stands after this value, which is the last part of its comment.
pub(crate) const SPACE_AFTER: u8 = 16;
/// The value has a nonstandard spelling; a [`Kind::Spelling`] follows.
pub(crate) const SPELLED: u8 = 32;

/// The time of this clock is unknown: its text may be minutes and seconds, or hours and minutes.
pub(crate) const UNKNOWN: u8 = 64;

/// An annotation, or a part of one, in sixteen bytes: a comment with one clock, or only text, is one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    /// The place of the entry: see [`MOVES`] and [`RESULT`]. Entries in a variation have the `at` of its beginning.
    pub(crate) at: u32,
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    pub(crate) half: u16,
    pub(crate) word: u64,
}

impl Entry {
    pub(crate) const fn new(at: u32, kind: Kind, half: u16, word: u64) -> Entry {
        Entry { at, kind, flags: 0, half, word }
    }

    pub(crate) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The text of an entry that has one.
    pub(crate) fn text<'a>(&self, all: &'a str) -> &'a str {
        let (from, length) = ((self.word >> 32) as usize, self.word as u32 as usize);
        all.get(from..from + length).unwrap_or_default()
    }

    /// The word of an entry with a text.
    pub(crate) const fn text_word(from: usize, length: usize) -> u64 {
        (from as u64) << 32 | length as u64
    }
}
