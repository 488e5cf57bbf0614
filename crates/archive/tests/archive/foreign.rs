//! Writes of other programs: deletion vectors and names of files in the log, and files with other Arrow types.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, DictionaryArray, LargeBinaryArray, LargeListArray,
    LargeStringArray, RecordBatch, StringViewArray, StructArray,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema};
use halfmove_archive::{Archive, ArchiveError, Filter};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use roaring::RoaringTreemap;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::changes::{archive_of, contents, games, sound};
use crate::damage::{answers, files, problems, sound as two_imports};
use crate::growth::edit_log;
use crate::{Outcome, exported, import, of_ids, table, without_checksum};

/// Base85 as in Z85, which Delta uses; the length is a multiple of four.
fn base85(bytes: &[u8]) -> String {
    const LETTERS: &[u8] =
        b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    let mut text = String::new();
    for four in bytes.chunks(4) {
        let number = four.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        for power in [85_u32.pow(4), 85_u32.pow(3), 85_u32.pow(2), 85, 1] {
            text.push(LETTERS[(number / power % 85) as usize] as char);
        }
    }
    text
}

/// A set of rows as Delta stores it.
fn bitmap(rows: &[u64]) -> Vec<u8> {
    let mut bytes = 1_681_511_377_u32.to_le_bytes().to_vec();
    let rows: RoaringTreemap = rows.iter().copied().collect();
    rows.serialize_into(&mut bytes).expect("written");
    bytes
}

/// A deletion vector in the log itself.
fn inline(rows: &[u64]) -> Value {
    let mut bytes = bitmap(rows);
    let length = bytes.len();
    bytes.resize(length.next_multiple_of(4), 0);
    json!({ "storageType": "i", "pathOrInlineDv": base85(&bytes), "sizeInBytes": length, "cardinality": rows.len() })
}

/// A deletion vector in a file.
pub(crate) fn in_file(archive: &Path, rows: &[u64]) -> Value {
    let (id, bytes) = (Uuid::new_v4(), bitmap(rows));
    let mut file = vec![1];
    file.extend((bytes.len() as u32).to_be_bytes());
    file.extend(&bytes);
    file.extend(crc32fast::hash(&bytes).to_be_bytes());
    fs::write(archive.join(format!("deletion_vector_{id}.bin")), file).expect("written");
    json!({ "storageType": "u", "pathOrInlineDv": base85(id.as_bytes()), "offset": 1, "sizeInBytes": bytes.len(), "cardinality": rows.len() })
}

fn entry(archive: &Path, version: u64) -> std::path::PathBuf {
    archive.join(format!("_delta_log/{version:020}.json"))
}

/// The action that added the file of an import.
pub(crate) fn added(archive: &Path, version: u64) -> Value {
    let text = fs::read_to_string(entry(archive, version)).expect("an entry");
    let actions = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut adds = actions.filter_map(|mut action| action.get_mut("add").map(Value::take));
    adds.next().expect("a file")
}

/// Writes the next entry, which deletes rows of files, as another program does.
pub(crate) fn delete(archive: &Archive, vectors: &[(Value, Value)]) -> Archive {
    let mut lines = vec![
        json!({ "commitInfo": { "timestamp": 1_700_000_000_000_i64, "operation": "DELETE", "engineInfo": "Other/7" } }),
        json!({ "protocol": {
            "minReaderVersion": 3, "minWriterVersion": 7,
            "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors", "invariants"],
        } }),
    ];
    for (add, vector) in vectors {
        let mut remove = json!({ "path": add["path"], "deletionTimestamp": 1_700_000_000_000_i64, "dataChange": true });
        if let Some(old) = add.get("deletionVector") {
            remove["deletionVector"] = old.clone();
        }
        let mut add = add.clone();
        add["deletionVector"] = vector.clone();
        lines.push(json!({ "remove": remove }));
        lines.push(json!({ "add": add }));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(entry(archive.path(), archive.version() + 1), text).expect("written");
    archive.refresh().expect("an archive")
}

