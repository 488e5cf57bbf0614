//! `halfmove moves`: the legal moves of a position.

use crate::Done;
use crate::args::Moves;
use crate::output::{self, Answer, Rows};
use anyhow::bail;
use halfmove_rules::makruk;
use halfmove_rules::{AnyPosition, Outcome};
use serde_json::{Map, Value, json};

pub(crate) fn run(args: Moves) -> anyhow::Result<Done> {
    let (position, variant) = args.start.reached()?;
    if let (Some(_), AnyPosition::Chess(_)) = (args.san, &position) {
        bail!(
            "--san: chess has only one style of SAN, expected --variant makruk, makpong or asean"
        );
    }
    let style = args.san.map_or(makruk::SanStyle::Fairy, makruk::SanStyle::from);
    let mut moves: Vec<Vec<String>> = position
        .legal_moves()
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let uci = match &position {
                AnyPosition::Makruk(position) => position.uci(mv),
                AnyPosition::Chess(_) => mv.uci(variant.castling_style()),
            };
            let uci = uci.to_string();
            let san = match &position {
                AnyPosition::Chess(position) => position.san(mv).to_string(),
                AnyPosition::Makruk(position) => position.san_in(mv, style).to_string(),
            };
            vec![uci, san, next.to_string()]
        })
        .collect();
    moves.sort();
    let rows = Rows::new(HEADING, &[], moves);
    let closing = match position.outcome() {
        Some(outcome) => {
            format!("{}, {}", output::counted(rows.rows.len() as u64, "move"), outcome)
        }
        None => output::counted(rows.rows.len() as u64, "move"),
    };
    let answer = Answer { rows: &rows, closing: &closing, list: Some("moves") };
    output::print(args.output.format, &answer, || {
        json!({
            "variant": variant.name(),
            "fen": position.to_string(),
            "moves": rows.rows.iter().map(|row| {
                HEADING.iter().zip(row).map(|(name, text)| ((*name).to_owned(), text.as_str().into()))
                    .collect::<Map<String, Value>>()
            }).collect::<Vec<_>>(),
            "outcome": position.outcome().map(outcome_object),
        })
    })?;
    Ok(Done::Found)
}

/// The columns of a move.
const HEADING: &[&str] = &["uci", "san", "fen"];

/// `{"result":"1-0","reason":"checkmate"}`
pub(crate) fn outcome_object(outcome: Outcome) -> Value {
    json!({ "result": outcome.result(), "reason": outcome.name() })
}
