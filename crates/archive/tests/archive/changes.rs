//! Changes and their undo: history, undo, removals, vacuum.

use std::collections::BTreeSet;
use std::fs;

use halfmove_archive::scan::{Scan, ScanCondition};
use halfmove_archive::{Archive, ArchiveError, Filter, GameSummary, HistoryEntry, ImportReport};
use halfmove_game::Game;
use halfmove_rules::Chess;

use crate::{Outcome, game, of_ids, table};

/// Games whose tags name their import; every third begins 1. d4.
pub(crate) fn games(import: usize, count: usize) -> Vec<(Game, Option<String>)> {
    let games = (0..count).map(|number| {
        let sans = if number % 3 == 2 { "d4 d5 c4" } else { "e4 e5 Nf3 Nc6" };
        let mut game = game(&Chess::default(), sans);
        game.tags.push("Event", &import.to_string());
        game.tags.push("Round", &number.to_string());
        (game, None)
    });
    games.collect()
}

/// A new archive with imports of these numbers of games.
pub(crate) fn archive_of(imports: &[usize]) -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = Archive::create(folder.path().join("games")).expect("an archive");
    for (number, count) in imports.iter().enumerate() {
        archive = import(&archive, number + 1, *count).1;
    }
    (folder, archive)
}

pub(crate) fn import(archive: &Archive, number: usize, count: usize) -> (ImportReport, Archive) {
    let report = crate::import(archive, &games(number, count));
    (report, archive.refresh().expect("an archive"))
}

/// Each game by its id, its import and its number, as the table, the export, single games and searches return them. All
/// have to agree.
pub(crate) fn contents(archive: &Archive) -> Vec<(i64, String)> {
    let rows = table::sorted(archive, &["id", "event", "round"]).expect("rows");
    let all: Vec<(i64, String)> = rows
        .into_iter()
        .map(|row| {
            let text = |index: usize| row[index].as_deref().expect("a value");
            (text(0).parse().expect("a number"), format!("{}.{}", text(1), text(2)))
        })
        .collect();

    let filter = Filter::default();
    let games = archive.games(&filter).expect("games").map(|game| game.expect("a game"));
    let exported: Vec<(i64, String)> = games
        .map(|game| {
            let tag = |name: &str| game.game.tags.value(name).expect("a tag");
            (game.id, format!("{}.{}", tag("Event"), tag("Round")))
        })
        .collect();
    assert_eq!(exported, all);
    assert_eq!(archive.len(), all.len() as u64);

    let ids = |games: &[halfmove_archive::GameSummary]| {
        games.iter().map(|game| game.id).collect::<Vec<_>>()
    };
    let mut expected: Vec<i64> = all.iter().map(|(id, _)| *id).collect();
    let found = archive.search(&filter, usize::MAX).expect("a search");
    assert_eq!((found.count, ids(&found.games)), (expected.len() as u64, expected.clone()));
    let found = archive.search(&filter, 5).expect("a search");
    assert_eq!(ids(&found.games), expected[..expected.len().min(5)]);

    assert_eq!(archive.count(&filter).expect("a count"), all.len() as u64);
    let tagged = Filter { event: Some("1*".to_owned()), ..Filter::default() };
    let found = archive.count(&tagged).expect("a count");
    let is_tagged =
        |game: &&(i64, String)| game.1.split('.').next().is_some_and(|it| it.starts_with('1'));
    assert_eq!(found, all.iter().filter(is_tagged).count() as u64);

    let position = game(&Chess::default(), "d4 d5").final_position();
    let scan = Scan::of(archive).find(&[ScanCondition::Position(position.clone())]).expect("games");
    let position = Filter::position(position);
    let reached = |number: &str| {
        let number: usize = number.split('.').nth(1).expect("a number").parse().expect("one");
        number % 3 == 2
    };
    expected = all.iter().filter(|game| reached(&game.1)).map(|game| game.0).collect();
    let found = archive.search(&position, usize::MAX).expect("a search");
    assert_eq!((found.count, ids(&found.games)), (expected.len() as u64, expected.clone()));
    let found = archive.search(&position, 2).expect("a search");
    assert_eq!(ids(&found.games), expected[..expected.len().min(2)]);
    assert_eq!(archive.count(&position).expect("a count"), expected.len() as u64);
    let found = archive.ids(&position).expect("ids");
    assert_eq!(found.iter().map(|id| id as i64).collect::<Vec<_>>(), expected);
    assert_eq!(scan.rows().map(|group| group.rows.len()).sum::<usize>(), expected.len());
    let explored = archive.explore(&Filter::default(), Chess::default()).expect("moves");
    let counts: u64 = explored.moves.iter().map(|mv| mv.results.games()).sum();
    assert_eq!(counts, all.len() as u64);

    let there: BTreeSet<i64> = all.iter().map(|game| game.0).collect();
    for id in 0..=all.last().map_or(0, |game| game.0) + 1 {
        match archive.game(id) {
            Ok(game) => assert!(game.id == id && there.contains(&id), "{id}"),
            Err(ArchiveError::NoSuchGame { .. }) => assert!(!there.contains(&id), "{id}"),
            Err(error) => panic!("{error}"),
        }
    }
    all
}

