//! The files for the tests: those in the repository, and the large collections in the folder that the environment
//! variable `HALFMOVE_DATA` names.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use halfmove_game::Input;

/// The folder of the large collections.
pub(crate) fn collections() -> PathBuf {
    PathBuf::from(std::env::var_os("HALFMOVE_DATA").expect("HALFMOVE_DATA names the data folder"))
}

/// The folder of the files in the repository.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// The rows of a tab-separated table of the large collections, each keyed by column name.
pub(crate) fn table(path: &str) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(collections().join(path)).expect("the table of answers");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a heading").split('\t').collect();
    lines
        .map(|line| {
            names.iter().zip(line.split('\t')).map(|(k, v)| (k.to_string(), v.to_owned())).collect()
        })
        .collect()
}

/// All files below a folder, in the order of their names.
pub(crate) fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the test data") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// All files of games below a folder, compressed or not.
pub(crate) fn game_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = all_files(folder);
    files.retain(|path| path.to_string_lossy().trim_end_matches(".zst").ends_with(".pgn"));
    assert!(!files.is_empty(), "no games in {}", folder.display());
    files
}

/// The bytes of a file, unpacked.
pub(crate) fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut input = Input::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    input.read_to_end(&mut bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    bytes
}

/// A path below a folder, as in the tables of results.
pub(crate) fn name_below(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).expect("a file below").to_string_lossy().into_owned()
}
