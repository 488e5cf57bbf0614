//! The parts of players' names: surnames, given names, titles.
//!
//! ```text
//!  "GM Kasparov, Garry"    surname kasparov          given garry
//!  "Garry Kasparov"        either may be the surname
//!  "van Wely, L."          surname wely              given l
//! ```
//!
//! The letters of `Hou Yifan` do not show whether the surname is Hou or Yifan, so without a comma each word may be the
//! surname.

mod near;

use std::borrow::Cow;

use halfmove_functions::words::{GAP, write_words};

pub use self::near::NearName;
pub(crate) use self::near::names_near;

/// The maximum number of words of a name that are compared.
pub(crate) const MAX_WORDS: usize = 4;

/// Titles and other words that are not part of a name.
const TITLES: [&str; 14] =
    ["gm", "im", "fm", "cm", "nm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "prof", "the", "mr"];

/// Words that distinguish relatives of one name.
const MARKS: [&str; 4] = ["jr", "sr", "ii", "iii"];

/// Words that are part of many surnames, and a surname only if there is no other word.
const PARTICLES: [&str; 24] = [
    "van", "von", "der", "den", "de", "di", "da", "dos", "das", "del", "della", "du", "la", "le",
    "el", "al", "ter", "ten", "te", "bin", "ibn", "st", "zu", "af",
];

/// The words of a text.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut folded = String::with_capacity(text.len() + 2);
    write_words(text, &mut folded);
    folded.split(GAP).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words of a name, without titles and numbers: those that may be the surname, and those that are certainly given
/// names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) surnames: Vec<String>,
    pub(crate) given: Vec<String>,
    /// All words, in alphabetical order.
    pub(crate) sorted: Vec<String>,
    /// True if a comma separates the surname.
    pub(crate) has_comma: bool,
    /// The word that distinguishes relatives: `jr` of `Vidmar, Milan Jr`.
    pub(crate) mark: Option<String>,
}

impl Parts {
    pub(crate) fn of(name: &str) -> Self {
        let is_name = |word: &String| {
            let word = word.as_str();
            let is_left_out = TITLES.contains(&word) || MARKS.contains(&word);
            !is_left_out && !word.chars().all(|char| char.is_ascii_digit())
        };
        let named = |text: &str| {
            let mut all = words(text);
            if all.iter().any(is_name) {
                all.retain(is_name);
            }
            all
        };
        let name = &without_brackets(name);
        let (head, tail) = name.split_once(',').unwrap_or((name, ""));
        let (mut surnames, mut given) = (named(head), words(tail));
        given.retain(is_name);
        let has_comma = name.contains(',') && !surnames.is_empty();
        if !has_comma {
            surnames = named(name);
            given.clear();
        }
        let mut sorted: Vec<String> = surnames.iter().chain(&given).cloned().collect();
        sorted.sort_unstable();
        let is_long = |word: &String| word.chars().nth(1).is_some();
        let is_surname = |word: &String| is_long(word) && !PARTICLES.contains(&word.as_str());
        if surnames.iter().any(is_surname) {
            surnames.retain(is_surname);
        }
        surnames.truncate(MAX_WORDS);
        given.truncate(MAX_WORDS);
        let mark = words(name).into_iter().find(|word| MARKS.contains(&word.as_str()));
        Self { surnames, given, sorted, has_comma, mark }
    }
}

/// The words of a name in alphabetical order, without titles and brackets: the same for different spellings of one name.
/// Numbers and marks of relatives stay: Stockfish 8 is not Stockfish 16, and Vidmar Sr not Vidmar Jr.
pub(crate) fn sorted_words(name: &str) -> String {
    let mut all = words(&without_brackets(name));
    let is_title = |word: &String| TITLES.contains(&word.as_str());
    if !all.iter().all(is_title) {
        all.retain(|word| !is_title(word));
    }
    all.sort_unstable();
    all.join(" ")
}

/// The number of letters of a name, without titles and brackets: more letters are a fuller name.
pub(crate) fn letters(name: &str) -> usize {
    sorted_words(name).chars().filter(|char| char.is_alphabetic()).count()
}

/// A name without text in brackets, such as a country or a rating; the whole name if nothing else is left.
fn without_brackets(name: &str) -> Cow<'_, str> {
    if !name.contains('(') {
        return Cow::Borrowed(name);
    }
    let mut depth = 0_usize;
    let outside = name.chars().filter(|char| {
        let is_outside = depth == 0 && *char != '(';
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside
    });
    let outside: String = outside.collect();
    if words(&outside).is_empty() { Cow::Borrowed(name) } else { Cow::Owned(outside) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_the_same_words() {
        for (one, other, same) in [
            ("Kasparov, Garry", "GM Garry Kasparov (2851)", true),
            ("Stockfish 8", "Stockfish 16 (3500)", false),
            ("Stockfish 16", "16, Stockfish", true),
            ("Player 1", "Player 2", false),
            ("Vidmar, Milan Sr", "Vidmar, Milan Jr", false),
            ("Vidmar, Milan Sr", "Milan VIDMAR sr.", true),
            ("GM", "IM", false),
            ("?", "", true),
        ] {
            assert_eq!(sorted_words(one) == sorted_words(other), same, "{one} {other}");
        }
    }

    #[test]
    fn surnames_of_names() {
        for (name, surnames, given) in [
            ("Kasparov, Garry", "kasparov", "garry"),
            ("GM Kasparov, G. (2851)", "kasparov", "g"),
            ("Garry Kasparov", "garry kasparov", ""),
            ("Kasparov G", "kasparov", ""),
            ("van Wely, Loek", "wely", "loek"),
            ("de la Villa García, Jesús", "villa garcia", "jesus"),
            ("Le, Quang Liem", "le", "quang liem"),
            ("Vachier-Lagrave,M", "vachier lagrave", "m"),
            ("Wei Yi", "wei yi", ""),
            (", Magnus", "magnus", ""),
            ("X, Y", "x", "y"),
            ("Stockfish 16", "stockfish", ""),
            ("Vidmar, Milan Jr", "vidmar", "milan"),
            ("Sammy Davis Jr.", "sammy davis", ""),
            ("1924", "1924", ""),
            ("Timman Jan H (NED)", "timman jan", ""),
            ("(A) B (C", "b", ""),
            ("(NED)", "ned", ""),
            ("?", "", ""),
            ("a1 b2 c3 d4 e5 f6", "a1 b2 c3 d4", ""),
        ] {
            let parts = Parts::of(name);
            assert_eq!(
                (parts.surnames.join(" "), parts.given.join(" ")),
                (surnames.into(), given.into()),
                "{name}"
            );
        }
    }
}
