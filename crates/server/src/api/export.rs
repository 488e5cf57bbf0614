//! Downloads of games: PGN, one JSON object per line, and Arrow.

use std::collections::VecDeque;
use std::fmt::Display;

use axum::body::Body;
use axum::extract::{Path, State as Extract};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use halfmove_archive::{
    Archive, ArchiveError, ArrowWriter, CancelToken, Filter, SearchOptions, Sort, StoredGame,
};
use halfmove_game::Game;
use halfmove_game::pgn::{Format, Writer};
use serde_json::json;

use super::game::id_of;
use super::search::SORT;
use crate::parameters::{
    ARCHIVE, FILTER, Filtered, POSITION, Parameter, QueryParameters, parameter, parameters,
};
use crate::problem::Problem;
use crate::state::{Cancelling, State};
use crate::stream::{Gone, Sink, written};

/// The media type of PGN.
pub(crate) const PGN: &str = "application/x-chess-pgn";

/// The media type of a stream of Arrow IPC.
pub(crate) const ARROW: &str = "application/vnd.apache.arrow.stream";

const COLUMNS: &[Parameter] = &[parameter(
    "columns",
    "Columns of the archive, with commas: id,white,moves; the default is all but the signatures",
)];

const LISTED: &[Parameter] =
    &[SORT, parameter("limit", "The maximum number of games; the default is all that match")];

const FROM_MATCH: &[Parameter] = &[parameter(
    "from_match",
    "1: each game from the position at which the position or the conditions match, which the tag FEN has",
)];

parameters!(GameParameters: ARCHIVE);
parameters!(PgnParameters: ARCHIVE, LISTED, FROM_MATCH, FILTER, POSITION);
parameters!(ListedParameters: ARCHIVE, LISTED, FILTER, POSITION);
parameters!(ArrowParameters: ARCHIVE, COLUMNS, LISTED, FILTER, POSITION);

/// One game as PGN, in the export format of the standard, with everything that it had when it was imported
#[utoipa::path(get, path = "/api/games/{id}/pgn", params(("id" = i64, Path, description = "The id of the game"), GameParameters), responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = 404, body = Problem)))]
pub(super) async fn one_pgn(
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let id = id_of(&id)?;
    let number = super::archive(&mut parameters, &state.archives)?;
    parameters.end()?;
    let text = state.ask(number, move |archive| text(&archive.game(id)?.game));
    Ok(([(CONTENT_TYPE, PGN)], text.await?).into_response())
}

/// The PGN of a game in the standard's export format.
pub(crate) fn text(game: &Game) -> Result<String, Problem> {
    Format::new().in_standard_order().write(game).map_err(|error| {
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    })
}

/// The games that match a filter as PGN, sorted, by default in the order of their ids
#[utoipa::path(get, path = "/api/games.pgn", params(PgnParameters), responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = 400, body = Problem)))]
pub(super) async fn pgn(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let from_match = parameters.flag("from_match")?;
    if from_match && filter.position.is_none() && filter.conditions.is_empty() {
        let why = "needs a position, moves or a condition on the board";
        return Err(Problem::parameter("from_match", why));
    }
    let listed = Listed { from_match, ..Listed::read(&mut parameters, filter)? };
    parameters.end()?;
    let body = if listed.is_plain() {
        let prepare = move |archive: &Archive| Ok(archive.pgn(&listed.filter)?);
        download(&state, number, prepare, |texts, sink| {
            pieces(texts.map(|text| text.map(|text| text.text)), sink)
        })
        .await?
    } else {
        let prepare = move |archive: &Archive| Ok(listed.sorted(archive)?);
        download(&state, number, prepare, |mut sorted, sink| {
            pieces(std::iter::from_fn(|| sorted.pgn().transpose()), sink)
        })
        .await?
    };
    Ok(attached(PGN, "games.pgn", body))
}

/// The games of a download, and their order.
struct Listed {
    filter: Filter,
    sort: Sort,
    /// The maximum number of games.
    limit: Option<usize>,
    /// True if what is before the match is left out.
    from_match: bool,
}

impl Listed {
    fn read(parameters: &mut QueryParameters, filter: Filter) -> Result<Self, Problem> {
        let sort = parameters.parsed("sort")?.unwrap_or_default();
        let limit = parameters.number("limit", 1, u64::from(u32::MAX))?;
        Ok(Self { filter, sort, limit: limit.map(|limit| limit as usize), from_match: false })
    }

