//! Finding openings by names as users type them.

use std::sync::LazyLock;

use halfmove_game::openings::{self, Opening};

use halfmove_functions::words::{GAP, Words, write_words};

use crate::error::FilterError;

/// The maximum number of names that an error suggests.
const OFFERED: usize = 3;

/// Alternative names of some openings, with words of their names in the list.
const SYNONYMS: [(&str, &str); 8] = [
    ("spanish", "ruy lopez"),
    ("russian", "petrovs defense"),
    ("petrov", "petrovs defense"),
    ("petroff", "petrovs defense"),
    ("volga", "benko gambit"),
    ("kid", "kings indian defense"),
    ("qga", "queens gambit accepted"),
    ("qgd", "queens gambit declined"),
];

/// Generic words, which are ignored next to a synonym.
const GENERIC: [&str; 5] = ["defence", "defense", "game", "gambit", "opening"];

/// The openings whose names have some words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named(Vec<bool>);

impl Named {
    /// The openings that match a text. In quotation marks it is a whole name.
    ///
    /// # Errors
    ///
    /// Fails for a text without words, or one that matches no opening.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        let (text, is_whole) = quoted(text).map_or((text, false), |name| (name, true));
        let words = Words::of_text(text)
            .ok_or_else(|| FilterError::NoWord { field: "opening", text: text.to_owned() })?;
        let named = match is_whole {
            true => Some(Self::below(text)).filter(|named| named.0.contains(&true)),
            false => readings(text).map(|readings| Self::by(&readings)),
        };
        match named {
            Some(named) => Ok(named),
            None => Err(FilterError::NoSuchOpening { text: text.to_owned(), near: near(&words) }),
        }
    }

    /// The openings whose names have all words of one of the readings.
    fn by(readings: &[Words]) -> Self {
        let is_named = |name: &String| readings.iter().any(|words| words.are_in(name));
        Self(names().iter().map(is_named).collect())
    }

    /// The opening with this name, and its variations. Case, accents and punctuation do not matter.
    fn below(name: &str) -> Self {
        let words = |text: &str| {
            let mut words = String::new();
            write_words(text, &mut words);
            words
        };
        let wanted = words(name);
        let is_below = |(opening, all): (&Opening, &String)| {
            let name = opening.name();
            let mut ends = name.match_indices([':', ',']).map(|(end, _)| end).chain([name.len()]);
            all.starts_with(&wanted) && ends.any(|end| words(&name[..end]) == wanted)
        };
        Self(openings::all().iter().zip(names()).map(is_below).collect())
    }

    pub(crate) fn has(&self, opening: Option<&Opening>) -> bool {
        opening.is_some_and(|opening| self.0[opening.index()])
    }
}

/// The text between quotation marks.
fn quoted(text: &str) -> Option<&str> {
    text.trim().strip_prefix(['"', '“'])?.strip_suffix(['"', '”'])
}

/// The possible interpretations of a text: as typed, and with synonyms replaced. If these match no opening, also with
/// American spelling, and without the letter e for an umlaut. `None` if nothing matches.
fn readings(text: &str) -> Option<Vec<Words>> {
    let mut words = String::new();
    write_words(text, &mut words);
    let words: Vec<&str> = words.split(GAP).filter(|word| !word.is_empty()).collect();
    let american = words.iter().map(|word| match word.strip_suffix("ence") {
        Some(stem) => format!("{stem}ense"),
        None => (*word).to_owned(),
    });
    let american = american.collect::<Vec<_>>().join(" ");
    let plain = american.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    let typed = Words::of_text(text).into_iter().chain(by_synonyms(&words));
    let respelled = [american, plain].into_iter().map(|text| {
        let words: Vec<&str> = text.split(' ').collect();
        Words::of_text(&text).into_iter().chain(by_synonyms(&words)).collect()
    });
    let mut all = std::iter::once(typed.collect::<Vec<_>>()).chain(respelled);
    all.find(|readings| Named::by(readings).0.contains(&true))
}

/// The names of the list for a synonym among some words.
fn by_synonyms(words: &[&str]) -> impl Iterator<Item = Words> {
    SYNONYMS.iter().filter(|(synonym, _)| words.contains(synonym)).filter_map(|(synonym, name)| {
        let rest = words.iter().filter(|word| *word != synonym && !GENERIC.contains(word));
        let rest: Vec<&str> = rest.copied().collect();
        Words::of_text(&format!("{name} {}", rest.join(" ")))
    })
}

/// The openings that match a text as in [`Filter::opening`](crate::Filter::opening), without their variations: those
/// whose names have the fewest parts; of several lines with the same name, the shortest. If the words of one of these
/// names are exactly those of the text, only that one.
///
/// ```
/// use halfmove_archive::opening_roots;
///
/// let names = |text| opening_roots(text).map(|roots| roots.iter().map(|root| root.name()).collect::<Vec<_>>());
/// assert_eq!(names("najdorf")?, ["Sicilian Defense: Najdorf Variation"]);
/// assert_eq!(names("queen's gambit")?, ["Queen's Gambit"]);
/// assert_eq!(names("king's indian")?, ["King's Indian Attack", "King's Indian Defense"]);
/// # Ok::<(), halfmove_archive::FilterError>(())
/// ```
///
/// # Errors
///
/// Fails for a text without words, or one that matches no opening.
pub fn opening_roots(text: &str) -> Result<Vec<&'static Opening>, FilterError> {
    let named = Named::parse(text)?;
    let named = || openings::all().iter().filter(|opening| named.has(Some(opening)));
    let least = named().map(|opening| opening.parts().count()).min().unwrap_or(0);
    let mut roots: Vec<&Opening> = Vec::new();
    for opening in named().filter(|opening| opening.parts().count() == least) {
        let length = |opening: &Opening| opening.moves().split(' ').count();
        match roots.iter_mut().find(|root| root.name() == opening.name()) {
            Some(root) if length(opening) < length(root) => *root = opening,
            Some(_) => {}
            None => roots.push(opening),
        }
    }
    let readings = readings(text).unwrap_or_default();
    let is_exact = |root: &&&Opening| {
        let mut last = String::new();
        write_words(root.parts().last().unwrap_or_default(), &mut last);
        readings.iter().any(|words| words.are_all_of(&last))
    };
    match roots.iter().filter(is_exact).copied().collect::<Vec<_>>()[..] {
        [one] => Ok(vec![one]),
        _ => Ok(roots),
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

/// The names most similar to some words, the nearest first; of equally near ones, those with the fewest parts first.
/// Variations of a name in the list are left out.
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
