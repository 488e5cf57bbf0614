//! Work ends if it is cancelled, or if its results are no longer needed.

use std::sync::mpsc;
use std::thread;

use halfmove_archive::scan::{Scan, ScanCondition};
use halfmove_archive::{
    Archive, ArchiveError, CancelToken, Filter, GameCondition, LineCondition, ScoresBy,
};
use halfmove_rules::Chess;

use crate::changes::archive_of;
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

type Query = fn(&Archive) -> Result<u64, ArchiveError>;

/// Queries of all kinds, each of which 40 games match.
const QUESTIONS: [(&str, Query); 13] = [
    ("search", |archive| Ok(archive.search(&Filter::position(Chess::default()), 9)?.count)),
    ("ids", |archive| Ok(archive.ids(&Filter::position(Chess::default()))?.len())),
    ("count", |archive| archive.count(&Filter { min_plies: Some(1), ..Filter::default() })),
    ("anywhere", |archive| {
        let conditions =
            vec![GameCondition::Anywhere(LineCondition::Position(Chess::default().into()))];
        archive.count(&Filter { conditions, ..Filter::default() })
    }),
    ("scores", |archive| {
        let scores = archive.scores(&Filter::default(), ScoresBy::Opening)?;
        Ok(scores.iter().map(|group| group.results.games()).sum())
    }),
    ("explore", |archive| {
        Ok(archive.explore(&Filter::default(), Chess::default())?.results.games())
    }),
    ("stats", |archive| Ok(archive.stats(&Filter::default())?.results.games())),
    ("info", |archive| Ok(archive.info()?.games)),
    ("games", |archive| archive.games(&Filter::default())?.map(|game| game.map(|_| 1)).sum()),
    ("texts", |archive| archive.pgn(&Filter::default())?.map(|some| Ok(some?.games)).sum()),
    ("scan", |archive| {
        let found = Scan::of(archive).find(&[ScanCondition::Position(Chess::default().into())])?;
        Ok(found.rows().map(|group| group.rows.len() as u64).sum())
    }),
    ("duplicates", |archive| {
        Ok(archive.duplicates()?.exact.iter().map(|group| group.ids.len() as u64).sum())
    }),
    ("remover", |archive| Ok(archive.remover(&Filter::position(Chess::default()))?.games())),
];

#[test]
fn a_cancelled_token_ends_every_question() {
    let (_folder, archive) = forty();
    let token = CancelToken::default();
    let mine = archive.with_cancel(&token);
    for (name, query) in QUESTIONS {
        assert_eq!(query(&mine).expect(name), 40, "{name}");
    }
    token.clone().cancel();
    assert!(token.is_cancelled());
    for (name, query) in QUESTIONS {
        let stopped = query(&mine);
        assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{name}: {stopped:?}");
        // Other archive values are not cancelled.
        assert_eq!(query(&archive).expect(name), 40, "{name}");
    }
    // Iterators from before the cancellation end, too, and so does a refreshed archive.
    let again = mine.refresh().expect("an archive").count(&Filter::position(Chess::default()));
    assert!(matches!(again, Err(ArchiveError::Stopped)), "{again:?}");
}

/// A query is repeated until it is cancelled from another thread.
#[test]
fn a_token_is_cancelled_from_another_thread() {
    let (_folder, archive) = forty();
    for (name, query) in QUESTIONS {
        let token = CancelToken::default();
        let mine = archive.with_cancel(&token);
        let (sender, answers) = mpsc::channel();
        let asking = thread::spawn(move || {
            loop {
                match query(&mine) {
                    Ok(games) => sender.send(games).expect("the test waits"),
                    Err(error) => return error,
                }
            }
        });
        assert_eq!(answers.recv(), Ok(40), "{name}");
        token.cancel();
        let error = asking.join().expect("no panic");
        assert!(matches!(error, ArchiveError::Stopped), "{name}: {error:?}");
        assert!(answers.iter().all(|games| games == 40), "{name}");
    }
}

/// Games that were read ahead may still come; then comes the error, and nothing after it.
#[test]
fn an_export_is_cancelled() -> Outcome {
    let (_folder, archive) = archive_of(&[100_000]);
    let token = CancelToken::default();
    let mine = archive.with_cancel(&token);
    let mut games = mine.games(&Filter::default())?;
    assert_eq!(games.next().ok_or("no game")??.id, 1);
    token.cancel();
    let mut last = 1;
    let error = loop {
        match games.next().ok_or("all games came")? {
            Ok(game) => {
                assert_eq!(game.id, last + 1);
                last = game.id;
            }
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ArchiveError::Stopped), "{error:?}");
    assert!(last < 90_000, "{last}");
    assert!(games.next().is_none());

    let token = CancelToken::default();
    let mut texts = archive.with_cancel(&token).pgn(&Filter::default())?;
    let first = texts.next().ok_or("no text")??.games;
    token.cancel();
    let rest: Vec<_> = texts.collect();
    let (error, texts) = rest.split_last().ok_or("all texts came")?;
    assert!(matches!(error, Err(ArchiveError::Stopped)), "{error:?}");
    let more: u64 = texts.iter().flatten().map(|text| text.games).sum();
    assert!(first + more < 90_000, "{first} {more}");
    Ok(())
}

/// The threads of this process that read ahead.
#[cfg(target_os = "linux")]
fn readers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("threads").flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "halfmove-read").count()
}

/// The threads that read ahead end when their results are no longer needed. Other tests have such threads, too, so this
/// one runs in a separate process.
#[cfg(target_os = "linux")]
#[test]
fn a_dropped_export_ends_its_thread() -> Outcome {
    use std::time::Duration;

    const ALONE: &str = "HALFMOVE_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let mut alone = std::process::Command::new(std::env::current_exe()?);
        alone.args(["--exact", "stop::a_dropped_export_ends_its_thread"]).env(ALONE, "1");
        let output = alone.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return Ok(());
    }
    let (_folder, archive) = archive_of(&[100_000]);
    // A thread has the name of the one that starts it for a moment.
    let becomes = |number: usize| {
        (0..500).any(|_| {
            thread::sleep(Duration::from_millis(20));
            readers() == number
        })
    };
    let mut games = archive.games(&Filter::default())?;
    games.next().ok_or("no game")??;
    thread::sleep(Duration::from_millis(200));
    assert!(becomes(1), "it waits with what it has read");
    drop(games);
    assert!(becomes(0), "{} threads", readers());
    let mut texts = archive.pgn(&Filter::default())?;
    texts.next().ok_or("no text")??;
    assert!(becomes(1), "{} threads", readers());
    drop(texts);
    assert!(becomes(0), "{} threads", readers());
    Ok(())
}
