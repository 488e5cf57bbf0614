//! The archives that are served, and their changes.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State as Extract;
use serde::Serialize;
use utoipa::ToSchema;

use super::Answer;
use super::numbers::Counts;
use crate::parameters::{ARCHIVE, QueryParameters, parameters};
use crate::state::State;

/// The archives
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ArchiveList {
    /// The first is the default
    archives: Vec<ArchiveSummary>,
    /// Those that cannot be read now
    unreadable: Vec<Unreadable>,
    /// The name and version of the program
    program: String,
    /// True if the engine can be asked
    engine: bool,
    /// True if queries in SQL are answered
    sql: bool,
    /// True if some archive is changeable
    changeable: bool,
}

/// An archive
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ArchiveSummary {
    name: String,
    games: u64,
    plies: u64,
    version: u64,
    first_year: Option<i64>,
    last_year: Option<i64>,
    /// The number of games of each variant
    variants: BTreeMap<String, u64>,
    bytes: u64,
    /// True if games may be imported into it, and its changes undone
    changeable: bool,
    #[serde(flatten)]
    counts: Counts,
}

/// An archive that cannot be read
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Unreadable {
    name: String,
    /// The reason
    detail: String,
}

/// The archives, with their sizes and versions
#[utoipa::path(get, path = "/api/archives", responses((status = 200, body = ArchiveList)))]
pub(super) async fn archives(
    Extract(state): Extract<State>,
    parameters: QueryParameters,
) -> Answer<ArchiveList> {
    parameters.end()?;
    let (mut archives, mut unreadable) = (Vec::new(), Vec::new());
    for number in 0..state.archives.len() {
        let name = state.archives.name(number).to_owned();
        let changeable = state.options.changeable && !state.archives.is_read_only(number);
        let summary = state.ask(number, move |archive| {
            let info = archive.info()?;
            let variants =
                info.variants.iter().map(|(variant, games)| (variant.name().to_owned(), games));
            Ok(ArchiveSummary {
                name,
                games: info.games,
                plies: info.plies,
                version: archive.version(),
                first_year: info.years.map(|years| years.0),
                last_year: info.years.map(|years| years.1),
                variants: variants.collect(),
                bytes: info.bytes,
                changeable,
                counts: info.results.into(),
            })
        });
        match summary.await {
            Ok(summary) => archives.push(summary),
            Err(problem) => {
                let name = state.archives.name(number).to_owned();
                unreadable.push(Unreadable { name, detail: problem.detail });
            }
        }
    }
    let changeable = archives.iter().any(|archive: &ArchiveSummary| archive.changeable);
    Ok(Json(ArchiveList {
        archives,
        unreadable,
        program: concat!("halfmove ", env!("CARGO_PKG_VERSION")).to_owned(),
        engine: state.options.limits.engines > 0,
        sql: state.options.sql.is_some(),
        changeable,
    }))
}

/// The changes of an archive
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChangeList {
    archive: String,
    version: u64,
    /// The newest last
    changes: Vec<Change>,
}

/// A change of an archive
#[derive(Debug, Serialize, ToSchema)]
struct Change {
    version: u64,
    /// In UTC
    time: Option<String>,
    /// create, import, remove, undo …
    change: String,
    games_added: u64,
    games_removed: u64,
    games_changed: u64,
    games: u64,
    /// The names of the files of an import
    sources: Vec<String>,
}

parameters!(HistoryParameters: ARCHIVE);

/// The changes of an archive
#[utoipa::path(get, path = "/api/history", params(HistoryParameters), responses((status = 200, body = ChangeList)))]
pub(super) async fn history(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<ChangeList> {
    let number = super::archive(&mut parameters, &state.archives)?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let list = state.ask(number, move |archive| {
        let changes = archive.history()?.into_iter().map(|entry| Change {
            version: entry.version,
            time: entry.time(),
            change: entry.what,
            games_added: entry.games_added,
            games_removed: entry.games_removed,
            games_changed: entry.games_changed,
            games: entry.games,
            sources: entry.sources.into_iter().filter_map(|source| source.name).collect(),
        });
        let changes = changes.collect();
        Ok(ChangeList { archive: name, version: archive.version(), changes })
    });
    list.await.map(Json)
}
