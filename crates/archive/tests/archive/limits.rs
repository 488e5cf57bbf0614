//! Queries that would take more than they may: each ends in an error that says so, or in an answer.

use std::num::NonZero;

use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter};

use crate::Outcome;
use crate::sql::{ask, three};

/// What the limit says about a query.
fn limited(archive: &Archive, query: &str) -> String {
    match ask(archive, query) {
        Err(ArchiveError::Limit(text)) => text,
        Err(other) => panic!("{:.200}: {other:?}", query),
        Ok(rows) => panic!("{:.200}: {} rows", query, rows.len()),
    }
}

/// Calls that make far more than they are given, folded into constants or not.
#[test]
fn long_values() {
    let (_folder, archive) = three();
    for (query, wanted) in [
        (
            "SELECT repeat('x', 2000000000)",
            "repeat would make 1.9 GiB as a constant, at most 1.0 MiB",
        ),
        ("SELECT length(repeat('x', 2000000000))", "repeat would make"),
        (
            "SELECT repeat(result, 2000000000) FROM games",
            "repeat would make 20.5 GiB at once, at most 64.0 MiB",
        ),
        ("SELECT id FROM games WHERE repeat(result, 2000000000) = 'x'", "repeat would make"),
        ("SELECT count(*) FROM games GROUP BY repeat(result, 2000000000)", "repeat would make"),
        ("SELECT * FROM (VALUES (repeat('x', 2000000000)))", "repeat would make"),
        ("SELECT (SELECT repeat('x', 2000000000))", "repeat would make"),
        ("SELECT lpad('x', 2000000000)", "lpad would make"),
        ("SELECT rpad(result, 2000000000, 'ab') FROM games", "rpad would make"),
        ("SELECT replace(repeat('x', 30000), 'x', repeat('y', 30000))", "replace would make"),
        ("SELECT replace(repeat('x', 30000), '', repeat('y', 30000))", "replace would make"),
        (
            "SELECT regexp_replace(repeat('x', 30000), '(x)', repeat('\\1', 30000), 'g')",
            "regexp_replace would make",
        ),
        ("SELECT concat(repeat('x', 900000), repeat('y', 900000))", "concat would make"),
        ("SELECT repeat('x', 900000) || repeat('y', 900000)", "|| would make"),
        ("SELECT concat_ws(repeat('x', 900000), 'a', 'b', 'c')", "concat_ws would make"),
        ("SELECT array_repeat(1, 2000000000)", "array_repeat would make"),
        ("SELECT array_repeat(repeat('x', 1000), 1000000)", "array_repeat would make"),
        ("SELECT array_resize([1], 2000000000, 7)", "array_resize would make"),
        (
            "SELECT array_to_string(range(0, 30000), repeat('x', 30000))",
            "array_to_string would make",
        ),
        ("SELECT range(0, 1000000000000)", "range would make 7.3 TiB"),
        ("SELECT range(1000000000000)", "range would make 7.3 TiB"),
        ("SELECT range(1000000000000, 0, -1)", "range would make"),
        ("SELECT generate_series(0, 1000000000000)", "generate_series would make"),
        ("SELECT unnest(range(0, 1000000000000))", "range would make"),
        ("SELECT range(date '0001-01-01', date '9999-01-01', interval '1 nanosecond')", "range"),
        (
            "SELECT generate_series(timestamp '2000-01-01', timestamp '2001-01-01', interval '1 microsecond')",
            "generate_series would make",
        ),
    ] {
        let text = limited(&archive, query);
        assert!(text.contains(wanted), "{query}: {text}");
    }
}

/// A call may make more where queries may use more.
#[test]
fn limits_follow_the_options() -> Outcome {
    let (_folder, archive) = three();
    let mut options = ArchiveOptions::default();
    options.threads = NonZero::<usize>::MIN;
    options.query_bytes = 16 << 20;
    let small = Archive::open_with(archive.path(), &options)?;
    let query = "SELECT max(length(repeat(result, 1000000))) FROM games";
    assert_eq!(ask(&archive, query)?, [["7000000"]]);
    let text = limited(&small, query);
    assert_eq!(text, "repeat would make 10.5 MiB at once, at most 1.0 MiB are allowed");
    let query = "SELECT value FROM generate_series(1, 10000000) ORDER BY value % 1000, value DESC";
    assert_eq!(limited(&small, query), "the query needs more memory than 16.0 MiB");
    for query in [
        "SELECT array_agg(value) FROM generate_series(1, 10000000)",
        "SELECT median(value) FROM generate_series(1, 10000000)",
    ] {
        assert!(limited(&small, query).starts_with("the query needs more memory"), "{query}");
    }
    let filter =
        Filter { condition: Some("repeat('x', 20000000) = 'y'".to_owned()), ..Filter::default() };
    let found = crate::wait(small.search(&filter, 1));
    assert!(matches!(found, Err(ArchiveError::Limit(_))), "{found:?}");
    Ok(())
}

