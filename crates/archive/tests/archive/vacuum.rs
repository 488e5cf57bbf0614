//! Deletes the files of old versions.

use std::fs;
use std::time::{Duration, SystemTime};

use halfmove_archive::{Archive, ArchiveError, Filter};
use serde_json::{Value, json};

use crate::Outcome;
use crate::changes::{archive_of, cannot_undo, games, import, is_of, names, remove, sound};
use crate::foreign::added;

fn restorable(archive: &Archive) -> Vec<u64> {
    let history = archive.history().expect("a history");
    history.iter().filter(|entry| entry.is_restorable).map(|entry| entry.version).collect()
}

#[test]
fn a_vacuum_deletes_unneeded_files() -> Outcome {
    let (_folder, archive) = archive_of(&[6, 4]);
    remove(&archive, |game| game.id == 2)?;
    let archive = archive.refresh()?;
    import(&archive, 3, 3);
    let archive = archive.refresh()?;
    remove(&archive, is_of(3))?;
    let archive = sound(&archive);
    // Version 3 has the games of the current one, 5.
    assert_eq!(restorable(&archive), [0, 1, 2, 4]);
    // Files of others, and leftovers of ours.
    for name in ["part-0001.parquet", "games-x.parquet", "notes.txt", "deletion_vector_1.bin"] {
        fs::write(archive.path().join(name), "another's")?;
    }
    let left = "games-01234567-89ab-4cde-8f01-23456789abcd.parquet";
    fs::write(archive.path().join(left), "left by an import that was killed")?;
    fs::write(archive.path().join(".halfmove-x.tmp"), "so is this")?;
    let before = names(&archive);
    // Only the leftovers are older than a week.
    let week = SystemTime::now() - Duration::from_secs(7 * 24 * 60 * 60);
    let lock = fs::File::options().write(true).open(archive.path().join("_halfmove.lock"))?;
    lock.lock()?;
    // A plan does not wait.
    let plan = archive.vacuum_plan(week)?;
    drop(lock);
    let removed = archive.history()?[3].time_ms;
    assert_eq!(plan.kept_since_ms, removed);
    let day = Duration::from_secs(24 * 60 * 60);
    let today = archive.history()?[3].time().expect("a time")[..10].to_owned();
    assert_eq!(plan.next_day(Duration::ZERO).as_deref(), Some(&*today));
    assert!(plan.next_day(day).is_some_and(|tomorrow| tomorrow > today));
    assert_eq!((plan.files.as_slice(), plan.kept), (&[left.to_owned()][..], 2));
    assert_eq!(names(&archive), before);
    assert_eq!(archive.vacuum(week, &mut ())?, plan);
    assert_eq!(before.difference(&names(&archive)).count(), 2);
    assert_eq!(restorable(&archive), [0, 1, 2, 4]);

    // Everything but the current version.
    let now = SystemTime::now() + Duration::from_secs(1);
    let plan = archive.vacuum_plan(now)?;
    let done = archive.vacuum(now, &mut ())?;
    assert_eq!((done.files.len(), done.kept, &done), (2, 0, &plan));
    assert!(done.bytes > 1000, "{done:?}");
    let left = names(&archive);
    assert!(done.files.iter().all(|name| !left.contains(name)));
    for name in ["part-0001.parquet", "games-x.parquet", "notes.txt", "deletion_vector_1.bin"] {
        assert!(left.contains(name), "{name}");
    }
    let archive = sound(&archive);
    assert_eq!(restorable(&archive), [0]);
    let why = cannot_undo(archive.undo(Some(2), &mut ()));
    assert!(why.ends_with(" of version 2 is gone"), "{why}");
    assert_eq!(cannot_undo(archive.undo(Some(3), &mut ())), "version 3 has the same games");
    assert_eq!(archive.vacuum(now, &mut ())?.files, [""; 0]);
    archive.undo(Some(0), &mut ())?;
    let archive = sound(&archive);
    archive.undo(None, &mut ())?;
    assert_eq!(sound(&archive).len(), 9);
    Ok(())
}

