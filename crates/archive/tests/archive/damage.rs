//! Damage is found, is reported as damage, and never changes a result.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, BinaryArray, Int32Array, Int64Array, RecordBatch};
use arrow_select::concat::concat_batches;
use halfmove_archive::scan::{Scan, ScanCondition};
use halfmove_archive::{Archive, ArchiveError, Filter, Importer, VerifyReport};
use halfmove_game::Input;
use halfmove_game::pgn::Format;
use halfmove_rules::Chess;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::PageIndexPolicy;
use parquet::file::properties::WriterProperties;

use crate::{Outcome, exported, game, of_ids, table, testdata, without_checksum};

/// An archive of two imports.
pub(crate) fn sound() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    for file in ["games/lichess.pgn.zst", "games/chess960.pgn"] {
        let mut importer = Importer::open(&path).expect("an archive");
        let input = Input::open(testdata(file)).map_err(std::io::Error::from);
        importer.read_pgn([input], &mut ()).expect("games");
        importer.commit().expect("committed");
    }
    (folder, path)
}

/// The files of a folder with an ending.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    files.sort();
    files
}

/// The names of queries, with their results.
pub(crate) type Answers = Vec<(&'static str, Result<String, ArchiveError>)>;

/// The results of queries of all kinds.
pub(crate) fn answers(archive: &Archive) -> Answers {
    let position = game(&Chess::default(), "e4 e5").final_position();
    let by_position = Filter::position(position.clone());
    let by_tag = Filter { player: Some("a".to_owned()), ..Filter::default() };
    let mixed = Filter { min_elo: Some(1500), ..by_position.clone() };
    let search = |filter: &Filter| archive.search(filter, 1000).map(|found| format!("{found:?}"));
    let export = || {
        let mut text = String::new();
        for game in archive.games(&Filter::default())? {
            Format::new().append(&game?.game, &mut text).expect("sound names");
        }
        Ok(text)
    };
    let sums = || {
        let mut sums = [0; 3];
        for row in table::rows(archive, &["id", "plies", "white_elo"])? {
            let numbers =
                row.iter().map(|cell| cell.as_ref().map_or(0, |it| it.parse().expect("one")));
            sums.iter_mut().zip(numbers).for_each(|(sum, number): (_, i64)| *sum += number);
        }
        Ok(format!("{sums:?}"))
    };
    let scan = || {
        let found = Scan::of(archive).find(&[ScanCondition::Position(position.clone())])?;
        Ok(found.rows().map(|group| group.rows.len()).sum::<usize>().to_string())
    };
    let explorer = archive.explore(&Filter::default(), position.clone());
    let names = archive.summaries(&(100..=110).collect::<Vec<_>>());
    vec![
        ("a position", search(&by_position)),
        ("tags", search(&by_tag)),
        ("both", search(&mixed)),
        ("the explorer", explorer.map(|explorer| format!("{explorer:?}"))),
        ("a game", archive.game(123).map(|game| format!("{game:?}"))),
        ("all games", export()),
        ("all columns", table::lines(archive)),
        ("some names", names.map(|games| format!("{games:?}"))),
        ("sums", sums()),
        ("a position of a scan", scan()),
        ("numbers", archive.info().map(|info| format!("{info:?}"))),
    ]
}

pub(crate) fn problems(verified: &VerifyReport) -> Vec<String> {
    let problems = verified.problems.iter();
    problems.map(|problem| format!("{}: {}", problem.file.display(), problem.what)).collect()
}

pub(crate) fn flip(path: &Path, byte: usize, bit: u8) {
    let mut bytes = fs::read(path).expect("a file");
    bytes[byte] ^= 1 << bit;
    fs::write(path, bytes).expect("written");
}

/// The parts of a file: each page with the name of its column, true for a dictionary, and its first and last byte;
/// and the start of the footer.
pub(crate) fn pages(path: &Path) -> (Vec<(String, bool, usize, usize)>, usize) {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    let file = File::open(path).expect("a file");
    let metadata = ArrowReaderMetadata::load(&file, options).expect("a footer");
    let metadata = metadata.metadata();
    let (mut pages, mut end) = (Vec::new(), 0);
    for (group, offsets) in metadata.row_groups().iter().zip(metadata.offset_index().unwrap()) {
        for (column, offsets) in group.columns().iter().zip(offsets) {
            let name = column.column_path().string();
            if let Some(start) = column.dictionary_page_offset() {
                pages.push((name.clone(), true, start, column.data_page_offset() - 1));
            }
            for page in offsets.page_locations() {
                end = page.offset + i64::from(page.compressed_page_size);
                pages.push((name.clone(), false, page.offset, end - 1));
            }
        }
    }
    let bytes = |(name, dictionary, first, last)| (name, dictionary, first as usize, last as usize);
    (pages.into_iter().map(bytes).collect(), end as usize)
}

#[test]
fn a_sound_archive_has_no_problems() -> Outcome {
    let (_folder, path) = sound();
    let archive = Archive::open(&path)?;
    let verified = archive.verify(&mut ())?;
    assert_eq!(problems(&verified), [""; 0]);
    assert_eq!((verified.games, verified.files), (archive.len(), 2));
    assert_eq!((verified.entries, verified.unchecked_entries), (3, 0));
    assert_eq!(verified.unchecked_files, 0);
    Ok(())
}

#[test]
fn an_archive_without_checksums_is_checked_as_far_as_it_goes() -> Outcome {
    let (_folder, path) = sound();
    // As another program leaves it: no checksums of pages, files and entries.
    let columns = |_: &str, column: &ArrayRef| Arc::clone(column);
    for first_id in [1, Archive::open(&path)?.len() as i64 - 33] {
        forge(&path, first_id, columns)?;
    }
    let entry = files(&path.join("_delta_log"), ".json").remove(0);
    fs::write(&entry, without_checksum(&fs::read_to_string(&entry)?))?;
    let verified = Archive::open(&path)?.verify(&mut ())?;
    assert_eq!(problems(&verified), [""; 0]);
    assert_eq!((verified.games, verified.unchecked_files), (437 + 34, 2));
    assert_eq!((verified.entries, verified.unchecked_entries), (3, 3));
    Ok(())
}

/// Every reader of the files finds a changed byte in any page, also by the checksums of Parquet alone.
#[test]
fn a_byte_of_each_page() -> Outcome {
    let (_folder, path) = sound();
    for file in files(&path, ".parquet") {
        let whole = fs::read(&file)?;
        let (pages, _) = pages(&file);
        assert!(pages.iter().any(|page| page.1) && pages.iter().any(|page| !page.1));
        // The header of the checksum follows the page's type and sizes.
        let bytes = pages.iter().flat_map(|(column, _, first, last)| {
            [*first, first + 1, first + 6, *last].map(|byte| (column, byte, byte == *last))
        });
        for (column, byte, is_data) in bytes {
            flip(&file, byte, 3);
            if is_data {
                let reader =
                    ParquetRecordBatchReaderBuilder::try_new(File::open(&file)?)?.build()?;
                let read = reader.collect::<Result<Vec<_>, _>>();
                let error = read.expect_err(column).to_string();
                assert!(error.contains("CRC"), "{column}: {error}");
            }
            let archive = Archive::open(&path)?;
            let of_page = format!("a page of column {column} in row group 0: its checksum is");
            if is_data {
                let found = problems(&archive.verify(&mut ())?);
                assert!(found.iter().any(|what| what.contains(&of_page)), "{column}: {found:?}");
            }
            let top = column.split('.').next().unwrap_or_default();
            let refused = table::batches(&archive, &[top]).expect_err(column);
            assert!(matches!(refused, ArchiveError::Damaged(_)), "{refused:?}");
            let name = file.file_name().unwrap().to_string_lossy();
            let text = refused.to_string();
            assert!(text.contains(&*name) && text.contains(&of_page), "{text}");
            fs::write(&file, &whole)?;
        }
    }
    Ok(())
}

/// Every query that needs the file fails, and the error is damage.
fn all_refused(path: &Path, words: &str) -> Outcome {
    let archive = Archive::open(path)?;
    for (question, answer) in answers(&archive) {
        // The game is in the other file.
        let needed = !matches!(question, "a game" | "some names");
        match answer {
            Ok(_) => assert!(!needed, "{question}"),
            Err(error) => {
                assert!(matches!(error, ArchiveError::Damaged(_)), "{question}: {error:?}");
                assert!(error.to_string().contains(words), "{question}: {error}");
            }
        }
    }
    let found = problems(&archive.verify(&mut ())?);
    assert!(found.iter().any(|what| what.contains(words)), "{found:?}");
    Ok(())
}

#[test]
fn footers_and_whole_files() -> Outcome {
    let (_folder, path) = sound();
    let file = files(&path, ".parquet")
        .into_iter()
        .min_by_key(|file| fs::metadata(file).expect("a file").len())
        .expect("a file");
    let whole = fs::read(&file)?;
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let (_, footer) = pages(&file);
    for byte in [footer, footer + 100, whole.len() - 9, whole.len() - 6, whole.len() - 1] {
        flip(&file, byte, 0);
        all_refused(&path, &format!("{name}: the footer: its checksum"))?;
        fs::write(&file, &whole)?;
    }
    for length in [0, 3, footer, whole.len() - 1] {
        fs::write(&file, &whole[..length])?;
        let words = format!("it has {length} bytes, the log says {}", whole.len());
        all_refused(&path, &words)?;
    }
    // Queries that open no file.
    let count = || Scan::of(&Archive::open(&path).expect("an archive")).check_there();
    assert!(count().is_err_and(|error| matches!(error, ArchiveError::Damaged(_))));
    fs::remove_file(&file)?;
    all_refused(&path, &format!("{name}: the file is missing"))?;
    assert!(count().is_err_and(|error| matches!(error, ArchiveError::Damaged(_))));
    // Reading does not wait for a pipe.
    #[cfg(unix)]
    {
        assert!(Command::new("mkfifo").arg(&file).status()?.success());
        let refused =
            answers(&Archive::open(&path)?).into_iter().filter_map(|(_, answer)| answer.err());
        assert!(
            refused.map(|error| error.to_string()).all(|error| error.ends_with("it is not a file"))
        );
        assert!(count().is_err());
        let found = problems(&Archive::open(&path)?.verify(&mut ())?);
        assert!(found[0].ends_with("it is not a file"), "{found:?}");
        fs::remove_file(&file)?;
    }
    fs::write(&file, &whole)?;
    assert!(count().is_ok());
    assert_eq!(problems(&Archive::open(&path)?.verify(&mut ())?), [""; 0]);
    Ok(())
}

#[test]
fn an_entry_of_another_archive() -> Outcome {
    let ((_folder, path), (_other_folder, other)) = (sound(), sound());
    for (mine, its) in files(&path.join("_delta_log"), ".json")
        .iter()
        .zip(files(&other.join("_delta_log"), ".json"))
    {
        let whole = fs::read(mine)?;
        fs::copy(its, mine)?;
        let refused = Archive::open(&path).expect_err("an entry of another archive");
        assert!(matches!(refused, ArchiveError::Damaged(_)), "{refused:?}");
        assert!(refused.to_string().contains("the entry before it is not the one"), "{refused}");
        fs::write(mine, whole)?;
    }
    assert!(Archive::open(&path)?.verify(&mut ())?.problems.is_empty());
    Ok(())
}

/// Replaces a number in the entry of the last import.
fn replace(path: &Path, from: &str, to: &str) -> Outcome {
    let entry = files(&path.join("_delta_log"), ".json").pop().expect("an entry");
    let text = without_checksum(&fs::read_to_string(&entry)?);
    assert!(text.contains(from), "{from} in {text}");
    Ok(fs::write(entry, text.replace(from, to))?)
}

#[test]
fn ids_run_out() -> Outcome {
    let (_folder, path) = sound();
    let games = Archive::open(&path)?.len();
    let last = i64::MAX - 1;
    replace(
        &path,
        &format!("\"txn\":{{\"appId\":\"halfmove.last_id\",\"version\":{games},"),
        &format!("\"txn\":{{\"appId\":\"halfmove.last_id\",\"version\":{last},"),
    )?;
    let import = |text: &'static str| {
        let mut importer = Importer::open(&path)?;
        importer.read_pgn([Ok(text.as_bytes())], &mut ())?;
        importer.commit()
    };
    let refused = import("1. e4 *\n\n1. d4 *").expect_err("two ids");
    assert!(refused.to_string().contains("no ids are left for 2 games"), "{refused}");
    assert_eq!(import("1. e4 *")?.last_id, i64::MAX);
    let refused = import("1. e4 *").expect_err("an id");
    assert!(matches!(refused, ArchiveError::NoIdsLeft { games: 1, .. }), "{refused:?}");
    let archive = Archive::open(&path)?;
    assert!(archive.verify(&mut ())?.problems.is_empty());
    // The ids of a file, and those of an archive, may be as far apart as the integers allow.
    archive.compact(&mut ())?;
    let archive = Archive::open(&path)?;
    assert!(archive.verify(&mut ())?.problems.is_empty());
    for id in [1, i64::MAX] {
        assert_eq!(archive.game(id)?.id, id);
    }
    let all = exported(&archive, &Filter::default())?;
    assert_eq!(all.len() as u64, games + 1);
    assert!(all.is_sorted());
    Ok(())
}

