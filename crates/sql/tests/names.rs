//! Columns that an archive has under their earlier names.

use std::collections::HashMap;
use std::fs::{self, File};
use std::sync::Arc;

use halfmove_archive::Archive;
use halfmove_archive::schema::EARLIER_NAMES;
use halfmove_sql::datafusion::arrow::array::RecordBatch;
use halfmove_sql::datafusion::arrow::datatypes::Schema;
use halfmove_sql::datafusion::parquet::arrow::ArrowWriter;
use halfmove_sql::datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use halfmove_sql::datafusion::parquet::file::properties::WriterProperties;
use serde_json::Value;

use crate::support::{Outcome, archive, ask, import, read};

/// Gives the columns of an archive their earlier names.
fn rename(archive: &Archive) -> Outcome {
    let earlier: HashMap<&str, &str> =
        EARLIER_NAMES.iter().map(|(old, new)| (*new, *old)).collect();
    let name_of = |name: &str| earlier.get(name).copied().unwrap_or(name).to_owned();
    let path = archive.path();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_none_or(|ending| ending != "parquet") {
            continue;
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file)?)?;
        let fields = reader.schema().fields().iter();
        let fields = fields.map(|field| field.as_ref().clone().with_name(name_of(field.name())));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let all = reader.metadata().file_metadata().key_value_metadata();
        let mut properties = all.cloned().unwrap_or_default();
        let is_of_bytes = |key: &str| {
            ["halfmove.pages.crc32", "halfmove.signature.bounds", "ARROW:schema"].contains(&key)
        };
        properties.retain(|property| !is_of_bytes(&property.key));
        for property in &mut properties {
            if let Some(name) = property.key.strip_prefix("halfmove.derived.") {
                property.key = format!("halfmove.derived.{}", name_of(name));
            }
        }
        let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
        let properties = WriterProperties::builder().set_key_value_metadata(Some(properties));
        let (file, properties) = (File::create(&file)?, properties.build());
        let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
        for batch in batches {
            writer.write(&RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec())?)?;
        }
        writer.close()?;
    }
    for version in 0..=archive.version() {
        let entry = path.join(format!("_delta_log/{version:020}.json"));
        let mut changed = String::new();
        for line in fs::read_to_string(&entry)?.lines() {
            let mut action: Value = serde_json::from_str(line)?;
            if let Some(info) = action.get_mut("commitInfo").and_then(Value::as_object_mut) {
                info.retain(|key, _| {
                    !["halfmove.checksum", "halfmove.entry.crc32"].contains(&key.as_str())
                });
            }
            if let Some(metadata) = action.get_mut("metaData") {
                let mut text = metadata.to_string();
                for (old, new) in EARLIER_NAMES {
                    text = text.replace(&format!("\\\"{new}\\\""), &format!("\\\"{old}\\\""));
                    text = text.replace(&format!("derived.{new}\""), &format!("derived.{old}\""));
                }
                *metadata = serde_json::from_str(&text)?;
            }
            if let Some(add) = action.get_mut("add").and_then(Value::as_object_mut) {
                let file = add["path"].as_str().ok_or("a path")?;
                add["size"] = fs::metadata(path.join(file))?.len().into();
                add.remove("tags");
            }
            changed += &format!("{action}\n");
        }
        fs::write(&entry, changed)?;
    }
    Ok(())
}

/// Queries read such columns under their present names: values, conditions, and files of both kinds together.
#[test]
fn earlier_names_are_read() -> Outcome {
    let games = read("games/lichess.pgn.zst", 300);
    let (_folder, first) = archive(&games[..200]);
    let queries = [
        "SELECT id, utc_timestamp, base_seconds, increment_seconds FROM games ORDER BY id",
        "SELECT id, speed FROM games WHERE base_seconds < 200 AND increment_seconds = 0 ORDER BY id",
        "SELECT base_seconds, count(*) FROM games GROUP BY 1 ORDER BY 1",
        "SELECT max(utc_timestamp), count(increment_seconds), count(source) FROM games",
        "SELECT id, ply, time_used FROM halfmoves WHERE time_used > 20 ORDER BY id, ply",
    ];
    let answers = |archive: &Archive| {
        let answers = queries.iter().map(|query| ask(archive, query));
        answers.collect::<Result<Vec<_>, _>>()
    };
    let whole = import(&first, &games[200..]);
    let (of_some, of_all) = (answers(&first)?, answers(&whole)?);
    assert!(of_some.iter().all(|rows| !rows.is_empty()) && of_some[0] != of_all[0]);
    assert!(of_some[0].iter().flatten().filter(|cell| *cell != "null").count() > 700);

    let (_folder, old) = archive(&games[..200]);
    rename(&old)?;
    let old = Archive::open(old.path())?;
    assert_eq!(answers(&old)?, of_some);
    assert!(ask(&old, "SELECT base FROM games").is_err());
    // The next file has the present names.
    let both = import(&old, &games[200..]);
    assert_eq!(answers(&both)?, of_all);
    Ok(())
}
