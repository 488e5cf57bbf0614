//! Imports are complete or absent, even many at once.

use std::collections::BTreeSet;

use halfmove_archive::{Archive, Filter};
use halfmove_game::Game;
use halfmove_rules::Chess;

use crate::{Outcome, game, import, table};

/// A game whose tags name its import, and its number in it.
fn marked(import: usize, number: usize) -> (Game, Option<String>) {
    let mut game = game(&Chess::default(), "e4 e5 Nf3");
    game.tags.push("Event", &import.to_string());
    game.tags.push("Round", &number.to_string());
    (game, None)
}

/// The ids of the games of each import, in the order in which they were pushed.
fn ids(archive: &Archive, import: usize) -> Vec<i64> {
    let mut games: Vec<(usize, i64)> = table::rows(archive, &["event", "round", "id"])
        .expect("rows")
        .into_iter()
        .filter(|row| row[0].as_deref() == Some(&*import.to_string()))
        .map(|row| {
            let number = |index: usize| row[index].as_deref().expect("a value");
            (number(1).parse().expect("a number"), number(2).parse().expect("an id"))
        })
        .collect();
    games.sort_unstable();
    games.into_iter().map(|(_, id)| id).collect()
}

fn files(archive: &Archive) -> usize {
    let names = std::fs::read_dir(archive.path()).expect("a folder");
    names
        .filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        })
        .count()
}

#[test]
fn imports_follow_each_other() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let first: Vec<_> = (0..10_000).map(|number| marked(1, number)).collect();
    let report = import(&archive, &first);
    assert_eq!(
        (report.first_id, report.last_id, report.games, report.plies),
        (1, 10_000, 10_000, 30_000)
    );
    assert_eq!(report.files, 1);
    // The importer belongs to an archive value that has not seen the first import.
    let report = import(&archive, &[marked(2, 0), marked(2, 1)]);
    assert_eq!((report.first_id, report.last_id, report.games), (10_001, 10_002, 2));
    assert_eq!(archive.len(), 0, "an archive stays as it was opened");
    let archive = archive.refresh()?;
    assert_eq!((archive.len(), archive.version()), (10_002, 2));
    assert_eq!(ids(&archive, 1), (1..=10_000).collect::<Vec<_>>());
    assert_eq!(ids(&archive, 2), [10_001, 10_002]);
    assert_eq!(archive.count(&Filter::default())?, 10_002);
    Ok(())
}

#[test]
fn a_long_import_begins_new_files() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let mut importer = archive.importer().games_per_file(10_000);
    for number in 0..20_000 {
        importer.push(&marked(1, number).0, None)?;
    }
    let report = importer.commit()?;
    assert_eq!(report.files, 2);
    let archive = archive.refresh()?;
    assert_eq!(ids(&archive, 1), (1..=20_000).collect::<Vec<_>>());
    assert_eq!(archive.version(), 1, "one change, whatever the number of files");
    // An import that comes too late is shifted in all of its files.
    let mut late = archive.importer().games_per_file(10_000);
    for number in 0..20_000 {
        late.push(&marked(2, number).0, None)?;
    }
    import(&archive, &[marked(3, 0)]);
    late.commit()?;
    let archive = archive.refresh()?;
    assert_eq!(ids(&archive, 2), (20_002..=40_001).collect::<Vec<_>>());
    assert_eq!(ids(&archive, 3), [20_001]);
    Ok(())
}

#[test]
fn an_import_without_games_changes_nothing() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let report = archive.importer().commit()?;
    assert_eq!((report.games, report.first_id, report.last_id, report.files), (0, 1, 0, 0));
    assert_eq!(archive.refresh()?.version(), 0);
    Ok(())
}

#[test]
fn a_dropped_import_takes_its_files_with_it() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let before = files(&archive);
    let mut importer = archive.importer();
    for number in 0..20_000 {
        importer.push(&marked(1, number).0, None)?;
    }
    drop(importer);
    // The encoding thread notices it eventually; the test does not wait for it.
    for _ in 0..500 {
        if files(&archive) == before {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(files(&archive), before);
    assert_eq!(archive.refresh()?.len(), 0);
    Ok(())
}

#[test]
fn concurrent_imports_get_different_ids() -> Outcome {
    let folder = tempfile::tempdir()?;
    let archive = Archive::create(folder.path().join("games"))?;
    let size = |import: usize| 500 + import * 10;
    let importers: Vec<_> = (0..16)
        .map(|number| {
            let archive = archive.clone();
            std::thread::spawn(move || {
                let games: Vec<_> = (0..size(number)).map(|game| marked(number, game)).collect();
                import(&archive, &games)
            })
        })
        .collect();
    let reports: Vec<_> =
        importers.into_iter().map(|importer| importer.join().expect("no panic")).collect();
    let archive = archive.refresh()?;
    assert_eq!(archive.version(), 16, "each import is one change");
    let mut all = BTreeSet::new();
    for (number, report) in reports.iter().enumerate() {
        let ids = ids(&archive, number);
        assert_eq!(ids.len(), size(number));
        assert_eq!(
            ids,
            (report.first_id..=report.last_id).collect::<Vec<_>>(),
            "in order, without gaps"
        );
        all.extend(ids);
    }
    assert_eq!(all, (1..=archive.len() as i64).collect());
    Ok(())
}