#[test]
fn entries_of_the_log() -> Outcome {
    let (_folder, path) = sound();
    let entries = files(&path.join("_delta_log"), ".json");
    let damage = |words: &str| {
        let refused = Archive::open(&path).expect_err(words);
        assert!(matches!(refused, ArchiveError::Damaged(_)), "{refused:?}");
        assert!(refused.to_string().contains(words), "{refused}");
    };
    let archive = Archive::open(&path)?;
    for entry in &entries {
        let whole = fs::read_to_string(entry)?;
        for (from, to) in
            [("halfmove.checksum", "halfmove.checksam"), ("halfmove.entry.crc32", "something")]
        {
            let changed = whole.replace(from, to);
            assert_ne!(changed, whole);
            fs::write(entry, changed)?;
            damage("its checksum");
            // It was sound when it was opened.
            assert_eq!(problems(&archive.verify(&mut ())?).len(), 1);
        }
        // An entry without its own fields is like those of other programs; but the one after it follows another, and
        // the files of the last one are unknown.
        for (text, unchecked) in [("", 0), ("{}\n", 1)] {
            fs::write(entry, text)?;
            let verified = archive.verify(&mut ())?;
            assert_eq!((verified.unchecked_entries, problems(&verified).len()), (unchecked, 1));
        }
        fs::remove_file(entry)?;
        assert!(archive.verify(&mut ())?.problems[0].what.contains("missing"));
        fs::write(entry, whole)?;
    }
    fs::remove_file(&entries[1])?;
    damage("missing");
    Ok(())
}

