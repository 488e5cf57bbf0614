//! The conditions of a search as named parameters: those of the [table](Condition), a variant and a position.

use std::time::SystemTime;

use halfmove_archive::{Archive, Condition, Conditions, Filter};
use halfmove_functions::literals;
use halfmove_game::movetext;
use halfmove_rules::AnyPosition;

/// The names of the parameters.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ["variant", "fen", "moves"].into_iter().chain(Condition::all().map(Condition::keyword))
}

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
