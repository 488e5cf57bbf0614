//! Conditions of the command line, turned into the filter of an archive.

use crate::args::{self, Ending, Years};
use crate::condition;
use crate::output::{self, Advised};
use anyhow::{anyhow, bail};
use halfmove_archive::{Archive, ArchiveError, Filter, FilterError, IdRange, PlayerResult, Sample};
use std::collections::BTreeSet;

/// The conditions of a command line. `--id` and `--where` become a set of ids once the archive is open.
#[derive(Debug)]
pub(crate) struct Conditions {
    filter: Filter,
    ids: Vec<IdRange>,
    sql: Option<String>,
}

impl Conditions {
    /// Reads the flags.
    pub(crate) fn new(typed: args::Filter, position: &args::Position) -> anyhow::Result<Self> {
        let args::Filter {
            player,
            opponent,
            side,
            white,
            black,
            exact,
            event,
            site,
            eco,
            opening,
            speed,
            time_control,
            result,
            since,
            until,
            year,
            min_elo,
            max_elo,
            min_plies,
            max_plies,
            sample,
            seed,
            condition,
            questions,
        } = typed;
        let has_name = [&player, &opponent, &white, &black].into_iter().any(Option::is_some);
        if exact && !has_name {
            let error =
                anyhow!("--exact takes the name of a player as it is spelled, and none is given");
            return Err(Advised::new(error, "give a name: --player, --white or --black").into());
        }
        let (since, until) = match year {
            Some(Years(first, last)) => (Some(first), Some(last)),
            None => (since, until),
        };
        if let (Some(since), Some(until)) = (since, until)
            && until.is_before(since)
        {
            bail!("--until {until} is before --since {since}: no game matches both");
        }
        if let (Some(least), Some(most)) = (min_elo, max_elo)
            && most < least
        {
            bail!("--max-elo {most} is below --min-elo {least}: no game matches both");
        }
        if let (Some(least), Some(most)) = (min_plies, max_plies)
            && most < least
        {
            bail!("--max-plies {most} is below --min-plies {least}: no game matches both");
        }
        let (result, player_result) = match result {
            Some(Ending::Result(result)) => (Some(result), None),
            Some(Ending::Player(result)) => (None, Some(result)),
            None => (None, None),
        };
        let in_variations = questions.in_variations;
        let filter = Filter {
            position: position.requested()?,
            questions: questions.into_questions()?,
            variant: position.variant.map(Into::into),
            player,
            opponent,
            color: side.map(Into::into),
            player_result,
            white,
            black,
            exact_names: exact,
            event,
            site,
            eco,
            opening,
            speeds: speed.into_iter().collect(),
            time_control,
            result,
            since,
            until,
            min_elo,
            max_elo,
            mean_elo: Vec::new(),
            min_plies,
            max_plies,
            sample: sample.and_then(|share| Sample::new(share, seed)),
            ids: None,
        };
        let filter = match in_variations {
            true => filter.in_variations().ok_or_else(nothing_in_variations)?,
            false => filter,
        };
        filter.check().map_err(|error| explain(&error, player_result))?;
        Ok(Self { filter, ids: Vec::new(), sql: condition })
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

/// The error of `--in-variations` without a condition that a variation can meet.
fn nothing_in_variations() -> anyhow::Error {
    let error = anyhow!("--in-variations needs a position, moves or a condition on the board");
    Advised::new(error, "such as --moves, --played or --pattern").into()
}

/// Explains the error of a filter in terms of the flags.
fn explain(error: &FilterError, result: Option<PlayerResult>) -> anyhow::Error {
    match error {
        FilterError::NoPlayer { field } => {
            let (flag, hint) = match (*field, result) {
                ("opponent", _) => ("--opponent", "for games of either color: --player NAME"),
                ("color", _) => {
                    ("--as", "--white NAME and --black NAME give color and player at once")
                }
                (_, Some(PlayerResult::Loss)) => ("--result loss", "if Black won: --result 0-1"),
                (_, Some(PlayerResult::Draw)) => ("--result draw", "any draw: --result 1/2-1/2"),
                _ => ("--result win", "if White won: --result 1-0"),
            };
            Advised::new(anyhow!("{flag} is about the player, so it needs --player"), hint).into()
        }
        FilterError::NoWord { field, text } => {
            let error = no_word(&format!("--{field}"), text);
            if *field == "opening" || cfg!(not(feature = "sql")) {
                return error;
            }
            let hint = match *field {
                "comment" => {
                    "SQL finds comments by other characters: --where \"comments(annotations) like '%?%'\"".to_owned()
                }
                field => {
                    let column = if matches!(field, "event" | "site") { field } else { "white" };
                    format!("SQL finds names without letters and digits: --where \"{column} = '?'\"")
                }
            };
            Advised::new(error, hint).into()
        }
        other => anyhow!("{other}"),
    }
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
