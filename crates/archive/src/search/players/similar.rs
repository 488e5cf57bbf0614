//! Finds names that may be those of one player.
//!
//! | likeness | for example | compared with |
//! |---|---|---|
//! | words | `Kasparov, Garry`, `GM Garry KASPAROV` | names with the same words, without titles, numbers and brackets |
//! | initials | `Kasparov, G`, `Kasparov` | names with the same surname |
//! | spelling | `Kortschnoj, Viktor`, `Korchnoi, V` | names with surnames that sound alike, or have one letter more or less |
//!
//! Not every pair is compared: each kind has buckets, and of a large bucket only the names with the most games are
//! compared with the others. Two names that have played each other, whose games are more than a lifetime apart, or that
//! are marked as those of relatives (Jr, Sr, II, III), are not one player.
//!
//! In a large collection, most names with one surname and one initial belong to different players. So names that do not
//! have the same words need more evidence: a common opponent, or that neither is similar to a third name.

use std::collections::{HashMap, HashSet};

use super::{PlayerSummary, all_players, is_match, words_of};
use crate::columns::{Columns, Group};
use crate::error::ArchiveError;
use crate::search::names::Parts;

/// The number of names of a bucket that are compared with all others of it.
const MAX_IN_BUCKET: usize = 200;

/// The maximum number of years that a player plays.
const LIFETIME: i32 = 80;

/// The maximum number of years between two games of a player.
const MAX_YEARS_BETWEEN: i32 = 30;

/// The kind of similarity of two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Likeness {
    /// They have the same words in some order, ignoring case, accents, titles, numbers and brackets.
    Words,
    /// They have the same surname, and one has only initials of given names of the other, or fewer of them.
    Initials,
    /// Their surnames sound alike or differ in a letter, and the given names fit.
    Spelling,
}

impl Likeness {
    /// `words`, `initials` or `spelling`.
    ///
    /// ```
    /// assert_eq!(halfmove_archive::Likeness::Initials.name(), "initials");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Initials => "initials",
            Self::Spelling => "spelling",
        }
    }
}

/// Two names that may be those of one player.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SimilarPlayers {
    /// The name with more games.
    pub name: PlayerSummary,
    /// The other one.
    pub other: PlayerSummary,
    /// The kind of their similarity.
    pub likeness: Likeness,
    /// True if one of the names is also similar to a third one that is not similar to the second: `Ivanov, A` may be
    /// Alexander or Andrei.
    pub is_ambiguous: bool,
    /// The number of players that have played against both; names with one surname and one initial count as one player.
    pub common_opponents: u64,
}

/// Pairs of names that may be those of one player, or of a player whose name matches a text.
pub(crate) fn similar_players(
    columns: &Columns,
    name: Option<&str>,
) -> Result<Vec<SimilarPlayers>, ArchiveError> {
    let words = words_of(name)?;
    let mut similar = find_similar(columns)?;
    similar.retain(|two| {
        is_match(&two.name.name, words.as_ref()) || is_match(&two.other.name, words.as_ref())
    });
    Ok(similar)
}

/// Returns true if some names cannot all be those of one player, because two of them are not similar.
pub(in crate::search) fn are_several_players<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<Name> = names.map(Name::of).collect();
    let mut pairs = names
        .iter()
        .enumerate()
        .flat_map(|(at, one)| names[..at].iter().map(move |two| (one, two)));
    pairs.any(|(one, two)| one.likeness(two).is_none())
}

