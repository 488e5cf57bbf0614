//! Clauses that the engine would pass over are rejected by name; those that it knows are answered.

use halfmove_archive::{ArchiveError, Filter};

use crate::sql::{ask, three};
use crate::{Outcome, wait};

#[test]
fn clauses_that_would_be_passed_over() {
    let (_folder, archive) = three();
    for (query, clause) in [
        ("SELECT id FROM games PREWHERE id < 2", "PREWHERE"),
        ("FROM games SELECT id", "FROM before SELECT"),
        ("FROM games", "FROM before SELECT"),
        ("SELECT TOP 3 id FROM games", "TOP; LIMIT behind the query"),
        ("SELECT id FROM games TABLESAMPLE (10 PERCENT)", "TABLESAMPLE"),
        ("SELECT id FROM games TABLESAMPLE BERNOULLI (10)", "TABLESAMPLE"),
        ("SELECT id FROM games TABLESAMPLE SYSTEM (1) REPEATABLE (3)", "TABLESAMPLE"),
        ("SELECT id FROM games TABLESAMPLE (1 ROWS)", "TABLESAMPLE"),
        ("SELECT id FROM games TABLESAMPLE (BUCKET 1 OUT OF 3)", "TABLESAMPLE"),
        ("SELECT id FROM games g TABLESAMPLE (1 ROWS)", "TABLESAMPLE"),
        ("SELECT id FROM games SAMPLE 10", "SAMPLE"),
        ("SELECT id FROM (SELECT id FROM games) TABLESAMPLE (1 ROWS)", "TABLESAMPLE"),
        ("SELECT id FROM games FINAL", "FINAL"),
        ("SELECT id FROM games FINAL WHERE id = 1", "FINAL"),
        ("SELECT id FROM games PARTITION (p0)", "PARTITION"),
        ("SELECT id FROM games WITH (NOLOCK)", "WITH (…)"),
        ("SELECT id FROM games START WITH id = 1 CONNECT BY PRIOR id = id", "CONNECT BY"),
        ("SELECT id FROM games CONNECT BY id = 1", "CONNECT BY"),
        ("SELECT id FROM games FOR UPDATE", "FOR UPDATE"),
        ("SELECT id FROM games FOR SHARE", "FOR SHARE"),
        ("SELECT * FROM games WITH ORDINALITY", "WITH ORDINALITY"),
        ("SELECT value FROM generate_series(1, 3) WITH ORDINALITY", "WITH ORDINALITY"),
        ("SELECT id FROM games FORMAT JSON", "FORMAT"),
        ("SELECT id FROM games FOR XML AUTO", "FOR XML"),
        ("SELECT id FROM games SETTINGS max_threads = 1", "SETTINGS"),
        ("SELECT result, count(*) FROM games GROUP BY result WITH ROLLUP", "WITH ROLLUP"),
        ("SELECT result, count(*) FROM games GROUP BY result WITH CUBE", "WITH CUBE"),
        ("SELECT result, count(*) FROM games GROUP BY result WITH TOTALS", "WITH TOTALS"),
        ("SELECT result, count(*) FROM games GROUP BY ALL WITH ROLLUP", "WITH ROLLUP"),
        (
            "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT n + 1 FROM t WHERE n < 9 LIMIT 3) SELECT n FROM t",
            "LIMIT behind UNION",
        ),
        (
            "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT 2 ORDER BY n DESC) SELECT n FROM t",
            "ORDER BY behind UNION",
        ),
        ("SELECT a.id FROM games a GLOBAL JOIN games b ON a.id = b.id", "GLOBAL"),
        ("SELECT * FROM games AS g (id TEXT)", "the type of a column"),
        (
            "SELECT sum(id) OVER (w ORDER BY id) FROM games WINDOW w AS (PARTITION BY result)",
            "a window that extends another",
        ),
        (
            "SELECT id FROM games WINDOW w AS (ORDER BY id) ORDER BY sum(id) OVER w",
            "the name of a window",
        ),
        ("SELECT upper(white) OVER () FROM games", "OVER with upper"),
        ("SELECT upper(white) FILTER (WHERE id = 1) FROM games", "FILTER with upper"),
        ("SELECT upper(DISTINCT white) FROM games", "DISTINCT with upper"),
        ("SELECT UPPER(white ORDER BY id) FROM games", "ORDER BY with upper"),
        ("SELECT san(moves) OVER () FROM games", "OVER with san"),
        ("SELECT id FROM games WHERE reaches(DISTINCT moves, 'x')", "DISTINCT with reaches"),
        ("SELECT row_number() FILTER (WHERE id > 1) OVER (ORDER BY id) FROM games", "FILTER"),
        ("SELECT lag(DISTINCT id) OVER (ORDER BY id) FROM games", "DISTINCT with lag"),
        ("SELECT first_value(id) FILTER (WHERE id > 1) OVER (ORDER BY id) FROM games", "FILTER"),
        ("SELECT median(0.5)(id) FROM games", "a second list of arguments"),
        ("EXPLAIN SELECT id FROM games SAMPLE 10", "SAMPLE"),
        ("SELECT (SELECT max(id) FROM games PREWHERE id < 2)", "PREWHERE"),
        ("WITH a AS (SELECT id FROM games SAMPLE 1) SELECT id FROM a", "SAMPLE"),
        ("SELECT id FROM games WHERE id IN (SELECT id FROM games SAMPLE 1)", "SAMPLE"),
        ("SELECT id FROM games |> AGGREGATE count(*) GROUP BY id DESC", "an order"),
    ] {
        match ask(&archive, query) {
            Err(ArchiveError::Query(text)) => {
                assert!(text.contains(clause), "{query}: {text}");
                assert!(text.starts_with("not supported: "), "{query}: {text}");
            }
            other => panic!("{query}: {other:?}"),
        }
    }
    // These are rejected by the parser or the engine, in their own words.
    for query in [
        "SELECT id FROM games FOR SYSTEM_TIME AS OF '2020-01-01'",
        "SELECT HIGH_PRIORITY id FROM games",
        "SELECT AS STRUCT id FROM games",
        "SELECT TOP 2 id FROM games",
        "SELECT id FROM games LIMIT 1 BY id",
        "SELECT id FROM games FETCH FIRST 1 ROWS ONLY",
        "SELECT id FROM games SORT BY id",
        "SELECT id FROM games CLUSTER BY id",
        "SELECT id FROM games LATERAL VIEW explode(id) t AS x",
        "SELECT id FROM games ORDER BY id WITH FILL",
        "SELECT count(SELECT 1) FROM games",
        "SELECT id FROM games USE INDEX (i)",
    ] {
        let answer = ask(&archive, query);
        assert!(matches!(answer, Err(ArchiveError::Query(_))), "{query}: {answer:?}");
    }
}