#[test]
fn deleted_rows_are_gone() -> Outcome {
    let (_folder, archive) = archive_of(&[12, 7, 3]);
    let path = archive.path().to_owned();
    let before = contents(&archive);
    let (first, second, third) = (added(&path, 1), added(&path, 2), added(&path, 3));
    // Games 1, 3 and 12; 15; and all of the last file.
    let deleted = delete(
        &archive,
        &[
            (first, inline(&[0, 2, 11])),
            (second, in_file(&path, &[2])),
            (third, inline(&[0, 1, 2])),
        ],
    );
    let expected: Vec<_> =
        before.iter().filter(|(id, _)| ![1, 3, 12, 15, 20, 21, 22].contains(id)).cloned().collect();
    assert_eq!(contents(&deleted), expected);
    // The old archive value is unchanged, and so is an older version opened again.
    assert_eq!(contents(&archive), before);
    let archive = sound(&archive);
    assert_eq!(contents(&archive), expected);
    let history = archive.history()?;
    assert_eq!(
        (history[4].what.as_str(), history[4].games_removed, history[4].games),
        ("DELETE", 7, 15)
    );

    // Games can be added and removed; the files of the others stay unchanged.
    assert_eq!(import(&archive, &games(4, 1)).first_id, 23);
    let archive = sound(&archive);
    let remover = archive.remover(&of_ids([2, 3, 21]))?;
    assert_eq!(remover.games(), 1, "3 and 21 are gone already");
    let report = remover.commit(&mut ())?;
    assert_eq!((report.files_removed, report.files_added), (1, 1));
    let archive = sound(&archive);
    let mut left: Vec<_> = expected.iter().filter(|(id, _)| *id != 2).cloned().collect();
    left.push((23, "4.0".to_owned()));
    assert_eq!(contents(&archive), left);
    // Back before the import, and before the deletion.
    archive.undo(Some(4), &mut ())?;
    let archive = sound(&archive);
    assert_eq!(contents(&archive), expected);
    archive.undo(Some(3), &mut ())?;
    let archive = sound(&archive);
    assert_eq!(contents(&archive), before);
    archive.undo(None, &mut ())?;
    assert_eq!(contents(&sound(&archive)), expected);
    Ok(())
}

/// Deleted rows of a file in the order of its moves are gone as well, also from exports, which sort by id.
#[test]
fn deleted_rows_of_compacted_files_are_gone() -> Outcome {
    let (_folder, archive) = archive_of(&[40, 20]);
    let before = contents(&archive);
    archive.compact(&mut ())?;
    let archive = sound(&archive);
    assert_eq!(contents(&archive), before);
    let add = added(archive.path(), archive.version());
    let vector = inline(&[0, 1, 2, 7, 20, 21, 22, 23, 50, 59]);
    let archive = sound(&delete(&archive, &[(add, vector)]));
    assert_eq!(contents(&archive).len(), 50);
    // Few of many games, which are read one by one, and most of them.
    for filter in [of_ids([3, 6, 9, 30]), of_ids(1..=60), Filter::default()] {
        let exported = exported(&archive, &filter)?;
        let found = archive.search(&filter, usize::MAX)?.games;
        assert_eq!(exported, found.iter().map(|game| game.id).collect::<Vec<_>>());
    }
    Ok(())
}

/// Row groups of many games.
#[test]
fn deleted_rows_of_many_games() -> Outcome {
    let (_folder, archive) = archive_of(&[40_000]);
    let path = archive.path().to_owned();
    // All of the second row group, the last row of the first, and every hundredth.
    let mut rows: Vec<u64> = (16_383..32_768).chain((0..40_000).step_by(100)).collect();
    rows.sort_unstable();
    rows.dedup();
    let archive = delete(&archive, &[(added(&path, 1), in_file(&path, &rows))]);
    let expected = 40_000 - rows.len() as u64;
    assert_eq!(archive.len(), expected);
    let filter = Filter { min_plies: Some(1), ..Filter::default() };
    let left: Vec<u64> = (1..=40_000).filter(|id| rows.binary_search(&(id - 1)).is_err()).collect();
    assert!(archive.ids(&filter)?.iter().eq(left.iter().copied()));
    let scanned = table::sorted(&archive, &["id"])?.into_iter().flatten().flatten();
    assert!(scanned.eq(left.iter().map(u64::to_string)));
    let verified = Archive::open(&path)?.verify(&mut ())?;
    assert_eq!((verified.problems.as_slice(), verified.games), (&[][..], expected));
    // After a rewrite they are gone from disk, too.
    archive.remover(&of_ids([2]))?.commit(&mut ())?;
    let archive = sound(&archive);
    assert_eq!(archive.len(), expected - 1);
    assert!(
        fs::read_to_string(entry(&path, 3))?
            .contains(&format!("\\\"numRecords\\\":{}", expected - 1))
    );
    Ok(())
}

