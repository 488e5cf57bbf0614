//! Conditions on names: words, or the whole name.

use halfmove_functions::words::{Words, write_words};

use crate::columns::FoldedTexts;

/// The text of a filter for a name.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// The name has these words.
    Words(Words),
    /// The name is this one, in the form of [`write_words`].
    Exactly(String),
}

impl Named {
    /// The name of a player; `None` if the text has no word.
    pub(super) fn of_player(text: &str, is_exact: bool) -> Option<Self> {
        let words = Words::of_name(text)?;
        if !is_exact {
            return Some(Self::Words(words));
        }
        let mut name = String::new();
        write_words(text, &mut name);
        Some(Self::Exactly(name))
    }

    /// Returns, for each text, true if it is such a name.
    pub(super) fn are(&self, texts: &FoldedTexts) -> Vec<bool> {
        match self {
            Self::Words(words) => texts.holding(words),
            Self::Exactly(name) => texts.equal(name),
        }
    }

    /// Returns true if a name, in the form of [`write_words`], is such a name.
    pub(super) fn is(&self, name: &str) -> bool {
        match self {
            Self::Words(words) => words.are_in(name),
            Self::Exactly(whole) => whole == name,
        }
    }
}
