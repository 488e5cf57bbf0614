//! Names of openings as people type them.

use std::sync::LazyLock;

use halfmove_game::openings::{self, Opening};

use crate::filter::FilterError;
use crate::words::{Words, write_words};

/// How many names an error offers.
const OFFERED: usize = 3;

/// The openings whose names have some words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named(Vec<bool>);

impl Named {
    /// The openings that a text names.
    ///
    /// # Errors
    ///
    /// A text without words, and one that names none.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        let words = Words::of_text(text)
            .ok_or_else(|| FilterError::NoWord { field: "opening", text: text.to_owned() })?;
        let named: Vec<bool> = names().iter().map(|name| words.are_in(name)).collect();
        match named.contains(&true) {
            true => Ok(Self(named)),
            false => Err(FilterError::NoSuchOpening { text: text.to_owned(), near: near(&words) }),
        }
    }

    pub(crate) fn has(&self, opening: Option<&Opening>) -> bool {
        opening.is_some_and(|opening| self.0[opening.index()])
    }
}

/// The names of all openings, as words.
fn names() -> &'static [String] {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let words = |opening: &Opening| {
            let mut words = String::new();
            write_words(opening.name(), &mut words);
            words
        };
        openings::all().iter().map(words).collect()
    });
    &NAMES
}

/// The names that come near some words, the nearest first, of those the ones with the fewest parts. Variations of one that is offered
/// are left out.
fn near(words: &Words) -> Vec<String> {
    let openings = openings::all().iter().zip(names());
    let mut near: Vec<_> =
        openings.filter_map(|(opening, name)| Some((words.distance(name)?, opening))).collect();
    near.sort_by_key(|(distance, opening)| (*distance, opening.parts().count(), opening.name()));
    let mut offered: Vec<String> = Vec::new();
    for (_, opening) in near {
        if offered.len() < OFFERED && !offered.iter().any(|name| opening.is_below(name)) {
            offered.push(opening.name().to_owned());
        }
    }
    offered
}