fn find_similar(columns: &Columns) -> Result<Vec<SimilarPlayers>, ArchiveError> {
    let players = all_players(columns)?;
    let names: Vec<Name> = players.iter().map(|player| Name::of(&player.name)).collect();
    let mut pairs = alike(&names);
    pairs.retain(|(one, two), _| is_possible(&players[*one], &players[*two]));
    let paired: HashSet<usize> = pairs.keys().flat_map(|(one, two)| [*one, *two]).collect();
    let opponents = opponents_of(columns, &players, &paired)?;
    let of = |player: &usize| opponents.get(player).map_or(&[][..], Vec::as_slice);
    pairs.retain(|(one, two), _| of(one).binary_search(two).is_err());
    let known = known_as(&names);
    let as_known = |opponents: &Vec<usize>| {
        let mut all: Vec<usize> = opponents.iter().map(|opponent| known[*opponent]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let opponents: HashMap<usize, Vec<usize>> =
        opponents.iter().map(|(player, opponents)| (*player, as_known(opponents))).collect();
    let of = |player: &usize| opponents.get(player).map_or(&[][..], Vec::as_slice);
    // The names similar to each name.
    let mut like: HashMap<usize, Vec<usize>> = HashMap::new();
    for (one, two) in pairs.keys() {
        like.entry(*one).or_default().push(*two);
        like.entry(*two).or_default().push(*one);
    }
    let is_ambiguous = |one: usize, two: usize| {
        let others = |player, not| {
            let others = like.get(&player).map_or(&[][..], Vec::as_slice);
            others.iter().take(MAX_IN_BUCKET).filter(move |other| **other != not)
        };
        let is_like = |one: usize, two: usize| names[one].likeness(&names[two]).is_some();
        others(one, two).any(|third| !is_like(*third, two))
            || others(two, one).any(|third| !is_like(*third, one))
    };
    let mut ranked = Vec::with_capacity(pairs.len());
    for ((one, two), likeness) in pairs {
        let common_opponents = common(of(&one), of(&two));
        let is_ambiguous = is_ambiguous(one, two);
        let rank = match likeness {
            Likeness::Words => 0,
            _ if common_opponents > 0 => 1,
            Likeness::Initials if !is_ambiguous => 2,
            Likeness::Spelling if !is_ambiguous && names[one].has_given(&names[two]) => 2,
            _ => continue,
        };
        // Players are numbered in the order of their games.
        ranked.push((rank, one, two, likeness, is_ambiguous, common_opponents));
    }
    ranked.sort_unstable();
    let similar = ranked.into_iter();
    let similar = similar.map(|(_, one, two, likeness, is_ambiguous, common_opponents)| {
        let (name, other) = (players[one].clone(), players[two].clone());
        SimilarPlayers { name, other, likeness, is_ambiguous, common_opponents }
    });
    Ok(similar.collect())
}

/// The opponents of some players: numbers of players, in ascending order.
fn opponents_of(
    columns: &Columns,
    players: &[PlayerSummary],
    paired: &HashSet<usize>,
) -> Result<HashMap<usize, Vec<usize>>, ArchiveError> {
    let numbers: HashMap<&str, usize> =
        players.iter().enumerate().map(|(number, player)| (&*player.name, number)).collect();
    let mut all: HashMap<usize, Vec<usize>> = HashMap::new();
    for some in columns.each_group(|group| met(group, &numbers, paired))? {
        some.into_iter().for_each(|(one, two)| all.entry(one).or_default().push(two));
    }
    for opponents in all.values_mut() {
        opponents.sort_unstable();
        opponents.dedup();
    }
    Ok(all)
}

/// The pairs of opponents in a row group.
fn met(
    group: &Group,
    numbers: &HashMap<&str, usize>,
    paired: &HashSet<usize>,
) -> Result<HashSet<(usize, usize)>, ArchiveError> {
    let mut all = HashSet::new();
    let names = [group.distinct("white")?, group.distinct("black")?];
    let here = names.each_ref().map(|names| {
        let known = names.texts().iter().map(|name| name.and_then(|name| numbers.get(name)));
        known.collect::<Vec<Option<&usize>>>()
    });
    let of = |side: usize, row| names[side].number(row).and_then(|name| here[side][name].copied());
    for row in (0..group.rows()).filter(|row| !group.is_deleted(*row)) {
        let (Some(white), Some(black)) = (of(0, row), of(1, row)) else { continue };
        for (one, two) in [(white, black), (black, white)] {
            if one != two && paired.contains(&one) {
                all.insert((one, two));
            }
        }
    }
    Ok(all)
}

/// The number of the first name with the same surname and initial, for each name. Without a comma, the word that is a
/// surname elsewhere is the surname.
fn known_as(names: &[Name]) -> Vec<usize> {
    let sure = names.iter().filter(|name| name.readings.len() == 1);
    let surnames: HashSet<&str> = sure.map(|name| name.readings[0].0.as_str()).collect();
    let mut first: HashMap<(&str, Option<char>), usize> = HashMap::new();
    let known = names.iter().enumerate().map(|(number, name)| {
        let is_surname =
            |(surname, _): &&(String, Vec<String>)| surnames.contains(surname.as_str());
        let reading = name.readings.iter().find(is_surname).or_else(|| name.readings.first());
        let Some((surname, given)) = reading else { return number };
        let initial = given.first().and_then(|given| given.chars().next());
        *first.entry((surname.as_str(), initial)).or_insert(number)
    });
    known.collect()
}

/// The number of common elements of two lists in ascending order.
fn common(one: &[usize], two: &[usize]) -> u64 {
    let (few, many) = if one.len() < two.len() { (one, two) } else { (two, one) };
    few.iter().filter(|number| many.binary_search(number).is_ok()).count() as u64
}

/// Returns true if the years of two names can be those of one player.
fn is_possible(one: &PlayerSummary, two: &PlayerSummary) -> bool {
    let years = |player: &PlayerSummary| player.first_year.zip(player.last_year);
    let (Some(one), Some(two)) = (years(one), years(two)) else { return true };
    let all = one.1.max(two.1) - one.0.min(two.0);
    let between = one.0.max(two.0) - one.1.min(two.1);
    // A player with more years than that has been merged from several already, or the years are wrong.
    let is_lifetime = all <= LIFETIME.max(one.1 - one.0).max(two.1 - two.0);
    is_lifetime && between <= MAX_YEARS_BETWEEN
}

/// A name, split in all possible ways.
#[derive(Debug, Clone)]
pub(in crate::search) struct Name {
    sorted: String,
    /// Surname and given names.
    readings: Vec<(String, Vec<String>)>,
    sounds: Vec<String>,
    /// The word that distinguishes relatives: `jr`.
    mark: Option<String>,
}

impl Name {
    pub(in crate::search) fn of(name: &str) -> Self {
        let Parts { surnames, given, sorted, has_comma, mark } = Parts::of(name);
        let mut readings = Vec::new();
        match surnames.as_slice() {
            [] => {}
            [_] if !has_comma => {
                // The remaining words may include an initial.
                let given = sorted.iter().filter(|word| **word != surnames[0]).cloned().collect();
                readings.push((surnames[0].clone(), given));
            }
            [first @ .., last] if !has_comma => {
                let initials = sorted.iter().filter(|word| word.chars().nth(1).is_none());
                let initials: Vec<String> = initials.cloned().collect();
                let mut before = first.to_vec();
                before.extend(initials.iter().cloned());
                readings.push((last.clone(), before));
                if !initials.is_empty() {
                    // `Garcia Palermo C`.
                    readings.push((surnames.join(" "), initials));
                }
                if let Some((first, rest)) = surnames.split_first() {
                    readings.push((first.clone(), rest.to_vec()));
                }
            }
            _ => readings.push((surnames.join(" "), given)),
        }
        let sounds = readings.iter().map(|(surname, _)| sound(surname)).collect();
        Self { sorted: sorted.join(" "), readings, sounds, mark }
    }

    /// Returns true if a given name that is more than an initial is the same.
    fn has_given(&self, other: &Self) -> bool {
        let given = |name: &Self| -> HashSet<String> {
            let all = name.readings.iter().flat_map(|(_, given)| given.iter().cloned());
            all.filter(|word| word.chars().nth(1).is_some()).collect()
        };
        !given(self).is_disjoint(&given(other))
    }

    /// Returns true if both names are marked, as those of two relatives.
    fn is_relative_of(&self, other: &Self) -> bool {
        self.mark.as_ref().zip(other.mark.as_ref()).is_some_and(|(one, two)| one != two)
    }

    /// Returns true if the first given names differ in their endings alone, as those of a woman and a man may: `Jan`
    /// and `Jana`.
    pub(in crate::search) fn is_other_gender(&self, other: &Self) -> bool {
        let first =
            |name: &Self| name.readings.iter().find_map(|(_, given)| given.first().cloned());
        first(self).zip(first(other)).is_some_and(|(one, two)| {
            let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
            short.len() > 1 && matches!(long.strip_prefix(short.as_str()), Some("a" | "e"))
        })
    }

    /// Returns true if the surnames are the same, and the first given names differ in one letter, but not in the last
    /// one: `Gary` and `Garry`.
    pub(in crate::search) fn has_near_given(&self, other: &Self) -> bool {
        let is_near = |one: &String, two: &String| {
            one.len().min(two.len()) > 3
                && one.chars().next() == two.chars().next()
                && one.chars().last() == two.chars().last()
                && strsim::osa_distance(one, two) == 1
        };
        !self.is_relative_of(other)
            && self.readings.iter().any(|(surname, given)| {
                let others = other.readings.iter().filter(|(other, _)| other == surname);
                let mut others = others.filter_map(|(_, given)| given.first());
                given.first().is_some_and(|given| others.any(|other| is_near(given, other)))
            })
    }

    /// The kind of its similarity to another name.
    pub(in crate::search) fn likeness(&self, other: &Self) -> Option<Likeness> {
        if self.is_relative_of(other) {
            return None;
        }
        if self.sorted == other.sorted && !self.sorted.is_empty() {
            // A name without a mark may be that of either relative.
            let is_same = self.mark == other.mark;
            return Some(if is_same { Likeness::Words } else { Likeness::Initials });
        }
        if self.sorted.is_empty() && other.sorted.is_empty() {
            return None;
        }
        let mut best = None;
        for ((one, given), sound) in self.readings.iter().zip(&self.sounds) {
            for ((two, other_given), other_sound) in other.readings.iter().zip(&other.sounds) {
                let likeness = if one == two {
                    fits(given, other_given).then_some(Likeness::Initials)
                } else {
                    let is_named = !given.is_empty() && !other_given.is_empty();
                    let is_near = sound == other_sound || has_one_more(one, two);
                    (is_named && is_near && fits(given, other_given)).then_some(Likeness::Spelling)
                };
                best = match (best, likeness) {
                    (Some(one), Some(two)) => Some(std::cmp::min(one, two)),
                    (one, two) => one.or(two),
                };
            }
        }
        best
    }
}

/// Returns true if given names may be those of one player: each is equal to the other, or its beginning.
fn fits(one: &[String], two: &[String]) -> bool {
    let is_same = |(one, two): (&String, &String)| {
        let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
        let is_initial = short.chars().nth(1).is_none();
        one == two || (is_initial || short.len() > 2) && long.starts_with(short.as_str())
    };
    one.iter().zip(two).all(is_same)
}

/// Returns true if one of two long words is the other without one letter. A final `a` does not count: it is a feminine
/// ending.
fn has_one_more(one: &str, two: &str) -> bool {
    let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
    let is_other_gender = long.strip_suffix('a') == Some(short);
    short.len() > 4 && !is_other_gender && strsim::osa_distance(one, two) == 1
}

/// Spellings of sounds in other languages and scripts: the longer ones first.
const SOUNDS: [(&str, &str); 21] = [
    ("tsch", "c"),
    ("sch", "s"),
    ("tch", "c"),
    ("tzk", "ck"),
    ("cz", "c"),
    ("ch", "c"),
    ("sh", "s"),
    ("sz", "s"),
    ("kh", "h"),
    ("zh", "z"),
    ("ph", "f"),
    ("th", "t"),
    ("ts", "z"),
    ("tz", "z"),
    ("ck", "k"),
    ("ks", "x"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
    ("ue", "u"),
    ("oe", "o"),
];

/// A surname as it may sound: `kortschnoj` and `korchnoi` become the same.
fn sound(surname: &str) -> String {
    let mut sound = String::with_capacity(surname.len());
    let mut rest = surname;
    while let Some(char) = rest.chars().next() {
        let known = SOUNDS.iter().find(|(letters, _)| rest.starts_with(letters));
        let (letters, heard) = known.copied().unwrap_or(("", ""));
        let mut own = [0; 4];
        let (length, heard) = match letters.len() {
            0 => (char.len_utf8(), &*char.encode_utf8(&mut own)),
            length => (length, heard),
        };
        if !sound.ends_with(heard) {
            sound.push_str(heard);
        }
        rest = &rest[length..];
    }
    // Smyslov, Smysloff.
    match sound.strip_suffix("of") {
        Some(stem) => format!("{stem}ov"),
        None => sound,
    }
}

/// Pairs of similar names, by their numbers; the lower comes first.
fn alike(names: &[Name]) -> HashMap<(usize, usize), Likeness> {
    let mut buckets: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, name) in names.iter().enumerate() {
        let mut keys = HashSet::new();
        if !name.sorted.is_empty() {
            keys.insert(format!("words {}", name.sorted));
        }
        for ((surname, given), sound) in name.readings.iter().zip(&name.sounds) {
            keys.insert(format!("surname {surname}"));
            let initial = given.first().and_then(|given| given.chars().next());
            let Some(initial) = initial else { continue };
            keys.insert(format!("sound {sound} {initial}"));
            // Two words of which one is the other without a letter have one of these in common.
            if (5..=20).contains(&surname.len()) {
                keys.insert(format!("letters {surname} {initial}"));
                for (at, char) in surname.char_indices() {
                    let (before, after) = (&surname[..at], &surname[at + char.len_utf8()..]);
                    keys.insert(format!("letters {before}{after} {initial}"));
                }
            }
        }
        keys.into_iter().for_each(|key| buckets.entry(key).or_default().push(number));
    }
    let mut pairs = HashMap::new();
    for bucket in buckets.into_values().filter(|bucket| bucket.len() > 1) {
        // The names with the most games have the lowest numbers.
        for (at, one) in bucket.iter().enumerate().take(MAX_IN_BUCKET) {
            for two in &bucket[at + 1..] {
                if let Some(likeness) = names[*one].likeness(&names[*two]) {
                    pairs.insert((*one, *two), likeness);
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_of_names() {
        use Likeness::{Initials, Spelling, Words};
        for (one, two, likeness) in [
            ("Kasparov, Garry", "GM Garry KASPAROV (2851)", Some(Words)),
            ("Kasparov, Garry", "Kasparov Garry", Some(Words)),
            ("Réti, Richard", "Reti,Richard", Some(Words)),
            ("Kasparov, Garry", "Kasparov,G", Some(Initials)),
            ("Kasparov, Garry", "Kasparov", Some(Initials)),
            ("Kasparov, Garry", "Kasparov G", Some(Initials)),
            ("Kasparov, Garry", "G. Kasparov", Some(Initials)),
            ("Kasparov, Garry Kimovich", "Kasparov, Garry", Some(Initials)),
            ("van Wely, Loek", "Wely, L van", Some(Initials)),
            ("Ivanov, Alexander", "Ivanov, Alex", Some(Initials)),
            ("Ivanov, Alexander", "Ivanov, Andrei", None),
            ("Ivanov, A", "Ivanova, A", None),
            ("Kortschnoj, Viktor", "Korchnoi, V", Some(Spelling)),
            ("Nimzowitsch, Aron", "Nimzovich, Aron", Some(Spelling)),
            ("Spassky, Boris", "Spasskij, Boris", Some(Spelling)),
            ("Botvinnik, Mikhail", "Botvinik, M", Some(Spelling)),
            ("Kramnik, Vladimir", "Kramnik, Boris", None),
            ("player1", "player2", None),
            ("Smith", "Smyth", None),
            ("Li, Chao", "Lu, Chao", None),
            ("?", "", None),
            ("Vidmar, Milan Sr", "Vidmar, Milan Jr", None),
            ("Vidmar, Milan Sr", "Vidmar, M. Jr.", None),
            ("Vidmar, Milan Sr", "Milan VIDMAR sr", Some(Words)),
            ("Vidmar, Milan Sr", "Vidmar, Milan", Some(Initials)),
            ("Vidmar, M Jr", "Vidmar, Milan jr.", Some(Initials)),
            ("Davis, Walter II", "Davis, Walter III", None),
        ] {
            let [first, second] = [one, two].map(Name::of);
            assert_eq!(first.likeness(&second), likeness, "{one}, {two}");
            assert_eq!(second.likeness(&first), likeness, "{two}, {one}");
        }
    }

    /// All similar names are found in the buckets: comparing every pair is the oracle.
    #[test]
    fn every_pair_is_in_a_bucket() {
        let surnames =
            ["Tal", "Kasparov", "Kasparow", "Kasprov", "Kortschnoj", "Korchnoi", "de Vries"];
        let given = ["", ", Garry", ", G", ", G K", " Garry", ", Viktor", ", V."];
        let all = surnames
            .iter()
            .flat_map(|name| given.iter().map(move |given| format!("{name}{given}")));
        let names: Vec<Name> = all.map(|name| Name::of(&name)).collect();
        let found = alike(&names);
        let mut count = 0;
        for two in 0..names.len() {
            for one in 0..two {
                let likeness = names[one].likeness(&names[two]);
                count += usize::from(likeness.is_some());
                assert_eq!(
                    found.get(&(one, two)).copied(),
                    likeness,
                    "{:?} {:?}",
                    names[one],
                    names[two]
                );
            }
        }
        assert!(count > 50, "{count}");
    }
}
