//! Unfinished output and its progress.
//!
//! Until `games.pgn` is complete, there are two files next to it:
//!
//! | file | content |
//! | --- | --- |
//! | `games.pgn.part` | the texts of the finished games |
//! | `games.pgn.journal` | a line with the settings, then lines with the number of finished games and the length of the part |
//!
//! A line of the journal is written after the bytes that it counts are on the disk. When work is resumed, the part is truncated
//! to the length in the last line.

use super::Counts;
use crate::output::{Advised, grouped};
use anyhow::{Context, anyhow, bail};
use serde_json::{Map, Value, json};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The interval between lines of the journal.
const INTERVAL: Duration = Duration::from_millis(250);

/// Output that is not complete yet. Its journal is locked while it is open, so no other program resumes it.
pub(super) struct Unfinished {
    part: BufWriter<File>,
    part_path: PathBuf,
    journal: File,
    journal_path: PathBuf,
    state: State,
    /// The number of games in the last line of the journal.
    recorded: u64,
    written: Instant,
}

/// The progress of the output.
#[derive(Debug, Default, Clone)]
struct State {
    games: u64,
    bytes: u64,
    counts: Counts,
}

impl State {
    fn parse(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let counts = line["counts"].as_object()?.iter();
        let counts = counts.map(|(name, count)| Some((name.clone(), count.as_u64()?)));
        Some(Self {
            games: line["games"].as_u64()?,
            bytes: line["bytes"].as_u64()?,
            counts: counts.collect::<Option<_>>()?,
        })
    }
}

/// A path with a suffix after its name.
fn beside(target: &Path, ending: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    target.with_file_name(name)
}

/// The texts of the finished games of unfinished output.
pub(super) fn part_of(target: &Path) -> PathBuf {
    beside(target, ".part")
}

impl Unfinished {
    /// Resumes unfinished output if its settings are equal, returns an error if they are not, and begins a new one if
    /// there is none.
    pub(super) fn open(
        target: &Path,
        settings: &Map<String, Value>,
        restart: bool,
    ) -> anyhow::Result<Self> {
        let (part_path, journal_path) = (part_of(target), beside(target, ".journal"));
        let cannot = |path: &Path| format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut journal = options.open(&journal_path).with_context(|| cannot(&journal_path))?;
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("{}: another halfmove is writing it", journal_path.display())
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut text = Vec::new();
        journal.read_to_end(&mut text).with_context(|| cannot(&journal_path))?;
        // The text after the last line end is an incomplete line.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_foreign = whole == 0 && !text.is_empty() && text[0] != b'{';
        let text = String::from_utf8_lossy(&text[..whole]).into_owned();
        let mut lines = text.split_inclusive('\n');
        let old: Option<Map<String, Value>> = match lines.next() {
            None => None,
            Some(line) => serde_json::from_str(line).ok().filter(is_settings),
        };
        if is_foreign || whole > 0 && old.is_none() {
            bail!("{}: this file exists, and is not a journal", journal_path.display());
        }
        if old.is_none() && part_path.exists() {
            if text.is_empty() {
                // It is empty, so it was created here.
                let _ = fs::remove_file(&journal_path);
            }
            bail!("{}: this file exists, and stays as it is", part_path.display());
        }
        let mut state = State::default();
        let mut length = 0;
        match &old {
            Some(old) if !restart => {
                refuse_other(old, settings, &part_path)?;
                length = text.split_inclusive('\n').next().map_or(0, str::len);
                for line in lines {
                    let Some(next) = State::parse(line) else { break };
                    (state, length) = (next, length + line.len());
                }
            }
            _ => {}
        }
        let mut part = options.open(&part_path).with_context(|| cannot(&part_path))?;
        let there = part.metadata().with_context(|| cannot(&part_path))?.len();
        if there < state.bytes {
            let (path, expected) = (part_path.display(), grouped(state.bytes));
            let error = anyhow!("{path}: {} bytes, expected {expected}", grouped(there));
            return Err(Advised::new(error, "to start over: --restart").into());
        }
        part.set_len(state.bytes).with_context(|| cannot(&part_path))?;
        part.seek(SeekFrom::End(0)).with_context(|| cannot(&part_path))?;
        journal.set_len(length as u64).with_context(|| cannot(&journal_path))?;
        journal.seek(SeekFrom::End(0)).with_context(|| cannot(&journal_path))?;
        if length == 0 {
            let line = format!("{}\n", Value::Object(settings.clone()));
            let written = journal.write_all(line.as_bytes()).and_then(|()| journal.sync_data());
            written.with_context(|| cannot(&journal_path))?;
        }
        let recorded = state.games;
        Ok(Self {
            part: BufWriter::with_capacity(1 << 16, part),
            part_path,
            journal,
            journal_path,
            state,
            recorded,
            written: Instant::now(),
        })
    }

    pub(super) fn games(&self) -> u64 {
        self.state.games
    }

    pub(super) fn counts(&self) -> Counts {
        self.state.counts.clone()
    }

    pub(super) fn part(&self) -> &Path {
        &self.part_path
    }

    /// Adds a game. `counts` are those of all games.
    pub(super) fn add(&mut self, text: &str, counts: &Counts) -> anyhow::Result<()> {
        let written = self.part.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.part_path.display()))?;
        self.state.games += 1;
        self.state.bytes += text.len() as u64;
        if self.written.elapsed() >= INTERVAL {
            self.checkpoint(counts)?;
        }
        Ok(())
    }

    /// Writes a line of the journal. If the work is stopped now, it resumes from here.
    pub(super) fn checkpoint(&mut self, counts: &Counts) -> anyhow::Result<()> {
        let flushed = self.part.flush().and_then(|()| self.part.get_ref().sync_data());
        flushed.with_context(|| format!("cannot write {}", self.part_path.display()))?;
        if self.state.games > self.recorded {
            self.state.counts.clone_from(counts);
            let State { games, bytes, counts } = &self.state;
            let line = json!({ "games": games, "bytes": bytes, "counts": counts });
            let written = self.journal.write_all(format!("{line}\n").as_bytes());
            let written = written.and_then(|()| self.journal.sync_data());
            written.with_context(|| format!("cannot write {}", self.journal_path.display()))?;
            self.recorded = self.state.games;
        }
        self.written = Instant::now();
        Ok(())
    }

    /// Removes part and journal after the output is complete.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        // In this order: a part without a journal is taken for a file of another program.
        for path in [&self.part_path, &self.journal_path] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns true if the object is the first line of a journal.
fn is_settings(object: &Map<String, Value>) -> bool {
    object.contains_key("halfmove")
}

/// Refuses to resume unfinished work with other settings.
fn refuse_other(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    part: &Path,
) -> anyhow::Result<()> {
    let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
    let say = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), short);
    let changed: Vec<String> = names
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| format!("{name} {}, now {}", say(old.get(name)), say(new.get(name))))
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let changed = changed.join("; ");
    let error = anyhow!("{} is unfinished work with other settings: {changed}", part.display());
    let hint = "finish it with the command that began it; or give another name, or --restart to start over";
    Err(Advised::new(error, hint).into())
}

/// The text of a value, cut to a length that fits on the screen.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