/// Returns the archive if it has no problems. It may have been opened at an earlier version.
pub(crate) fn sound(archive: &Archive) -> Archive {
    let archive = Archive::open(archive.path()).expect("an archive");
    let verified = archive.verify(&mut ()).expect("verified");
    assert_eq!(verified.problems, []);
    assert_eq!(verified.games, archive.len());
    // The versions marked as restorable are those that an undo accepts.
    for entry in archive.history().expect("a history") {
        let plan = archive.undo_plan(Some(entry.version));
        assert_eq!(entry.is_restorable, plan.is_ok(), "version {}: {plan:?}", entry.version);
    }
    archive
}

/// Removes the games that match a predicate.
pub(crate) fn remove(
    archive: &Archive,
    is_it: impl Fn(&GameSummary) -> bool,
) -> Result<u64, ArchiveError> {
    let found = archive.search(&Filter::default(), usize::MAX)?.games.into_iter();
    let filter = of_ids(found.filter(is_it).map(|game| game.id));
    let remover = archive.remover(&filter)?;
    let found = remover.games();
    let report = remover.commit(&mut ())?;
    assert_eq!(report.games, found);
    Ok(found)
}

/// Returns true if a game is of an import.
pub(crate) fn is_of(import: usize) -> impl Fn(&GameSummary) -> bool {
    move |game| game.event.as_deref() == Some(&*import.to_string())
}

fn entry(entry: &HistoryEntry) -> (u64, &str, u64, u64, u64, bool) {
    let HistoryEntry { version, what, games_added, games_removed, games, is_restorable, .. } =
        entry;
    (*version, what, *games_added, *games_removed, *games, *is_restorable)
}