/// A reader of an older version, whose files have been deleted meanwhile, is asked to open the archive again. Nothing is
/// damaged.
#[test]
fn a_reader_that_is_overtaken() -> Outcome {
    let (_folder, archive) = archive_of(&[6, 4]);
    let reader = Archive::open(archive.path())?;
    archive.compact(&mut ())?;
    let now = SystemTime::now() + Duration::from_secs(1);
    assert!(!archive.refresh()?.vacuum(now, &mut ())?.files.is_empty());
    let filter = Filter { player: Some("x".to_owned()), ..Filter::default() };
    let all = [
        reader.count(&filter).map(drop),
        reader.game(1).map(drop),
        reader.players(None).map(drop),
        reader
            .pgn(&Filter::default())
            .and_then(|mut texts| texts.next().unwrap_or(Ok(Default::default())).map(drop)),
    ];
    for read in all {
        assert!(matches!(read, Err(ArchiveError::Outdated { .. })), "{read:?}");
    }
    let again = reader.refresh()?;
    assert_eq!(again.players(None)?, sound(&again).players(None)?);
    // A file that the newest version needs is missing: that is damage.
    let name = names(&again).into_iter().find(|name| name.ends_with(".parquet")).expect("a file");
    fs::remove_file(again.path().join(name))?;
    let read = Archive::open(archive.path())?.players(None);
    assert!(matches!(read, Err(ArchiveError::Damaged(_))), "{read:?}");
    Ok(())
}

/// A version needs all of its files, including those that the current one has.
#[test]
fn a_file_that_stays_is_gone() -> Outcome {
    let (_folder, archive) = archive_of(&[6, 4, 3]);
    assert_eq!(restorable(&archive), [0, 1, 2]);
    let stays = archive.path().join(
        names(&archive)
            .iter()
            .find(|name| {
                let entry =
                    fs::read_to_string(archive.path().join(format!("_delta_log/{:020}.json", 2)));
                entry.is_ok_and(|entry| entry.contains(name.as_str()))
            })
            .expect("the file of version 2"),
    );
    fs::remove_file(stays)?;
    assert_eq!(restorable(&archive), [0, 1]);
    let why = cannot_undo(archive.undo(Some(2), &mut ()));
    assert!(why.ends_with(" of version 2 is gone"), "{why}");
    assert_eq!(archive.undo(Some(1), &mut ())?.games_after, 6);
    Ok(())
}

/// Files that another program has removed are counted, and stay.
#[test]
fn files_of_other_programs_stay() -> Outcome {
    let (_folder, archive) = archive_of(&[6]);
    let its = "part-00000-1.parquet";
    let add = added(archive.path(), 1);
    fs::copy(archive.path().join(add["path"].as_str().expect("a name")), archive.path().join(its))?;
    let mut copy = add.clone();
    copy["path"] = its.into();
    let mut remove = add.clone();
    remove["deletionTimestamp"] = 1_700_000_000_000_i64.into();
    let info = json!({ "commitInfo": { "timestamp": 1_700_000_000_000_i64, "operation": "OPTIMIZE", "engineInfo": "Other/7" } });
    let entry = |version: u64, lines: &[Value]| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(archive.path().join(format!("_delta_log/{version:020}.json")), text)
    };
    entry(2, &[info.clone(), json!({ "remove": remove }), json!({ "add": copy })])?;
    remove["path"] = its.into();
    entry(3, &[info, json!({ "remove": remove }), json!({ "add": add })])?;
    let archive = archive.refresh()?;
    let done = archive.vacuum(SystemTime::now() + Duration::from_secs(1), &mut ())?;
    assert_eq!((done.files.len(), done.kept, done.foreign), (0, 0, 1));
    assert!(archive.path().join(its).exists());
    Ok(())
}

/// Files that another import is writing are not removed, and become part of the archive.
#[test]
fn a_vacuum_spares_an_import_that_goes_on() -> Outcome {
    let (_folder, archive) = archive_of(&[2]);
    let mut importer = archive.importer().games_per_file(20_000);
    let begun = || names(&archive).iter().any(|name| name.ends_with(".tmp"));
    let mut pushed = 0_u64;
    // Other threads write the file, so it begins some time after its first games have been pushed.
    while !begun() {
        assert!(pushed < 1_000_000, "{:?}", names(&archive));
        for (game, _) in games(pushed as usize, 10_000) {
            importer.push(&game, None)?;
            pushed += 1;
        }
    }
    let now = SystemTime::now() + Duration::from_secs(1);
    assert_eq!(archive.vacuum(now, &mut ())?.files, [""; 0]);
    importer.commit()?;
    let archive = sound(&archive);
    assert_eq!(archive.len(), 2 + pushed);
    Ok(())
}
