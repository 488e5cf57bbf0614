//! Conditions on cheap columns of `halfmoves`, which spare the others.

use std::cmp::Ordering;

use halfmove_archive::Archive;

use crate::support::{Outcome, archive, ask, read};

/// The rows of a query in the order of a slow sort, with nulls last.
fn sorted(
    archive: &Archive,
    columns: &str,
    order: impl Fn(&[String], &[String]) -> Ordering,
) -> Vec<Vec<String>> {
    let mut rows = ask(archive, &format!("SELECT {columns} FROM halfmoves")).expect("rows");
    rows.sort_by(|one, two| order(one, two));
    rows
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}

/// The first rows of an order are those of a slow sort, and the plan has the condition of the order.
#[test]
fn first_rows() -> Outcome {
    let (_folder, archive) = archive(&read("games/lichess.pgn.zst", 400));
    let columns = "clock, id, ply, uci, san, fen";
    let place = |row: &[String]| (number(&row[1]) as i64, number(&row[2]) as i64);
    let by_clock = |one: &[String], two: &[String]| {
        let clocks = number(&one[0]).total_cmp(&number(&two[0]));
        clocks.then_with(|| place(one).cmp(&place(two)))
    };
    let expected = sorted(&archive, columns, by_clock);
    assert!(expected.len() > 20_000, "{}", expected.len());
    for limit in [1, 10, 3000] {
        let query =
            format!("SELECT {columns} FROM halfmoves ORDER BY clock, id, ply LIMIT {limit}");
        assert_eq!(ask(&archive, &query)?, expected[..limit], "{query}");
    }
    let by_longest = |one: &[String], two: &[String]| {
        let longest = two[0].len().cmp(&one[0].len()).then_with(|| two[0].cmp(&one[0]));
        longest.then_with(|| place(one).cmp(&place(two)))
    };
    let expected = sorted(&archive, "uci, id, ply, fen", by_longest);
    let query = "SELECT uci, id, ply, fen FROM halfmoves ORDER BY length(uci) DESC, uci DESC, id, ply LIMIT 50";
    assert_eq!(ask(&archive, query)?, expected[..50]);
    // Nulls come last, unless the query says first.
    for (order, nulls) in [("DESC", "0"), ("DESC NULLS FIRST", "20"), ("ASC NULLS FIRST", "20")] {
        let query = format!(
            "SELECT count(*) FROM (SELECT cp, fen FROM halfmoves ORDER BY cp {order} LIMIT 20) WHERE cp IS NULL"
        );
        assert_eq!(ask(&archive, &query)?, [[nulls]], "{query}");
    }
    let plan = ask(&archive, "EXPLAIN SELECT fen FROM halfmoves ORDER BY clock LIMIT 10")?;
    let plan = plan.concat().join("\n");
    assert!(plan.contains("sieve=[clock]"), "{plan}");
    Ok(())
}

/// Conditions of a query have the same rows, whether few or many meet them; on positions they spare nothing.
#[test]
fn conditions_on_cheap_columns() -> Outcome {
    let (_folder, archive) = archive(&read("games/lichess.pgn.zst", 400));
    let all = ask(&archive, "SELECT id, ply, clock, uci, san FROM halfmoves ORDER BY id, ply")?;
    type Holds = fn(&[String]) -> bool;
    let conditions: [(&str, Holds); 5] = [
        ("clock < 20", |row| number(&row[2]) < 20.0),
        ("clock > 1", |row| row[2] != "null" && number(&row[2]) > 1.0),
        ("uci LIKE '%q' AND ply > 20", |row| row[3].ends_with('q') && number(&row[1]) > 20.0),
        ("clock < 30 AND san LIKE 'Q%'", |row| number(&row[2]) < 30.0 && row[4].starts_with('Q')),
        ("san LIKE '%#'", |row| row[4].ends_with('#')),
    ];
    for (condition, holds) in conditions {
        let query = format!(
            "SELECT id, ply, clock, uci, san FROM halfmoves WHERE {condition} ORDER BY id, ply"
        );
        let expected: Vec<_> = all.iter().filter(|row| holds(row)).cloned().collect();
        assert!(!expected.is_empty(), "{condition}");
        assert_eq!(ask(&archive, &query)?, expected, "{condition}");
    }
    Ok(())
}