#[test]
fn clauses_that_count() -> Outcome {
    let (_folder, archive) = three();
    for (query, rows) in [
        ("SELECT id FROM games AS g (a, b) LIMIT 0", None),
        ("SELECT a.id FROM games a JOIN games b ON a.id = b.id WHERE a.id = 2", Some("2")),
        ("SELECT sum(id) OVER w FROM games WINDOW w AS (ORDER BY id) LIMIT 1", Some("1")),
        ("SELECT count(*) FILTER (WHERE id > 1) FROM games", Some("2")),
        ("SELECT count(DISTINCT result) FROM games", Some("3")),
        ("SELECT first_value(id ORDER BY id DESC) FROM games", Some("3")),
        ("SELECT sum(id) FILTER (WHERE id > 1) OVER () FROM games LIMIT 1", Some("5")),
        (
            "SELECT lag(id) IGNORE NULLS OVER (ORDER BY id) FROM games ORDER BY id DESC LIMIT 1",
            Some("2"),
        ),
        ("SELECT approx_percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM games", Some("2.0")),
        ("WITH final AS (SELECT 7 AS n) SELECT n FROM final", Some("7")),
        ("WITH a AS MATERIALIZED (SELECT 7 AS n) SELECT n FROM a", None),
        (
            "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT max(n) FROM t",
            Some("9"),
        ),
        ("SELECT final.id FROM games AS final LIMIT 1", Some("1")),
        ("SELECT id FROM games QUALIFY row_number() OVER (ORDER BY id) = 2", Some("2")),
        ("SELECT array_to_string(array_agg(id ORDER BY id), ' ') FROM games", Some("1 2 3")),
        ("SELECT DISTINCT ON (variant) id FROM games ORDER BY variant, id", Some("1")),
    ] {
        match (ask(&archive, query), rows) {
            (Ok(found), Some(value)) => assert_eq!(found, [[value]], "{query}"),
            (Err(ArchiveError::Query(_)), None) => {}
            (other, _) => panic!("{query}: {other:?}"),
        }
    }
    Ok(())
}

