//! Finds games that different collections spell differently.
//!
//! ```text
//!  Larsen B      Adams, Michael   1989.??.??   1/2-1/2   130 half-moves   ?
//!  Larsen, Bent  Adams, Michael   1989.??.??   1/2-1/2   130 half-moves   Cannes schev
//! ```
//!
//! Twins have the same main line, year and result, and compatible names of both players: the same surname, and given
//! names or initials that agree or differ in one letter. No fact that is known of both games may differ: month, day,
//! [details](super::details), the version or kind of an engine, Jr or Sr.
//!
//! Equal moves of less than [`LEAST_PLIES_OF_ONE`] half-moves may be a repeated trap or draw. Such games are twins only if
//! both have the same day and the same round.
//!
//! A game that agrees with two others, which do not agree with each other, is a twin of neither: `Polgar` may be Judit or
//! Zsuzsa. So all games of a group agree with each other.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::details::{DETAILS, GameDetails, agreeing};
use super::near::differences;
use super::{Games, LEAST_PLIES_OF_ONE, TwinDuplicates, Worth, worth};
use crate::columns::{Columns, GamePlace, Group};
use crate::error::ArchiveError;
use crate::search::names::{letters, sorted_words};
use crate::search::players::{Likeness, Reading};

/// The maximum number of games with the same main line, year and result that are compared. In larger groups, such as
/// games of engines without a name of their own, nothing shows which of them are one.
const MAX_ALIKE: usize = 64;

/// Words that distinguish engines of one name: kinds of search, and the hardware that they were built for.
const KINDS: [&str; 18] = [
    "mcts", "nn", "nnue", "dd", "deep", "dev", "beta", "alpha", "cpu", "gpu", "mp", "sp", "bit",
    "avx", "bmi", "popcnt", "tcec", "uci",
];

/// Distinct texts, numbered from 0, the empty text first.
#[derive(Debug, Default)]
struct Texts(Mutex<HashMap<Box<str>, u32>>);

impl Texts {
    fn number(&self, text: &str) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            all.insert(Box::default(), 0);
        }
        if let Some(number) = all.get(text) {
            return *number;
        }
        let number = all.len() as u32;
        all.insert(text.into(), number);
        number
    }

    /// A value of each text, by its number.
    fn map<T>(self, of: impl Fn(&str) -> T) -> Vec<T> {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut texts: Vec<(Box<str>, u32)> = all.into_iter().collect();
        texts.sort_unstable_by_key(|(_, number)| *number);
        texts.iter().map(|(text, _)| of(text)).collect()
    }
}

/// The numbers of the texts of a game, and true if it has a fault.
#[derive(Debug, Clone, Copy, Default)]
struct Read {
    players: [u32; 2],
    is_faulty: bool,
}

/// A player's name, split for the comparison of twins.
#[derive(Debug)]
struct Player {
    reading: Reading,
    /// The words with a digit: the version of an engine.
    versions: Vec<String>,
    /// The words of [`KINDS`]; `None` for a name with a comma, which is a person's.
    kinds: Option<Vec<String>>,
    /// The number of letters, without titles and brackets: more are a fuller name.
    letters: usize,
}

impl Player {
    fn of(name: &str) -> Self {
        let sorted = sorted_words(name);
        let those = |is: fn(&str) -> bool| {
            sorted.split(' ').filter(|word| is(word)).map(str::to_owned).collect::<Vec<_>>()
        };
        Self {
            reading: Reading::of(name),
            versions: those(|word| word.contains(|char: char| char.is_ascii_digit())),
            kinds: (!name.contains(',')).then(|| those(|word| KINDS.contains(&word))),
            letters: letters(name),
        }
    }

    fn agrees(&self, other: &Self) -> bool {
        let likeness = self.reading.likeness(&other.reading);
        self.versions == other.versions
            && agree(self.kinds.as_ref(), other.kinds.as_ref())
            && !self.reading.is_other_gender(&other.reading)
            && (matches!(likeness, Some(Likeness::Words | Likeness::Initials))
                || self.reading.has_near_given(&other.reading))
    }
}

/// Returns true if two facts do not differ, as far as both are known.
fn agree<T: PartialEq>(one: Option<T>, two: Option<T>) -> bool {
    one.zip(two).is_none_or(|(one, two)| one == two)
}

