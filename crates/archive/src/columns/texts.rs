//! Conditions on tags, answered from columns in memory.
//!
//! A row group has the same names again and again. So its texts are kept once each, as [words](crate::words), one after the
//! other, and every row has the number of its text:
//!
//! ```text
//!  ·carlsen·magnus··karpov·anatoly··kasparov·garry·   one search for "·karpov·" through all of it: text 1
//!  └ 0              └ 1             └ 2
//!  1 2 2 0 1 …                                        then a look-up for each row
//! ```
//!
//! Where more than one word is wanted, the others are looked for only in the texts that have the longest.

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, Int32Array, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type};
use halfmove_game::openings::EcoCodes;
use memchr::memmem::Finder;
use roaring::RoaringTreemap;

use super::cache::{Cache, CachedColumn, Kind};
use super::dates::known_of;
use super::facts::value;
use super::group::Group;
use super::players::{Player, Sides};
use crate::error::ArchiveError;
use crate::explore::Results;
use crate::filter::Filter;
use crate::openings::Named;
use crate::words::{Words, write_words};

/// What games must meet beside a position.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Conditions on tags, all of them.
    pub(crate) tags: Vec<Condition>,
    /// Whose games they are.
    pub(crate) player: Option<Player>,
    /// The games that meet a condition in SQL, by id.
    pub(crate) ids: Option<RoaringTreemap>,
}

/// A condition on tags.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The column holds the words.
    Holds(&'static str, Words),
    /// The column is the text, in whatever case.
    Is(&'static str, String),
    /// The tag is one of the codes; in a game whose tag is none, the code of its opening.
    Eco(EcoCodes),
    /// The opening has one of the names.
    Opening(Named),
    /// The result has this number of [`Results`].
    Result(u8),
    /// Both players have a rating in this range.
    Rated { least: i32, most: i32 },
    /// There are so many half-moves.
    Plies { least: i32, most: i32 },
    /// Not before this day, as far as is known.
    Since(Bound),
    /// Not after this day, as far as is known.
    Until(Bound),
}

/// A day, in days since 1970-01-01, with its month and year, to which dates that are not whole are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) day: i32,
    pub(crate) month: i32,
    pub(crate) year: i32,
}

impl Filter {
    /// The conditions on tags, those first that are decided fastest.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let mut all = Vec::new();
        let variant = self.wanted_variant();
        all.extend(variant.map(|variant| Condition::Is("variant", folded(variant.name()))));
        if let Some(result) = self.result {
            all.push(Condition::Result(Results::index(Some(&result.to_string()))));
        }
        if self.min_elo.is_some() || self.max_elo.is_some() {
            // Zero is what some programs write where there is no rating.
            let least = self.min_elo.map_or(1, |elo| i32::from(elo).max(1));
            let most = self.max_elo.map_or(i32::MAX, i32::from);
            all.push(Condition::Rated { least, most });
        }
        if self.min_plies.is_some() || self.max_plies.is_some() {
            let plies = |plies| i32::try_from(plies).unwrap_or(i32::MAX);
            let least = self.min_plies.map_or(0, plies);
            let most = self.max_plies.map_or(i32::MAX, plies);
            all.push(Condition::Plies { least, most });
        }
        all.extend(self.since.map(|period| Condition::Since(period.first())));
        all.extend(self.until.map(|period| Condition::Until(period.last())));
        let names = [("white", &self.white), ("black", &self.black)];
        let texts = [("event", &self.event), ("site", &self.site)];
        let names = names.map(|(column, text)| (column, text.as_deref().and_then(Words::of_name)));
        let texts = texts.map(|(column, text)| (column, text.as_deref().and_then(Words::of_text)));
        for (column, words) in names.into_iter().chain(texts) {
            all.extend(words.map(|words| Condition::Holds(column, words)));
        }
        // These may have to read moves.
        all.extend(self.eco.map(Condition::Eco));
        let named = self.opening.as_deref().and_then(|text| Named::parse(text).ok());
        all.extend(named.map(Condition::Opening));
        all
    }
}

