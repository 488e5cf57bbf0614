//! Texts as words, so that names are found in any spelling.
//!
//! ```text
//!  "Capablanca, José Raúl"   " capablanca jose raul "     a name, with a gap around each word
//!  "raul capa* j"            capa…, raul, j…              a typed text: words, and beginnings of words
//! ```
//!
//! Words consist of letters, digits and `_`, which is part of the names of players online. Apostrophes are left out
//! (`O'Kelly` and `OKelly` are the same word); everything else ends a word, hyphens and dots, too. Letters are compared
//! ignoring case and accents: after Unicode's compatibility decomposition, without marks above, below and through
//! letters.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use strsim::osa_distance;

/// The character before and after each word.
pub const GAP: char = ' ';

/// Writes the words of a text, each between two gaps: ` tal mikhail `.
///
/// ```
/// use halfmove_functions::words::write_words;
///
/// let mut words = String::new();
/// write_words("Capablanca, José Raúl", &mut words);
/// assert_eq!(words, " capablanca jose raul ");
/// ```
pub fn write_words(text: &str, out: &mut String) {
    out.push(GAP);
    let mut add = |char| match is_of_word(char) {
        true => out.push(char),
        false if !out.ends_with(GAP) => out.push(GAP),
        false => {}
    };
    match text.is_ascii() {
        true => {
            let kept = text.chars().filter(|char| !is_apostrophe(*char));
            kept.for_each(|char| add(char.to_ascii_lowercase()));
        }
        false => folded(text).for_each(add),
    }
    if !out.ends_with(GAP) {
        out.push(GAP);
    }
}

fn is_apostrophe(char: char) -> bool {
    matches!(char, '\'' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | '‘' | '’' | '‛' | '′')
}

/// Marks that are part of letters, such as the vowels and tones of Thai, are part of words.
fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || (!char.is_ascii() && class(char) != 0)
}

/// The canonical combining class of a character; 0 if it does not combine with the letter before it.
fn class(char: char) -> u8 {
    CanonicalCombiningClassMapBorrowed::new().get_u8(char)
}

/// The characters of a text without apostrophes, case and accents.
fn folded(text: &str) -> impl Iterator<Item = char> {
    // An isolated acute accent would become a space, and ŉ contains an apostrophe, so apostrophes are removed before
    // and after.
    let letters = text.chars().filter(|char| !is_apostrophe(*char));
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize_iter(letters);
    // Class 1 are strokes through letters; above 200 are marks attached to, below, above and across them.
    let is_accent = |char| matches!(class(char), 1 | 200..);
    let without_accents = decomposed.filter(move |char| !is_accent(*char) && !is_apostrophe(*char));
    // ẞ has only a lower case, ß only an upper one: SS.
    let lower = without_accents.flat_map(char::to_lowercase);
    let same = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    same.flat_map(|char| base(char).chars().chain((base(char).is_empty()).then_some(char)))
}

/// The Latin letters for one that Unicode does not decompose. They occur in names like Bjørn, Łukasz, Đorđe and Æsir.
fn base(char: char) -> &'static str {
    match char {
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'þ' => "th",
        'æ' => "ae",
        'œ' => "oe",
        _ => "",
    }
}

/// Words that a text must have, in any order.
///
/// ```
/// use halfmove_functions::words::Words;
///
/// let words = Words::of_text("novel* sharp").expect("words");
/// assert!(words.are_in(" a sharp novelty "));
/// assert!(!words.are_in(" a novelty "));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Each with the gap before it, and after it if it is a whole word. A word comes before those that are a beginning
    /// of it.
    needles: Vec<String>,
}

impl Words {
    /// The words of the name of a player; `None` if it has none. A single letter, or a word with a `*` at its end, is
    /// the beginning of a word.
    pub fn of_name(text: &str) -> Option<Self> {
        Self::parse(text, true)
    }

