//! Texts that are almost valid.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A change to a text.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// Some letters are replaced by others.
    Letters(Index, usize, &'static str),
    /// Two letters change places.
    Swap(Index, Index),
    /// A field after the first, given by its number, is replaced.
    Field(usize, &'static str),
}

/// Up to three changes, with these letters and these fields.
pub(crate) fn edits(
    letters: &'static [&'static str],
    fields: &'static [&'static str],
) -> impl Strategy<Value = Vec<Edit>> {
    let place = any::<Index>;
    let edit = prop_oneof![
        2 => (place(), 0..3_usize, select(letters)).prop_map(|(at, len, new)| Edit::Letters(at, len, new)),
        2 => (place(), place()).prop_map(|(one, other)| Edit::Swap(one, other)),
        5 => (1..8_usize, select(fields)).prop_map(|(field, new)| Edit::Field(field, new)),
    ];
    prop::collection::vec(edit, 0..4)
}

/// The text after these changes.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters = text.chars().collect::<Vec<_>>();
    for edit in edits {
        match edit {
            Edit::Letters(at, len, new) => {
                let at = at.index(letters.len() + 1);
                letters.splice(at..(at + len).min(letters.len()), new.chars());
            }
            Edit::Swap(one, other) if !letters.is_empty() => {
                let [one, other] = [one, other].map(|at| at.index(letters.len()));
                letters.swap(one, other);
            }
            Edit::Swap(..) => {}
            Edit::Field(number, new) => {
                let text = letters.iter().collect::<String>();
                let mut fields = text.split(' ').collect::<Vec<_>>();
                if let Some(field) = fields.get_mut(*number) {
                    *field = new;
                }
                letters = fields.join(" ").chars().collect();
            }
        }
    }
    letters.into_iter().collect()
}