    /// True for all games in the order of their ids, which are read ahead.
    fn is_plain(&self) -> bool {
        self.sort == Sort::default() && self.limit.is_none() && !self.from_match
    }

    /// Begins the search.
    fn sorted(self, archive: &Archive) -> Result<Sorted, ArchiveError> {
        let (archive, left) = (archive.clone(), self.limit.unwrap_or(usize::MAX));
        let mut sorted = Sorted { archive, listed: self, left, offset: 0, found: VecDeque::new() };
        sorted.found = sorted.search()?;
        Ok(sorted)
    }
}

/// The games of a search in its order.
struct Sorted {
    archive: Archive,
    listed: Listed,
    /// The number of games that may still be found.
    left: usize,
    /// The number of games that were found.
    offset: usize,
    /// The games that were found and not yet written, each with the number of half-moves to leave out.
    found: VecDeque<(i64, u32)>,
}

impl Sorted {
    /// The number of games that one search lists: the others are not in memory.
    const LISTED: usize = 10_000;
    /// The number of games of a piece.
    const PIECE: usize = 64;

    /// The next games.
    fn search(&mut self) -> Result<VecDeque<(i64, u32)>, ArchiveError> {
        let mut options = SearchOptions::first(self.left.min(Self::LISTED));
        (options.sort, options.offset) = (self.listed.sort, self.offset);
        let games = self.archive.search_with(&self.listed.filter, &options)?.games;
        self.left = if games.len() < options.limit { 0 } else { self.left - games.len() };
        self.offset += games.len();
        let begins = |ply: Option<u32>| ply.filter(|_| self.listed.from_match).unwrap_or(0);
        Ok(games.iter().map(|game| (game.id, begins(game.ply))).collect())
    }

    /// The next games, at most `most`; none at the end.
    fn next(&mut self, most: usize) -> Result<Vec<(i64, u32)>, ArchiveError> {
        if self.found.is_empty() && self.left > 0 {
            self.found = self.search()?;
        }
        Ok(self.found.drain(..self.found.len().min(most)).collect())
    }

    /// The ids of the next games, at most `most`; none at the end.
    fn next_ids(&mut self, most: usize) -> Result<Vec<i64>, ArchiveError> {
        Ok(self.next(most)?.into_iter().map(|(id, _)| id).collect())
    }

    fn next_games(&mut self) -> Result<Vec<StoredGame>, ArchiveError> {
        let (ids, begins): (Vec<i64>, Vec<u32>) = self.next(Self::PIECE)?.into_iter().unzip();
        let mut games = self.archive.games_of(&ids)?;
        for (stored, begin) in games.iter_mut().zip(begins) {
            stored.game.begin_at(begin as usize);
        }
        Ok(games)
    }

    /// The next games as PGN; `None` at the end.
    fn pgn(&mut self) -> Result<Option<Vec<u8>>, String> {
        let games = self.next_games().map_err(|error| error.to_string())?;
        let mut writer = Writer::new(Vec::new());
        for stored in &games {
            writer.write(&stored.game).map_err(|error| error.to_string())?;
        }
        Ok((!games.is_empty()).then(|| writer.into_inner()))
    }
}

