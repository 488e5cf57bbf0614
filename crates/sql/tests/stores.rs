//! Archives in object stores have the same results as in folders.

use std::path::Path;
use std::sync::Arc;

use halfmove_archive::object_store::memory::InMemory;
use halfmove_archive::object_store::path::Path as StorePath;
use halfmove_archive::object_store::{ObjectStore, ObjectStoreExt};
use halfmove_archive::{Archive, ArchiveOptions};

use crate::support::{Outcome, archive, ask, delete, read, wait};

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

#[test]
fn answers_are_those_of_the_folder() -> Outcome {
    let (_folder, local) = archive(&read("games/masters.pgn.zst", 2_000));
    let local = delete(&local, &[(1, (0..500).collect())]);
    let store = Arc::new(InMemory::new());
    wait(upload(local.path(), store.as_ref(), &StorePath::from("club")));
    let remote = Archive::open_in(store, "club", &ArchiveOptions::default())?;
    for query in [
        "SELECT count(*), sum(plies), max(white) FROM games",
        "SELECT id, san(moves) FROM games WHERE white_elo > 2500 ORDER BY id",
        "SELECT id, white FROM games WHERE shows(moves, 'material:KRPvKR') ORDER BY id",
        "SELECT count(moves) FROM games",
    ] {
        assert_eq!(ask(&remote, query)?, ask(&local, query)?, "{query}");
        // This time some columns are in memory.
        assert_eq!(ask(&remote, query)?, ask(&local, query)?, "{query}");
    }
    Ok(())
}