    /// The words of another text; `None` if it has none. A word with a `*` at its end is the beginning of a word.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::parse(text, false)
    }

    /// `None` if there is no word.
    fn parse(text: &str, has_initials: bool) -> Option<Self> {
        let mut needles = Vec::new();
        let mut word = String::from(GAP);
        for char in folded(text).chain([GAP]) {
            if is_of_word(char) {
                word.push(char);
                continue;
            }
            let mut chars = word.chars().skip(1);
            let Some(first) = chars.next() else { continue };
            let is_initial = has_initials && first.is_alphabetic() && chars.next().is_none();
            if !is_initial && char != '*' {
                word.push(GAP);
            }
            needles.push(std::mem::replace(&mut word, String::from(GAP)));
        }
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        (!needles.is_empty()).then_some(Self { needles })
    }

    /// The longest of the words, with its gaps: part of every text that has the words.
    pub fn longest(&self) -> &str {
        self.needles.first().map_or("", String::as_str)
    }

    /// Returns true if there is only one word.
    pub fn is_one(&self) -> bool {
        self.needles.len() == 1
    }

    /// Returns true if a text, in the form of [`write_words`], has the words, each at a different place: `tal t` is not
    /// in `Tal, Mikhail`.
    ///
    /// Any word of the text that matches a longer beginning also matches a shorter one, so each needle may take the
    /// first match.
    pub fn are_in(&self, words: &str) -> bool {
        let mut left: Vec<&str> = words.split(GAP).filter(|word| !word.is_empty()).collect();
        self.needles.iter().all(|needle| {
            let typed = needle.trim_matches(GAP);
            let is_whole = needle.ends_with(GAP);
            let is_it =
                |word: &&str| if is_whole { *word == typed } else { word.starts_with(typed) };
            left.iter().position(is_it).map(|index| left.swap_remove(index)).is_some()
        })
    }

    /// Returns true if a text has the words, and no others.
    pub fn are_all_of(&self, words: &str) -> bool {
        let count = words.split(GAP).filter(|word| !word.is_empty()).count();
        count == self.needles.len() && self.are_in(words)
    }

    /// The distance of a text from one that has the words: the number of wrong letters, with 1 for a word of which the
    /// text has only the beginning, or which is only the beginning of one in the text. 0 if it has them, `None` if it
    /// is not similar.
    pub fn distance(&self, words: &str) -> Option<usize> {
        if self.are_in(words) {
            return Some(0);
        }
        let mut left: Vec<&str> = words.split(GAP).filter(|word| !word.is_empty()).collect();
        let (mut all, mut is_near) = (0, false);
        for needle in &self.needles {
            let (typed, is_whole) = (needle.trim_matches(GAP), needle.ends_with(GAP));
            let distances = left.iter().enumerate().filter_map(|(index, word)| {
                let (distance, is_word) = distance(typed, is_whole, word)?;
                Some((distance, !is_word, index))
            });
            let (distance, is_initial, index) = distances.min()?;
            left.swap_remove(index);
            all += distance;
            is_near |= !is_initial;
        }
        is_near.then_some(all)
    }
}

