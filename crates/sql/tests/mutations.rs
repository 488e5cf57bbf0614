//! Queries with words left out, doubled, exchanged or cut: each ends in a result or an error.

use std::sync::LazyLock;
use std::time::Duration;

use halfmove_archive::Archive;
use halfmove_sql::SqlOptions;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::support::{ask_with, three};

const QUERIES: [&str; 8] = [
    "SELECT id , san ( moves , 3 ) FROM games WHERE plies > 3 AND result = '1-0' ORDER BY id LIMIT 2",
    "SELECT g . id , count ( * ) FROM games g JOIN games h ON g . id = h . id GROUP BY g . id HAVING count ( * ) > 0",
    "WITH a AS ( SELECT id AS n FROM games ) SELECT sum ( n ) OVER ( PARTITION BY n ORDER BY n ) FROM a UNION ALL SELECT 1",
    "SELECT explore ( moves , result , fen_at ( moves , 0 ) ) [ 'moves' ] FROM games GROUP BY variant",
    "SELECT CASE WHEN white IS NULL THEN tag ( 'Event' ) ELSE white || '!' END FROM games",
    "SELECT ply , san FROM ( SELECT unnest ( positions ( moves ) ) AS p FROM games )",
    "EXPLAIN SELECT id FROM games WHERE reaches ( moves , '4k3/8/8/8/8/8/4P3/4K2R b K - 3 17' ) OR id IN ( 1 , 2 )",
    "SELECT cast ( date AS TEXT ) , - plies :: BIGINT , 1 / ( id - 1 ) FROM games WHERE moves <> X'00ff'",
];

static GAMES: LazyLock<(TempDir, Archive)> = LazyLock::new(three);

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn mutated_queries_end(
        query in 0..QUERIES.len(),
        other in 0..QUERIES.len(),
        edits in prop::collection::vec((0..4_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut words: Vec<&str> = QUERIES[query].split(' ').collect();
        let others: Vec<&str> = QUERIES[other].split(' ').collect();
        for (kind, at, from) in edits {
            if words.is_empty() { break }
            let (at, from) = (at.index(words.len()), from.index(others.len()));
            match kind {
                0 => { words.remove(at); }
                1 => words.insert(at, words[at]),
                2 => words[at] = others[from],
                _ => words.insert(at, others[from]),
            }
        }
        let mut text = words.join(" ");
        if let Some(cut) = cut {
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.truncate(ends[cut.index(ends.len())]);
        }
        let mut options = SqlOptions::default();
        options.memory_bytes = 64 << 20;
        options.time_limit = Some(Duration::from_secs(60));
        // Whatever the error is, it has a message.
        if let Err(error) = ask_with(&GAMES.1, &text, &options) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
