//! Facts in tags: dates, times and time controls, from files of public reports.

use crate::program::{archive_of, ok, run};

/// The command fails, and its messages have all of these words.
fn fails(args: &[&str], words: &[&str]) {
    let output = run(args);
    assert!(
        output.code > 1 && words.iter().all(|word| output.err.contains(word)),
        "{args:?}: {output:?}"
    );
}

#[test]
fn games_are_found_by_speed_and_time_control() {
    let (_folder, archive) = archive_of(&["field/21-tc.pgn"]);
    let whites = |args: &[&str]| {
        let args =
            [&["search", archive.as_str(), "--columns", "id,white", "--format", "csv"][..], args]
                .concat();
        let rows = ok(&args);
        let rows = rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap_or("").to_owned());
        rows.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(whites(&["--speed", "blitz"]), "T1 T2 T15");
    assert_eq!(whites(&["--speed", "Correspondence"]), "T4 T7 T8");
    assert_eq!(whites(&["--time-control", "3+2"]), "T1");
    assert_eq!(whites(&["--time-control", "40/7200"]), "T0");
    fails(&["search", &archive, "--speed", "fast"], &["\"fast\" is not a speed", "classical"]);
    fails(&["search", &archive, "--time-control", "3"], &["as in 3+2"]);
    let groups = ok(&["stats", &archive, "--by", "speed", "--format", "csv"]);
    assert!(groups.contains("speed,blitz,3,"), "{groups}");
}

#[cfg(feature = "sql")]
#[test]
fn sql_has_typed_columns_of_tags() {
    let (_folder, archive) = archive_of(&["field/55-utc.pgn", "field/21-tc.pgn"]);
    let query = |query: &str| ok(&["sql", &archive, query, "--format", "csv"]);
    assert_eq!(
        query(
            "select date, utc_timestamp, base_seconds, increment_seconds, period_moves, speed, termination, white_rating_diff, black_rating_diff \
             from games where id = 1"
        )
        .lines()
        .nth(1),
        Some("2013-01-05,2013-01-05T23:00:16Z,300.0,2.0,,blitz,Normal,-6,")
    );
    assert_eq!(
        query("select year from games where id <= 4 order by id"),
        "year\n2013\n2013\n2014\n2015\n"
    );
    assert_eq!(
        query("select base_seconds, increment_seconds, period_moves from games where white = 'T5'"),
        "base_seconds,increment_seconds,period_moves\n5400.0,30.0,40\n"
    );
}

#[cfg(feature = "sql")]
#[test]
fn an_unknown_ending_is_an_error() {
    let (folder, archive) = archive_of(&["field/21-tc.pgn"]);
    for (verb, endings) in
        [("search", &["feather", "pq", "xlsx", "arrow"][..]), ("sql", &["xlsx", "ods", "duckdb"])]
    {
        for ending in endings {
            let path = folder.path().join(format!("x.{ending}"));
            let path = path.to_str().expect("text");
            let query = (verb == "sql").then_some("select 1");
            let args: Vec<&str> =
                [verb, &archive].into_iter().chain(query).chain(["-o", path]).collect();
            fails(&args, &[&format!("this verb does not write {ending}")]);
            assert!(!std::path::Path::new(path).exists());
        }
    }
}
