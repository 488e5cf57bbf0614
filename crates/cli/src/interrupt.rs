//! Signals from the user or the system, after which a long job ends cleanly.

use crate::output;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Records signals instead of dying from them. A second signal ends the program at once.
pub(crate) struct Interrupt {
    signal: Arc<AtomicUsize>,
}

/// The job was interrupted by a signal.
#[derive(Debug)]
pub(crate) struct Interrupted(i32);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl Interrupted {
    /// The exit code that a shell reports for a program that dies from the signal.
    pub(crate) fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }
}

impl Interrupt {
    /// Records signals from now on, until the end of the program.
    pub(crate) fn begin() -> std::io::Result<Self> {
        let signal = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for number in signals() {
            // In this order, the first signal does not end the program, but makes the second one end it.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&again))?;
            flag::register(number, Arc::clone(&again))?;
            flag::register_usize(number, Arc::clone(&signal), number as usize)?;
        }
        Ok(Self { signal })
    }

    /// The signal that was received, if any.
    pub(crate) fn check(&self) -> Option<Interrupted> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(Interrupted(i32::try_from(signal).unwrap_or(SIGINT))),
        }
    }
}

/// Removes an unfinished file when a signal ends the program.
pub(crate) struct Removal {
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
}

impl Removal {
    /// Begins to listen. Call it before the file exists.
    pub(crate) fn begin() -> std::io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            signals: signal_hook::iterator::Signals::new(signals())?,
        })
    }

    /// Removes this file if a signal comes before the end of the program. A thread waits for the signal, since the
    /// program may be blocked on its input.
    pub(crate) fn of(self, unfinished: PathBuf) -> std::io::Result<()> {
        #[cfg(unix)]
        {
            let Self { mut signals } = self;
            let thread = std::thread::Builder::new().name("halfmove-signals".to_owned());
            thread.spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    // The file may just have been renamed.
                    let _ = std::fs::remove_file(&unfinished);
                    let interrupted = Interrupted(signal);
                    let code = interrupted.exit_code();
                    output::report(&anyhow::Error::new(interrupted).context("nothing was written"));
                    std::process::exit(i32::from(code));
                }
            })?;
        }
        #[cfg(not(unix))]
        let _ = unfinished;
        Ok(())
    }
}

/// The signals that end a program, without those that it ignores, as under `nohup`.
fn signals() -> Vec<i32> {
    let ignored = ignored_signals();
    let is_ignored = |signal: i32| ignored.is_some_and(|set| set >> (signal - 1) & 1 == 1);
    let mut signals = vec![SIGINT, SIGTERM];
    // SIGHUP is left alone if the ignored signals are not known.
    #[cfg(unix)]
    signals.extend(ignored.map(|_| signal_hook::consts::SIGHUP));
    signals.retain(|&signal| !is_ignored(signal));
    signals
}

/// The set of signals that this program ignores, if the system reports it: signal 1 is the lowest bit.
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}
