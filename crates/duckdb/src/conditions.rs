//! The conditions of a search as named parameters: those of the [table](Condition), a variant and a position; and numbers of half-moves.

use std::time::SystemTime;

use halfmove_archive::halfmoves::Plies;
use halfmove_archive::{Archive, Condition, Conditions, Filter};
use halfmove_functions::literals;
use halfmove_game::movetext;
use halfmove_rules::AnyPosition;

/// The names of the parameters.
pub(crate) fn names() -> Vec<&'static str> {
    let conditions = Condition::all().map(Condition::keyword);
    ["variant", "fen", "moves"].into_iter().chain(conditions).collect()
}

/// The same names, and the parameter that chooses half-moves.
pub(crate) fn names_and_ply() -> Vec<&'static str> {
    let mut names = names();
    names.push(PLY);
    names
}

/// The parameter that chooses half-moves.
const PLY: &str = "ply";

/// The named parameters of a call, by name.
pub(crate) type Given<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The filter of a search.
pub(crate) fn filter(given: &Given<'_>, archive: &Archive) -> Result<Filter, String> {
    built(&read(given)?, archive)
}

/// The filter of an explorer, with its position.
pub(crate) fn explorer_filter(given: &Given<'_>, archive: &Archive) -> Result<Filter, String> {
    let conditions = read(given)?;
    conditions.check_for_explorer().map_err(|error| error.to_string())?;
    built(&conditions, archive)
}

/// The half-moves that a call chooses: numbers and ranges, `1,20-39,101-`, in brackets if they are a list of DuckDB; without any, all.
pub(crate) fn plies(given: &Given<'_>) -> Result<Plies, String> {
    let Some(text) = given(PLY) else { return Ok(Plies::all()) };
    let list = text.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    if list.is_some_and(|list| list.trim().is_empty()) {
        return Ok(Plies::of([]));
    }
    list.unwrap_or(&text).parse().map_err(|error| format!("{PLY}: \"{text}\": {error}"))
}

fn built(conditions: &Conditions, archive: &Archive) -> Result<Filter, String> {
    conditions.build(archive.last_id()).map_err(|error| error.to_string())
}

fn read(given: &Given<'_>) -> Result<Conditions, String> {
    let mut conditions = Conditions::new(SystemTime::now());
    if let Some(text) = given("variant") {
        conditions.variant = Some(literals::variant(&text).map_err(|error| error.to_string())?);
    }
    if let Some(text) = given("fen") {
        let start = Conditions::start(&text, conditions.variant);
        conditions.position = Some(start.map_err(|error| error.to_string())?.0);
    }
    if let Some(text) = given("moves") {
        let start = || AnyPosition::start(conditions.variant.unwrap_or_default());
        let start = conditions.position.take().unwrap_or_else(start);
        let reached = movetext::play(start, &text).map_err(|error| match &error.hint {
            Some(hint) => format!("moves: {error}; {hint}"),
            None => format!("moves: {error}"),
        });
        conditions.position = Some(reached?);
    }
    for condition in Condition::all() {
        if let Some(text) = given(condition.keyword()) {
            conditions.set(condition.name, &text).map_err(|error| error.to_string())?;
        }
    }
    Ok(conditions)
}