#[test]
fn vectors_that_cannot_be_right() -> Outcome {
    for (vector, why) in [
        (
            json!({ "storageType": "p", "pathOrInlineDv": "file:///etc/passwd", "offset": 1, "sizeInBytes": 40, "cardinality": 1 }),
            "it is not in the archive",
        ),
        (
            json!({ "storageType": "u", "pathOrInlineDv": "../../vBn[lx{q8@P<9BNH/isA", "offset": 1, "sizeInBytes": 40, "cardinality": 1 }),
            "it is not in the archive",
        ),
        (
            json!({ "storageType": "i", "pathOrInlineDv": "00000", "sizeInBytes": 4, "cardinality": 1 }),
            "Invalid magic",
        ),
        (
            json!({ "storageType": "u", "pathOrInlineDv": "vBn[lx{q8@P<9BNH/isA", "offset": 1, "sizeInBytes": 40, "cardinality": 1 }),
            "the deletion vector of the file",
        ),
        (
            {
                let mut wrong = inline(&[1, 2]);
                wrong["cardinality"] = 3.into();
                wrong
            },
            "its number of rows is not",
        ),
    ] {
        let (_folder, archive) = archive_of(&[12]);
        let add = added(archive.path(), 1);
        let mut lines = String::new();
        for line in [
            json!({ "commitInfo": { "operation": "DELETE" } }),
            json!({ "protocol": {
                "minReaderVersion": 3, "minWriterVersion": 7,
                "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors", "invariants"],
            } }),
            json!({ "remove": { "path": add["path"], "dataChange": true } }),
        ] {
            lines.push_str(&format!("{line}\n"));
        }
        let mut add = add;
        add["deletionVector"] = vector.clone();
        lines.push_str(&format!("{}\n", json!({ "add": add })));
        fs::write(entry(archive.path(), 2), lines)?;
        match Archive::open(archive.path()) {
            Err(ArchiveError::Damaged(what)) => assert!(what.contains(why), "{what}"),
            other => panic!("{vector}: {other:?}"),
        }
    }
    Ok(())
}

/// The log decides which files are read: not those outside the archive.
#[test]
fn names_that_leave_the_folder_are_refused() -> Outcome {
    let (folder, archive) = archive_of(&[5]);
    let add = added(archive.path(), 1);
    let name = add["path"].as_str().expect("a name");
    let text = without_checksum(&fs::read_to_string(entry(archive.path(), 1))?);
    // The file exists, so only its name can be the reason.
    fs::copy(archive.path().join(name), folder.path().join(name))?;
    let outside = fs::canonicalize(folder.path())?.join(name);
    let outside = outside.to_str().expect("text");
    let inside = fs::canonicalize(archive.path())?.join(name);
    let inside = inside.to_str().expect("text");
    for bad in [
        format!("../{name}"),
        format!("x/../../{name}"),
        format!("%2e%2e/{name}"),
        format!("..%2f{name}"),
        format!("%2E%2E%2F{name}"),
        format!("./../{name}"),
        outside.to_owned(),
        format!("file://{outside}"),
        format!("file://{inside}"),
        format!("file:{name}"),
        format!("http://example.org/{name}"),
        format!("s3://bucket/{name}"),
        format!("//host/{name}"),
        format!("{name}?x"),
        format!("{name}#x"),
        format!("%00{name}"),
        ".".to_owned(),
        String::new(),
    ] {
        fs::write(entry(archive.path(), 1), text.replace(name, &bad))?;
        match Archive::open(archive.path()) {
            Err(ArchiveError::Damaged(what)) => {
                assert!(what.contains("which is not in the archive"), "{bad}: {what}");
            }
            other => panic!("{bad}: {other:?}"),
        }
    }
    // Folders in the archive are allowed, and so are encoded letters.
    let below = archive.path().join("a b");
    fs::create_dir(&below)?;
    fs::rename(archive.path().join(name), below.join(name))?;
    for good in [format!("a%20b/{name}"), format!("./x/../a%20b/{name}")] {
        fs::write(entry(archive.path(), 1), text.replace(name, &good))?;
        assert_eq!(contents(&Archive::open(archive.path())?).len(), 5, "{good}");
    }
    Ok(())
}

