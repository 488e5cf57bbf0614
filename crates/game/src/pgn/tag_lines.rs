//! A run of tags as one text.

use super::text::Text;

/// The ranges of a name and a value in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) name: usize,
    pub(crate) name_end: usize,
    pub(crate) value: usize,
    pub(crate) value_end: usize,
}

impl Cut {
    /// The same ranges in a text with `by` more bytes in front.
    #[inline]
    pub(crate) const fn shifted(self, by: usize) -> Cut {
        Cut {
            name: self.name + by,
            name_end: self.name_end + by,
            value: self.value + by,
            value_end: self.value_end + by,
        }
    }
}

/// A run of tags as in the file: one per line, without escapes.
///
/// [`Visitor::tags`](super::Visitor::tags) receives them at once, so that a consumer can validate
/// and copy the text of all tags in one operation.
#[derive(Debug, Clone, Copy)]
pub struct TagLines<'a> {
    pub(super) text: &'a [u8],
    pub(super) cuts: &'a [Cut],
}

impl<'a> TagLines<'a> {
    /// The names and values, and the offset of each tag from the first.
    pub fn iter(self) -> impl Iterator<Item = (Text<'a>, Text<'a>, usize)> {
        let TagLines { text, cuts } = self;
        cuts.iter().map(move |cut| {
            let name = Text::plain(&text[cut.name..cut.name_end]);
            let value = Text::plain(&text[cut.value..cut.value_end]);
            (name, value, cut.name - 1)
        })
    }

    /// The number of tags.
    pub fn len(self) -> usize {
        self.cuts.len()
    }

    /// Returns true if there are no tags. Visitors never receive an empty run.
    pub fn is_empty(self) -> bool {
        self.cuts.is_empty()
    }

    /// The lines, with brackets and line breaks.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.text
    }

    pub(crate) const fn cuts(self) -> &'a [Cut] {
        self.cuts
    }
}
