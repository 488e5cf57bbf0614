//! Checkpoints: opening an archive reads only the entries after the last one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, MapArray, RecordBatch, StringArray, StructArray};
use arrow_select::concat::concat_batches;
use halfmove_archive::{Archive, ArchiveError};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::changes::{contents, games, sound};
use crate::damage::answers;
use crate::foreign::added;
use crate::{Outcome, import};

/// An archive of many imports of one game, as it was after some of them. Making it takes most of the time, so it is made once.
struct Past {
    folder: tempfile::TempDir,
}

impl Past {
    const KEPT: [usize; 6] = [2, 4, 99, 101, 105, 205];

    fn new() -> io::Result<Self> {
        let past = Self { folder: tempfile::tempdir()? };
        let folder = past.folder.path().join("games");
        let archive = Archive::create(&folder).expect("an archive");
        for number in 1..=Self::KEPT[5] {
            import(&archive, &games(number, 1));
            if Self::KEPT.contains(&number) {
                copy(&folder, &past.folder.path().join(number.to_string()))?;
            }
        }
        Ok(past)
    }

    /// Returns a copy of the archive as it was after this number of imports.
    fn archive_of(&self, imports: usize) -> (tempfile::TempDir, Archive) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        copy(&self.folder.path().join(imports.to_string()), &path).expect("a copy");
        let archive = Archive::open(path).expect("an archive");
        (folder, archive)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.join("_delta_log"))?;
    for folder in ["", "_delta_log"] {
        for file in fs::read_dir(from.join(folder))? {
            let file = file?;
            if file.file_type()?.is_file() {
                fs::copy(file.path(), to.join(folder).join(file.file_name()))?;
            }
        }
    }
    Ok(())
}

/// All checks in one process, with one archive.
#[test]
fn checkpoints() -> Outcome {
    let past = Past::new()?;
    opening_reads_the_entries_behind_the_checkpoint(&past)?;
    a_log_without_its_first_entries(&past)?;
    a_damaged_checkpoint_is_noticed(&past)?;
    an_older_checkpoint_that_is_damaged(&past)?;
    damage_before_the_checkpoint_is_an_error(&past)?;
    a_copied_entry_is_noticed(&past)?;
    an_entry_of_another_archive_behind_the_checkpoint(&past)?;
    a_checkpoint_with_another_checksum(&past)?;
    a_checkpoint_without_a_checksum(&past)?;
    a_checkpoint_newer_than_the_last_one(&past)?;
    #[cfg(unix)]
    an_entry_that_is_not_a_file(&past)?;
    Ok(())
}

fn entry(archive: &Path, version: u64) -> PathBuf {
    archive.join(format!("_delta_log/{version:020}.json"))
}

fn damaged(path: &Path) -> String {
    match Archive::open(path) {
        Err(ArchiveError::Damaged(what)) => what,
        other => panic!("{other:?}"),
    }
}

/// A damaged entry is noticed if and only if it is read.
fn opening_reads_the_entries_behind_the_checkpoint(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(205);
    let path = archive.path();
    let before = contents(&archive);
    assert_eq!(before.len(), 205);
    let mut read = Vec::new();
    // Some entries, and more of those from a little before the first checkpoint that is read.
    for version in (0..50).step_by(25).chain((50..=205).step_by(5)) {
        let entry = entry(path, version);
        let whole = fs::read(&entry)?;
        fs::write(&entry, "no entry\n")?;
        match Archive::open(path) {
            Ok(opened) => assert_eq!((opened.version(), opened.len()), (205, 205)),
            Err(_) => read.push(version),
        }
        // Verifying reads all of them, whatever opening reads.
        if version % 100 == 0 {
            let mut bytes = whole.clone();
            bytes[whole.len() / 2] ^= 1;
            fs::write(&entry, bytes)?;
            let problems = archive.verify(&mut ())?.problems;
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert_eq!(problems[0].file, entry);
        }
        fs::write(&entry, whole)?;
    }
    assert!(read.len() < 22, "{} entries are read", read.len());
    assert_eq!(contents(&sound(&archive)), before);
    // An import into it continues from there.
    let report = import(&archive, &games(206, 2));
    assert_eq!((report.first_id, report.last_id), (206, 207));
    // Sweeping, undoing and the history do not depend on checkpoints.
    let history = archive.refresh()?.history()?;
    // All but the current version.
    let (last, others) = history.split_last().expect("changes");
    assert!(others.iter().all(|entry| entry.is_restorable) && !last.is_restorable);
    let archive = archive.refresh()?;
    archive.undo(Some(7), &mut ())?;
    let archive = sound(&archive);
    assert_eq!(contents(&archive), before[..7]);
    assert_eq!(import(&archive, &games(207, 1)).first_id, 208);
    Ok(())
}