/// Rewrites the file whose first game has this id with other columns, and without checksums, as another program might.
fn forge(path: &Path, first_id: i64, change: impl Fn(&str, &ArrayRef) -> ArrayRef) -> Outcome {
    for file in files(path, ".parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file)?)?;
        let mut properties =
            reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        properties.retain(|property| property.key != "halfmove.pages.crc32");
        let schema = Arc::clone(reader.schema());
        let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
        let batch = concat_batches(&schema, &batches)?;
        if batch.column(0).as_primitive::<Int64Type>().value(0) != first_id {
            continue;
        }
        let fields = schema.fields().iter().zip(batch.columns());
        let columns = fields.map(|(field, column)| change(field.name(), column)).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
        let properties =
            WriterProperties::builder().set_key_value_metadata(Some(properties)).build();
        let mut writer = ArrowWriter::try_new(File::create(&file)?, schema, Some(properties))?;
        writer.write(&batch)?;
        writer.close()?;
        let name = file.file_name().unwrap().to_string_lossy();
        let mut is_behind = false;
        for entry in files(&path.join("_delta_log"), ".json") {
            let text = fs::read_to_string(&entry)?;
            if !text.contains(&*name) {
                if is_behind {
                    // The next entry has the checksum of the entry before it, which is another one now.
                    fs::write(entry, without_checksum(&text))?;
                }
                continue;
            }
            is_behind = true;
            let mut changed = String::new();
            let text = if text.contains("checksum") { without_checksum(&text) } else { text };
            for line in text.lines() {
                let mut action: serde_json::Value = serde_json::from_str(line)?;
                if let Some(add) = action.get_mut("add").and_then(|add| add.as_object_mut()) {
                    add["size"] = fs::metadata(&file)?.len().into();
                    add.remove("tags").expect("checksums");
                }
                changed.push_str(&format!("{action}\n"));
            }
            fs::write(entry, changed)?;
        }
    }
    Ok(())
}