/// A column as another Arrow type, which its file records: views, large ones, dictionaries.
fn in_another_type(number: usize, field: &Field, column: &ArrayRef) -> ArrayRef {
    match field.data_type() {
        DataType::Utf8 => {
            let texts = column.as_string::<i32>().iter();
            match number % 3 {
                0 => Arc::new(texts.collect::<StringViewArray>()),
                1 => Arc::new(texts.collect::<LargeStringArray>()),
                _ => Arc::new(texts.collect::<DictionaryArray<Int32Type>>()),
            }
        }
        DataType::Binary if field.name() == "clocks" => {
            Arc::new(column.as_binary::<i32>().iter().collect::<LargeBinaryArray>())
        }
        DataType::Binary => Arc::new(column.as_binary::<i32>().iter().collect::<BinaryViewArray>()),
        DataType::List(_) => {
            let tags = column.as_list::<i32>();
            let texts = tags.values().as_struct().columns().iter();
            let texts = texts.map(|texts| -> ArrayRef {
                Arc::new(texts.as_string::<i32>().iter().collect::<StringViewArray>())
            });
            let names = ["name", "value"].map(|name| Field::new(name, DataType::Utf8View, true));
            let values = StructArray::new(names.to_vec().into(), texts.collect(), None);
            let item = Field::new("item", values.data_type().clone(), true);
            let offsets = tags.offsets().iter().map(|offset| i64::from(*offset)).collect();
            let offsets = OffsetBuffer::new(ScalarBuffer::<i64>::from_iter::<Vec<i64>>(offsets));
            let nulls = tags.nulls().cloned();
            Arc::new(LargeListArray::new(Arc::new(item), offsets, Arc::new(values), nulls))
        }
        _ => Arc::clone(column),
    }
}

/// deltalake rewrites files in this way, without our properties.
#[test]
fn files_in_other_types() -> Outcome {
    let (_whole, whole) = two_imports();
    let (_folder, path) = two_imports();
    for file in files(&path, ".parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file)?)?.build()?;
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        let batches = batches.into_iter().map(|batch| {
            let schema = batch.schema();
            let columns = schema.fields().iter().enumerate().map(|(number, field)| {
                let column = in_another_type(number, field, batch.column(number));
                (Field::new(field.name(), column.data_type().clone(), true), column)
            });
            let (fields, columns): (Vec<Field>, _) = columns.unzip();
            RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        });
        let batches = batches.collect::<Result<Vec<_>, _>>()?;
        let schema = batches.first().expect("games").schema();
        let mut writer = ArrowWriter::try_new(File::create(&file)?, schema, None)?;
        batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.close()?;
    }
    edit_log(&path, |_| {}, |_| {});
    let same = |other: &Archive| {
        assert_eq!(problems(&other.verify(&mut ()).expect("verified")), [""; 0]);
        let expected = answers(&Archive::open(&whole).expect("an archive"));
        for ((question, expected), (_, answer)) in expected.into_iter().zip(answers(other)) {
            // The sizes of the files are others.
            if question != "numbers" {
                assert_eq!(expected.expect("an answer"), answer.expect("an answer"), "{question}");
            }
        }
    };
    let archive = Archive::open(&path)?;
    same(&archive);
    let version = archive.version();
    archive.compact(&mut ())?;
    same(&archive.refresh()?);
    archive.refresh()?.undo(Some(version), &mut ())?;
    same(&archive.refresh()?);
    let archive = archive.refresh()?;
    assert_eq!(archive.remover(&of_ids([5]))?.commit(&mut ())?.games, 1);
    let left = archive.refresh()?;
    assert_eq!(left.len(), archive.len() - 1);
    assert_eq!(problems(&left.verify(&mut ())?), [""; 0]);
    Ok(())
}
