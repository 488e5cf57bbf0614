//! Clauses that the engine supports, and conditions on games.

use halfmove_sql::{Sql, SqlError, SqlOptions};

use crate::support::{Outcome, ask, error, three, wait};

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
            (Err(SqlError::Planning(_) | SqlError::Syntax { .. }), None) => {}
            (other, _) => panic!("{query}: {other:?}"),
        }
    }
    Ok(())
}

/// Clauses that the engine would ignore, also in a subquery.
#[test]
fn clauses_of_other_databases() -> Outcome {
    let (_folder, archive) = three();
    for (query, expected) in [
        ("SELECT TOP 3 id FROM games", "TOP"),
        ("SELECT id FROM games PREWHERE id > 1", "PREWHERE"),
        ("SELECT id FROM games SAMPLE 10", "TABLESAMPLE"),
        ("SELECT count(*) FROM games GROUP BY id WITH ROLLUP", "WITH after GROUP BY"),
        ("SELECT 1 UNION SELECT TOP 3 id FROM games", "TOP"),
        ("SELECT id FROM games WHERE id IN (SELECT TOP 3 id FROM games)", "TOP"),
        ("EXPLAIN SELECT TOP 3 id FROM games", "TOP"),
    ] {
        match ask(&archive, query) {
            Err(SqlError::Unsupported { clause, .. }) => assert_eq!(clause, expected, "{query}"),
            other => panic!("{query}: {other:?}"),
        }
    }
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    let found = wait(sql.ids_where("id IN (SELECT TOP 3 id FROM games)"));
    assert!(matches!(found, Err(SqlError::Unsupported { .. })), "{found:?}");
    Ok(())
}

#[test]
fn conditions() -> Outcome {
    let (_folder, archive) = three();
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    let count = |condition: &str| wait(sql.ids_where(condition)).map(|ids| ids.len());
    assert_eq!(count("id > 1 AND result <> '*'")?, 1);
    assert_eq!(count("games.id = 1 OR tag('FEN') IS NOT NULL")?, 2);
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
    for condition in ["count(*) > 1", "id = max(id)", "row_number() OVER (ORDER BY id) = 1"] {
        for condition in [condition, &format!("{condition} AND EXISTS (SELECT 1)")] {
            let error = count(condition).expect_err(condition);
            assert!(matches!(error, SqlError::ConditionOnGroups), "{condition}: {error:?}");
        }
    }
    for (condition, expected) in [
        ("id", "Int64"),
        ("white", "Utf8View"),
        ("'x'", "Utf8"),
        ("(SELECT max(id) FROM games)", "Int64"),
    ] {
        match count(condition) {
            Err(SqlError::ConditionType { kind }) => assert_eq!(kind, expected, "{condition}"),
            other => panic!("{condition}: {other:?}"),
        }
    }
    let error = count("id IN (SELECT id FROM nothing)").expect_err("no table");
    assert!(matches!(error, SqlError::UnknownTable { .. }), "{error:?}");
    for condition in [
        "",
        "true) UNION (SELECT id FROM games",
        "EXISTS (SELECT 1)) OR (true",
        "EXISTS (SELECT 1) LIMIT 1",
        "EXISTS (SELECT 1); SELECT 1",
        "id = 1 LIMIT 1",
        "id = 1 AS x y",
    ] {
        let error = count(condition).expect_err(condition);
        assert!(matches!(error, SqlError::Syntax { .. }), "{condition}: {error:?}");
    }
    Ok(())
}

/// Invalid bytes made by the query are a mistake in the query.
#[test]
fn bytes_that_are_not_a_game() {
    let (_folder, archive) = three();
    for query in [
        "SELECT san(decode('ffffffffff', 'hex'))",
        "SELECT san(decode(concat('ffffffff', '0', id), 'hex')) FROM games",
        "SELECT san(m) FROM (SELECT decode(concat('ffffffff', '0', id), 'hex') AS m FROM games)",
    ] {
        let error = error(&archive, query);
        assert!(matches!(error, SqlError::Function(_)), "{query}: {error:?}");
        assert!(error.to_string().contains("is not a game"), "{error}");
    }
}

/// Subqueries without names whose columns have the same names and are computed alike: each step counts.
#[test]
fn nested_steps() -> Outcome {
    let (_folder, archive) = three();
    let mut plies = "SELECT plies FROM games WHERE id = 1".to_owned();
    let mut texts = "SELECT CAST(id AS TEXT) AS x FROM games WHERE id = 1".to_owned();
    let first: usize = ask(&archive, &plies)?[0][0].parse()?;
    for step in 1..=8 {
        plies = format!("SELECT plies + 1 AS plies FROM ({plies})");
        texts = format!("SELECT x || x AS x FROM ({texts})");
        assert_eq!(ask(&archive, &plies)?, [[(first + step).to_string()]]);
        assert_eq!(ask(&archive, &texts)?, [["1".repeat(1 << step)]]);
    }
    let inside = format!(
        "SELECT id FROM games WHERE plies + 2 = (SELECT plies + 1 AS plies FROM ({}))",
        "SELECT plies + 1 AS plies FROM (SELECT plies FROM games WHERE id = 1)"
    );
    assert_eq!(ask(&archive, &format!("SELECT count(*) FROM ({inside}) WHERE id = 1"))?, [["1"]]);
    let error = ask(&archive, "SELECT plie FROM (SELECT plies FROM games)").unwrap_err();
    assert_eq!(error.to_string(), "there is no column plie: did you mean plies?");
    let both = "SELECT * FROM (SELECT id FROM games), (SELECT white AS name, id AS other FROM games) WHERE id = other";
    assert_eq!(ask(&archive, both)?.len(), 3);
    Ok(())
}
