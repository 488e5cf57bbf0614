//! Conditions on tags, answered from columns in memory.
//!
//! A row group has the same names again and again. So its texts are kept once each, without differences of case, one after the
//! other, and every row has the number of its text:
//!
//! ```text
//!  carlsen, magnuskarpov, anatolykasparov, garry      one search for "kar" through all of it: text 1
//!  └ 0            └ 1            └ 2
//!  1 2 2 0 1 …                                        then a look-up for each row
//! ```

use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, Int32Array, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type};
use memchr::memmem::Finder;
use roaring::RoaringTreemap;

use super::cache::{Cache, CachedColumn, Kind};
use super::group::Group;
use crate::error::ArchiveError;
use crate::explore::Results;
use crate::filter::Filter;

/// What games must meet beside a position.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Conditions on tags, all of them.
    pub(crate) tags: Vec<Condition>,
    /// The games that meet a condition in SQL, by id.
    pub(crate) ids: Option<RoaringTreemap>,
}

/// A condition on tags.
#[derive(Debug)]
pub(crate) enum Condition {
    /// One of these columns holds the text, in whatever case.
    Holds(&'static [&'static str], String),
    /// The column is the text, in whatever case.
    Is(&'static str, String),
    /// The column begins with the text, in whatever case.
    Begins(&'static str, String),
    /// The result has this number of [`Results`].
    Result(u8),
    /// Both players have at least this rating.
    Rated(i32),
    /// Not before this day; where only the year is known, not before this year.
    Since { day: i32, year: i32 },
    /// Not after this day; where only the year is known, not after this year.
    Until { day: i32, year: i32 },
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
        all.extend(self.min_elo.map(|elo| Condition::Rated(elo.into())));
        if let Some((day, year)) = self.since.map(|period| period.first()) {
            all.push(Condition::Since { day, year });
        }
        if let Some((day, year)) = self.until.map(|period| period.last()) {
            all.push(Condition::Until { day, year });
        }
        all.extend(self.eco.as_deref().map(|text| Condition::Begins("eco", folded(text))));
        let texts: [(&[&str], _); 5] = [
            (&["white"], &self.white),
            (&["black"], &self.black),
            (&["white", "black"], &self.player),
            (&["event"], &self.event),
            (&["site"], &self.site),
        ];
        for (columns, text) in texts {
            all.extend(text.as_deref().map(|text| Condition::Holds(columns, folded(text))));
        }
        all
    }
}

impl Wanted {
    /// Whether all games are wanted.
    pub(crate) fn is_all(&self) -> bool {
        self.tags.is_empty() && self.ids.is_none()
    }

    /// Leaves the rows of a row group that are wanted, and not deleted.
    pub(super) fn retain<T>(
        &self,
        group: &Group,
        cache: &Cache,
        rows: &mut Vec<T>,
        row: impl Fn(&T) -> u32,
    ) -> Result<(), ArchiveError> {
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
        Ok(())
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
            Self::Holds(columns, text) => {
                let finder = Finder::new(text);
                let found = columns.iter().map(|column| {
                    let texts = group.texts(column, cache)?;
                    Ok((texts.holding(&finder), texts))
                });
                let found = found.collect::<Result<Vec<_>, ArchiveError>>()?;
                rows.retain(|item| found.iter().any(|(set, texts)| set[texts.number(at(item))]));
            }
            Self::Is(column, text) => {
                let texts = group.texts(column, cache)?;
                let set = texts.equal(text);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Begins(column, text) => {
                let texts = group.texts(column, cache)?;
                let set = texts.beginning(text);
                rows.retain(|item| set[texts.number(at(item))]);
            }
            Self::Result(result) => {
                let results = group.results(cache)?;
                rows.retain(|item| results[at(item)] == *result);
            }
            Self::Rated(least) => {
                let players =
                    [group.numbers("white_elo", cache)?, group.numbers("black_elo", cache)?];
                let is_rated = |row| players.iter().all(|elo| value(elo, row) >= Some(*least));
                rows.retain(|item| is_rated(at(item)));
            }
            Self::Since { day, year } => {
                let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
                let is_later = |row| match value(&days, row) {
                    Some(found) => found >= *day,
                    None => value(&years, row) >= Some(*year),
                };
                rows.retain(|item| is_later(at(item)));
            }
            Self::Until { day, year } => {
                let (days, years) = (group.numbers("date", cache)?, group.numbers("year", cache)?);
                let is_earlier = |row| match value(&days, row) {
                    Some(found) => found <= *day,
                    None => value(&years, row).is_some_and(|found| found <= *year),
                };
                rows.retain(|item| is_earlier(at(item)));
            }
        }
        Ok(())
    }
}

fn value(numbers: &Int32Array, row: usize) -> Option<i32> {
    numbers.is_valid(row).then(|| numbers.value(row))
}

/// The text without differences of case: texts that differ only in these are the same then.
fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

/// Unicode's simple case folding, but for which one of the characters stands for all of them: `Σ`, `σ` and `ς` become the
/// same character, and so do `S`, `s` and `ſ`.
fn fold(char: char) -> char {
    match char {
        _ if char.is_ascii() => char.to_ascii_lowercase(),
        // Its upper case is I, but only in Turkish is it the lower case of that.
        '\u{131}' => char,
        // Characters that are the same, whose upper case is more than one character.
        '\u{1fd3}' => '\u{390}',
        '\u{1fe3}' => '\u{3b0}',
        '\u{fb05}' => '\u{fb06}',
        _ => {
            let upper = only(char.to_uppercase()).unwrap_or(char);
            only(upper.to_lowercase()).unwrap_or(upper)
        }
    }
}

