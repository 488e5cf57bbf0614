//! Columns of texts in memory, for word search.
//!
//! Names recur within a row group. So each distinct text is stored once, as [words](halfmove_functions::words), in a
//! single buffer, and every row has the index of its text:
//!
//! ```text
//!  ·carlsen·magnus··karpov·anatoly··kasparov·garry·   one search for "·karpov·" through all of it: text 1
//!  └ 0              └ 1             └ 2
//!  1 2 2 0 1 …                                        then a look-up for each row
//! ```
//!
//! With several words, the longest is searched first, and the others only in texts that contain it.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, StringArray};
use halfmove_functions::words::Words;
use memchr::memmem::Finder;

/// The texts of a column of a row group.
#[derive(Debug)]
pub(crate) struct FoldedTexts {
    /// The distinct texts, folded, one after the other.
    all: String,
    /// The end of each of them.
    ends: Vec<usize>,
    /// The index of each row's text; for null, the number of texts.
    numbers: Vec<u32>,
}

impl FoldedTexts {
    /// `None` if the column does not have texts. `write` appends a text in the stored form.
    pub(super) fn of(column: &dyn Array, write: impl Fn(&str, &mut String)) -> Option<Self> {
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

    pub(crate) fn bytes(&self) -> usize {
        self.all.len() + size_of_val(&*self.ends) + size_of_val(&*self.numbers)
    }

    /// The index of a row's text in the vectors returned by the methods below.
    pub(crate) fn number(&self, row: usize) -> usize {
        self.numbers[row] as usize
    }

    /// A vector of `false` for each text, and for null.
    fn none(&self) -> Vec<bool> {
        vec![false; self.ends.len() + 1]
    }

    /// Returns, for each text, true if it has the words.
    pub(crate) fn holding(&self, words: &Words) -> Vec<bool> {
        let mut set = self.none();
        let finder = Finder::new(words.longest());
        let (mut from, mut number, mut before) = (0, 0, 0);
        // A needle never contains two consecutive gaps, so it cannot extend into the next text.
        while let Some(at) = finder.find(&self.all.as_bytes()[from..]) {
            // Short needles occur in most texts, so the next match is near.
            while self.ends[number] <= from + at {
                before = self.ends[number];
                number += 1;
            }
            from = self.ends[number];
            set[number] = words.is_one() || words.are_in(&self.all[before..from]);
        }
        set
    }

    /// Returns, for each text, true if it is equal to a text.
    pub(crate) fn equal(&self, text: &str) -> Vec<bool> {
        self.texts().map(|found| found == text).chain([false]).collect()
    }

    /// The texts, in the order of their indices.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.all[start..*end])
    }

    /// The result of a function for each text, by its index; for null, the default.
    pub(crate) fn each<T: Default>(&self, answer: impl Fn(&str) -> T) -> Vec<T> {
        let mut start = 0;
        let answers = self.ends.iter().map(|end| {
            let text = &self.all[start..*end];
            start = *end;
            answer(text)
        });
        let mut answers: Vec<T> = answers.collect();
        answers.push(T::default());
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::DictionaryArray;
    use halfmove_functions::words::write_words;

    /// The oracle tests the words of one text at a time.
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
                let is_match = text.is_some() && words.are_in(&folded);
                assert_eq!(holding[texts.number(row)], is_match, "{typed} in {text:?}");
                found += usize::from(is_match);
            }
        }
        assert!(found > 15, "{found}");
    }

    #[test]
    fn each_text_has_its_answer() {
        let rows = [Some("B90"), None, Some("b9"), Some(""), Some("B"), Some("C90")];
        let column: DictionaryArray<Int32Type> = rows.into_iter().collect();
        let write = |text: &str, out: &mut String| out.push_str(&text.to_ascii_lowercase());
        let texts = FoldedTexts::of(&column, write).expect("a column of texts");
        let lengths = texts.each(|text| Some(text.len()));
        for (row, text) in rows.iter().enumerate() {
            assert_eq!(lengths[texts.number(row)], text.map(str::len), "{text:?}");
        }
        for needle in ["b", "b9", "b90", "c"] {
            let equal = texts.equal(needle);
            for (row, text) in rows.iter().enumerate() {
                let is_it = text.is_some_and(|text| text.to_ascii_lowercase() == needle);
                assert_eq!(equal[texts.number(row)], is_it, "{needle} is {text:?}");
            }
        }
    }
}