/// If a checkpoint has replaced entries, the rest of the history is still there.
fn a_log_without_its_first_entries(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(105);
    for version in 0..100 {
        fs::remove_file(entry(archive.path(), version))?;
    }
    let archive = sound(&archive);
    let history = archive.history()?;
    assert_eq!(history.first().map(|entry| entry.version), Some(100));
    let listed: Vec<_> = history.iter().map(|entry| (entry.games, entry.is_restorable)).collect();
    let earlier = (100..105).map(|games| (games, true));
    assert_eq!(listed, earlier.chain([(105, false)]).collect::<Vec<_>>());
    let undo = archive.undo(Some(102), &mut ())?;
    assert_eq!((undo.games_before, undo.games_after), (105, 102));
    let archive = sound(&archive);
    let gone = archive.undo(Some(50), &mut ()).expect_err("its entries are gone").to_string();
    assert!(gone.contains("its log has no version 50"), "{gone}");
    assert_eq!(import(&archive, &games(1, 1)).first_id, 106);
    // Files are only swept if the log is complete: three have gone, and an undo may need them.
    assert_eq!(sound(&archive).undo(Some(105), &mut ())?.games_after, 105);
    Ok(())
}

fn a_damaged_checkpoint_is_noticed(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(101);
    let path = archive.path();
    let checkpoint = path.join("_delta_log/00000000000000000100.checkpoint.parquet");
    let last = path.join("_delta_log/_last_checkpoint");
    let before = contents(&archive);
    for file in [&checkpoint, &last] {
        let whole = fs::read(file)?;
        for at in [0, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(file, bytes)?;
            match Archive::open(path) {
                Err(ArchiveError::Damaged(what)) => {
                    assert!(
                        what.contains(&file.file_name().unwrap().to_string_lossy()[..]),
                        "{what}"
                    );
                }
                other => panic!("{}, byte {at}: {other:?}", file.display()),
            }
        }
        fs::write(file, whole)?;
    }
    // Without the checkpoint that it names, the archive may be another one.
    fs::rename(&checkpoint, path.join("x"))?;
    let missing = damaged(path);
    assert!(missing.contains("100.checkpoint.parquet: the file is missing"), "{missing}");
    assert!(missing.contains("all entries of the log are there"), "{missing}");
    // Without both of them, all is read from the entries.
    fs::remove_file(&last)?;
    assert_eq!(contents(&sound(&archive)), before);
    fs::rename(path.join("x"), &checkpoint)?;
    assert_eq!(contents(&sound(&archive)), before);
    Ok(())
}

/// Earlier versions are read from earlier checkpoints, so a check for damage reads these, too.
fn an_older_checkpoint_that_is_damaged(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(205);
    let checkpoint = archive.path().join("_delta_log/00000000000000000100.checkpoint.parquet");
    assert_eq!(archive.verify(&mut ())?.problems, []);
    let whole = fs::read(&checkpoint)?;
    for bytes in [&whole[..whole.len() / 2], b"no checkpoint", &whole[4..]] {
        fs::write(&checkpoint, bytes)?;
        assert_eq!(Archive::open(archive.path())?.len(), 205);
        let problems = archive.verify(&mut ())?.problems;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].file, checkpoint, "{problems:?}");
    }
    fs::write(&checkpoint, whole)?;
    assert_eq!(archive.verify(&mut ())?.problems, []);
    Ok(())
}