/// The distance of a word from the typed one, and true if it is more than an initial.
fn distance(typed: &str, is_whole: bool, word: &str) -> Option<(usize, bool)> {
    let length = typed.chars().count();
    if typed == word || (!is_whole && word.starts_with(typed)) {
        return Some((0, length > 1));
    }
    if typed.starts_with(word) && word.chars().nth(1).is_none() {
        return Some((1, false));
    }
    if length > 2 && word.starts_with(typed) {
        return Some((1, true));
    }
    let most = match length {
        0..=2 => return None,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    if word.chars().count().abs_diff(length) > most {
        return None;
    }
    let wrong = osa_distance(typed, word);
    (wrong <= most).then_some((wrong, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> String {
        let mut words = String::new();
        write_words(text, &mut words);
        words
    }

    fn matches(typed: &str, name: &str) -> bool {
        Words::of_name(typed).is_some_and(|typed| typed.are_in(&words(name)))
    }

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("Tal, Mikhail", " tal mikhail "),
            ("Capablanca, José Raúl", " capablanca jose raul "),
            ("O’Kelly de Galway, A.", " okelly de galway a "),
            ("O'KELLY", " okelly "),
            ("Vachier-Lagrave,M", " vachier lagrave m "),
            ("Łukasz Ørsted-Đorđević", " lukasz orsted dordevic "),
            ("GROẞ Groß", " gross gross "),
            ("ŠIROV ﬁ Ⅳ", " sirov fi iv "),
            ("ΟΔΥΣΣΕΥΣ Οδυσσεύς", " οδυσσευσ οδυσσευσ "),
            ("Таль, Семён", " таль семен "),
            ("Tal´ Talʹ Tal' ŉ", " tal tal tal n "),
            ("Kasım İnan", " kasim inan "),
            ("my_name-2", " my_name 2 "),
            ("น้อย ใจดี", " น้อย ใจดี "),
            ("?", " "),
            ("", " "),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn typed_names_and_their_matches() {
        for (typed, name, is_there) in [
            ("tal", "Tal, Mikhail", true),
            ("tal", "Rozentalis, Eduardas", false),
            ("tal", "Vitaly", false),
            ("mikhail tal", "Tal, Mikhail", true),
            ("Tal, M", "Tal, Mikhail", true),
            ("Tal, M.", "Tal,M", true),
            ("tal m", "Tal M N (URS)", true),
            ("tal mikhail", "Tal,M", false),
            ("m tal", "Tal", false),
            ("t tal", "Tal, Mikhail", false),
            ("k kasparov", "Kasparov, Garry", false),
            ("kasp*", "Kasparov, Garry", true),
            ("kasp* g", "Kasparov, Garry", true),
            ("kasp", "Kasparov, Garry", false),
            ("kasparov*", "Kasparov", true),
            ("capablanca jose", "Capablanca, José Raúl", true),
            ("josé", "Capablanca, Jose Raul", true),
            ("lagrave", "Vachier-Lagrave, Maxime", true),
            ("a ab abc", "Abc Abd Ab", true),
            ("ab* abc", "Abc", false),
            ("tal tal", "Tal", false),
        ] {
            assert_eq!(matches(typed, name), is_there, "{typed} in {name}");
        }
        let event = |typed: &str| Words::of_text(typed).expect("words").are_in(&words("A-Group"));
        assert!(event("group a") && event("gro*") && !event("g"));
        for nothing in ["", "?", " *", "--", "'"] {
            assert_eq!(Words::of_name(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn names_that_come_near() {
        for (typed, name, distance) in [
            ("kasparow", "Kasparov, Garry", Some(1)),
            ("garry kasparow", "Kasparov, Garry", Some(1)),
            ("mikhail tal", "Tal,M", Some(1)),
            ("tahl", "Tal, Mikhail", Some(1)),
            ("capa", "Capablanca", Some(1)),
            ("tal", "Tal", Some(0)),
            ("kasparov", "K", None),
            ("karpow", "Karpov", Some(1)),
            ("morphy", "Kasparov", None),
            ("garry kasparow", "Kasparov", None),
        ] {
            let words = words(name);
            let typed = Words::of_name(typed).expect("words");
            assert_eq!(typed.distance(&words), distance, "{typed:?} {name}");
        }
    }

    /// Every character, with a letter before it.
    #[test]
    fn folding_twice_changes_nothing() {
        for char in '\0'..=char::MAX {
            let once = words(&format!("x{char}"));
            assert_eq!(words(&once), once, "{char:?} {}", u32::from(char));
        }
    }

    /// Letters of some alphabets, including those with more than two cases or none, and characters between words.
    const TEXT: &str = "[σςΣsSſßẞkK\u{212a}iIıİéÉåÅ\u{212b}ǆǅǄдДйЙ日ΐ\u{1fd3}'’.,* _-]{0,9}";

    proptest! {
        #[test]
        fn any_texts(one in TEXT, two in TEXT) {
            let (a, b) = (words(&one), words(&two));
            prop_assert_eq!(words(&one.to_lowercase()), a.clone());
            prop_assert_eq!(words(&one.to_uppercase()), a.clone());
            // In any order.
            let mut sorted: Vec<&str> = a.split_whitespace().chain(b.split_whitespace()).collect();
            sorted.sort_unstable();
            let both = words(&format!("{two} {one}"));
            let mut found: Vec<&str> = both.split_whitespace().collect();
            found.sort_unstable();
            prop_assert_eq!(found, sorted);
            if let Some(typed) = Words::of_name(&one) {
                prop_assert!(typed.are_in(&a));
                prop_assert!(typed.are_in(&both));
                prop_assert_eq!(Words::of_name(&a.to_uppercase()).is_some(), true);
            }
        }

        /// The typed words are assigned to those of the name in every way.
        #[test]
        fn each_word_is_another(typed in "[ab*]{1,3}( [ab*]{1,3}){0,3}", name in "[ab]{1,3}( [ab]{1,3}){0,3}") {
            fn fits(typed: &[&str], name: &[&str]) -> bool {
                let Some((first, rest)) = typed.split_first() else { return true };
                (0..name.len()).any(|index| {
                    let mut left = name.to_vec();
                    let word = left.remove(index);
                    let is_it = match first.strip_suffix('*') {
                        Some(beginning) => word.starts_with(beginning),
                        None if first.len() == 1 => word.starts_with(first),
                        None => word == *first,
                    };
                    is_it && fits(rest, &left)
                })
            }
            // A `*` ends a word.
            let split = typed.replace('*', "* ");
            let parts: Vec<&str> = split.split(' ').filter(|part| !part.trim_matches('*').is_empty()).collect();
            let name_words: Vec<&str> = name.split(' ').collect();
            let is_there = !parts.is_empty() && fits(&parts, &name_words);
            prop_assert_eq!(matches(&typed, &name), is_there, "{} {}", typed, name);
        }
    }
}