impl Wanted {
    /// Whether all games are wanted.
    pub(crate) fn is_all(&self) -> bool {
        self.tags.is_empty() && self.player.is_none() && self.ids.is_none()
    }

    /// Leaves the rows of a row group that are wanted, and not deleted. Returns the player's side in them, if games of a player
    /// are wanted and there may be any.
    pub(super) fn retain<T>(
        &self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
    ) -> Result<Option<Sides>, ArchiveError> {
        if group.has_deleted() {
            rows.retain(|item| !group.is_deleted(row(item) as usize));
        }
        if let Some(wanted) = &self.ids
            && !rows.is_empty()
        {
            let set = group.ids(cache)?.rows(wanted, group.rows());
            rows.retain(|item| set.has(row(item)));
        }
        for condition in &self.tags {
            if rows.is_empty() {
                break;
            }
            condition.retain(group, cache, rows, &row)?;
        }
        let Some(player) = self.player.as_ref().filter(|_| !rows.is_empty()) else {
            return Ok(None);
        };
        let sides = player.sides(group, cache)?;
        rows.retain(|item| sides.of(row(item) as usize).is_some());
        Ok(Some(sides))
    }
}

impl Condition {
    fn retain<T>(
        &self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
    ) -> Result<(), ArchiveError> {
        let at = |item: &T| row(item) as usize;
        match self {
            Self::Holds(column, words) => {
                let texts = group.words(column, cache)?;
                let set = texts.holding(words);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Is(column, text) => {
                let texts = group.texts(column, cache)?;
                let set = texts.equal(text);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Eco(codes) => {
                let texts = group.texts("eco", cache)?;
                let set = texts.holding_code(codes);
                let tag = |item: &T| set[texts.number(at(item))];
                // Where all games have the tag, no moves are read.
                let openings = match rows.iter().any(|item| tag(item).is_none()) {
                    true => Some(group.openings(cache)?),
                    false => None,
                };
                let opening = |item: &T| openings.as_ref()?.of(at(item));
                let is_wanted =
                    |item: &T| opening(item).is_some_and(|opening| codes.contains(opening.eco()));
                rows.retain(|item| tag(item).unwrap_or_else(|| is_wanted(item)));
            }
            Self::Opening(named) => {
                let openings = group.openings(cache)?;
                rows.retain(|item| named.has(openings.of(at(item))));
            }
            Self::Result(result) => {
                let results = group.results(cache)?;
                rows.retain(|item| results[at(item)] == *result);
            }
            Self::Rated { least, most } => {
                let [white, black] =
                    [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
                let elo = |elos, row| value(elos, row).unwrap_or(UNRATED);
                rows.retain(|item| {
                    let (white, black) = (elo(&white, at(item)), elo(&black, at(item)));
                    white.min(black) >= *least && white.max(black) <= *most
                });
            }
            Self::Plies { least, most } => {
                let plies = group.numbers("plies", cache)?;
                let range = *least..=*most;
                rows.retain(|item| value(&plies, at(item)).is_some_and(|it| range.contains(&it)));
            }
            Self::Since(bound) => bound.retain(group, cache, rows, row, |found, it| found >= it)?,
            Self::Until(bound) => bound.retain(group, cache, rows, row, |found, it| found <= it)?,
        }
        Ok(())
    }
}

impl Bound {
    /// Leaves the rows whose date is, or may be, on the right side of the bound.
    fn retain<T>(
        self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
        is_within: impl Fn(i32, i32) -> bool,
    ) -> Result<(), ArchiveError> {
        let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
        let (day_of, year_of) =
            (|row: u32| value(&days, row as usize), |row: u32| value(&years, row as usize));
        // Of all others, day or year decide. In the year of the bound, the month may, unless all of them are within it.
        let all_months = is_within(1, self.month) && is_within(12, self.month);
        let is_open =
            |row: &u32| !all_months && day_of(*row).is_none() && year_of(*row) == Some(self.year);
        let mut open: Vec<u32> = rows.iter().map(&row).filter(is_open).collect();
        open.sort_unstable();
        open.dedup();
        let known = known_of(group, &open)?;
        let month_of = |row: u32| {
            let [month, _] = known[open.binary_search(&row).ok()?];
            (1..=12).contains(&month).then_some(i32::from(month))
        };
        let may_be_within = |row: u32| match (day_of(row), year_of(row)) {
            (Some(day), _) => is_within(day, self.day),
            (None, Some(year)) if year == self.year => {
                month_of(row).is_none_or(|month| is_within(month, self.month))
            }
            (None, year) => year.is_some_and(|year| is_within(year, self.year)),
        };
        rows.retain(|item| may_be_within(row(item)));
        Ok(())
    }
}

/// Below all ratings.
const UNRATED: i32 = i32::MIN;

/// The text in lower case. These are codes of letters and digits.
fn folded(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// The texts of a column of a row group.
#[derive(Debug)]
pub(super) struct FoldedTexts {
    /// The different texts, folded, one after the other.
    all: String,
    /// Where each of them ends.
    ends: Vec<usize>,
    /// The number of each row's text; for null, how many there are.
    numbers: Vec<u32>,
}

impl FoldedTexts {
    /// `None` if the column holds no texts. `write` appends a text as it is kept.
    fn of(column: &dyn Array, write: impl Fn(&str, &mut String)) -> Option<Self> {
        let column = column.as_dictionary_opt::<Int32Type>()?;
        let values: &StringArray = column.values().as_string_opt()?;
        let (mut all, mut ends) = (String::with_capacity(values.value_data().len()), Vec::new());
        for value in values {
            write(value.unwrap_or_default(), &mut all);
            ends.push(all.len());
        }
        let null = ends.len();
        let number = |key: Option<usize>| key.filter(|key| values.is_valid(*key)).unwrap_or(null);
        let numbers = column.keys_iter().map(|key| u32::try_from(number(key)).ok());
        Some(Self { numbers: numbers.collect::<Option<_>>()?, all, ends })
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.len() + size_of_val(&*self.ends) + size_of_val(&*self.numbers)
    }

    /// The number of a row's text, an index of the sets that follow.
    pub(super) fn number(&self, row: usize) -> usize {
        self.numbers[row] as usize
    }

    /// No text, and not null.
    fn none(&self) -> Vec<bool> {
        vec![false; self.ends.len() + 1]
    }

    /// Which texts hold the words. They are kept as words.
    pub(super) fn holding(&self, words: &Words) -> Vec<bool> {
        let mut set = self.none();
        let finder = Finder::new(words.longest());
        let (mut from, mut number, mut before) = (0, 0, 0);
        // No needle has two gaps side by side, so none goes on into the next text.
        while let Some(at) = finder.find(&self.all.as_bytes()[from..]) {
            // Most texts hold a short one, so the next is near.
            while self.ends[number] <= from + at {
                before = self.ends[number];
                number += 1;
            }
            from = self.ends[number];
            set[number] = words.is_one() || words.are_in(&self.all[before..from]);
        }
        set
    }

    /// Which texts are one of some codes; `None` for those that are no code, and for null.
    fn holding_code(&self, codes: &EcoCodes) -> Vec<Option<bool>> {
        let all = self.texts().map(|text| codes.holds(text));
        all.chain([None]).collect()
    }

    /// Which texts are a text.
    fn equal(&self, text: &str) -> Vec<bool> {
        self.texts().map(|found| found == text).chain([false]).collect()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.all[start..*end])
    }

    /// What is said of each text, by its number; of null, the default.
    pub(super) fn each<T: Default>(&self, say: impl Fn(&str) -> T) -> Vec<T> {
        let mut start = 0;
        let said = self.ends.iter().map(|end| {
            let text = &self.all[start..*end];
            start = *end;
            say(text)
        });
        let mut said: Vec<T> = said.collect();
        said.push(T::default());
        said
    }
}

impl Group {
    /// The texts of a column, in lower case.
    pub(super) fn texts(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        let write = |text: &str, out: &mut String| {
            out.push_str(text);
            let start = out.len() - text.len();
            out[start..].make_ascii_lowercase();
        };
        self.folded_texts(Kind::Texts(name), name, cache, write)
    }

    /// The words of a column.
    pub(super) fn words(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        self.folded_texts(Kind::Words(name), name, cache, write_words)
    }

    fn folded_texts(
        &self,
        kind: Kind,
        name: &'static str,
        cache: &Cache,
        write: impl Fn(&str, &mut String),
    ) -> Result<Arc<FoldedTexts>, ArchiveError> {
        let column = cache.column(&self.key(kind), || {
            let texts = FoldedTexts::of(&self.read_dictionary(name)?, write);
            Ok(CachedColumn::Texts(Arc::new(texts.ok_or_else(|| self.wrong(name))?)))
        })?;
        match column {
            CachedColumn::Texts(texts) => Ok(texts),
            _ => Err(self.wrong(name)),
        }
    }

    /// The numbers of a column; dates are days since 1970-01-01.
    pub(crate) fn numbers(
        &self,
        name: &'static str,
        cache: &Cache,
    ) -> Result<Int32Array, ArchiveError> {
        let column = cache.column(&self.key(Kind::Numbers(name)), || {
            Ok(CachedColumn::Numbers(self.read_numbers(name)?))
        })?;
        match column {
            CachedColumn::Numbers(numbers) => Ok(numbers),
            _ => Err(self.wrong(name)),
        }
    }

    pub(super) fn read_numbers(&self, name: &str) -> Result<Int32Array, ArchiveError> {
        let numbers = cast(&self.read(name, 0..self.rows())?, &DataType::Int32)?;
        numbers.as_primitive_opt::<Int32Type>().cloned().ok_or_else(|| self.wrong(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::DictionaryArray;

    /// The words of one text at a time are the oracle.
    #[test]
    fn texts_are_found_as_a_slow_search_finds_them() {
        let rows = [
            Some("Kärpov, A"),
            None,
            Some("KARPOV"),
            Some(""),
            Some("?"),
            Some("Karpova, Ana"),
            Some("A. Karpov"),
            Some("von Karpov"),
        ];
        let column: DictionaryArray<Int32Type> = rows.into_iter().collect();
        let texts = FoldedTexts::of(&column, write_words).expect("a column of texts");
        let mut found = 0;
        for typed in ["karpov", "karp*", "a", "karpov a", "a k", "ana", "von karpov a", "x"] {
            let words = Words::of_name(typed).expect("words");
            let holding = texts.holding(&words);
            for (row, text) in rows.iter().enumerate() {
                let mut folded = String::new();
                write_words(text.unwrap_or_default(), &mut folded);
                let is_wanted = text.is_some() && words.are_in(&folded);
                assert_eq!(holding[texts.number(row)], is_wanted, "{typed} in {text:?}");
                found += usize::from(is_wanted);
            }
        }
        assert!(found > 15, "{found}");
    }

    #[test]
    fn codes_are_found_as_a_slow_search_finds_them() {
        let rows = [Some("B90"), None, Some("b9"), Some(""), Some("B"), Some("C90")];
        let column: DictionaryArray<Int32Type> = rows.into_iter().collect();
        let write = |text: &str, out: &mut String| out.push_str(&text.to_ascii_lowercase());
        let texts = FoldedTexts::of(&column, write).expect("a column of texts");
        for needle in ["b", "b9", "b90", "c", "c80-c95"] {
            let codes: EcoCodes = needle.parse().expect("codes");
            let (holding, equal) = (texts.holding_code(&codes), texts.equal(needle));
            for (row, text) in rows.iter().enumerate() {
                let holds = text.and_then(|text| codes.holds(text));
                assert_eq!(holding[texts.number(row)], holds, "{needle} holds {text:?}");
                let is_it = text.map(folded).is_some_and(|text| text == needle);
                assert_eq!(equal[texts.number(row)], is_it, "{needle} is {text:?}");
            }
        }
    }
}
