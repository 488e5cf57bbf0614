//! Queries whose columns are in memory have the answers that they have from files.

use std::fs;
use std::path::Path;

use halfmove_archive::arrow::util::pretty::pretty_format_batches;
use halfmove_archive::datafusion::prelude::SessionContext;
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter};

use crate::changes::games;
use crate::damage::{files, flip, pages};
use crate::foreign::{added, delete, in_file};
use crate::sql::ask;
use crate::{Outcome, archive, import, read, testdata, wait};

/// After 1. e4 c5 2. Nf3 d6.
const SICILIAN: &str = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";

const IN_MEMORY: &str = "columns in memory";

/// Three files, the last one of two row groups; in two of them games are deleted.
fn three_files() -> (tempfile::TempDir, Archive) {
    let all = read(&testdata("games/masters.pgn.zst"));
    let (folder, archive) = archive(&all[..3_000]);
    import(&archive, &all[3_000..3_500]);
    let archive = archive.refresh().expect("an archive");
    import(&archive, &games(3, 20_000));
    let archive = archive.refresh().expect("an archive");
    let path = archive.path().to_owned();
    let some: Vec<u64> = (0..3_000).step_by(7).chain([2_999]).collect();
    let many: Vec<u64> = (100..16_384).chain([19_999]).collect();
    let vectors = [(1, some), (3, many)].map(|(version, rows)| {
        let vector = in_file(&path, &rows);
        (added(&path, version), vector)
    });
    let archive = delete(&archive, &vectors);
    (folder, archive)
}

/// Opens an archive, with nothing in memory.
fn open(path: &Path, threads: usize) -> Archive {
    let mut options = ArchiveOptions::default();
    options.threads = threads.try_into().expect("threads");
    Archive::open_with(path, &options).expect("an archive")
}

/// How a query will be answered.
fn plan(archive: &Archive, query: &str) -> Result<String, ArchiveError> {
    Ok(ask(archive, &format!("EXPLAIN {query}"))?.concat().concat())
}

#[test]
fn answers_from_memory_are_those_from_files() -> Outcome {
    let (_folder, archive) = three_files();
    let path = archive.path();
    let reaches = format!("reaches(moves, '{SICILIAN}')");
    let ply = format!("ply_of(moves, '{SICILIAN}')");
    let queries = [
        "SELECT moves FROM games".to_owned(),
        "SELECT id, move_at(moves, 10), eco(moves), plies, date, year, white_elo FROM games"
            .to_owned(),
        "SELECT id FROM games WHERE eco(moves) = 'B90'".to_owned(),
        "SELECT id FROM games WHERE eco(moves) LIKE 'B%' LIMIT 20".to_owned(),
        "SELECT year, count(*), sum(plies), max(black_elo) FROM games GROUP BY year ORDER BY year"
            .to_owned(),
        "SELECT moves, id FROM games LIMIT 5".to_owned(),
        "SELECT id, plies FROM games LIMIT 3450".to_owned(),
        "SELECT id FROM games LIMIT 20 OFFSET 2990".to_owned(),
        format!("SELECT moves FROM games WHERE {reaches}"),
        format!("SELECT id, san(moves), white_elo FROM games WHERE {reaches} LIMIT 7"),
        format!("SELECT count(*), min(id) FROM (SELECT id FROM games WHERE {reaches} LIMIT 7)"),
        format!("SELECT id FROM games WHERE {reaches} AND eco(moves) >= 'B6' LIMIT 7"),
        format!("SELECT id, {ply} FROM games WHERE {ply} > 4"),
        format!(
            "SELECT a.id, b.id FROM games a JOIN games b ON a.moves = b.moves AND a.id < b.id WHERE reaches(a.moves, '{SICILIAN}')"
        ),
    ];
    for threads in [1, 3] {
        let warm = open(path, threads);
        let first = plan(&warm, "SELECT moves FROM games")?;
        assert!(!first.contains(IN_MEMORY), "{first}");
        for query in &queries {
            let planned = plan(&warm, query)?;
            assert!(planned.contains(IN_MEMORY), "{query}: {planned}");
            let mut from_files = ask(&open(path, threads), query)?;
            // The first time, some columns are loaded.
            for _ in 0..2 {
                let mut found = ask(&warm, query)?;
                if threads > 1 || query.contains("JOIN") {
                    // The order of the rows is that of the threads, or of the plan.
                    from_files.sort_unstable();
                    found.sort_unstable();
                }
                if threads > 1 && query.contains("LIMIT") {
                    assert_eq!(found.len(), from_files.len(), "{query}");
                } else {
                    assert_eq!(found, from_files, "{query}");
                }
            }
        }
    }
    Ok(())
}

