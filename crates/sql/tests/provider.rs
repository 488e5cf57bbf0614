//! Archives as tables of another session.

use std::sync::Arc;

use halfmove_rules::Chess;
use halfmove_sql::datafusion::arrow::util::pretty::pretty_format_batches;
use halfmove_sql::datafusion::common::stats::Precision;
use halfmove_sql::datafusion::physical_plan::ExecutionPlan;
use halfmove_sql::datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use halfmove_sql::datafusion::prelude::SessionContext;
use halfmove_sql::register;

use crate::support::{Outcome, archive, game, read, wait};

/// After 1. e4 c5 2. Nf3 d6.
const SICILIAN: &str = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";

/// The result in a session, as lines of cells.
fn ask(session: &SessionContext, query: &str) -> Result<String, Box<dyn std::error::Error>> {
    let rows = wait(async { session.sql(query).await?.collect().await })?;
    let table = pretty_format_batches(&rows)?.to_string();
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(1);
    let cells = |line: &str| line.trim_matches('|').replace(' ', "");
    Ok(lines.map(cells).collect::<Vec<_>>().join("\n"))
}

/// The number of rows that the scan of a query reads, as known before it reads them.
fn scanned(session: &SessionContext, query: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let mut plan: Arc<dyn ExecutionPlan> =
        wait(async { session.sql(query).await?.create_physical_plan().await })?;
    while let [input] = plan.children().as_slice() {
        plan = Arc::clone(input);
    }
    let known = StatisticsContext::new().compute(plan.as_ref(), &StatisticsArgs::new())?;
    match known.num_rows {
        // Not exact if the engine filters these rows further.
        Precision::Exact(rows) | Precision::Inexact(rows) => Ok(rows),
        Precision::Absent => Err(format!("{query}: no number of rows").into()),
    }
}

#[test]
fn two_archives_are_joined_in_one_session() -> Outcome {
    let start = Chess::default();
    let (_one, first) = archive(&[game(&start, "e4 c5 Nf3 d6"), game(&start, "d4")]);
    let (_two, second) = archive(&[game(&start, "Nf3 d6 e4 c5 d4")]);
    let session = SessionContext::new();
    register(&first, &session, "first")?;
    register(&second, &session, "second")?;
    let query = format!(
        "SELECT a.id, san(a.moves), san(b.moves) FROM first a JOIN second b \
         ON fen_at(a.moves, 4) = fen_at(b.moves, 4) WHERE reaches(a.moves, '{SICILIAN}')"
    );
    assert_eq!(ask(&session, &query)?, "1|1.e4c52.Nf3d6|1.Nf3d62.e4c53.d4");
    let query = format!(
        "SELECT san(a.moves), san(b.moves) FROM first a, second b \
         WHERE reaches(a.moves, '{SICILIAN}') AND reaches(b.moves, '{SICILIAN}')"
    );
    assert_eq!(ask(&session, &query)?, "1.e4c52.Nf3d6|1.Nf3d62.e4c53.d4");
    let error = register(&first, &session, "second").expect_err("the name is taken").to_string();
    assert!(error.contains("second"), "{error}");
    Ok(())
}

/// A comparison with the ply of a position reads only games that have it, and has the same results as before.
#[test]
fn a_compared_ply_reads_only_the_games_with_the_position() -> Outcome {
    let (_folder, archive) = archive(&read("games/masters.pgn.zst", 4_000));
    let session = SessionContext::new();
    register(&archive, &session, "games")?;
    let ply = format!("ply_of(moves, '{SICILIAN}')");
    let reached = format!("SELECT id FROM games WHERE reaches(moves, '{SICILIAN}')");
    let reached = scanned(&session, &reached)?;
    assert!((10..1_000).contains(&reached), "{reached} games");
    for condition in [
        "PLY IS NOT NULL",
        "PLY = 4",
        "PLY <> 4",
        "4 < PLY",
        "PLY BETWEEN 5 AND 100",
        "PLY IN (4, 6)",
        "PLY NOT IN (4, 6)",
        "PLY < plies - 40",
        "white_elo > 2400 AND PLY >= 2",
    ] {
        let query = format!("SELECT id FROM games WHERE {}", condition.replace("PLY", &ply));
        assert_eq!(scanned(&session, &query)?, reached, "{condition}");
        // The same in a form that reads every game.
        let slow = condition.replace("PLY", "p");
        let slow = format!(
            "SELECT id FROM (SELECT *, nullif(coalesce({ply}, -1), -1) AS p FROM games) WHERE {slow}"
        );
        assert_eq!(scanned(&session, &slow)?, 4_000, "{condition}");
        let ordered = |query: &str| ask(&session, &format!("{query} ORDER BY id"));
        assert_eq!(ordered(&query)?, ordered(&slow)?, "{condition}");
    }
    for condition in
        ["PLY IS NULL", "coalesce(PLY, 3) = 3", "PLY = 4 OR plies > 100", "PLY NOT BETWEEN 5 AND 9"]
    {
        let query = format!("SELECT id FROM games WHERE {}", condition.replace("PLY", &ply));
        assert_eq!(scanned(&session, &query)?, 4_000, "{condition}");
    }
    Ok(())
}
