//! Work that nobody waits for ends.

use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

use futures::FutureExt;
use futures::TryStreamExt;
use futures::future::BoxFuture;
use halfmove_archive::{Archive, ArchiveError, Filter, ScoresBy};
use halfmove_rules::Chess;

use crate::{Outcome, game, import};

/// An archive of 40 row groups.
fn forty() -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::create(folder.path().join("games")).expect("an archive");
    for _ in 0..40 {
        import(&archive, &[(game(&Chess::default(), "e4 e5 Nf3 Nc6 Bc4"), None)]);
    }
    let archive = archive.refresh().expect("an archive");
    (folder, archive)
}

type Asked<'a> = BoxFuture<'a, Result<u64, ArchiveError>>;
type Search<'a> = Box<dyn Fn() -> Asked<'a> + 'a>;

/// A search is asked for, and dropped before the only thread that may do it is free: then it is not done.
#[test]
fn a_dropped_search_stops() -> Outcome {
    let (_folder, archive) = forty();
    let position = Filter::position(Chess::default());
    let all = Filter::default();
    let start = Chess::default();
    let searches: [(&str, Search<'_>); 4] = [
        ("search", Box::new(|| archive.search(&position, 9).map(|found| Ok(found?.count)).boxed())),
        ("count", Box::new(|| archive.count(&position))),
        (
            "scores",
            Box::new(|| {
                let scores = archive.scores(&position, ScoresBy::Opening);
                scores.map(|groups| Ok(groups?.iter().map(|it| it.results.games()).sum())).boxed()
            }),
        ),
        (
            "explore",
            Box::new(|| {
                archive.explore(&all, start.clone()).map(|tree| Ok(tree?.results.games())).boxed()
            }),
        ),
    ];
    for (name, search) in &searches {
        for is_dropped in [false, true] {
            let before = archive.groups_searched();
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .max_blocking_threads(1)
                .build()?;
            let (free, wait) = mpsc::channel::<()>();
            let (busy, is_busy) = mpsc::channel();
            runtime.spawn_blocking(move || {
                let _ = busy.send(());
                let _ = wait.recv();
            });
            is_busy.recv()?;
            let mut asked = search();
            let polled = {
                let _inside = runtime.enter();
                asked.poll_unpin(&mut Context::from_waker(Waker::noop()))
            };
            assert!(matches!(polled, Poll::Pending), "{name}");
            if is_dropped {
                drop(asked);
                drop(free);
            } else {
                drop(free);
                assert_eq!(runtime.block_on(asked)?, 40, "{name}");
            }
            // Waits for the threads.
            drop(runtime);
            let searched = archive.groups_searched() - before;
            assert_eq!(searched, if is_dropped { 0 } else { 40 }, "{name}");
        }
    }
    Ok(())
}

/// The answer is dropped while a query runs that would never end: so does the runtime, which waits for its threads.
#[test]
fn a_dropped_answer_stops() -> Outcome {
    let (_folder, archive) = forty();
    for query in [
        "SELECT value FROM generate_series(1, 1000000000000000)",
        "SELECT count(*) FROM games a, games b, games c, games d, games e, games f",
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    ] {
        let runtime = tokio::runtime::Runtime::new()?;
        let mut answer = runtime.block_on(archive.sql(query))?;
        // It runs in other threads now, or here; some rows may have come.
        let _ = runtime.block_on(async {
            futures::future::poll_fn(|context| {
                Poll::Ready(answer.try_next().poll_unpin(context).map(|_| ()))
            })
            .await
        });
        drop(answer);
        drop(runtime);
    }
    Ok(())
}