/// Where files can tell what need not be read, or have columns that are not kept, they are read.
#[test]
fn other_queries_read_files() -> Outcome {
    let (_folder, archive) = three_files();
    ask(&archive, "SELECT moves FROM games")?;
    for query in [
        "SELECT white, moves FROM games",
        "SELECT moves FROM games WHERE id = 7",
        "SELECT id FROM games WHERE plies > 100 AND eco(moves) = 'B90'",
        "SELECT 1 FROM games",
    ] {
        let planned = plan(&archive, query)?;
        assert!(!planned.contains(IN_MEMORY), "{query}: {planned}");
        let from_files = ask(&open(archive.path(), 1), query)?.len();
        assert_eq!(ask(&archive, query)?.len(), from_files, "{query}");
    }
    // Nor does an archive fill a memory that is too small for it.
    let mut options = ArchiveOptions::default();
    options.cache_bytes = 300_000;
    let small = Archive::open_with(archive.path(), &options)?;
    for _ in 0..3 {
        let planned = plan(&small, "SELECT moves FROM games")?;
        assert!(!planned.contains(IN_MEMORY), "{planned}");
    }
    Ok(())
}

/// What a search has read is not read again, not even by the first query.
#[test]
fn a_query_uses_what_a_search_has_read() -> Outcome {
    let (_folder, archive) = three_files();
    let archive = open(archive.path(), 1);
    let sicilian = Filter { opening: Some("Sicilian Defense".to_owned()), ..Filter::default() };
    assert!(wait(archive.count(&sicilian))? > 100);
    let planned = plan(&archive, "SELECT moves FROM games")?;
    assert!(planned.contains(IN_MEMORY), "{planned}");
    Ok(())
}

/// The plans of other sessions name the files, so that other programs can read them.
#[test]
fn other_sessions_read_files() -> Outcome {
    let (_folder, archive) = three_files();
    let session = SessionContext::new();
    archive.register(&session, "games")?;
    let rows = |query: &str| -> Result<String, Box<dyn std::error::Error>> {
        let rows = wait(async { session.sql(query).await?.collect().await })?;
        Ok(pretty_format_batches(&rows)?.to_string())
    };
    for query in [
        "SELECT id, move_at(moves, 10) FROM games ORDER BY id".to_owned(),
        format!("SELECT id, moves FROM games WHERE reaches(moves, '{SICILIAN}') ORDER BY id"),
    ] {
        let first = rows(&query)?;
        let ours = ask(&archive, &query)?;
        assert_eq!(ask(&archive, &query)?, ours, "{query}");
        assert_eq!(first.lines().count(), ours.len() + 4, "{query}");
        assert_eq!(rows(&query)?, first, "{query}");
        let planned = rows(&format!("EXPLAIN {query}"))?;
        assert!(planned.contains(".parquet") && !planned.contains(IN_MEMORY), "{planned}");
    }
    Ok(())
}

/// Pages are compared with their checksums on their way into memory.
#[test]
fn damage_is_found_on_the_way_into_memory() -> Outcome {
    let (_folder, archive) = three_files();
    let query = "SELECT move_at(moves, 1) FROM games";
    let largest = files(archive.path(), ".parquet");
    let file = largest.iter().max_by_key(|file| fs::metadata(file).expect("a file").len());
    let file = file.ok_or("a file")?;
    let (pages, _) = pages(file);
    let page = pages.iter().find(|(column, ..)| column == "moves").ok_or("a page")?;
    let open = || open(archive.path(), 1);
    let (warm, loading) = (open(), open());
    for _ in 0..2 {
        ask(&warm, query)?;
        ask(&loading, "SELECT plies FROM games")?;
    }
    flip(file, page.3, 3);
    let name = file.file_name().ok_or("a name")?.to_string_lossy();
    assert!(plan(&loading, query)?.contains(IN_MEMORY));
    for archive in [&loading, &open()] {
        let error = ask(archive, query).expect_err("a damaged page");
        assert!(matches!(error, ArchiveError::Damaged(_)), "{error:?}");
        let text = error.to_string();
        let why = "a page of column moves in row group 0: its checksum is";
        assert!(text.contains(&*name) && text.contains(why), "{text}");
    }
    // What was sound when it was read still is.
    ask(&warm, query)?;
    Ok(())
}