/// The only one of some characters.
fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
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
    /// `None` if the column holds no texts.
    fn of(column: &dyn Array) -> Option<Self> {
        let column = column.as_dictionary_opt::<Int32Type>()?;
        let values: &StringArray = column.values().as_string_opt()?;
        let (mut all, mut ends) = (String::with_capacity(values.value_data().len()), Vec::new());
        for value in values {
            all.extend(value.unwrap_or_default().chars().map(fold));
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
    fn number(&self, row: usize) -> usize {
        self.numbers[row] as usize
    }

    /// No text, and not null.
    fn none(&self) -> Vec<bool> {
        vec![false; self.ends.len() + 1]
    }

    /// Which texts hold a text.
    fn holding(&self, finder: &Finder<'_>) -> Vec<bool> {
        let mut set = self.none();
        let bytes = self.all.as_bytes();
        if finder.needle().is_empty() {
            set[..self.ends.len()].fill(true);
            return set;
        }
        let (mut from, mut number) = (0, 0);
        while let Some(at) = finder.find(&bytes[from..]) {
            let (start, end) = (from + at, from + at + finder.needle().len());
            // Most texts hold a short one, so the next is near.
            while self.ends[number] <= start {
                number += 1;
            }
            // What goes on into the next text is in none.
            from = start + 1;
            if end <= self.ends[number] {
                set[number] = true;
                from = self.ends[number];
            }
        }
        set
    }

    /// Which texts begin with a text.
    fn beginning(&self, text: &str) -> Vec<bool> {
        self.each(|found| found.starts_with(text))
    }

    /// Which texts are a text.
    fn equal(&self, text: &str) -> Vec<bool> {
        self.each(|found| found == text)
    }

    fn each(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut set = self.none();
        let mut start = 0;
        for (set, end) in set.iter_mut().zip(&self.ends) {
            *set = is_wanted(&self.all[start..*end]);
            start = *end;
        }
        set
    }
}

impl Group {
    /// The texts of a column.
    fn texts(&self, name: &'static str, cache: &Cache) -> Result<Arc<FoldedTexts>, ArchiveError> {
        let column = cache.column(&self.key(Kind::Texts(name)), || {
            let texts = FoldedTexts::of(&self.read_dictionary(name)?);
            Ok(CachedColumn::Texts(Arc::new(texts.ok_or_else(|| self.wrong(name))?)))
        })?;
        match column {
            CachedColumn::Texts(texts) => Ok(texts),
            _ => Err(self.wrong(name)),
        }
    }

    /// The numbers of a column; dates are days since 1970-01-01.
    fn numbers(&self, name: &'static str, cache: &Cache) -> Result<Int32Array, ArchiveError> {
        let column = cache.column(&self.key(Kind::Numbers(name)), || {
            let numbers = cast(&self.read(name, 0..self.rows())?, &DataType::Int32)?;
            let numbers = numbers.as_primitive_opt::<Int32Type>().cloned();
            Ok(CachedColumn::Numbers(numbers.ok_or_else(|| self.wrong(name))?))
        })?;
        match column {
            CachedColumn::Numbers(numbers) => Ok(numbers),
            _ => Err(self.wrong(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::DictionaryArray;
    use datafusion::arrow::compute::kernels::comparison::ilike;

    /// The engine's `ILIKE` is the oracle: for each character, which others are the same.
    #[test]
    fn cases_are_folded_as_the_engine_folds_them() {
        // Those of Unicode 17 are unknown to it.
        let is_new = |char| matches!(char, '\u{a7ce}'..='\u{a7d5}' | '\u{16ea0}'..='\u{16ed3}');
        let has_case = |char: &char| {
            !is_new(*char) && (!char.to_lowercase().eq([*char]) || !char.to_uppercase().eq([*char]))
        };
        let chars: Vec<char> = ('\0'..=char::MAX).filter(has_case).collect();
        assert!(chars.len() > 2_500, "{}", chars.len());
        let texts: StringArray = chars.iter().map(|char| Some(char.to_string())).collect();
        for char in &chars {
            let pattern = StringArray::new_scalar(char.to_string());
            let same = ilike(&texts, &pattern).expect("texts");
            for (other, is_same) in chars.iter().zip(same.iter().flatten()) {
                assert_eq!(fold(*other) == fold(*char), is_same, "{char:?} and {other:?}");
            }
        }
    }

    #[test]
    fn texts_are_found_as_a_slow_search_finds_them() {
        let rows = [Some("Kärpov"), None, Some("KaSPAROV"), Some(""), Some("ovKa"), Some("İo")];
        let column: DictionaryArray<Int32Type> = rows.into_iter().collect();
        let texts = FoldedTexts::of(&column).expect("a column of texts");
        for needle in ["", "ka", "ov", "ovk", "vo", "k", "KÄ", "ovka", "i̇o", "parovov"] {
            let needle = folded(needle);
            let (holding, beginning) =
                (texts.holding(&Finder::new(&needle)), texts.beginning(&needle));
            let equal = texts.equal(&needle);
            for (row, text) in rows.iter().enumerate() {
                let text = text.map(folded);
                let number = texts.number(row);
                let holds = text.as_ref().is_some_and(|text| text.contains(&needle));
                assert_eq!(holding[number], holds, "{needle} in {text:?}");
                let begins = text.as_ref().is_some_and(|text| text.starts_with(&needle));
                assert_eq!(beginning[number], begins, "{needle} before {text:?}");
                let is_it = text.as_ref().is_some_and(|text| *text == needle);
                assert_eq!(equal[number], is_it, "{needle} is {text:?}");
            }
        }
    }
}
