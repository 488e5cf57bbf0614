//! `halfmove perft`: count the leaves of the game tree.

use crate::Done;
use crate::args::{Perft, Variant};
use crate::output::{self, Rows, grouped};
use crate::position;
use halfmove_rules::{divide, perft};
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(crate) fn run(args: Perft) -> anyhow::Result<Done> {
    let position = position::from_fen(args.fen.as_deref())?;
    let variant = Variant::of(args.variant, &position);
    let clock = Instant::now();
    let mut by_move: Vec<(String, u64)> = if args.divide {
        divide(&position, args.depth)
            .map(|(mv, nodes)| (mv.uci(variant.castling_style()).to_string(), nodes))
            .collect()
    } else {
        Vec::new()
    };
    by_move.sort();
    let nodes = if args.divide && args.depth > 0 {
        by_move.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft(&position, args.depth)
    };
    let seconds = clock.elapsed().as_secs_f64();
    let nps = (nodes as f64 / seconds.max(1e-9)) as u64;

    let rows = if args.divide {
        Rows {
            heading: &["move", "nodes"],
            numbers: &["nodes"],
            rows: by_move.iter().map(|(uci, n)| vec![uci.clone(), n.to_string()]).collect(),
        }
    } else {
        Rows {
            heading: &["depth", "nodes", "elapsed_ms", "nps"],
            numbers: &["depth", "nodes", "elapsed_ms", "nps"],
            rows: vec![vec![
                args.depth.to_string(),
                nodes.to_string(),
                format!("{:.0}", seconds * 1e3),
                nps.to_string(),
            ]],
        }
    };
    let closing = if args.divide { format!("{} nodes", grouped(nodes)) } else { String::new() };
    output::print(args.output.format, &rows, &closing, || {
        let mut object = json!({
            "variant": variant.name(),
            "fen": position.to_string(),
            "depth": args.depth,
            "nodes": nodes,
            "elapsed_ms": (seconds * 1e3).round() as u64,
            "nps": nps,
        });
        if args.divide {
            let divide: Map<String, Value> =
                by_move.iter().map(|(uci, nodes)| (uci.clone(), json!(nodes))).collect();
            object["divide"] = Value::Object(divide);
        }
        object
    })?;
    Ok(Done::Found)
}