pub(crate) fn cannot_undo(result: Result<halfmove_archive::UndoReport, ArchiveError>) -> String {
    match result {
        Err(ArchiveError::CannotUndo { why, .. }) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_history_tells_of_all_changes() -> Outcome {
    let (_folder, archive) = archive_of(&[10, 5]);
    assert_eq!(remove(&archive, |game| game.round.as_deref() == Some("2"))?, 2);
    let archive = archive.refresh()?;
    archive.undo(None, &mut ())?;
    let archive = archive.refresh()?;
    archive.undo(None, &mut ())?;
    let history = archive.refresh()?.history()?;
    let listed: Vec<_> = history.iter().map(entry).collect();
    let expected = [
        (0, "create", 0, 0, 0, true),
        (1, "import", 10, 0, 10, true),
        (2, "import", 5, 0, 15, true),
        // It has the games of the last one.
        (3, "remove", 0, 2, 13, false),
        (4, "undo", 2, 0, 15, true),
        (5, "undo", 0, 2, 13, false),
    ];
    assert_eq!(listed, expected);
    assert_eq!(history[1].ids, Some((1, 10)));
    assert_eq!(history[2].ids, Some((11, 15)));
    assert_eq!((history[4].restored, history[5].restored), (Some(2), Some(3)));
    let files = history.iter().map(|entry| (entry.files_added, entry.files_removed));
    assert_eq!(files.collect::<Vec<_>>(), [(0, 0), (1, 0), (1, 0), (2, 2), (2, 2), (2, 2)]);
    assert!(history.iter().all(|entry| entry.time().is_some_and(|time| time.len() == 20)));
    let by: BTreeSet<_> = history.iter().filter_map(|entry| entry.by.as_deref()).collect();
    assert_eq!(by.len(), 1);
    Ok(())
}

/// The operation of an entry by another program keeps that program's name.
#[test]
fn entries_of_other_programs_keep_their_names() -> Outcome {
    let (_folder, archive) = archive_of(&[3]);
    let entry = r#"{"commitInfo":{"timestamp":1700000000000,"operation":"SET TBLPROPERTIES","engineInfo":"Other/7"}}"#;
    fs::write(archive.path().join("_delta_log/00000000000000000002.json"), entry)?;
    let archive = sound(&archive);
    let history = archive.history()?;
    assert_eq!(history[2].what, "SET TBLPROPERTIES");
    assert_eq!(history[2].by.as_deref(), Some("Other/7"));
    assert_eq!(history[2].time().as_deref(), Some("2023-11-14T22:13:20Z"));
    assert_eq!((history[2].games, history[2].games_added), (3, 0));
    // It has changed no games, so there is nothing to undo; but an undo can go further back.
    assert_eq!(cannot_undo(archive.undo(None, &mut ())), "version 1 has the same games");
    assert_eq!(archive.undo(Some(0), &mut ())?.games_after, 0);
    Ok(())
}

/// The archive at each version, and then back to each of them.
#[test]
fn undo_restores_every_version() -> Outcome {
    let (_folder, mut archive) = archive_of(&[6]);
    let mut versions = vec![Vec::new(), contents(&archive)];
    let mut next = |archive: &Archive| {
        let archive = sound(archive);
        assert_eq!(archive.version() as usize, versions.len());
        versions.push(contents(&archive));
        archive
    };
    import(&archive, 2, 4);
    archive = next(&archive);
    remove(&archive, |game| [2, 8].contains(&game.id))?;
    archive = next(&archive);
    import(&archive, 3, 5);
    archive = next(&archive);
    // All of a file, and one game of another.
    remove(&archive, |game| is_of(2)(game) || game.id == 11)?;
    archive = next(&archive);
    let above = Archive::open_at(archive.path(), 6);
    assert!(matches!(above, Err(ArchiveError::NoSuchVersion { version: 6, .. })), "{above:?}");
    for (to, games) in versions.iter().enumerate() {
        let then = Archive::open_at(archive.path(), to as u64)?;
        assert_eq!((contents(&then), then.version()), (games.clone(), to as u64));
        assert_eq!(then.verify(&mut ())?.problems, []);
        assert_eq!(then.refresh()?.version(), archive.version());
        let undo = archive.undo_plan(Some(to as u64));
        if *games == contents(&archive) {
            cannot_undo(undo);
            continue;
        }
        let plan = undo?;
        let undo = archive.undo(Some(to as u64), &mut ())?;
        assert_eq!((undo.to, undo.games_after), (to as u64, games.len() as u64));
        assert_eq!((plan.version, undo.version), (None, Some(archive.version() + 1)));
        let before = contents(&archive);
        archive = sound(&archive);
        assert_eq!(contents(&archive), *games, "version {to}");
        // And again to where it was.
        archive.undo(None, &mut ())?;
        archive = sound(&archive);
        assert_eq!(contents(&archive), before);
    }
    Ok(())
}

/// An id means the same game in every version that an undo can restore.
#[test]
fn ids_are_not_given_twice() -> Outcome {
    let (_folder, archive) = archive_of(&[10, 5]);
    archive.undo(None, &mut ())?;
    let (report, archive) = import(&archive, 3, 4);
    assert_eq!((report.first_id, report.last_id), (16, 19));
    // The games 11 to 15 come back, and 16 to 19 go.
    archive.undo(Some(2), &mut ())?;
    let archive = sound(&archive);
    let ids: Vec<i64> = contents(&archive).iter().map(|game| game.0).collect();
    assert_eq!(ids, (1..=15).collect::<Vec<_>>());
    let (report, archive) = import(&archive, 4, 1);
    assert_eq!(report.first_id, 20);
    // Nor are those of games that were removed, even if there is none left.
    assert_eq!(remove(&archive, |_| true)?, 16);
    let archive = sound(&archive);
    assert_eq!((archive.len(), contents(&archive)), (0, vec![]));
    let (report, archive) = import(&archive, 5, 2);
    assert_eq!((report.first_id, report.last_id), (21, 22));
    archive.undo(Some(0), &mut ())?;
    let (report, archive) = import(&archive, 6, 2);
    assert_eq!((report.first_id, report.last_id), (23, 24));
    // All versions together: each id is of one game.
    let all = contents(&sound(&archive));
    assert_eq!(all, [(23, "6.0".to_owned()), (24, "6.1".to_owned())]);
    // An archive from before ids were noted: the entries do not have them.
    Ok(())
}

#[test]
fn undo_fails() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    assert!(cannot_undo(archive.undo(None, &mut ())).starts_with("it has not changed since"));
    let (_, now) = import(&archive, 1, 3);
    for to in [1, 7] {
        let why = cannot_undo(now.undo(Some(to), &mut ()));
        assert_eq!(why, format!("its version is 1, not above {to}"));
    }
    // Another program has imported since: the last change is no longer the one that the caller means.
    import(&archive, 2, 3);
    let why = cannot_undo(now.undo(None, &mut ()));
    assert_eq!(why, "it has changed in the meantime, from version 1 to 2");
    assert_eq!(archive.refresh()?.version(), 2);
    Ok(())
}

#[test]
fn games_are_removed() -> Outcome {
    let (_folder, archive) = archive_of(&[30, 9, 12]);
    let before = contents(&archive);
    // A position and a tag.
    let position = game(&Chess::default(), "d4").final_position();
    let filter = Filter {
        event: Some("2".to_owned()),
        ..Filter::position(position.as_chess().expect("chess").clone())
    };
    let remover = archive.remover(&filter)?;
    assert_eq!(remover.games(), 3);
    let report = remover.commit(&mut ())?;
    assert_eq!((report.games, report.files_removed, report.files_added), (3, 1, 1));
    assert_eq!(report.version, Some(4));
    let archive = sound(&archive);
    let expected: Vec<_> = before
        .iter()
        .filter(|(_, name)| !["2.2", "2.5", "2.8"].contains(&name.as_str()))
        .cloned()
        .collect();
    assert_eq!(contents(&archive), expected);
    // Of two files; the first and the last game of one.
    assert_eq!(remove(&archive, |game| [1, 30, 41].contains(&game.id))?, 3);
    let archive = sound(&archive);
    assert_eq!(archive.len(), 45);
    // A whole file goes without a new one.
    let filter = Filter { event: Some("2".to_owned()), ..Filter::default() };
    let report = archive.remover(&filter)?.commit(&mut ())?;
    assert_eq!((report.games, report.files_removed, report.files_added), (6, 1, 0));
    let archive = sound(&archive);
    let ids: BTreeSet<i64> = contents(&archive).iter().map(|game| game.0).collect();
    assert_eq!(ids, (2..30).chain([40]).chain(42..=51).collect());
    // Games that are gone are not found again, and nothing is written.
    assert_eq!(remove(&archive, is_of(2))?, 0);
    assert_eq!(archive.refresh()?.version(), archive.version());
    let error = archive.game(35).expect_err("it was removed").to_string();
    assert_eq!(error, "no game has the id 35: the archive holds 39 games, the highest id is 51");
    // The next games come after them.
    assert_eq!(import(&archive, 4, 1).0.first_id, 52);
    Ok(())
}

/// Removers that were made before others have changed the archive.
#[test]
fn removals_at_the_same_time() -> Outcome {
    let (_folder, archive) = archive_of(&[12, 12]);
    let event = Filter { event: Some("2".to_owned()), ..Filter::default() };
    let [twos, threes] = [2, 3].map(|step| of_ids((step..=24).step_by(step as usize)));
    let removers = [twos, threes, event, of_ids(1..5)]
        .map(|filter| archive.remover(&filter).expect("a remover"));
    let threads: Vec<_> = removers
        .into_iter()
        .map(|remover| std::thread::spawn(move || remover.commit(&mut ())))
        .chain([std::thread::spawn({
            let archive = archive.clone();
            move || {
                crate::import(&archive, &games(3, 2));
                Ok(halfmove_archive::RemoveReport::default())
            }
        })])
        .collect();
    let mut removed = 0;
    for thread in threads {
        removed += thread.join().expect("no panic")?.games;
    }
    let archive = sound(&archive);
    let ids: Vec<i64> = contents(&archive).iter().map(|game| game.0).collect();
    // The games that came meanwhile are not removed, whatever their ids.
    assert_eq!(ids, [5, 7, 11, 25, 26]);
    assert_eq!(removed, 21);
    Ok(())
}

/// Two undos of the same version: the second one does not undo the first.
#[test]
fn one_of_two_undos() -> Outcome {
    for _ in 0..5 {
        let (_folder, archive) = archive_of(&[3, 4]);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let archive = archive.clone();
                std::thread::spawn(move || archive.undo(None, &mut ()))
            })
            .collect();
        let results: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1, "{results:?}");
        assert_eq!(sound(&archive).len(), 3);
    }
    Ok(())
}

/// The names of the files in the folder.
pub(crate) fn names(archive: &Archive) -> BTreeSet<String> {
    let entries = fs::read_dir(archive.path()).expect("a folder").flatten();
    entries.map(|entry| entry.file_name().into_string().expect("text")).collect()
}

#[test]
fn work_that_is_stopped_changes_nothing() -> Outcome {
    struct Stop;
    impl halfmove_archive::ChangeWatch for Stop {
        fn tick(&mut self, _: u64) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }
    let (_folder, archive) = archive_of(&[40_000]);
    let before = names(&archive);
    let filter = of_ids((2..=40_000).step_by(2));
    let stopped = archive.remover(&filter)?.commit(&mut Stop);
    assert!(matches!(stopped, Err(ArchiveError::Stopped)), "{stopped:?}");
    assert_eq!(names(&archive), before);
    assert_eq!(sound(&archive).version(), 1);
    Ok(())
}
