//! A table from its first entry to a checkpoint, and logs of other writers and of a bad disk.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Int64Array, RecordBatch};
use delta_kernel::committer::{CommitMetadata, CommitResponse, Committer, PublishMetadata};
use delta_kernel::engine_data::FilteredRowVisitor;
use delta_kernel::expressions::ColumnName;
use delta_kernel::scan::StatsOptions;
use delta_kernel::schema::{DataType, StructField, StructType};
use delta_kernel::transaction::create_table::create_table;
use delta_kernel::transaction::{CommitResult, UpdateTableOperation};
use delta_kernel::{
    Engine, FileMeta, FilteredEngineData, KernelError, KernelResult, KernelResultIterator,
    Snapshot, SnapshotRef,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value as Json, json};
use url::Url;

use super::{
    FileStatistics, Named, ScanFile, ScanFiles, add_file, folder_engine, objects, record_batch,
};

type Tested = Result<(), Box<dyn Error>>;

/// Writes an entry unchanged.
struct Plain;

impl Committer for Plain {
    fn commit(
        &self,
        engine: &dyn Engine,
        actions: KernelResultIterator<'_, FilteredEngineData>,
        metadata: CommitMetadata,
    ) -> KernelResult<CommitResponse> {
        let location = metadata.published_commit_path()?;
        let path = super::path_of(&location)?;
        fs::create_dir_all(path.parent().ok_or_else(|| KernelError::generic("no folder"))?)?;
        let size = engine.json_handler().write_json_file(&location, actions, false)?;
        let file_meta = FileMeta::new(location, metadata.in_commit_timestamp(), size);
        Ok(CommitResponse::Committed { file_meta })
    }

    fn is_catalog_committer(&self) -> bool {
        false
    }

    fn publish(&self, _: &dyn Engine, _: PublishMetadata) -> KernelResult<()> {
        Ok(())
    }
}

fn url(folder: &Path) -> Url {
    Url::from_directory_path(folder).expect("an absolute path")
}

fn open(folder: &Path) -> KernelResult<SnapshotRef> {
    Snapshot::builder_for(url(folder).as_str()).build(&*folder_engine())
}

/// The row of a file in a scan.
#[derive(Debug, PartialEq)]
struct Found {
    path: String,
    size: Option<i64>,
    rows: Option<i64>,
    first_id: Option<i64>,
    last_id: Option<i64>,
    tags: [Option<String>; 2],
}

fn files(folder: &Path) -> KernelResult<Vec<Found>> {
    let engine = folder_engine();
    let statistics = StatsOptions::struct_columns(vec![ColumnName::new(["id"])]);
    let scan = open(folder)?.scan_builder().with_stats(statistics).build()?;
    let mut found = Vec::new();
    for metadata in scan.scan_metadata(&*engine)? {
        let mut files = ScanFiles(|file: ScanFile<'_>| {
            found.push(Found {
                path: file.path.to_owned(),
                size: file.size,
                rows: file.rows,
                first_id: file.first_id,
                last_id: file.last_id,
                tags: ["a", "n"].map(|name| file.tag(name).map(str::to_owned)),
            });
        });
        files.visit_rows_of(&metadata?.scan_files)?;
    }
    found.sort_by_key(|file| file.first_id);
    Ok(found)
}

fn entry(folder: &Path, version: u64) -> std::path::PathBuf {
    folder.join(format!("_delta_log/{version:020}.json"))
}

/// The actions of an entry, by their names.
fn actions(folder: &Path, version: u64) -> Result<Vec<Map<String, Json>>, Box<dyn Error>> {
    let text = fs::read_to_string(entry(folder, version))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn action(folder: &Path, version: u64, name: &str) -> Result<Json, Box<dyn Error>> {
    let found = actions(folder, version)?.into_iter().find_map(|mut action| action.remove(name));
    Ok(found.ok_or(format!("no {name}"))?)
}

fn create(folder: &Path) -> Tested {
    let schema = StructType::try_new([
        StructField::not_null("id", DataType::LONG),
        StructField::nullable("date", DataType::DATE),
        StructField::nullable("moves", DataType::BINARY),
    ])?;
    let engine = folder_engine();
    let table = create_table(url(folder).as_str(), Arc::new(schema), "test", true)
        .with_table_properties([("delta.dataSkippingStatsColumns", "id,date"), ("ours", "1")])
        .build(&*engine, Box::new(Plain))?;
    assert!(matches!(table.commit(&*engine)?, CommitResult::Committed(_)));
    Ok(())
}

fn statistics(first_id: i64) -> KernelResult<FileStatistics> {
    let mut statistics = FileStatistics::default();
    for (first, dates) in [(first_id, [Some(-36524), None]), (first_id + 2, [Some(10957), None])] {
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![first, first + 1]));
        let dates: ArrayRef = Arc::new(Date32Array::from(dates.to_vec()));
        let batch = RecordBatch::try_from_iter([("id", ids), ("date", dates)]);
        statistics.merge(&batch.map_err(KernelError::generic)?)?;
    }
    Ok(statistics)
}

