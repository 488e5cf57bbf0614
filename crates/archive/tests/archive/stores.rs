//! Archives in object stores have the same results as in folders; faults of a store are reported.

mod odd;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use halfmove_archive::object_store::memory::InMemory;
use halfmove_archive::object_store::path::Path as StorePath;
use halfmove_archive::object_store::{ObjectStore, ObjectStoreExt};
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, Filter, Importer};

use self::odd::{How, Odd};
use crate::Outcome;
use crate::changes::{archive_of, contents};
use crate::damage::{Answers, answers, files, pages, problems, sound};
use crate::foreign::{added, delete, in_file};

/// The location of archives in the stores of these tests, with characters that URLs encode.
const PREFIX: &str = "all games/club %41";

/// Copies a folder into a store.
async fn upload(folder: &Path, store: &dyn ObjectStore, prefix: &StorePath) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let at = prefix.clone().join(entry.file_name().to_str().expect("a text"));
        match entry.path().is_dir() {
            true => Box::pin(upload(&entry.path(), store, &at)).await,
            false => {
                let bytes = std::fs::read(entry.path()).expect("a file");
                store.put(&at, bytes.into()).await.expect("put");
            }
        }
    }
}

/// Waits for a store.
fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(future)
}

fn in_memory(folder: &Path) -> Arc<InMemory> {
    let store = Arc::new(InMemory::new());
    wait(upload(folder, store.as_ref(), &prefix()));
    store
}

fn prefix() -> StorePath {
    StorePath::parse(PREFIX).expect("a name")
}

fn open(store: &Arc<impl ObjectStore>) -> Result<Archive, ArchiveError> {
    let store: Arc<dyn ObjectStore> = store.clone();
    Archive::open_in(store, PREFIX, &ArchiveOptions::default())
}

/// The results of all queries that do not depend on the location.
fn everything(archive: &Archive) -> Vec<String> {
    let shown = archive.path().display().to_string();
    let mut all: Vec<String> = answers(archive)
        .into_iter()
        .map(|(question, answer)| format!("{question}: {answer:?}").replace(&shown, "…"))
        .collect();
    all.push(format!("{:?}", archive.history()).replace(&shown, "…"));
    all.push(format!("{:?}", archive.verify(&mut ())).replace(&shown, "…"));
    all.push(format!("{:?}", archive.undo_plan(None)).replace(&shown, "…"));
    all
}

#[test]
fn answers_are_those_of_the_folder() -> Outcome {
    let (_folder, path) = sound();
    // Two imports; after a compaction, the games are in another order.
    for is_compacted in [false, true] {
        if is_compacted {
            Archive::open(&path)?.compact(&mut ())?;
        }
        let local = Archive::open(&path)?;
        let store = in_memory(&path);
        let stored = open(&store)?;
        assert_eq!(everything(&stored), everything(&local), "{}", path.display());
        assert_eq!(stored.version(), local.version());
        assert_eq!(stored.refresh()?.len(), local.len());
        assert_eq!(stored.path(), Path::new("InMemory").join(PREFIX));
        // A store may list its objects in any order.
        let backwards = Arc::new(Odd { store, how: How::Backwards, requests: AtomicU64::new(0) });
        assert_eq!(everything(&open(&backwards)?), everything(&stored));
    }
    Ok(())
}

