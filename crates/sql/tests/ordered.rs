//! Aggregates with `ORDER BY`, and sorts of much text.

use std::collections::BTreeMap;
use std::num::NonZero;

use halfmove_sql::SqlOptions;

use crate::support::{Outcome, archive, ask, ask_with, read, three};

/// A half-move: id, ply, move and balance.
type Row = (i64, i64, String, i64);

/// An order of rows.
type Order = fn(&Row, &Row) -> std::cmp::Ordering;

/// The key of a row's group.
type Key = fn(&Row) -> String;

/// The lists and texts of real games, compared with values that are grouped and sorted here.
#[test]
fn lists_and_texts_have_their_order() -> Outcome {
    let (_folder, archive) = archive(&read("games/masters.pgn.zst", 60));
    let rows = ask(&archive, "SELECT id, ply, uci, material_balance FROM halfmoves")?;
    let mut all: Vec<Row> = Vec::new();
    for row in rows {
        all.push((row[0].parse()?, row[1].parse()?, row[2].clone(), row[3].parse()?));
    }
    assert!(all.len() > 2_000, "{}", all.len());
    let orders: [(&str, Order); 3] = [
        ("id, ply", |a, b| (a.0, a.1).cmp(&(b.0, b.1))),
        ("ply DESC, id", |a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0))),
        ("material_balance, uci DESC, ply, id", |a, b| {
            a.3.cmp(&b.3).then(b.2.cmp(&a.2)).then((a.1, a.0).cmp(&(b.1, b.0)))
        }),
    ];
    let groups: [(&str, Key); 4] = [
        ("id", |row| row.0.to_string()),
        ("uci", |row| row.2.clone()),
        ("ply % 2", |row| (row.1 % 2).to_string()),
        ("", |_| String::new()),
    ];
    for (order, compare) in orders {
        let mut sorted = all.clone();
        sorted.sort_by(compare);
        for (group, of) in groups {
            let mut expected: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for row in &sorted {
                expected.entry(of(row)).or_default().push(&row.2);
            }
            let expected: BTreeMap<String, String> =
                expected.into_iter().map(|(group, moves)| (group, moves.join(" "))).collect();
            let (key, by) = match group {
                "" => ("''", String::new()),
                group => (group, format!("GROUP BY {group}")),
            };
            for aggregate in [
                format!("array_to_string(array_agg(uci ORDER BY {order}), ' ')"),
                format!("string_agg(uci, ' ' ORDER BY {order})"),
            ] {
                for threads in [1, 3] {
                    let mut options = SqlOptions::default();
                    options.threads = NonZero::new(threads).ok_or("threads")?;
                    let query = format!("SELECT {key}, {aggregate} FROM halfmoves {by}");
                    let found = ask_with(&archive, &query, &options)?;
                    let found: BTreeMap<String, String> =
                        found.into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
                    assert!(found == expected, "{query} with {threads} threads");
                }
            }
        }
    }
    Ok(())
}

/// Nulls as values and as keys, filters, groups without values, and several orders in one query.
#[test]
fn nulls_filters_and_several_orders() -> Outcome {
    let (_folder, archive) = three();
    let table = "(VALUES ('a', 2), (NULL, 1), ('c', NULL), ('d', 3)) AS t(x, y)";
    for (aggregates, expected) in [
        ("array_to_string(array_agg(x ORDER BY y), ',', '?')", "?,a,d,c"),
        ("array_to_string(array_agg(x ORDER BY y DESC), ',', '?')", "d,a,?,c"),
        ("array_to_string(array_agg(x ORDER BY y DESC NULLS FIRST), ',', '?')", "c,d,a,?"),
        ("array_to_string(array_agg(x ORDER BY x NULLS FIRST), ',', '?')", "?,a,c,d"),
        ("array_to_string(array_agg(x ORDER BY y) IGNORE NULLS, ',', '?')", "a,d,c"),
        ("array_to_string(array_agg(x ORDER BY y) FILTER (WHERE y > 1), ',', '?')", "a,d"),
        ("array_agg(x ORDER BY y) FILTER (WHERE y > 9)", "null"),
        ("array_length(array_agg(x ORDER BY y) FILTER (WHERE y = 1))", "1"),
        ("string_agg(x, '-' ORDER BY y DESC)", "d-a-c"),
        ("string_agg(x, NULL ORDER BY y)", "adc"),
        ("string_agg(x, '-' ORDER BY y) FILTER (WHERE y = 1)", "null"),
        ("string_agg(x, '' ORDER BY x), string_agg(x, '' ORDER BY x DESC)", "acd|dca"),
        (
            "string_agg(x, '' ORDER BY y), string_agg(DISTINCT x, '' ORDER BY x DESC), count(*)",
            "adc|dca|4",
        ),
    ] {
        for group in ["", "GROUP BY coalesce(y, 1) > 0"] {
            let query = format!("SELECT {aggregates} FROM {table} {group}");
            let rows = ask(&archive, &query).map_err(|error| format!("{query}: {error}"))?;
            assert_eq!(rows.len(), 1, "{query}");
            assert_eq!(rows[0].join("|"), expected, "{query}");
        }
    }
    let empty = "SELECT array_agg(x ORDER BY y), string_agg('a', '' ORDER BY y) FROM (SELECT 1 AS x, 2 AS y WHERE false)";
    assert_eq!(ask(&archive, empty)?, [["null", "null"]]);
    // A window adds to a list after it has been read.
    let window = "SELECT array_to_string(array_agg(x) OVER (ORDER BY y), '') FROM (VALUES ('b', 1), ('a', 2)) AS t(x, y)";
    assert_eq!(ask(&archive, window)?, [["b"], ["ba"]]);
    Ok(())
}

/// Lists and sorts that exceed the memory of a query are written to temporary files, also with long texts.
#[test]
fn much_text() -> Outcome {
    let (_folder, archive) = three();
    let mut options = SqlOptions::default();
    (options.memory_bytes, options.threads) = (128 << 20, NonZero::new(2).ok_or("two")?);
    // The least value of a group is its number, but 1000 in group 0.
    let lists = "SELECT count(*) FROM (SELECT value % 1000 AS k, array_agg(value ORDER BY value DESC) AS l \
        FROM generate_series(1, 1000000) GROUP BY 1) \
        WHERE l[1000] = CASE k WHEN 0 THEN 1000 ELSE k END AND l[1] = l[1000] + 999000";
    assert_eq!(ask_with(&archive, lists, &options)?, [["1000"]]);
    options.threads = NonZero::<usize>::MIN;
    let texts = "SELECT count(*), count(*) FILTER (WHERE before < text) \
        FROM (SELECT text, lag(text) OVER (ORDER BY text, value) AS before FROM (SELECT value, \
        lpad(CAST(value * 7919 % 1000003 AS VARCHAR), 60, 'x') AS text FROM generate_series(1, 1000000)))";
    assert_eq!(ask_with(&archive, texts, &options)?, [["1000000", "999999"]]);
    Ok(())
}