/// Adds a file with four ids, and removes others.
fn change(folder: &Path, add: Option<(&str, i64)>, remove: &[&str]) -> Tested {
    let engine = folder_engine();
    let snapshot = open(folder)?;
    let update = snapshot.clone().update_table(UpdateTableOperation::Write, "test", true);
    let transaction = update.build(&*engine, Box::new(Plain))?;
    let mut transaction = transaction.with_transaction_id("last".to_owned(), 9);
    let names: HashSet<&str> = remove.iter().copied().collect();
    for metadata in snapshot.scan_builder().build()?.scan_metadata(&*engine)? {
        let files = metadata?.scan_files;
        let mut named = Named::new(&names);
        named.visit_rows_of(&files)?;
        if named.selected.contains(&true) {
            let (data, _) = files.into_parts();
            transaction.remove_files(FilteredEngineData::try_new(data, named.selected)?);
        }
    }
    if let Some((name, first_id)) = add {
        let context = transaction.write_state()?.write_context_builder().build()?;
        let location = Url::from_file_path(folder.join(name)).map_err(|()| "not absolute")?;
        let path = context.resolve_file_path(&location)?;
        transaction.add_files(add_file(&path, 77, 1_700_000_000_000, &statistics(first_id)?)?);
    }
    assert!(matches!(transaction.commit(&*engine)?, CommitResult::Committed(_)));
    Ok(())
}

/// A table of five versions with two files.
fn make(folder: &Path) -> Tested {
    create(folder)?;
    change(folder, Some(("a.parquet", 1)), &[])?;
    change(folder, Some(("b.parquet", 5)), &[])?;
    change(folder, Some(("c d.parquet", 1)), &["a.parquet"])
}

fn write_checkpoint(folder: &Path, compression: Compression) -> Tested {
    let engine = folder_engine();
    let snapshot = open(folder)?;
    let version = snapshot.version();
    let mut writer = None;
    for batch in snapshot.create_checkpoint_writer(&*engine)?.checkpoint_data(&*engine)? {
        let batch = record_batch(&*batch?.apply_selection_vector()?)?;
        let writer = match &mut writer {
            Some(writer) => writer,
            none => {
                let path = folder.join(format!("_delta_log/{version:020}.checkpoint.parquet"));
                let options = WriterProperties::builder().set_compression(compression).build();
                let file = fs::File::create(path)?;
                none.insert(ArrowWriter::try_new(file, batch.schema(), Some(options))?)
            }
        };
        writer.write(&batch)?;
    }
    writer.ok_or("nothing to write")?.close()?;
    let last = json!({ "version": version, "size": 5 }).to_string();
    Ok(fs::write(folder.join("_delta_log/_last_checkpoint"), last)?)
}

#[test]
fn entries_record_added_and_removed_games() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    assert_eq!(
        action(folder.path(), 1, "add")?.to_string(),
        r#"{"path":"a.parquet","partitionValues":{},"size":77,"modificationTime":1700000000000,"dataChange":true,"stats":"{\"numRecords\":4,\"nullCount\":{\"id\":0,\"date\":2},\"minValues\":{\"id\":1,\"date\":\"1870-01-01\"},\"maxValues\":{\"id\":4,\"date\":\"2000-01-01\"},\"tightBounds\":true}"}"#
    );
    let mut remove = action(folder.path(), 3, "remove")?;
    remove["deletionTimestamp"].take();
    assert_eq!(
        remove.to_string(),
        r#"{"path":"a.parquet","deletionTimestamp":null,"dataChange":true,"extendedFileMetadata":true,"partitionValues":{},"size":77,"stats":"{\"numRecords\":4,\"nullCount\":{\"id\":0,\"date\":2},\"minValues\":{\"id\":1,\"date\":\"1870-01-01\"},\"maxValues\":{\"id\":4,\"date\":\"2000-01-01\"},\"tightBounds\":true}"}"#
    );
    let metadata = action(folder.path(), 0, "metaData")?;
    assert_eq!(metadata["configuration"]["ours"], "1");
    assert_eq!(metadata["partitionColumns"], json!([]));
    assert!(metadata.get("name").is_none(), "nulls are left out: {metadata}");
    let found = files(folder.path())?;
    let expected = [("c%20d.parquet", 1, 4), ("b.parquet", 5, 8)];
    let found = found.iter().map(|file| {
        assert_eq!((file.size, file.rows), (Some(77), Some(4)));
        (file.path.as_str(), file.first_id, file.last_id)
    });
    let expected = expected.map(|(path, first, last)| (path, Some(first), Some(last)));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    Ok(())
}