/// The games that may be twins, and what is compared of them.
struct Candidates<'a> {
    games: &'a Games,
    /// The exact copies of the games that have some, those games included.
    copies: HashMap<u32, &'a [u32]>,
    /// The numbers of all of them, in ascending order.
    numbers: Vec<u32>,
    read: Vec<Read>,
    players: Vec<Player>,
    /// Their details, in the order of the numbers.
    details: Vec<GameDetails>,
}

impl Candidates<'_> {
    fn read(&self, number: u32) -> Read {
        let at = self.numbers.binary_search(&number).ok();
        at.and_then(|at| self.read.get(at).copied()).unwrap_or_default()
    }

    fn details(&self, number: u32) -> Option<&GameDetails> {
        self.details.get(self.numbers.binary_search(&number).ok()?)
    }

    /// Returns true if two games are twins, and no copies of them contradict each other: a copy may have another round.
    fn are_twins(&self, one: u32, two: u32) -> bool {
        let [all, others] = [one, two].map(|number| match self.copies.get(&number) {
            Some(copies) => copies.to_vec(),
            None => vec![number],
        });
        let agree = |one: u32, two: u32| {
            self.details(one).zip(self.details(two)).is_some_and(|(one, two)| one.agree(two))
        };
        self.agree(one, two) && all.iter().all(|one| others.iter().all(|two| agree(*one, *two)))
    }

    fn agree(&self, one: u32, two: u32) -> bool {
        let facts = [one, two].map(|number| &self.games.game(number).facts);
        let [first, second] = [one, two].map(|number| self.read(number));
        let dates = facts.map(|facts| facts.date.parts());
        let are_of_round = || {
            self.details(one).zip(self.details(two)).is_some_and(|(one, two)| one.is_of_round(two))
        };
        let is_sure = facts[0].plies >= LEAST_PLIES_OF_ONE
            || dates.iter().all(|(_, _, day)| *day > 0) && are_of_round();
        let part = |part: u32| (part > 0).then_some(part);
        is_sure
            && agree(part(dates[0].1), part(dates[1].1))
            && agree(part(dates[0].2), part(dates[1].2))
            && first.players.iter().zip(second.players).all(|(one, two)| {
                *one == two || self.players[*one as usize].agrees(&self.players[two as usize])
            })
    }

    /// The letters of the names and the known parts of the date: more are better.
    fn fullness(&self, number: u32) -> (usize, usize) {
        let (_, month, day) = self.games.game(number).facts.date.parts();
        let letters = self.read(number).players.map(|name| self.players[name as usize].letters);
        (letters.iter().sum(), [month, day].iter().filter(|part| **part > 0).count())
    }
}

/// Groups of twins among the games that are left: copies of another game are not. All but the best games of each group are
/// cleared in `is_left`.
pub(super) fn twins_of(
    columns: &Columns,
    groups: &[Group],
    games: &Games,
    copies: &[Vec<u32>],
    is_left: &mut [bool],
) -> Result<Vec<TwinDuplicates>, ArchiveError> {
    let alike = alike(games, is_left);
    let best = |same: &[u32]| same.iter().copied().find(|number| is_left[*number as usize]);
    let copies: HashMap<u32, &[u32]> =
        copies.iter().filter_map(|same| Some((best(same)?, same.as_slice()))).collect();
    let mut numbers: Vec<u32> = alike.iter().flatten().copied().collect();
    let more = numbers.iter().filter_map(|number| copies.get(number));
    let more: Vec<u32> = more.flat_map(|same| same.iter().copied()).collect();
    numbers.extend(more);
    numbers.sort_unstable();
    numbers.dedup();
    let names = Texts::default();
    let read = columns.by_group(groups, &places(games, &numbers), |group, rows| {
        let players = [group.distinct("white")?, group.distinct("black")?];
        let faults = group.distinct("fault")?;
        let read = rows.iter().map(|row| {
            let row = *row as usize;
            let name = |side: usize| {
                let text = players[side].number(row).map(|text| players[side].texts().value(text));
                names.number(text.unwrap_or_default())
            };
            Read { players: [name(0), name(1)], is_faulty: faults.number(row).is_some() }
        });
        Ok(read.collect())
    })?;
    let details = columns.at_places(groups, &places(games, &numbers), DETAILS, GameDetails::of)?;
    let players = names.map(Player::of);
    let candidates = Candidates { games, copies, numbers, read, players, details };
    let parts: Vec<&[Vec<u32>]> = alike.chunks(super::near::FAMILIES).collect();
    let found = columns.each(&parts, |part| {
        let mut all = Vec::new();
        for alike in *part {
            let mut sound = alike.clone();
            sound.retain(|number| !candidates.read(*number).is_faulty);
            all.extend(agreeing(&sound, |one, two| candidates.are_twins(one, two)));
        }
        Ok(all)
    })?;
    let found: Vec<Vec<u32>> = found.into_iter().flatten().collect();
    let mut numbers: Vec<u32> = found.iter().flatten().copied().collect();
    numbers.sort_unstable();
    let read: Vec<Worth> = columns.by_group(groups, &places(games, &numbers), worth)?;
    let mut all = Vec::with_capacity(found.len());
    for group in found {
        let id = |number: u32| games.game(number).id;
        let worth = |number: &u32| {
            let (bytes, tags) = numbers.binary_search(number).map_or((0, 0), |at| read[at]);
            (bytes, candidates.fullness(*number), tags, Reverse(id(*number)))
        };
        let Some(best) = group.iter().copied().max_by_key(worth) else { continue };
        for number in &group {
            is_left[*number as usize] = *number == best;
        }
        let differences = differences(games, &group);
        let mut ids: Vec<i64> = group.into_iter().map(id).collect();
        ids.sort_unstable();
        all.push(TwinDuplicates { ids, best: id(best), differences });
    }
    all.sort_unstable_by(|one, two| one.ids.cmp(&two.ids));
    Ok(all)
}

