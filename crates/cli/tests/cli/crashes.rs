//! Several imports at once, and imports that are killed: whole imports only.

use crate::program::{halfmove, ok, testdata};
use std::process::Stdio;
use std::time::Duration;

fn games(archive: &str) -> u64 {
    let csv = ok(&[
        "sql",
        archive,
        "select count(*), count(distinct id), max(id) from games",
        "--format",
        "csv",
    ]);
    let row: Vec<u64> =
        csv.lines().nth(1).unwrap().split(',').map(|n| n.parse().unwrap()).collect();
    assert!(row[0] == row[1] && row[0] == row[2], "ids are not 1 to n: {row:?}");
    row[0]
}

#[test]
fn imports_at_once_all_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    // The archive is not there yet: they race for making it, too.
    let children: Vec<_> =
        [("games/lichess.pgn.zst", 437), ("games/setup.pgn", 49), ("games/chess960.pgn", 34)]
            .into_iter()
            .cycle()
            .take(6)
            .map(|(name, count)| {
                let pgn = testdata(name);
                let mut import = halfmove(&["import", archive, pgn.to_str().unwrap(), "--quiet"]);
                (import.stderr(Stdio::piped()).spawn().unwrap(), count)
            })
            .collect();
    let mut expected = 0;
    for (child, count) in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        expected += count;
    }
    assert_eq!(games(archive), expected);
}

/// Each time the import is killed a little later, so that the moments fall on reading, writing and
/// committing alike.
#[test]
fn a_killed_import_leaves_whole_imports_only() {
    const GAMES: u64 = 20_816;
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    let archive = archive.to_str().unwrap();
    let small = testdata("games/setup.pgn");
    ok(&["import", archive, small.to_str().unwrap()]);
    let mut expected = games(archive);
    let large = testdata("games/masters.pgn.zst");
    let import = || halfmove(&["import", archive, large.to_str().unwrap(), "--quiet"]);

    let clock = std::time::Instant::now();
    assert!(import().status().unwrap().success());
    let whole = clock.elapsed();
    expected += GAMES;
    assert_eq!(games(archive), expected);

    let mut killed = 0;
    for attempt in 1..=20 {
        let mut child = import().stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(attempt) / 20.0).min(Duration::from_secs(30)));
        child.kill().unwrap();
        let finished = child.wait().unwrap().success();
        let found = games(archive);
        // A kill after the commit finds the import whole; whoever reported success must be there.
        assert!(found == expected || found == expected + GAMES, "{found} games, had {expected}");
        assert!(!finished || found == expected + GAMES, "an import that succeeded is not there");
        killed += u32::from(!finished);
        expected = found;
    }
    assert!(killed > 0, "every import was done before it was killed");
    // And it goes on working.
    ok(&["import", archive, small.to_str().unwrap()]);
    assert!(games(archive) > expected);
}