/// A log with a checkpoint, and with a deletion vector in a separate file, which the Delta kernel reads.
#[test]
fn checkpoints_and_deletion_vectors() -> Outcome {
    let (_folder, archive) = archive_of(&[1; 102]);
    let path = archive.path();
    let deleted = delete(&archive, &[(added(path, 7), in_file(path, &[0]))]);
    assert!(path.join("_delta_log/_last_checkpoint").exists());
    let store = in_memory(path);
    let stored = open(&store)?;
    assert_eq!(contents(&stored), contents(&deleted));
    assert_eq!(contents(&stored).len(), 101);
    assert_eq!(everything(&stored), everything(&Archive::open(path)?));
    let checkpoint = prefix().join("_delta_log").join("00000000000000000100.checkpoint.parquet");
    let whole = wait(async { store.get(&checkpoint).await?.bytes().await })?;
    let mut bytes = whole.to_vec();
    bytes[whole.len() / 2] ^= 1;
    wait(store.put(&checkpoint, bytes.into()))?;
    assert!(matches!(open(&store), Err(ArchiveError::Damaged(_))));
    wait(store.delete(&checkpoint))?;
    match open(&store) {
        Err(ArchiveError::Damaged(what)) => {
            assert!(what.ends_with("the file is missing"), "{what}")
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

/// An import into the folder, once copied, is there after a refresh.
#[test]
fn a_copy_that_grows() -> Outcome {
    let (_folder, path) = sound();
    let store = in_memory(&path);
    let before = open(&store)?;
    let mut importer = Importer::open(&path)?;
    importer.read_pgn([Ok("1. e4 e5 *".as_bytes())], &mut ())?;
    importer.commit()?;
    wait(upload(&path, store.as_ref(), &prefix()));
    assert_eq!(before.refresh()?.len(), before.len() + 1);
    assert_eq!(everything(&before.refresh()?), everything(&Archive::open(&path)?));
    Ok(())
}

/// Requests run on separate threads, so queries also work inside a runtime.
#[test]
fn any_runtime_works() -> Outcome {
    let (_folder, path) = sound();
    let archive = open(&in_memory(&path))?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        assert_eq!(archive.info()?.games, archive.len());
        assert_eq!(archive.search(&Filter::default(), 3)?.games.len(), 3);
        // Opening, too, and dropping.
        drop(archive.refresh()?);
        drop(archive);
        Ok(())
    })
}

/// The threads that read ahead release the store when their results are no longer needed.
#[test]
fn a_dropped_export_lets_go_of_the_store() -> Outcome {
    let (_folder, archive) = archive_of(&[50_000]);
    let store = in_memory(archive.path());
    let mut games = open(&store)?.games(&Filter::default())?;
    games.next().ok_or("no game")??;
    drop(games);
    let is_free = || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        Arc::strong_count(&store) == 1
    };
    assert!((0..500).any(|_| is_free()), "{} references", Arc::strong_count(&store));
    Ok(())
}

#[test]
fn damage_is_damage() -> Outcome {
    let (_folder, path) = sound();
    // The size of the file that the queries by id need.
    let bytes = |file: &PathBuf| std::fs::metadata(file).map(|file| file.len()).ok();
    let file = files(&path, ".parquet").into_iter().max_by_key(bytes).expect("two files");
    let (pages, footer) = pages(&file);
    let whole = std::fs::read(&file)?;
    let name = file.file_name().and_then(|name| name.to_str()).expect("a text");
    let at = prefix().join(name);
    let store = in_memory(&path);
    let page = pages.iter().find(|page| page.0 == "moves").expect("moves");
    for byte in [page.3, footer + 1] {
        let mut bytes = whole.clone();
        bytes[byte] ^= 4;
        wait(store.put(&at, bytes.into()))?;
        let archive = open(&store)?;
        let verified = archive.verify(&mut ())?;
        assert!(problems(&verified)[0].contains(name), "{:?}", problems(&verified));
        let damaged = answers(&archive).into_iter().find(|answer| answer.0 == "all columns");
        assert!(matches!(damaged, Some((_, Err(ArchiveError::Damaged(_))))), "{damaged:?}");
    }
    wait(store.put(&at, whole[..whole.len() / 2].to_vec().into()))?;
    assert_reported(&answers(&open(&store)?), "the log says");
    wait(store.delete(&at))?;
    let archive = open(&store)?;
    assert_reported(&answers(&archive), "the file is missing");
    assert!(problems(&archive.verify(&mut ())?)[0].ends_with("the file is missing"));
    let entry = prefix().join("_delta_log").join("00000000000000000001.json");
    wait(store.delete(&entry))?;
    match open(&store) {
        Err(ArchiveError::Damaged(what)) => assert!(what.contains(&format!("{PREFIX}/_delta"))),
        other => panic!("{other:?}"),
    }
    Ok(())
}