/// A long constant stands in every row: batches are shorter then.
#[test]
fn long_constants_in_many_rows() -> Outcome {
    let (_folder, archive) = three();
    let query = "SELECT sum(length(text)) FROM (SELECT repeat('x', 1000000) || value AS text \
        FROM generate_series(1, 100))";
    assert_eq!(ask(&archive, query)?, [["100000192"]]);
    Ok(())
}

#[test]
fn long_and_deep_texts() -> Outcome {
    let (_folder, archive) = three();
    // Lists may be long.
    let numbers = (0..50_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let rows = ask(&archive, &format!("SELECT id FROM games WHERE id IN ({numbers}) ORDER BY id"))?;
    assert_eq!(rows.len(), 3);
    // As deep as may be.
    for (first, next) in [
        ("SELECT id FROM games WHERE id = 1", " OR id = 1"),
        ("SELECT id FROM games WHERE id = 1", " AND plies <> -1"),
        ("SELECT 1", " + 1"),
        ("SELECT 1 FROM games WHERE id = 1", " OR id IN (SELECT id FROM games WHERE id = 1)"),
        ("SELECT 'x'", " || 'x'"),
        ("SELECT 1", "::int"),
        ("SELECT 1", " UNION ALL SELECT 1"),
        ("SELECT 1 FROM games", ", games"),
    ] {
        // Many joins and subqueries take the planner long.
        let most = if next.contains("games") { 20 } else { 900 / next.split(' ').count() };
        for times in [1, most] {
            let query = format!("{first}{}", next.repeat(times));
            // A table that is named twice is told; nothing else is.
            if let Err(error) = ask(&archive, &query) {
                assert!(error.to_string().contains("games"), "{query:.100}: {error}");
            }
        }
        let text = limited(&archive, &format!("{first}{}", next.repeat(20_000)));
        assert!(text.contains("words and signs") || text.contains("bytes"), "{text}");
    }
    Ok(())
}

/// The parser tries the inside of some parentheses again when it does not understand it, and the planner that of
/// subqueries: what is nested as deep as may be still ends, and what is nested deeper is not tried.
#[test]
fn nested_texts() -> Outcome {
    let (_folder, archive) = three();
    for (open, close, most) in [
        ("(", ")", 40),
        ("initcap(", ")", 40),
        ("-(", ")", 20),
        ("[", "]", 10),
        ("NOT (", ")", 10),
        ("CAST(", ")", 10),
        ("POSITION(", ")", 8),
        ("SUBSTRING(", ")", 10),
        ("(SELECT ", ")", 10),
        ("1 IN (", ")", 10),
        ("CASE WHEN (", ") THEN 1 END", 10),
    ] {
        for inside in ["1", "1 +", ""] {
            let query = format!("SELECT {}{inside}{}", open.repeat(most), close.repeat(most));
            if let Err(error) = ask(&archive, &query) {
                assert!(matches!(error, ArchiveError::Query(_)), "{query}: {error:?}");
            }
            for times in [most + 33, 300] {
                let query = format!("SELECT {}{inside}{}", open.repeat(times), close.repeat(times));
                assert!(limited(&archive, &query).starts_with("the query is nested too deeply"));
            }
        }
        let query = format!("SELECT {}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(limited(&archive, &query).contains("at most"));
    }
    // Side by side there may be many.
    let query = format!("SELECT id FROM games WHERE {}id = 1", "(id = 1) OR ".repeat(150));
    assert_eq!(ask(&archive, &query)?, [["1"]]);
    let query = format!("SELECT 1 FROM games WHERE id = 1{}", " AND 1 = 1".repeat(50_000));
    assert!(limited(&archive, &query).contains("at most"));
    let filter = Filter { condition: Some(query), ..Filter::default() };
    let found = crate::wait(archive.search(&filter, 1));
    assert!(matches!(found, Err(ArchiveError::Limit(_))), "{found:?}");
    Ok(())
}

/// Each of some queries needs more than it may, and the error says what.
fn all_limited(archive: &Archive, queries: &[(&str, &str)]) {
    for (query, wanted) in queries {
        let text = limited(archive, query);
        assert!(text.contains(wanted), "{query:.200}: {text}");
    }
}

/// Aggregates whose value grows would stand in each row, and types of a fixed size take room even for null.
#[test]
fn long_values_in_each_row() -> Outcome {
    let (_folder, archive) = three();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let explore = format!("SELECT explore(moves, result, '{start}') OVER () FROM games");
    all_limited(
        &archive,
        &[
            (
                "SELECT max(array_length(s)) FROM (SELECT array_agg(event) OVER () s FROM games)",
                "array_agg with OVER",
            ),
            ("SELECT string_agg(white, '') OVER () FROM games", "string_agg with OVER"),
            (
                "SELECT string_agg(white, '') OVER (PARTITION BY result) FROM games",
                "string_agg with OVER",
            ),
            (&explore, "explore with OVER"),
            (
                "SELECT arrow_cast(NULL, 'FixedSizeList(700000000, Int64)')",
                "a type of a fixed size",
            ),
            (
                "SELECT arrow_cast(nullif(make_array(id), make_array(id)), 'FixedSizeList(100000, Int64)') FROM games",
                "a type of a fixed size",
            ),
            (
                "SELECT arrow_cast(NULL, 'FixedSizeList(2000000000, FixedSizeList(2000000000, Int64))')",
                "a type of a fixed size",
            ),
            (
                "SELECT arrow_try_cast(NULL, 'List(FixedSizeBinary(2000000000))')",
                "a type of a fixed size",
            ),
            ("SELECT CAST(NULL AS INT[700000000])", "a type of a fixed size"),
            ("SELECT make_array(id)::BIGINT[100000] FROM games", "a type of a fixed size"),
        ],
    );
    let query = "SELECT max(white) OVER (), count(DISTINCT id) OVER () FROM games LIMIT 1";
    assert_eq!(ask(&archive, query)?, [["null", "3"]]);
    Ok(())
}

/// A few columns have many sets.
#[test]
fn sets_of_columns() -> Outcome {
    let (_folder, archive) = three();
    let count = |sets: &str| format!("SELECT count(*) FROM games GROUP BY {sets}");
    let cube = "CUBE (variant, result, white, black, event, site, round)";
    let rollup =
        "ROLLUP (variant, result, white, black, event, site, round), CUBE (eco, year, date, plies)";
    let listed = format!("GROUPING SETS ({})", vec!["(white)"; 65].join(", "));
    for sets in [cube, rollup, &listed] {
        all_limited(&archive, &[(&count(sets), "more than 64 sets")]);
    }
    let most = count("CUBE (variant, result, white, black, event, site)");
    assert_eq!(ask(&archive, &format!("SELECT count(*) FROM ({most})"))?.len(), 1);
    Ok(())
}

/// What a name stands for is planned again wherever the name is.
#[test]
fn names_for_large_plans() -> Outcome {
    let (_folder, archive) = three();
    let mut doubled = "WITH a0 AS (SELECT id FROM games WHERE id < 3)".to_owned();
    for level in 1..=21 {
        let before = format!("SELECT * FROM a{}", level - 1);
        doubled += &format!(", a{level} AS ({before} UNION ALL {before})");
    }
    let values = vec!["1"; 30_000].join(", ");
    let repeated = "SELECT id FROM a UNION ALL ".repeat(20);
    let listed = format!(
        "WITH a AS (SELECT id FROM games WHERE id IN ({values})) {repeated} SELECT id FROM a"
    );
    all_limited(
        &archive,
        &[
            (&format!("{doubled} SELECT count(*) FROM a21"), "parts, at most 4000 are allowed"),
            (&format!("{doubled} SELECT 1"), "parts, at most 4000 are allowed"),
            (&listed, "values, at most 524288 are allowed"),
        ],
    );
    let query = "WITH a AS (SELECT * FROM games), b AS (SELECT * FROM a UNION ALL SELECT * FROM a) \
        SELECT count(*) FROM b JOIN a ON a.id = b.id JOIN b c ON c.id = a.id";
    assert_eq!(ask(&archive, query)?, [["12"]]);
    Ok(())
}

/// A condition on a computed column is one on what it is computed from.
#[test]
fn conditions_on_computed_columns() -> Outcome {
    let (_folder, archive) = three();
    let computed = |levels: usize| {
        let mut query = "WITH a0 AS (SELECT id AS x FROM games)".to_owned();
        for level in 1..=levels {
            query += &format!(", a{level} AS (SELECT x + x AS x FROM a{})", level - 1);
        }
        format!("{query} SELECT count(*) FROM a{levels} WHERE x > 5")
    };
    for levels in [20, 60] {
        all_limited(&archive, &[(&computed(levels), "a condition becomes too long")]);
    }
    assert_eq!(ask(&archive, &computed(8))?, [["3"]]);
    Ok(())
}

/// A mistake of the engine is told as an error of the query.
#[test]
fn mistakes_of_the_engine() {
    let (_folder, archive) = three();
    let query = "SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 18446744073709551615 FOLLOWING) \
        FROM games LIMIT 1";
    match ask(&archive, query) {
        Err(ArchiveError::Query(text)) => {
            assert!(text.starts_with("the query engine failed on this query; it said: "), "{text}");
        }
        other => panic!("{other:?}"),
    }
}
