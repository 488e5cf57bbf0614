//! Values and batches that would not fit in memory: an error before the memory is taken, and the engine's answer for all others.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};

use halfmove_archive::Archive;
use halfmove_sql::datafusion::arrow::util::pretty::pretty_format_batches;
use halfmove_sql::datafusion::prelude::SessionContext;
use halfmove_sql::{Sql, SqlError, SqlOptions};

use crate::support::{Outcome, ask_with, imported, wait};

/// 64 MiB, of which the share of a row is 8 KiB.
fn small() -> SqlOptions {
    let mut options = SqlOptions::default();
    (options.memory_bytes, options.threads) = (64 << 20, NonZero::<usize>::MIN);
    options
}

/// Three games of players with names.
fn named() -> (tempfile::TempDir, Archive) {
    let names =
        ["Tal", "Botvinnik", "Müller"].map(|name| format!("[White \"{name}\"]\n\n1. e4 e5 *\n\n"));
    imported(names.concat())
}

/// Calls with a text, a number `{n}` and a list: the values grow with the number.
const GROWING: [&str; 22] = [
    "repeat('x', {n})",
    "repeat(white, {n})",
    "repeat('x', plies * {n})",
    "lpad('x', {n})",
    "lpad(white, {n}, 'é')",
    "rpad('x', {n}, 'yz')",
    "rpad(white, {n} + plies)",
    "array_repeat(1, {n})",
    "list_repeat(white, {n})",
    "array_repeat([1, 2, 3], {n})",
    "array_repeat(named_struct('a', white, 'b', id), {n})",
    "array_resize([1], {n})",
    "list_resize(['x'], {n}, white)",
    "range({n})",
    "range(7, {n})",
    "range({n}, 1, -1)",
    "generate_series(id, {n}, 2)",
    "range(date '1970-01-01', date '1970-01-01' + {n}, interval '1 day')",
    "generate_series(timestamp '1970-01-01', timestamp '1970-01-01' + interval '{n} hour', interval '10 minutes')",
    "replace(repeat('x', {n}), 'x', repeat('y', {n}))",
    "array_replace_all(array_repeat('x', {n}), 'x', repeat('y', {n}))",
    "array_to_string(range(0, {n}), repeat(', ', {n}))",
];

#[test]
fn large_values_are_errors() -> Outcome {
    let (_folder, archive) = named();
    for call in GROWING {
        let call = call.replace("{n}", "100000");
        for query in [
            format!("SELECT {call} FROM games"),
            format!("SELECT count(*) FROM games WHERE {call} IS NULL"),
            format!("SELECT count({call}) FROM games, generate_series(1, 3)"),
        ] {
            match ask_with(&archive, &query, &small()) {
                Err(error @ SqlError::TooLarge { bytes, most, .. }) => {
                    assert!(bytes > most as u64, "{query}: {error}");
                    assert_eq!(most, 8 << 10, "{query}: {error}");
                }
                other => panic!("{query}: {other:.100?}"),
            }
        }
    }
    let error = ask_with(&archive, "SELECT repeat('x', 2000000000)", &small()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "repeat would make a value of 1.9 GiB, the memory limit allows 8.0 KiB"
    );
    for number in ["9223372036854775807", "4611686018427387904 + id"] {
        for call in ["repeat(white, {n})", "range(-2, {n})", "array_repeat(white, {n})"] {
            let query = format!("SELECT {} FROM games", call.replace("{n}", number));
            let answer = ask_with(&archive, &query, &small());
            assert!(matches!(answer, Err(SqlError::TooLarge { .. })), "{query}: {answer:?}");
        }
    }
    let sql = Sql::new(&archive, &small())?;
    let found = wait(sql.ids_where("repeat(white, 1000000) = black"));
    assert!(matches!(found, Err(SqlError::TooLarge { .. })), "{found:?}");
    Ok(())
}