/// Entries that are read only for earlier versions are compared with their checksums, too, before they are used.
fn damage_before_the_checkpoint_is_an_error(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(105);
    let archive = archive.refresh()?;
    let entry_65 = entry(archive.path(), 65);
    let whole = fs::read_to_string(&entry_65)?;
    let changed = whole.replacen("\\\"numRecords\\\":1", "\\\"numRecords\\\":3", 1);
    assert_ne!(changed, whole);
    let refused = |what: &str| {
        let before = SystemTime::now();
        let all = [
            archive.history().map(drop),
            archive.undo_plan(Some(65)).map(drop),
            archive.undo(Some(65), &mut ()).map(drop),
            archive.vacuum_plan(before).map(drop),
            archive.vacuum(before, &mut ()).map(drop),
            Archive::open_at(archive.path(), 65).map(drop),
        ];
        for refused in all {
            match refused {
                Err(ArchiveError::Damaged(found)) => assert!(found.contains(what), "{found}"),
                other => panic!("{other:?}"),
            }
        }
    };
    fs::write(&entry_65, changed)?;
    refused("065.json: its checksum is");
    fs::copy(entry(archive.path(), 64), &entry_65)?;
    refused("065.json: it is a copy of the entry of version 64");
    fs::remove_file(&entry_65)?;
    refused("065.json: the entry is missing");
    assert!(archive.verify(&mut ())?.problems[0].what.contains("the entry is missing"));
    fs::write(&entry_65, whole)?;
    assert_eq!(sound(&archive).undo_plan(Some(65))?.games_after, 65);
    Ok(())
}

/// An entry over another one: each has a sound checksum.
fn a_copied_entry_is_noticed(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(4);
    fs::copy(entry(archive.path(), 2), entry(archive.path(), 3))?;
    let found = damaged(archive.path());
    assert!(found.ends_with("003.json: it is a copy of the entry of version 2"), "{found}");
    Ok(())
}

/// It has a sound checksum and the right version, but the entry before it is not that of the checkpoint.
fn an_entry_of_another_archive_behind_the_checkpoint(past: &Past) -> Outcome {
    let ((_folder, archive), (_other_folder, other)) = (past.archive_of(105), past.archive_of(99));
    for number in 100..=102 {
        import(&other, &games(number, 1));
    }
    for version in [101, 102] {
        let entry_here = entry(archive.path(), version);
        let whole = fs::read(&entry_here)?;
        fs::copy(entry(other.path(), version), &entry_here)?;
        let found = damaged(archive.path());
        assert!(found.contains("the entry before it is not the one"), "{found}");
        fs::write(entry_here, whole)?;
    }
    assert_eq!(sound(&archive).len(), 105);
    Ok(())
}

