//! The parameters of a request: one table per kind, from which values are read and the OpenAPI description is
//! generated.

mod filter;
mod position;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use halfmove_archive::{Condition, ConditionKind};
use utoipa::openapi::path::{ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Required, Schema};

pub(crate) use self::filter::{FILTER, Filtered};
pub(crate) use self::position::{Line, POSITION, square_uci, start};
use crate::problem::Problem;

/// A parameter: its name and its meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
}

pub(crate) const fn parameter(name: &'static str, help: &'static str) -> Parameter {
    Parameter { name, help }
}

/// The requested archive.
pub(crate) const ARCHIVE: &[Parameter] =
    &[parameter("archive", "The name of the archive; the default is the first one")];

/// The maximum length of a parameter's value in bytes.
const LONGEST: usize = 16 << 10;

/// The most rows of any list.
const MAX_ROWS: u64 = 10_000;

/// The parameters of a request, which are taken one by one. Those that are left at the end are errors.
#[derive(Debug, Default)]
pub(crate) struct QueryParameters {
    values: Vec<(String, String)>,
    taken: BTreeSet<String>,
}

impl QueryParameters {
    pub(crate) fn of(query: &str) -> Self {
        let values = form_urlencoded::parse(query.as_bytes()).into_owned();
        Self { values: values.collect(), taken: BTreeSet::new() }
    }

    /// The value of a parameter; `None` if it is absent or empty. If it occurs more than once, the last one counts.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<&str>, Problem> {
        self.taken.insert(name.to_owned());
        let value = self.values.iter().rev().find(|(known, _)| known == name);
        // Blank is not empty: a condition that is left out is, and one of blanks is an error.
        let value = value.filter(|(_, value)| !value.is_empty()).map(|(_, value)| value.trim());
        match value {
            Some(value) if value.len() > LONGEST => {
                Err(Problem::parameter(name, format!("expected at most {LONGEST} bytes")))
            }
            value => Ok(value),
        }
    }

    /// Returns true if a parameter is there, perhaps without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.iter().any(|(known, _)| known == name)
    }

    pub(crate) fn owned(&mut self, name: &str) -> Result<Option<String>, Problem> {
        Ok(self.text(name)?.map(str::to_owned))
    }

    /// The parsed value of a parameter.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(
        &mut self,
        name: &str,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let text = text.to_owned();
        text.parse().map(Some).map_err(|error| Problem::parameter(name, error))
    }

    /// A number between two bounds.
    pub(crate) fn number(
        &mut self,
        name: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        let expected = || format!("\"{text}\": expected a number from {least} to {most}");
        number.map(Some).ok_or_else(|| Problem::parameter(name, expected()))
    }

    /// The maximum number of rows of a list.
    pub(crate) fn limit(&mut self, usual: usize) -> Result<usize, Problem> {
        Ok(self.number("limit", 0, MAX_ROWS)?.map_or(usual, |limit| limit as usize))
    }

    /// The values of a list with commas.
    pub(crate) fn list<T: FromStr<Err: Display>>(&mut self, name: &str) -> Result<Vec<T>, Problem> {
        let Some(text) = self.owned(name)? else { return Ok(Vec::new()) };
        let values = text.split(',').map(str::trim).filter(|value| !value.is_empty());
        let values = values.map(|value| value.parse());
        values.collect::<Result<_, _>>().map_err(|error| Problem::parameter(name, error))
    }

    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, Problem> {
        match self.text(name)? {
            None | Some("0" | "false" | "no" | "off") => Ok(false),
            Some("1" | "true" | "yes" | "on") => Ok(true),
            Some(other) => Err(Problem::parameter(name, format!("\"{other}\": expected 1 or 0"))),
        }
    }

    /// Checks that no parameter remains, and that none was ambiguous.
    pub(crate) fn end(&self) -> Result<(), Problem> {
        for (number, (name, value)) in self.values.iter().enumerate() {
            if value.contains(char::REPLACEMENT_CHARACTER) {
                return Err(Problem::parameter(name, "expected text in UTF-8"));
            }
            if self.values[..number].iter().any(|(earlier, _)| earlier == name) {
                return Err(Problem::parameter(name, "it is given twice"));
            }
        }
        let left = self.values.iter().find(|(name, _)| !self.taken.contains(name));
        left.map_or(Ok(()), |(name, _)| {
            let known: Vec<&str> = self.taken.iter().map(String::as_str).collect();
            let problem = Problem::parameter(name, "there is no such parameter");
            Err(problem.with_hint(format!("parameters here: {}", known.join(", "))))
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for QueryParameters {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

/// The description of some parameters for OpenAPI.
pub(crate) fn described(tables: &[&[Parameter]]) -> Vec<utoipa::openapi::path::Parameter> {
    let text = || ObjectBuilder::new().schema_type(Type::String).build();
    let described = tables.iter().copied().flatten().map(|parameter| {
        let condition = Condition::named(parameter.name);
        let is_flag = condition.is_some_and(|condition| condition.kind == ConditionKind::Flag);
        let help = format!("{}{}", if is_flag { "1: " } else { "" }, parameter.help);
        ParameterBuilder::new()
            .name(parameter.name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(help))
            .schema(Some(RefOr::T(Schema::Object(text()))))
            .build()
    });
    described.collect()
}

/// Declares the parameters of a route: a type that describes these tables.
macro_rules! parameters {
    ($(#[$doc:meta])* $name:ident: $($table:expr),+ $(,)?) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                crate::parameters::described(&[$($table),+])
            }
        }
    };
}
pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use super::QueryParameters;

    #[test]
    fn values_are_decoded_and_none_is_left_over() {
        let mut parameters = QueryParameters::of("player=Tal%2C+M&min_elo=&ply=7&flag=1");
        assert_eq!(parameters.text("player").unwrap(), Some("Tal, M"));
        assert_eq!(parameters.text("min_elo").unwrap(), None);
        assert!(parameters.flag("flag").unwrap());
        let left = parameters.end().unwrap_err();
        assert_eq!((left.status, left.parameter.as_deref()), (400, Some("ply")));
        assert_eq!(parameters.number("ply", 1, 9).unwrap(), Some(7));
        assert_eq!(parameters.end(), Ok(()));
        let wrong = parameters.number("ply", 8, 9).unwrap_err();
        assert_eq!(wrong.detail, "ply: \"7\": expected a number from 8 to 9");
        for (query, why) in [
            ("player=tal&player=carlsen", "player: it is given twice"),
            ("player=tal%ff", "player: expected text in UTF-8"),
        ] {
            let mut parameters = QueryParameters::of(query);
            parameters.text("player").unwrap();
            assert_eq!(parameters.end().unwrap_err().detail, why);
        }
    }
}
