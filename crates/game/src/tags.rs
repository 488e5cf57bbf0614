//! The tags of a game, in the order of the file.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::pgn::TagLines;
use crate::pgn::tag_lines::Cut;

/// The tag pairs of a game: an ordered list of names and values as in the file, including repeated
/// names.
///
/// All text is stored in one string, so reading a game into an existing `Tags` rarely allocates.
///
/// ```
/// use halfmove_game::Tags;
///
/// let mut tags = Tags::new();
/// tags.push("White", "Morphy, Paul");
/// tags.push("Black", "Duke Karl / Count Isouard");
/// assert_eq!(tags.value("White"), Some("Morphy, Paul"));
/// assert_eq!(tags.value("Annotator"), None);
/// assert_eq!(tags.iter().next(), Some(("White", "Morphy, Paul")));
/// ```
#[derive(Clone, Default)]
pub struct Tags {
    /// The names and values, and any text between them in the file.
    text: String,
    cuts: Vec<Cut>,
}

impl Tags {
    /// No tags.
    pub const fn new() -> Tags {
        Tags { text: String::new(), cuts: Vec::new() }
    }

    /// Adds a tag at the end, even if the name exists already.
    pub fn push(&mut self, name: &str, value: &str) {
        let start = self.text.len();
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        let value_end = self.text.len();
        self.cuts.push(Cut { name: start, name_end, value: name_end, value_end });
    }

    /// The memory of these tags with `tags` more tags and `text` more bytes of text.
    pub(crate) fn bytes_with(&self, text: usize, tags: usize) -> usize {
        self.text.len() + text + (self.cuts.len() + tags) * size_of::<Cut>()
    }

    /// Adds tags from a file, validating and copying their text at once. Returns false if the text as a whole is
    /// not UTF-8; single tags may still be.
    pub(crate) fn push_lines(&mut self, tags: TagLines<'_>) -> bool {
        let start = self.text.len();
        match std::str::from_utf8(tags.as_bytes()) {
            Ok(text) => {
                self.text.push_str(text);
                self.cuts.extend(tags.cuts().iter().map(|cut| cut.shifted(start)));
                true
            }
            Err(_) => {
                for (name, value, _) in tags.iter() {
                    self.push(&name.to_str(), &value.to_str());
                }
                false
            }
        }
    }

    /// Replaces the value of the first tag with exactly this name, or adds the tag at the end.
    ///
    /// ```
    /// use halfmove_game::Tags;
    ///
    /// let mut tags: Tags = [("White", "?"), ("Black", "?")].into_iter().collect();
    /// tags.set("White", "Morphy, Paul");
    /// tags.set("Result", "1-0");
    /// let all: Vec<_> = tags.iter().collect();
    /// assert_eq!(all, [("White", "Morphy, Paul"), ("Black", "?"), ("Result", "1-0")]);
    /// ```
    pub fn set(&mut self, name: &str, value: &str) {
        match self.index(name) {
            Some(index) => self.set_nth(index, value),
            None => self.push(name, value),
        }
    }

    /// Replaces the value of a tag, by its index, from 0.
    pub(crate) fn set_nth(&mut self, index: usize, value: &str) {
        // Its text may be between others, so all text is copied.
        let old = std::mem::take(self);
        for (at, (name, old_value)) in old.iter().enumerate() {
            self.push(name, if at == index { value } else { old_value });
        }
    }

    /// Removes all tags with exactly this name. Returns true if there were any. Comments between the tags of a
    /// [`Game`](crate::Game) stay, each after the same number of tags as before.
    ///
    /// ```
    /// use halfmove_game::Tags;
    ///
    /// let mut tags: Tags = [("White", "Morphy"), ("Annotator", "?")].into_iter().collect();
    /// assert!(tags.contains("Annotator") && tags.remove("Annotator"));
    /// assert!(!tags.contains("Annotator") && !tags.remove("Annotator"));
    /// assert_eq!(tags.len(), 1);
    /// ```
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.cuts.len();
        let text = self.text.as_bytes();
        self.cuts.retain(|cut| text[cut.name..cut.name_end] != *name.as_bytes());
        self.cuts.len() < before
    }

    /// Returns true if there is a tag with exactly this name.
    pub fn contains(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// The value of the first tag with exactly this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        let cut = &self.cuts[self.index(name)?];
        Some(&self.text[cut.value..cut.value_end])
    }

    /// The index of the first tag with exactly this name.
    fn index(&self, name: &str) -> Option<usize> {
        // Compared as bytes, because slicing a string checks character boundaries.
        let (text, name) = (self.text.as_bytes(), name.as_bytes());
        self.cuts.iter().position(|cut| text[cut.name..cut.name_end] == *name)
    }

    /// The name and the value of a tag, by its index, from 0.
    ///
    /// ```
    /// use halfmove_game::Tags;
    ///
    /// let tags: Tags = [("White", "Morphy"), ("Black", "?")].into_iter().collect();
    /// assert_eq!(tags.nth(1), Some(("Black", "?")));
    /// assert_eq!(tags.nth(2), None);
    /// ```
    #[inline]
    pub fn nth(&self, index: usize) -> Option<(&str, &str)> {
        let cut = self.cuts.get(index)?;
        Some((&self.text[cut.name..cut.name_end], &self.text[cut.value..cut.value_end]))
    }

    /// All pairs of name and value, in the order of the file.
    #[inline]
    pub fn iter(&self) -> TagsIter<'_> {
        TagsIter { text: &self.text, cuts: self.cuts.iter() }
    }

    /// The number of tags.
    #[inline]
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Returns true if there are no tags.
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Removes all tags, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.cuts.clear();
    }
}

/// The pairs of name and value of [`Tags::iter`].
#[derive(Debug, Clone)]
pub struct TagsIter<'a> {
    text: &'a str,
    cuts: std::slice::Iter<'a, Cut>,
}

impl<'a> Iterator for TagsIter<'a> {
    type Item = (&'a str, &'a str);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let cut = self.cuts.next()?;
        Some((&self.text[cut.name..cut.name_end], &self.text[cut.value..cut.value_end]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.cuts.size_hint()
    }
}

impl ExactSizeIterator for TagsIter<'_> {}

impl<'a> IntoIterator for &'a Tags {
    type Item = (&'a str, &'a str);
    type IntoIter = TagsIter<'a>;

    fn into_iter(self) -> TagsIter<'a> {
        self.iter()
    }
}

impl PartialEq for Tags {
    fn eq(&self, other: &Tags) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Tags {}

impl Hash for Tags {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|tag| tag.hash(state));
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Tags {
        let mut tags = Tags::new();
        for (name, value) in pairs {
            tags.push(name.as_ref(), value.as_ref());
        }
        tags
    }
}