/// Rewrites a checkpoint with other values in the tags of the files.
fn change_tags(checkpoint: &Path, change: impl Fn(&str) -> String) -> Outcome {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(checkpoint)?)?;
    let schema = Arc::clone(reader.schema());
    let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
    let batch = concat_batches(&schema, &batches)?;
    let mut columns = batch.columns().to_vec();
    let (at, _) = schema.column_with_name("add").expect("files");
    let (fields, mut parts, nulls) = columns[at].as_struct().clone().into_parts();
    let (index, _) = fields.find("tags").expect("tags");
    let (field, offsets, entries, valid, is_sorted) = parts[index].as_map().clone().into_parts();
    let (names, pairs, _) = entries.into_parts();
    let values = pairs[1].as_string::<i32>().iter().map(|value| value.map(&change));
    let values: ArrayRef = Arc::new(values.collect::<StringArray>());
    let entries = StructArray::new(names, vec![Arc::clone(&pairs[0]), values], None);
    parts[index] = Arc::new(MapArray::new(field, offsets, entries, valid, is_sorted));
    columns[at] = Arc::new(StructArray::new(fields, parts, nulls));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
    let mut writer = ArrowWriter::try_new(File::create(checkpoint)?, schema, None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

/// If the checkpoint and an entry had different checksums of a file, damage of the file might not be noticed.
fn a_checkpoint_with_another_checksum(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(101);
    let path = archive.path();
    fs::remove_file(path.join("_delta_log/_last_checkpoint"))?;
    let checkpoint = path.join("_delta_log/00000000000000000100.checkpoint.parquet");
    let whole = fs::read(&checkpoint)?;
    change_tags(&checkpoint, str::to_owned)?;
    assert_eq!(sound(&archive).len(), 101);
    for version in [1, 40, 100] {
        let add = added(path, version);
        let name = add["path"].as_str().expect("a name");
        for tag in ["halfmove.crc32", "halfmove.footer.crc32"] {
            let sum = add["tags"][tag].as_str().expect("a checksum");
            for other in ["0badcafe", "5463", ""] {
                fs::write(&checkpoint, &whole)?;
                change_tags(&checkpoint, |value| {
                    (if value == sum { other } else { value }).to_owned()
                })?;
                let found = damaged(path);
                let words = format!("do not say the same about the file {name}");
                assert!(found.contains(&words), "{tag} {other}: {found}");
            }
        }
    }
    Ok(())
}

/// A checkpoint without a checksum is compared with the entries.
fn a_checkpoint_without_a_checksum(past: &Past) -> Outcome {
    let (_folder, archive) = past.archive_of(101);
    let path = archive.path();
    let results = |archive: &Archive| -> Vec<_> {
        let answers = answers(archive).into_iter();
        answers
            .map(|(question, answer)| (question, answer.map_err(|error| error.to_string())))
            .collect()
    };
    let before = results(&archive);
    fs::remove_file(path.join("_delta_log/_last_checkpoint"))?;
    let checkpoint = path.join("_delta_log/00000000000000000100.checkpoint.parquet");
    assert_eq!(results(&Archive::open(path)?), before);
    let whole = fs::read(&checkpoint)?;
    let mut noticed = 0;
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&checkpoint, bytes)?;
        let Ok(opened) = Archive::open(path) else {
            noticed += 1;
            continue;
        };
        for ((question, before), (_, answer)) in before.iter().zip(results(&opened)) {
            let is_damage = answer.as_ref().is_err_and(|error| error.contains("is damaged"));
            assert!(answer == *before || is_damage, "byte {at}, {question}: {answer:?}");
        }
    }
    assert!(noticed > 2, "{noticed}");
    fs::write(&checkpoint, whole)?;

    // If an old entry is gone, there is nothing to compare it with, and the archive is the one in the checkpoint.
    fs::remove_file(entry(path, 40))?;
    let opened = Archive::open(path)?;
    assert_eq!(results(&opened), before);
    let gone = opened.history().expect_err("an entry is missing").to_string();
    assert!(gone.ends_with("040.json: the entry is missing"), "{gone}");
    Ok(())
}

/// The table is read from the newest checkpoint, so one that is newer than the one with a checksum is compared with the
/// entries.
fn a_checkpoint_newer_than_the_last_one(past: &Past) -> Outcome {
    for version in [101, 104] {
        let (_folder, archive) = past.archive_of(105);
        let log = archive.path().join("_delta_log");
        let of = |version: u64| log.join(format!("{version:020}.checkpoint.parquet"));
        fs::copy(of(100), of(version))?;
        let found = Archive::open(archive.path());
        assert!(matches!(found, Err(ArchiveError::Damaged(_))), "{version}: {found:?}");
    }
    Ok(())
}

/// Reading the log does not wait for a pipe or a device.
#[cfg(unix)]
fn an_entry_that_is_not_a_file(past: &Past) -> Outcome {
    for name in ["00000000000000000003.json", "_last_checkpoint"] {
        let (_folder, archive) = past.archive_of(2);
        let path = archive.path().join("_delta_log").join(name);
        std::os::unix::fs::symlink("/dev/zero", &path)?;
        let found = Archive::open(archive.path()).map(drop).map_err(|error| error.to_string());
        let error = found.expect_err(name);
        assert!(error.contains("it is not a file"), "{name}: {error}");
    }
    Ok(())
}