#[test]
fn folders_may_have_any_name() -> Tested {
    let folder = tempfile::tempdir()?;
    for name in ["a b", "que?", "ha#sh", "ü", "[x] *", "a:b", "100%"] {
        let folder = folder.path().join(name);
        fs::create_dir(&folder)?;
        make(&folder)?;
        assert_eq!(files(&folder)?.len(), 2, "{name}");
    }
    Ok(())
}

#[test]
fn a_checkpoint_stands_for_the_entries_before_it() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    let before = files(folder.path())?;
    let old = open(folder.path())?;
    write_checkpoint(folder.path(), Compression::UNCOMPRESSED)?;
    for version in 0..=3 {
        fs::remove_file(entry(folder.path(), version))?;
    }
    assert_eq!(files(folder.path())?, before);
    let snapshot = open(folder.path())?;
    assert_eq!(snapshot.get_app_id_version("last", &*folder_engine())?, Some(9));
    change(folder.path(), Some(("e.parquet", 9)), &[])?;
    let now = Snapshot::builder_from(old).build(&*folder_engine())?;
    assert_eq!(now.version(), 4);
    assert_eq!(files(folder.path())?.len(), 3);
    // Without a hint, the checkpoint is found.
    let last = folder.path().join("_delta_log/_last_checkpoint");
    fs::write(&last, "{")?;
    assert_eq!(files(folder.path())?.len(), 3);
    fs::write(&last, json!({ "version": 99, "size": 5 }).to_string())?;
    assert!(files(folder.path()).is_err());
    Ok(())
}

/// Spark and delta-rs write Snappy.
#[test]
fn checkpoints_may_be_compressed() -> Tested {
    for compression in [
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let folder = tempfile::tempdir()?;
        make(folder.path())?;
        write_checkpoint(folder.path(), compression)?;
        for version in 0..=3 {
            fs::remove_file(entry(folder.path(), version))?;
        }
        assert_eq!(files(folder.path())?.len(), 2, "{compression:?}");
    }
    Ok(())
}

/// The row of a file in a scan can be written into another entry, which adds it again.
#[test]
fn rows_are_written_as_objects() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    let engine = folder_engine();
    let scan = open(folder.path())?.scan_builder().build()?;
    let mut found = Vec::new();
    for metadata in scan.scan_metadata(&*engine)? {
        found.extend(objects(&*metadata?.scan_files.apply_selection_vector()?)?);
    }
    let object = found.iter().find(|object| object["path"] == "b.parquet").ok_or("no file")?;
    let names: Vec<_> = object.keys().map(String::as_str).collect();
    assert_eq!(names, ["path", "size", "modificationTime", "stats", "fileConstantValues"]);
    assert_eq!(object["fileConstantValues"], json!({ "partitionValues": {} }));
    Ok(())
}

/// Other writers have blank lines, CRLF line ends, unknown fields and actions, 77.0, and numbers in maps of text.
#[test]
fn entries_of_other_writers_are_read() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    let path = entry(folder.path(), 2);
    let mut text = String::from("\r\n");
    for mut action in actions(folder.path(), 2)? {
        if let Some(Json::Object(add)) = action.get_mut("add") {
            add.insert("size".to_owned(), json!(77.0));
            add.insert("tags".to_owned(), json!({ "a": "b", "n": 5, "t": true, "none": null }));
            add.insert("unknown".to_owned(), json!({ "deep": [1, { "x": null }] }));
            add.insert("deletionVector".to_owned(), Json::Null);
        }
        text += &format!("{}\r\n\r\n", Json::Object(action));
    }
    fs::write(path, text + r#"{"new":{"a":1}}"#)?;
    let found = files(folder.path())?;
    let file = found.iter().find(|file| file.path == "b.parquet").ok_or("no file")?;
    assert_eq!((file.size, file.rows, file.last_id), (Some(77), Some(4), Some(8)));
    assert_eq!(file.tags, ["b", "5"].map(|tag| Some(tag.to_owned())));
    Ok(())
}