/// The games that match a filter, one JSON object a line, sorted, by default in the order of their ids
#[utoipa::path(get, path = "/api/games.ndjson", params(ListedParameters), responses((status = 200, content_type = "application/x-ndjson", body = String), (status = 400, body = Problem)))]
pub(super) async fn ndjson(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let listed = Listed::read(&mut parameters, filter)?;
    parameters.end()?;
    let body = if listed.is_plain() {
        let prepare = move |archive: &Archive| Ok(archive.games(&listed.filter)?);
        download(&state, number, prepare, lines).await?
    } else {
        let prepare = move |archive: &Archive| Ok(listed.sorted(archive)?);
        download(&state, number, prepare, |mut sorted, sink| {
            loop {
                let games = sorted.next_games().map_err(Broken::failed)?;
                if games.is_empty() {
                    return Ok(());
                }
                lines(games.into_iter().map(Ok), sink)?;
            }
        })
        .await?
    };
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The stored columns of the games that match a filter, as a stream of Arrow IPC, sorted, by default in the order of their ids
#[utoipa::path(get, path = "/api/games.arrow", params(ArrowParameters), responses((status = 200, content_type = "application/vnd.apache.arrow.stream", body = String), (status = 400, body = Problem)))]
pub(super) async fn arrow(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let number = super::archive(&mut parameters, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut parameters, || state.last_id(number))?;
    let columns: Vec<String> = parameters.list("columns")?;
    let listed = Listed::read(&mut parameters, filter)?;
    parameters.end()?;
    let body = if listed.is_plain() {
        let prepare = move |archive: &Archive| {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            Ok(archive.arrow(&listed.filter, &columns)?)
        };
        download(&state, number, prepare, pieces).await?
    } else {
        let prepare = move |archive: &Archive| {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            Ok((archive.arrow_writer(&columns)?, listed.sorted(archive)?))
        };
        download(&state, number, prepare, |(writer, sorted), sink| batches(writer, sorted, sink))
            .await?
    };
    Ok(attached(ARROW, "games.arrow", body))
}

/// The number of games of a batch.
const BATCH: usize = 4096;

/// Sends games as a stream of Arrow IPC.
fn batches(mut writer: ArrowWriter, mut sorted: Sorted, sink: &Sink) -> Result<(), Broken> {
    loop {
        let ids = sorted.next_ids(BATCH).map_err(Broken::failed)?;
        if ids.is_empty() {
            return Ok(sink.send(writer.finish().map_err(Broken::failed)?)?);
        }
        sink.send(writer.write(&ids).map_err(Broken::failed)?)?;
    }
}

/// A response that a browser saves as a file.
pub(super) fn attached(kind: &'static str, name: &str, body: impl Into<Body>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, disposition)];
    (headers, Into::<Body>::into(body)).into_response()
}

/// Sends the pieces of a download until one cannot be read.
pub(super) fn pieces<E: Display>(
    pieces: impl Iterator<Item = Result<Vec<u8>, E>>,
    sink: &Sink,
) -> Result<(), Broken> {
    for piece in pieces {
        sink.send(piece.map_err(Broken::failed)?)?;
    }
    Ok(())
}

/// The reason why a download ends early.
pub(crate) enum Broken {
    Gone,
    Failed(String),
}

impl Broken {
    fn failed(error: impl Display) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Gone> for Broken {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// The size of a piece of a download in bytes.
const PIECE: usize = 64 << 10;

fn lines(
    games: impl Iterator<Item = Result<StoredGame, ArchiveError>>,
    sink: &Sink,
) -> Result<(), Broken> {
    let mut piece = String::new();
    for stored in games {
        piece += &line(&stored.map_err(Broken::failed)?);
        piece.push('\n');
        if piece.len() >= PIECE {
            sink.send(std::mem::take(&mut piece))?;
        }
    }
    Ok(sink.send(piece)?)
}

/// A game as one line of JSON.
fn line(stored: &StoredGame) -> String {
    let game = &stored.game;
    let mut position = game.start.clone();
    let mut moves = String::new();
    for mv in &game.moves {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves += position.san(*mv).as_str();
        position.play_unchecked(*mv);
    }
    let mut tags = serde_json::Map::new();
    for (name, value) in game.tags.iter() {
        tags.entry(name).or_insert_with(|| value.into());
    }
    let game = json!({
        "id": stored.id,
        "variant": game.start.variant().name(),
        "tags": tags,
        "fen": game.start.to_string(),
        "plies": game.moves.len(),
        "moves": moves,
        "result": game.result.map(|result| result.to_string()),
    });
    game.to_string()
}

/// The body of a download from the newest version of an archive. `prepare` runs like any search, so that its errors
/// have a status; `write` runs while the body is sent, and ends when the client disconnects.
pub(crate) async fn download<T: Send + 'static>(
    state: &State,
    number: usize,
    prepare: impl FnOnce(&Archive) -> Result<T, Problem> + Send + 'static,
    write: impl FnOnce(T, &Sink) -> Result<(), Broken> + Send + 'static,
) -> Result<Body, Problem> {
    let permit = state.download()?;
    let token = CancelToken::default();
    let guard = Cancelling(token.clone());
    let shared = state.clone();
    let prepared = state.block(move || {
        let (archive, _) = shared.archives.current(number)?;
        prepare(&archive.with_cancel(&token))
    });
    let prepared = prepared.await?;
    Ok(written(guard, move |sink| {
        let _permit = permit;
        if let Err(Broken::Failed(error)) = write(prepared, sink) {
            sink.fail(error);
        }
    }))
}
