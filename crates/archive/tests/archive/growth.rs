//! Archives of an earlier version, with fewer columns, and of a later one, with more.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, RecordBatch};
use arrow_schema::Schema;
use halfmove_archive::{
    Archive, ArchiveError, ExploreOptions, Filter, Importer, SearchOptions, schema,
};
use halfmove_game::Speed;
use halfmove_rules::Chess;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::damage::{answers, files, problems, sound};
use crate::{Outcome, game, import, of_ids, table, without_checksum};

/// Changes the columns of the table, and each file that is added, in all entries of the log.
pub(crate) fn edit_log(
    path: &Path,
    columns: impl Fn(&mut Vec<Value>),
    properties: impl Fn(&mut serde_json::Map<String, Value>),
) {
    for entry in files(&path.join("_delta_log"), ".json") {
        let text = fs::read_to_string(&entry).expect("an entry");
        let mut changed = String::new();
        let text = if text.contains("halfmove.checksum") { without_checksum(&text) } else { text };
        for line in text.lines() {
            let mut action: Value = serde_json::from_str(line).expect("an action");
            if let Some(metadata) = action.get_mut("metaData") {
                let text = metadata["schemaString"].as_str().expect("a schema");
                let mut schema: Value = serde_json::from_str(text).expect("a schema");
                columns(schema["fields"].as_array_mut().expect("fields"));
                metadata["schemaString"] = schema.to_string().into();
                properties(metadata["configuration"].as_object_mut().expect("properties"));
            }
            if let Some(add) = action.get_mut("add").and_then(Value::as_object_mut) {
                let name = add["path"].as_str().expect("a path").to_owned();
                add["size"] = fs::metadata(path.join(name)).expect("a file").len().into();
                add.remove("tags");
            }
            changed.push_str(&format!("{action}\n"));
        }
        fs::write(&entry, changed).expect("written");
    }
}

/// An archive as an earlier version wrote it, before there were some columns.
pub(crate) fn without(missing: &[&str]) -> (tempfile::TempDir, PathBuf) {
    changed(missing, &[])
}