/// Games that are invalid although every byte is as it was written.
#[test]
fn each_game_is_checked() -> Outcome {
    let (_folder, path) = sound();
    forge(&path, 1, |name, column| {
        let bytes = |row: usize, value: &[u8]| -> ArrayRef {
            let old = column.as_binary::<i32>().iter().enumerate();
            Arc::new(BinaryArray::from_iter(
                old.map(|(index, old)| if index == row { Some(value) } else { old }),
            ))
        };
        match name {
            "id" => {
                let ids = column.as_primitive::<Int64Type>().values().iter();
                Arc::new(Int64Array::from_iter_values(ids.map(|id| match id {
                    20 => 21,
                    30 => 1_000_000,
                    id => *id,
                })))
            }
            "plies" => {
                let old = column.as_primitive::<Int32Type>().values().iter().enumerate();
                let new = old.map(|(row, plies)| if row == 2 { plies + 1 } else { *plies });
                Arc::new(Int32Array::from_iter_values(new))
            }
            "signature" => bytes(3, &[0; 37]),
            "moves" => bytes(4, &[0xff, 0xff]),
            "annotations" => bytes(5, &[0xff]),
            "clocks" => bytes(6, &[0xff, 0xff]),
            _ => Arc::clone(column),
        }
    })?;
    let archive = Archive::open(&path)?;
    let verified = archive.verify(&mut ())?;
    assert_eq!((verified.unchecked_files, verified.unchecked_entries), (1, 2));
    assert_eq!(verified.games, archive.len());
    let found = verified.problems.iter().map(|problem| (problem.game, problem.what.as_str()));
    let found: Vec<_> = found.collect();
    let expected = [
        (3, "plies says"),
        (4, "the signature is not that of the moves"),
        (5, "0xff is not a code"),
        (6, "byte 0 of the annotations"),
        (7, "of the clocks"),
        (21, "the ids are not consecutive"),
        (21, "another game has the same id"),
        (1_000_000, "the log says 1 to "),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((game, what), (id, words)) in found.iter().zip(expected) {
        assert!(*game == Some(id) && what.contains(words), "{found:#?}");
    }
    Ok(())
}

/// Invalid ids given by another program: sets of games cannot hold them, and no query leaves such games out silently.
#[test]
fn ids_below_one() -> Outcome {
    for low in [0, -3, i64::MIN] {
        let (_folder, path) = sound();
        forge(&path, 1, |name, column| match name {
            "id" => {
                let ids = column.as_primitive::<Int64Type>().values().iter();
                let ids = ids.map(|id| if *id == 7 { low } else { *id });
                Arc::new(Int64Array::from_iter_values(ids))
            }
            _ => Arc::clone(column),
        })?;
        for entry in files(&path.join("_delta_log"), ".json") {
            let text = fs::read_to_string(&entry)?;
            let minimum = format!("\"minValues\\\":{{\\\"id\\\":{low},");
            fs::write(&entry, text.replacen("\"minValues\\\":{\\\"id\\\":1,", &minimum, 1))?;
        }
        let archive = Archive::open(&path)?;
        let words = format!("game {low}: ids begin with 1");
        for (question, answer) in answers(&archive) {
            match answer {
                // These read no ids, or read them as numbers.
                Ok(_) => assert!(
                    ["the explorer", "a game", "all columns", "some names", "sums", "numbers"]
                        .contains(&question)
                        || question == "a position of a scan",
                    "{question}, {low}"
                ),
                Err(error) => {
                    assert!(matches!(error, ArchiveError::Damaged(_)), "{question}: {error:?}");
                    assert!(error.to_string().contains(&words), "{question}: {error}");
                }
            }
        }
        let found = problems(&archive.verify(&mut ())?);
        assert!(found.iter().any(|what| what.ends_with(": ids begin with 1")), "{found:?}");
        let refused = archive.remover(&of_ids([8])).map(drop).expect_err("a low id");
        assert!(refused.to_string().contains(&words), "{refused}");
    }
    Ok(())
}

/// Another program may replace entries by a checkpoint. This one is written by the engine that comes with Delta's
/// kernel.
#[cfg(feature = "object-store")]
#[test]
fn a_checkpoint_changes_nothing() -> Outcome {
    use delta_kernel::Snapshot;
    use delta_kernel_default_engine::DefaultEngineBuilder;
    use delta_kernel_default_engine::executor::tokio::TokioMultiThreadExecutor;
    use halfmove_archive::object_store::local::LocalFileSystem;

    let (_folder, path) = sound();
    let before = answers(&Archive::open(&path)?);
    let runtime = tokio::runtime::Runtime::new()?;
    let executor = Arc::new(TokioMultiThreadExecutor::new(runtime.handle().clone()));
    let engine = DefaultEngineBuilder::new(Arc::new(LocalFileSystem::new()))
        .with_task_executor(executor)
        .build();
    let url = url::Url::from_directory_path(fs::canonicalize(&path)?).expect("a URL");
    Snapshot::builder_for(url.as_str()).build(&engine)?.checkpoint(&engine, None)?;
    let entries = files(&path.join("_delta_log"), ".json");
    for removed in 0..entries.len() {
        let archive = Archive::open(&path)?;
        for ((question, answer), (_, before)) in answers(&archive).into_iter().zip(&before) {
            assert!(answer.is_ok() && answer.ok().as_ref() == before.as_ref().ok(), "{question}");
        }
        let verified = archive.verify(&mut ())?;
        assert_eq!(problems(&verified), [""; 0]);
        assert_eq!(verified.entries as usize, entries.len() - removed);
        // The checkpoint has the descriptions of the files, too.
        assert_eq!(verified.unchecked_files, 0);
        fs::remove_file(&entries[removed])?;
    }
    let import = crate::import(&Archive::open(&path)?, &[(game(&Chess::default(), "e4"), None)]);
    assert_eq!(import.first_id as u64, Archive::open(&path)?.len());
    Ok(())
}