fn places(games: &Games, numbers: &[u32]) -> Vec<GamePlace> {
    numbers.iter().map(|number| games.game(*number).place).collect()
}

/// The numbers of games with the same main line, year and result, in groups.
fn alike(games: &Games, is_left: &[bool]) -> Vec<Vec<u32>> {
    let (mut all, mut family): (Vec<Vec<u32>>, Vec<u32>) = Default::default();
    let facts = |number: u32| {
        let facts = &games.game(number).facts;
        (facts.moves, facts.date.year(), facts.result)
    };
    for begin in games.families() {
        let numbers = begin.iter().map(|(_, number)| *number);
        family.clear();
        family.extend(numbers.filter(|number| {
            let known = &games.game(*number).facts;
            is_left[*number as usize] && !known.are_weak && known.date.year().is_some()
        }));
        family.sort_unstable_by_key(|number| (facts(*number), *number));
        let same = family.chunk_by(|one, two| facts(*one) == facts(*two));
        let some = same.filter(|same| (2..=MAX_ALIKE).contains(&same.len()));
        all.extend(some.map(<[u32]>::to_vec));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_player() {
        for (one, two, agree) in [
            ("Larsen, Bent", "Larsen B", true),
            ("Larsen, Bent", "B. Larsen", true),
            ("Larsen, Bent", "Bent Larsen", true),
            ("Larsen,B", "GM Larsen, Bent (2660)", true),
            ("Larsen", "Larsen, Bent", true),
            ("Wely, Loek van", "van Wely, L.", true),
            ("Garcia Palermo, Carlos", "Garcia Palermo C", true),
            ("Kasparov, Gary", "Kasparov Garry (RUS)", true),
            ("Larsen, Bent", "Larsen, Karl", false),
            ("Larsen, Bent", "Larsson, Bent", false),
            ("Berger, Daniel", "Berger, Daniela", false),
            ("Novak, Jan", "Novak, Jana", false),
            ("Berger, Hans", "Berger, Hana", false),
            ("Berger, Anna", "Berger, Anne", false),
            ("Berger, Alexander", "Berger, Alexandra", false),
            ("Berger, Alex", "Berger, Alexander", true),
            ("Vidmar, Milan Sr", "Vidmar, Milan Jr", false),
            ("Vidmar, Milan Sr", "Vidmar M", true),
            ("Stockfish 15", "Stockfish 16", false),
            ("Stockfish", "Stockfish 16", false),
            ("Komodo", "Komodo MCTS", false),
            ("Komodo 14", "Komodo 14 MCTS", false),
            ("Fritz", "Deep Fritz", false),
            ("Stockfish dev", "Stockfish 10dev", false),
            ("Deep, Anna", "Deep A", true),
            ("Rybka 4 x64", "Rybka 4 w32", false),
            ("?", "?", false),
        ] {
            let (one, two) = (Player::of(one), Player::of(two));
            assert_eq!((one.agrees(&two), two.agrees(&one)), (agree, agree), "{one:?} {two:?}");
        }
    }
}