fn assert_reported(answers: &Answers, expected: &str) {
    for (question, answer) in answers {
        match answer {
            Err(ArchiveError::Damaged(what)) => assert!(what.contains(expected), "{what}"),
            // These may need only the other file.
            Ok(_) => assert!(["a game", "some names"].contains(question), "{question}"),
            other => panic!("{question}: {other:?}"),
        }
    }
}

#[test]
fn where_nothing_is() -> Outcome {
    let store = Arc::new(InMemory::new());
    let refused = open(&store).expect_err("nothing").to_string();
    assert_eq!(refused, format!("no archive at InMemory/{PREFIX}: the folder is empty"));
    wait(store.put(&prefix().join("a.pgn"), "1. e4 *".into()))?;
    let refused = open(&store).expect_err("something else").to_string();
    assert!(refused.ends_with("the folder holds other files and no table (no _delta_log)"));
    let refused = Archive::open_in(store, "a/../b", &ArchiveOptions::default());
    assert!(matches!(refused, Err(ArchiveError::Url { .. })), "{refused:?}");
    Ok(())
}

/// A store may fail at any request. That is an error of input and output, and never changes a result.
#[test]
fn a_store_that_fails() -> Outcome {
    let (_folder, path) = sound();
    let sound = everything(&Archive::open(&path)?);
    let store = in_memory(&path);
    let count = Arc::new(Odd { store: store.clone(), how: How::Backwards, requests: 0.into() });
    everything(&open(&count)?);
    let all = count.requests.load(Ordering::Relaxed);
    assert!(all > 40, "{all} requests");
    for how in [How::Fails, How::IsShort] {
        let mut failures = 0;
        for after in (0..20).chain((20..all).step_by(11)) {
            let how = how(after);
            let odd = Arc::new(Odd { store: store.clone(), how, requests: AtomicU64::new(0) });
            let archive = match open(&odd) {
                Ok(archive) => archive,
                Err(error) => {
                    assert!(is_reported(&error, how), "{how:?}: {error:?}");
                    failures += 1;
                    continue;
                }
            };
            for ((question, answer), sound) in answers(&archive).into_iter().zip(&sound) {
                match answer {
                    Ok(_) => assert_eq!(format!("{question}: {answer:?}"), *sound),
                    Err(error) => {
                        assert!(is_reported(&error, how), "{how:?}, {question}: {error:?}");
                        failures += 1;
                    }
                }
            }
            if let Err(error) = archive.history() {
                assert!(is_reported(&error, how), "{how:?}: {error:?}");
            }
            let verified = archive.verify(&mut ());
            // Concurrent threads may send more requests, or fewer.
            let has_failed = odd.requests.load(Ordering::Relaxed) > after;
            let is_reported = verified.is_err() || !problems(&verified?).is_empty();
            assert!(is_reported || !has_failed, "{how:?}");
        }
        assert!(failures > 20, "{failures}");
    }
    Ok(())
}

/// Returns true if an error is the expected one.
fn is_reported(error: &ArchiveError, how: How) -> bool {
    match (error, how) {
        (ArchiveError::Io { source, .. }, How::Fails(_)) => source.to_string().contains("too bad"),
        (ArchiveError::Damaged(_), How::IsShort(_)) => true,
        // The kernel has its own words for it.
        (ArchiveError::Delta(_), _) => true,
        (ArchiveError::NotAnArchive { why, .. }, How::IsShort(_)) => why.contains("log"),
        _ => false,
    }
}

