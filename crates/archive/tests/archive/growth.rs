//! Archives of an earlier version, with fewer columns, and of a later one, with more.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::parquet::file::properties::WriterProperties;
use futures::TryStreamExt;
use halfmove_archive::{Archive, ArchiveError, Filter, Importer};
use halfmove_rules::Chess;
use serde_json::{Value, json};

use crate::damage::{answers, files, problems, sound};
use crate::{Outcome, game, import, wait, without_checksum};

/// Changes the columns of the table, and each file that is added, in all entries of the log.
fn edit_log(
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
fn without(missing: &[&str]) -> (tempfile::TempDir, PathBuf) {
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
        let batches: Vec<_> =
            reader.build().expect("a reader").map(|batch| batch.expect("a batch")).collect();
        let properties =
            WriterProperties::builder().set_key_value_metadata(Some(properties)).build();
        let schema: Arc<Schema> = Arc::new(schema.project(&left).expect("columns"));
        let file = File::create(&file).expect("a file");
        let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).expect("a writer");
        for batch in batches {
            writer.write(&batch.project(&left).expect("columns")).expect("written");
        }
        writer.close().expect("written");
    }
    let is_missing = |field: &Value| missing.iter().any(|name| field["name"] == *name);
    edit_log(
        &path,
        |fields| fields.retain(|field| !is_missing(field)),
        |properties| {
            missing.iter().for_each(|name| {
                properties.remove(&format!("halfmove.derived.{name}"));
            });
        },
    );
    (folder, path)
}

/// A number that a query answers.
fn number(archive: &Archive, query: &str) -> i64 {
    wait(async {
        let mut answer = archive.sql(query).await.expect("a query");
        let batch = answer.try_next().await.expect("an answer").expect("a row");
        batch.cells().expect("cells")[0][0].as_deref().expect("a value").parse().expect("a number")
    })
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
        // What depends on the columns, and on the bytes of the files.
        if !matches!(question, "all columns" | "numbers" | "all games" | "a game") {
            assert_eq!(expected?, answer?, "{question}");
        }
    }
    for column in MISSING {
        assert_eq!(number(&archive, &format!("SELECT count({column}) FROM games")), 0);
    }
    let all = archive.len() as i64;
    assert_eq!(number(&archive, "SELECT count(*) FROM games WHERE source IS NULL"), all);
    // An import adds the columns to the table.
    let report = import(&archive, &[(game(&Chess::default(), "e4 e5"), None)]);
    assert_eq!(report.first_id, all + 1);
    let archive = Archive::open(&path)?;
    assert_eq!(number(&archive, "SELECT count(signature) FROM games"), 1);
    assert_eq!(number(&archive, "SELECT count(*) FROM games"), all + 1);
    let entry = path.join(format!("_delta_log/{:020}.json", archive.version()));
    let entry = fs::read_to_string(entry)?;
    assert!(entry.contains("metaData") && entry.contains("\\\"source\\\""), "{entry}");
    assert!(entry.contains("\"halfmove.derived.signature\":\"0\""), "{entry}");
    assert_eq!(problems(&archive.verify(&mut ())?), [""; 0]);
    // The next one has nothing to add.
    import(&archive, &[(game(&Chess::default(), "e4 e5"), None)]);
    let entry = path.join(format!("_delta_log/{:020}.json", archive.version() + 1));
    assert!(!fs::read_to_string(entry)?.contains("metaData"));
    Ok(())
}

#[test]
fn an_upgrade_computes_what_is_missing() -> Outcome {
    let (_folder, path) = without(MISSING);
    import(&Archive::open(&path)?, &[(game(&Chess::default(), "e4 e5"), None)]);
    let before = Archive::open(&path)?;
    let report = before.upgrade(&mut ())?;
    assert_eq!((report.from, report.to), ("1", "1"));
    // Not that of the new import.
    assert_eq!((report.games, report.files), (before.len() - 1, 2));
    let after = Archive::open(&path)?;
    let all = after.len() as i64;
    assert_eq!(number(&after, "SELECT count(signature) FROM games"), all);
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    for ((question, before), (_, after)) in answers(&before).into_iter().zip(answers(&after)) {
        if !matches!(question, "all columns" | "numbers") {
            assert_eq!(before?, after?, "{question}");
        }
    }
    assert_eq!(after.upgrade(&mut ())?.files, 0);
    assert_eq!(Archive::open(&path)?.version(), after.version());
    Ok(())
}

#[test]
fn a_compaction_computes_what_is_missing() -> Outcome {
    let (_folder, path) = without(MISSING);
    let before = Archive::open(&path)?;
    assert_eq!(before.compact(&mut ())?.files_before, 2);
    let after = Archive::open(&path)?;
    assert_eq!(number(&after, "SELECT count(signature) FROM games"), after.len() as i64);
    assert_eq!(problems(&after.verify(&mut ())?), [""; 0]);
    assert_eq!(after.upgrade(&mut ())?.files, 0);
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
        let refused = [archive.compact(&mut ()).err(), archive.upgrade(&mut ()).err()];
        // Nothing has to be upgraded.
        assert!(
            matches!(&refused, [Some(ArchiveError::UnknownColumn { .. }), None]),
            "{refused:?}"
        );
        let some = Filter { condition: Some("id = 2".to_owned()), ..Filter::default() };
        for filter in [&some, &Filter::default()] {
            let refused = wait(archive.remover(filter));
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
    let some = Filter { condition: Some("id = 2".to_owned()), ..Filter::default() };
    let archive = Archive::open(&path)?;
    let remover = wait(archive.remover(&some))?;
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
fn what_no_game_can_be_without() -> Outcome {
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
    let refused = wait(Archive::open(&path)?.game(1)).expect_err("no tags");
    assert!(refused.to_string().contains("the file has no column tag_order"), "{refused}");
    Ok(())
}