/// Statistics that cannot be parsed are unknown; the file is there.
#[test]
fn statistics_that_cannot_be_read_are_unknown() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    for (stats, rows) in [
        (r#"{"numRecords":4,"minValues":{"id":5,"date":"no date"}}"#, Some(4)),
        (r#"{"numRecords":"x"}"#, None),
        (r#"{"numRecords":4"#, None),
        ("[4]", None),
        ("", None),
    ] {
        let mut text = String::new();
        for mut action in actions(folder.path(), 2)? {
            if let Some(Json::Object(add)) = action.get_mut("add") {
                add.insert("stats".to_owned(), stats.into());
            }
            text += &format!("{}\n", Json::Object(action));
        }
        fs::write(entry(folder.path(), 2), text)?;
        let found = files(folder.path())?;
        let file = found.iter().find(|file| file.path == "b.parquet").ok_or("no file")?;
        assert_eq!(file.rows, rows, "{stats}");
    }
    Ok(())
}

/// Damage is an error, and never a panic or an endless wait.
#[test]
fn damage_is_an_error() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    let path = entry(folder.path(), 2);
    let text = fs::read_to_string(&path)?;
    for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
        fs::write(&path, &text[..end])?;
        let whole = text[..end].lines().all(|line| serde_json::from_str::<Json>(line).is_ok());
        assert_eq!(files(folder.path()).is_ok(), whole, "{}", &text[..end]);
    }
    for line in ["5", "[]", "\"add\"", r#"{"add":5}"#, r#"{"add":{}}"#, r#"{"add":{"path":null}}"#]
    {
        fs::write(&path, line)?;
        assert!(files(folder.path()).is_err(), "{line}");
    }
    for size in ["\"x\"", "1.5", "1e99", "[]", "{}", "true", "null"] {
        fs::write(&path, text.replace("\"size\":77", &format!("\"size\":{size}")))?;
        assert!(files(folder.path()).is_err(), "{size}");
    }
    fs::write(&path, [0xff, 0xfe])?;
    assert!(files(folder.path()).is_err());
    fs::remove_file(&path)?;
    assert!(open(folder.path()).is_err(), "a version is missing");
    fs::create_dir(&path)?;
    assert!(files(folder.path()).is_err());
    Ok(())
}

#[test]
fn damage_of_a_checkpoint_is_an_error() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    write_checkpoint(folder.path(), Compression::UNCOMPRESSED)?;
    let path = folder.path().join(format!("_delta_log/{:020}.checkpoint.parquet", 3));
    let bytes = fs::read(&path)?;
    for end in [0, 1, 4, 100, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        fs::write(&path, &bytes[..end])?;
        assert!(files(folder.path()).is_err(), "{end} of {} bytes", bytes.len());
    }
    for at in (0..bytes.len()).step_by(97) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        fs::write(&path, &bytes)?;
        // The Parquet reader panics at some damage; opening an archive catches that.
        if let Ok(Ok(files)) = std::panic::catch_unwind(|| files(folder.path())) {
            assert!(files.len() <= 5);
        }
    }
    fs::remove_file(&path)?;
    fs::create_dir(&path)?;
    assert!(files(folder.path()).is_err());
    fs::remove_file(folder.path().join("_delta_log/_last_checkpoint"))?;
    // Without a checkpoint, the entries are read.
    assert_eq!(files(folder.path())?.len(), 2);
    Ok(())
}

/// Reading a pipe would block.
#[cfg(unix)]
#[test]
fn only_files_are_read() -> Tested {
    let folder = tempfile::tempdir()?;
    make(folder.path())?;
    fs::remove_file(entry(folder.path(), 3))?;
    std::os::unix::net::UnixListener::bind(entry(folder.path(), 3))?;
    assert_eq!(open(folder.path())?.version(), 2);
    let url = Url::from_file_path(entry(folder.path(), 3)).map_err(|()| "not absolute")?;
    let read = folder_engine().storage_handler().read_files(vec![(url, None)])?.next();
    assert!(read.is_some_and(|read| read.is_err()));
    Ok(())
}

#[test]
fn folders_are_listed_in_the_order_of_paths() -> Tested {
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("b"))?;
    for name in ["b/1", "b-", "a", "b0", "c#"] {
        fs::write(folder.path().join(name), name)?;
    }
    let storage = folder_engine().storage_handler();
    let list = |url: Url| -> KernelResult<Vec<String>> {
        let files = storage.list_from(&url)?.map(|file| {
            let path = super::path_of(&file?.location)?;
            let name = path.strip_prefix(folder.path()).map_err(KernelError::generic)?;
            Ok(name.to_string_lossy().into_owned())
        });
        files.collect()
    };
    assert_eq!(list(url(folder.path()))?, ["a", "b-", "b/1", "b0", "c#"]);
    assert_eq!(list(url(folder.path()).join("b-")?)?, ["b/1", "b0", "c#"]);
    assert_eq!(list(url(folder.path()).join("none/")?)?, [""; 0]);
    Ok(())
}
