//! Arguments of several commands: variants, and output files.

use crate::arena::INTERRUPTED;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halfmove_rules::Variant;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The interval at which interruptions are checked.
const GLANCE: Duration = Duration::from_millis(50);

/// Parses the name of a game, which must be one of these.
pub(crate) fn variants(known: &[Variant]) -> impl TypedValueParser<Value = Variant> + use<> {
    let names: Vec<_> = known.iter().map(|variant| PossibleValue::new(variant.name())).collect();
    PossibleValuesParser::new(names).map(|name| Variant::from_name(&name).unwrap_or_default())
}

/// Parses a whole number above 0.
pub(crate) fn positive<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, &'static str> {
    let number = text.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or("expected a whole number above 0")
}

/// A file for results. It is opened before the work begins, so that errors are reported early. An existing file is
/// replaced only once there is something to write: it may be the result of hours of work, or the source of the engine.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_written: bool,
}

impl Output {
    /// Creates a file, or with `force` opens one that exists. An empty file, as left by an interrupted run, a device or
    /// a pipe does not need `force`. The file is locked until it is closed.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, String> {
        let refused = |reason: &str| format!("{}: {reason}", path.display());
        let exists = "the file exists; --force replaces it";
        let holds_something = |data: Metadata| data.is_file() && data.len() > 0;
        let new = File::create_new(path);
        let is_new = new.is_ok();
        let file = match new {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !force && fs::metadata(path).is_ok_and(holds_something) {
                    return Err(refused(exists));
                }
                // A link may lead to a file that does not exist yet.
                File::options().write(true).create(true).truncate(false).open(path)
            }
            new => new,
        };
        let file = file.map_err(failed(path))?;
        // Created before any check that can fail, so that a new file is removed when this value is dropped.
        let mut output = Self { path: path.to_owned(), file, is_new, is_written: false };
        let data = output.file.metadata().map_err(failed(path))?;
        if data.is_file() {
            if is_standard(&data) {
                return Err(refused("this is standard output or standard error"));
            }
            if matches!(output.file.try_lock(), Err(TryLockError::WouldBlock)) {
                output.is_new = false;
                return Err(refused("another run is writing this file"));
            }
            // Another run may have written to it in the meantime.
            if !force && output.file.metadata().is_ok_and(holds_something) {
                return Err(refused(exists));
            }
        }
        Ok(output)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if it is the file at a path, under any name. A device or a pipe may be used twice.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let (Ok(own), Ok(other)) = (self.file.metadata(), fs::metadata(path)) else {
            return false;
        };
        own.is_file() && other.is_file() && are_one((&self.path, &own), (path, &other))
    }

    /// Ends the program at an interruption, without leaving an empty file.
    pub(crate) fn end_cleanly(&self, interrupted: Arc<AtomicBool>) -> Result<(), String> {
        let (path, is_new) = (self.path.clone(), self.is_new);
        let own = self.file.metadata().map_err(failed(&self.path))?;
        let watch = move || {
            while !interrupted.load(Ordering::Relaxed) {
                thread::sleep(GLANCE);
            }
            if is_new {
                remove_empty(&path, &own);
            }
            process::exit(i32::from(INTERRUPTED));
        };
        let thread = thread::Builder::new().spawn(watch);
        thread.map(drop).map_err(|error| format!("no thread: {error}"))
    }

    /// Returns `true` if it replaces the file at a path.
    pub(crate) fn replaces(&self, path: &Path) -> bool {
        !self.is_new && self.is_at(path)
    }
}

/// Returns `true` if standard output or standard error go to this file; the two would overwrite each other.
#[cfg(unix)]
fn is_standard(data: &Metadata) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let (out, error) = (io::stdout(), io::stderr());
    [out.as_fd(), error.as_fd()].into_iter().any(|standard| {
        let standard = standard.try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
        standard.is_ok_and(|other| (data.dev(), data.ino()) == (other.dev(), other.ino()))
    })
}

#[cfg(not(unix))]
fn is_standard(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn are_one((_, one): (&Path, &Metadata), (_, other): (&Path, &Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn are_one((one, _): (&Path, &Metadata), (other, _): (&Path, &Metadata)) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A pipe has no length.
        if !self.is_written && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.is_written = true;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // An unused file is removed.
        if self.is_new
            && !self.is_written
            && let Ok(own) = self.file.metadata()
        {
            remove_empty(&self.path, &own);
        }
    }
}

/// Removes an empty file that this process created. Another process may have replaced it in the meantime.
fn remove_empty(path: &Path, own: &Metadata) {
    let is_own =
        |data: Metadata| data.is_file() && data.len() == 0 && are_one((path, own), (path, &data));
    if fs::metadata(path).is_ok_and(is_own) {
        let _ = fs::remove_file(path);
    }
}

/// Names the file in an error.
pub(crate) fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("halfmove-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn error(path: &Path, force: bool) -> String {
        let error = Output::create(path, force).expect_err("it is refused");
        error.rsplit_once(": ").map_or("", |(_, reason)| reason).to_owned()
    }

    #[test]
    fn a_file_belongs_to_one_run_and_is_replaced_by_force_alone() {
        let folder = folder("output");
        let path = folder.join("result");
        let mut one = Output::create(&path, false).expect("a new file");
        for force in [false, true] {
            assert_eq!(error(&path, force), "another run is writing this file");
        }
        one.write_all(b"one").and_then(|()| one.write_all(b" and more")).expect("it is written");
        drop(one);
        assert_eq!(error(&path, false), "the file exists; --force replaces it");
        let mut two = Output::create(&path, true).expect("it may be replaced");
        assert_eq!(fs::read(&path).expect("a file"), b"one and more", "nothing to write yet");
        two.write_all(b"two").expect("it is written");
        drop(two);
        assert_eq!(fs::read(&path).expect("a file"), b"two");

        // A file that was not written is removed, unless it existed before.
        drop(Output::create(&path, true).expect("it may be replaced"));
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        let empty = folder.join("empty");
        drop(Output::create(&empty, false).expect("a new file"));
        assert!(!empty.exists());
        fs::write(&empty, "").expect("a file");
        drop(Output::create(&empty, false).expect("an empty file"));
        assert!(empty.exists());
        fs::remove_dir_all(folder).expect("a folder");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_known_by_all_its_names() {
        let folder = folder("names");
        let [one, hard, soft, target] = ["one", "hard", "soft", "target"].map(|n| folder.join(n));
        fs::write(&one, "samples").expect("a file");
        fs::hard_link(&one, &hard).expect("a link");
        std::os::unix::fs::symlink(&target, &soft).expect("a link");
        let output = Output::create(&hard, true).expect("it may be replaced");
        assert!(output.is_at(&one) && output.replaces(&one) && !output.is_at(&soft));
        // A link is kept, and its target is created.
        let linked = Output::create(&soft, false).expect("a link to nothing");
        assert!(linked.is_at(&target));
        drop(linked);
        assert!(soft.is_symlink());
        // A device is not a file, and can be used twice.
        let null = Path::new("/dev/null");
        let nulls = [(); 2].map(|()| Output::create(null, false).expect("a device"));
        assert!(!nulls[0].is_at(null) && null.exists());
        fs::remove_dir_all(folder).expect("a folder");
    }
}
