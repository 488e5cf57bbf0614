//! A game as JSON. The names of its fields are stable.

use super::sheet::{Sheet, Step};
use halfmove_archive::{Novelty, StoredGame};
use halfmove_game::{Clock, Evaluation, Score};
use serde_json::{Map, Value, json};

pub(super) fn object(stored: &StoredGame, sheet: &Sheet) -> Value {
    let game = &stored.game;
    let mut tags = Map::new();
    for (name, value) in game.tags.iter() {
        // Of two tags with one name, the first one counts.
        tags.entry(name).or_insert_with(|| value.into());
    }
    let moves = sheet.steps.iter().enumerate().skip(1).map(|(ply, step)| of_move(ply, step));
    let start = sheet.steps.first();
    json!({
        "id": stored.id,
        "variant": game.start.variant().name(),
        "tags": tags,
        "fen": game.start.to_string(),
        "comments": start.map(|start| &start.comments),
        "plies": game.moves.len(),
        "moves": moves.collect::<Vec<_>>(),
        "result": game.result.map(|result| result.to_string()),
        "fault": stored.fault,
    })
}

/// The text before and after a game: nothing around a single one, else the signs of an array.
pub(super) fn around(is_single: bool, index: u64, count: u64) -> (&'static str, &'static str) {
    match (is_single, index == 0, index + 1 == count) {
        (true, ..) => ("", ""),
        (_, true, true) => ("[", "]"),
        (_, true, false) => ("[", ","),
        (_, false, true) => ("", "]"),
        (_, false, false) => ("", ","),
    }
}

/// The half-move with which the game leaves the earlier ones, or the reason for none.
pub(super) fn novelty(novelty: &Novelty, sheet: &Sheet) -> Value {
    let mv = match novelty {
        Novelty::New(mv) => mv,
        Novelty::AllKnown => return json!({ "ply": null, "none": "all_known" }),
        Novelty::NoGame => return json!({ "ply": null, "none": "no_game" }),
    };
    let step = sheet.steps.get(mv.ply);
    let last = mv.last.as_ref().map(|last| {
        json!({ "id": last.id, "white": last.white, "black": last.black, "date": last.date })
    });
    json!({
        "ply": mv.ply,
        "san": step.map(|step| &step.san),
        "uci": step.map(|step| &step.uci),
        "games": mv.games,
        "last": last,
    })
}

fn of_move(ply: usize, step: &Step) -> Value {
    json!({
        "ply": ply,
        "uci": step.uci,
        "san": step.san,
        "fen": step.position.to_string(),
        "glyphs": step.glyphs,
        "clock": step.clock.map(Clock::seconds),
        "evaluation": step.evaluation.map(evaluation),
        "comments": step.comments,
        "variations": step.variations.iter().map(|line| &line.text).collect::<Vec<_>>(),
    })
}

/// From White's side.
fn evaluation(evaluation: Evaluation) -> Value {
    match evaluation.score() {
        Score::Centipawns(cp) => json!({ "cp": cp }),
        Score::Mate(moves) => json!({ "mate": moves }),
    }
}
