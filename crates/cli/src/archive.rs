//! Archives named on the command line.

mod conditions;
mod near_names;

pub(crate) use self::conditions::{Conditions, no_word, note_unknown_ids};
pub(crate) use self::near_names::{
    note_exact_name, note_more_spellings, note_near_name, note_near_names,
};

use crate::command::import::files::{Files, is_pgn};
use crate::output::Advised;
use crate::{movetext, quote};
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, StoreOptions, is_url};
use std::env;
use std::path::Path;

/// The memory for columns where each is read once. More of it would be new pages of memory for each column, which take a fifth
/// of the time of a search, and nothing would be read from it.
const CACHE_OF_ONE_SEARCH: u64 = 4 << 20;

/// Opens an archive for reading.
pub(crate) fn open(path: &Path) -> anyhow::Result<Archive> {
    open_with_cache(path, ArchiveOptions::default().cache_bytes)
}

/// Opens an archive to pass over its columns once.
pub(crate) fn open_for_one_search(path: &Path) -> anyhow::Result<Archive> {
    // From a store, reading anything twice takes long.
    if is_url(path) { open(path) } else { open_with_cache(path, CACHE_OF_ONE_SEARCH) }
}

fn open_with_cache(path: &Path, bytes: u64) -> anyhow::Result<Archive> {
    let mut options = ArchiveOptions::default();
    options.store = StoreOptions::from_variables(env::vars_os());
    options.cache_bytes = bytes;
    Archive::open_with(path, &options).map_err(|error| {
        let hint = match error {
            ArchiveError::NotAnArchive { .. } => instead(path),
            _ => None,
        };
        Advised::maybe(error, hint)
    })
}

/// A hint for a path without an archive.
fn instead(path: &Path) -> Option<String> {
    let name = quote::path(path);
    if let Some(option) = path.to_str().and_then(movetext::option_for) {
        return Some(format!("the archive comes first, then {option} {name}"));
    }
    if path.to_str().is_some_and(|text| text.to_lowercase().starts_with("select ")) {
        return Some("the archive comes first, then the query".to_owned());
    }
    if is_vacant(path) {
        return Some(format!("to make an archive: halfmove import {name} FILE…"));
    }
    let holds_games = match path.is_dir() {
        true => Files::find(&[path.to_owned()]).is_ok(),
        false => is_pgn(path),
    };
    holds_games
        .then(|| format!("to make an archive of these games: halfmove import ARCHIVE {name}"))
}

/// Whether an import can make an archive here: there is no folder, or an empty one.
fn is_vacant(path: &Path) -> bool {
    if is_url(path) {
        return false;
    }
    match std::fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// The command that takes back a change, for the end of a line; empty if it cannot be taken back.
pub(crate) fn undo_hint(changed: &Archive, path: &Path, version: u64) -> String {
    let (name, before) = (quote::path(path), version.saturating_sub(1));
    match changed.undo_plan(Some(before)) {
        Ok(_) => format!(" (to undo this: halfmove undo {name} --to {before})"),
        Err(_) => String::new(),
    }
}