/// An archive as an earlier version wrote it: without some columns, and with earlier names of others.
fn changed(missing: &[&str], earlier: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let name_of = |name: &str| {
        let renamed = earlier.iter().find(|(_, present)| *present == name);
        renamed.map_or(name, |(earlier, _)| *earlier).to_owned()
    };
    let (folder, path) = sound();
    for file in files(&path, ".parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file).expect("a file"));
        let reader = reader.expect("a footer");
        let schema = Arc::clone(reader.schema());
        let left = (0..schema.fields().len())
            .filter(|index| !missing.contains(&schema.field(*index).name().as_str()));
        let left: Vec<usize> = left.collect();
        let mut properties =
            reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        properties.retain(|property| {
            let of = |name: &&str| property.key == format!("halfmove.derived.{name}");
            !["halfmove.pages.crc32", "halfmove.signature.bounds", "ARROW:schema"]
                .contains(&property.key.as_str())
                && !missing.iter().any(of)
        });
        for property in &mut properties {
            if let Some(name) = property.key.strip_prefix("halfmove.derived.") {
                property.key = format!("halfmove.derived.{}", name_of(name));
            }
        }
        let batches: Vec<_> =
            reader.build().expect("a reader").map(|batch| batch.expect("a batch")).collect();
        let properties =
            WriterProperties::builder().set_key_value_metadata(Some(properties)).build();
        let fields = left.iter().map(|index| {
            let field = schema.field(*index);
            field.clone().with_name(name_of(field.name()))
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let file = File::create(&file).expect("a file");
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let mut writer = writer.expect("a writer");
        for batch in batches {
            let columns = left.iter().map(|index| Arc::clone(batch.column(*index)));
            let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect());
            writer.write(&batch.expect("columns")).expect("written");
        }
        writer.close().expect("written");
    }
    let is_missing = |field: &Value| missing.iter().any(|name| field["name"] == *name);
    edit_log(
        &path,
        |fields| {
            fields.retain(|field| !is_missing(field));
            for field in fields {
                let name = name_of(field["name"].as_str().expect("a name"));
                field["name"] = name.into();
            }
        },
        |properties| {
            missing.iter().for_each(|name| {
                properties.remove(&format!("halfmove.derived.{name}"));
            });
            for (earlier, present) in earlier {
                if let Some(version) = properties.remove(&format!("halfmove.derived.{present}")) {
                    properties.insert(format!("halfmove.derived.{earlier}"), version);
                }
            }
        },
    );
    (folder, path)
}

const MISSING: &[&str] = &["signature", "source", "clocks"];

#[test]
fn columns_may_be_missing() -> Outcome {
    let (_whole, whole) = sound();
    let (_folder, path) = without(MISSING);
    let archive = Archive::open(&path)?;
    assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
    let expected = answers(&Archive::open(&whole)?);
    for ((question, expected), (_, answer)) in expected.into_iter().zip(answers(&archive)) {
        // These depend on the columns, and on the bytes of the files.
        if !matches!(question, "all columns" | "numbers" | "all games" | "a game") {
            assert_eq!(expected?, answer?, "{question}");
        }
    }
    for column in MISSING {
        assert_eq!(table::count(&archive, column), 0);
    }
    let all = archive.len() as i64;
    let mut options = SearchOptions::first(usize::MAX);
    options.columns = vec!["source".to_owned()];
    let found = archive.search_with(&Filter::default(), &options)?.games;
    assert!(found.len() as i64 == all && found.iter().all(|game| game.more == [None]));
    // An import adds the columns to the table.
    let report = import(&archive, &[(game(&Chess::default(), "e4 e5"), None)]);
    assert_eq!(report.first_id, all + 1);
    let archive = Archive::open(&path)?;
    assert_eq!((table::count(&archive, "signature"), archive.len() as i64), (1, all + 1));
    let entry = path.join(format!("_delta_log/{:020}.json", archive.version()));
    let entry = fs::read_to_string(entry)?;
    assert!(entry.contains("metaData") && entry.contains("\\\"source\\\""), "{entry}");
    assert!(entry.contains("\"halfmove.derived.signature\":\"0\""), "{entry}");
    assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
    // The next import has nothing to add.
    import(&archive, &[(game(&Chess::default(), "e4 e5"), None)]);
    let entry = path.join(format!("_delta_log/{:020}.json", archive.version() + 1));
    assert!(!fs::read_to_string(entry)?.contains("metaData"));
    Ok(())
}

#[test]
fn a_compaction_computes_missing_columns() -> Outcome {
    let (_folder, path) = without(MISSING);
    import(&Archive::open(&path)?, &[(game(&Chess::default(), "e4 e5"), None)]);
    let before = Archive::open(&path)?;
    assert_eq!(before.compact(&mut ())?.files_before, 3);
    let after = Archive::open(&path)?;
    assert_eq!(table::count(&after, "signature") as u64, after.len());
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    for ((question, before), (_, after)) in answers(&before).into_iter().zip(answers(&after)) {
        if !matches!(question, "all columns" | "numbers") {
            assert_eq!(before?, after?, "{question}");
        }
    }
    assert_eq!(after.compact(&mut ())?.files, 0);
    assert_eq!(Archive::open(&path)?.version(), after.version());
    Ok(())
}

/// A rewrite of games for another reason computes the missing columns, too.
#[test]
fn columns_of_tags_are_computed_for_older_files() -> Outcome {
    let (_whole, whole) = sound();
    let whole = Archive::open(&whole)?;
    let missing = ["utc_timestamp", "time_control", "base_seconds", "speed", "white_rating_diff"];
    let (_folder, path) = without(&missing);
    let old = Archive::open(&path)?;
    let expected = missing.map(|column| table::count(&whole, column));
    assert!(expected.iter().all(|count| *count > 100), "{expected:?}");
    let blitz = Filter { speeds: vec![Speed::Blitz], ..Filter::default() };
    let newest = |archive: &Archive| {
        let mut options = SearchOptions::first(50);
        options.sort = "-date".parse().expect("an order");
        archive.search_with(&blitz, &options)
    };
    // Before a compaction, the columns are missing in the files, and searches compute them.
    assert_eq!(missing.map(|column| table::count(&old, column)), [0; 5]);
    assert_eq!(newest(&old)?, newest(&whole)?);
    assert!(newest(&old)?.count > 100);
    old.compact(&mut ())?;
    let new = old.refresh()?;
    assert_eq!(missing.map(|column| table::count(&new, column)), expected);
    assert_eq!(newest(&new)?, newest(&whole)?);
    Ok(())
}

/// Columns with their earlier names count as missing: searches compute them, and rewritten files have the present names.
#[test]
fn columns_may_have_earlier_names() -> Outcome {
    let (_whole, whole) = sound();
    let whole = Archive::open(&whole)?;
    let (_folder, path) = changed(&[], schema::EARLIER_NAMES);
    let old = Archive::open(&path)?;
    assert_eq!(problems(&old.verify(&mut ())?), [""; 0]);
    let newest = |archive: &Archive| {
        let mut options = SearchOptions::first(50);
        options.sort = "-date".parse().expect("an order");
        options.columns = schema::EARLIER_NAMES.iter().map(|(_, name)| (*name).into()).collect();
        archive.search_with(&Filter::default(), &options)
    };
    assert_eq!(newest(&old)?, newest(&whole)?);
    import(&old, &[(game(&Chess::default(), "e4 e5"), None)]);
    let old = old.refresh()?;
    old.compact(&mut ())?;
    let new = old.refresh()?;
    assert_eq!(problems(&new.verify(&mut ())?), [""; 0]);
    assert_eq!(newest(&new)?.games, newest(&whole)?.games);
    for (earlier, name) in schema::EARLIER_NAMES {
        let count = table::count(&whole, name);
        assert!(count > 100, "{name}: {count}");
        assert_eq!(table::count(&new, name), count, "{name}");
        for file in files(&path, ".parquet") {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file)?)?;
            let is_new = reader.schema().column_with_name(name).is_some();
            assert_ne!(is_new, reader.schema().column_with_name(earlier).is_some());
        }
    }
    Ok(())
}

