//! Names for autocompletion: players, events, openings.

use axum::Json;
use axum::extract::State as Extract;
use halfmove_archive::{EventSummary, PlayerSummary};
use halfmove_game::openings as known;
use serde::Serialize;
use utoipa::ToSchema;

use super::Answer;
use super::numbers::{PlayerScore, tenth};
use crate::parameters::{ARCHIVE, Parameter, QueryParameters, parameter, parameters};
use crate::state::State;

const TYPED: &[Parameter] = &[
    parameter("q", "What was typed: words in any order, of which the last may be incomplete"),
    parameter("limit", "The maximum number of names, up to 10000; the default is 20"),
];

/// The typed text, with the last word as the beginning of one, and the number of names to list.
fn typed(
    parameters: &mut QueryParameters,
) -> Result<(Option<String>, usize), crate::problem::Problem> {
    let mut text = parameters.owned("q")?;
    if let Some(text) = &mut text
        && text.ends_with(char::is_alphanumeric)
    {
        text.push('*');
    }
    let text = text.filter(|text| text.contains(char::is_alphanumeric));
    let limit = parameters.limit(20)?;
    Ok((text, limit))
}

/// Players
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Players {
    archive: String,
    version: u64,
    /// The number of names that match
    count: usize,
    /// Those with the most games first
    players: Vec<Player>,
    /// Similar names, if none matches
    near: Vec<Near>,
}

/// A player: a name as it is spelled in some games
#[derive(Debug, Serialize, ToSchema)]
struct Player {
    name: String,
    games: u64,
    first_year: Option<i32>,
    last_year: Option<i32>,
    highest_elo: Option<i32>,
    #[serde(flatten)]
    score: PlayerScore,
}

impl From<PlayerSummary> for Player {
    fn from(player: PlayerSummary) -> Self {
        Self {
            name: player.name,
            games: player.games,
            first_year: player.first_year,
            last_year: player.last_year,
            highest_elo: player.highest_elo,
            score: player.score.into(),
        }
    }
}

/// A similar name
#[derive(Debug, Serialize, ToSchema)]
struct Near {
    name: String,
    games: u64,
}

parameters!(PlayersParameters: ARCHIVE, TYPED);

/// The players whose names have these words
#[utoipa::path(get, path = "/api/players", params(PlayersParameters), responses((status = 200, body = Players)))]
pub(super) async fn players(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Players> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let plain = parameters.owned("q")?;
    let (text, limit) = typed(&mut parameters)?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let players = state.ask(number, move |archive| {
        let mut players = archive.players(text.as_deref())?;
        let count = players.len();
        players.truncate(limit);
        let near = match (&plain, &text) {
            (Some(plain), Some(_)) if count == 0 => archive.names_near(plain, limit)?,
            _ => Vec::new(),
        };
        let near = near.into_iter().map(|near| Near { name: near.name, games: near.games });
        Ok(Players {
            archive: name,
            version: archive.version(),
            count,
            players: players.into_iter().map(Player::from).collect(),
            near: near.collect(),
        })
    });
    players.await.map(Json)
}

/// Events
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Events {
    archive: String,
    version: u64,
    count: usize,
    /// Those with the most games first
    events: Vec<Event>,
}

/// Games with the same event and site
#[derive(Debug, Serialize, ToSchema)]
struct Event {
    event: String,
    site: String,
    first_year: Option<i32>,
    last_year: Option<i32>,
    games: u64,
    players: u64,
    average_elo: Option<f64>,
}

impl From<EventSummary> for Event {
    fn from(event: EventSummary) -> Self {
        Self {
            event: event.event,
            site: event.site,
            first_year: event.first_year,
            last_year: event.last_year,
            games: event.games,
            players: event.players,
            average_elo: event.average_elo.map(tenth),
        }
    }
}

parameters!(EventsParameters: ARCHIVE, TYPED);

/// The events whose names have these words
#[utoipa::path(get, path = "/api/events", params(EventsParameters), responses((status = 200, body = Events)))]
pub(super) async fn events(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Events> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let (text, limit) = typed(&mut parameters)?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let events = state.ask(number, move |archive| {
        let mut events = archive.events(text.as_deref())?;
        let count = events.len();
        events.truncate(limit);
        let events = events.into_iter().map(Event::from).collect();
        Ok(Events { archive: name, version: archive.version(), count, events })
    });
    events.await.map(Json)
}

/// Openings
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Openings {
    count: usize,
    openings: Vec<Opening>,
}

/// A named position, and the moves that lead to it
#[derive(Debug, Serialize, ToSchema)]
struct Opening {
    eco: &'static str,
    name: &'static str,
    moves: &'static str,
}

parameters!(OpeningsParameters: TYPED);

/// The openings whose names have these words, or whose code begins so
#[utoipa::path(get, path = "/api/openings", params(OpeningsParameters), responses((status = 200, body = Openings)))]
pub(super) async fn openings(
    Extract(_): Extract<State>,
    mut parameters: QueryParameters,
) -> Answer<Openings> {
    let typed = parameters.owned("q")?.unwrap_or_default().to_lowercase();
    // The condition has whole names in quotation marks.
    let typed = typed.trim_matches(['"', '“', '”']);
    let limit = parameters.limit(20)?;
    parameters.end()?;
    let is_named = |opening: &&known::Opening| {
        let name = opening.name().to_lowercase();
        let begins = |word: &str| {
            let parts = name.split(|char: char| !char.is_alphanumeric() && char != '\'');
            parts.clone().any(|part| part.starts_with(word))
        };
        typed.split_whitespace().all(begins) || opening.eco().to_lowercase().starts_with(typed)
    };
    let mut found: Vec<&known::Opening> = known::all().iter().filter(is_named).collect();
    // A name that begins with the text comes first, and that of a whole opening before those of its variations.
    found.sort_by_key(|opening| {
        let begins = opening.name().to_lowercase().starts_with(typed);
        (!begins, opening.moves().split(' ').count())
    });
    let count = found.len();
    let openings = found.into_iter().take(limit).map(|opening| Opening {
        eco: opening.eco(),
        name: opening.name(),
        moves: opening.moves(),
    });
    Ok(Json(Openings { count, openings: openings.collect() }))
}