/// What is no condition on one game is told without the words of the engine.
#[test]
fn conditions() -> Outcome {
    let (_folder, archive) = three();
    let count = |condition: &str| {
        let filter = Filter { condition: Some(condition.to_owned()), ..Filter::default() };
        wait(archive.count(&filter))
    };
    assert_eq!(count("id > 1 AND result <> '*'")?, 1);
    for (condition, games) in [
        ("id IN (SELECT id FROM games)", 3),
        ("id IN (SELECT id FROM games WHERE id > 1)", 2),
        ("EXISTS (SELECT 1)", 3),
        ("NOT EXISTS (SELECT 1)", 0),
        ("id = (SELECT max(id) FROM games)", 1),
        ("id NOT IN (SELECT max(id) FROM games)", 2),
        ("EXISTS (SELECT 1 FROM games AS later WHERE later.id > games.id)", 2),
        ("id IN (WITH few AS (SELECT id FROM games WHERE id < 3) SELECT id FROM few)", 2),
    ] {
        assert_eq!(count(condition)?, games, "{condition}");
    }
    for (condition, why) in [
        ("count(*) > 1", "the condition is about many games"),
        ("id = max(id)", "the condition is about many games"),
        ("row_number() OVER (ORDER BY id) = 1", "the condition is about many games"),
        ("id", "the condition is a value of the type Int64, expected one that is true or false"),
        ("white", "the condition is a value of the type"),
        ("'x'", "the condition is a value of the type"),
        ("count(*) > 1 AND EXISTS (SELECT 1)", "Aggregate functions are not allowed"),
        (
            "row_number() OVER (ORDER BY id) = 1 AND EXISTS (SELECT 1)",
            "the condition is about many games",
        ),
        ("(SELECT max(id) FROM games)", "the condition is a value of the type Int64"),
        ("id IN (SELECT id FROM nothing)", "nothing"),
        ("id IN (SELECT id FROM games FOR UPDATE)", "FOR UPDATE"),
        ("true) UNION (SELECT id FROM games", ""),
        ("EXISTS (SELECT 1)) OR (true", ""),
        ("EXISTS (SELECT 1) LIMIT 1", ""),
        ("EXISTS (SELECT 1); SELECT 1", ""),
        ("upper(DISTINCT white) = 'X'", "DISTINCT with upper"),
        ("id = 1 LIMIT 1", ""),
    ] {
        match count(condition) {
            Err(ArchiveError::Query(text)) => {
                assert!(text.contains(why), "{condition}: {text}");
                for noise in ["AggregateFunction", "Field {", "?table?", "predicate"] {
                    assert!(!text.contains(noise), "{condition}: {text}");
                }
            }
            other => panic!("{condition}: {other:?}"),
        }
    }
    Ok(())
}

/// A subquery in `FROM` that the engine cannot resolve.
#[test]
fn errors_are_in_plain_words() {
    let (_folder, archive) = three();
    let query = "SELECT g.id, x.n FROM games g, LATERAL (SELECT count(*) n FROM games h WHERE h.id < g.id) x";
    match ask(&archive, query) {
        Err(ArchiveError::Query(text)) => {
            assert!(!text.contains("OuterReferenceColumn") && !text.contains("Field {"), "{text}");
        }
        Ok(rows) => assert_eq!(rows.len(), 3),
        other => panic!("{other:?}"),
    }
}

/// Bytes that the question makes are no damage.
#[test]
fn bytes_that_are_no_game() {
    let (_folder, archive) = three();
    for query in [
        "SELECT san(decode('ffffffffff', 'hex'))",
        "SELECT san(decode(concat('ffffffff', '0', id), 'hex')) FROM games",
        "SELECT san(m) FROM (SELECT decode(concat('ffffffff', '0', id), 'hex') AS m FROM games)",
    ] {
        match ask(&archive, query) {
            Err(ArchiveError::Query(text)) => assert!(text.contains("is no game"), "{text}"),
            other => panic!("{query}: {other:?}"),
        }
    }
}