#[test]
fn stores_are_read_only() -> Outcome {
    let (_folder, path) = sound();
    let archive = open(&in_memory(&path))?;
    let mut importer = archive.importer();
    importer.push(&halfmove_game::Game::default(), None)?;
    let pgn = archive.importer().read_pgn([Ok("1. e4 *".as_bytes())], &mut ()).map(drop);
    let url = "s3://bucket/club";
    let (before, all) = (std::time::SystemTime::now(), Filter::default());
    let refused: Vec<(&str, Result<(), ArchiveError>)> = vec![
        ("push", importer.commit().map(drop)),
        ("read", pgn),
        ("compact", archive.compact(&mut ()).map(drop)),
        ("undo", archive.undo(None, &mut ()).map(drop)),
        ("remove", archive.remover(&all).map(drop)),
        ("vacuum", archive.vacuum(before, &mut ()).map(drop)),
        ("vacuum, as a plan", archive.vacuum_plan(before).map(drop)),
        ("create", Archive::create(url).map(drop)),
        ("open or create", Archive::open_or_create(url).map(drop)),
        ("import", Importer::open(url).map(drop)),
    ];
    for (what, refused) in refused {
        match refused {
            Err(error @ ArchiveError::ReadOnly { .. }) => {
                assert!(error.to_string().contains("change it in a local folder"), "{error}");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    assert!(!Path::new("s3:").exists());
    Ok(())
}

/// A real S3 server. The test creates and removes only objects below a prefix.
///
/// ```text
/// pip install "moto[server]" && moto_server -p 5000 &
/// curl -X PUT http://127.0.0.1:5000/halfmove
/// export AWS_ENDPOINT_URL=http://127.0.0.1:5000 AWS_ALLOW_HTTP=true AWS_REGION=us-east-1
/// export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test HALFMOVE_S3=s3://halfmove
/// cargo test --release -p halfmove-archive -p halfmove-cli --features halfmove-cli/object-store -- --ignored a_server_of_s3
/// ```
#[test]
#[ignore = "needs a server of S3, whose bucket HALFMOVE_S3 names: see the comment of this test"]
fn a_server_of_s3() -> Outcome {
    let (_folder, path) = sound();
    Archive::open(&path)?.compact(&mut ())?;
    let bucket = std::env::var("HALFMOVE_S3").expect("HALFMOVE_S3 names a bucket: s3://…");
    let url = format!("{bucket}/halfmove%20test/club");
    let (store, prefix) = object_store::parse_url_opts(&url::Url::parse(&url)?, std::env::vars())?;
    wait(upload(&path, store.as_ref(), &prefix));
    let mut options = ArchiveOptions::default();
    options.store = halfmove_archive::StoreOptions::from_variables(std::env::vars_os());
    let stored = Archive::open_with(&url, &options)?;
    assert_eq!(everything(&stored), everything(&Archive::open(&path)?));
    assert_eq!(stored.path(), Path::new(&url));
    // A flipped byte, a missing object, and an empty location.
    let file = files(&path, ".parquet").remove(0);
    let at = prefix.clone().join(file.file_name().and_then(|name| name.to_str()).expect("a text"));
    let mut bytes = std::fs::read(&file)?;
    bytes[1000] ^= 1;
    wait(store.put(&at, bytes.into()))?;
    assert_eq!(problems(&Archive::open_with(&url, &options)?.verify(&mut ())?).len(), 2);
    wait(store.delete(&at))?;
    let found = problems(&Archive::open_with(&url, &options)?.verify(&mut ())?);
    assert!(found[0].ends_with("the file is missing"), "{found:?}");
    let nothing = Archive::open_with(format!("{bucket}/nothing"), &options);
    assert!(matches!(nothing, Err(ArchiveError::NotAnArchive { .. })), "{nothing:?}");
    for name in files(&path.join("_delta_log"), "").iter().filter_map(|path| path.file_name()) {
        let at = prefix.clone().join("_delta_log").join(name.to_str().expect("a text"));
        wait(store.delete(&at))?;
    }
    Ok(())
}
