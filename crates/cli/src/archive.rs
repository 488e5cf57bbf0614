//! Archives named on the command line.

mod conditions;
mod file;
mod near_names;
mod spellings;

pub(crate) use self::conditions::{Selection, no_word, note_unknown_ids};
pub(crate) use self::near_names::{
    note_exact_name, note_more_spellings, note_near_name, note_near_names,
};

pub(crate) use self::file::explain_damage;
pub(crate) use self::spellings::Spellings;
use crate::command::import::files::{STDIN, holds_pgn, is_parquet, is_pgn};
use crate::command::pack::is_packed;
use crate::output::{self, Advised, grouped};
use crate::{movetext, quote};
use anyhow::anyhow;
use halfmove_archive::{Archive, ArchiveError, ArchiveOptions, StoreOptions, is_url};
use halfmove_rules::Variant;
use std::borrow::Cow;
use std::env;
use std::path::Path;
use url::Url;

/// The size of the cache in bytes for work that reads each column once. A larger cache would never be hit, and the new memory
/// pages for each column would cost a fifth of the time of a search.
const CACHE_OF_ONE_SEARCH: u64 = 4 << 20;

/// Opens an archive, or a file of games, for reading.
pub(crate) fn open(path: &Path) -> anyhow::Result<Archive> {
    open_with_cache(path, ArchiveOptions::default().cache_bytes)
}

/// Opens an archive for one pass over its columns.
pub(crate) fn open_for_one_search(path: &Path) -> anyhow::Result<Archive> {
    // An object store is too slow to read anything twice.
    if is_url(path) { open(path) } else { open_with_cache(path, CACHE_OF_ONE_SEARCH) }
}

/// Opens an archive, or a file of games, with a cache of its columns of this size in bytes.
pub(crate) fn open_with_cache(path: &Path, bytes: u64) -> anyhow::Result<Archive> {
    let mut options = ArchiveOptions::default();
    options.cache_bytes = bytes;
    refuse_stream(path)?;
    if is_file(path) { file::open(&local(path), &options) } else { open_with(path, options) }
}

/// Opens an archive to change or check it. A file of games is none.
pub(crate) fn open_itself(path: &Path) -> anyhow::Result<Archive> {
    refuse_stream(path)?;
    open_with(path, ArchiveOptions::default())
}

/// Returns true if a path is that of a file of games, which may be missing.
pub(crate) fn is_file(path: &Path) -> bool {
    let path = local(path);
    !is_url(&path) && (path.is_file() || !path.is_dir() && is_pgn(&path))
}

/// The path that a URL such as `file:///games/club.pgn` names. Any other name is a path, or remains a URL.
pub(crate) fn local(path: &Path) -> Cow<'_, Path> {
    let url = path.to_str().filter(|_| is_url(path)).and_then(|text| Url::parse(text).ok());
    let file = url.filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
    file.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// Refuses standard input, pipes and devices.
fn refuse_stream(path: &Path) -> anyhow::Result<()> {
    let is_special = || local(path).metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
    if path != Path::new(STDIN) && !is_special() {
        return Ok(());
    }
    let (name, path) = (output::input_name(path), quote::path(path));
    let error = anyhow!("{name} can be read only once, expected an archive or a file of games");
    let hint = format!("to make an archive of its games: halfmove import ARCHIVE {path}");
    Err(Advised::new(error, hint).into())
}

fn open_with(path: &Path, mut options: ArchiveOptions) -> anyhow::Result<Archive> {
    options.store = StoreOptions::from_variables(env::vars_os());
    Archive::open_with(path, &options).map_err(|error| {
        let hint = match error {
            ArchiveError::NotAnArchive { .. } => instead(path),
            _ => None,
        };
        Advised::maybe(error, hint)
    })
}

/// The hint for a path without an archive.
fn instead(path: &Path) -> Option<String> {
    let name = quote::path(&local(path));
    if let Some(option) = path.to_str().and_then(movetext::option_for) {
        return Some(format!("the archive comes first, then {option} {name}"));
    }
    if path.to_str().is_some_and(|text| text.to_lowercase().starts_with("select ")) {
        return Some("the archive comes first, then the query".to_owned());
    }
    if is_vacant(path) {
        return Some(format!("to create an archive: halfmove import {name} FILE…"));
    }
    let holds_games = if path.is_dir() {
        holds_pgn(path)
    } else {
        let path = local(path);
        is_pgn(&path) || is_packed(&path) || is_parquet(&path)
    };
    holds_games
        .then(|| format!("to create an archive of these games: halfmove import ARCHIVE {name}"))
}

/// Returns true if an import can create an archive here: the folder does not exist or is empty.
fn is_vacant(path: &Path) -> bool {
    if is_url(path) {
        return false;
    }
    match std::fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Prints a hint if an archive has games, but none of chess.
pub(crate) fn hint_at_variants(archive: &Archive) -> anyhow::Result<()> {
    let variants: Vec<_> = archive.info()?.variants.iter().collect();
    let Some((first, _)) = variants.first().filter(|(first, _)| *first != Variant::Chess) else {
        return Ok(());
    };
    let games = variants.iter().map(|(variant, games)| format!("{variant} {}", grouped(*games)));
    let games = games.collect::<Vec<_>>().join(", ");
    output::hint(&format!("this archive has no game of chess ({games}): --variant {first}"));
    Ok(())
}

/// The command that undoes a change, for the end of a line; empty if the change cannot be undone.
pub(crate) fn undo_hint(changed: &Archive, path: &Path, version: u64) -> String {
    let (name, before) = (quote::path(path), version.saturating_sub(1));
    match changed.undo_plan(Some(before)) {
        Ok(_) => format!(" (to undo this: halfmove undo {name} --to {before})"),
        Err(_) => String::new(),
    }
}
