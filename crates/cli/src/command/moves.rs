//! `halfmove moves`: the legal moves of a position.

use crate::Done;
use crate::args::{Moves, Variant};
use crate::output::{self, Rows};
use crate::position;
use halfmove_rules::Outcome;
use serde_json::{Value, json};

pub(crate) fn run(args: Moves) -> anyhow::Result<Done> {
    let position = position::from_fen(args.fen.as_deref())?;
    let variant = Variant::of(args.variant, &position);
    let mut moves: Vec<Vec<String>> = position
        .legal_moves()
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let uci = mv.uci(variant.castling_style()).to_string();
            vec![uci, position.san(mv).to_string(), next.to_string()]
        })
        .collect();
    moves.sort();
    let rows = Rows { heading: &["uci", "san", "fen"], numbers: &[], rows: moves };
    let closing = match position.outcome() {
        Some(outcome) => {
            format!("{}, {}", output::counted(rows.rows.len() as u64, "move"), outcome)
        }
        None => output::counted(rows.rows.len() as u64, "move"),
    };
    output::print(args.output.format, &rows, &closing, || {
        json!({
            "variant": variant.name(),
            "fen": position.to_string(),
            "moves": rows.rows.iter().map(|row| {
                json!({ "uci": row[0], "san": row[1], "fen": row[2] })
            }).collect::<Vec<_>>(),
            "outcome": position.outcome().map(outcome),
        })
    })?;
    Ok(Done::Found)
}

/// `{"kind":"checkmate","winner":"white"}`; a draw's winner is null.
fn outcome(outcome: Outcome) -> Value {
    let kind = outcome.to_string().replace(' ', "_");
    json!({ "kind": kind, "winner": outcome.winner().map(|color| color.to_string()) })
}