#[test]
fn removals_and_merges_compute_missing_columns() -> Outcome {
    let (_folder, path) = without(MISSING);
    let archive = Archive::open(&path)?;
    let all = archive.len() as usize;
    archive.remover(&of_ids([2]))?.commit(&mut ())?;
    let archive = archive.refresh()?;
    // The games of the first file.
    assert_eq!(table::count(&archive, "signature"), 436);
    let white = archive.game(438)?.game.tags.value("White").ok_or("a name")?.to_owned();
    archive.player_merge("Somebody Else", &[white])?.commit(&mut ())?;
    let archive = Archive::open(&path)?;
    assert_eq!(table::count(&archive, "signature"), all - 1);
    assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
    Ok(())
}

/// Replaces the derived columns of a file by those of an earlier version of this library.
fn outdate(path: &Path) {
    for file in files(path, ".parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file).expect("a file"));
        let reader = reader.expect("a footer");
        let schema = Arc::clone(reader.schema());
        let mut properties =
            reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        properties.retain(|property| {
            !["halfmove.pages.crc32", "halfmove.signature.bounds"].contains(&property.key.as_str())
        });
        let derived = properties.iter_mut().filter(|it| it.key.starts_with("halfmove.derived."));
        let outdated = derived.map(|property| property.value = Some("old".to_owned())).count();
        let columns = schema::COLUMNS.iter().filter(|column| column.derived.is_some());
        assert_eq!(outdated, columns.count(), "signatures, plies and the columns of tags");
        let batches: Vec<_> =
            reader.build().expect("a reader").map(|batch| batch.expect("a batch")).collect();
        let properties =
            WriterProperties::builder().set_key_value_metadata(Some(properties)).build();
        let file = File::create(&file).expect("a file");
        let mut writer =
            ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).expect("a writer");
        for batch in batches {
            let columns = schema.fields().iter().zip(batch.columns());
            let columns = columns.map(|(field, column)| -> ArrayRef {
                let rows = column.len();
                match field.name().as_str() {
                    // By these signatures, no game can have any position.
                    "signature" => {
                        Arc::new(BinaryArray::from_iter_values((0..rows).map(|_| [0; 38])))
                    }
                    "plies" => Arc::new(Int32Array::from_iter_values((0..rows).map(|_| 1))),
                    _ => Arc::clone(column),
                }
            });
            let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect());
            writer.write(&batch.expect("columns")).expect("written");
        }
        writer.close().expect("written");
    }
    edit_log(path, |_| {}, |_| {});
}

