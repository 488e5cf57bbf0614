//! The conditions of a search: the table of [`Condition`]s as parameters.

use std::time::SystemTime;

use halfmove_archive::{Condition, ConditionError, ConditionFault, Conditions, Filter};

use super::position::Line;
use super::{Parameter, QueryParameters, parameter};
use crate::problem::Problem;

/// The parameters of a filter, besides those of its position.
pub(crate) const FILTER: &[Parameter] = &{
    let (games, moves) = (Condition::ON_GAMES, Condition::ON_MOVES);
    let mut all = [parameter("", ""); Condition::ON_GAMES.len() + Condition::ON_MOVES.len()];
    let mut index = 0;
    while index < all.len() {
        let is_on_game = index < games.len();
        let condition = if is_on_game { &games[index] } else { &moves[index - games.len()] };
        all[index] = parameter(condition.name, condition.help);
        index += 1;
    }
    all
};

/// A filter and its position.
#[derive(Debug)]
pub(crate) struct Filtered {
    /// The filter, with the position if one was given.
    pub(crate) filter: Filter,
    pub(crate) line: Line,
}

impl Filtered {
    /// Reads the parameters of the conditions and of a position. `last_id` returns the last id of the archive.
    pub(crate) fn read(
        parameters: &mut QueryParameters,
        last_id: impl FnOnce() -> Result<i64, Problem>,
    ) -> Result<Self, Problem> {
        let line = Line::read(parameters)?;
        let mut conditions = Conditions::new(SystemTime::now());
        conditions.position = line.is_given.then(|| line.position().clone());
        conditions.variant = line.variant;
        for condition in Condition::all() {
            // A form leaves conditions empty that are not meant, but an empty list of ids is not every game.
            let has_ids = condition.name == "ids" && parameters.has("ids");
            let text = match parameters.text(condition.name)? {
                None if has_ids => "",
                None => continue,
                Some(text) => text,
            };
            conditions.set(condition.name, text).map_err(problem)?;
        }
        let filter = conditions.build(last_id()?).map_err(problem)?;
        Ok(Self { filter, line })
    }
}

/// The problem of an invalid condition.
fn problem(error: ConditionError) -> Problem {
    let problem = Problem::parameter(&error.name, &error.why);
    match error.why {
        ConditionFault::Needs(name) if Condition::named(name).is_some() => {
            problem.with_hint(format!("add the parameter {name}"))
        }
        _ => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::{FILTER, Filtered};
    use crate::parameters::{POSITION, QueryParameters};

    /// Every parameter of the tables is read, and no other.
    #[test]
    fn the_table_is_what_is_read() {
        let mut query = String::new();
        for parameter in FILTER.iter().chain(POSITION) {
            let value = if parameter.name == "ids" { "1" } else { "" };
            query += &format!("{}={value}&", parameter.name);
        }
        let mut parameters = QueryParameters::of(&query);
        Filtered::read(&mut parameters, || Ok(9)).unwrap();
        assert_eq!(parameters.end(), Ok(()));
        assert_eq!(parameters.taken.len(), FILTER.len() + POSITION.len());
    }

    #[test]
    fn errors_name_the_parameter() {
        for (query, name) in [
            ("opponent=tal", "opponent"),
            ("as=white", "as"),
            ("result=win", "result"),
            ("result=2-0", "result"),
            ("since=19x4", "since"),
            ("year=99", "year"),
            ("min_elo=70000", "min_elo"),
            ("sample=2", "sample"),
            ("ids=9-3", "ids"),
            ("ids=,", "ids"),
            ("ids=", "ids"),
            ("ids", "ids"),
            ("year=1999&since=1990", "year"),
            ("seed=7", "seed"),
            ("year=2000-1990", "year"),
            ("since=2000&until=1990", "until"),
            ("exact=1", "exact"),
            ("pattern=9", "pattern"),
            ("isolated=z", "isolated"),
            ("mirrored=1", "mirrored"),
            ("in_variations=1", "in_variations"),
            ("eco=Z99", "eco"),
            ("structure=rook", "structure"),
            ("player=%2C", "player"),
            ("player=%20", "player"),
            ("ended=tired", "ended"),
        ] {
            let problem = Filtered::read(&mut QueryParameters::of(query), || Ok(9)).unwrap_err();
            assert_eq!(problem.parameter.as_deref(), Some(name), "{query}: {}", problem.detail);
            assert_eq!(problem.status, 400);
        }
    }
}
