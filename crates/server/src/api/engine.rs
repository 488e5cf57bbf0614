//! The engine: lines and evaluation of a position as server-sent events, until the client disconnects.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State as Extract;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use halfmove_engine::{
    Budget, Clock, Limits, Memory, Report, Search, Settings, Signals, Value, key_of,
};
use halfmove_rules::{AnyPosition, Color, Move};
use serde_json::{Value as Json, json};

use crate::parameters::{
    Line, POSITION, Parameter, QueryParameters, parameter, parameters, square_uci,
};
use crate::problem::Problem;
use crate::state::State;
use crate::stream::{Sink, written};

const LIMITS: &[Parameter] = &[
    parameter("lines", "The number of best moves, from 1 to 5; the default is 1"),
    parameter("depth", "The depth at which the search ends, up to 127"),
    parameter("seconds", "The time after which it ends, up to 600; the default is 60"),
];

parameters!(EngineParameters: POSITION, LIMITS);

/// The time since the start of the search.
struct Watch(Instant);

impl Clock for Watch {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Stops the search when the client disconnects.
struct Stopping(Arc<Signals>);

impl Drop for Stopping {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The size of the transposition table in MiB.
const TABLE_MIB: usize = 32;

/// Lines and evaluations of a position, as server-sent events: `line` for each line of each iteration, `end` at last
#[utoipa::path(get, path = "/api/engine", params(EngineParameters), responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Problem), (status = 503, body = Problem)))]
pub(super) async fn engine(
    Extract(state): Extract<State>,
    mut parameters: QueryParameters,
) -> Result<Response, Problem> {
    let line = Line::read(&mut parameters)?;
    let multi_pv = parameters.number("lines", 1, 5)?.unwrap_or(1) as usize;
    let depth = parameters.number("depth", 1, 127)?.map(|depth| depth as u32);
    let seconds = parameters.number("seconds", 1, 600)?.unwrap_or(60);
    parameters.end()?;
    let permit = Arc::clone(&state.engines).try_acquire_owned().map_err(|_| Problem::busy())?;
    let time = Duration::from_secs(seconds);
    let time = Some(Budget { soft: time, hard: time });
    let limits = Limits { depth, time, ..Limits::default() };
    let signals = Arc::new(Signals::default());
    let body = written(Stopping(Arc::clone(&signals)), move |sink| {
        let _permit = permit;
        let settings = Settings { multi_pv, ..Settings::default() };
        search(&line, settings, &limits, &signals, sink);
    });
    let headers = [(CONTENT_TYPE, "text/event-stream")];
    Ok((headers, body).into_response())
}

fn search(line: &Line, settings: Settings, limits: &Limits, signals: &Signals, sink: &Sink) {
    let here = line.position();
    let mut earlier = Vec::with_capacity(line.steps.len());
    if !line.steps.is_empty() {
        earlier.push(key_of(&line.start));
        let before = line.steps.iter().take(line.steps.len() - 1);
        earlier.extend(before.map(|step| key_of(&step.after)));
    }
    let memory = Memory::new(TABLE_MIB);
    let watch = Watch(Instant::now());
    let search =
        Search::new(&memory).with_settings(settings).with_signals(signals).with_clock(&watch);
    let answer = search.run_any(here, &earlier, limits, &mut |report| {
        if sink.event("line", &of_report(here, report)).is_err() {
            signals.stop();
        }
    });
    let end = json!({
        "best": answer.best.map(|mv| square_uci(here, mv)),
        "evaluation": evaluation(here, answer.value),
    });
    let _ = sink.event("end", &end);
}

fn of_report(here: &AnyPosition, report: &Report) -> Json {
    let milliseconds = report.elapsed.as_secs_f64() * 1000.0;
    let nps = (milliseconds > 0.0).then(|| (report.nodes as f64 * 1000.0 / milliseconds) as u64);
    let (moves, san) = texts(here, &report.line);
    json!({
        "line": report.rank,
        "depth": report.depth,
        "seldepth": report.deepest,
        "nodes": report.nodes,
        "nps": nps,
        "milliseconds": milliseconds.round() as u64,
        "evaluation": evaluation(here, report.value),
        "moves": moves,
        "san": san,
    })
}

/// The moves of a line in UCI and SAN.
fn texts(here: &AnyPosition, line: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut position = here.clone();
    let both = line.iter().map(|&mv| {
        let both = (square_uci(&position, mv), position.san(mv).to_string());
        position.play_unchecked(mv);
        both
    });
    both.unzip()
}

/// From White's side.
fn evaluation(here: &AnyPosition, value: Value) -> Json {
    let sign = if here.side_to_move() == Color::White { 1 } else { -1 };
    match value {
        Value::Centipawns(cp) => json!({ "cp": sign * cp }),
        Value::Mate(moves) => json!({ "mate": sign * moves }),
    }
}
