//! Conditions of the command line, turned into the filter of an archive.

use crate::args;
use crate::condition;
use crate::output::{self, Advised};
use anyhow::anyhow;
use halfmove_archive::{
    Archive, ArchiveError, ConditionError, ConditionFault, Filter, FilterError, IdRange,
};
use std::collections::BTreeSet;

/// The conditions of a command line. `--id` and `--where` become a set of ids once the archive is open.
#[derive(Debug)]
pub(crate) struct Selection {
    filter: Filter,
    ids: Vec<IdRange>,
    sql: Option<String>,
}

impl Selection {
    /// Reads the flags.
    pub(crate) fn new(typed: args::Filter, position: &args::Position) -> anyhow::Result<Self> {
        let args::Filter { mut conditions, sql } = typed;
        conditions.position = position.requested()?;
        conditions.variant = position.variant.map(Into::into);
        let filter = conditions
            .build(i64::MAX)
            .map_err(|error| explain(&error, conditions.text(&error.name).unwrap_or_default()))?;
        Ok(Self { filter, ids: Vec::new(), sql })
    }

    /// Turns the conditions into the filter for games that are in no archive yet.
    pub(crate) fn of_new_games(self) -> anyhow::Result<Filter> {
        if self.sql.is_some() {
            let error = anyhow!("--where asks the games of an archive, and these are in none yet");
            let hint = "import takes the other conditions (halfmove help filters); after an import: halfmove remove ARCHIVE \
                        --where \"not (…)\"";
            return Err(Advised::new(error, hint).into());
        }
        Ok(self.filter)
    }

    /// Adds a set of ids as a condition, if any are given.
    pub(crate) fn with_ids(self, ids: &[IdRange]) -> Self {
        Self { ids: ids.to_vec(), ..self }
    }

    /// Returns true if there is no condition.
    pub(crate) fn is_empty(&self) -> bool {
        self.filter.is_empty() && self.ids.is_empty() && self.sql.is_none()
    }

    /// Turns the conditions into the filter for an archive.
    pub(crate) fn on(self, archive: &Archive) -> anyhow::Result<Filter> {
        let Self { mut filter, ids, sql } = self;
        if !ids.is_empty() {
            filter.ids = Some(IdRange::set(&ids, archive.last_id()));
        }
        if let Some(sql) = sql {
            let found = condition::ids(archive, &sql)?;
            filter.ids = Some(match filter.ids {
                Some(ids) => ids & found,
                None => found,
            });
        }
        Ok(filter)
    }
}

/// Explains the error of a condition, whose text is this one, in terms of the flags.
fn explain(error: &ConditionError, text: &str) -> anyhow::Error {
    let flag = format!("--{}", error.name.replace('_', "-"));
    let (error, hint) = match &error.why {
        ConditionFault::Needs("player") => {
            let hint = match (error.name.as_str(), text) {
                ("opponent", _) => "for games of either color: --player NAME",
                ("as", _) => "--white NAME and --black NAME give color and player at once",
                (_, "loss") => "if Black won: --result 0-1",
                (_, "draw") => "any draw: --result 1/2-1/2",
                _ => "if White won: --result 1-0",
            };
            let value = if error.name == "result" { format!(" {text}") } else { String::new() };
            let error = anyhow!("{flag}{value} is about the player, so it needs --player");
            (error, hint.to_owned())
        }
        ConditionFault::Filter(FilterError::NoWord { field, text }) => {
            let error = no_word(&flag, text);
            let hint = match *field {
                _ if cfg!(not(feature = "sql")) => return error,
                "opening" => return error,
                "comment" => {
                    "SQL finds comments by other characters: --where \"comments(annotations) like '%?%'\"".to_owned()
                }
                field => {
                    let column = if matches!(field, "event" | "site") { field } else { "white" };
                    format!("SQL finds names without letters and digits: --where \"{column} = '?'\"")
                }
            };
            (error, hint)
        }
        ConditionFault::Filter(error) => return anyhow!("{error}"),
        ConditionFault::Contradiction { most, other, least } => {
            let other = other.replace('_', "-");
            return anyhow!("{flag} {most} contradicts --{other} {least}");
        }
        why => return anyhow!("{flag} {why}"),
    };
    Advised::new(error, hint).into()
}

/// The error for a text without a word to search for.
pub(crate) fn no_word(what: &str, text: &str) -> anyhow::Error {
    anyhow!("{what} \"{text}\" has no word in it: expected a letter or a digit")
}

/// The maximum number of unknown ids to list.
const LISTED: usize = 5;

/// Prints a note on ids that no game has. A range stands for the existing games in it, so its gaps are not noted.
pub(crate) fn note_unknown_ids(archive: &Archive, typed: &[IdRange]) -> Result<(), ArchiveError> {
    let has_single = typed.iter().any(|ids| ids.single().is_some());
    if !has_single {
        return Ok(());
    }
    let set = typed.iter().copied().filter(|ids| ids.single().is_some());
    let set = IdRange::set(&set.collect::<Vec<_>>(), archive.last_id());
    let known = archive.ids(&Filter { ids: Some(set), ..Filter::default() })?;
    let is_unknown = |id: &i64| !u64::try_from(*id).is_ok_and(|id| known.contains(id));
    let mut seen = BTreeSet::new();
    // In the order in which they were typed.
    let unknown: Vec<String> = typed
        .iter()
        .filter_map(|ids| ids.single())
        .filter(|id| is_unknown(id) && seen.insert(*id))
        .map(|id| id.to_string())
        .collect();
    let some = unknown[..unknown.len().min(LISTED)].join(", ");
    match unknown.len() {
        0 => {}
        1 => output::note(format_args!("no game has the id {some}")),
        2..=LISTED => output::note(format_args!("no games have the ids {some}")),
        all => output::note(format_args!(
            "no games have the ids {some} and {} more",
            output::grouped((all - LISTED) as u64)
        )),
    }
    Ok(())
}
