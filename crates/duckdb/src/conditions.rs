//! The conditions of a search as named parameters: those of the [table](Condition), a variant and a position.

use std::time::SystemTime;

use halfmove_archive::{Archive, Condition, Conditions, Filter};
use halfmove_functions::literals;
use halfmove_rules::Variant;

/// The names of the parameters.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ["variant", "fen"]
        .into_iter()
        .chain(Condition::all().map(|condition| parameter(condition.name)))
}

/// The name of a condition as a parameter: `as` and `for` are words of SQL, so they end with `_`, as they do in Python.
fn parameter(name: &'static str) -> &'static str {
    match name {
        "as" => "as_",
        "for" => "for_",
        name => name,
    }
}

/// The named parameters of a call, by name.
pub(crate) type Given<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The filter of the conditions among the parameters of a call.
pub(crate) fn filter(given: &Given<'_>, archive: &Archive) -> Result<Filter, String> {
    let mut conditions = Conditions::new(SystemTime::now());
    let invalid =
        |name: &str, text: &str, why: &dyn std::fmt::Display| format!("{name}: \"{text}\": {why}");
    if let Some(text) = given("variant") {
        let variant = literals::variant(&text).map_err(|why| invalid("variant", &text, &why))?;
        conditions.variant = Some(variant);
    }
    if let Some(text) = given("fen") {
        let position = literals::position(&text, conditions.variant.map(Variant::name));
        conditions.position = Some(position.map_err(|why| invalid("fen", &text, &why))?);
    }
    for condition in Condition::all() {
        if let Some(text) = given(parameter(condition.name)) {
            conditions.set(condition.name, &text).map_err(|error| error.to_string())?;
        }
    }
    conditions.build(archive.last_id()).map_err(|error| error.to_string())
}
