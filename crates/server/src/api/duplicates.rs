//! Games that are in an archive more than once.

use axum::Json;
use axum::extract::State as Extract;
use serde::Serialize;
use utoipa::ToSchema;

use super::Answer;
use crate::parameters::{
    ARCHIVE, FILTER, Filtered, POSITION, Parameter, QueryParameters, parameter, parameters,
};
use crate::problem::Problem;
use crate::state::State;

/// Duplicate games
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Duplicates {
    archive: String,
    version: u64,
    /// The number of games that were compared
    games: u64,
    /// The number of games that are copies of others: all but the best of each exact group and of each group of twins
    copies: u64,
    counts: Kinds,
    /// The same moves, players, date and result
    exact: Vec<Copies>,
    /// The same moves and compatible tags
    twins: Vec<Copies>,
    /// Perhaps the same game
    near: Vec<Copies>,
}

/// The number of groups of each kind
#[derive(Debug, Serialize, ToSchema)]
struct Kinds {
    exact: usize,
    twins: usize,
    near: usize,
}

/// Games that are, or may be, the same
#[derive(Debug, Serialize, ToSchema)]
struct Copies {
    ids: Vec<i64>,
    /// The game to keep
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    best: Option<i64>,
    /// moves, players, date, result
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<&'static str>,
}

const LIMIT: &[Parameter] = &[parameter(
    "limit",
    "The maximum number of groups of each kind, up to 10000; the default is 100",
)];

parameters!(DuplicatesParameters: ARCHIVE, LIMIT, FILTER, POSITION);

/// The games that are in an archive more than once, and those that may be; with conditions, only among the games that match
#[utoipa::path(get, path = "/api/duplicates", params(DuplicatesParameters), responses((status = 200, body = Duplicates), (status = 400, body = Problem)))]
pub(super) async fn duplicates(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Duplicates> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let limit = parameters.limit(100)?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let duplicates = state.ask(number, move |archive| {
        let found = match filter.is_empty() {
            true => archive.duplicates()?,
            false => archive.duplicates_among(&filter)?,
        };
        let copies = found.copies();
        let counts =
            Kinds { exact: found.exact.len(), twins: found.twins.len(), near: found.near.len() };
        let exact = found.exact.into_iter().take(limit).map(|copies| Copies {
            ids: copies.ids,
            best: Some(copies.best),
            differences: Vec::new(),
        });
        let twins = found.twins.into_iter().take(limit).map(|copies| Copies {
            ids: copies.ids,
            best: Some(copies.best),
            differences: copies.differences.names(),
        });
        let near = found.near.into_iter().take(limit).map(|copies| Copies {
            ids: copies.ids,
            best: None,
            differences: copies.differences.names(),
        });
        Ok(Duplicates {
            archive: name,
            version: found.version,
            games: found.games,
            copies,
            counts,
            exact: exact.collect(),
            twins: twins.collect(),
            near: near.collect(),
        })
    });
    duplicates.await.map(Json)
}
