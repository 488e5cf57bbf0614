//! The names that conditions match: a note on those that match several, and a field of JSON.

use crate::output::{self, counted, grouped};
use halfmove_archive::{Archive, ArchiveError, Filter, NameSpellings};
use serde_json::{Map, Value, json};

/// The maximum number of names to list in a note.
const LISTED: usize = 4;

/// The names that the conditions on players match in the games that are found.
pub(crate) struct Spellings(Vec<NameSpellings>);

impl Spellings {
    /// Finds them, and prints a note on each text that matches the names of several players.
    pub(crate) fn noted(archive: &Archive, filter: &Filter) -> Result<Self, ArchiveError> {
        let all = archive.spellings(filter)?;
        for NameSpellings { text, names, .. } in all.iter().filter(|all| all.are_several_players) {
            let mut list: Vec<String> = names[..names.len().min(LISTED)]
                .iter()
                .map(|name| format!("\"{}\" ({})", name.name, counted(name.games, "game")))
                .collect();
            if let Some(rest) = names.get(LISTED..).filter(|rest| !rest.is_empty()) {
                let games = rest.iter().map(|name| name.games).sum();
                list.push(format!(
                    "{} more ({})",
                    grouped(rest.len() as u64),
                    counted(games, "game")
                ));
            }
            let hint = if filter.exact_names { "" } else { "; for one of them: --exact" };
            output::note(format_args!(
                "\"{text}\" matches {} names: {}{hint}",
                grouped(names.len() as u64),
                list.join(", "),
            ));
        }
        Ok(Self(all))
    }

    /// Adds the names to an object, by condition, if there are any conditions on players.
    pub(crate) fn add(&self, object: &mut Value) {
        if self.0.is_empty() {
            return;
        }
        let of = |all: &NameSpellings| -> Value {
            let names = all.names.iter();
            names.map(|name| json!({ "name": name.name, "games": name.games })).collect()
        };
        let fields = self.0.iter().map(|all| (all.field.to_owned(), of(all)));
        object["names"] = Value::Object(fields.collect::<Map<_, _>>());
    }
}