/// Columns of an earlier version are not used, and are computed again when games are rewritten.
#[test]
fn outdated_columns_are_computed_again() -> Outcome {
    let (_whole, whole) = sound();
    let whole = Archive::open(&whole)?;
    for is_removal in [false, true] {
        let (_folder, path) = sound();
        outdate(&path);
        let archive = Archive::open(&path)?;
        let position = game(&Chess::default(), "e4 e5").final_position();
        let found = archive.ids(&Filter::position(position.clone()))?;
        assert_eq!(found, whole.ids(&Filter::position(position.clone()))?);
        if is_removal {
            archive.remover(&of_ids([2, 440]))?.commit(&mut ())?;
        } else {
            assert_eq!(archive.compact(&mut ())?.files_before, 2);
        }
        let archive = Archive::open(&path)?;
        assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
        let left = found.iter().filter(|id| !is_removal || ![2, 440].contains(id));
        assert!(archive.ids(&Filter::position(position))?.iter().eq(left));
        let names = ["id", "plies", "signature"];
        let mut expected = table::sorted(&whole, &names)?;
        if is_removal {
            expected.retain(|row| !["2", "440"].contains(&row[0].as_deref().unwrap_or_default()));
        }
        assert!(table::sorted(&archive, &names)? == expected);
    }
    Ok(())
}

/// Days and years of a file of an earlier version are those of the tags.
#[test]
fn outdated_dates_are_those_of_the_tags() -> Outcome {
    let mut text = String::new();
    for tags in [
        "[Date \"1924.03.23\"]",
        "[Date \"1924.??.??\"]",
        "[Date \"????.??.??\"]\n[UTCDate \"2013.11.30\"]",
        "[EventDate \"1899.05.01\"]",
        "[Date \"23/03/1924\"]",
        "[Date \"1924-03-24\"]",
        "",
    ] {
        text += &format!("[White \"A\"]\n{tags}\n\n1. e4 e5 *\n\n");
    }
    let answers = |is_outdated: bool| -> Result<String, Box<dyn std::error::Error>> {
        let (_folder, path) = sound();
        let mut importer = Importer::open(&path)?;
        importer.read_pgn([Ok(std::io::Cursor::new(text.clone()))], &mut ())?;
        importer.commit()?;
        if is_outdated {
            outdate(&path);
        }
        let archive = Archive::open(&path)?;
        let mut options = SearchOptions::first(usize::MAX);
        options.sort = "-date".parse()?;
        let since = Filter { since: Some("1924-03".parse()?), ..Filter::default() };
        let listed = archive.search_with(&since, &options)?.games;
        let listed: Vec<i64> = listed.into_iter().map(|game| game.id).collect();
        let mut options = ExploreOptions::default();
        (options.details, options.games) = (true, 8);
        let explorer = archive.explore_with(&Filter::default(), Chess::default(), &options)?;
        let moves = explorer.moves.iter().map(|mv| mv.details.as_ref()?.last_played);
        let moves: Vec<_> = moves.collect();
        let recent: Vec<i64> = explorer.recent_games.iter().map(|game| game.game.id).collect();
        let decades = archive.stats(&Filter::default())?.decades;
        assert!(decades.contains_key(&Some(1890)) && decades.contains_key(&None));
        Ok(format!("{listed:?} {recent:?} {moves:?} {decades:?}"))
    };
    assert_eq!(answers(true)?, answers(false)?);
    Ok(())
}

