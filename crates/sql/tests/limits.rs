//! Queries that exceed their limits: each ends in an error about the limit, or in a result.

use std::num::NonZero;
use std::time::{Duration, Instant};

use futures::TryStreamExt;
use halfmove_archive::{ArchiveError, CancelToken};
use halfmove_sql::{Sql, SqlError, SqlOptions};

use crate::support::{Outcome, ask, ask_with, error, three, wait};

/// Options with little memory.
fn small() -> SqlOptions {
    let mut options = SqlOptions::default();
    (options.memory_bytes, options.threads) = (16 << 20, NonZero::<usize>::MIN);
    options
}

/// Data that does not fit in memory is written to temporary files, as far as the engine can.
#[test]
fn memory() -> Outcome {
    let (_folder, archive) = three();
    let sorted = "SELECT value FROM generate_series(1, 1000000) ORDER BY value % 1000, value DESC";
    let rows = ask_with(&archive, sorted, &small())?;
    assert_eq!(
        (rows.len(), rows[0][0].as_str(), rows[999_999][0].as_str()),
        (1_000_000, "1000000", "999")
    );
    let mut smaller = SqlOptions::default();
    (smaller.memory_bytes, smaller.threads) = (8 << 20, NonZero::new(2).ok_or("two")?);
    assert_eq!(ask_with(&archive, sorted, &smaller)?.len(), 1_000_000);
    let grouped = "SELECT count(*) FROM (SELECT value, count(*) FROM generate_series(1, 1000000) GROUP BY value)";
    assert_eq!(ask_with(&archive, grouped, &small())?, [["1000000"]]);
    for query in [
        "SELECT array_agg(value) FROM generate_series(1, 10000000)",
        "SELECT median(value) FROM generate_series(1, 10000000)",
    ] {
        match ask_with(&archive, query, &small()) {
            Err(error @ SqlError::Memory { bytes }) => {
                assert_eq!(bytes, 16 << 20);
                assert_eq!(error.to_string(), "the query needs more memory than 16.0 MiB");
            }
            other => panic!("{query}: {other:?}"),
        }
    }
    let sql = Sql::new(&archive, &small())?;
    let condition = "2 > (SELECT median(value) FROM generate_series(1, 10000000))";
    let found = wait(sql.ids_where(condition));
    assert!(matches!(found, Err(SqlError::Memory { .. })), "{found:?}");
    Ok(())
}

