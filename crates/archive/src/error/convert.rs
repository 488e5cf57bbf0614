//! Conversion of other libraries' errors. An error of this crate that was wrapped by the Parquet library is returned
//! unchanged.

use std::any::Any;
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;

use arrow_schema::ArrowError;
use delta_kernel::KernelError;
use parquet::errors::ParquetError;

use super::ArchiveError;

/// The first of the causes of an error that has a given type.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// A copy of an error, made from a reference.
fn again(error: &ArchiveError) -> ArchiveError {
    match error {
        ArchiveError::Io { path, source } => ArchiveError::io(path, io_again(source)),
        ArchiveError::Format { path, found, known } => {
            ArchiveError::Format { path: path.clone(), found: found.clone(), known }
        }
        ArchiveError::Unsupported(what) => ArchiveError::Unsupported(what.clone()),
        ArchiveError::Outdated { path, file } => {
            ArchiveError::Outdated { path: path.clone(), file: file.clone() }
        }
        ArchiveError::ThreadLost => ArchiveError::ThreadLost,
        ArchiveError::Stopped => ArchiveError::Stopped,
        ArchiveError::Damaged(what) => ArchiveError::Damaged(what.clone()),
        other => ArchiveError::Damaged(other.to_string()),
    }
}

fn io_again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// Converts a library's error about a data file. An error of the operating system becomes [`ArchiveError::Io`], except
/// that a missing or truncated file is damage, like everything else. An error of this crate is returned unchanged.
pub(crate) fn of_file(path: &Path, error: &(dyn Error + 'static)) -> ArchiveError {
    if let Some(ours) = cause::<ArchiveError>(error) {
        return again(ours);
    }
    match cause::<io::Error>(error) {
        Some(source) => match source.kind() {
            io::ErrorKind::NotFound => ArchiveError::in_file(path, "the file is missing"),
            io::ErrorKind::UnexpectedEof => ArchiveError::in_file(path, "the file ends too early"),
            _ => ArchiveError::io(path, io_again(source)),
        },
        None => ArchiveError::in_file(path, error),
    }
}

/// Converts the error of opening the log of an archive.
pub(crate) fn of_log(archive: &Path, error: KernelError) -> ArchiveError {
    match error {
        KernelError::Backtraced { source, .. } => of_log(archive, *source),
        #[cfg(feature = "object-store")]
        KernelError::ObjectStore(error) => ArchiveError::io(archive, error.into()),
        KernelError::IOError(error) => ArchiveError::io(archive, error),
        KernelError::Unsupported(what) => {
            ArchiveError::Unsupported(format!("{}: {what}", archive.display()))
        }
        // A table created by another program.
        KernelError::InvalidProtocol(what) => {
            ArchiveError::Unsupported(format!("{}: {what}", archive.display()))
        }
        error => match cause::<io::Error>(&error) {
            Some(error) => ArchiveError::io(archive, io_again(error)),
            #[cfg(feature = "object-store")]
            None if cause::<object_store::Error>(&error).is_some() => {
                ArchiveError::io(archive, io::Error::other(error.to_string()))
            }
            None => ArchiveError::damaged(format!("its log cannot be read ({error})")),
        },
    }
}

/// Converts the kernel's error of writing to the log. An error of the operating system becomes [`ArchiveError::Io`].
pub(crate) fn of_commit(path: &Path, error: KernelError) -> ArchiveError {
    let system = match &error {
        // Neither of the two carries a source.
        KernelError::IOError(error) => Some(error),
        #[cfg(feature = "object-store")]
        KernelError::ObjectStore(error) => cause(error),
        _ => None,
    };
    match (system.map(io_again), error) {
        (Some(system), _) => ArchiveError::io(path, system),
        (None, KernelError::Backtraced { source, .. }) => of_commit(path, *source),
        (None, error) => error.into(),
    }
}

impl From<KernelError> for ArchiveError {
    fn from(error: KernelError) -> Self {
        // Some of the kernel's errors include a backtrace in their text; the cause is inside.
        match error {
            KernelError::Backtraced { source, .. } => (*source).into(),
            KernelError::Unsupported(what) => Self::Unsupported(what),
            other => Self::Delta(other.to_string()),
        }
    }
}

impl From<ParquetError> for ArchiveError {
    fn from(error: ParquetError) -> Self {
        cause::<Self>(&error).map_or_else(|| Self::damaged(&error), again)
    }
}

impl From<ArrowError> for ArchiveError {
    fn from(error: ArrowError) -> Self {
        cause::<Self>(&error).map_or_else(|| Self::damaged(&error), again)
    }
}

/// Runs a function of a library that may panic on damaged data. A panic becomes an error with the path.
pub(crate) fn caught<T>(
    place: &Path,
    read: impl FnOnce() -> Result<T, ArchiveError>,
) -> Result<T, ArchiveError> {
    // The state after a panic is not used again.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let what = format!("{}: it cannot be read ({})", place.display(), message(panic.as_ref()));
        Err(ArchiveError::Damaged(what))
    })
}

/// The same for reading a log, on a named thread, so that a program can suppress the panic message.
pub(crate) fn caught_in_log<T: Send>(
    archive: &Path,
    read: impl FnOnce() -> Result<T, ArchiveError> + Send,
) -> Result<T, ArchiveError> {
    let (mut read, mut result) = (Some(read), None);
    let ended = on_log_thread(&mut || result = read.take().map(|read| read()));
    match (ended, result, read) {
        (Some(Ok(())), Some(result), _) => result,
        (Some(Err(panic)), ..) => {
            let text = message(panic.as_ref());
            let what = format!("{}: its log or a checkpoint in it is damaged", archive.display());
            Err(ArchiveError::damaged(format!("{what} ({text})")))
        }
        // No thread could be started.
        (_, _, Some(read)) => caught(archive, read),
        (_, _, None) => Err(ArchiveError::ThreadLost),
    }
}

/// Runs a function on the thread of logs; `None` if the thread could not be started, its panic if it ended so.
///
/// It is not generic, so that threads are compiled once.
fn on_log_thread(run: &mut (dyn FnMut() + Send)) -> Option<thread::Result<()>> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name(LOG_THREAD.to_owned()).spawn_scoped(scope, run);
        Some(thread.ok()?.join())
    })
}

/// The name of the threads that read logs.
const LOG_THREAD: &str = "halfmove-log";

/// The message of a library's panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("nothing")
}