#[test]
fn columns_of_a_later_version() -> Outcome {
    for nullable in [true, false] {
        let (_folder, path) = sound();
        let expected = answers(&Archive::open(&path)?);
        let mood =
            json!({ "name": "mood", "type": "string", "nullable": nullable, "metadata": {} });
        edit_log(&path, |fields| fields.push(mood.clone()), |_| ());
        let archive = Archive::open(&path)?;
        for ((question, expected), (_, answer)) in expected.into_iter().zip(answers(&archive)) {
            assert!(expected? == answer?, "{question}");
        }
        let refused = archive.compact(&mut ());
        assert!(matches!(&refused, Err(ArchiveError::UnknownColumn { .. })), "{refused:?}");
        for filter in [&of_ids([2]), &Filter::default()] {
            let refused = archive.remover(filter);
            assert!(matches!(&refused, Err(ArchiveError::UnknownColumn { .. })), "{refused:?}");
        }
        let mut importer = archive.importer();
        importer.push(&game(&Chess::default(), "e4"), None)?;
        let imported = importer.commit();
        if nullable {
            assert_eq!(imported?.first_id, archive.len() as i64 + 1);
        } else {
            let refused = imported.expect_err("a game without a mood");
            assert!(refused.to_string().contains("the column mood"), "{refused}");
            assert!(Importer::open(&path).is_err());
        }
    }
    Ok(())
}

/// The column comes between the search and the removal.
#[test]
fn a_column_that_comes_before_a_removal() -> Outcome {
    let (_folder, path) = sound();
    edit_log(&path, |_| (), |_| ());
    let archive = Archive::open(&path)?;
    let remover = archive.remover(&of_ids([2]))?;
    let entry = fs::read_to_string(path.join("_delta_log/00000000000000000000.json"))?;
    let line = entry.lines().find(|line| line.contains("metaData")).expect("metadata");
    let mut action: Value = serde_json::from_str(line)?;
    let schema = action["metaData"]["schemaString"].as_str().expect("a schema");
    let mut schema: Value = serde_json::from_str(schema)?;
    let mood = json!({ "name": "mood", "type": "string", "nullable": true, "metadata": {} });
    schema["fields"].as_array_mut().expect("fields").push(mood);
    action["metaData"]["schemaString"] = schema.to_string().into();
    let next = path.join(format!("_delta_log/{:020}.json", archive.version() + 1));
    fs::write(
        next,
        format!("{}\n{action}\n", json!({ "commitInfo": { "operation": "ADD COLUMNS" } })),
    )?;
    let refused = remover.commit(&mut ());
    assert!(matches!(&refused, Err(ArchiveError::UnknownColumn { .. })), "{refused:?}");
    assert_eq!(Archive::open(&path)?.len(), archive.len());
    Ok(())
}

#[test]
fn a_later_format_is_refused() -> Outcome {
    let (_folder, path) = sound();
    edit_log(
        &path,
        |_| (),
        |properties| {
            properties.insert("halfmove.format".to_owned(), "2".into());
        },
    );
    let refused = Archive::open(&path).expect_err("another format");
    assert!(
        matches!(&refused, ArchiveError::Format { found, known: "1", .. } if found == "2"),
        "{refused:?}"
    );
    Ok(())
}

#[test]
fn flaws_that_cannot_be_forgiven() -> Outcome {
    let (_folder, path) = sound();
    edit_log(&path, |fields| fields.retain(|field| field["name"] != "result"), |_| ());
    let refused = Archive::open(&path).expect_err("no results");
    assert!(refused.to_string().contains("the table has no column result"), "{refused}");

    let (_folder, path) = sound();
    edit_log(
        &path,
        |fields| {
            let year = fields.iter_mut().find(|field| field["name"] == "year");
            year.expect("a year")["type"] = "string".into();
        },
        |_| (),
    );
    let refused = Archive::open(&path).expect_err("years as text");
    assert!(refused.to_string().contains("the column year of the table is of type"), "{refused}");

    let (_folder, path) = without(&["tag_order"]);
    edit_log(
        &path,
        |fields| {
            fields.push(json!({
                "name": "tag_order", "type": "string", "nullable": false, "metadata": {}
            }));
        },
        |_| (),
    );
    let refused = Archive::open(&path)?.game(1).expect_err("no tags");
    assert!(refused.to_string().contains("the file has no column tag_order"), "{refused}");
    Ok(())
}