#[test]
fn time() -> Outcome {
    let (_folder, archive) = three();
    let mut options = SqlOptions::default();
    options.time_limit = Some(Duration::from_millis(300));
    let begin = Instant::now();
    for query in [
        "SELECT sum(value) FROM generate_series(1, 1000000000000)",
        "SELECT value FROM generate_series(1, 1000000000000) WHERE value < 0",
    ] {
        let answer = ask_with(&archive, query, &options);
        assert!(matches!(answer, Err(SqlError::Time { .. })), "{query}: {answer:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(30));
    options.time_limit = Some(Duration::from_secs(3_600));
    assert_eq!(ask_with(&archive, "SELECT count(*) FROM games", &options)?, [["3"]]);
    Ok(())
}

/// Dropping a result ends its query; otherwise the runtime would wait for it.
#[test]
fn dropped_answers() -> Outcome {
    let (_folder, archive) = three();
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    wait(async {
        let mut answer = sql.query("SELECT value FROM generate_series(1, 1000000000000)").await?;
        assert!(answer.try_next().await?.is_some());
        drop(answer);
        for query in [
            "SELECT sum(value) FROM generate_series(1, 1000000000000)",
            "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b \
             WHERE a.value + b.value < 0",
            "SELECT a.value FROM generate_series(1, 1000000) a JOIN generate_series(1, 1000000) b \
             ON a.value % 2 = b.value % 2 WHERE a.value + b.value < 0 ORDER BY a.value",
            "SELECT count(DISTINCT a.value % 7) FROM generate_series(1, 1000000) a, \
             generate_series(1, 1000000) b, halfmoves",
        ] {
            let endless = sql.query(query).await?;
            let ended =
                tokio::time::timeout(Duration::from_millis(200), endless.try_collect::<Vec<_>>());
            assert!(ended.await.is_err(), "{query}");
        }
        Ok(())
    })
}

/// The processor time in hundredths of a second of the threads with this name.
#[cfg(target_os = "linux")]
fn processor_time(name: &str) -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("threads");
    let texts = threads.filter_map(|thread| {
        // A thread may have ended.
        std::fs::read_to_string(thread.ok()?.path().join("stat")).ok()
    });
    let times = texts.filter_map(|text| {
        let (head, fields) = text.rsplit_once(')')?;
        let times = fields.split_whitespace().skip(11).take(2);
        let times = times.filter_map(|time| time.parse::<u64>().ok());
        head.ends_with(&format!("({name}")).then(|| times.sum::<u64>())
    });
    times.sum()
}

/// Joins that find nothing, or much, in one batch of their inputs: the processor is free soon after the result is dropped,
/// the archive's token is cancelled, or the limit. They keep all threads of their runtime busy, so another one waits here.
#[cfg(target_os = "linux")]
#[test]
fn stopped_joins_use_no_processor() -> Outcome {
    const NAME: &str = "stopped-query";
    let (_folder, archive) = three();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_name(NAME).build()?;
    let waiting = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let (short, long) = (Duration::from_millis(300), Duration::from_secs(3_600));
    let mut limited = SqlOptions::default();
    limited.time_limit = Some(short);
    let million = "generate_series(1, 1000000)";
    for query in [
        format!("SELECT count(*) FROM {million} a, {million} b WHERE a.value + b.value < 0"),
        format!("SELECT max(a.value) FROM {million} a, {million} b, {million} c"),
        format!(
            "SELECT count(*) FROM {million} a JOIN {million} b ON a.value % 2 = b.value % 2 \
             AND a.value + b.value < 0"
        ),
        format!(
            "SELECT count(*) FROM {million} a WHERE a.value % 2 IN (SELECT value % 2 FROM {million})"
        ),
    ] {
        for way in ["drop", "cancel", "limit"] {
            let token = CancelToken::default();
            let options = if way == "limit" { limited.clone() } else { SqlOptions::default() };
            let sql = Sql::new(&archive.with_cancel(&token), &options)?;
            let answer = runtime.block_on(sql.query(&query))?.try_collect::<Vec<_>>();
            if way == "cancel" {
                std::thread::spawn(move || {
                    std::thread::sleep(short);
                    token.cancel();
                });
            }
            let patience = if way == "drop" { short } else { long };
            match (way, waiting.block_on(async { tokio::time::timeout(patience, answer).await })) {
                ("drop", Err(_)) | ("limit", Ok(Err(SqlError::Time { .. }))) => {}
                ("cancel", Ok(Err(SqlError::Archive(error)))) => {
                    assert!(matches!(*error, ArchiveError::Stopped), "{query}: {error}");
                }
                // The side that is collected may fill the memory first.
                ("cancel" | "limit", Ok(Err(SqlError::Memory { .. }))) => {}
                (_, ended) => panic!("{query}, {way}: {ended:?}"),
            }
            let (begin, mut before) = (processor_time(NAME), u64::MAX);
            while before != processor_time(NAME) {
                before = processor_time(NAME);
                assert!(before - begin < 100, "{query}, {way}: it goes on");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
    Ok(())
}

#[test]
fn long_and_deep_texts() -> Outcome {
    let (_folder, archive) = three();
    // Lists may be long.
    let numbers = (0..50_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let rows = ask(&archive, &format!("SELECT id FROM games WHERE id IN ({numbers}) ORDER BY id"))?;
    assert_eq!(rows.len(), 3);
    // The maximum depth.
    for (first, next) in [
        ("SELECT id FROM games WHERE id = 1", " OR id = 1"),
        ("SELECT id FROM games WHERE id = 1", " AND plies <> -1"),
        ("SELECT 1", " + 1"),
        ("SELECT plies", " + plies"),
        ("SELECT 1 FROM games WHERE id = 1", " OR id IN (SELECT id FROM games WHERE id = 1)"),
        ("SELECT 'x'", " || 'x'"),
        ("SELECT 1", "::int"),
        ("SELECT 1", " UNION ALL SELECT 1"),
        ("SELECT 1 FROM games", ", games"),
    ] {
        // Many joins and subqueries take the planner long.
        let most = if next.contains("games") { 20 } else { 900 / next.split(' ').count() };
        for times in [1, most] {
            let from = if first.contains("FROM") { "" } else { " FROM games" };
            let query = format!("{first}{}{from}", next.repeat(times));
            // The only error is a table that is named twice.
            if let Err(error) = ask(&archive, &query) {
                assert!(error.to_string().contains("games"), "{query:.100}: {error}");
            }
        }
        let long = error(&archive, &format!("{first}{}", next.repeat(20_000)));
        assert!(matches!(long, SqlError::TooLong { .. }), "{long:?}");
    }
    let sql = Sql::new(&archive, &SqlOptions::default())?;
    let condition = format!("id = 1{}", " AND 1 = 1".repeat(50_000));
    let found = wait(sql.ids_where(&condition));
    assert!(matches!(found, Err(SqlError::TooLong { .. })), "{found:?}");
    Ok(())
}

/// The deepest nesting that the parser accepts still ends, and deeper nesting is an error.
#[test]
fn nested_texts() {
    let (_folder, archive) = three();
    for (open, close) in [
        ("(", ")"),
        ("initcap(", ")"),
        ("-(", ")"),
        ("[", "]"),
        ("NOT (", ")"),
        ("CAST(", ")"),
        ("POSITION(", ")"),
        ("SUBSTRING(", ")"),
        ("(SELECT ", ")"),
        ("1 IN (", ")"),
        ("CASE WHEN (", ") THEN 1 END"),
    ] {
        for inside in ["1", "1 +", ""] {
            for times in [1, 5, 11, 20, 300] {
                let query = format!("SELECT {}{inside}{}", open.repeat(times), close.repeat(times));
                let answer = ask(&archive, &query);
                assert!(!matches!(answer, Err(SqlError::Panicked(_))), "{query}: {answer:?}");
                if times == 300 {
                    assert!(matches!(answer, Err(SqlError::TooDeep)), "{query:.60}: {answer:?}");
                }
            }
        }
    }
}

/// A panic of the engine is an error of the query.
#[test]
fn panics_of_the_engine() {
    let (_folder, archive) = three();
    let query = "SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 18446744073709551615 FOLLOWING) \
        FROM games LIMIT 1";
    match error(&archive, query) {
        error @ SqlError::Panicked(_) => {
            let text = error.to_string();
            assert!(text.starts_with("the query engine failed on this query: "), "{text}");
        }
        other => panic!("{other:?}"),
    }
}
