//! Queries on columns in memory have the same results as on files.

use std::fs;
use std::path::{Path, PathBuf};

use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter};
use halfmove_rules::Chess;
use halfmove_sql::datafusion::arrow::array::AsArray;
use halfmove_sql::datafusion::arrow::datatypes::Int64Type;
use halfmove_sql::datafusion::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions,
};
use halfmove_sql::datafusion::parquet::file::metadata::PageIndexPolicy;
use halfmove_sql::datafusion::physical_plan::displayable;
use halfmove_sql::datafusion::prelude::SessionContext;
use halfmove_sql::{SqlError, SqlOptions, register};

use crate::support::{Outcome, archive, ask_with, delete, game, import, read, wait};

/// After 1. e4 c5 2. Nf3 d6.
const SICILIAN: &str = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";

const IN_MEMORY: &str = "columns in memory";

/// Three files, the last one of two row groups; in two of them games are deleted.
fn three_files() -> (tempfile::TempDir, Archive) {
    let all = read("games/masters.pgn.zst", 3_500);
    let (folder, archive) = archive(&all[..3_000]);
    let archive = import(&archive, &all[3_000..]);
    let two = ["e4 e5 Nf3 Nc6", "d4 d5 c4"].map(|moves| game(&Chess::default(), moves));
    let archive =
        import(&archive, &(0..20_000).map(|game| two[game % 2].clone()).collect::<Vec<_>>());
    let some: Vec<u64> = (0..3_000).step_by(7).chain([2_999]).collect();
    let many: Vec<u64> = (100..16_384).chain([19_999]).collect();
    let archive = delete(&archive, &[(1, some), (3, many)]);
    (folder, archive)
}

/// The result with one partition.
fn ask(archive: &Archive, query: &str) -> Result<Vec<Vec<String>>, SqlError> {
    ask_in_parts(archive, query, 1)
}

fn ask_in_parts(
    archive: &Archive,
    query: &str,
    parts: usize,
) -> Result<Vec<Vec<String>>, SqlError> {
    let mut options = SqlOptions::default();
    options.threads = parts.try_into().expect("threads");
    ask_with(archive, query, &options)
}

/// The data files of an archive.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "parquet")).collect()
}

/// A byte in the first page of the moves of a file.
fn byte_of_moves(path: &Path) -> usize {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    let file = fs::File::open(path).expect("a file");
    let metadata = ArrowReaderMetadata::load(&file, options).expect("a footer");
    let columns = metadata.metadata().row_group(0).columns();
    let column = columns.iter().position(|column| column.column_path().string() == "moves");
    let offsets = metadata.metadata().offset_index().expect("an index");
    let page = &offsets[0][column.expect("moves")].page_locations()[0];
    (page.offset + i64::from(page.compressed_page_size) - 1) as usize
}

/// Opens an archive, with nothing in memory.
fn open(path: &Path) -> Archive {
    Archive::open(path).expect("an archive")
}

/// The plan of a query.
fn plan(archive: &Archive, query: &str) -> Result<String, SqlError> {
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
        let warm = open(path);
        let first = plan(&warm, "SELECT moves FROM games")?;
        assert!(!first.contains(IN_MEMORY), "{first}");
        for query in &queries {
            let planned = plan(&warm, query)?;
            assert!(planned.contains(IN_MEMORY), "{query}: {planned}");
            let mut from_files = ask_in_parts(&open(path), query, threads)?;
            // The first time, some columns are loaded.
            for _ in 0..2 {
                let mut found = ask_in_parts(&warm, query, threads)?;
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

/// Files are read if their statistics can rule out rows, or if some columns are not kept.
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
        let from_files = ask(&open(archive.path()), query)?.len();
        assert_eq!(ask(&archive, query)?.len(), from_files, "{query}");
    }
    // An archive does not fill a cache that is too small for it, either.
    let mut options = ArchiveOptions::default();
    options.cache_bytes = 300_000;
    let small = Archive::open_with(archive.path(), &options)?;
    for _ in 0..3 {
        let planned = plan(&small, "SELECT moves FROM games")?;
        assert!(!planned.contains(IN_MEMORY), "{planned}");
    }
    Ok(())
}

/// Columns that a search has read are not read again, not even by the first query.
#[test]
fn a_query_uses_the_columns_of_a_search() -> Outcome {
    let (_folder, archive) = three_files();
    let archive = open(archive.path());
    let sicilian = Filter { opening: Some("Sicilian Defense".to_owned()), ..Filter::default() };
    assert!(archive.count(&sicilian)? > 100);
    let planned = plan(&archive, "SELECT moves FROM games")?;
    assert!(planned.contains(IN_MEMORY), "{planned}");
    Ok(())
}

/// The plans of other sessions name the files, so that other programs can read them.
#[test]
fn other_sessions_read_files() -> Outcome {
    let (_folder, archive) = three_files();
    let session = SessionContext::new();
    register(&archive, &session, "games")?;
    let query = format!("SELECT count(moves) FROM games WHERE reaches(moves, '{SICILIAN}')");
    let ours = ask(&archive, &query)?;
    for _ in 0..2 {
        assert_eq!(ask(&archive, &query)?, ours);
        let plan = wait(async { session.sql(&query).await?.create_physical_plan().await })?;
        let planned = displayable(plan.as_ref()).indent(false).to_string();
        assert!(planned.contains(".parquet") && !planned.contains(IN_MEMORY), "{planned}");
        let rows = wait(async { session.sql(&query).await?.collect().await })?;
        let counted = rows[0].column(0).as_primitive::<Int64Type>().value(0).to_string();
        assert_eq!(ours, [[counted]]);
    }
    Ok(())
}

/// Pages are compared with their checksums on their way into memory.
#[test]
fn damage_is_found_on_the_way_into_memory() -> Outcome {
    let (_folder, archive) = three_files();
    let query = "SELECT move_at(moves, 1) FROM games";
    let largest = files(archive.path());
    let file = largest.iter().max_by_key(|file| fs::metadata(file).expect("a file").len());
    let file = file.ok_or("a file")?;
    let open = || open(archive.path());
    let (warm, loading) = (open(), open());
    for _ in 0..2 {
        ask(&warm, query)?;
        ask(&loading, "SELECT plies FROM games")?;
    }
    let (mut bytes, byte) = (fs::read(file)?, byte_of_moves(file));
    bytes[byte] ^= 8;
    fs::write(file, bytes)?;
    let name = file.file_name().ok_or("a name")?.to_string_lossy();
    assert!(plan(&loading, query)?.contains(IN_MEMORY));
    for archive in [&loading, &open()] {
        match ask(archive, query) {
            Err(SqlError::Archive(error)) => {
                assert!(matches!(*error, ArchiveError::Damaged(_)), "{error:?}");
                let text = error.to_string();
                let why = "a page of column moves in row group 0: its checksum is";
                assert!(text.contains(&*name) && text.contains(why), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
    // Columns that were sound when they were read still are.
    ask(&warm, query)?;
    Ok(())
}