/// Values of a column that together need more than the limit.
#[test]
fn products_of_columns_are_errors() -> Outcome {
    let (_folder, archive) = named();
    let texts = "SELECT repeat('x', 8000) AS x, repeat('y', 1000 + CAST(value AS INT)) AS y \
        FROM generate_series(1, 100)";
    for call in ["replace(x, 'x', y)", "array_to_string(string_to_array(x, NULL), y)"] {
        let query = format!("SELECT {call} FROM ({texts})");
        match ask_with(&archive, &query, &small()) {
            Err(SqlError::TooLarge { is_one: false, most, .. }) => assert_eq!(most, 64 << 20),
            other => panic!("{query}: {other:.100?}"),
        }
    }
    // What is made of a long text may be long.
    let long = "SELECT length(replace(t, ',', ';')) FROM \
        (SELECT string_agg(CAST(value AS TEXT), ',') AS t FROM generate_series(1, 300000))";
    assert_eq!(ask_with(&archive, long, &small())?, [["1988894"]]);
    Ok(())
}

/// More calls, whose values are small: ranges without numbers, and nulls.
const OTHERS: [&str; 5] = [
    "range(3000000000, 1)",
    "range(1, 9, NULL)",
    "range(date '1970-01-01', date '2970-01-01', CAST(NULL AS INTERVAL))",
    "array_resize([1, 2, 3], 1)",
    "repeat(NULL, 1000000000)",
];

/// The values up to the limit are the engine's.
#[test]
fn other_values_are_those_of_the_engine() -> Outcome {
    let (_folder, archive) = named();
    let engine = SessionContext::new();
    let mut compared = 0;
    for call in GROWING.into_iter().chain(OTHERS) {
        for number in ["0", "1", "3", "20", "-5", "NULL"] {
            let call = call.replace("{n}", number);
            let call = call.replace("white", "CAST(w AS TEXT)").replace("plies", "id");
            let values = "(VALUES (1, 'Tal'), (2, NULL), (3, 'Müller')) AS t(id, w)";
            let query = format!("SELECT {call} AS c FROM {values}");
            let ours = ask_with(&archive, &query, &small());
            // The engine panics at some negative numbers.
            let theirs = catch_unwind(AssertUnwindSafe(|| {
                wait(async { engine.sql(&query).await?.collect().await })
            }));
            let Ok(Ok(theirs)) = theirs else {
                assert!(ours.is_err(), "{query}: {ours:?}");
                assert!(!matches!(ours, Err(SqlError::TooLarge { .. })), "{query}: {ours:?}");
                continue;
            };
            let ours = ours?;
            let theirs = pretty_format_batches(&theirs)?.to_string();
            let theirs: Vec<&str> = theirs.lines().skip(3).collect();
            assert_eq!(ours.len() + 1, theirs.len(), "{query}");
            for (row, line) in ours.iter().zip(theirs) {
                let expected = line.trim_matches('|').trim();
                let found = if row[0] == "null" { "" } else { row[0].trim() };
                assert_eq!(found, expected, "{query}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
    Ok(())
}

/// A text that doubles from step to step, and windows whose lists grow from row to row.
#[test]
fn large_batches_are_errors() -> Outcome {
    let (_folder, archive) = named();
    let first = "t0 AS (SELECT CAST(value AS TEXT) AS x FROM generate_series(1, 2))";
    let doubled = |times: u32| {
        let steps =
            (1..=times).map(|step| format!(", t{step} AS (SELECT x || x AS x FROM t{})", step - 1));
        format!("WITH {first}{} SELECT length(x) FROM t{times}", steps.collect::<String>())
    };
    assert_eq!(ask_with(&archive, &doubled(10), &small())?, [["1024"], ["1024"]]);
    for query in [
        doubled(40),
        "SELECT array_length(array_agg(value) OVER (ORDER BY value)) FROM generate_series(1, 20000)"
            .to_owned(),
    ] {
        match ask_with(&archive, &query, &small()) {
            Err(SqlError::Memory { bytes }) => assert_eq!(bytes, 64 << 20, "{query:.80}"),
            other => panic!("{query:.80}: {other:.100?}"),
        }
    }
    // Many batches may take more together.
    let joined =
        "SELECT sum(length(x)) FROM (SELECT repeat('x', 1000) AS x), generate_series(1, 200000)";
    assert_eq!(ask_with(&archive, joined, &small())?, [["200000000"]]);
    Ok(())
}
