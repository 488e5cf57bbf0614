//! The tags of a game, in the order of the file.

use std::fmt;

/// The tag pairs of a game: an ordered list of names and values as in the file, including repeated
/// names.
///
/// All texts are stored in one string, so reading a game into an existing `Tags` rarely allocates.
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
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Tags {
    /// name, value, name, value … without separators
    text: String,
    ends: Vec<Ends>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Ends {
    name: usize,
    value: usize,
}

impl Tags {
    /// No tags.
    pub const fn new() -> Tags {
        Tags { text: String::new(), ends: Vec::new() }
    }

    /// Adds a tag at the end, even if the name exists already.
    pub fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(value);
        self.ends.push(Ends { name: name_end, value: self.text.len() });
    }

    /// The value of the first tag with exactly this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.iter().find(|(candidate, _)| *candidate == name).map(|(_, value)| value)
    }

    /// All pairs of name and value, in the order of the file.
    pub fn iter(&self) -> TagsIter<'_> {
        TagsIter { text: &self.text, start: 0, ends: self.ends.iter() }
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all tags, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

/// The pairs of name and value of [`Tags::iter`].
#[derive(Debug, Clone)]
pub struct TagsIter<'a> {
    text: &'a str,
    start: usize,
    ends: std::slice::Iter<'a, Ends>,
}

impl<'a> Iterator for TagsIter<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let ends = self.ends.next()?;
        let pair = (&self.text[self.start..ends.name], &self.text[ends.name..ends.value]);
        self.start = ends.value;
        Some(pair)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ends.size_hint()
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
