//! `halfmove perft`: counts the leaves of the game tree.

use crate::Done;
use crate::args::Perft;
use crate::output::{self, Answer, Rows, grouped};
use crate::progress::Progress;
use anyhow::anyhow;
use halfmove_rules::{
    AnyPosition, Move, PerftProgress, PerftTable, Position, divide, divide_parallel,
};
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(crate) fn run(args: Perft) -> anyhow::Result<Done> {
    let (position, variant) = args.start.reached()?;
    let table = table(args.hash)?;
    let clock = Instant::now();
    let counts = match &position {
        AnyPosition::Chess(position) => count(position, &args, table.as_ref()),
        AnyPosition::Makruk(position) => count(position, &args, table.as_ref()),
    };
    let nodes = match args.depth {
        0 => 1,
        _ => counts.iter().map(|(_, nodes)| nodes).sum(),
    };
    let mut by_move: Vec<(String, u64)> = counts
        .into_iter()
        .map(|(mv, nodes)| {
            let uci = match &position {
                AnyPosition::Makruk(position) => position.uci(mv),
                AnyPosition::Chess(_) => mv.uci(variant.castling_style()),
            };
            (uci.to_string(), nodes)
        })
        .collect();
    by_move.sort();
    let seconds = clock.elapsed().as_secs_f64();
    let nps = (nodes as f64 / seconds.max(1e-9)) as u64;

    let rows = if args.divide {
        let rows = by_move.iter().map(|(uci, nodes)| vec![uci.clone(), nodes.to_string()]);
        Rows::new(&["move", "nodes"], &["nodes"], rows.collect())
    } else {
        let milliseconds = format!("{:.0}", seconds * 1e3);
        let row = vec![args.depth.to_string(), nodes.to_string(), milliseconds, nps.to_string()];
        let heading = ["depth", "nodes", "elapsed_ms", "nps"];
        Rows::new(&heading, &heading, vec![row])
    };
    let closing = if args.divide { format!("{} nodes", grouped(nodes)) } else { String::new() };
    let answer = Answer { rows: &rows, closing: &closing, list: None };
    output::print(args.output.format, &answer, || {
        let mut object = json!({
            "variant": variant.name(),
            "fen": position.to_string(),
            "depth": args.depth,
            "threads": args.threads,
            "hash_mib": args.hash,
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

/// The hash table, if requested.
fn table(mib: usize) -> anyhow::Result<Option<PerftTable>> {
    if mib == 0 {
        return Ok(None);
    }
    let table = mib.checked_mul(1 << 20).and_then(PerftTable::new);
    table.map(Some).ok_or_else(|| anyhow!("--hash {mib}: there is not enough memory"))
}

/// Counts the leaves after each first move. One thread without a hash table counts directly.
fn count<P: Position + Sync>(
    position: &P,
    args: &Perft,
    table: Option<&PerftTable>,
) -> Vec<(Move, u64)> {
    let bar = Progress::new(Some(0), "node");
    let counts = if args.threads.get() == 1 && table.is_none() {
        let mut progress = PerftProgress { done: 0, jobs: position.count_moves(), nodes: 0 };
        let counts = divide(position, args.depth).inspect(|(_, nodes)| {
            progress.done += 1;
            progress.nodes += nodes;
            show(&bar, progress);
        });
        counts.collect()
    } else {
        let show = |progress| show(&bar, progress);
        divide_parallel(position, args.depth, args.threads, table, show)
    };
    bar.finish();
    counts
}

fn show(progress: &Progress, reached: PerftProgress) {
    progress.set_total(reached.jobs as u64);
    progress.show(reached.done as u64, reached.nodes);
}
