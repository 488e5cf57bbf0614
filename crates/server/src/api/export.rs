//! Games for programs: PGN, and one JSON object a line.

use axum::extract::{Path, State as Extract};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use halfmove_archive::{CancelToken, Filter, StoredGame};
use halfmove_game::Game;
use halfmove_game::pgn::write_game;
use serde_json::json;

use super::game::id_of;
use crate::parameters::{ARCHIVE, Asked, FILTER, Filtered, POSITION, parameters};
use crate::problem::Problem;
use crate::state::{Cancelling, State};
use crate::stream::{Gone, Sink, written};

/// The media type of PGN.
pub(crate) const PGN: &str = "application/x-chess-pgn";

parameters!(GameParameters: ARCHIVE);
parameters!(ExportParameters: ARCHIVE, FILTER, POSITION);

/// One game as PGN, with everything that it had when it was imported
#[utoipa::path(get, path = "/api/games/{id}/pgn", params(("id" = i64, Path, description = "The id of the game"), GameParameters), responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = 404, body = Problem)))]
pub(super) async fn one_pgn(
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let id = id_of(&id)?;
    let number = super::archive(&mut asked, &state.archives)?;
    asked.end()?;
    let text = state.ask(number, move |archive| text(&archive.game(id)?.game));
    Ok(([(CONTENT_TYPE, PGN)], text.await?).into_response())
}

/// The PGN of a game.
pub(crate) fn text(game: &Game) -> Result<String, Problem> {
    write_game(game).map_err(|error| {
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    })
}

/// All games that match a filter as PGN, in the order of their ids
#[utoipa::path(get, path = "/api/games.pgn", params(ExportParameters), responses((status = 200, content_type = "application/x-chess-pgn", body = String), (status = 400, body = Problem)))]
pub(super) async fn pgn(
    Extract(state): Extract<State>,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let number = super::archive(&mut asked, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut asked)?;
    asked.end()?;
    let body = download(&state, number, filter, |archive, filter, sink| {
        let texts = match archive.pgn(filter) {
            Ok(texts) => texts,
            Err(error) => return sink.fail(error),
        };
        for text in texts {
            match text {
                Ok(text) => {
                    if sink.send(text.text).is_err() {
                        return;
                    }
                }
                Err(error) => return sink.fail(error),
            }
        }
    })?;
    let headers =
        [(CONTENT_TYPE, PGN), (CONTENT_DISPOSITION, "attachment; filename=\"games.pgn\"")];
    Ok((headers, body).into_response())
}

/// All games that match a filter, one JSON object a line, in the order of their ids
#[utoipa::path(get, path = "/api/games.ndjson", params(ExportParameters), responses((status = 200, content_type = "application/x-ndjson", body = String), (status = 400, body = Problem)))]
pub(super) async fn ndjson(
    Extract(state): Extract<State>,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let number = super::archive(&mut asked, &state.archives)?;
    let Filtered { filter, .. } = Filtered::read(&mut asked)?;
    asked.end()?;
    let body = download(&state, number, filter, |archive, filter, sink| {
        let games = match archive.games(filter) {
            Ok(games) => games,
            Err(error) => return sink.fail(error),
        };
        if let Err(Broken::Failed(error)) = lines(games, sink) {
            sink.fail(error);
        }
    })?;
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The reason why a download ends early.
enum Broken {
    Gone,
    Failed(halfmove_archive::ArchiveError),
}

impl From<Gone> for Broken {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// The size of a piece of a download in bytes.
const PIECE: usize = 64 << 10;

fn lines(games: halfmove_archive::Games, sink: &Sink) -> Result<(), Broken> {
    let mut piece = String::new();
    for stored in games {
        piece += &line(&stored.map_err(Broken::Failed)?);
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

/// The body of a download, which `write` writes from the newest version of an archive. It ends when its reader is gone.
pub(crate) fn download(
    state: &State,
    number: usize,
    filter: Filter,
    write: impl FnOnce(&halfmove_archive::Archive, &Filter, &Sink) + Send + 'static,
) -> Result<axum::body::Body, Problem> {
    let permit = state.download()?;
    let token = CancelToken::default();
    let guard = Cancelling(token.clone());
    let state = state.clone();
    Ok(written(guard, move |sink| {
        let _permit = permit;
        match state.archives.current(number) {
            Ok(archive) => write(&archive.with_cancel(&token), &filter, sink),
            Err(error) => sink.fail(error),
        }
    }))
}
